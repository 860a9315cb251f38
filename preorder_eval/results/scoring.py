"""Outputs of translation systems scored against references, with confidence intervals.

The first system is the baseline: every other one is compared with it, by the paired bootstrap and
by approximate randomization.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.output_run import KIND, REFERENCE_COLUMN, SCORE_COLUMNS, escape_text
from preorder_eval.formats.run_folder import format_tsv
from preorder_eval.metrics.shared.base import Scores
from preorder_eval.results.scoring_inputs import Inputs, OutputMetric
from preorder_eval.stats.bootstrap import Difference, Interval, bootstrap
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.randomization import TRIALS_PER_RESAMPLE, randomization


@dataclass(frozen=True)
class Texts:
    """A system's output or a stream of references: one text per sentence, under a name.

    `made_by` holds what identifies it (file and hash) for the run folder.
    """

    name: str
    sentences: list[str]
    made_by: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Versus:
    """A system compared with the first one; `mark` says better (+) or worse (-), not higher."""

    difference: Difference
    mark: str
    p: float


@dataclass(frozen=True, eq=False)
class ScoredSystem:
    """A system's results: for each metric the scores, the interval and the comparison.

    `versus` is empty for the first system, with which the others are compared.
    """

    output: Texts
    scores: list[Scores]
    intervals: list[Interval]
    versus: list[Versus]


@dataclass(frozen=True, eq=False)
class Scoring:
    """Systems scored on the same references by the same metrics.

    `inputs` says what metrics were given beside them.
    """

    references: list[Texts]
    metrics: list[OutputMetric]
    systems: list[ScoredSystem]
    resamples: int
    seed: int
    inputs: dict[str, Any]

    def summary(self) -> dict[str, Any]:
        """What `--json` prints and `run.json` keeps."""
        return {
            "kind": KIND,
            "references": [{"name": r.name, **r.made_by} for r in self.references],
            **({"inputs": self.inputs} if self.inputs else {}),
            "sentences": len(self.systems[0].output.sentences),
            "metrics": [str(metric) for metric in self.metrics],
            "bootstrap": {"level": 0.95, "resamples": self.resamples, "seed": self.seed},
            "randomization": {"trials": TRIALS_PER_RESAMPLE * self.resamples, "seed": self.seed},
            "systems": [
                {
                    "system": system.output.name,
                    "made_by": system.output.made_by,
                    "scores": {
                        str(metric): dict(zip(_CELLS, self._cells(system, m), strict=False))
                        for m, metric in enumerate(self.metrics)
                    },
                }
                for system in self.systems
            ],
        }

    def table(self) -> tuple[list[str], list[list[object]]]:
        """Header and a row for each system as plain values, for TSV."""
        names = _CELLS if len(self.systems) > 1 else _CELLS[:3]
        header = ["system", "sentences"]
        for metric in self.metrics:
            header += [str(metric), *(f"{metric} {name}" for name in names[1:])]
        rows: list[list[object]] = []
        for system in self.systems:
            cells: list[object] = [system.output.name, len(system.output.sentences)]
            for m in range(len(self.metrics)):
                own = self._cells(system, m)
                cells += own + [None] * (len(names) - len(own))
            rows.append(cells)
        return header, rows

    def _cells(self, system: ScoredSystem, metric: int) -> list[object]:
        interval = system.intervals[metric]
        cells: list[object] = [interval.value, interval.low, interval.high]
        for versus in system.versus[metric : metric + 1]:
            d = versus.difference
            cells += [d.value, d.at_95.low, d.at_95.high, versus.mark, versus.p]
        return cells

    def sentences_tsv(self) -> str:
        """Per sentence the references."""
        streams = zip(*(r.sentences for r in self.references), strict=True)
        header = [f"{REFERENCE_COLUMN}{i}" for i in range(1, len(self.references) + 1)]
        rows = ([s, *map(escape_text, texts)] for s, texts in enumerate(streams, 1))
        return format_tsv(["sentence", *header], rows)

    def scores_tsv(self) -> str:
        """Per system and sentence the output and the scores."""
        rows = (
            [system.output.name, s + 1, escape_text(text)]
            + [float(scores.sentence[s]) for scores in system.scores]
            for system in self.systems
            for s, text in enumerate(system.output.sentences)
        )
        return format_tsv([*SCORE_COLUMNS, *map(str, self.metrics)], rows)


_CELLS = ["value", "low", "high", "difference", "low_95", "high_95", "significance", "p"]


def score_each(
    outputs: Sequence[Texts],
    references: Sequence[Texts],
    metrics: Sequence[OutputMetric],
    inputs: Inputs | None = None,
    advance: Callable[[int], None] | None = None,
) -> list[list[Scores]]:
    """The scores of every output with every metric; `advance` is told of each output that is done.

    >>> texts = [Texts(name, ["a b c", text], {}) for name, text in (("ref", "b c"), ("out", "c"))]
    >>> from preorder_eval.metrics import metric
    >>> [[scores]] = score_each(texts[1:], texts[:1], [metric("wer")])
    >>> scores.sentence.tolist()
    [0.0, 0.5]
    """
    inputs = inputs or Inputs()
    streams = [reference.sentences for reference in references]
    found = []
    for number, output in enumerate(outputs):
        segments = Segments.of(output.sentences, streams) if streams else None
        found.append([inputs.score(metric, number, segments) for metric in metrics])
        if advance:
            advance(1)
    return found


def scorer(
    outputs: Sequence[Texts], references: Sequence[Texts], inputs: Inputs
) -> Callable[[OutputMetric], list[Scores]]:
    """What scores every output with a metric, for many metrics one after another."""
    streams = [reference.sentences for reference in references]
    segments = [Segments.of(output.sentences, streams) for output in outputs]

    def score(metric: OutputMetric) -> list[Scores]:
        return [inputs.score(metric, number, own) for number, own in enumerate(segments)]

    return score


def score_outputs(
    outputs: Sequence[Texts],
    references: Sequence[Texts],
    metrics: Sequence[OutputMetric],
    inputs: Inputs | None = None,
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> Scoring:
    """Score every output with every metric, with 95 % bootstrap intervals over sentences.

    `inputs` are what some metrics need beside outputs and references, or instead of references.

    Each system but the first is compared with the first, with ten trials of approximate
    randomization for every bootstrap resample. Raises PreorderEvalError where there is nothing to
    score, where something is missing that a metric needs, where a side has another number of
    sentences, or where two systems have the same name.

    >>> texts = [Texts(name, ["a b c", text], {}) for name, text in (("ref", "b c"), ("out", "c"))]
    >>> from preorder_eval.metrics import metric
    >>> result = score_outputs(texts[1:], texts[:1], [metric("wer")])
    >>> result.systems[0].intervals[0].value
    0.2
    """
    if not outputs or not (references or inputs) or not metrics:
        raise PreorderEvalError("nothing to do without an output, a reference and a metric")
    names = [output.name for output in outputs]
    for name in names:
        if names.count(name) > 1:
            raise PreorderEvalError(f"{names.count(name)} systems are called {name}")
    inputs = inputs or Inputs()
    scores = score_each(outputs, references, metrics, inputs)
    measurements = [
        Measurement(np.stack([own[m].statistics for own in scores]), metric.finish)
        for m, metric in enumerate(metrics)
    ]
    sampled = bootstrap(measurements, resamples=resamples, seed=seed)
    p_values = None
    if len(outputs) > 1:
        p_values = randomization(measurements, trials=TRIALS_PER_RESAMPLE * resamples, seed=seed)
    systems = []
    for s, output in enumerate(outputs):
        versus = []
        if p_values is not None and s:
            for metric, drawn, p in zip(metrics, sampled, p_values, strict=True):
                difference = drawn.difference(0, s)
                mark = difference.judged(metric.higher_is_better)
                versus.append(Versus(difference, mark, float(p[0, s])))
        systems.append(
            ScoredSystem(output, scores[s], [drawn.interval(s) for drawn in sampled], versus)
        )
    return Scoring(list(references), list(metrics), systems, resamples, seed, inputs.made_by)
