"""What commands print of a result: orders and outputs alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from preorder_eval.cli.result_notes import notes_of
from preorder_eval.formats.titled import TitledTable

if TYPE_CHECKING:
    from preorder_eval.analysis.orders.sentences import PairAccuracy
    from preorder_eval.cli.options import Form, Printed
    from preorder_eval.formats.tables import Table
    from preorder_eval.formats.titled import Markup
    from preorder_eval.results.result import Result
    from preorder_eval.stats.bootstrap import Interval


class Beside(NamedTuple):
    """What stands beside a result: its key in JSON, its table, and how it is shown to people."""

    key: str
    table: Table
    text: str


class Block(NamedTuple):
    """A result that is printed together with others, and what is beside it."""

    result: Result
    beside: Sequence[Beside] = ()


def print_result(
    result: Result,
    printed: Printed,
    beside: Sequence[Beside] = (),
    form: Form = "text",
    verbose: bool = False,
) -> None:
    """Print a result, with all pairs of systems where they were compared, and what is beside it.

    `form` is how tables are printed to people; in Markdown and LaTeX without notes. `verbose` adds
    sacrebleu's signatures.
    """
    block = Block(result, beside)
    if form == "markdown" or form == "latex":
        print(_markup(block, form))
        return
    printed.show(
        lambda: _summary(block),
        lambda: _tables(block),
        lambda: "\n\n".join(
            [_table(result, form), "\n".join(notes_of(result, verbose)), *_more(block)]
        ),
    )


def print_results(blocks: Sequence[Block], printed: Printed) -> None:
    """Print results on different references, one after the other; a single one as it is.

    Tables for programs name the reference in a first column. What there is to know of all of them
    is said once, at the end.
    """
    if len(blocks) == 1:
        print_result(blocks[0].result, printed, blocks[0].beside)
        return

    def text() -> str:
        notes = [notes_of(block.result) for block in blocks]
        shared = [note for note in notes[0] if all(note in other for other in notes)]
        parts = []
        for block, all_notes in zip(blocks, notes, strict=True):
            own = [note for note in all_notes if note not in shared]
            parts += [_table(block.result), "\n".join(own), *_more(block)]
        return "\n\n".join([*parts, "\n".join(shared)])

    printed.show(
        lambda: {"results": [_summary(block) for block in blocks]},
        lambda: [
            (["reference", *header], [[block.result.name, *row] for row in rows])
            for block in blocks
            for header, rows in _tables(block)
        ],
        text,
    )


def _summary(block: Block) -> dict[str, Any]:
    values = block.result.summary()
    for key, (header, rows), _ in block.beside:
        values[key] = [dict(zip(header, cells, strict=True)) for cells in rows]
    return values


def _tables(block: Block) -> list[Table]:
    from preorder_eval.results.summary import pairs_table

    result = block.result
    pairs = [pairs_table(result)] if result.sampling.against == "all" else []
    return [result.table(), *pairs, *(part.table for part in block.beside)]


def _more(block: Block) -> list[str]:
    """What people are shown below the notes of a result."""
    pairs = [pairs_text(block.result)] if block.result.sampling.against == "all" else []
    return [*pairs, *(part.text for part in block.beside)]


def contrasts_beside(contrasts: Sequence[PairAccuracy]) -> list[Beside]:
    """Pairs of sentences that differ in their tree, if there are any."""
    if not contrasts:
        return []
    from preorder_eval.analysis.orders.sentences import accuracy_table

    table = accuracy_table(contrasts)
    return [Beside("contrasts", table.flat(), table.text())]


def power_beside(result: Result) -> Beside:
    """The smallest differences that the sentences can show."""
    from preorder_eval.results.power import power_table, power_text

    return Beside("power", power_table(result), power_text(result))


def human_beside(scores: Mapping[str, Interval]) -> Beside:
    """How people score against each other, by each metric."""
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_interval

    header = ["metric", "human", "low", "high"]
    table: list[list[object]] = [[name, s.value, s.low, s.high] for name, s in scores.items()]
    rows = [[name, format_interval(interval)] for name, interval in scores.items()]
    alike = [name for name in scores if "jackknife=true" not in name]
    note = "people: each reference against the others, mean"
    if alike:
        note += "\nsystems have one reference more, but with jackknife=true"
    return Beside("human", (header, table), f"{format_table(header[:2], rows)}\n{note}")


def _table(result: Result, form: Form = "text") -> str:
    """The table of systems, or, of outputs, that of systems and metrics."""
    from preorder_eval.results.text import tall_table, wide_table

    wide = result.inputs.reference is not None or form == "matrix"
    return wide_table(result) if wide else tall_table(result)


def _markup(block: Block, form: Markup) -> str:
    """The matrix of systems and metrics in Markdown or LaTeX, and all that is below it as text."""
    from preorder_eval.formats.markup import format_latex, format_markdown
    from preorder_eval.formats.titled import format_titled
    from preorder_eval.results.text import matrix

    write = format_latex if form == "latex" else format_markdown
    header, rows = matrix(block.result)
    below = pairs_tables(block.result) if block.result.sampling.against == "all" else []
    below += [TitledTable(part.key, *_as_text(part.table)) for part in block.beside]
    first = write(header, [[cell.strip() for cell in row] for row in rows])
    return f"{first}\n\n{format_titled(below, form)}" if below else first


def _as_text(table: Table) -> tuple[list[str], list[list[str]]]:
    header, rows = table
    return list(header), [
        [f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows
    ]


def pairs_text(result: Result) -> str:
    """All pairs as the triangular matrices of Talbot et al. (2011, Tables 3 to 5)."""
    from preorder_eval.formats.titled import format_titled

    return format_titled(pairs_tables(result))


def pairs_tables(result: Result) -> list[TitledTable]:
    """For every metric a matrix of marks and, where the test has any, one of p-values."""
    from preorder_eval.results.text import marks_legend

    sampling = result.sampling
    tables = []
    for metric, pairs in zip(result.metrics, result.pairs, strict=True):
        marks = {(pair.first, pair.second): pair.difference.mark for pair in pairs}
        tables.append(TitledTable(f"Significance by {metric}", *_matrix(result, marks)))
        if sampling.test != "koehn":
            p_values = {(pair.first, pair.second): f"{pair.p_holm:.4f}" for pair in pairs}
            title = f"p by {metric}, Holm-corrected for {len(pairs)} pair{'s' * (len(pairs) > 1)}"
            tables.append(TitledTable(title, *_matrix(result, p_values)))
    beside = "marks judge each pair by itself"
    if sampling.test != "koehn":
        beside += ", p is corrected for all of them"
    legend = marks_legend(sampling.test, sampling.resamples, sampling.seed, beside)
    note = f"\nThe column's system against the row's:\n{legend}"
    return [*tables[:-1], replace(tables[-1], note=note)]


def _matrix(result: Result, cells: dict[tuple[int, int], str]) -> tuple[list[str], list[list[str]]]:
    numbers = range(len(result.systems))
    rows = [
        [str(i + 1), name, *(cells.get((i, j), "") for j in numbers[1:])]
        for i, name in enumerate(result.systems)
    ]
    return ["", "", *(str(j + 1) for j in numbers[1:])], rows
