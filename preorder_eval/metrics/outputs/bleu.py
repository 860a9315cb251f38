"""BLEU (Papineni et al. 2002) as sacrebleu computes it (Post 2018).

BP · exp(mean of log pₙ) for n from 1 to `order`; pₙ is the share of the hypotheses' n-grams that
match, clipped. BP = exp(1 - r/c) if the hypotheses' length c is less than r, the sum of the closest
reference lengths. Where no n-gram of some length matches, `smooth` sets pₙ, as in sacrebleu:
- `exp` halves 1 / totalₙ once more for every such length (as NIST's mteval-v13a does);
- `floor` counts 0.1 matches; `none` gives 0;
- `add-k` adds one to matches and totals of all lengths from 2 on (Lin & Och 2004).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.metrics.base import limited, quiet
from preorder_eval.metrics.outputs.lexical import Jackknifed
from preorder_eval.metrics.outputs.ngrams import matched_ngrams, ngram_totals
from preorder_eval.metrics.segments import Segments

Smooth = Literal["exp", "floor", "add-k", "none"]


@dataclass(frozen=True)
class Bleu(Jackknifed):
    """Geometric mean of the n-gram precisions times a brevity penalty, from 0 to 100.

    Parameters: `order` the longest n-grams, 1 to 12; `smooth` for lengths that never match;
    `effective_order=True` leaves out the lengths that are longer than the hypothesis. Without it, a
    corpus scores 0 if no hypothesis has as many words as `order`. Single sentences are always
    scored so, as by sacrebleu's `sentence_bleu`. `stem` and `jackknife` are those of Lin & Och
    (2004), as in `Jackknifed`.

    0 where no word matches, also where a side is empty. The corpus value is that of the counts
    of all segments together.

    >>> round(Bleu().score(["the cat sat on the mat"], ["the cat sat on a mat"]).corpus, 4)
    53.7285
    >>> Bleu().sacrebleu_signature().partition("|version")[0]
    'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp'
    """

    name: ClassVar[str] = "bleu"
    short_name: ClassVar[str] = "BLEU"
    paper: ClassVar[str] = "Papineni et al. 2002; Post 2018 (sacrebleu)"
    equation: ClassVar[str] = "BP · exp(Σ log pₙ / N)"
    range: ClassVar[tuple[float, float]] = (0.0, 100.0)
    decimals: ClassVar[int] = 1
    equals: ClassVar[Mapping[str, str]] = {"sacrebleu": "", "mteval-13a": "tokenize=13a,lower=true"}

    order: int = limited(4, 1, 12)
    smooth: Smooth = "exp"
    effective_order: bool = quiet(False)

    def scorer(self) -> Any:
        if self.stem or self.jackknife or self.tokenize == "rouge_score":
            return None  # sacrebleu has none of these
        from sacrebleu.metrics.bleu import BLEU

        return BLEU(
            lowercase=self.lower,
            tokenize=self.splitting("13a").tokenize,
            smooth_method=self.smooth,
            max_ngram_order=self.order,
            effective_order=self.effective_order,
            force=True,
        )

    @property
    def width(self) -> int:
        return 2 + 2 * self.order

    def counts(self, segments: Segments) -> Floats:
        """Return lengths of hypothesis and closest reference, matches and n-grams by length."""
        lengths = segments.hypotheses.lengths
        closest = closest_lengths(segments)
        upto = range(1, self.order + 1)
        correct = matched_ngrams(segments.hypotheses, segments.references, upto)
        total = ngram_totals(lengths, self.order)
        return np.column_stack([lengths, closest, correct, total]).astype(np.float64)

    def details(self, total: Floats) -> dict[str, Any]:
        """Return brevity penalty, precisions in per cent and both lengths, as sacrebleu does."""
        if self.jackknife:
            return {}
        output, reference, *counts = total.tolist()
        pairs = zip(counts[: self.order], counts[self.order :], strict=True)
        return {
            "brevity_penalty": math.exp(min(0.0, 1 - reference / output)) if output else 0.0,
            "precisions": [100 * correct / all_of if all_of else 0.0 for correct, all_of in pairs],
            "output_length": int(output),
            "reference_length": int(reference),
        }

    def finish_sentences(self, statistics: Floats) -> Floats:
        return replace(self, effective_order=True).finish(statistics)

    def cannot_read(
        self, references: Sequence[str], statistics: Sequence[Floats] = ()
    ) -> tuple[str, str] | None:
        """Return the reason why nothing can match; one is that no text has `order` words."""
        if self.effective_order or self.smooth == "add-k" or not len(statistics):
            return super().cannot_read(references, statistics)
        has_longest, reference = self.width - 1, 1  # n-grams of `order` words, and the length
        fix = "bleu(effective_order=true) uses the n-grams that exist"
        if not any(of[:, has_longest].any() for of in statistics):
            return f"BLEU is 0, because no output has {self.order} words", fix
        if not any((of[:, reference] >= self.order).any() for of in statistics):
            return f"BLEU matches nothing, because no reference has {self.order} words", fix
        return super().cannot_read(references, statistics)

    def value(self, counts: Floats) -> Floats:
        output, reference = counts[..., 0], counts[..., 1]
        correct = counts[..., 2 : 2 + self.order]
        total = counts[..., 2 + self.order :]
        some = correct.any(axis=-1)
        if self.smooth == "add-k":
            more = np.arange(self.order) > 0
            correct, total = correct + more, total + more
        # sacrebleu stops at the first length that there are no n-grams of.
        present = np.logical_and.accumulate(total > 0, axis=-1)
        missing = present & (correct == 0)
        smoothed = np.zeros_like(correct)
        if self.smooth == "exp":
            smoothed = 0.5 ** np.cumsum(missing, axis=-1)
        elif self.smooth == "floor":
            smoothed = np.full_like(correct, 0.1)
        counted = np.where(missing, smoothed, correct)
        used = present if self.effective_order else np.ones_like(present)
        zero = (used & (~present | (counted == 0))).any(axis=-1) | ~some
        ratio = np.divide(counted, total, out=np.ones_like(total), where=present & (counted > 0))
        logarithm = np.where(used, np.log(ratio), 0).sum(axis=-1)
        mean = logarithm / np.maximum(used.sum(axis=-1), 1)
        penalty = np.minimum(1 - reference / np.maximum(output, 1), 0)
        return np.where(zero, 0.0, 100 * np.exp(mean + penalty))


def closest_lengths(segments: Segments) -> Floats:
    """Return the length of the reference that is closest in length to each hypothesis; int64[S].

    Of two equally close ones it is the shorter.
    """
    lengths = np.stack([each.lengths for each in segments.references])
    distance = np.abs(lengths - segments.hypotheses.lengths)
    best = np.lexsort((lengths, distance), axis=0)[0]
    return lengths[best, np.arange(len(segments))]
