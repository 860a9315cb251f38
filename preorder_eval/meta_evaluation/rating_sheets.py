"""Ratings made and read: who rates which sentences, and what came of it.

Every sentence is rated by several judges, who see the outputs of all systems at once, blind and in
an order of their own (Talbot et al. 2011, section 4.2, asked three judges for each sentence, each
for no more than 3 % of them).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.data.judgments import HumanScores
from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.judgments import (
    Entry,
    format_key,
    format_page,
    format_sheet,
    read_key,
    read_ratings,
)
from preorder_eval.formats.tables import Table, known
from preorder_eval.meta_evaluation.people import agreement_summary, judge_agreement
from preorder_eval.meta_evaluation.statistic import quotient
from preorder_eval.stats.agreement import Agreement
from preorder_eval.stats.bootstrap import Interval, bootstrap
from preorder_eval.stats.measurement import Measurement
from preorder_eval.visible import quantity

KEY = "key.tsv"


@dataclass(frozen=True, eq=False)
class Ratings:
    """What judges said of systems: mean ratings with 95 % intervals over sentences, by system.

    `scores` are the ratings themselves, `rated` how many each system has, `missing` how many items
    were left empty, and `agreement` how well judges agree on pairs of outputs, if they overlap.
    """

    scores: HumanScores
    means: dict[str, Interval]
    rated: dict[str, int]
    missing: int
    agreement: dict[str, Agreement]

    def __repr__(self) -> str:
        return f"<Ratings: {len(self.scores)} of {len(self.means)} systems>"

    def table(self) -> Table:
        """Header and a row for each rating, as `read_human_scores` reads them."""
        scores = self.scores
        columns = (scores.system, scores.segment, scores.score, scores.judge)
        rows: list[list[object]] = [
            [scores.systems[int(system)], int(line), int(score), int(judge)]
            for system, line, score, judge in zip(*columns, strict=True)
        ]
        return ["system", "line", "score", "judge"], rows

    def table_of_means(self) -> Table:
        """Header and a row for each system."""
        rows: list[list[object]] = [
            [name, *map(known, (mean.value, mean.low, mean.high)), self.rated[name]]
            for name, mean in self.means.items()
        ]
        return ["system", "mean", "low", "high", "ratings"], rows

    def summary(self) -> dict[str, Any]:
        """What `--json` prints."""
        header, rows = self.table_of_means()
        return {
            "judges": self.scores.judges,
            "ratings": len(self.scores),
            "left_empty": self.missing,
            "systems": [dict(zip(header, row, strict=True)) for row in rows],
            "agreement": agreement_summary(self.agreement),
        }


def assign(
    sentences: int,
    judges: int,
    *,
    ratings: int = 3,
    sample: int | None = None,
    quota: int | None = None,
    seed: int = 0,
) -> list[list[int]]:
    """The sentences of each judge, by number, in the order in which the judge sees them.

    Parameters: `ratings` how many judges rate a sentence; `sample` how many sentences are rated,
    drawn by chance, all without; `quota` the most sentences of a judge. All judges get as many, or
    one less. Raises PreorderEvalError for more ratings than judges, a sample larger than the text,
    and a quota that does not suffice, with the judges that would do.

    >>> [len(numbers) for numbers in assign(10, judges=4, ratings=2)]
    [5, 5, 5, 5]
    """
    if not 1 <= ratings <= judges:
        raise PreorderEvalError(f"{ratings} ratings of a sentence, but there are {judges} judges")
    count = sentences if sample is None else sample
    if not 1 <= count <= sentences:
        raise PreorderEvalError(f"a sample of {count} of {sentences} sentences")
    most = math.ceil(count * ratings / judges)
    if quota is not None and most > quota:
        raise PreorderEvalError(
            f"each judge would rate {most} sentences, but the quota is {quota}; "
            f"{math.ceil(count * ratings / quota)} judges would do"
        )
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(sentences)[:count]
    sheets: list[list[int]] = [[] for _ in range(judges)]
    for place, sentence in enumerate(chosen.tolist()):
        for rating in range(ratings):
            sheets[(place * ratings + rating) % judges].append(sentence)
    return [[sheet[i] for i in rng.permutation(len(sheet))] for sheet in sheets]


def rating_sheets(
    outputs: Mapping[str, Sequence[str]],
    source: Sequence[str],
    reference: Sequence[str] | None = None,
    *,
    judges: int,
    ratings: int = 3,
    sample: int | None = None,
    quota: int | None = None,
    seed: int = 0,
) -> dict[str, str]:
    """The files of a folder of rating sheets by their names: TSV, page, and the key of all.

    Parameters: `outputs` of systems by name, with `source` and `reference` line by line; the others
    are those of `assign`. Raises PreorderEvalError for other numbers of sentences, and what
    `assign` raises.

    >>> files = rating_sheets({"a": ["x"], "b": ["y"]}, ["s"], judges=1, ratings=1)
    >>> sorted(files)
    ['judge-1.html', 'judge-1.tsv', 'key.tsv']
    """
    sides = {**outputs, **({} if reference is None else {"the reference": reference})}
    for name, lines in sides.items():
        if len(lines) != len(source):
            raise PreorderEvalError(
                f"{name} has {quantity(len(lines), 'sentence')}, but the source has {len(source)}"
            )
    numbers = assign(len(source), judges, ratings=ratings, sample=sample, quota=quota, seed=seed)
    files, sheets = {}, []
    for judge, sentences in enumerate(numbers, 1):
        rng = np.random.default_rng([seed, judge])
        systems = list(outputs)
        entries = [
            Entry(
                f"{page}-{place}",
                source[line],
                reference[line] if reference is not None else "",
                outputs[systems[system]][line],
                systems[system],
                line,
            )
            for page, line in enumerate(sentences, 1)
            for place, system in enumerate(rng.permutation(len(systems)).tolist(), 1)
        ]
        sheets.append(entries)
        files[f"judge-{judge}.tsv"] = format_sheet(entries)
        files[f"judge-{judge}.html"] = format_page(f"judge-{judge}", entries)
    files[KEY] = format_key(sheets)
    return files


def collect(
    key: Path, sheets: Mapping[int, Path], *, resamples: int = 1000, seed: int = 0
) -> Ratings:
    """Read filled sheets, by the number of the judge, and say how good people find each system.

    Raises FormatError, with file and line, for a rating that is none, and an item that is not in
    the key or missing; and where nothing is rated.
    """
    of_judges = read_key(key)
    rows: list[tuple[int, int, int]] = []
    given: list[float] = []
    names = list(dict.fromkeys(name for items in of_judges.values() for name, _ in items.values()))
    missing = 0
    for judge, file in sheets.items():
        items = of_judges.get(judge, {})
        ratings = read_ratings(file)
        for item, (rating, line) in ratings.items():
            if item not in items:
                mend = f"give each sheet with the {KEY} that was written with it"
                raise FormatError(f"item {item} is not in the key", file=file, line=line, mend=mend)
            system, sentence = items[item]
            if rating is None:
                missing += 1
            else:
                rows.append((names.index(system), sentence, judge))
                given.append(float(rating))
        absent = [item for item in items if item not in ratings]
        if absent:
            mend = "give the whole sheet"
            raise FormatError(f"item {absent[0]} is missing", file=file, mend=mend)
    if not rows:
        raise FormatError("nothing is rated", file=next(iter(sheets.values()), key))
    system, segment, by = np.array(rows, dtype=np.int64).T
    segments = 1 + max(sentence for items in of_judges.values() for _, sentence in items.values())
    scores = HumanScores(tuple(names), segments, system, segment, np.array(given), by)
    [drawn] = bootstrap(
        [Measurement(scores.system_statistics(), quotient)], resamples=resamples, seed=seed
    )
    return Ratings(
        scores,
        {name: drawn.interval(number) for number, name in enumerate(names)},
        {name: int((system == number).sum()) for number, name in enumerate(names)},
        missing,
        judge_agreement(scores) if scores.judges > 1 else {},
    )
