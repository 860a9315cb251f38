"""`preorder-eval reference stats`: how much there is to reorder in a reference set."""

from __future__ import annotations

from typing import Annotated

from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.options import Printed, Resamples
from preorder_eval.stats import MOST_SEED


def command(
    references: Annotated[
        tuple[str, ...],
        Argument(help="Bundled reference sets or folders.", metavar="NAME|DIR…"),
    ],
    by: Annotated[
        str | None,
        Option(
            help="Figures for each value of this comment of source.conllu, such as phenomenon.",
            metavar="KEY",
            group="Scores and tests",
        ),
    ] = None,
    resamples: Resamples = 1000,
    seed: Annotated[
        int, Option(low=0, high=MOST_SEED, help="Seed of the bootstrap.", group="Scores and tests")
    ] = 0,
    *,
    printed: Printed,
) -> None:
    """Show how much there is to reorder.

    Aligned: share of the source tokens that have a link. Ties: groups of words whose order is
    free. Crossing: share of the pairs of links of a sentence that cross. Monotone: share of the
    sentences whose reference order can be the source order. With --by the hardest come first.

    Examples:
      preorder-eval reference stats en-ja en-ko en-de
      preorder-eval reference stats en-ja --by phenomenon
    """
    from preorder_eval.analysis.reference.check import check_references

    printed.print(check_references(references, by=by, resamples=resamples, seed=seed))
