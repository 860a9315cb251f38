"""`preorder-eval rules ablate`: what every rule and slot of a rule set contributes."""

from __future__ import annotations

from typing import Annotated

from preorder_eval.analysis.rules.ablation import ablate
from preorder_eval.cli.command import Option
from preorder_eval.cli.options import METRIC, RULES, NoCache, Printed, Resamples, Seed, Trust
from preorder_eval.cli.references import JudgedTrees
from preorder_eval.cli.terminal import progress
from preorder_eval.formats.rules import load_rules


def command(
    rules: Annotated[str, RULES],
    judged: JudgedTrees,
    metric: Annotated[
        str | None, METRIC, Option("Metric with its options.", shown="FRS as in evaluate")
    ] = None,
    whole: Annotated[
        bool,
        Option("Leave out whole rules only, not their slots and pairs.", group="Scores and tests"),
    ] = False,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    no_cache: NoCache = False,
    trust: Trust = False,
    *,
    printed: Printed,
) -> None:
    """Score a rule set without each of its parts.

    `contribution` is the score with the part minus the score without it; a part with a negative
    contribution hurts. `applied` counts the heads that a rule ordered and the children that a slot
    or pair took, `changed` the sentences that come out differently without the part. Without a
    slot, its children go to the next slot that fits, finally to OTHER. Without a pair, the next
    pair that fits decides, finally the source order. Without a rule, its heads follow the next rule
    that fits, finally the default.

    With many parts some are significant by chance: confirm on held-out sentences.

    Examples:
      preorder-eval rules ablate --rules my-rules.toml
      preorder-eval rules ablate --rules en-ja --parser gold --metric kendall --tsv
      preorder-eval rules ablate --rules en-ko --reference en-ko --parser gold --whole
      preorder-eval rules ablate --rules en-ja --trees s.conllu --alignment s.align
    """
    rule_set, data = load_rules(rules), judged.reference_set()
    judged.warn_of_default(rule_set, data)
    result = ablate(
        rule_set,
        judged.by(),
        data,
        metric,
        whole=whole,
        resamples=resamples,
        seed=seed,
        cache=not no_cache,
        progress=progress,
    )
    printed.print(result)
