"""A study of word order and ratings, as Talbot et al. (2011) made theirs.

Systems with their orders and outputs are scored against references of several kinds, and set beside
people's ratings. What comes of it are the paper's tables: mean ratings (1), significant differences
by ratings and by metrics and how far they agree (3 to 5), correlation of metrics with ratings over
outputs (6), and the same by the kind of reference (7).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from preorder_eval.data.judgments import HumanScores
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.human_scores import ScoreColumns, read_human_scores
from preorder_eval.formats.reference_set import reference_from_files
from preorder_eval.formats.study_file import StudyFile, SystemEntry, read_study_file
from preorder_eval.formats.tables import Table, known
from preorder_eval.meta_evaluation.evaluation import meta
from preorder_eval.meta_evaluation.result import MetaEvaluation
from preorder_eval.meta_evaluation.statistic import quotient
from preorder_eval.metrics import metric, shared_settings
from preorder_eval.metrics.shared.base import OrderMetric
from preorder_eval.results.inputs import Inputs, Texts
from preorder_eval.results.result import Result, Sampling
from preorder_eval.results.systems import Parsed, System
from preorder_eval.results.texts import read_texts
from preorder_eval.stats.bootstrap import Interval, bootstrap
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import compare_systems

ORDER_METRICS = ("fuzzy", "kendall", "kendall(root=true)")
STATISTICS = ("segment.pearson", "segment.spearman")
RATINGS = "ratings"


@dataclass(frozen=True, eq=False)
class Study:
    """Systems scored against references of several kinds, with people's ratings if there are any.

    `results` has a result for each kind of reference, all of the same systems; metrics of outputs
    are in the first alone.

    >>> import tempfile
    >>> from preorder_eval.papers.study_example import example_files
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name, text in example_files().items():
    ...     _ = (folder / name).write_text(text, encoding="utf-8")
    >>> Study.read(folder / "study.toml", resamples=10)
    <Study example: R1, R2, R3, R4, R5>
    """

    name: str
    results: Mapping[str, Result]
    ratings: HumanScores | None = None

    def __repr__(self) -> str:
        return f"<Study {self.name}: {', '.join(self.result.systems)}>"

    @classmethod
    def read(cls, path: str | Path, *, resamples: int = 1000, seed: int = 0) -> Study:
        """Read a study file and all that it names (`formats.study_file`).

        Raises FormatError and PreorderEvalError for what is missing or does not fit together.
        """
        path = Path(path)
        file, folder = read_study_file(path), path.parent
        sets = {
            reference.kind: reference_from_files(
                folder / file.source, folder / reference.alignment, name=reference.kind
            )
            for reference in file.reference
        }
        first = next(iter(sets.values()))
        systems = tuple(_system(entry, folder, first.source) for entry in file.system)
        texts = tuple(read_texts([folder / name for name in file.translations]))
        with_outputs = bool(texts) and all(system.hyp is not None for system in systems)
        chosen = _metrics(file, texts, with_outputs)
        sampling = Sampling(resamples, seed, "koehn", "all")
        results: dict[str, Result] = {}
        for kind, data in sets.items():
            outputs = texts if with_outputs and not results else ()
            own = [m for m in chosen if outputs or isinstance(m, OrderMetric)]
            if own:
                results[kind] = Result(Inputs(systems, data, outputs), tuple(own), sampling)
        if not results:
            raise PreorderEvalError(f"{path}: none of the metrics can be computed")
        ratings = None
        if file.ratings is not None:
            said = file.ratings
            columns = ScoreColumns(said.system, said.line, said.score, said.judge, said.base)
            ratings = read_human_scores(folder / said.file, len(first), columns)
            ratings = ratings.chosen([system.name for system in systems])
        return cls(file.name, results, ratings)

    @property
    def result(self) -> Result:
        """The scores by the first kind of reference, with those of outputs."""
        return next(iter(self.results.values()))

    @cached_property
    def mean_ratings(self) -> list[Interval]:
        """Table 1: the mean rating of each system with its 95 % interval over sentences."""
        sampling = self.result.sampling
        [drawn] = bootstrap([self._rated], resamples=sampling.resamples, seed=sampling.seed)
        return [drawn.interval(number) for number in range(len(self.result.systems))]

    @cached_property
    def marks(self) -> dict[str, list[str]]:
        """Tables 3 to 5: for ratings and each metric the mark of every pair of systems.

        Pairs are 0-1, 0-2, …, 1-2, …; the second against the first, one-sided at 95 and 90 % by the
        paired bootstrap (Koehn 2004).
        """
        sampling = self.result.sampling
        marks = {}
        if self.ratings is not None:
            [pairs] = compare_systems(
                [self._rated],
                higher_is_better=[True],
                test="koehn",
                resamples=sampling.resamples,
                seed=sampling.seed,
            )
            marks[RATINGS] = [pair.difference.mark for pair in pairs]
        for chosen, pairs in zip(self.result.metrics, self.result.pairs, strict=True):
            marks[str(chosen)] = [pair.difference.mark for pair in pairs]
        return marks

    @cached_property
    def correlations(self) -> dict[str, MetaEvaluation]:
        """Tables 6 and 7: for each kind of reference how metrics agree with ratings of outputs."""
        if self.ratings is None:
            return {}
        sampling = self.result.sampling
        return {
            kind: meta(
                result,
                self.ratings,
                by=STATISTICS[0],
                resamples=sampling.resamples,
                seed=sampling.seed,
            )
            for kind, result in self.results.items()
        }

    def ratings_table(self) -> Table:
        """Table 1 as plain values."""
        means = self.mean_ratings if self.ratings is not None else []
        rows: list[list[object]] = [
            [name, *map(known, (mean.value, mean.low, mean.high))]
            for name, mean in zip(self.result.systems, means, strict=bool(means))
        ]
        return ["system", "rating", "low", "high"], rows

    def marks_table(self) -> Table:
        """Tables 3 to 5 as plain values: a row for each pair of systems."""
        names = self.result.systems
        pairs = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
        rows: list[list[object]] = [
            [names[a], names[b], *(marks[number] for marks in self.marks.values())]
            for number, (a, b) in enumerate(pairs)
        ]
        return ["row", "column", *self.marks], rows

    def agreeing(self, name: str) -> int:
        """On how many pairs of systems a metric has the mark that ratings have."""
        return sum(a == b for a, b in zip(self.marks[RATINGS], self.marks[name], strict=True))

    def correlations_table(self) -> Table:
        """Tables 6 and 7 as plain values: a row for each kind of reference and metric."""
        header = ["reference", "metric"]
        for statistic in STATISTICS:
            header += [statistic, f"{statistic} low", f"{statistic} high"]
        rows: list[list[object]] = []
        for kind, evaluation in self.correlations.items():
            for number, scores in enumerate(evaluation.metrics):
                row: list[object] = [kind, scores.metric]
                for statistic in STATISTICS:
                    interval = evaluation.statistics[statistic].interval(number)
                    row += map(known, (interval.value, interval.low, interval.high))
                rows.append(row)
        return header, rows

    def summary(self) -> dict[str, Any]:
        """Everything as plain values, with p-values of differences of correlations."""
        tables = {
            "ratings": self.ratings_table(),
            "significance": self.marks_table(),
            "correlations": self.correlations_table(),
        }
        return {
            "study": self.name,
            "result": self.result.summary(),
            **{
                name: [dict(zip(header, row, strict=True)) for row in rows]
                for name, (header, rows) in tables.items()
            },
            "differences": {
                kind: [
                    {"metrics": [one.metric, other.metric], "p": known(evaluation.p[a, b])}
                    for a, one in enumerate(evaluation.metrics)
                    for b, other in enumerate(evaluation.metrics[:a])
                ]
                for kind, evaluation in self.correlations.items()
            },
        }

    @cached_property
    def _rated(self) -> Measurement:
        """The ratings as what is resampled."""
        if self.ratings is None:
            raise PreorderEvalError(f"study {self.name} has no ratings")
        return Measurement(self.ratings.system_statistics(), quotient)


def _metrics(file: StudyFile, texts: tuple[Texts, ...], with_outputs: bool) -> list[Any]:
    """The metrics of a study, by default the paper's: FRS, τ, √τ, and BLEU where it can be."""
    from preorder_eval.data.scripts import language_of

    names = file.metrics or [*ORDER_METRICS, *(["bleu"] if with_outputs else [])]
    language = language_of(texts[0].sentences) if texts else None
    return [metric(name, **shared_settings(name, None, False, language)) for name in names]


def _system(entry: SystemEntry, folder: Path, source: list[list[str]]) -> System:
    """A system with its orders, and its output if there is one."""
    if entry.orders:
        system = System.from_orders(folder / entry.orders, source)
    elif entry.alignment:
        system = System.from_alignment(folder / entry.alignment, source)
    else:
        rules = folder / entry.rules if (folder / entry.rules).is_file() else entry.rules
        parser = str(folder / entry.trees) if entry.trees else entry.parser
        system = System.from_trees(Parsed.by(parser, source), rules)
    if entry.output:
        [text] = read_texts([folder / entry.output])
        system = replace(system, hyp=text.sentences)
    return system.named(entry.name)
