"""`preorder-eval rules oracle`: what limits the score, and which pairs of items stand wrong."""

from __future__ import annotations

from typing import Annotated

from preorder_eval.analysis.rules.oracle import oracle
from preorder_eval.cli.command import Option
from preorder_eval.cli.options import METRIC, RULES, NoCache, Printed, Trust
from preorder_eval.cli.references import JudgedTrees
from preorder_eval.cli.terminal import progress
from preorder_eval.formats.rules import load_rules


def command(
    rules: Annotated[str, RULES],
    judged: JudgedTrees,
    metric: Annotated[
        str | None, METRIC, Option("kendall with its options.", shown="τ as in evaluate")
    ] = None,
    whole: Annotated[
        bool, Option("Show all pairs of items.", name="--all", group="Output", beside="json tsv")
    ] = False,
    *,
    printed: Printed,
    no_cache: NoCache = False,
    trust: Trust = False,
) -> None:
    """Show how far rules could get on these trees.

    The oracle is the best score of any reordering that keeps every subtree whole: it orders the
    children of every head individually, given the reference. It splits the remaining gap in three:
    what other rules could gain on these trees, what better trees could add (if the reference has
    gold trees), and what no such reordering reaches.

    Below are pairs of items, two children or a child and its HEAD, that come out in the wrong
    order: `first` now comes before `second`. A child is its label, with < if it stood before its
    head in the source and > if after it. `points` is what the opposite order would add wherever
    they now come out so, in points of 0.01 τ.

    Examples:
      preorder-eval rules oracle --rules en-ja
      preorder-eval rules oracle --rules my-rules.toml --trees s.conllu --alignment s.align
      preorder-eval rules oracle --rules none --reference en-ko --json > oracle.json
    """
    rule_set, data = load_rules(rules), judged.reference_set()
    judged.warn_of_default(rule_set, data)
    result = oracle(rule_set, judged.by(), data, metric, cache=not no_cache, progress=progress)
    printed.print(result, whole)
