"""A result as tables for people."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from preorder_eval.formats.text_table import format_table
from preorder_eval.stats import Test
from preorder_eval.stats.bootstrap import Interval
from preorder_eval.stats.subsets import TRIALS_PER_RESAMPLE
from preorder_eval.visible import quantity

if TYPE_CHECKING:
    from preorder_eval.metrics.base import Metric
    from preorder_eval.results.comparison import Comparison
    from preorder_eval.results.result import Result

MARKS = {
    "randomization": "+** better, -** worse at the 95 % level, +* -* at 90 %, 0 neither; "
    "test by random half-samples",
    "koehn": "+** better, -** worse in 95 % of resamples, +* -* in 90 %, 0 neither; "
    "paired bootstrap (Koehn 2004)",
}
_BESIDE = {
    "randomization": "mark, interval and p always agree",
    "koehn": "intervals are two-sided: one may hold 0 beside a mark; there is no p",
}
UNDEFINED = "-"
FEW = 50  # sentences, below which intervals may hold less often than they say
_FEW_DIFFERENT = 10  # of any number of sentences, below which intervals of differences may


def format_interval(interval: Interval) -> str:
    """A value with its interval, to four digits.

    >>> format_interval(Interval(0.5, 0.45, 0.55))
    '0.5000 [0.4500, 0.5500]'
    """
    return f"{interval.value:.4f} [{interval.low:.4f}, {interval.high:.4f}]"


def format_cell(interval: Interval) -> str:
    """A value with its interval, to three digits.

    >>> format_cell(Interval(0.5, 0.45, 0.55))
    ' 0.500 [ 0.450,  0.550]'
    """
    if math.isnan(interval.value):
        return UNDEFINED
    if math.isnan(interval.low):
        return f"{interval.value: .3f}"
    return f"{interval.value: .3f} [{interval.low: .3f}, {interval.high: .3f}]"


def format_ends(interval: Interval) -> str:
    """The ends of the interval of a difference, to four digits; a dash where there are none.

    >>> format_ends(Interval(0.005, -0.001, 0.011)), format_ends(Interval(0.1, math.nan, math.nan))
    ('[-0.0010, +0.0110]', '-')
    """
    if math.isnan(interval.low) and math.isnan(interval.high):
        return UNDEFINED
    return f"[{interval.low:+.4f}, {interval.high:+.4f}]"


def format_p(p: float) -> str:
    """A p-value, a dash where the test has none.

    >>> format_p(0.25), format_p(math.nan)
    ('0.2500', '-')
    """
    return UNDEFINED if math.isnan(p) else f"{p:.4f}"


def marks_legend(test: Test, resamples: int, seed: int, beside: str = "") -> str:
    """What marks mean, by which test, and how they go with what stands beside them.

    >>> print(marks_legend("randomization", 1000, 0))
    +** better, -** worse at the 95 % level, +* -* at 90 %, 0 neither; test by random half-samples
    (two-sided, 10000 half-samples, seed 0); mark, interval and p always agree
    """
    drawn = f"two-sided, {TRIALS_PER_RESAMPLE * resamples} half-samples"
    if test == "koehn":
        drawn = f"one-sided, {resamples} resamples"
    return f"{MARKS[test]}\n({drawn}, seed {seed}); {beside or _BESIDE[test]}"


def lower_is_better(metrics: Iterable[Metric]) -> list[str]:
    """Which metrics are errors, in a line, if any are: a minus of theirs is good.

    >>> from preorder_eval.metrics import metric
    >>> lower_is_better([metric("wer"), metric("bleu")]), lower_is_better([metric("fuzzy")])
    (['lower is better by wer'], [])
    """
    names = list(dict.fromkeys(metric.name for metric in metrics if not metric.higher_is_better))
    return [f"lower is better by {', '.join(names)}"] if names else []


def few_sentences(count: int) -> list[str]:
    """A warning about intervals over few sentences, if they are few.

    >>> few_sentences(10)
    ['only 10 sentences: intervals may hold less often than they say (of 10 sentences from 85 %)']
    """
    if count >= FEW:
        return []
    less = "intervals may hold less often than they say (of 10 sentences from 85 %)"
    return [f"only {quantity(count, 'sentence')}: {less}"]


def few_differ(comparison: Comparison) -> list[str]:
    """By which metrics few sentences tell two systems apart, where they are not few in all.

    Marks raise no more false alarms for that, but intervals of a true difference hold it less
    often: other sentences that could differ may all have been missed.
    """
    if comparison.scored < FEW:
        return []
    return [
        f"{compared.metric}: sentences that differ are only {differ}; "
        "the interval of the difference may hold less often than it says"
        for compared in comparison.metrics
        if 0 < (differ := compared.better + compared.worse) < _FEW_DIFFERENT
    ]


def searches_cut_short(result: Result) -> list[str]:
    """Which metrics did not complete a search, and in how many outputs, if any did not."""
    notes = []
    for m, metric in enumerate(result.metrics):
        cut = sum(metric.cut_short(scores[m].statistics) for scores in result.scores)
        if cut:
            notes.append(
                f"{metric.name}: long or repetitive, {cut} of {len(result) * len(result.systems)} "
                "outputs were not searched to the end; their scores may be too bad"
            )
    return notes


def wide_table(result: Result) -> str:
    """A row for each system, with a column for each metric."""
    return format_table(*matrix(result))


def matrix(result: Result) -> tuple[list[str], list[list[str]]]:
    """Header and a row for each system, with a column for each metric.

    Where systems were compared with the first, its mark is behind a score.
    """
    named = any(system.rules for system in result.inputs.systems)
    header = [*(["parser", "rules"] if named else ["system"]), *map(str, result.metrics)]
    sentences = str(len(result) - len(result.left_out))
    versus = result.sampling.against == "first" and len(result.systems) > 1
    rows = []
    for number, system in enumerate(result.inputs.systems):
        cells = list(map(format_interval, result.intervals[number]))
        if versus:
            found = [result.versus_first(number, m) for m in range(len(cells))]
            marks = ["" if difference is None else difference.mark for difference in found]
            cells = [f"{cell} {mark:<3}" for cell, mark in zip(cells, marks, strict=True)]
        name = [system.parser, system.rules or "-"] if named else [system.name]
        rows.append([*name, *cells, sentences])
    return [*header, "sentences"], rows


def tall_table(result: Result) -> str:
    """A block for each metric with a row for each system, and its difference from the first."""
    versus = result.sampling.against == "first" and len(result.systems) > 1
    rows = []
    for m, metric in enumerate(result.metrics):
        for s, name in enumerate(result.systems):
            row = [str(metric) if s == 0 else "", name, format_interval(result.intervals[s][m])]
            difference = result.versus_first(s, m) if versus else None
            if difference is not None:
                row += [f"{difference.value:+.4f}", format_ends(difference.at_95)]
                row += [difference.mark, format_p(difference.p)]
            elif versus:
                row += [""] * 4
            rows.append(row)
    header = ["metric", "system", "score"]
    header += ["difference", "95 % interval", "", "p"] if versus else []
    return format_table(header, rows)


def short_text(result: Result) -> str:
    """The table alone, in the form that suits what was scored."""
    return tall_table(result) if result.inputs.reference is None else wide_table(result)


def metrics_table(comparison: Comparison) -> str:
    """A row for each metric of a comparison."""
    header = ["metric", "A", "B", "B - A", "95 % interval", "90 % interval", "", "p"]
    rows = [
        [
            compared.metric,
            *(f"{value:.4f}" for value in compared.values),
            f"{compared.difference.value:+.4f}",
            format_ends(compared.difference.at_95),
            format_ends(compared.difference.at_90),
            compared.difference.mark,
            format_p(compared.difference.p),
            *map(str, (compared.better, compared.worse, compared.same)),
        ]
        for compared in comparison.metrics
    ]
    return format_table([*header, "better", "worse", "same"], rows)


def html_table(result: Result | Comparison) -> str:
    """The table as HTML for a notebook; names are escaped."""
    header, rows = result.table()
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_cell(value))}</td>" for value in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    return "" if value is None else str(value)
