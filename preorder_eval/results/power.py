"""The power of a test set: how small a difference of two systems it can see.

That depends on how much the two differ from sentence to sentence, so it is told for each pair.
"""

from __future__ import annotations

from itertools import combinations

from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.tables import Table, known
from preorder_eval.formats.text_table import format_table
from preorder_eval.results.result import Result
from preorder_eval.results.text import UNDEFINED
from preorder_eval.stats.significance import detectable

_POWER = 0.8  # as is usual (Cohen 1988)


def power_table(result: Result) -> Table:
    """Header and a row for each metric and pair of systems: their difference, and the smallest
    true difference that is marked at the 95 % level in 80 % of such samples of sentences.

    The latter is None where no sentence tells the two apart. Raises PreorderEvalError for a single
    system.

    >>> from preorder_eval.results.evaluation import score
    >>> result = score({"a": ["x y", "u"] * 9, "b": ["x z", "u"] * 9}, ["x y", "v"] * 9, ["per"])
    >>> header, [row] = power_table(result)
    >>> [round(value, 2) if isinstance(value, float) else value for value in row]
    ['per', 'a', 'b', 0.33, 0.17]
    """
    if len(result.systems) < 2:
        raise PreorderEvalError("which difference can be seen is a question about two systems")
    sampling, rows = result.sampling, list[list[object]]()
    for metric, measurement in zip(result.metrics, result.measurements, strict=True):
        for a, b in combinations(range(len(result.systems)), 2):
            smallest = detectable(
                measurement, a, b, power=_POWER, resamples=sampling.resamples, seed=sampling.seed
            )
            difference = known(float(measurement.values[b] - measurement.values[a]))
            names = [result.systems[a], result.systems[b]]
            rows.append([str(metric), *names, difference, known(smallest) or None])
    return ["metric", "row", "column", "difference", "detectable"], rows


def power_text(result: Result) -> str:
    """The table for people, with what it says."""

    def shown(value: object, form: str) -> str:
        return UNDEFINED if value is None else format(value, form)

    _, rows = power_table(result)
    cells = [
        [*map(str, names), shown(difference, "+.4f"), shown(smallest, ".4f")]
        for *names, difference, smallest in rows
    ]
    these = f"these {len(result)} sentences" if len(result) > 1 else "one sentence"
    table = format_table(["metric", "A", "B", "B - A", "seen from"], cells)
    return (
        f"The smallest differences that {these} can show:\n{table}\n"
        f"seen from: the true difference that is marked ** in {_POWER:.0%} of such samples\n"
        "(2.8 standard errors, from random half-samples)"
    )
