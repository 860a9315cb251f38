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
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import or_
from typing import ClassVar

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.metrics.base import limited, quiet
from preorder_eval.metrics.outputs.lexical import Jackknifed, share
from preorder_eval.metrics.outputs.ngrams import ngram_totals
from preorder_eval.metrics.segments import Segments

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
    differs: ClassVar[str] = "nltk treats several references differently"
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
    sides = [
        [words.tolist() for words in side] for side in (segments.hypotheses, *segments.references)
    ]
    before: Counter[tuple[int, ...]]
    before = Counter({(): sum(len(side.codes) for side in segments.references)})
    for n in range(1, longest + 1):
        occurrences = Counter(
            chain.from_iterable(ngrams(ws, n) for side in sides[1:] for ws in side)
        )
        for s, (output, *references) in enumerate(zip(*sides, strict=True)):
            most = reduce(or_, (Counter(ngrams(words, n)) for words in references))
            matched = Counter(gram for gram in ngrams(output, n) if gram in most)
            for gram, times in sorted(matched.items()):
                each = math.log2(before[gram[:-1]] / occurrences[gram])
                information[s, n - 1] += min(times, most[gram]) * each
        before = occurrences
    return information


def ngrams(words: list[int], n: int) -> Iterator[tuple[int, ...]]:
    """Return the n-grams of a sentence, from left to right."""
    return zip(*(words[first:] for first in range(n)), strict=False)
