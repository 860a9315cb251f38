"""`preorder-eval reference stats`: how much there is to reorder in a reference set."""

from __future__ import annotations

from typing import Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Printed, Resamples
from preorder_eval.stats import MOST_SEED


@grouped
def command(
    references: Annotated[
        list[str],
        typer.Argument(help="Bundled reference sets or folders.", metavar="NAME|DIR…"),
    ],
    by: Annotated[
        str | None,
        typer.Option(
            help="Figures for each value of this comment of source.conllu, such as phenomenon.",
            metavar="KEY",
        ),
    ] = None,
    resamples: Resamples = 1000,
    seed: Annotated[int, typer.Option(min=0, max=MOST_SEED, help="Seed of the bootstrap.")] = 0,
    *,
    printed: Printed,
) -> None:
    """Show how much there is to reorder, and the scores of leaving the source order as it is.

    Aligned: share of the source tokens that have a link. Ties: groups of words whose order is
    free. Crossing: share of the pairs of links of a sentence that cross. Monotone: share of the
    sentences whose reference order can be the source order. With --by the hardest come first.

    \b
    Examples:
      preorder-eval reference stats en-ja en-ko en-de
      preorder-eval reference stats en-ja --by phenomenon
    """
    from preorder_eval.analysis.reference_figures import reference_figures

    figures = reference_figures(references, by=by, resamples=resamples, seed=seed)
    printed.show(figures.summary, lambda: [figures.table()], lambda: str(figures))
