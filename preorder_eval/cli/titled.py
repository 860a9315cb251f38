"""Printing several tables under titles, as `study` and `reproduce talbot` do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from preorder_eval.cli.options import Printed

if TYPE_CHECKING:
    from preorder_eval.formats.tables import Table
    from preorder_eval.formats.titled import TitledTable
    from preorder_eval.papers.study import Study


def print_titled(
    titled: Callable[[], Sequence[TitledTable]],
    notes: str,
    printed: Printed,
    form: Any,
    summary: Callable[[], dict[str, Any]],
    tables: Callable[[], list[Table]],
) -> None:
    """Print tables with notes below, in Markdown or LaTeX without, or as JSON or TSV."""
    from preorder_eval.formats.titled import format_titled

    below = f"\n\n{notes}" if form == "text" else ""
    printed.show(summary, tables, lambda: format_titled(titled(), form) + below)


def study_notes(study: Study) -> str:
    """How what a study says was resampled and tested."""
    from preorder_eval import __version__
    from preorder_eval.results.notes import MARKS

    sampling = study.sampling
    return (
        f"[95 % intervals from {sampling.resamples} bootstrap resamples, seed {sampling.seed}]; "
        f"preorder-eval {__version__}\n{MARKS['koehn']}, one-sided\n"
        "p of differences of correlations: two-sided, by swapping the standardised scores of two "
        "metrics\nsentence by sentence (Deutsch et al. 2021)"
    )
