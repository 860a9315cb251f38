"""What commands print of a result: orders and outputs alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from preorder_eval.results.result import Result

_SOME = 10  # numbers of sentences that are named


def print_result(result: Result, *, json: bool = False, tsv: bool = False) -> None:
    """Print a result as JSON, as TSV, or as a table with what there is to know of it."""
    from preorder_eval.formats.tables import format_json, format_tsv
    from preorder_eval.results.text import tall_table, wide_table

    if json:
        print(format_json(result.summary()), end="")
    elif tsv:
        print(format_tsv(*result.table()), end="")
    else:
        of_orders = result.inputs.reference is not None
        table = wide_table(result) if of_orders else tall_table(result)
        print("\n".join([table, "", *_notes(result)]))


def _notes(result: Result) -> list[str]:
    from preorder_eval import __version__
    from preorder_eval.results.text import few_sentences, marks_legend

    inputs, sampling = result.inputs, result.sampling
    scored = len(result) - len(result.left_out)
    drawn = f"{sampling.resamples} bootstrap resamples, seed {sampling.seed}]; "
    if inputs.reference is not None:
        known = inputs.reference.references.aligned.mean()
        first = f"reference {inputs.reference.name} ({known:.1%} of its words linked); mean"
    else:
        many = len(inputs.references)
        first = f"{scored} sentences, {many} reference{'' if many == 1 else 's'}; score"
    notes = [f"{first} [95 % interval from {drawn}preorder-eval {__version__}"]
    if sampling.against == "first" and len(result.systems) > 1:
        notes.append(f"differences from {result.systems[0]}, with 95 % interval:")
        notes.append(marks_legend(sampling.test, sampling.resamples, sampling.seed))
    notes += few_sentences(scored)
    left_out = result.left_out
    if left_out:
        more = ", …" if len(left_out) > _SOME else ""
        some = ", ".join(map(str, left_out[:_SOME])) + more
        notes.append(f"left out: {len(left_out)} without links (sentences {some})")
    return notes


def print_pairs(result: Result, *, tsv: bool = False) -> None:
    """Print all pairs of systems that were compared."""
    from preorder_eval.formats.tables import format_tsv
    from preorder_eval.results.summary import pairs_table

    if tsv:
        print(format_tsv(*pairs_table(result)), end="")
    else:
        print(pairs_text(result))


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
                f"p by {metric}, Holm-corrected for {len(pairs)} pairs:\n"
                + _matrix(result, p_values)
            )
    legend = marks_legend(sampling.test, sampling.resamples, sampling.seed)
    parts.append(f"The column's system beside the row's (marks are not corrected):\n{legend}")
    return "\n\n".join(parts)


def _matrix(result: Result, cells: dict[tuple[int, int], str]) -> str:
    from preorder_eval.formats.text_table import format_table

    numbers = range(len(result.systems))
    rows = [
        [str(i + 1), name, *(cells.get((i, j), "") for j in numbers[1:])]
        for i, name in enumerate(result.systems)
    ]
    return format_table(["", "", *(str(j + 1) for j in numbers[1:])], rows)
