"""The result of scoring shards: values with intervals, and what was found of each shard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from preorder_eval.formats.tables import Table, known
from preorder_eval.formats.text_table import format_table
from preorder_eval.metrics.base import Metric
from preorder_eval.results.notes import lower_is_better, marks_legend
from preorder_eval.results.result import Sampling
from preorder_eval.results.text import format_ends, format_interval, format_p
from preorder_eval.stats.bootstrap import Interval
from preorder_eval.stats.significance import Difference, Pair

_PAIR = ["difference", "low_95", "high_95", "low_90", "high_90", "significance", "p"]


@dataclass(frozen=True)
class Progressed:
    """What became of the shards of a corpus: how many there are, were made before, and are bad.

    `bad` has for the name of a shard that was left out the reason.
    """

    shards: int
    again: int
    bad: Mapping[str, str]

    def summary(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {"shards": self.shards, "made_before": self.again, "bad": dict(self.bad)}

    def __repr__(self) -> str:
        lines = [f"{self.shards} shards, {self.again} of them made before"]
        if self.bad:
            lines.append(f"left out: {len(self.bad)} that could not be read")
            lines += [f"  {name}: {reason}" for name, reason in self.bad.items()]
        return "\n".join(lines)


@dataclass(frozen=True)
class Sharded:
    """Systems scored on the sentences of shards; `intervals` and `pairs` are by metric.

    `left_out` counts the sentences without links, `systems` have a name, a parser and rules.
    """

    progressed: Progressed
    sentences: int
    left_out: int
    systems: Sequence[Mapping[str, str]]
    metrics: Sequence[Metric]
    intervals: Sequence[Sequence[Interval]]
    pairs: Sequence[Sequence[Pair]]
    cut_short: Sequence[Sequence[int]]
    sampling: Sampling

    def summary(self) -> dict[str, Any]:
        """Everything as plain values, under the names that `Result.summary` has."""
        sampling = self.sampling
        systems = []
        for s, system in enumerate(self.systems):
            scores: dict[str, Any] = {}
            for metric, intervals, cut in zip(
                self.metrics, self.intervals, self.cut_short, strict=True
            ):
                ends = {name: known(getattr(intervals[s], name)) for name in _ENDS}
                scores[str(metric)] = ends | ({"cut_short": cut[s]} if cut[s] else {})
            named = {"system": system["name"], "parser": system["parser"], "rules": system["rules"]}
            systems.append({**named, "scores": scores})
        values = {
            **self.progressed.summary(),
            "sentences": self.sentences,
            "left_out": self.left_out,
            "metrics": list(map(str, self.metrics)),
            "bootstrap": {"level": 0.95, "resamples": sampling.resamples, "seed": sampling.seed},
            "systems": systems,
        }
        if any(self.pairs):
            header, rows = self.pairs_table()
            pairs = [dict(zip(header, row, strict=True)) for row in rows]
            values["significance"] = {"test": sampling.test, "pairs": pairs}
        return values

    def tables(self) -> list[Table]:
        """A row for each system and metric, and one for each pair that was compared."""
        header = ["metric", "system", *_ENDS]
        rows: list[list[object]] = [
            [str(metric), system["name"], *(known(getattr(interval, name)) for name in _ENDS)]
            for metric, intervals in zip(self.metrics, self.intervals, strict=True)
            for system, interval in zip(self.systems, intervals, strict=True)
        ]
        return [(header, rows), *([self.pairs_table()] if any(self.pairs) else [])]

    def pairs_table(self) -> Table:
        """Header and rows of all pairs of systems that were compared, by every metric."""
        rows: list[list[object]] = [
            [
                str(metric),
                *(self.systems[i]["name"] for i in (pair.first, pair.second)),
                *difference_cells(pair.difference),
                known(pair.p_holm),
            ]
            for metric, pairs in zip(self.metrics, self.pairs, strict=True)
            for pair in pairs
        ]
        return ["metric", "first", "second", *_PAIR, "p_holm"], rows

    def __repr__(self) -> str:
        rows = [
            [str(metric) if s == 0 else "", system["name"], format_interval(intervals[s])]
            for metric, intervals in zip(self.metrics, self.intervals, strict=True)
            for s, system in enumerate(self.systems)
        ]
        sampling = self.sampling
        drawn = f"{sampling.resamples} bootstrap resamples, seed {sampling.seed}"
        notes = [
            f"{self.sentences} sentences, {self.left_out} of them without links left out"
            if self.left_out
            else f"{self.sentences} sentences",
            repr(self.progressed),
            f"score [95 % interval from {drawn}]",
            *lower_is_better(self.metrics),
            *self._cut_short(),
        ]
        parts = [format_table(["metric", "system", "score"], rows)]
        if any(self.pairs):
            parts += [
                self._differences(),
                marks_legend(sampling.test, sampling.resamples, sampling.seed),
            ]
        return "\n\n".join([*parts, "\n".join(notes)])

    def _differences(self) -> str:
        rows = []
        for metric, pairs in zip(self.metrics, self.pairs, strict=True):
            for number, pair in enumerate(pairs):
                difference = pair.difference
                first, second = (self.systems[i]["name"] for i in (pair.first, pair.second))
                rows.append(
                    [
                        str(metric) if number == 0 else "",
                        f"{second} - {first}",
                        f"{difference.value:+.4f}",
                        format_ends(difference.at_95),
                        difference.mark,
                        format_p(difference.p),
                    ]
                )
        header = ["metric", "systems", "difference", "95 % interval", "", "p"]
        return format_table(header, rows)

    def _cut_short(self) -> list[str]:
        return [
            f"{metric.name}: {sum(cut)} outputs were not searched to the end; their scores may be "
            "too bad"
            for metric, cut in zip(self.metrics, self.cut_short, strict=True)
            if sum(cut)
        ]


def difference_cells(difference: Difference) -> list[object]:
    """Return a difference, its intervals, its mark and p as plain values."""
    at_95, at_90 = difference.at_95, difference.at_90
    ends = [known(end) for end in (at_95.low, at_95.high, at_90.low, at_90.high)]
    return [known(difference.value), *ends, difference.mark, known(difference.p)]


_ENDS = ("value", "low", "high")
