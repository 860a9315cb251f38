"""The scores of systems, and whether a run folder has the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.errors import FormatError
from preorder_eval.metrics.shared.base import Metric, Scores
from preorder_eval.results.inputs import Inputs
from preorder_eval.stats.measurement import TIE


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


def score_systems(
    inputs: Inputs,
    metrics: Sequence[Metric],
    advance: Callable[[int], None] | None = None,
) -> list[list[Scores]]:
    """The scores of every system by each metric; `advance` is told of each system that is done.

    Raises PreorderEvalError where something is missing that a metric needs.
    """
    inputs.require(metrics)
    scores = []
    for number in range(len(inputs.systems)):
        system_inputs = inputs.of(number)
        scores.append([metric.score_system(system_inputs) for metric in metrics])
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
