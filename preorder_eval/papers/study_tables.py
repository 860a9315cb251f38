"""The tables of a study, as plain values and for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.tables import Table, known
from preorder_eval.formats.titled import TitledTable
from preorder_eval.meta_evaluation.judges import agreement_table, judge_agreement
from preorder_eval.meta_evaluation.scores import common_labels, short_labels
from preorder_eval.metrics.registry import short_names
from preorder_eval.papers.study import RATINGS, STATISTICS, Correlations, Study
from preorder_eval.results.text import format_cell, format_interval, format_p
from preorder_eval.stats.agreement import Agreement
from preorder_eval.stats.bootstrap import Bootstrap, Interval, averaged

TREES = ("LAS", "UPOS")  # as Table 8 has them


def ratings_table(study: Study) -> Table:
    """Table 1: a row for each system."""
    means = study.mean_ratings if study.ratings is not None else []
    rows: list[list[object]] = [
        [name, *_plain(mean)] for name, mean in zip(study.result.systems, means, strict=bool(means))
    ]
    return ["system", "rating", "low", "high"], rows


def marks_table(study: Study) -> Table:
    """Tables 3 to 5: a row for each pair of systems."""
    names = study.result.systems
    pairs = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
    rows: list[list[object]] = [
        [names[a], names[b], *(marks[number] for marks in study.marks.values())]
        for number, (a, b) in enumerate(pairs)
    ]
    return ["row", "column", *study.marks], rows


def correlations_table(study: Study) -> Table:
    """Tables 6 and 7: a row for each metric and kind of reference; p against the first row."""
    header = ["metric", "reference"]
    for statistic in STATISTICS:
        header += [statistic, f"{statistic} low", f"{statistic} high", f"{statistic} p"]
    rows: list[list[object]] = []
    found = study.correlations
    for number, scores in enumerate(found.metrics if found else []):
        row: list[object] = [scores.metric, scores.reference]
        for statistic in STATISTICS:
            p = known(found.p[statistic][number, 0]) if found and number else None
            row += [*_plain(found.statistics[statistic].interval(number)), p] if found else []
        rows.append(row)
    return header, rows


def trees_table(study: Study) -> Table:
    """Table 8: a row for each parser, by the name of the first system that has it."""
    header = ["system"]
    for score in TREES:
        header += [score, f"{score} low", f"{score} high"]
    rows: list[list[object]] = [
        [name, *(end for score in TREES for end in _plain(scores[score]))]
        for name, scores in study.attachment.items()
    ]
    return header, rows


def plain_tables(study: Study) -> dict[str, Table]:
    """All tables that the study has, by name."""
    tables = {"significance": marks_table(study)}
    if study.ratings is not None:
        tables = {"ratings": ratings_table(study), **tables}
        tables["correlations"] = correlations_table(study)
    if study.attachment:
        tables["parsers"] = trees_table(study)
    return tables


def summary(study: Study) -> dict[str, Any]:
    """Everything as plain values, with the p-values of all differences of correlations."""
    found = study.correlations
    return {
        "study": study.name,
        "pair": study.pair,
        "result": study.result.to_dict(),
        **{
            name: [dict(zip(header, row, strict=True)) for row in rows]
            for name, (header, rows) in plain_tables(study).items()
        },
        "judges": agreement_table(_agreement(study)).records(),
        "differences": [
            {
                "metrics": [one.label, other.label],
                **{name: known(found.p[name][a, b]) for name in STATISTICS},
            }
            for a, one in enumerate(found.metrics)
            for b, other in enumerate(found.metrics[:a])
        ]
        if found
        else [],
    }


def titled_tables(study: Study) -> list[TitledTable]:
    """The tables for people, in the order of the paper."""
    result, tables = study.result, []
    if study.ratings is not None:
        means = zip(result.systems, study.mean_ratings, strict=True)
        rows = [[name, format_cell(mean)] for name, mean in means]
        tables.append(TitledTable("Mean ratings (Table 1)", ["system", "rating"], rows))
        agreement = _agreement(study)
        if agreement:
            judges = agreement_table(agreement)
            header, rows = judges.flat()
            cells = [
                [format(c, ".4f") if isinstance(c, float) else str(c) for c in r] for r in rows
            ]
            tables.append(TitledTable(judges.title, header, cells))
    rows = [
        [name, *map(format_interval, intervals)]
        for name, intervals in zip(result.systems, result.intervals, strict=True)
    ]
    kind = next(iter(study.results))
    names, shared = short_names(list(map(str, result.metrics)))
    note = f"all metrics with {shared}" if shared else ""
    title = f"Scores by the reference {kind}"
    tables.append(TitledTable(title, ["system", *names], rows, note))
    _, marks = marks_table(study)
    rows = [[str(cell) for cell in row] for row in marks]
    note = ""
    if study.ratings is not None:
        signatures = map(str, result.metrics)
        agreeing = ", ".join(
            f"{name} {study.agreeing(m)}" for name, m in zip(names, signatures, strict=True)
        )
        note = f"pairs of {len(marks)} with the mark of the ratings: {agreeing}"
    title = "The column's system against the row's (Tables 3 to 5)"
    header = ["row", "column", *([RATINGS] if study.ratings is not None else []), *names]
    tables.append(TitledTable(title, header, rows, note))
    if study.correlations is not None:
        tables.append(_correlations(study.correlations))
    if study.attachment:
        rows = [
            [name, *(format_interval(scores[score]) for score in TREES)]
            for name, scores in study.attachment.items()
        ]
        title = "The parsers on the treebank (Table 8)"
        tables.append(TitledTable(title, ["first system with it", *TREES], rows))
    return tables


def _agreement(study: Study) -> dict[str, Agreement]:
    """How well judges agree, where several are known."""
    ratings = study.ratings
    return {} if ratings is None else judge_agreement(ratings)


def _correlations(found: Correlations) -> TitledTable:
    names, shared = short_labels(found.metrics)
    rows = []
    for number, name in enumerate(names):
        row = [name]
        for statistic in STATISTICS:
            row.append(format_cell(found.statistics[statistic].interval(number)))
            row.append(format_p(found.p[statistic][number, 0]) if number else "")
        rows.append(row)
    title = f"Correlation with ratings of outputs of {found.segments} sentences (Tables 6 and 7)"
    note = f"p: of the difference from {names[0]}"
    if shared:
        note += f"; all metrics with {shared}"
    return TitledTable(title, ["metric", "Pearson", "p", "Spearman", "p"], rows, note)


def pair_tables(studies: Sequence[Study]) -> list[TitledTable]:
    """Mean ratings, correlations and scores with a column for each language pair, and their mean.

    Raises PreorderEvalError where the studies do not have the same systems and metrics.
    """
    first = studies[0]
    header = [study.pair for study in studies]
    tables = []
    if any(study.result.systems != first.result.systems for study in studies):
        raise PreorderEvalError("the language pairs do not have the same systems")
    if first.ratings is not None:
        rated = [study.rated for study in studies]
        tables.append(_by_pair("Mean ratings", "system", first.result.systems, header, rated))
        found = [study.correlations for study in studies]
        names = common_labels([c.metrics for c in found if c is not None], short=True)
        for name in STATISTICS:
            of_pairs = [c.statistics[name] for c in found if c is not None]
            title = f"{name.partition('.')[2].capitalize()} with ratings of outputs"
            tables.append(_by_pair(title, "metric", names, header, of_pairs))
    return tables


def _by_pair(
    title: str,
    what: str,
    names: Sequence[str],
    pairs: Sequence[str],
    sampled: Sequence[Bootstrap],
) -> TitledTable:
    mean = averaged(sampled)
    rows = [
        [name, *(f"{each.values[n]:.3f}" for each in sampled), format_cell(mean.interval(n))]
        for n, name in enumerate(names)
    ]
    return TitledTable(title, [what, *pairs, "mean"], rows)


def _plain(interval: Interval) -> list[float | None]:
    return [known(value) for value in (interval.value, interval.low, interval.high)]
