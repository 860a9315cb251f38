"""Human judgments of the outputs of systems: scores of segments, or which of two is better.

Both kinds answer the same questions: how good is each system (`system_statistics`), and which of
two outputs of a segment is better (`pairs`). System statistics add up over segments, as those of
metrics do. Scores also show how good each segment is (`means`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self, cast

import numpy as np

from preorder_eval.base.arrays import Bools, Floats, Longs, described
from preorder_eval.base.errors import PreorderEvalError, UnknownNameError, require_between
from preorder_eval.base.stats.unit import EACH_SENTENCE, Unit
from preorder_eval.base.visible import quantity

_ROUNDING = 1e-9  # differences below this are rounding


class _Judged:
    """N judgments of the outputs of systems, of whatever kind: a dataclass with arrays of N."""

    systems: tuple[str, ...]
    segments: int
    segment: Longs
    judge: Longs
    documents: Unit
    noun: ClassVar[str] = "judgment"  # what each is called where they are counted
    _numbers: ClassVar[tuple[str, ...]]  # the fields that are numbers of systems

    def __len__(self) -> int:
        return len(self.judge)

    def __repr__(self) -> str:
        counts = {"system": len(self.systems), "segment": self.segments, self.noun: len(self)}
        return described(type(self).__name__, **counts)

    @property
    def judges(self) -> int:
        """The number of judges; 1 if the data do not name them."""
        return len(np.unique(self.judge))

    @cached_property
    def unit(self) -> Unit:
        """What intervals and tests draw: segments, or documents if six or more have judgments."""
        judged = np.zeros(self.segments, dtype=bool)
        judged[self.segment] = True
        of_judged = self.documents.on(judged)
        return of_judged if of_judged.of is None else self.documents

    @property
    def drawn(self) -> str:
        """What intervals and tests draw, for legends: `segments`, or `documents`."""
        return "segments" if self.unit.of is None else "documents"

    @property
    def judged_units(self) -> tuple[int, str]:
        """How many of the drawn units have judgments, and what they are called."""
        return len(np.unique(self.unit.numbers(self.segments)[self.segment])), self.drawn[:-1]

    def by_documents_of(self, text: Unit) -> Self:
        """Return the judgments with the documents of the text, if it has any."""
        return self.changed(documents=text) if text.documents else self

    def require_segments(self, count: int) -> None:
        """Raise PreorderEvalError unless the judgments are of a text of `count` segments."""
        if self.segments != count:
            counted = f"{quantity(self.segments, 'segment')}, the outputs {count}"
            raise PreorderEvalError(
                f"the judgments are of {counted}; use judgments of the same text"
            )

    def chosen(self, systems: Sequence[str]) -> Self:
        """Return the judgments of these systems alone, with the systems numbered in this order."""
        for name in systems:
            if name not in self.systems:
                raise UnknownNameError("judged system", name, self.systems)
        if len(set(systems)) < len(systems):
            raise PreorderEvalError("a system is chosen twice")
        places = {name: place for place, name in enumerate(systems)}
        number = np.array([places.get(name, -1) for name in self.systems], dtype=np.int64)
        columns = {name: number[getattr(self, name)] for name in self._numbers}
        kept = np.all([column >= 0 for column in columns.values()], axis=0)
        return self.changed(systems=tuple(systems), **columns).where(kept)

    def on(self, segments: Bools) -> Self:
        """Return the judgments of some segments, bool[S]; these segments are renumbered from 0."""
        kept = self.where(segments[self.segment])
        number = np.cumsum(segments) - 1
        return kept.changed(
            segments=int(segments.sum()),
            segment=number[kept.segment],
            documents=self.documents.on(segments),
        )

    def where(self, kept: Bools) -> Self:
        """Return some of the judgments, bool[N]."""
        names = [field.name for field in fields(cast(Any, self))]
        arrays = {n: of for n in names if isinstance(of := getattr(self, n), np.ndarray)}
        arrays.pop("ratings", None)
        return self.changed(**{name: of[kept] for name, of in arrays.items()})

    def changed(self, **changed: Any) -> Self:
        judgments: Self = replace(cast(Any, self), **changed)
        return judgments


@dataclass(frozen=True, eq=False, repr=False)
class PairwiseJudgments(_Judged):
    """N judgments of two outputs of the same segment.

    `systems` are the names of R systems, `segments` is their number S. `segment`, `first` and
    `second` (systems, by number) are int64[N]; `preferred` int64[N] is 1 where the first output
    is better, -1 where the second is and 0 for a tie; `judge` int64[N] tells judges apart.
    `documents` are those of the segments.
    """

    systems: tuple[str, ...]
    segments: int
    segment: Longs
    first: Longs
    second: Longs
    preferred: Longs
    judge: Longs
    documents: Unit = EACH_SENTENCE

    noun = "pair of judged outputs"
    _numbers = ("first", "second")

    def pairs(self, margin: float = 0.0) -> PairwiseJudgments:
        """Return the judgments themselves; `margin` applies to scores only, not here."""
        return self

    @cached_property
    def decided(self) -> PairwiseJudgments:
        """The judgments that are not ties."""
        return self.where(self.preferred != 0)

    def system_statistics(self) -> Floats:
        """Count the comparisons that each system won, and that were decided; float64[R, S, 2].

        The quotient of the sums over segments is the share of its comparisons that a system wins,
        ties left out (Bojar et al. 2011, and the rankings of WMT after that).

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


@dataclass(frozen=True, eq=False, repr=False)
class HumanScores(_Judged):
    """N scores that humans gave the outputs of systems; the higher, the better.

    If lower is better, as for penalties, scores are stored negated, and `higher_is_better` is
    false.

    `systems` are the names of R systems, `segments` is their number S. `system` and `segment`
    int64[N] are counted from 0, `score` is float64[N]; `judge` int64[N] tells judges apart, and is
    0 everywhere if the data do not name them. `ratings` float64[R] are scores of whole systems, if
    the data have such; without them a system is rated by the mean over its judged segments.
    `documents` are those of the segments.
    """

    systems: tuple[str, ...]
    segments: int
    system: Longs
    segment: Longs
    score: Floats
    judge: Longs
    ratings: Floats | None = None
    higher_is_better: bool = True
    documents: Unit = EACH_SENTENCE

    _numbers = ("system",)

    def chosen(self, systems: Sequence[str]) -> Self:
        kept = super().chosen(systems)
        if self.ratings is None:
            return kept
        places = [self.systems.index(name) for name in systems]
        return kept.changed(ratings=self.ratings[places])

    @cached_property
    def means(self) -> Floats:
        """The mean of the scores of each segment of each system; float64[R, S], NaN if none.

        >>> import preorder_eval as pe
        >>> import numpy as np
        >>> zero = np.zeros(2, dtype=np.int64)
        >>> pe.HumanScores(("a",), 2, zero, zero, np.array([1.0, 2]), zero).means.tolist()
        [[1.5, nan]]
        """
        shape = len(self.systems), self.segments
        place = self.system * self.segments + self.segment
        # In an order of their own, so that the order of rows does not show in the last digit.
        order = np.lexsort((self.score, place))
        total = np.bincount(place[order], self.score[order], minlength=shape[0] * shape[1])
        count = np.bincount(place, minlength=shape[0] * shape[1])
        means = np.full(len(total), np.nan)
        np.divide(total, count, out=means, where=count > 0)
        return means.reshape(shape)

    def system_statistics(self) -> Floats:
        """Return each output's mean score and 1, or 0 and 0 if nobody judged it; float64[R, S, 2].

        The quotient of their sums over segments is the mean over the judged segments of a system.
        """
        judged = ~np.isnan(self.means)
        return np.stack([np.nan_to_num(self.means), judged.astype(np.float64)], axis=-1)

    def pairs(self, margin: float = 0.0) -> PairwiseJudgments:
        """Return all pairs of judged outputs of the same segment, by their mean scores.

        A difference of at least `margin` decides, and a smaller one is a tie. With a margin of 25
        on raw scores from 0 to 100, these are WMT's relative rankings from direct assessments
        (daRR) of 2017 to 2020.

        >>> import preorder_eval as pe
        >>> import numpy as np
        >>> systems, zero = np.array([0, 1]), np.zeros(2, dtype=np.int64)
        >>> scores = pe.HumanScores(("a", "b"), 1, systems, zero, np.array([1.0, 2]), zero)
        >>> scores.pairs().preferred.tolist(), scores.pairs(margin=2).preferred.tolist()
        ([-1], [0])
        """
        pairs = _pairs_of_table(self.systems, self.means, margin, judge=0)
        return pairs.changed(documents=self.documents)

    def pairs_of_judges(self, margin: float = 0.0) -> PairwiseJudgments:
        """Return all pairs of outputs of a segment that the same judge scored, judge by judge.

        If a judge scores an output twice, the second time counts as a further judgment, so that
        judges can be compared with themselves.
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
        joined = (np.concatenate([getattr(part, name) for part in parts]) for name in columns)
        segment, first, second, preferred, judges = joined
        return PairwiseJudgments(
            self.systems, self.segments, segment, first, second, preferred, judges
        )


Judgments = HumanScores | PairwiseJudgments


def _pairs_of_table(
    systems: tuple[str, ...], table: Floats, margin: float, judge: int
) -> PairwiseJudgments:
    """Return the pairs of systems in each column of scores, float64[R, S]; NaN for none.

    A pair is decided if its scores differ by at least the margin, up to rounding.
    """
    require_between("margin", margin, 0)
    upper, lower = np.triu_indices(len(systems), 1)
    difference = table[upper] - table[lower]
    pair, segment = np.nonzero(~np.isnan(difference))
    known = difference[pair, segment]
    decided = np.abs(known) >= max(margin - _ROUNDING, _ROUNDING)
    return PairwiseJudgments(
        systems,
        table.shape[1],
        segment,
        upper[pair],
        lower[pair],
        np.where(decided, np.sign(known), 0).astype(np.int64),
        np.full(len(pair), judge),
    )
