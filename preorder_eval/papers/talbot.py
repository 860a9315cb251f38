"""Tables 1 and 3 to 8 of Talbot et al. (2011) for studies of one's own, in the paper's layout.

The paper's figures stand beside those of systems, metrics, kinds of references and parsers that are
called as in the paper. Its data are not public, and other data give other figures: what can be
compared is which is better than which.
"""

from __future__ import annotations

from collections.abc import Sequence

from preorder_eval.formats.titled import TitledTable
from preorder_eval.meta_evaluation.scores import short_labels
from preorder_eval.papers.pooling import pooled
from preorder_eval.papers.study import RATINGS, STATISTICS, Study
from preorder_eval.papers.tables.talbot import (
    TABLE_6,
    TABLE_7,
    TABLE_8,
    Experiment,
    Marks,
    experiment_of,
)
from preorder_eval.results.text import UNDEFINED, format_cell, format_interval, format_p
from preorder_eval.stats.bootstrap import Interval

_PAPER = "paper"
_CORRELATIONS = ("r", "p", _PAPER, "ρ", "p", _PAPER)
_MARKS = "0 = not significant, * = 90 percent, ** = 95 percent"


def talbot_tables(studies: Sequence[Study]) -> list[TitledTable]:
    """The tables that can be made, each for one study after the other as for the two experiments.

    Correlations are also those over all studies, where they are of the same sentences. What a
    table lacks is said in its place.
    """
    many = len(studies) > 1
    tables = []
    whole = pooled(studies) if many else None
    for make in (_table_1, *_SIGNIFICANCE, _table_6, _table_7, _table_8):
        also = [whole] if whole is not None and make in (_table_6, _table_7) else []
        for study in [*also, *studies]:
            table = make(study)
            name = f", {study.label}" if many else ""
            tables.append(TitledTable(f"{table.title}{name}", table.header, table.rows, table.note))
    return tables


def _lacking(title: str, what: str) -> TitledTable:
    return TitledTable(title, ["-"], [], f"not made: the study has no {what}")


def _table_1(study: Study) -> TitledTable:
    title = "Table 1. Human judgements of translation quality"
    if study.ratings is None:
        return _lacking(title, "ratings")
    experiment = experiment_of(study.result.systems)
    means = zip(study.result.systems, study.mean_ratings, strict=True)
    rows = [[name, format_cell(mean).strip(), *_beside(experiment, name)] for name, mean in means]
    return TitledTable(title, ["", "Subjective score", *([_PAPER] if experiment else [])], rows)


def _beside(experiment: Experiment | None, system: str) -> list[str]:
    if experiment is None:
        return []
    published = experiment.ratings.get(system)
    return [UNDEFINED if published is None else format_cell(published).strip()]


def _table_3(study: Study) -> TitledTable:
    return _significance(study, "3. Pairwise significance in subjective evaluation", RATINGS)


def _table_4(study: Study) -> TitledTable:
    return _significance(study, "4. Pairwise significance in fuzzy reordering score", "fuzzy")


def _table_5(study: Study) -> TitledTable:
    return _significance(study, "5. Pairwise significance in BLEU score", "bleu")


_SIGNIFICANCE = (_table_3, _table_4, _table_5)


def _significance(study: Study, title: str, by: str) -> TitledTable:
    """The upper triangle of all pairs, and beside it the paper's."""
    names = study.result.systems
    marks = next((m for name, m in study.marks.items() if _is(name, by)), None)
    if marks is None:
        return _lacking(f"Table {title}", by if by == RATINGS else f"{by} among its metrics")
    numbers = range(len(names))
    pairs = [(names[a], names[b]) for a in numbers for b in numbers[a + 1 :]]
    ours = dict(zip(pairs, marks, strict=True))
    experiment = experiment_of(names)
    theirs = _published(experiment, by) if experiment else {}
    theirs = {pair: theirs[pair] for pair in pairs if pair in theirs}
    header = ["", *names[1:]]
    rows = [[a, *(ours.get((a, b), "") for b in names[1:])] for a in names[:-1]]
    note = _MARKS
    if theirs:
        header += [f"{_PAPER}:", *names[1:]]
        for row in rows:
            row += ["", *(theirs.get((row[0], b), "") for b in names[1:])]
    if by != RATINGS and RATINGS in study.marks:
        same = sum(a == b for a, b in zip(marks, study.marks[RATINGS], strict=True))
        note += f"\nas in Table 3: {same} of {len(marks)}"
        if experiment and theirs:
            rated = experiment.by_ratings
            both = [pair for pair in theirs if pair in rated]
            agreeing = sum(theirs[pair] == rated[pair] for pair in both)
            note += f" (paper: {agreeing} of {len(both)})"
    return TitledTable(f"Table {title}", header, rows, note)


def _published(experiment: Experiment, by: str) -> Marks:
    return {
        RATINGS: experiment.by_ratings,
        "fuzzy": experiment.by_fuzzy,
        "bleu": experiment.by_bleu,
    }[by]


def _is(signature: str, name: str) -> bool:
    """Whether a metric is of that name."""
    return signature.partition("(")[0] == name


def _table_6(study: Study) -> TitledTable:
    title = "Table 6. Correlation with subjective translation quality at sentence level"
    found = study.correlations
    if found is None:
        return _lacking(title, "ratings")
    names, _ = short_labels(found.metrics)
    kind = next(iter(study.results))
    rows = []
    for number, scores in enumerate(found.metrics):
        if scores.reference in ("", kind):
            name = names[number].removesuffix(f" by {kind}")
            label, *published = TABLE_6.get(name.partition("(tokenize")[0], (name, None, None))
            rows.append([str(label), *_cells(study, number, 0, published)])
    note = f"p: of the difference from {rows[0][0]}"
    return TitledTable(title, ["Metric", *_CORRELATIONS], rows, note)


def _table_7(study: Study) -> TitledTable:
    title = "Table 7. The same for the fuzzy reordering score by the kind of reference"
    found = study.correlations
    if found is None:
        return _lacking(title, "ratings")
    fuzzy = [n for n, scores in enumerate(found.metrics) if _is(scores.metric, "fuzzy")]
    if not fuzzy:
        return _lacking(title, "fuzzy among its metrics")
    rows = []
    for number in fuzzy:
        kind = found.metrics[number].reference or next(iter(study.results))
        translation, _, alignment = kind.rpartition("/")
        published = TABLE_7.get(kind, (None, None))
        rows.append([translation, alignment, *_cells(study, number, fuzzy[0], published)])
    header = ["Translation", "Alignment", *_CORRELATIONS]
    return TitledTable(title, header, rows, "p: of the difference from the first row")


def _cells(study: Study, number: int, first: int, published: Sequence[float | None]) -> list[str]:
    """r and ρ of a metric by number, p of the difference from another, and the paper's value."""
    found = study.correlations
    cells: list[str] = []
    for name, value in zip(STATISTICS, published, strict=True):
        if found is not None:
            interval = found.statistics[name].interval(number)
            p = "" if number == first else format_p(found.p[name][number, first])
            cells += [format_cell(interval), p, UNDEFINED if value is None else f"{value:.3f}"]
    return cells


def _table_8(study: Study) -> TitledTable:
    title = "Table 8. Intrinsic parser metrics"
    if not study.attachment:
        return _lacking(title, "treebank")
    rows = []
    for name, scores in study.attachment.items():
        parser = name.partition("R")[0]
        published = TABLE_8.get(parser, (None, None))
        row = [parser if parser in TABLE_8 else name]
        for score, value in zip(("LAS", "UPOS"), published, strict=True):
            interval: Interval = scores[score]
            row += [format_interval(interval), UNDEFINED if value is None else f"{value:.3f}"]
        rows.append(row)
    header = ["Parser", "Labeled attachment", _PAPER, "POS accuracy", _PAPER]
    return TitledTable(title, header, rows, "paper: on WSJ")
