"""Work on the shards of a corpus, given out to a cluster and put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.base import Metric
from preorder_eval.results.result import Sampling
from preorder_eval.results.systems import Progress, no_progress
from preorder_eval.scale.cluster import Bad, Cluster
from preorder_eval.scale.partition import Made, Partition
from preorder_eval.scale.scoring import evaluated, scored
from preorder_eval.scale.sharded import Progressed, Sharded
from preorder_eval.scale.shards import Shard
from preorder_eval.scale.statistics import STATISTICS, Draw, Stretch, added, drawn
from preorder_eval.scale.trees import parsed, selected
from preorder_eval.stats.bootstrap import Bootstrap, Interval, block_draws
from preorder_eval.stats.measurement import BLOCK
from preorder_eval.stats.significance import Pair, all_pairs, pairs_of
from preorder_eval.stats.subsets import TRIALS_PER_RESAMPLE
from preorder_eval.training.selection import SelectionCounts

Work = Callable[[Partition], Made]


class Corpus:
    """The shards of a corpus on a cluster, with a folder for what is made of them.

    Parameters: `options` are plain values, with all on which outcomes depend beside the files. With
    `skip_bad` shards that cannot be read are left out and told of.
    """

    def __init__(
        self,
        cluster: Cluster,
        shards: Sequence[Shard],
        options: Mapping[str, Any],
        out: Path,
        *,
        skip_bad: bool = False,
        progress: Progress = no_progress,
    ) -> None:
        self._cluster = cluster
        self._partitions = [Partition(shard, options, str(out.absolute())) for shard in shards]
        self._skip_bad = skip_bad
        self._progress = progress
        out.mkdir(parents=True, exist_ok=True)

    def parse(self) -> tuple[int, Progressed]:
        """Parse all shards; how many sentences they have."""
        made, progressed = self._made(parsed, "parsing shards")
        return sum(m.outcome["sentences"] for _, m in made), progressed

    def select(self) -> tuple[SelectionCounts, Progressed]:
        """Select from the n-best lists of all shards; what that came to."""
        made, progressed = self._made(selected, "selecting from shards")
        counts = SelectionCounts()
        for _, part in made:
            counts += SelectionCounts(**part.outcome)
        return counts, progressed

    def evaluate(self, metrics: Sequence[Metric], sampling: Sampling) -> Sharded:
        """Score parsers and rule sets."""
        return self._score(evaluated, metrics, sampling)

    def score(self, metrics: Sequence[Metric], sampling: Sampling) -> Sharded:
        """Score outputs."""
        return self._score(scored, metrics, sampling)

    def _made(self, work: Work, label: str) -> tuple[list[tuple[Partition, Made]], Progressed]:
        """What was made of each shard that is not bad, in the order of their names."""
        made: dict[int, Made] = {}
        bad: dict[int, str] = {}
        each = self._cluster.each(work, self._partitions, label, self._progress)
        for number, outcome in each:
            if isinstance(outcome, Bad):
                bad[number] = str(outcome)
                if not self._skip_bad:
                    name = self._partitions[number].shard.name
                    raise PreorderEvalError(
                        f"shard {name}: {outcome}; mend it, or leave bad shards out (--skip-bad)"
                    )
            else:
                made[number] = outcome
        reasons = {self._partitions[number].shard.name: bad[number] for number in sorted(bad)}
        if not made:
            raise PreorderEvalError(
                f"all shards are bad; the first: {next(iter(reasons.values()))}"
            )
        again = sum(outcome.again for outcome in made.values())
        told = Progressed(len(self._partitions), again, reasons)
        return [(self._partitions[number], made[number]) for number in sorted(made)], told

    def _score(self, work: Work, metrics: Sequence[Metric], sampling: Sampling) -> Sharded:
        made, progressed = self._made(work, "scoring shards")
        outcomes = [m.outcome for _, m in made]
        intervals: dict[int, list[Interval]] = {}
        pairs: dict[int, list[Pair]] = {}

        def which(m: int) -> tuple[str, ...]:
            return tuple(outcome["metrics"][m]["which"] for outcome in outcomes)

        # Metrics that score the same sentences are drawn together.
        for _, group in groupby(sorted(range(len(metrics)), key=which), key=which):
            numbers = list(group)
            for m, found in zip(
                numbers, self._drawn(made, numbers, metrics, sampling), strict=True
            ):
                intervals[m], pairs[m] = found
        order = range(len(metrics))
        return Sharded(
            progressed,
            sum(outcome["sentences"] for outcome in outcomes),
            sum(outcome["left_out"] for outcome in outcomes),
            outcomes[0]["systems"],
            metrics,
            [intervals[m] for m in order],
            [pairs[m] for m in order],
            [
                np.sum(
                    [outcome["metrics"][m]["cut_short"] for outcome in outcomes], axis=0
                ).tolist()
                for m in order
            ],
            sampling,
        )

    def _drawn(
        self,
        made: Sequence[tuple[Partition, Made]],
        numbers: Sequence[int],
        metrics: Sequence[Metric],
        sampling: Sampling,
    ) -> list[tuple[list[Interval], list[Pair]]]:
        """For metrics on the same sentences every system's interval, and the pairs compared."""
        told = [[outcome.outcome["metrics"][m] for m in numbers] for _, outcome in made]
        ends = list(accumulate(of_shard[0]["counted"] for of_shard in told))
        size = ends[-1]
        if not size:
            raise PreorderEvalError("no sentence has a link, nothing can be scored")
        first_outcome = made[0][1].outcome
        systems = len(first_outcome["systems"])
        widths = [systems * metric["width"] for metric in first_outcome["metrics"]]
        starts = [0, *accumulate(widths)]
        shapes = [(systems, first_outcome["metrics"][m]["width"]) for m in numbers]
        compared = sampling.against != "none" and systems > 1
        halves = compared and sampling.test != "koehn"
        by_first = [(0, s) for s in range(1, systems)]
        pairs = by_first if sampling.against == "first" else all_pairs(systems)
        draw = Draw(
            size,
            sampling.seed,
            TRIALS_PER_RESAMPLE * sampling.resamples if halves else 0,
            np.max([np.concatenate([m["largest"] for m in of_shard]) for of_shard in told], axis=0),
            [metrics[m] for m in numbers],
            [column for m in numbers for column in range(starts[m], starts[m + 1])],
            shapes,
            numbers[0],
            pairs if halves else [],
        )
        files = [str(partition.path(STATISTICS)) for partition, _ in made]
        counts = block_draws(size, sampling.resamples, sampling.seed)
        tasks = [
            (
                _stretches(files, ends, block * BLOCK, min((block + 1) * BLOCK, size)),
                draw,
                drawn_here,
                None if len(counts) == 1 else block,
            )
            for block, drawn_here in enumerate(counts)
        ]
        totals, resampled, half_samples, owed = self._cluster.total(drawn, tasks, added)
        edges = list(accumulate(systems * k for _, k in shapes))[:-1]
        found = []
        for m, shape, (jackknives, few), *sums in zip(
            numbers,
            shapes,
            owed or [((), ())] * len(numbers),
            *(np.split(s, edges, axis=-1) for s in (totals, resampled, half_samples)),
            strict=True,
        ):
            total, of_resamples, of_halves = (
                metrics[m].finish(part.reshape(*part.shape[:-1], *shape)) for part in sums
            )
            estimates = Bootstrap(total, of_resamples, jackknives)
            found.append(
                (
                    [estimates.interval(system) for system in range(systems)],
                    pairs_of(
                        total,
                        of_halves if halves else of_resamples,
                        pairs,
                        higher_is_better=metrics[m].higher_is_better,
                        test=sampling.test,
                        few=few,
                    )
                    if compared
                    else [],
                )
            )
        return found


def _stretches(files: Sequence[str], ends: Sequence[int], first: int, last: int) -> list[Stretch]:
    """Which sentences of which shards those from `first` up to `last` of a corpus are.

    `ends` says how many sentences there are up to the end of each shard.

    >>> _stretches(["a", "b", "c"], [4, 4, 10], 2, 6)
    [Stretch(file='a', first=2, last=4), Stretch(file='c', first=0, last=2)]
    """
    stretches = []
    for file, begin, end in zip(files, [0, *ends], ends, strict=False):
        if max(first, begin) < min(last, end):
            stretches.append(Stretch(file, max(first - begin, 0), min(last, end) - begin))
    return stretches
