"""NIST's score (Doddington 2002; Han 2014, equations 2-10 and 2-11).

The information of the n-grams that match, per n-gram of the hypotheses, summed over n from 1 to 5,
times a brevity penalty. An n-gram's information is log2 of the references' count of its first n - 1
words over their count of the n-gram. For a single word the first count is the number of words. The
counts come from all references of the corpus, so that a sentence's score depends on the corpus that
it is scored in.

The penalty is exp(β · log²(min(c / r, 1))). Here c is the hypotheses' length in words and r that of
an average reference. It is 0.5 where c is two thirds of r, which sets β. An n-gram is clipped at
the reference that has it most often, as in NIST's mteval-v13a.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

import numpy as np

from preorder_eval.base.arrays import Floats, Longs
from preorder_eval.metrics.base import limited, quiet
from preorder_eval.metrics.outputs.lexical import Jackknifed, share
from preorder_eval.metrics.outputs.ngrams import ngram_totals
from preorder_eval.metrics.segments import Segments, Tokens

_BETA = math.log(0.5) / math.log(1.5) ** 2


@dataclass(frozen=True)
class Nist(Jackknifed):
    """Information of the matching n-grams per n-gram; from 0, with no upper limit.

    Parameters: `order` the longest n-grams; `stem` and `jackknife` as in `Jackknifed`. Lower-cases
    unless `lower=False`, as mteval-v13a does without -c.

    Identical texts have no fixed value: it grows with the vocabulary. Texts score 0 where nothing
    matches, also where a side is empty. They also score 0 if no match carries information, as in a
    corpus of one word. Lengths n that the hypotheses have no n-grams of add 0.

    >>> Nist().score(["a b c d", "e a"], ["a b c d", "a e"]).corpus.__round__(4)
    2.5016
    """

    name: ClassVar[str] = "nist"
    short_name: ClassVar[str] = "NIST"
    equals: ClassVar[Mapping[str, str]] = {"mteval-13a": "tokenize=13a", "nltk": "lower=false"}
    differs: ClassVar[str] = "nltk takes several references otherwise"
    paper: ClassVar[str] = "Doddington 2002"
    equation: ClassVar[str] = "Σₙ (Σ info of matches / n-grams) · exp(β log²(min(c/r, 1)))"
    range: ClassVar[tuple[float, float]] = (0.0, math.inf)
    whole_corpus: ClassVar[bool] = True

    order: int = limited(5, 1, 100)
    lower: bool = quiet(True, stated=True)

    @property
    def width(self) -> int:
        return 2 + 2 * self.order

    def counts(self, segments: Segments) -> Floats:
        """Return the lengths of hypothesis and average reference, matched information and n-gram
        totals by length; float64[S, 2 + 2 · order]."""
        lengths = segments.hypotheses.lengths
        of_each = np.stack([each.lengths for each in segments.references])
        average = of_each.sum(axis=0) / np.maximum((of_each > 0).sum(axis=0), 1)  # of those there
        information = matched_information(segments, self.order)
        total = ngram_totals(lengths, self.order)
        return np.column_stack([lengths, average, information, total])

    def value(self, counts: Floats) -> Floats:
        output, reference = counts[..., 0], counts[..., 1]
        information = counts[..., 2 : 2 + self.order]
        total = counts[..., 2 + self.order :]
        both = (output > 0) & (reference > 0)
        ratio = np.divide(output, reference, out=np.ones_like(output), where=both)
        penalty = np.exp(_BETA * np.log(np.minimum(ratio, 1)) ** 2)
        return share(information, total).sum(axis=-1) * penalty


def matched_information(segments: Segments, longest: int) -> Floats:
    """Sum the information of the n-grams that match, n from 1 to `longest`; float64[S, longest].

    An n-gram matches at most as often as the one reference that has it most often.
    """
    information = np.zeros((len(segments), longest))
    sides = [segments.hypotheses, *segments.references]
    codes = [side.codes.astype(np.int64) for side in sides]
    bound = max(int(code.max(initial=0)) for code in codes) + 1
    # By the place where they begin, the numbers of n - 1 words, in the order of their words; and by
    # number, how often the references have them.
    grams = [np.zeros_like(code) for code in codes]
    before = np.array([sum(map(len, codes[1:]))])
    for n in range(1, longest + 1):
        begun = [_begun(side, n) for side in sides]
        longer = [
            gram[places] * bound + code[places + n - 1]
            for gram, code, places in zip(grams, codes, begun, strict=True)
        ]
        different = np.unique(np.concatenate(longer))
        numbers = [np.searchsorted(different, each) for each in longer]
        for gram, places, number in zip(grams, begun, numbers, strict=True):
            gram[places] = number
        occurrences = np.bincount(np.concatenate(numbers[1:]), minlength=len(different))
        keys = [
            side.sentences[places] * len(different) + number
            for side, places, number in zip(sides, begun, numbers, strict=True)
        ]
        found, times = np.unique(keys[0], return_counts=True)
        segment, number = np.divmod(found, max(len(different), 1))
        times = np.minimum(times, reduce(np.maximum, (_counts(key, found) for key in keys[1:])))
        ratios = before[different[number] // bound] / np.maximum(occurrences[number], 1)
        ratios, which = np.unique(np.where(times > 0, ratios, 1.0), return_inverse=True)
        each = np.array(list(map(math.log2, ratios.tolist())))
        information[:, n - 1] = np.bincount(segment, times * each[which], len(segments))
        before = occurrences
    return information


def _begun(side: Tokens, n: int) -> Longs:
    """Return the places where n words of one sentence begin."""
    last = max(len(side.codes) - n + 1, 0)
    return np.flatnonzero(side.sentences[:last] == side.sentences[n - 1 :][:last])


def _counts(numbers: Longs, wanted: Longs) -> Longs:
    """Return how often each of the wanted numbers is there."""
    ordered = np.sort(numbers)
    return np.searchsorted(ordered, wanted, side="right") - np.searchsorted(ordered, wanted)
