"""ROUGE: the n-grams, subsequences and skip-bigrams that output and reference share.

Lin (2004), "ROUGE: a package for automatic evaluation of summaries".
Lin & Och (2004), "Automatic evaluation of machine translation quality using longest common
subsequence and skip-bigram statistics". Every metric counts *units* that a reference of m words and
an output of n words have in common:

==========  =======================================  ============================
rouge_n     n-grams                                  Lin 2004, equation 1
rouge_l     words of the longest common subsequence  Lin & Och, equations 4 to 9
rouge_w     the same, runs weighing more             Lin & Och, equations 10 to 12
rouge_s     pairs of words in order (skip-bigrams)   Lin & Och, equations 13 to 15
rouge_su    skip-bigrams and single words            Lin 2004, section 5.2
==========  =======================================  ============================

Recall R is the share of the reference's units, precision P that of the output's, and the metric is
their F (equations 6, 12 and 15). With several references R and P are each the largest over the
references (equations 7 and 8). Jackknifing is that of `lexical.Jackknifed` (section 5).

For one reference the program ROUGE-1.5.5 gives the same by N, L and S, with five digits. Its
ROUGE-W weighs the reference twice, its ROUGE-SU leaves out the last word, and it pools references.
"""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import accumulate, chain
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.text.stems import STEMS
from preorder_eval.metrics.base import limited, quiet
from preorder_eval.metrics.outputs.lexical import (
    SentenceMetric,
    f_measure,
    replaced,
    sentence_pairs,
    share,
)
from preorder_eval.metrics.outputs.ngrams import matched_ngrams
from preorder_eval.metrics.segments import Segments, Tokens

_ROUGE_SCORE = {"rouge-score": "tokenize=rouge_score"}
_MOST_PAIRS = 1 << 24  # skip-bigrams of a sentence: 5,800 words, and about two gigabytes


class Overlap(NamedTuple):
    """Units that both sides have, and all units of either; counts or weights, float64[S]."""

    both: Floats
    hypothesis: Floats
    reference: Floats


@dataclass(frozen=True)
class Rouge(SentenceMetric):
    """A metric of the ROUGE family; a subclass defines its units.

    Parameters: `beta` weighs recall against precision, a number from 0 to 1e6, or `"ratio"`, the
    paper's β = P/R; `stem=True` compares stems of the lower-cased words, as rouge-score does with
    `use_stemmer`, which leaves words of up to three letters alone; `jackknife=True` averages over
    leaving out each of several references.

    0 if a side is empty, or too short to have any unit. The corpus value is the mean of the
    sentences.
    """

    paper: ClassVar[str] = "Lin & Och 2004"

    beta: float | Literal["ratio"] = limited(1.0, 0, 10**6)
    stem: bool = quiet(False, stated=True)
    jackknife: bool = quiet(False)

    @abstractmethod
    def overlap(self, hypotheses: Tokens, references: Tokens) -> Overlap:
        """Count the units that hypotheses and one stream of references have in common."""

    def rescale(self, share: Floats) -> Floats:
        """Turn the share of the units that are in both into recall or precision."""
        return share

    def prepared(self, segments: Segments) -> Segments:
        segments = super().prepared(segments)
        if not self.stem:
            return segments
        stem = _rouge_score_stemmer()
        return replaced(segments, lambda word: [stem(word.lower())])

    def sentence_scores(self, segments: Segments) -> Floats:
        overlaps = [self.overlap(segments.hypotheses, each) for each in segments.references]
        recall_and_precision = [
            [share(units.both, units.reference), share(units.both, units.hypothesis)]
            for units in overlaps
        ]
        shares = self.rescale(np.array(recall_and_precision))
        sets = [shares]
        if self.jackknife and len(shares) > 1:
            sets = [np.delete(shares, left_out, axis=0) for left_out in range(len(shares))]
        best = [each.max(axis=0) for each in sets]  # recall and precision, whichever reference's
        return np.mean([f_measure(r, p, self.beta) for r, p in best], axis=0)


@dataclass(frozen=True)
class RougeN(Rouge):
    """F of the n-grams in common, as multisets: one counts as often as it is on both sides.

    Parameters: `n` from 1 to 100; see `Rouge` for the others.

    >>> RougeN(n=2).score(["the cat sat"], ["the cat lay"]).corpus
    0.5
    """

    name: ClassVar[str] = "rouge_n"
    short_name: ClassVar[str] = "ROUGE-N"
    equals: ClassVar[Mapping[str, str]] = _ROUGE_SCORE
    paper: ClassVar[str] = "Lin 2004"
    equation: ClassVar[str] = "F of the shares of common n-grams (equation 1)"

    n: int = limited(1, 1, 100)

    def overlap(self, hypotheses: Tokens, references: Tokens) -> Overlap:
        both = matched_ngrams(hypotheses, [references], [self.n])[:, 0].astype(np.float64)
        of_hypothesis, of_reference = (
            np.maximum(side.lengths - self.n + 1.0, 0) for side in (hypotheses, references)
        )
        return Overlap(both, of_hypothesis, of_reference)


@dataclass(frozen=True)
class RougeL(Rouge):
    """F of the longest common subsequence: the most words that both have in the same order.

    >>> RougeL().score(["the gunman kill police"], ["police killed the gunman"]).corpus
    0.5
    """

    name: ClassVar[str] = "rouge_l"
    short_name: ClassVar[str] = "ROUGE-L"
    equals: ClassVar[Mapping[str, str]] = _ROUGE_SCORE
    equation: ClassVar[str] = "F of R = LCS/m and P = LCS/n (equations 4–9)"

    def overlap(self, hypotheses: Tokens, references: Tokens) -> Overlap:
        from rapidfuzz.distance import LCSseq  # late: listing metrics loads no library of theirs

        pairs = sentence_pairs(hypotheses, references)
        both = np.array([float(LCSseq.similarity(*pair)) for pair in pairs])
        return Overlap(both, hypotheses.lengths.astype(float), references.lengths.astype(float))


@dataclass(frozen=True)
class RougeW(Rouge):
    """F of the weighted longest common subsequence: a run of k consecutive matches weighs f(k).

    R = f⁻¹(WLCS / f(m)) and P = f⁻¹(WLCS / f(n)), f(k) = k^a (section 3.3).

    Parameters: `weight` the exponent a, from 1 to 5; 1 makes it `rouge_l` where no word is
    repeated. See `Rouge` for the others.

    >>> metric = RougeW(weight=2)
    >>> [round(metric.score([text], ["A B C D E F G"]).corpus, 3)
    ...  for text in ("A B C D H I K", "A H B K C I D")]
    [0.571, 0.286]
    """

    name: ClassVar[str] = "rouge_w"
    short_name: ClassVar[str] = "ROUGE-W"
    equation: ClassVar[str] = "F of R = f⁻¹(WLCS/f(m)) and P = f⁻¹(WLCS/f(n)) (equations 10–12)"

    weight: float = limited(1.2, 1, 5)

    def overlap(self, hypotheses: Tokens, references: Tokens) -> Overlap:
        sides: list[Floats] = [
            t.lengths.astype(float) ** self.weight for t in (hypotheses, references)
        ]
        return Overlap(weighted_common(hypotheses, references, self.weight), *sides)

    def rescale(self, share: Floats) -> Floats:
        """Return f⁻¹ of a share."""
        # Sums of powers may exceed the power of the sum by the last digit.
        return np.minimum(share, 1.0) ** (1 / self.weight)


@dataclass(frozen=True)
class RougeS(Rouge):
    """F of the skip-bigrams in common: pairs of words in their order, as multisets.

    Parameters: `skip` the most words between the two, or `"none"` for no limit. A limit restricts
    pairs in common and C(m, 2) and C(n, 2) alike. See `Rouge` for the others.

    A single word has no skip-bigram: it scores 1 against the same single word, else 0.

    >>> RougeS().score(["police kill the gunman"], ["police killed the gunman"]).corpus
    0.5
    """

    name: ClassVar[str] = "rouge_s"
    short_name: ClassVar[str] = "ROUGE-S"
    equation: ClassVar[str] = "F of R = SKIP2/C(m,2) and P = SKIP2/C(n,2) (equations 13–15)"

    skip: int | Literal["none"] = limited("none", 0, 10**6)

    @property
    def limit(self) -> int | None:
        """The most words between the two of a pair."""
        return None if self.skip == "none" else self.skip

    def overlap(self, hypotheses: Tokens, references: Tokens) -> Overlap:
        overlap = shared_skip_bigrams(hypotheses, references, self.limit)
        single = np.flatnonzero((hypotheses.lengths == 1) & (references.lengths == 1))
        words = (side.codes[side.offsets[single]] for side in (hypotheses, references))
        same = single[np.equal(*words)]
        for part in overlap:
            part[same] = 1
        return overlap


@dataclass(frozen=True)
class RougeSU(RougeS):
    """F of the skip-bigrams and single words in common.

    ROUGE-S gives 0 to an output that shares no pair of words with its reference. "gunman the killed
    police" shares none with "police killed the gunman". Parameters: those of `rouge_s`.

    >>> RougeSU().score(["gunman the killed"], ["killed the gunman"]).corpus
    0.5
    """

    name: ClassVar[str] = "rouge_su"
    short_name: ClassVar[str] = "ROUGE-SU"
    paper: ClassVar[str] = "Lin 2004"
    equation: ClassVar[str] = "F of the shares of common skip-bigrams and words (section 5.2)"

    def overlap(self, hypotheses: Tokens, references: Tokens) -> Overlap:
        return shared_skip_bigrams(hypotheses, references, self.limit, unigrams=True)


def weighted_common(hypotheses: Tokens, references: Tokens, weight: float) -> Floats:
    """Return WLCS of each pair of sentences with f(k) = k^weight; float64[S].

    The paper defines it by a dynamic program, which takes every match, even one that breaks a
    longer run. Where words are repeated it is thus not always the largest weight of a common
    subsequence.
    """
    f = (np.arange(hypotheses.lengths.max(initial=0) + 1.0) ** weight).tolist()
    pairs = sentence_pairs(hypotheses, references)
    return np.array([_wlcs(reference, hypothesis, f) for hypothesis, reference in pairs])


def _wlcs(x: list[int], y: list[int], f: list[float]) -> float:
    """Return the last cell of the paper's table c, row by row; `runs` are its w."""
    words = set(y)
    above, no_runs = [0.0] * (len(y) + 1), [0] * (len(y) + 1)
    runs = no_runs
    for word in x:
        if word not in words:
            row, row_runs = list(accumulate(above, max)), no_runs
        else:
            row, row_runs = [0.0], no_runs.copy()
            best = 0.0
            for j, other in enumerate(y):
                if other == word:
                    k = runs[j]
                    best = above[j] + f[k + 1] - f[k]
                    row_runs[j + 1] = k + 1
                else:
                    best = max(best, above[j + 1])
                row.append(best)
        above, runs = row, row_runs
    return above[-1]


def shared_skip_bigrams(
    hypotheses: Tokens, references: Tokens, skip: int | None, unigrams: bool = False
) -> Overlap:
    """Count pairs of words in order, with at most `skip` words between them (any number if None).

    `unigrams`: count single words too. Raises PreorderEvalError for a sentence with more pairs than
    memory is likely to hold.

    >>> sides = [Tokens(np.array([0, 4]), np.array(c)) for c in ([4, 5, 2, 3], [2, 9, 4, 5])]
    >>> [counts.tolist() for counts in shared_skip_bigrams(*sides, None)]
    [[1.0], [6.0], [6.0]]
    >>> [counts.tolist() for counts in shared_skip_bigrams(*sides, 0, unigrams=True)]
    [[4.0], [7.0], [7.0]]
    """
    counts = np.zeros((3, len(hypotheses)))
    for s, pair in enumerate(sentence_pairs(hypotheses, references)):
        ours, theirs = (_skip_bigrams(words, skip, unigrams) for words in pair)
        counts[:, s] = (ours & theirs).total(), ours.total(), theirs.total()
    return Overlap(*counts)


def _skip_bigrams(words: list[int], skip: int | None, unigrams: bool) -> Counter[object]:
    farthest = len(words) - 1 if skip is None else min(skip + 1, len(words) - 1)
    if farthest * (2 * len(words) - farthest - 1) // 2 > _MOST_PAIRS:
        raise PreorderEvalError(
            f"a sentence of {len(words)} words has too many pairs of words; limit the number of "
            "words between them, as in 'rouge_s(skip=4)'"
        )
    distances = range(1, farthest + 1)
    by_distance = (zip(words, words[distance:], strict=False) for distance in distances)
    return Counter(chain(words if unigrams else [], *by_distance))


@functools.cache
def _rouge_score_stemmer() -> Callable[[str], str]:
    """Return rouge-score's stemmer, nltk's of Porter (1980) with extensions for long words.

    Raises PreorderEvalError without nltk.
    """
    try:
        porter = import_module("nltk.stem.porter").PorterStemmer()
    except ImportError as error:
        hint = "pip install 'preorder-eval[stem]'"
        raise PreorderEvalError(f"stem=true needs nltk's stemmer; install it: {hint}") from error
    return functools.lru_cache(STEMS)(lambda word: porter.stem(word) if len(word) > 3 else word)
