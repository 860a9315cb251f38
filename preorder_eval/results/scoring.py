"""The scores of systems, and whether a run folder has the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.inputs import SystemInputs
from preorder_eval.errors import FormatError
from preorder_eval.metrics.base import Metric, Scores
from preorder_eval.processes import Processes
from preorder_eval.results.inputs import Inputs
from preorder_eval.stats.measurement import TIE

_AT_ONCE = 1 << 13  # sentences whose words are in memory together
_ENOUGH = 1 << 17  # outputs to score, of which fewer are done before others have started


@dataclass(frozen=True, eq=False)
class Stored:
    """The run folder that a result was read from, and what it says.

    `summary` is `run.json`; `scores` has for every system its scores, float64[S, metrics], and
    `lines` where they start in `scores.tsv`.
    """

    folder: Path
    summary: Mapping[str, Any]
    scores: Mapping[str, Floats]
    lines: Mapping[str, int]


class Scoring:
    """Scores the systems of some inputs; several processes share the work if it is worth while.

    `of` is how many metrics of outputs there are to score by.
    """

    def __init__(self, inputs: Inputs, jobs: int = 1, of: int = 1) -> None:
        views = tuple(inputs.of(number) for number in range(len(inputs.systems)))
        worth_while = len(views) * len(inputs) * of >= _ENOUGH
        self._systems = range(len(views))
        self._together = Processes(min(jobs, len(views)) if worth_while else 1, tuple, views)

    def by(self, metrics: Sequence[Metric]) -> Iterator[list[Scores]]:
        """For every system its scores by each metric."""
        return self._together.map(_scores, [(system, metrics) for system in self._systems])


def _scores(systems: tuple[SystemInputs, ...], piece: tuple[int, Sequence[Metric]]) -> list[Scores]:
    """The scores of one system; where it can be the words of some sentences are held at a time."""
    system, metrics = piece
    inputs = systems[system]
    apart = [metric for metric in metrics if _by_sentence(metric)]
    if not apart or len(inputs["hyp"]) <= _AT_ONCE:
        return [metric.score_system(inputs) for metric in metrics]
    # First those that take all words together, which are forgotten then.
    once = inputs.anew()
    scores = {m: m.score_system(once) for m in metrics if m not in apart}
    del once
    size, first = len(inputs["hyp"]), 0
    statistics: dict[Metric, Floats] = {}
    for texts in inputs.texts(_AT_ONCE):
        for metric in apart:
            part = metric.statistics_of(texts)
            if metric not in statistics:
                statistics[metric] = np.empty((size, part.shape[1]))
            statistics[metric][first : first + len(part)] = part
        first += _AT_ONCE
    scores |= {metric: metric.scores_of(whole) for metric, whole in statistics.items()}
    return [scores[metric] for metric in metrics]


def _by_sentence(metric: Metric) -> bool:
    """Whether a metric takes outputs and references alone, each sentence by itself."""
    return set(metric.needs) == {"hyp", "ref"} and not getattr(metric, "whole_corpus", True)


def score_systems(
    inputs: Inputs,
    metrics: Sequence[Metric],
    advance: Callable[[int], None] | None = None,
    jobs: int = 1,
) -> list[list[Scores]]:
    """The scores of every system by each metric; `advance` is told of each system that is done.

    Raises PreorderEvalError where something is missing that a metric needs.
    """
    inputs.require(metrics)
    scores = []
    # Orders are scored sooner than they are sent.
    of_outputs = sum("hyp" in metric.needs for metric in metrics)
    for of_system in Scoring(inputs, jobs, of_outputs).by(metrics):
        scores.append(of_system)
        if advance:
            advance(1)
    return scores


def check_scores(
    stored: Stored, systems: Sequence[str], scores: Sequence[Sequence[Scores]]
) -> None:
    """Raise FormatError unless a folder's scores are those that its systems have."""
    for name, by_metric in zip(systems, scores, strict=True):
        for made, kept in zip(by_metric, stored.scores[name].T, strict=True):
            same = np.isclose(made.sentence, kept, rtol=0, atol=TIE, equal_nan=True)
            if not same.all():
                s = int(np.flatnonzero(~same)[0])
                shown = [
                    "no score" if np.isnan(x) else f"{x:.4f}" for x in (kept[s], made.sentence[s])
                ]
                raise FormatError(
                    f"{name}, sentence {s + 1}: {made.metric} is {shown[0]}, but what it made "
                    f"gives {shown[1]}",
                    file=stored.folder / "scores.tsv",
                    line=stored.lines[name] + s,
                    mend="the folder was changed; run the command again",
                )
