"""The triangular matrices of Tables 3 to 5 of Talbot et al. (2011), and of p-values."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from preorder_eval.results.evaluation import Evaluation

_LEGEND = (
    "The column's system is better (+) or worse (-) than the row's at the 95 % (**) or 90 % (*) "
    "level,\nor not significantly different (0), by paired bootstrap (Koehn 2004)."
)


def format_significance(result: Evaluation) -> str:
    """For every metric a matrix of significance and one of p-values, systems by number."""
    parts = []
    for metric, pairs in zip(result.metrics, result.pairs or [], strict=True):
        marks = {(pair.first, pair.second): pair.difference.mark for pair in pairs}
        p_values = {(pair.first, pair.second): f"{pair.p_holm:.4f}" for pair in pairs}
        parts += [
            f"Significance by {metric}:\n{_matrix(result, marks)}",
            f"p by approximate randomization, Holm-corrected for {len(pairs)} pairs, by {metric}:\n"
            + _matrix(result, p_values),
        ]
    return "\n\n".join([*parts, _LEGEND])


def _matrix(result: Evaluation, cells: dict[tuple[int, int], str]) -> str:
    from preorder_eval.cli.tables import format_table

    numbers = range(len(result.rows))
    rows = [
        [str(i + 1), row.system.name, *(cells.get((i, j), "") for j in numbers[1:])]
        for i, row in enumerate(result.rows)
    ]
    return format_table(["", "", *(str(j + 1) for j in numbers[1:])], rows)
