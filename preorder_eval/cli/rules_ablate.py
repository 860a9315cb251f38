"""`preorder-eval rules ablate`: what every rule and slot of a rule set is worth."""

from __future__ import annotations

from typing import Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import (
    NoCache,
    Printed,
    Resamples,
    RulesOption,
    Trust,
)
from preorder_eval.cli.reference_options import JudgedTrees
from preorder_eval.resources import RULES_OBJECTIVE
from preorder_eval.stats import MOST_SEED


@grouped
def command(
    rules: RulesOption,
    judged: JudgedTrees,
    metric: Annotated[
        str, typer.Option(help="Metric with its options.", metavar="SIGNATURE")
    ] = RULES_OBJECTIVE,
    whole: Annotated[
        bool, typer.Option("--whole", help="Leave out whole rules only, not their slots and pairs.")
    ] = False,
    resamples: Resamples = 1000,
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Seed of the resampling.")] = 0,
    no_cache: NoCache = False,
    trust: Trust = False,
    *,
    printed: Printed,
) -> None:
    """Score a rule set without each of its rules, slots and pairs; what hurts most comes first.

    `contribution` is the score with the part minus the score without it: below 0 the part hurts.
    `applied` counts the heads that a rule laid out and the children that came into a slot or fit a
    pair, `changed` the sentences whose order is another one without it. Without a slot its children
    go to the slot that fits them next, in the end OTHER; without a pair the next that fits decides,
    in the end the source order; without a rule its heads fall under the rule that fits next, or do
    what the default says. Words without links are left out unless --metric keeps them: where they
    are many, keeping them makes good rules look bad.

    The interval leaves zero out exactly where the contribution is marked (a two-sided test). With
    so many parts some are marked by chance: confirm on held-out sentences.

    \b
    Examples:
      preorder-eval rules ablate --rules my-rules.toml
      preorder-eval rules ablate --rules en-ja --parser gold --metric kendall --tsv > worth.tsv
      preorder-eval rules ablate --rules en-ko --reference en-ko --parser gold --whole
      preorder-eval rules ablate --rules en-ja --trees parses.conllu --alignment s.align
    """
    from preorder_eval.analysis.rules.ablation import ablate
    from preorder_eval.cli.progress import progress
    from preorder_eval.formats.rules import load_rules

    rule_set = load_rules(rules)
    judged.warn_of_default(rule_set)
    result = ablate(
        rule_set,
        judged.by(),
        judged.reference_set(),
        metric,
        whole=whole,
        resamples=resamples,
        seed=seed,
        cache=not no_cache,
        progress=progress,
    )
    printed.print(result)
