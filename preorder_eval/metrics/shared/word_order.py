"""The word order of an output as ranks of reference positions, and its rank correlations.

The aligned words of a hypothesis, in its order, stand for places of the reference, which are
renumbered by rank (Isozaki et al. 2010, section 2.1). Two words that stand for the same place
are no increasing pair, and share the mean of their ranks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from preorder_eval.data.arrays import Floats, Ints, Longs, Offsets, sums
from preorder_eval.data.segments import Tokens
from preorder_eval.metrics.kendall import inversions
from preorder_eval.metrics.shared.rouge_overlap import f_measure

Modifier = Literal["precision", "recall", "fmeasure", "bp"]


@dataclass(frozen=True, eq=False)
class WordOrder:
    """The aligned words of all hypotheses.

    `count` int64[S] is how many there are in each; `ranks` int32[n], counted from 0 in each
    sentence, equal for equal places; `shared` int64[m] for every place of the references how many
    words stand for it; `places` int64[n] the place of each aligned word.
    """

    count: Longs
    ranks: Ints
    places: Longs
    shared: Longs
    hypotheses: Tokens
    references: Tokens

    @classmethod
    def of(cls, aligned: Longs, hypotheses: Tokens, references: Tokens) -> WordOrder:
        """From the flat index of every hypothesis token's reference token, -1 for none."""
        count = sums(aligned >= 0, hypotheses.offsets)
        places = aligned[aligned >= 0]
        shared = np.bincount(places, minlength=len(references.codes))
        taken = np.concatenate([[0], np.cumsum(shared > 0)])
        ranks = taken[places] - np.repeat(taken[references.offsets[:-1]], count)
        return cls(count, ranks.astype(np.int32), places, shared, hypotheses, references)

    @property
    def offsets(self) -> Offsets:
        """Where the aligned words of each sentence start; int64[S + 1]."""
        return np.concatenate([[0], np.cumsum(self.count)])

    def kendall(self) -> Floats:
        """Share of the pairs that increase, (τ + 1) / 2; 0 with fewer than two words; float64[S].

        >>> tokens = Tokens(np.array([0, 4]), np.arange(4, dtype=np.int32))
        >>> WordOrder.of(np.array([2, 1, 0, 3]), tokens, tokens).kendall().tolist()
        [0.5]
        """
        pairs = self.count * (self.count - 1) // 2
        not_increasing = inversions(self.ranks, self.offsets)
        not_increasing += sums(self.shared * (self.shared - 1) // 2, self.references.offsets)
        increasing: Floats = (pairs - not_increasing) / np.maximum(pairs, 1)
        return increasing

    def spearman(self) -> Floats:
        """(ρ + 1) / 2 with ρ = 1 - Σd² / C(n + 1, 3); 0 with fewer than two words; float64[S].

        >>> tokens = Tokens(np.array([0, 4]), np.arange(4, dtype=np.int32))
        >>> WordOrder.of(np.array([2, 1, 0, 3]), tokens, tokens).spearman().tolist()
        [0.6]
        """
        # Twice the rank, to stay with whole numbers where a shared place gives halves.
        before = np.cumsum(self.shared) - self.shared
        twice = 2 * before[self.places] + self.shared[self.places] - 1
        difference = twice - 2 * np.arange(len(twice))
        squares = sums(difference**2, self.offsets) / 4
        n = self.count
        rho = 1 - squares / np.maximum((n + 1) * n * (n - 1) // 6, 1)
        return np.where(n > 1, (rho + 1) / 2, 0.0)

    def modifier(self, kind: Modifier, beta: float = 1.0) -> Floats:
        """How much of the sentences the aligned words are, by section 2.3; float64[S].

        `precision` is their share of the hypothesis, `recall` that of the reference (of two words
        that stand for the same place one counts), `fmeasure` the weighted harmonic mean of both,
        (1 + β²) P R / (β² P + R); `bp` is the brevity penalty. 0 for an empty side, and where
        nothing is aligned, but `bp`, which is 1 for any hypothesis beside an empty reference.

        >>> tokens = Tokens(np.array([0, 4]), np.arange(4, dtype=np.int32))
        >>> order = WordOrder.of(np.array([2, -1, 0, 3]), tokens, tokens)
        >>> order.modifier("precision").tolist(), order.modifier("fmeasure").tolist()
        ([0.75], [0.75])
        """
        if kind == "bp":
            return brevity_penalty(self.hypotheses, self.references)
        precision: Floats = self.count / np.maximum(self.hypotheses.lengths, 1)
        if kind == "precision":
            return precision
        places = sums(self.shared > 0, self.references.offsets)
        recall: Floats = places / np.maximum(self.references.lengths, 1)
        return recall if kind == "recall" else f_measure(recall, precision, beta)


def brevity_penalty(hypotheses: Tokens, references: Tokens) -> Floats:
    """exp(1 - r/h) for a hypothesis shorter than its reference, else 1; 0 if empty; float64[S].

    >>> [short, same] = [Tokens(np.array([0, n]), np.arange(n, dtype=np.int32)) for n in (2, 4)]
    >>> brevity_penalty(short, same).round(3).tolist(), brevity_penalty(same, short).tolist()
    ([0.368], [1.0])
    """
    ratio = references.lengths / np.maximum(hypotheses.lengths, 1)
    penalty = np.exp(np.minimum(1 - ratio, 0))
    return np.where(hypotheses.lengths > 0, penalty, 0.0)
