"""Rank correlations of the words that an output shares with its reference: NKT, NSR and RIBES.

Isozaki et al. (2010), section 2: words are aligned one to one by their context (Figure 1,
`align_by_context`), and renumbered by rank. NKT = (τ + 1) / 2 is the share of aligned pairs that
stand in the reference's order. NSR = (ρ + 1) / 2 weighs how far words have moved. So it punishes a
misplaced clause harder than a misplaced word.

The correlation of few words may be high by chance, and ignores unaligned words. It is multiplied
with a power of a *modifier* (sections 2.3 and 4.2). This is precision P = c / |h|, recall
R = c / |r|, F_β (c counts the aligned words) or BLEU's sentence brevity penalty. Table 1 reports
how each of them agrees with human judgments by itself: the metric `modifier`. `precision`, `recall`
and `fmeasure` differ: they count words in common wherever they stand. Section 5 and Table 3 take
functions of the value: √NKT is `power=0.5`, Birch et al.'s b(NKT) = 1 - √(1 - NKT) is `root=true`.

RIBES as released, version 1.03.1, is a later definition (Hirao et al. 2014). The context of
repeated words is widened to longer n-grams, left first and then right. RIBES.py refuses an empty
reference, as commands do here, or with its option -z omits it, as here beside others.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from preorder_eval.base.arrays import Floats, Ints, Longs, offsets_of, sums
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.metrics.base import limited, quiet
from preorder_eval.metrics.orders.inversions import inversions
from preorder_eval.metrics.outputs.lexical import SentenceMetric, WordMetric, f_measure
from preorder_eval.metrics.outputs.ngrams import renumbered
from preorder_eval.metrics.segments import Segments, Tokens

Modifier = Literal["precision", "recall", "fmeasure", "bp"]


@dataclass(frozen=True)
class ContextMetric(SentenceMetric):
    """A metric of the words that are aligned by their context; the best of several references."""

    paper: ClassVar[str] = "Isozaki et al. 2010"
    released: ClassVar[bool] = False  # as in `align_by_context`

    @abstractmethod
    def correlation(self, order: WordOrder) -> Floats:
        """Return the correlation between 0 and 1 of each sentence's word order; float64[S]."""

    @abstractmethod
    def weighed(self, factors: Floats) -> Floats:
        """Score the `factors` of sentences: float64[4, …] to float64[…]."""

    def factors(self, segments: Segments) -> Floats:
        """Return correlation, P, R and BP of some segments, prepared already; float64[4, R, S]."""
        orders = [
            WordOrder.of(segments.hypotheses, each, self.released) for each in segments.references
        ]
        return np.stack([[self.correlation(order), *order.modifiers()] for order in orders], axis=1)

    def sentence_scores(self, segments: Segments) -> Floats:
        return self.weighed(self.factors(segments)).max(axis=0)


@dataclass(frozen=True)
class Factors(WordMetric):
    """The factors of another metric, averaged before its weights are applied.

    So `tune` can change the weights at no cost. The score of a segment is that of the metric; the
    score of a system is computed from its mean factors.
    """

    name: ClassVar[str] = "factors"

    of: ContextMetric = field(kw_only=True)

    def statistics(self, segments: Segments) -> Floats:
        """Return the factors for each reference, NaN without one, and one segment counted."""
        parts = self.of.prepared(segments).blocks()
        factors = np.concatenate([self.of.factors(part) for part in parts], axis=2)
        there = np.stack([each.lengths > 0 for each in segments.references])
        factors[:, ~there & there.any(axis=0)] = np.nan
        return np.column_stack([*factors.reshape(-1, len(segments)), np.ones(len(segments))])

    def by_references(self, segments: Segments) -> Floats:
        return self.statistics(segments)

    def finish(self, statistics: Floats) -> Floats:
        means = np.moveaxis(statistics[..., :-1] / statistics[..., -1:], -1, 0)
        factors = np.ascontiguousarray(means).reshape(4, -1, *statistics.shape[:-1])
        return np.fmax.reduce(self.of.weighed(factors))


def modifier(kind: Modifier, factors: Floats, beta: float = 1.0) -> Floats:
    """Return P, R, BP or the weighted harmonic mean of P and R, (1 + β²) P R / (β² P + R)."""
    _, precision, recall, penalty = factors
    if kind == "fmeasure":
        return f_measure(recall, precision, beta)
    return {"precision": precision, "recall": recall, "bp": penalty}[kind]


@dataclass(frozen=True)
class RankCorrelation(ContextMetric):
    """A rank correlation of the aligned words, times a modifier^`alpha`, times BP if `bp`.

    With `root=True` the product x becomes 1 - √(1 - x). The result is raised to `power`.
    """

    alpha: float = limited(0.0, 0, 1)
    bp: bool = False
    modifier: Literal["precision", "recall", "fmeasure"] = quiet("precision")
    beta: float = quiet(limited(1.0, 0))
    root: bool = quiet(False)
    power: float = quiet(limited(1.0, 0.01))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beta != 1 and self.modifier != "fmeasure":
            raise PreorderEvalError(f"metric {self.name}: beta needs modifier=fmeasure")

    def weighed(self, factors: Floats) -> Floats:
        score = factors[0] * modifier(self.modifier, factors, self.beta) ** self.alpha
        if self.bp:
            score = score * modifier("bp", factors)
        if self.root:
            score = 1 - np.sqrt(1 - score)
        return score**self.power


@dataclass(frozen=True)
class NormalizedKendall(RankCorrelation):
    """Share of the aligned word pairs in the reference's order, times P^`alpha`, or times BP.

    0 with fewer than two aligned words, also where a side is empty. Parameters: `alpha` from 0
    (not weighted) to 1; `bp=True` multiplies with the brevity penalty; `modifier="recall"` or
    `"fmeasure"` (with `beta`) stands in the place of P; `root` and `power` as in Table 3.

    >>> NormalizedKendall().score(["Bob hit John yesterday"], ["John hit Bob yesterday"]).corpus
    0.5
    """

    name: ClassVar[str] = "nkt"
    short_name: ClassVar[str] = "NKT"
    equation: ClassVar[str] = "(τ + 1) / 2 · P^α (section 2; alignment of Figure 1)"

    def correlation(self, order: WordOrder) -> Floats:
        return order.kendall()


@dataclass(frozen=True)
class NormalizedSpearman(RankCorrelation):
    """Spearman's ρ of the aligned words' places as (ρ + 1) / 2, times P^`alpha`, or times BP.

    0 with fewer than two aligned words, also where a side is empty. Parameters: those of `nkt`.

    >>> NormalizedSpearman().score(["Bob hit John yesterday"], ["John hit Bob yesterday"]).corpus
    0.6
    """

    name: ClassVar[str] = "nsr"
    short_name: ClassVar[str] = "NSR"
    equation: ClassVar[str] = "(ρ + 1) / 2 · P^α (section 2; alignment of Figure 1)"

    def correlation(self, order: WordOrder) -> Floats:
        return order.spearman()


@dataclass(frozen=True)
class NktModifier(ContextMetric):
    """P, R or F_β of the words that Figure 1 aligns, or the brevity penalty; 0 to 1.

    Parameters: `kind`, `precision`, `recall`, `fmeasure` (with `beta`) or `bp`. 0 where a side is
    empty (but `bp` is 1 beside an empty reference). The corpus value is the mean of the sentences.

    >>> NktModifier("precision").score(["the book was read by the boy"], ["the boy read the book"])
    <Scores modifier(kind=precision,tokenize=13a): 0.714 over 1 sentences>
    """

    name: ClassVar[str] = "modifier"
    equation: ClassVar[str] = "c / |h|, c / |r|, F_β or BP (section 2.3; alignment of Figure 1)"

    kind: Modifier = "precision"
    beta: float = quiet(limited(1.0, 0))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beta != 1 and self.kind != "fmeasure":
            raise PreorderEvalError(f"metric {self.name}: beta needs kind=fmeasure")

    def correlation(self, order: WordOrder) -> Floats:
        return np.ones(len(order.count))

    def weighed(self, factors: Floats) -> Floats:
        return modifier(self.kind, factors, self.beta)


@dataclass(frozen=True)
class Ribes(ContextMetric):
    """Share of aligned word pairs in the reference's order, times P^`alpha`, times BP^`beta`.

    0 with fewer than two aligned words (unless the reference is a single word), also where a side
    is empty. The corpus value is the mean of the sentences. Lower-cases unless `lower=False`
    (RIBES.py's -c).

    >>> round(Ribes().score(["he ate the red fish"], ["The fish he ate"]).corpus, 6)
    0.315247
    """

    name: ClassVar[str] = "ribes"
    short_name: ClassVar[str] = "RIBES"
    equals: ClassVar[Mapping[str, str]] = {"ribes-1.03.1": ""}
    paper: ClassVar[str] = "Isozaki et al. 2010; Hirao et al. 2014; RIBES 1.03.1"
    equation: ClassVar[str] = "NKT · P^α · BP^β"
    released: ClassVar[bool] = True

    alpha: float = limited(0.25, 0, 10**6)
    beta: float = limited(0.1, 0, 10**6)
    lower: bool = quiet(True, stated=True)

    def correlation(self, order: WordOrder) -> Floats:
        one_word = (order.count == 1) & (order.references.lengths == 1)
        return np.where(one_word, 1.0, order.kendall())

    def weighed(self, factors: Floats) -> Floats:
        kendall, precision, _, penalty = factors
        return kendall * precision**self.alpha * penalty**self.beta


@dataclass(frozen=True, eq=False)
class WordOrder:
    """The aligned words of all hypotheses.

    `count` int64[S] is how many there are in each; `ranks` int32[n], counted from 0 in each
    sentence, equal for equal places; `places` int64[n] the place of each aligned word in the
    references; `shared` int64[m] for every place of the references how many words stand for it.

    Two words that stand for the same place are no increasing pair, and share the mean of their
    ranks.
    """

    count: Longs
    ranks: Ints
    places: Longs
    shared: Longs
    hypotheses: Tokens
    references: Tokens

    @classmethod
    def of(cls, hypotheses: Tokens, references: Tokens, released: bool) -> WordOrder:
        """Align words (parameters as in `align_by_context`) and rank their places."""
        aligned = align_by_context(hypotheses, references, released)
        count = sums(aligned >= 0, hypotheses.offsets)
        places = aligned[aligned >= 0]
        shared = np.bincount(places, minlength=len(references.codes))
        taken = np.concatenate([[0], np.cumsum(shared > 0)])
        ranks = taken[places] - np.repeat(taken[references.offsets[:-1]], count)
        return cls(count, ranks.astype(np.int32), places, shared, hypotheses, references)

    def kendall(self) -> Floats:
        """Return the share of pairs that increase, (τ + 1) / 2; 0 with fewer than two words."""
        pairs = self.count * (self.count - 1) // 2
        not_increasing = inversions(self.ranks, offsets_of(self.count))
        not_increasing += sums(self.shared * (self.shared - 1) // 2, self.references.offsets)
        return (pairs - not_increasing) / np.maximum(pairs, 1)

    def spearman(self) -> Floats:
        """Return (ρ + 1) / 2 with ρ = 1 - Σd² / C(n + 1, 3); 0 with fewer than two words."""
        # Twice the rank, to stay with whole numbers where a shared place gives halves.
        before = np.cumsum(self.shared) - self.shared
        twice = 2 * before[self.places] + self.shared[self.places] - 1
        difference = twice - 2 * np.arange(len(twice))
        squares = sums(difference**2, offsets_of(self.count)) / 4
        n = self.count
        rho = 1 - squares / np.maximum((n + 1) * n * (n - 1) // 6, 1)
        return np.where(n > 1, (rho + 1) / 2, 0.0)

    def modifiers(self) -> tuple[Floats, Floats, Floats]:
        """Return P, R and BP of the aligned words, by section 2.3; float64[S] each.

        Of two words that stand for the same place one counts in R. BP is exp(1 - r/h) for a
        hypothesis shorter than its reference, else 1; and 0 for an empty one.
        """
        lengths = np.maximum(self.hypotheses.lengths, 1)
        penalty = np.exp(np.minimum(1 - self.references.lengths / lengths, 0))
        places = sums(self.shared > 0, self.references.offsets)
        recall: Floats = places / np.maximum(self.references.lengths, 1)
        return self.count / lengths, recall, np.where(self.hypotheses.lengths > 0, penalty, 0.0)


def align_by_context(hypotheses: Tokens, references: Tokens, released: bool) -> Longs:
    """Return for every hypothesis token the flat index of its reference token, -1 for none.

    A word that occurs once in the hypothesis and once in the reference is aligned. Any other word
    is told apart by its context, an n-gram that it ends or begins. That n-gram must occur once in
    the hypothesis and once in the reference. Isozaki et al. (2010, Figure 1) use bigrams, and try
    the context on the right first. RIBES 1.03.1, as `released`, tries that on the left first, and
    longer n-grams where the shorter are not enough.

    Two hypothesis words may get the same reference word, one by the context on its left and one by
    that on its right. Returns int64[N].

    >>> codes = ([1, 2, 1, 3], [1, 3, 1, 2])
    >>> sides = [Tokens(np.array([0, 4]), np.array(c, dtype=np.int32)) for c in codes]
    >>> align_by_context(*sides, released=True).tolist()
    [2, 3, 0, 1]
    """
    sides = hypotheses, references
    aligned = np.full(len(hypotheses.codes), -1, dtype=np.int64)
    bound = max(int(side.codes.max(initial=0)) for side in sides) + 1
    # Where n-grams begin, and their numbers, the same for equal ones of a sentence's two sides.
    starts = [np.arange(len(side.codes)) for side in sides]
    grams, n = [side.sentences for side in sides], 0
    while len(starts[0]) and (released or n < 2):
        longer = [
            gram * bound + side.codes[start + n]
            for gram, start, side in zip(grams, starts, sides, strict=True)
        ]
        grams, count = renumbered(longer)
        n += 1
        times = [np.bincount(gram, minlength=count) for gram in grams]
        places = np.zeros((2, count), dtype=np.int64)
        for place, gram, start in zip(places, grams, starts, strict=True):
            place[gram] = start
        here, there = places[:, (times[0] == 1) & (times[1] == 1)]
        for step in (n - 1, 0) if released else (0, n - 1):  # to its last and first word
            free = aligned[here + step] < 0
            aligned[(here + step)[free]] = (there + step)[free]
        # Longer n-grams may tell a word apart if one of its n-grams is on both sides.
        shared = (times[0] > 0) & (times[1] > 0)
        words = np.add.outer([0, n - 1], starts[0][shared[grams[0]]])
        waiting = np.zeros(len(hypotheses), dtype=bool)
        waiting[hypotheses.sentences[words[aligned[words] < 0]]] = True
        for number, side in enumerate(sides):
            sentence = side.sentences[starts[number]]
            goes_on = starts[number] + n < side.offsets[sentence + 1]
            kept = shared[grams[number]] & waiting[sentence] & goes_on
            starts[number], grams[number] = starts[number][kept], grams[number][kept]
    return aligned
