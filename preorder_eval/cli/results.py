"""What commands print of a result: orders and outputs alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from preorder_eval.analysis.contrast import PairAccuracy
    from preorder_eval.cli.options import Form, Printed
    from preorder_eval.data.reference_set import ReferenceSet
    from preorder_eval.formats.tables import Table
    from preorder_eval.results.result import Result
    from preorder_eval.stats.bootstrap import Interval

_SOME = 10  # numbers of sentences that are named


class Beside(NamedTuple):
    """What stands beside a result: its key in JSON, its table, and how it is shown to people."""

    key: str
    table: Table
    text: str


def print_result(
    result: Result,
    printed: Printed,
    beside: Sequence[Beside] = (),
    form: Form = "text",
    verbose: bool = False,
) -> None:
    """Print a result, with all pairs of systems where they were compared, and what is beside it.

    `form` is how the table is printed to people; in Markdown and LaTeX it stands alone. `verbose`
    adds sacrebleu's signatures.
    """
    from preorder_eval.results.summary import pairs_table

    if form in ("markdown", "latex"):
        print(_markup(result, form))
        return
    texts: list[Callable[[], str]] = [lambda: _text(result, form, verbose)]
    tables: list[Callable[[], Table]] = [result.table]
    if result.sampling.against == "all":
        texts.append(lambda: pairs_text(result))
        tables.append(lambda: pairs_table(result))

    def summary() -> dict[str, Any]:
        values = result.summary()
        for key, (header, rows), _ in beside:
            values[key] = [dict(zip(header, cells, strict=True)) for cells in rows]
        return values

    printed.show(
        summary,
        lambda: [*(table() for table in tables), *(part.table for part in beside)],
        lambda: "\n\n".join([*(text() for text in texts), *(part.text for part in beside)]),
    )


def contrasts_beside(contrasts: Sequence[PairAccuracy]) -> list[Beside]:
    """Pairs of sentences that differ in their tree, if there are any."""
    if not contrasts:
        return []
    from preorder_eval.analysis.contrast import accuracy_table

    return [Beside("contrasts", accuracy_table(contrasts), contrast_text(contrasts))]


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


def _text(result: Result, form: Form, verbose: bool) -> str:
    """The table with what there is to know of it."""
    from preorder_eval.results.summary import sacrebleu_signatures
    from preorder_eval.results.text import tall_table, wide_table

    wide = result.inputs.reference is not None or form == "matrix"
    notes = _notes(result)
    if verbose:
        notes += [f"{ours}: {theirs}" for ours, theirs in sacrebleu_signatures(result).items()]
    return "\n".join([wide_table(result) if wide else tall_table(result), "", *notes])


def _markup(result: Result, form: Form) -> str:
    """The matrix of systems and metrics in Markdown or LaTeX."""
    from preorder_eval.formats.markup import format_latex, format_markdown
    from preorder_eval.results.text import matrix

    return (format_latex if form == "latex" else format_markdown)(*matrix(result))


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
    texts = f" of {len(set(result.documents))} documents" if result.documents else ""
    drawn = f"{sampling.resamples} bootstrap resamples{texts}, seed {sampling.seed}"
    notes = [first, f"score [95 % interval from {drawn}]; preorder-eval {__version__}"]
    if sampling.against == "first" and len(result.systems) > 1:
        notes.append(f"differences from {result.systems[0]}:")
        notes.append(marks_legend(sampling.test, sampling.resamples, sampling.seed))
    notes += _truecased(result)
    notes += _disagreements(result)
    notes += lower_is_better(result.metrics)
    notes += searches_cut_short(result)
    notes += few_sentences(scored)
    notes += _not_split(result)
    left_out = result.left_out
    if left_out:
        more = ", …" if len(left_out) > _SOME else ""
        some = ", ".join(map(str, left_out[:_SOME])) + more
        of = [str(metric) for metric in result.metrics if "orders" in metric.needs]
        by = f" of {', '.join(of)}" if len(of) < len(result.metrics) else ""
        notes.append(f"left out{by}: {len(left_out)} without links (sentences {some})")
    return notes


def _not_split(result: Result) -> list[str]:
    """A warning where words are compared of a text that has no spaces between them."""
    from preorder_eval.data.scripts import unsegmented
    from preorder_eval.metrics.shared.lexical import LexicalMetric

    of_words = [
        metric.name
        for metric in result.metrics
        if isinstance(metric, LexicalMetric)
        and metric.tokenize == "none"
        and {"hyp", "ref"} <= set(metric.needs)
        and metric.name != "chrf"
    ]
    if not of_words or not any(unsegmented(t.sentences) for t in result.inputs.references):
        return []
    names = ", ".join(dict.fromkeys(of_words))
    return [
        f"warning: {names} take what stands between spaces for a word, and the references\n"
        "have no spaces between words; split them with --tokenize (char, zh, ja-mecab)"
    ]


def _truecased(result: Result) -> list[str]:
    """How many sentences parsers have read in another case than they have."""
    from preorder_eval.parsers.truecase import without_capital

    made_by = {system.parser: system.made_by.get("parser") for system in result.inputs.systems}
    parsers = [
        name
        for name, identity in made_by.items()
        if isinstance(identity, Mapping) and identity.get("truecase") == "auto"
    ]
    if not parsers or result.inputs.reference is None:
        return []
    count = sum(map(without_capital, result.inputs.reference.source))
    if not count:
        return []
    which = "1 sentence" if count == 1 else f"{count} sentences"
    return [f"truecased for {', '.join(parsers)}: {which} without a capital"]


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
