"""A study of word order and ratings, as Talbot et al. (2011) made theirs.

Systems with their orders and outputs are scored against references of several kinds, and set beside
people's ratings. What comes of it are the paper's tables: mean ratings (1), significant differences
by ratings and by metrics and how far they agree (3 to 5), correlation of metrics with ratings over
outputs (6), the same by the kind of reference (7), and what parsers are by themselves (8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from preorder_eval.analysis.attachment import attachment_intervals
from preorder_eval.data.arrays import Floats
from preorder_eval.data.judgments import HumanScores, Judgments
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.formats.tables import Table
from preorder_eval.meta_evaluation.scores import MetricScores, scores_of_all
from preorder_eval.meta_evaluation.statistic import p_values, quotient, resample, statistic
from preorder_eval.results.result import Result, Sampling
from preorder_eval.stats.bootstrap import Bootstrap, Interval, bootstrap
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import compare_systems

STATISTICS = ("segment.pearson", "segment.spearman")
RATINGS = "ratings"


@dataclass(frozen=True, eq=False)
class Correlations:
    """How M metrics agree with people on S segments.

    `statistics` has the values of each statistic, float64[M], with those of resamples, and `p`,
    float64[M, M], the two-sided p-values of their differences.
    """

    metrics: Sequence[MetricScores]
    segments: int
    statistics: dict[str, Bootstrap]
    p: dict[str, Floats]


def correlate(
    metrics: Sequence[MetricScores],
    judgments: Judgments,
    statistics: Sequence[str],
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> Correlations:
    """Compute the statistics of these names, with resampled values and p-values of differences."""
    chosen = [statistic(name, judgments) for name in statistics]
    drawn = resample(metrics, judgments, chosen, resamples=resamples, seed=seed)
    return Correlations(
        metrics,
        judgments.segments,
        dict(zip(statistics, drawn, strict=True)),
        {
            str(each): p_values(each, metrics, judgments, sampled, resamples=resamples, seed=seed)
            for each, sampled in zip(chosen, drawn, strict=True)
        },
    )


@dataclass(frozen=True, eq=False)
class Study:
    """Systems scored against references of several kinds, with people's ratings if there are any.

    `results` has a result for each kind of reference, all of the same systems; metrics of outputs
    are in the first, and in others that have translations of their own. `gold` are the trees on
    which parsers are scored by themselves, and `parses` theirs by the name of the first system that
    has the parser. `pair` is the language pair, where the study has several.

    >>> import tempfile
    >>> from preorder_eval.papers.study_example import example_files
    >>> from preorder_eval.formats.folders import write_folder
    >>> folder = Path(tempfile.mkdtemp()) / "example"
    >>> write_folder(folder, example_files())
    >>> study = Study.read(folder / "rules.toml", resamples=10)
    >>> study
    <Study rules: P5R1, P5R2, P5R3, P5R4, P5R5>
    >>> list(study.tables())
    ['ratings', 'significance', 'correlations', 'parsers']
    """

    name: str
    results: Mapping[str, Result]
    ratings: HumanScores | None = None
    gold: Treebank | None = None
    parses: Mapping[str, Treebank] = field(default_factory=dict)
    pair: str = ""

    def __repr__(self) -> str:
        return f"<Study {self.label}: {', '.join(self.result.systems)}>"

    @classmethod
    def read(
        cls, path: str | Path, pair: str = "", *, resamples: int = 1000, seed: int = 0
    ) -> Study:
        """Read a study file and all that it names, or the folder of a study that was run.

        Of several language pairs, `pair` chooses one; `read_studies` reads all. Raises FormatError
        and PreorderEvalError for what is missing or does not fit together.
        """
        from preorder_eval.papers.study_reading import read_studies

        studies = read_studies(path, resamples=resamples, seed=seed)
        by_pair = {study.pair: study for study in studies}
        if len(studies) == 1 and not pair:
            return studies[0]
        if pair not in by_pair:
            raise UnknownNameError(f"language pair of {path}", pair, by_pair)
        return by_pair[pair]

    @property
    def label(self) -> str:
        """Its name, with the language pair where there are several."""
        return f"{self.name} {self.pair}" if self.pair else self.name

    @property
    def result(self) -> Result:
        """The scores by the first kind of reference, with those of outputs."""
        return next(iter(self.results.values()))

    @property
    def sampling(self) -> Sampling:
        """How everything was resampled."""
        return self.result.sampling

    @cached_property
    def mean_ratings(self) -> list[Interval]:
        """Table 1: the mean rating of each system with its 95 % interval over sentences."""
        return [self.rated.interval(number) for number in range(len(self.result.systems))]

    @cached_property
    def rated(self) -> Bootstrap:
        """The mean ratings of systems with those of resampled sentences."""
        sampling = self.sampling
        [drawn] = bootstrap([self._ratings], resamples=sampling.resamples, seed=sampling.seed)
        return drawn

    @cached_property
    def marks(self) -> dict[str, list[str]]:
        """Tables 3 to 5: for ratings and each metric the mark of every pair of systems.

        Pairs are 0-1, 0-2, …, 1-2, …; the second against the first, one-sided at 95 and 90 % by the
        paired bootstrap (Koehn 2004).
        """
        sampling = self.sampling
        marks = {}
        if self.ratings is not None:
            [rated] = compare_systems(
                [self._ratings],
                higher_is_better=[True],
                test="koehn",
                resamples=sampling.resamples,
                seed=sampling.seed,
            )
            marks[RATINGS] = [pair.difference.mark for pair in rated]
        for chosen, pairs in zip(self.result.metrics, self.result.pairs, strict=True):
            marks[str(chosen)] = [pair.difference.mark for pair in pairs]
        return marks

    def agreeing(self, name: str) -> int:
        """On how many pairs of systems a metric has the mark that ratings have."""
        return sum(a == b for a, b in zip(self.marks[RATINGS], self.marks[name], strict=True))

    @cached_property
    def correlations(self) -> Correlations | None:
        """Tables 6 and 7: how metrics by each kind of reference agree with ratings of outputs.

        Over the sentences that all of them score; None without ratings.
        """
        if self.ratings is None:
            return None
        scores, counted = scores_of_all(self.results)
        return correlate(
            scores,
            self.ratings.on(counted),
            STATISTICS,
            resamples=self.sampling.resamples,
            seed=self.sampling.seed,
        )

    @cached_property
    def attachment(self) -> dict[str, dict[str, Interval]]:
        """Table 8: the scores of each parser's trees against gold trees (`analysis.attachment`)."""
        if self.gold is None:
            return {}
        drawn = {"resamples": self.sampling.resamples, "seed": self.sampling.seed}
        scores = {}
        for name, trees in self.parses.items():
            try:
                scores[name] = attachment_intervals(self.gold, trees, **drawn)
            except PreorderEvalError as error:
                raise PreorderEvalError(f"treebank of {name}: {error}") from error
        return scores

    def tables(self) -> dict[str, Table]:
        """Header and rows of the paper's tables as plain values, by name: `ratings` and others."""
        from preorder_eval.papers.study_tables import plain_tables

        return plain_tables(self)

    def summary(self) -> dict[str, Any]:
        """Everything as plain values: what `study run --json` prints."""
        from preorder_eval.papers.study_tables import summary

        return summary(self)

    def write(self, folder: str | Path) -> None:
        """Write a folder that `read` reads; its run folders are for `compare` and `report`."""
        from preorder_eval.papers.study_folder import write_studies

        write_studies([self], Path(folder))

    @cached_property
    def _ratings(self) -> Measurement:
        """The ratings as what is resampled."""
        if self.ratings is None:
            raise PreorderEvalError(f"study {self.name} has no ratings")
        return Measurement(self.ratings.system_statistics(), quotient)
