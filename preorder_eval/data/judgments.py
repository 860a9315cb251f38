"""What people said about the outputs of systems: scores of segments, or which of two is better.

Both kinds answer the same questions: how good is each system (`system_statistics`, which add up
over segments as those of metrics do), and which of two outputs of a segment is better (`pairs`).
Scores also say how good each segment is (`means`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import described
from preorder_eval.errors import PreorderEvalError, UnknownNameError

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PairwiseJudgments:
    """N judgments of two outputs of the same segment.

    `systems` are the names of R systems, `segments` is their number S. `segment`, `first` and
    `second` (systems, by number) are int64[N]; `preferred` int64[N] is 1 where the first output
    is better, -1 where the second is and 0 for a tie; `judge` int64[N] tells judges apart.
    """

    systems: tuple[str, ...]
    segments: int
    segment: Whole
    first: Whole
    second: Whole
    preferred: Whole
    judge: Whole

    def __repr__(self) -> str:
        return described(
            "PairwiseJudgments", system=len(self.systems), segment=self.segments, pair=len(self)
        )

    def __len__(self) -> int:
        return len(self.segment)

    @property
    def judges(self) -> int:
        """The number of judges."""
        return len(np.unique(self.judge))

    def pairs(self, margin: float = 0.0) -> PairwiseJudgments:
        """The judgments themselves; they know no `margin`."""
        return self

    @cached_property
    def decided(self) -> PairwiseJudgments:
        """The judgments that are not ties."""
        return self._where(self.preferred != 0)

    def system_statistics(self) -> Floats:
        """Comparisons won, and won or lost, of each system and segment; float64[R, S, 2].

        Their quotient is the share of comparisons that a system wins, ties left out (Bojar et al.
        2011, and the rankings of WMT after that).

        >>> ones = np.ones(2, dtype=np.int64)
        >>> both = PairwiseJudgments(("a", "b"), 1, 0 * ones, 0 * ones, ones, ones, ones)
        >>> both.system_statistics()[:, 0].tolist()
        [[2.0, 2.0], [0.0, 2.0]]
        """
        decided = self.decided
        shape = len(self.systems), self.segments
        counts = np.zeros((*shape, 2))
        for system, sign in ((decided.first, 1), (decided.second, -1)):
            place = system * self.segments + decided.segment
            for column, counted in enumerate((decided.preferred == sign, None)):
                cells = np.bincount(place, counted, minlength=shape[0] * shape[1])
                counts[..., column] += cells.reshape(shape)
        return counts

    def chosen(self, systems: Sequence[str]) -> PairwiseJudgments:
        """The judgments among some systems, numbered in their order."""
        number = _numbers(self.systems, systems)
        kept = self._where((number[self.first] >= 0) & (number[self.second] >= 0))
        return replace(
            kept, systems=tuple(systems), first=number[kept.first], second=number[kept.second]
        )

    def on(self, segments: Bools) -> PairwiseJudgments:
        """The judgments of some segments, bool[S], which are numbered anew."""
        kept = self._where(segments[self.segment])
        number = np.cumsum(segments) - 1
        return replace(kept, segments=int(segments.sum()), segment=number[kept.segment])

    def _where(self, kept: Bools) -> PairwiseJudgments:
        columns = (self.segment, self.first, self.second, self.preferred, self.judge)
        return PairwiseJudgments(self.systems, self.segments, *(c[kept] for c in columns))


@dataclass(frozen=True, eq=False)
class HumanScores:
    """N scores that people gave the outputs of systems; the higher, the better.

    `systems` are the names of R systems, `segments` is their number S. `system` and `segment`
    int64[N] are counted from 0, `score` is float64[N]; `judge` int64[N] tells judges apart, all 0
    where nobody said who judged.
    """

    systems: tuple[str, ...]
    segments: int
    system: Whole
    segment: Whole
    score: Floats
    judge: Whole

    def __repr__(self) -> str:
        return described(
            "HumanScores", system=len(self.systems), segment=self.segments, score=len(self)
        )

    def __len__(self) -> int:
        return len(self.score)

    @property
    def judges(self) -> int:
        """The number of judges, 1 where nobody said who judged."""
        return len(np.unique(self.judge))

    @cached_property
    def means(self) -> Floats:
        """The mean of the scores of each segment of each system; float64[R, S], NaN if none.

        >>> zero = np.zeros(2, dtype=np.int64)
        >>> HumanScores(("a",), 2, zero, zero, np.array([1.0, 2]), zero).means.tolist()
        [[1.5, nan]]
        """
        shape = len(self.systems), self.segments
        place = self.system * self.segments + self.segment
        total = np.bincount(place, self.score, minlength=shape[0] * shape[1])
        count = np.bincount(place, minlength=shape[0] * shape[1])
        means = np.full(len(total), np.nan)
        np.divide(total, count, out=means, where=count > 0)
        return means.reshape(shape)

    def system_statistics(self) -> Floats:
        """The mean score of each segment and 1, zeros where there is none; float64[R, S, 2].

        The quotient of their sums is the mean over the judged segments of a system.
        """
        judged = ~np.isnan(self.means)
        return np.stack([np.nan_to_num(self.means), judged.astype(np.float64)], axis=-1)

    def pairs(self, margin: float = 0.0) -> PairwiseJudgments:
        """All pairs of judged outputs of the same segment, by their mean scores.

        A difference below `margin` is a tie. With a margin of 25 on raw scores from 0 to 100 these
        are the relative rankings from direct assessments (daRR) of WMT 2017 to 2020.

        >>> systems, zero = np.array([0, 1]), np.zeros(2, dtype=np.int64)
        >>> scores = HumanScores(("a", "b"), 1, systems, zero, np.array([1.0, 2]), zero)
        >>> scores.pairs().preferred.tolist(), scores.pairs(margin=2).preferred.tolist()
        ([-1], [0])
        """
        return _pairs_of_table(self.systems, self.means, margin, judge=0)

    def pairs_of_judges(self, margin: float = 0.0) -> PairwiseJudgments:
        """All pairs of outputs of a segment that the same judge scored, judge by judge.

        What a judge scores a second time is a further judgment, so that judges can be compared
        with themselves.
        """
        order = np.lexsort((np.arange(len(self)), self.segment, self.system, self.judge))
        cell = np.column_stack([self.judge, self.system, self.segment])[order]
        starts = np.flatnonzero(np.any(np.diff(cell, axis=0, prepend=-1) != 0, axis=1))
        repeat = np.empty(len(self), dtype=np.int64)
        repeat[order] = np.arange(len(self)) - np.repeat(starts, np.diff([*starts, len(self)]))
        parts = []
        for judge, time in np.unique(np.column_stack([self.judge, repeat]), axis=0).tolist():
            rows = (self.judge == judge) & (repeat == time)
            table = np.full((len(self.systems), self.segments), np.nan)
            table[self.system[rows], self.segment[rows]] = self.score[rows]
            parts.append(_pairs_of_table(self.systems, table, margin, judge))
        columns = ("segment", "first", "second", "preferred", "judge")
        joined = [np.concatenate([getattr(part, name) for part in parts]) for name in columns]
        return PairwiseJudgments(self.systems, self.segments, *joined)

    def chosen(self, systems: Sequence[str]) -> HumanScores:
        """The scores of some systems, numbered in their order."""
        number = _numbers(self.systems, systems)
        kept = self._where(number[self.system] >= 0)
        return replace(kept, systems=tuple(systems), system=number[kept.system])

    def on(self, segments: Bools) -> HumanScores:
        """The scores of some segments, bool[S], which are numbered anew."""
        kept = self._where(segments[self.segment])
        number = np.cumsum(segments) - 1
        return replace(kept, segments=int(segments.sum()), segment=number[kept.segment])

    def _where(self, kept: Bools) -> HumanScores:
        return replace(
            self,
            system=self.system[kept],
            segment=self.segment[kept],
            score=self.score[kept],
            judge=self.judge[kept],
        )


Judgments = HumanScores | PairwiseJudgments


def _pairs_of_table(
    systems: tuple[str, ...], table: Floats, margin: float, judge: int
) -> PairwiseJudgments:
    """The pairs of systems in each column of scores, float64[R, S], NaN where there is none."""
    upper, lower = np.triu_indices(len(systems), 1)
    difference = table[upper] - table[lower]
    pair, segment = np.nonzero(~np.isnan(difference))
    known = difference[pair, segment]
    return PairwiseJudgments(
        systems,
        table.shape[1],
        segment,
        upper[pair],
        lower[pair],
        np.where(np.abs(known) >= margin, np.sign(known), 0).astype(np.int64),
        np.full(len(pair), judge),
    )


def _numbers(known: Sequence[str], chosen: Sequence[str]) -> Whole:
    """The place of each known system among the chosen ones, -1 if it is not chosen."""
    for name in chosen:
        if name not in known:
            raise UnknownNameError("judged system", name, known)
    if len(set(chosen)) < len(chosen):
        raise PreorderEvalError("a system is chosen twice")
    places = {name: place for place, name in enumerate(chosen)}
    return np.array([places.get(name, -1) for name in known], dtype=np.int64)
