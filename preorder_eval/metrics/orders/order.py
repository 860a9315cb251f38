"""Order metrics: the similarity of a system's order of the source words to a reference order.

Every one is a loss over the largest loss possible, 1 - loss / worst, on M words:

=========  ========================================================  ===========================
hamming    words out of place / M                                    Birch & Osborne 2010, 2.1
footrule   Σ|d| / ⌊M² / 2⌋, d a word's distance from its place       Diaconis & Graham 1977
spearman   (1 - ρ) / 2, ρ the correlation of the places (NSR)        Isozaki et al. 2010
kendall    inversions / pairs, (1 - τ) / 2 (NKT)                     Birch & Osborne 2010, 2.2
ulam       words to move, M - longest increasing subsequence / M - 1 Ulam 1972
exact      1 unless the order is one that the reference allows       Talbot et al. 2011
=========  ========================================================  ===========================

(`fuzzy`, the fuzzy reordering score, has a module of its own.)

A reference may leave words *tied*, in one group: their order is free. Each metric takes the best
order that the ties allow, with two exceptions. In `spearman` tied words share the middle of their
places; `kendall` does not count tied pairs. An order of one word, or all tied, scores 1.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from preorder_eval.base.arrays import Floats, Longs, Offsets, blocks, sums, within
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.visible import quantity
from preorder_eval.metrics.base import Metric, Scores, quiet
from preorder_eval.metrics.needs import SystemInputs
from preorder_eval.metrics.orders.inversions import inversions, longest_rises
from preorder_eval.orders.orders import (
    Alternatives,
    Orders,
    ReferenceOrders,
    SourceWords,
    aligned_only,
)

Losses = NDArray[np.bool_] | NDArray[np.integer[Any]] | NDArray[np.floating[Any]]

_BLOCK = 1 << 17  # tokens at a time: about what the processor's cache holds


@dataclass(frozen=True)
class OrderMetric(Metric):
    """A metric that compares a system order with a reference order.

    A subclass defines the losses and the largest losses possible (`losses`). One that reports a
    function of 1 - loss / worst, such as `kendall(root=true)`, overrides `rescale`.

    Parameters: `average="sentence"` (mean of the sentence scores) or `"pooled"` (losses and worst
    losses summed over the corpus). `unaligned="attach"` puts unaligned source words beside their
    neighbours, as in section 3.1 of Talbot et al. 2011; `"drop"` omits them from both orders. With
    several reference orders of a sentence, `references="best"` takes the highest score (the first
    on a tie), `"mean"` the average, and `"first"` the first one.
    """

    needs: ClassVar[tuple[str, ...]] = ("orders", "reference_orders")
    whole_corpus: ClassVar[bool] = False

    average: Literal["sentence", "pooled"] = quiet("sentence")
    unaligned: Literal["attach", "drop"] = quiet("attach")
    references: Literal["best", "mean", "first"] = quiet("best")

    @abstractmethod
    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Losses, Losses]:
        """Return the loss of each sentence, and the largest loss possible; numbers [S] each."""

    def rescale(self, score: Floats) -> Floats:
        """Turn 1 - loss / worst, of sentences or of pooled counts, into the score."""
        return score

    def score(
        self,
        orders: Orders | Iterable[Sequence[int]],
        references: ReferenceOrders | Alternatives | Iterable[Sequence[Iterable[int]]],
        words: SourceWords | Sequence[Sequence[str]] | None = None,
    ) -> Scores:
        """Score system orders against reference orders.

        Parameters: `orders` one permutation of source positions per sentence; `references` one
        sequence of groups of source positions per sentence, or `Alternatives`; `words` the source
        words, needed where words are matched as words (without them every token is its own word).

        Returns `Scores`; raises PreorderEvalError where lengths differ.
        """
        if not isinstance(orders, Orders):
            orders = Orders.of(orders)
        if not isinstance(references, ReferenceOrders | Alternatives):
            references = ReferenceOrders.of(references)
        if words is not None and not isinstance(words, SourceWords):
            words = SourceWords.of(words)
        return self.scores_of(self.statistics(orders, references, words))

    def statistics_of(self, inputs: SystemInputs) -> Floats:
        return self.statistics(inputs.orders, inputs.reference_orders, inputs.words)

    def statistics(
        self,
        orders: Orders,
        references: ReferenceOrders | Alternatives,
        words: SourceWords | None = None,
    ) -> Floats:
        """Return additive statistics; those of a sentence without links are zeros.

        They are float64[S, 2], the scores and the sentences counted; if pooled float64[S, 3], what
        was kept, what could be lost, and the sentences counted. Raises PreorderEvalError if lengths
        differ.
        """
        same_lengths(orders.offsets, references.offsets, "references")
        if words is not None:
            same_lengths(orders.offsets, words.offsets, "words")
        if isinstance(references, Alternatives) and self.references == "first":
            references = references.firsts
        if isinstance(references, Alternatives):
            each = self._of_each(orders, references, words)
            if self.references == "best":
                return each[references.best(self.finish(each))]
            informative = references.references.informative
            counted = np.add.reduceat(informative, references.first, dtype=np.int64)
            total: Floats = np.add.reduceat(each, references.first)
            return total / np.maximum(counted, 1)[:, None]
        parts = []
        for first, last in blocks(orders.offsets, _BLOCK):
            part = references.part(first, last)
            losses = self.counted_losses(
                orders.part(first, last), part, words and words.part(first, last)
            )
            parts.append(self.of_losses(*losses) * part.informative[:, None])
        return np.concatenate(parts) if parts else self.of_losses(np.zeros(0), np.zeros(0))

    def nearest(self, orders: Orders, references: Alternatives, words: SourceWords | None) -> Longs:
        """Return the number of the reference order that each sentence is compared with in detail.

        That is the best one, also if scores are means over all of them; with `references="first"`
        it is the first. Numbers count all reference orders of the corpus.
        """
        if self.references == "first":
            return references.first
        return references.best(self.finish(self._of_each(orders, references, words)))

    def chosen(
        self, orders: Orders, references: ReferenceOrders | Alternatives, words: SourceWords | None
    ) -> ReferenceOrders:
        """Return the `nearest` reference order of each sentence."""
        if not isinstance(references, Alternatives):
            return references
        return references.references.take(self.nearest(orders, references, words))

    def _of_each(self, orders: Orders, several: Alternatives, words: SourceWords | None) -> Floats:
        """Return the statistics by every reference order; float64[K, k]."""
        whose = several.sentence
        return self.statistics(
            orders.take(whose), several.references, None if words is None else words.take(whose)
        )

    def counted_losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Floats, Floats]:
        """Return the `losses` over the words that count; float64[S] each."""
        if self.unaligned == "drop":
            orders, references, words = aligned_only(orders, references, words)
        loss, worst = self.losses(orders, references, words)
        return loss.astype(np.float64), worst.astype(np.float64)

    def of_losses(self, loss: Floats, worst: Floats) -> Floats:
        """Turn losses and the largest possible ones into statistics; float64[S, k]."""
        sentences = np.ones_like(loss)
        if self.average == "pooled":
            return np.column_stack([worst - loss, worst, sentences])
        lost = np.divide(loss, worst, out=np.zeros_like(loss), where=worst > 0)
        return np.column_stack([self.rescale(1 - lost), sentences])

    def finish(self, statistics: Floats) -> Floats:
        kept, possible, sentences = (statistics[..., column] for column in (0, 1, -1))
        # Pooled over one-word sentences alone, nothing could be lost.
        score = np.divide(kept, possible, out=np.ones_like(kept), where=possible > 0)
        if self.average == "pooled":
            score = self.rescale(score)
        return np.where(sentences > 0, score, np.nan)


@dataclass(frozen=True)
class Hamming(OrderMetric):
    """Share of the words that stand in their place.

    A tied word is in place anywhere in the span of places that its group has. No order of the ties
    can do better: words of the group that the system puts into the span can all stay where they
    are.

    >>> Hamming().score([[1, 0, 2]], [[[0], [1], [2]]]).corpus
    0.33333333333333337
    """

    name: ClassVar[str] = "hamming"
    short_name: ClassVar[str] = "Hamming"
    paper: ClassVar[str] = "Birch & Osborne 2010"
    equation: ClassVar[str] = "section 2.1: 1 − words out of place / M"

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Losses, Losses]:
        first, size = (values[orders.tokens] for values in stretches(references))
        place = np.arange(len(first))
        misplaced = (place < first) | (place >= first + size)
        return sums(misplaced, orders.offsets), np.diff(orders.offsets)


@dataclass(frozen=True)
class Footrule(OrderMetric):
    """The distance of words from their places, as a share of the largest possible.

    ⌊M² / 2⌋ is the sum for a reversed order, the largest there is; it stays that of M words without
    ties. The sum is smallest for the order that leaves tied words as the system has them. Crossing
    two of them on the way to their places never makes the way shorter.

    >>> Footrule().score([[1, 0, 2]], [[[0], [1], [2]]]).corpus
    0.5
    """

    name: ClassVar[str] = "footrule"
    paper: ClassVar[str] = "Diaconis & Graham 1977"
    equation: ClassVar[str] = "1 − Σ|d| / ⌊n² / 2⌋"

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Losses, Losses]:
        first, _ = stretches(references)
        place = np.arange(len(first))
        # Where the word of each reference place stands: sorted by group, then by system place, as
        # one number, since sorting numbers is faster than indices.
        bits = len(first).bit_length()
        in_reference = np.sort(first[orders.tokens] << bits | place) & ((1 << bits) - 1)
        distances = sums(np.abs(in_reference - place), orders.offsets)
        return distances, np.diff(orders.offsets) ** 2 // 2


@dataclass(frozen=True)
class Spearman(OrderMetric):
    """The correlation of the words' places in the two orders, moved from -1 … 1 to 0 … 1.

    Without ties ρ = 1 - Σd² / C(M + 1, 3), d the distance of a word from its place. With ties, tied
    words share the middle of their places (their mid-rank) and ρ is Pearson's correlation. The
    system order has no ties, so it never correlates perfectly with a tied reference: 0.866 at best
    with `{{ a b }} c`.

    Pooled, ρ is the sum of the covariances over that of the largest ones possible, the products of
    the standard deviations. Without ties that is 1 - ΣΣd² / ΣC(M + 1, 3).

    >>> Spearman().score([[2, 1, 0, 3]], [[[0], [1], [2], [3]]]).corpus
    0.6
    """

    name: ClassVar[str] = "spearman"
    short_name: ClassVar[str] = "ρ"
    paper: ClassVar[str] = "Isozaki et al. 2010"
    equation: ClassVar[str] = "NSR = (ρ + 1) / 2"

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Losses, Losses]:
        offsets = orders.offsets
        length = np.repeat(np.diff(offsets), np.diff(offsets))
        start = np.repeat(offsets[:-1], np.diff(offsets))
        first, size = (values[orders.tokens] for values in stretches(references))
        # Twice the distance from the middle of the sentence, so that all sums are whole numbers.
        system = 2 * within(offsets) - (length - 1)
        reference = 2 * (first - start) + (size - 1) - (length - 1)
        covariance = sums(system * reference, offsets)
        variances = sums(system**2, offsets).astype(np.float64) * sums(reference**2, offsets)
        largest = np.sqrt(variances)
        return largest - covariance, 2 * largest


@dataclass(frozen=True)
class Kendall(OrderMetric):
    """Share of the pairs of words that stand in the reference's order; a tied pair is not counted.

    Parameters: `root=True` reports 1 - √(1 - score), more sensitive to small reorderings (Birch et
    al. 2010, read as in Isozaki et al. 2010, Table 3). For the mean of sentences the root is of
    each sentence's distance; for pooled counts, of the corpus's.

    As tied pairs are omitted, the score is not that of the best order that the ties allow. Both
    untied pairs below are inverted, but against 2 1 0, which they allow, one of three is right.

    >>> Kendall().score([[1, 0, 2]], [[[0], [1], [2]]]).corpus
    0.6666666666666667
    >>> Kendall().score([[1, 0, 2]], [[[2], [0, 1]]]).corpus
    0.0
    >>> Kendall(root=True).score([[7, 0, 1, 2, 3, 4, 5, 6]], [[[i] for i in range(8)]]).corpus
    0.5
    """

    name: ClassVar[str] = "kendall"
    short_name: ClassVar[str] = "τ"
    paper: ClassVar[str] = "Birch & Osborne 2010; Isozaki et al. 2010"
    equation: ClassVar[str] = "1 − inversions / pairs of different rank"

    root: bool = quiet(False)

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Losses, Losses]:
        inverted = inversions(references.ranks[orders.tokens], orders.offsets)
        lengths, (_, size) = np.diff(references.offsets), stretches(references)
        others = lengths * (lengths - 1) - sums(size - 1, references.offsets)  # of other groups
        return inverted, others // 2

    def rescale(self, score: Floats) -> Floats:
        return 1 - np.sqrt(1 - score) if self.root else score


@dataclass(frozen=True)
class Ulam(OrderMetric):
    """Share of the words that can stay while the others are moved, not counting the first.

    Among tied words the system's order is allowed. So the longest subsequence of ranks that never
    falls is the longest over all orders that the ties allow.

    >>> Ulam().score([[1, 2, 3, 4, 0]], [[[0], [1], [2], [3], [4]]]).corpus
    0.75
    """

    name: ClassVar[str] = "ulam"
    short_name: ClassVar[str] = "Ulam"
    paper: ClassVar[str] = "Ulam 1972"
    equation: ClassVar[str] = "(longest increasing subsequence − 1) / (n − 1)"

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Losses, Losses]:
        lengths = np.diff(orders.offsets)
        kept = longest_rises(references.ranks[orders.tokens], orders.offsets)
        return (lengths - kept), np.maximum(lengths - 1, 0)


@dataclass(frozen=True)
class Exact(OrderMetric):
    """Share of the sentences in the reference's order.

    >>> Exact().score([[1, 0, 2], [1, 0, 2]], [[[0, 1], [2]], [[0], [1], [2]]]).corpus
    0.5
    """

    name: ClassVar[str] = "exact"
    paper: ClassVar[str] = "Talbot et al. 2011 (reference orders)"
    equation: ClassVar[str] = "1 if no word precedes a word of an earlier group, else 0"

    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Losses, Losses]:
        ranks = references.ranks[orders.tokens]
        sentence = np.repeat(np.arange(len(orders.offsets) - 1), np.diff(orders.offsets))
        falls = sentence[1:][(np.diff(ranks) < 0) & (np.diff(sentence) == 0)]
        wrong = np.bincount(falls, minlength=len(orders.offsets) - 1) > 0
        return wrong, np.ones(len(wrong))


def stretches(references: ReferenceOrders) -> tuple[Longs, Longs]:
    """Return for every token the first place that it can take in the reference, and how many.

    A group of tied tokens shares a span of places, and each of its tokens can stand anywhere in it.
    Returns int64[N] each; places are numbered through the whole corpus.

    >>> [x.tolist() for x in stretches(ReferenceOrders.of([[[2], [0, 1]], [[0]]]))]
    [[1, 1, 0, 3], [2, 2, 1, 1]]
    """
    group = references.ranks + np.repeat(references.offsets[:-1], np.diff(references.offsets))
    size = np.bincount(group, minlength=len(group))
    first = np.cumsum(size) - size
    return first[group], size[group]


def same_lengths(orders: Offsets, other: Longs, what: str) -> None:
    """Raise PreorderEvalError unless both sides have the same number of tokens per sentence."""
    if len(orders) != len(other):
        raise PreorderEvalError(
            f"{quantity(len(orders) - 1, 'order')}, but {what} of "
            f"{quantity(len(other) - 1, 'sentence')}"
        )
    different = np.flatnonzero(np.diff(orders) != np.diff(other))
    if different.size:
        s = int(different[0])
        raise PreorderEvalError(
            f"sentence {s + 1}: the order has {quantity(orders[s + 1] - orders[s], 'token')}, "
            f"the {what} {other[s + 1] - other[s]}"
        )
