"""Two systems from run folders compared: by how much, how surely, and on which sentences.

The differences are those of the second system minus the first. The statistics that the bootstrap
and the randomization need are made again from what the folders hold, orders and links or outputs
and references, by the metrics that the signatures name; where that gives other sentence scores
than the folder holds, the folder is not what was written, and is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.metrics.shared.base import Metric
from preorder_eval.results.sides import Side
from preorder_eval.stats.bootstrap import Difference, bootstrap
from preorder_eval.stats.measurement import TIE, Measurement
from preorder_eval.stats.randomization import TRIALS_PER_RESAMPLE, randomization


@dataclass(frozen=True)
class Moved:
    """A sentence whose score has changed, as text: the source and both reordered rows."""

    number: int
    change: float
    first_score: float
    second_score: float
    source: str
    first: str
    second: str


@dataclass(frozen=True, eq=False)
class MetricComparison:
    """What one metric says: both values, their difference, and both scores of every sentence.

    `p` is by paired approximate randomization, NaN where that was not asked for; `first` and
    `second` are float64[S], NaN for a sentence that is left out.
    """

    metric: str
    values: tuple[float, float]
    difference: Difference
    p: float
    first: Floats
    second: Floats
    higher_is_better: bool = True

    @property
    def change(self) -> Floats:
        """Second score minus first of every sentence, 0 where it is left out; float64[S]."""
        change = np.nan_to_num(self.second - self.first)
        return np.where(np.abs(change) > TIE, change, 0.0)

    @property
    def gain(self) -> Floats:
        """By how much the second system is better on every sentence; float64[S]."""
        return self.change if self.higher_is_better else -self.change

    @property
    def mark(self) -> str:
        """The difference's mark, with + for better and - for worse."""
        return self.difference.judged(self.higher_is_better)

    @property
    def better(self) -> int:
        """The sentences on which the second system is better."""
        return int(np.count_nonzero(self.gain > 0))

    @property
    def worse(self) -> int:
        """The sentences on which the second system is worse."""
        return int(np.count_nonzero(self.gain < 0))

    @property
    def same(self) -> int:
        """The scored sentences on which the two are equal."""
        return int(np.count_nonzero(~np.isnan(self.first))) - self.better - self.worse

    def moved(
        self, most: int, texts: Callable[[int], tuple[str, str, str]]
    ) -> tuple[list[Moved], list[Moved]]:
        """Up to `most` sentences that gained and lost most, the largest change first.

        `texts` gives the source and both rows of a sentence. Equal changes come in the order of
        the corpus.
        """

        def shown(gain: Floats) -> list[Moved]:
            ranked = np.argsort(-gain, kind="stable")[:most].tolist()
            return [self._moved(s, texts(s)) for s in ranked if gain[s] > 0]

        return shown(self.gain), shown(-self.gain)

    def _moved(self, sentence: int, texts: tuple[str, str, str]) -> Moved:
        scores = float(self.first[sentence]), float(self.second[sentence])
        return Moved(sentence + 1, float(self.change[sentence]), *scores, *texts)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two systems compared by every metric."""

    first: Side
    second: Side
    metrics: list[MetricComparison]
    resamples: int
    seed: int

    def moved(self, most: int, metric: int = 0) -> tuple[list[Moved], list[Moved]]:
        """Up to `most` sentences that gained and lost most by a metric, the largest change first.

        Equal changes come in the order of the corpus.
        """
        return self.metrics[metric].moved(most, self._texts)

    def _texts(self, sentence: int) -> tuple[str, str, str]:
        """A sentence as it was given, and as either system made it."""
        (given, first), (_, second) = (side.texts(sentence) for side in (self.first, self.second))
        return given, first, second

    @property
    def sentences(self) -> int:
        """The number of sentences compared."""
        return len(self.first.informative) - self.left_out

    @property
    def left_out(self) -> int:
        """The number of sentences that carry no information."""
        return int(np.count_nonzero(~self.first.informative))

    def summary(self, most: int) -> dict[str, Any]:
        """What `--json` prints, with up to `most` sentences gained and lost by the first metric."""
        header, rows = self.table()
        gained, lost = self.moved(most)
        return {
            "first": {"run": str(self.first.run.folder), "system": self.first.name},
            "second": {"run": str(self.second.run.folder), "system": self.second.name},
            "reference": self.first.reference,
            "sentences": self.sentences,
            "left_out": self.left_out,
            "bootstrap": {"resamples": self.resamples, "seed": self.seed},
            "randomization": {"trials": TRIALS_PER_RESAMPLE * self.resamples, "seed": self.seed},
            "metrics": [dict(zip(header, cells, strict=True)) for cells in rows],
            "moved": {
                "metric": self.metrics[0].metric,
                "gained": [asdict(sentence) for sentence in gained],
                "lost": [asdict(sentence) for sentence in lost],
            },
        }

    def table(self) -> tuple[list[str], list[list[object]]]:
        """Header and a row for each metric as plain values, for TSV."""
        header = ["metric", "first", "second", "difference", "low_95", "high_95", "low_90"]
        header += ["high_90", "significance", "p", "better", "worse", "same"]
        rows: list[list[object]] = []
        for m in self.metrics:
            d = m.difference
            ends = [d.at_95.low, d.at_95.high, d.at_90.low, d.at_90.high]
            counts = [m.better, m.worse, m.same]
            rows.append([m.metric, *m.values, d.value, *ends, m.mark, m.p, *counts])
        return header, rows


def compare(
    first: Side,
    second: Side,
    metrics: Sequence[Metric] | None = None,
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> Comparison:
    """Compare two systems over the same sentences.

    `metrics` are by default those that both runs have scores of. Raises PreorderEvalError where
    the sentences differ, where no metric is shared, and where a folder's scores are not those of
    its orders or outputs.
    """
    first.check_same(second)
    informative = first.informative
    if not informative.any():
        raise PreorderEvalError(f"{first.run.folder}: no sentence has a link, nothing to compare")
    if metrics is None:
        shared = [name for name in first.run.metrics if name in second.run.metrics]
        metrics = [first.metric(name) for name in shared]
    if not metrics:
        raise PreorderEvalError(
            f"{first.run.folder} and {second.run.folder} share no metric; name one with --metric"
        )
    for side in (first, second):
        check_scores(side)

    scores = [[side.score(metric) for side in (first, second)] for metric in metrics]
    measurements = [
        Measurement(np.stack([side.statistics[informative] for side in both]), metric.finish)
        for metric, both in zip(metrics, scores, strict=True)
    ]
    sampled = bootstrap(measurements, resamples=resamples, seed=seed)
    tests = randomization(measurements, trials=TRIALS_PER_RESAMPLE * resamples, seed=seed)
    results = [
        MetricComparison(
            str(metric),
            (float(drawn.values[0]), float(drawn.values[1])),
            drawn.difference(0, 1),
            float(p[0, 1]),
            a.sentence,
            b.sentence,
            metric.higher_is_better,
        )
        for metric, (a, b), drawn, p in zip(metrics, scores, sampled, tests, strict=True)
    ]
    return Comparison(first, second, results, resamples, seed)


def check_scores(side: Side) -> None:
    """Raise FormatError unless a run's scores are those of its orders or outputs."""
    run, system = side.run, side.system
    for name, stored in zip(run.metrics, system.scores.T, strict=True):
        made = side.score(side.metric(name))
        same = np.isclose(made.sentence, stored, rtol=0, atol=TIE, equal_nan=True)
        if not same.all():
            s = int(np.flatnonzero(~same)[0])
            shown = [
                "no score" if math.isnan(x) else f"{x:.4f}" for x in (stored[s], made.sentence[s])
            ]
            raise FormatError(
                f"{side.name}, sentence {s + 1}: {name} is {shown[0]}, but its {side.made} gives "
                f"{shown[1]}",
                file=run.folder / "scores.tsv",
                line=system.line + s,
                mend=f"the folder was changed; run {side.remake} again",
            )
