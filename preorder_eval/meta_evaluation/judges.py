"""Human judges: whether they agree, how metrics estimate their ratings, and sheets to rate on.

Every sentence is rated by several judges, who see the outputs of all systems at once, blind and in
an order of their own (Talbot et al. 2011, section 4.2, asked three judges for each sentence, each
for no more than 3% of them).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.data.judgments import HumanScores, Judgments
from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.rating_sheet import (
    HIGHEST,
    LOWEST,
    RatedOutput,
    format_key,
    format_page,
    format_sheet,
    read_key,
    read_ratings,
)
from preorder_eval.meta_evaluation.scores import MetricScores, quotient, turned_segments
from preorder_eval.meta_evaluation.statistic import (
    Conventions,
    resample,
    statistics_for,
)
from preorder_eval.stats.agreement import (
    Agreement,
    judgment_counts,
    pairwise_agreement,
    pooled_kappa,
)
from preorder_eval.stats.bootstrap import Bootstrap, bootstrap
from preorder_eval.stats.correlation import delta_avg
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.segment_correlation import VARIANTS
from preorder_eval.tables import Column, Shown, Table, ends
from preorder_eval.visible import quantity

KEY = "key.tsv"
_DRAWS = 5  # of the judge who stands for a metric
ESTIMATION = {"delta_avg": "DeltaAvg", "mae": "MAE", "rmse": "RMSE"}
_FEWEST_OUTPUTS = 4  # that DeltaAvg can cut into quantiles
_AGREEMENT = [
    Column("judges", "agreement of", label=True),
    Column("compared", "comparisons"),
    Column("agreed", "P(A)", ".3f"),
    Column("chance", "P(E)", ".3f"),
    Column("kappa", format=".3f"),
]
_SCORES = [Column("system"), Column("line"), Column("score"), Column("judge")]


def estimate_quality(
    metrics: Sequence[MetricScores], judgments: HumanScores
) -> list[tuple[float, float, float]]:
    """Compute DeltaAvg, MAE and RMSE of each metric over the judged outputs (Han 2014, 7-1 to 7-3).

    DeltaAvg asks for the order alone. For the errors a metric is put on the scale of people by a
    straight line, fitted to every other segment and applied to the rest, and the other way round.
    All are NaN for fewer than four outputs.
    """
    judged = ~np.isnan(judgments.means)
    values, part = judgments.means[judged], np.nonzero(judged)[1] % 2
    if min(np.bincount(part, minlength=2)) < _FEWEST_OUTPUTS / 2:
        return [(np.nan, np.nan, np.nan)] * len(metrics)
    found = []
    for scores in (of_metric[judged] for of_metric in turned_segments(metrics)):
        errors = np.empty(len(values))
        for fold in (0, 1):
            others = np.stack([scores, np.ones(len(scores))], axis=1)
            line = np.linalg.lstsq(others[part != fold], values[part != fold], rcond=None)[0]
            errors[part == fold] = (others @ line - values)[part == fold]
        mean, root = np.abs(errors).mean(), np.sqrt((errors**2).mean())
        found.append((delta_avg(scores, values), float(mean), float(root)))
    return found


def judge_agreement(judgments: Judgments, margin: float = 0.0) -> dict[str, Agreement]:
    """Compute the agreement of judges with each other and with themselves, by kind.

    It is that on pairs of outputs; nothing for a single judge. Scores of judges become pairs where
    the same judge scored two outputs of a segment; a difference below `margin` is a tie.
    """
    if judgments.judges < 2:
        return {}
    if isinstance(judgments, HumanScores):
        judgments = judgments.pairs_of_judges(margin)
    inter, intra = pairwise_agreement(judgments)
    return {
        "different judges": inter,
        "the same judge": intra,
        "two judges each (Cohen)": pooled_kappa(judgments),
    }


def people_among_themselves(
    judgments: Judgments,
    *,
    conventions: Conventions = Conventions(),
    resamples: int = 1000,
    seed: int = 0,
) -> dict[str, Bootstrap]:
    """Compute what a judge gets by the statistics of metrics; empty where nothing is judged twice.

    Scores: of each output judged by several, one judge's score is the metric, the mean of the
    others' is people's; in a segment it is the same judge's where there is one, drawn at random,
    and the statistics are means over several draws. Rankings: of every two judges' judgments of the
    same pair one is the metric's, the other people's.
    """
    drawn = {"resamples": resamples, "seed": seed}
    if not isinstance(judgments, HumanScores):
        counts = judgment_counts(judgments)
        if not counts.any():
            return {}
        measured = [Measurement(counts[None], finish) for finish in VARIANTS.values()]
        sampled = bootstrap(measured, **drawn)
        return {f"pairs.{name}": value for name, value in zip(VARIANTS, sampled, strict=True)}
    draws = []
    for draw in range(_DRAWS if judgments.judges > 1 else 0):
        one, people = _one_judge(judgments, np.random.default_rng([seed, draw]))
        if not len(people):
            return {}
        judged = ~np.isnan(people.means)
        scores = np.stack([np.where(judged, one.means, 0.0), judged], axis=-1)
        metric = MetricScores("people", scores, lambda s: s[..., 0] / np.maximum(s[..., 1], 1))
        known = statistics_for(people)
        sampled = resample([metric], people, known, conventions=conventions, **drawn)
        draws.append(dict(zip(map(str, known), sampled, strict=True)))
    return {
        name: Bootstrap(
            np.mean([draw[name].values for draw in draws], axis=0),
            np.mean([draw[name].resampled for draw in draws], axis=0),
            bounds=draws[0][name].bounds,
        )
        for name in (draws[0] if draws else ())
    }


def _one_judge(judgments: HumanScores, rng: np.random.Generator) -> tuple[HumanScores, HumanScores]:
    """Return one judge's scores of outputs, and the others' of the systems that have several.

    The judge of highest rank in a segment is taken, by chance.
    """
    output = judgments.system * judgments.segments + judgments.segment
    _, number = np.unique(
        np.column_stack([judgments.segment, judgments.judge]), axis=0, return_inverse=True
    )
    rank = rng.permutation(len(number))[number.reshape(-1)]
    highest = np.full(len(judgments.systems) * judgments.segments, -1)
    np.maximum.at(highest, output, rank)
    first = rank == highest[output]
    systems = [judgments.systems[n] for n in np.unique(judgments.system[~first]).tolist()]
    one, others = (judgments.where(kept).chosen(systems) for kept in (first, ~first))
    return one, others


def agreement_table(agreements: Mapping[str, Agreement]) -> Table:
    """Return the agreement of judges as a table."""
    rows = [[kind, a.compared, a.agreed, a.chance, a.kappa] for kind, a in agreements.items()]
    title = "Agreement of judges on pairs of outputs"
    return Table("agreement", _AGREEMENT, rows, title=title, only="json")


@dataclass(frozen=True, eq=False)
class Ratings(Shown):
    """The ratings of systems on rating sheets.

    `scores` are the ratings themselves, `means` those of the systems with resampled values,
    `missing` how many items were left empty, and `agreement` how well judges agree on pairs of
    outputs, if they overlap.
    """

    scores: HumanScores
    means: Bootstrap
    missing: int
    agreement: dict[str, Agreement]
    resamples: int
    seed: int

    def scores_table(self) -> Table:
        """Return a row for each rating, as `read_human_scores` reads them."""
        scores = self.scores
        columns = (scores.system, scores.segment, scores.score, scores.judge)
        rows = [
            [scores.systems[int(system)], int(line), int(score), int(judge)]
            for system, line, score, judge in zip(*columns, strict=True)
        ]
        return Table("ratings", _SCORES, rows)

    def tables(self) -> list[Table]:
        counts = np.bincount(self.scores.system, minlength=len(self.scores.systems))
        columns = [
            Column("system", label=True),
            Column("mean", "mean rating", ".3f", interval=True, fields=("mean", "low", "high")),
            Column("ratings"),
        ]
        rows = [
            [name, ends(self.means.interval(number)), int(counts[number])]
            for number, name in enumerate(self.scores.systems)
        ]
        agreement = [agreement_table(self.agreement)] if self.agreement else []
        return [Table("systems", columns, rows), *agreement]

    def view(self, whole: bool = False) -> list[Table]:
        *others, last = self.tables()
        empty = f"; {self.missing} items left empty" if self.missing else ""
        notes = [
            f"{self.scores.judges} judges, {len(self.scores)} ratings from {LOWEST} to {HIGHEST}"
            + empty,
            f"mean [95% CI, {self.resamples} bootstrap resamples of sentences, seed {self.seed}]",
        ]
        return [*others, replace(last, notes=notes)]

    def facts(self) -> dict[str, Any]:
        return {
            "judges": self.scores.judges,
            "ratings": len(self.scores),
            "left_empty": self.missing,
            "bootstrap": {"level": 0.95, "resamples": self.resamples, "seed": self.seed},
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
    """Return the sentences of each judge, by number, in the order in which the judge sees them.

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
    """Return the files of a folder of rating sheets by their names: TSV, page, and the key of all.

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
            RatedOutput(
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
    """Read filled sheets, by the number of the judge, and compute how people rate each system.

    Raises FormatError, with file and line, for a rating that is none, and an item that is not in
    the key or missing; and where nothing is rated.
    """
    of_judges = read_key(key)
    names = list(dict.fromkeys(name for items in of_judges.values() for name, _ in items.values()))
    rows: list[tuple[int, int, int, int]] = []  # system, sentence, judge, rating
    missing = 0
    for judge, file in sheets.items():
        items, ratings = of_judges.get(judge, {}), read_ratings(file)
        for item, (rating, line) in ratings.items():
            if item not in items:
                hint = f"give each sheet with the {KEY} that was written with it"
                raise FormatError(f"item {item} is not in the key", file=file, line=line, hint=hint)
            system, sentence = items[item]
            if rating is None:
                missing += 1
            else:
                rows.append((names.index(system), sentence, judge, rating))
        absent = [item for item in items if item not in ratings]
        if absent:
            hint = "give the whole sheet"
            raise FormatError(f"item {absent[0]} is missing", file=file, hint=hint)
    if not rows:
        raise FormatError("nothing is rated", file=next(iter(sheets.values()), key))
    system, segment, by, given = np.array(rows, dtype=np.int64).T
    segments = 1 + max(sentence for items in of_judges.values() for _, sentence in items.values())
    scores = HumanScores(tuple(names), segments, system, segment, given.astype(np.float64), by)
    measured = Measurement(scores.system_statistics(), quotient)
    [means] = bootstrap([measured], resamples=resamples, seed=seed)
    return Ratings(scores, means, missing, judge_agreement(scores), resamples, seed)
