"""chrF (Popović 2015) and chrF++ (Popović 2017), as sacrebleu computes them (Post 2018).

Precision and recall are averaged over the lengths n, then combined. White space is omitted before
characters are counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from preorder_eval.base.arrays import Floats, offsets_of
from preorder_eval.metrics.base import limited
from preorder_eval.metrics.outputs.lexical import LexicalMetric, share
from preorder_eval.metrics.outputs.ngrams import matched_ngrams, ngram_totals
from preorder_eval.metrics.segments import Segments, Tokens


@dataclass(frozen=True)
class Chrf(LexicalMetric):
    """F of the character n-grams, from 0 to 100.

    Parameters: `char_order` the longest character n-grams; `word_order` the longest word n-grams,
    0 for chrF and 2 for chrF++; `beta` a whole number, how many times as much recall weighs.

    Lengths n of which a side has no n-gram are left out; 0 where nothing matches, also where a
    side is empty. Of several references the one with the highest value counts, and of equal ones
    the first. The corpus value is that of the counts of all segments together.

    >>> round(Chrf().score(["the cat sat on the mat"], ["the cat sat on a mat"]).corpus, 4)
    72.0848
    >>> Chrf(word_order=2).sacrebleu_signature(2).partition("|version")[0]
    'nrefs:2|case:mixed|eff:yes|nc:6|nw:2|space:no'
    """

    name: ClassVar[str] = "chrf"
    short_name: ClassVar[str] = "chrF"
    paper: ClassVar[str] = "Popović 2015, 2017; Post 2018 (sacrebleu)"
    equation: ClassVar[str] = "(1 + β²) chrP · chrR / (β² chrP + chrR)"
    range: ClassVar[tuple[float, float]] = (0.0, 100.0)
    decimals: ClassVar[int] = 1
    equals: ClassVar[Mapping[str, str]] = {"sacrebleu": ""}

    char_order: int = limited(6, 1, 100)
    word_order: int = limited(0, 0, 100)
    beta: int = limited(2, 0, 1000)

    def scorer(self) -> Any:
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.lower,
        )

    def statistics(self, segments: Segments) -> Floats:
        """Count for every length the n-grams of the hypothesis, of the reference and those
        in common, characters first; float64[S, 3 · (char_order + word_order)]."""
        segments = self.prepared(segments)
        texts = (segments.hypothesis_texts, *segments.reference_texts)
        each = _counts(list(map(letters_of, texts)), self.char_order)
        if self.word_order:
            split = self.scorer()._remove_punctuation  # noqa: SLF001
            words = [[split(text) for text in stream] for stream in texts]
            interned = Segments.of(words[0], words[1:])
            sides = [interned.hypotheses, *interned.references]
            each = np.concatenate([each, _counts(sides, self.word_order)], axis=-1)
        best = np.argmax(self.finish(each), axis=0)  # the first of equal ones, as sacrebleu
        return each[best, np.arange(len(segments))]

    def finish(self, statistics: Floats) -> Floats:
        output, reference, common = (statistics[..., column::3] for column in range(3))
        used = (output > 0) & (reference > 0)
        lengths = np.maximum(used.sum(axis=-1), 1)
        precision, recall = (
            np.divide(common, whole, out=np.zeros_like(common), where=used).sum(axis=-1) / lengths
            for whole in (output, reference)
        )
        weight = self.beta**2
        f = share((1 + weight) * precision * recall, weight * precision + recall)
        return np.asarray(100 * f)


def letters_of(texts: Sequence[str]) -> Tokens:
    """Return the characters of texts without white space, each a token."""
    joined = ["".join(text.split()) for text in texts]
    flat = "".join(joined).encode("utf-32-le", "surrogatepass")
    return Tokens(offsets_of(map(len, joined)), np.frombuffer(flat, dtype=np.int32))


def _counts(sides: list[Tokens], longest: int) -> Floats:
    """Count n-grams of hypothesis, reference and both, per length; float64[R, S, 3 · longest]."""
    output = sides[0]
    result = np.zeros((len(sides) - 1, len(output), longest, 3))
    for counts, reference in zip(result, sides[1:], strict=True):
        counts[..., 1] = ngram_totals(reference.lengths, longest)
        # sacrebleu counts none where the reference has none of this length.
        counts[..., 0] = ngram_totals(output.lengths, longest) * (counts[..., 1] > 0)
        counts[..., 2] = matched_ngrams(output, [reference], range(1, longest + 1))
    return result.reshape(len(result), len(output), 3 * longest)
