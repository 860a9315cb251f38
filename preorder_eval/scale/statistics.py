"""The statistics of a shard's sentences, and what is drawn of them for the whole corpus.

A shard's scores are two files: `NAME.scores.tsv.gz` to be read by people and other programs, and
`NAME.npz` with the metrics' additive statistics, which are drawn from block by block.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Floats, Longs
from preorder_eval.errors import FormatError
from preorder_eval.formats.writing import replacing, write_text
from preorder_eval.metrics.base import Metric
from preorder_eval.results.result import Result
from preorder_eval.results.run import scores_tsv
from preorder_eval.scale.partition import Made, Partition
from preorder_eval.stats.bootstrap import block_sums
from preorder_eval.stats.leave_one_out import FewDifferent, Jackknife, few_different, jackknife
from preorder_eval.stats.measurement import Measurement, largest, rounded, totals
from preorder_eval.stats.significance import block_half_sample_sums, half_sample_sums

SCORES, STATISTICS = "scores.tsv.gz", "npz"


def kept(partition: Partition, result: Result) -> Made:
    """Write the scores and statistics of a shard; what is told of them are counts and bounds."""
    columns, counted, told = [], [], []
    for m, metric in enumerate(result.metrics):
        here = result.counted(m)
        statistics = np.stack([scores[m].statistics for scores in result.scores], axis=1)
        columns.append(statistics.reshape(len(statistics), -1))
        counted.append(here)
        told.append(
            {
                "counted": int(here.sum()),
                "which": hashlib.sha256(here.tobytes()).hexdigest(),
                "width": statistics.shape[2],
                "largest": largest(columns[-1][here]).tolist(),
                "cut_short": [metric.cut_short(s[m].statistics) for s in result.scores],
            }
        )
    write_text(partition.path(SCORES), scores_tsv(result))
    with replacing(partition.path(STATISTICS)) as file:
        np.savez(file, statistics=np.hstack(columns), counted=np.column_stack(counted))
    systems = [
        {"name": system.name, "parser": system.parser, "rules": system.rules}
        for system in result.inputs.systems
    ]
    outcome = {"sentences": len(result), "systems": systems, "metrics": told}
    return Made((SCORES, STATISTICS), outcome)


@dataclass(frozen=True)
class Stretch:
    """Sentences of a shard: of those that count the ones from `first` up to `last`."""

    file: str
    first: int
    last: int


@dataclass(frozen=True)
class Draw:
    """How sentences are drawn: how many there are, and the trials of half-samples (0 for none).

    `largest` float64[columns] bounds their statistics. `shapes` are the numbers of systems and of
    statistics of each of the `metrics`, whose `columns` lie side by side; `pairs` of systems are to
    be compared by half-samples.
    """

    size: int
    seed: int
    trials: int
    largest: Floats
    metrics: Sequence[Metric]
    columns: Sequence[int]
    shapes: Sequence[tuple[int, int]]
    counted: int  # the column that says which sentences count
    pairs: Sequence[tuple[int, int]]


# Of all sentences, of resamples and of half-samples; and of a single block what the value of every
# system and the difference of every pair owe to single sentences, for each metric.
Owed = tuple[list[Jackknife], list[FewDifferent | None]]
Sums = tuple[Floats, Floats, Floats, list[Owed]]


def drawn(stretches: Sequence[Stretch], draw: Draw, counts: Longs, block: int | None) -> Sums:
    """On a worker: what a block of sentences adds to all sums.

    Parameters: `counts` int64[N] how many of them each resample draws; `block` its number, None for
    the only one, whose sums are those of `stats` for a corpus in memory.
    """
    rows = np.concatenate([_rows(stretch, draw) for stretch in stretches])
    exact = rounded(rows, draw.largest, draw.size)
    resampled = block_sums(exact, counts, draw.seed, block)
    halves = np.zeros((0, rows.shape[1]))
    if block is None:
        if draw.trials:
            halves = half_sample_sums(exact, draw.trials, draw.seed)
        measurements = _measurements(rows, draw)
        sums = [totals(measurement.statistics).ravel() for measurement in measurements]
        owed = [(jackknife(m), few_different(m, draw.pairs)) for m in measurements]
        return np.concatenate(sums), resampled, halves, owed
    if draw.trials:
        halves = block_half_sample_sums(exact, block, draw.size, draw.trials, draw.seed)
    return exact.sum(axis=0), resampled, halves, []


def added(*parts: Sums) -> Sums:
    """On a worker: sums put together."""
    sums = [np.sum(same, axis=0) for same in zip(*(part[:3] for part in parts), strict=True)]
    return sums[0], sums[1], sums[2], []


def _rows(stretch: Stretch, draw: Draw) -> Floats:
    try:
        with np.load(stretch.file, allow_pickle=False) as held:
            counted = np.flatnonzero(held["counted"][:, draw.counted])
            chosen = counted[stretch.first : stretch.last]
            rows: Floats = held["statistics"][chosen[:, None], draw.columns]
    except (OSError, ValueError, KeyError) as error:
        raise FormatError(
            "the statistics of a shard cannot be read", file=stretch.file, mend="run it again"
        ) from error
    return rows


def _measurements(rows: Floats, draw: Draw) -> list[Measurement]:
    """What lies side by side, laid out as in memory, so that it is added in the same order."""
    parts = np.split(rows, np.cumsum([systems * k for systems, k in draw.shapes])[:-1], axis=1)
    return [
        Measurement(np.ascontiguousarray(part.reshape(-1, *shape).swapaxes(0, 1)), metric.finish)
        for part, shape, metric in zip(parts, draw.shapes, draw.metrics, strict=True)
    ]
