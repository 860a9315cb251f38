"""`preorder-eval rules ablate`, `oracle` and `learn`: rule sets measured and learned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import click

from preorder_eval.analysis.ablate import ablate as measure
from preorder_eval.analysis.oracle import oracle as find_oracle
from preorder_eval.base.files.destinations import require_file
from preorder_eval.base.files.writing import write_text
from preorder_eval.cli.command import Option
from preorder_eval.cli.shared.options import (
    METRIC,
    OBJECTIVE,
    RULES,
    Metrics,
    Printed,
    Resamples,
    Seed,
)
from preorder_eval.cli.shared.reference_options import ScoredTrees
from preorder_eval.cli.terminal import note, progress
from preorder_eval.learning.learn_rules import LearnedRules, learn_rules
from preorder_eval.rules.from_treebank.treebank_rules import TreebankRules
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.trees.conllu import read_conllu
from preorder_eval.trees.in_ud import in_ud
from preorder_eval.trees.retokenize import fitted


def ablate(
    rules: Annotated[str, RULES],
    scored: ScoredTrees,
    metric: Annotated[
        str | None, METRIC, Option("Metric with its options.", shown="FRS as in evaluate")
    ] = None,
    whole: Annotated[
        bool,
        Option("Remove whole rules only, not their slots and pairs.", group="Scores and tests"),
    ] = False,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    *,
    printed: Printed,
) -> None:
    """`contribution` is the score with the part minus the score without it. If a slot is removed,
    its children go to the next slot that fits, or else to OTHER. If a pair is removed, the next
    pair that fits decides, or else the source order. If a rule is removed, its heads follow the
    next rule that fits, or else the default. With many parts, some are significant by chance.

    Examples:
      preorder-eval rules ablate --rules my-rules.toml
      preorder-eval rules ablate --rules en-ko --reference en-ko --whole
      preorder-eval rules ablate --rules en-ja --trees s.conllu --alignment s.align
    """
    rule_set = load_rules(rules)
    data = scored.reference_set(rule_set)
    result = measure(
        rule_set,
        scored.by(),
        data,
        metric,
        whole=whole,
        resamples=resamples,
        seed=seed,
        cache=not scored.no_cache,
        progress=progress,
    )
    printed.print(result)


def oracle(
    rules: Annotated[str, RULES],
    scored: ScoredTrees,
    metric: Annotated[
        str | None, METRIC, Option("kendall with its options.", shown="τ as in evaluate")
    ] = None,
    gold: Annotated[
        Path | None,
        Option(
            "Gold trees of the sentences, CoNLL-U, instead of those of the reference.",
            group="References",
        ),
    ] = None,
    whole: Annotated[
        bool, Option("Show all pairs of items.", name="--all", group="Output", beside="json tsv")
    ] = False,
    *,
    printed: Printed,
) -> None:
    """The oracle is the best score of any reordering that keeps every subtree contiguous. The
    remaining gap is divided into the gain from other rules on these trees, the gain from better
    trees (if there are gold trees, from the reference or --gold), and the rest.

    The table lists pairs of items (two children, or a child and its HEAD) that the rules put into
    the wrong order: `first` now precedes `second`. A child is shown by its label, with < if it
    precedes its head in the source and > if it follows it. `points` is the gain if all pairs with
    this order were inverted, in points of 0.01 τ.

    Examples:
      preorder-eval rules oracle --rules en-ja
      preorder-eval rules oracle --rules my-rules.toml \\
        --trees s.conllu --alignment s.align --gold gold.conllu
      preorder-eval rules oracle --rules none --reference en-ko --json > oracle.json
    """
    rule_set = load_rules(rules)
    data = scored.reference_set(rule_set)
    if gold is not None:
        trees = fitted(in_ud(read_conllu(gold), file=gold), data.source, gold)
        data = replace(data, trees=trees)
    result = find_oracle(
        rule_set, scored.by(), data, metric, cache=not scored.no_cache, progress=progress
    )
    printed.print(result, whole)


def learn(
    out: Annotated[
        Path, Option("Rule file to write.", name="-o, --out", group="Output", metavar="FILE.toml")
    ],
    scored: ScoredTrees,
    treebank: Annotated[
        Path | None,
        Option(
            "Trees of the target language, CoNLL-U, instead of aligned sentences.",
            group="Learning",
            beside="parser trees reference source alignment start metric words folds seed "
            "trust no_cache",
        ),
    ] = None,
    source_treebank: Annotated[
        Path | None,
        Option(
            "Trees of the source language, CoNLL-U.",
            group="Learning",
            needs="treebank",
            shown="counts of English",
        ),
    ] = None,
    start: Annotated[
        str, replace(RULES), Option("Rules to correct with learned pairs.", group="Learning")
    ] = "none",
    metric: Annotated[
        Metrics,
        Option(
            "Metric with its options; the first decides which exceptions are kept. Repeatable.",
            shown=OBJECTIVE,
        ),
    ] = (),
    words: Annotated[
        bool,
        Option("Whether conditions may name words.", name="--words/--no-words", group="Learning"),
    ] = True,
    folds: Annotated[
        int, Option("Folds, each held out in turn.", group="Scores and tests", low=2)
    ] = 5,
    name: Annotated[
        str | None, Option("Name of the rule set.", group="Output", shown="name of the file")
    ] = None,
    seed: Seed = 0,
    *,
    printed: Printed,
) -> None:
    """With --treebank, no parallel text is needed: the pairs invert the items that the source and
    the target language order differently. Name the languages with --name or --out, as in
    en-ko-ud.toml.

    From reference orders: for any two kinds of items of a head (labels, and the head itself), the
    majority of the links decides whether they are inverted. Exceptions are then added, each with a
    minimum gain and z-score. Conditions name only words that occur in three documents or more
    (`# newdoc`, or spans of ten sentences) and are rarely proper names. `held out` scores every
    sentence with rules learned without its fold: expect this score on other text of this kind.
    `fitted` scores the training sentences, and is always too high.

    Examples:
      preorder-eval rules learn --source s.en --alignment s.align --out mine.toml
      preorder-eval rules learn --reference en-ja --no-words --out mine.toml
      preorder-eval rules learn --treebank ko.conllu --out en-ko-ud.toml
      preorder-eval rules learn --reference en-tr --start en-kk-ud --out mine.toml
    """
    if out.suffix != ".toml":
        raise click.UsageError("--out must name a rule file, which ends in .toml")
    require_file(out)
    name = name or out.stem
    result: LearnedRules | TreebankRules
    if treebank is not None:
        result = learn_rules(treebank=treebank, source_treebank=source_treebank, name=name)
    else:
        result = learn_rules(
            scored.by(),
            scored.reference_set(start),
            start=start,
            metrics=metric,
            words=words,
            folds=folds,
            seed=seed,
            name=name,
            cache=not scored.no_cache,
            progress=progress,
        )
    write_text(out, result.toml())
    note(f"rules written to {out}")
    printed.print(result)
