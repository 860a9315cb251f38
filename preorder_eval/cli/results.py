"""What commands print of a result: orders and outputs alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from preorder_eval.analysis.contrast import PairAccuracy
    from preorder_eval.cli.options import Printed
    from preorder_eval.data.reference_set import ReferenceSet
    from preorder_eval.formats.tables import Table
    from preorder_eval.results.result import Result

_SOME = 10  # numbers of sentences that are named


def print_result(
    result: Result,
    printed: Printed,
    contrasts: Sequence[PairAccuracy] = (),
    *,
    power: bool = False,
) -> None:
    """Print a result, with all pairs of systems where they were compared, contrasts and power."""
    from preorder_eval.results.summary import pairs_table

    texts: list[Callable[[], str]] = [lambda: _text(result)]
    tables: list[Callable[[], Table]] = [result.table]
    if result.sampling.against == "all":
        texts.append(lambda: pairs_text(result))
        tables.append(lambda: pairs_table(result))
    if contrasts:
        from preorder_eval.analysis.contrast import accuracy_table

        texts.append(lambda: contrast_text(contrasts))
        tables.append(lambda: accuracy_table(contrasts))

    if power:
        from preorder_eval.results.power import power_table, power_text

        texts.append(lambda: power_text(result))
        tables.append(lambda: power_table(result))

    def summary() -> dict[str, Any]:
        more = {}
        if contrasts:
            more["contrasts"] = _listed(accuracy_table(contrasts))
        if power:
            more["power"] = _listed(power_table(result))
        return result.summary() | more

    printed.show(
        summary,
        lambda: [table() for table in tables],
        lambda: "\n\n".join(text() for text in texts),
    )


def _listed(table: Table) -> list[dict[str, object]]:
    header, rows = table
    return [dict(zip(header, cells, strict=True)) for cells in rows]


def contrast_text(contrasts: Sequence[PairAccuracy]) -> str:
    """Pairs of sentences that differ in their tree: who orders both right."""
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_interval

    rows = [
        [
            row.system if number == 0 or contrasts[number - 1].system != row.system else "",
            *(row.kind, str(row.pairs), str(row.both), str(row.one)),
            format_interval(row.accuracy),
        ]
        for number, row in enumerate(contrasts)
    ]
    header = ["system", "kind", "pairs", "both right", "one right", "accuracy"]
    return (
        f"Minimal pairs, both sentences in a reference order:\n{format_table(header, rows)}\n"
        "accuracy: pairs with both right [95 % interval by Wilson]; a row of gold trees says what "
        "the rules allow"
    )


def _text(result: Result) -> str:
    """The table with what there is to know of it."""
    from preorder_eval.results.text import tall_table, wide_table

    of_orders = result.inputs.reference is not None
    table = wide_table(result) if of_orders else tall_table(result)
    return "\n".join([table, "", *_notes(result)])


def _notes(result: Result) -> list[str]:
    from preorder_eval import __version__
    from preorder_eval.results.text import (
        few_sentences,
        lower_is_better,
        marks_legend,
        searches_cut_short,
    )

    inputs, sampling = result.inputs, result.sampling
    scored = len(result) - len(result.left_out)
    if inputs.reference is not None:
        known = inputs.reference.coverage
        linked = f"{100 * known:.1f} % of its words linked{_several(inputs.reference)}"
        first = f"reference {inputs.reference.name}: {linked}"
    else:
        many = len(inputs.references)
        first = f"{len(result)} sentences, {many} reference{'' if many == 1 else 's'}"
    drawn = f"{sampling.resamples} bootstrap resamples, seed {sampling.seed}"
    notes = [first, f"score [95 % interval from {drawn}]; preorder-eval {__version__}"]
    if sampling.against == "first" and len(result.systems) > 1:
        notes.append(f"differences from {result.systems[0]}:")
        notes.append(marks_legend(sampling.test, sampling.resamples, sampling.seed))
    notes += _disagreements(result)
    notes += lower_is_better(result.metrics)
    notes += searches_cut_short(result)
    notes += few_sentences(scored)
    left_out = result.left_out
    if left_out:
        more = ", …" if len(left_out) > _SOME else ""
        some = ", ".join(map(str, left_out[:_SOME])) + more
        of = [str(metric) for metric in result.metrics if "orders" in metric.needs]
        by = f" of {', '.join(of)}" if len(of) < len(result.metrics) else ""
        notes.append(f"left out{by}: {len(left_out)} without links (sentences {some})")
    return notes


def _disagreements(result: Result) -> list[str]:
    """Where a metric of orders turns round when words without links are left out."""
    signatures = list(map(str, result.metrics))
    notes = []
    for metric in signatures:
        name, _, parameters = metric.partition("(")
        inside = [
            parameter for parameter in [parameters.rstrip(")"), "unaligned=drop"] if parameter
        ]
        without = f"{name}({','.join(inside)})"
        if without in signatures:
            best, other = _best(result, metric), _best(result, without)
            if best != other:
                notes.append(
                    f"{metric} finds {best} best, {without} {other}: words without links stand\n"
                    "beside their source neighbours, which rewards leaving the source as it is"
                )
    return notes


def _best(result: Result, metric: str) -> str:
    values = [result.value(system, metric) for system in result.systems]
    return result.systems[values.index(max(values))]


def _several(reference: ReferenceSet) -> str:
    """How many sentences have several reference orders, and what is made of that."""
    from preorder_eval.data.alternatives import MOST

    if reference.alternatives is None:
        return ""
    count = int((reference.alternatives.counts > 1).sum())
    cut = f", {len(reference.cut)} of them cut to {MOST}" if reference.cut else ""
    return f"; the best of several reference orders for {count} sentences{cut}"


def pairs_text(result: Result) -> str:
    """All pairs as the triangular matrices of Talbot et al. (2011, Tables 3 to 5).

    For every metric a matrix of marks and, where the test has any, one of p-values.
    """
    from preorder_eval.results.text import marks_legend

    sampling = result.sampling
    parts = []
    for metric, pairs in zip(result.metrics, result.pairs, strict=True):
        marks = {(pair.first, pair.second): pair.difference.mark for pair in pairs}
        parts.append(f"Significance by {metric}:\n{_matrix(result, marks)}")
        if sampling.test != "koehn":
            p_values = {(pair.first, pair.second): f"{pair.p_holm:.4f}" for pair in pairs}
            parts.append(
                f"p by {metric}, Holm-corrected for {len(pairs)} pair{'s' * (len(pairs) > 1)}:\n"
                + _matrix(result, p_values)
            )
    beside = "marks judge each pair by itself"
    if sampling.test != "koehn":
        beside += ", p is corrected for all of them"
    legend = marks_legend(sampling.test, sampling.resamples, sampling.seed, beside)
    parts.append(f"The column's system against the row's:\n{legend}")
    return "\n\n".join(parts)


def _matrix(result: Result, cells: dict[tuple[int, int], str]) -> str:
    from preorder_eval.formats.text_table import format_table

    numbers = range(len(result.systems))
    rows = [
        [str(i + 1), name, *(cells.get((i, j), "") for j in numbers[1:])]
        for i, name in enumerate(result.systems)
    ]
    return format_table(["", "", *(str(j + 1) for j in numbers[1:])], rows)
