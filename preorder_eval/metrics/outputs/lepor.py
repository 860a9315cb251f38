"""LEPOR: length penalty, precision, position difference penalty and recall (Han 2014).

A. L.-F. Han, "LEPOR: An Augmented Machine Translation Evaluation Metric", thesis, University of
Macau, 2014. Three metrics, each by its `equation`, combine the same factors:

- Length penalty LP (3-1): exp(1 − longer / shorter) of the two lengths, 1 if they are equal.
- Position penalty NPosPenal = exp(−NPD) (3-2, 3-3): NPD is the mean of |i/c − a(i)/r| over the
  output's c words. A word's place is i, that of its aligned word in the reference of r words a(i),
  both counted from 1. A word that is not aligned (`align`) adds 0.
- Harmonic mean HPR of recall and precision (3-4 to 3-6, for n-grams 4-1 to 4-3):
  (α + β)/(α/R + β/P), 0 where nothing matches.

LP is 0 where a side is empty, which is its limit, and NPosPenal 1 where no word is aligned.
With several references (section 3.1.2, Figure 3-4) the alignments compete for every word. Those
with a matching neighbour come first, and of these the one with the smallest |i/c − a(i)/r|. The
thesis does not define the other factors: here each is that of the reference for which it is
largest.

At system level (section 3.2) A is the mean of the sentence scores (3-8). B is the same formula with
the mean of each factor (3-9, 3-10). With part-of-speech tags (section 4.3) the score is
(w_hw · words + w_hp · tags) / (w_hw + w_hp) (4-11, 4-12).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.text.tokenization import Tokenize
from preorder_eval.base.visible import quantity
from preorder_eval.metrics.base import Scores, limited, quiet, ratio
from preorder_eval.metrics.needs import SystemInputs
from preorder_eval.metrics.outputs.lepor_factors import (
    geometric_mean,
    length_penalty,
    ngram_harmonics,
    position_penalty,
    weighted_harmonic_mean,
)
from preorder_eval.metrics.outputs.lexical import WordMetric, as_segments, share
from preorder_eval.metrics.segments import Segments, Stream

TagStreams = Segments | tuple[Stream, Stream | Sequence[Stream]]

# Table 5-3, tuned on the WMT 2008 corpora: weights of HPR:LP:NPosPenal of words and of tags, α:β of
# words and of tags, and w_hw:w_hp. Tags were not used where the table has N/A. For LEPOR (section
# 5.2.1) and nLEPOR (section 6.2) only α:β was tuned. Czech is `cs`, in the table CZ.
_RECALL, _PRECISION = "alpha=9,beta=1", "alpha=1,beta=9"
_TAGS = "tag_alpha=9,tag_beta=1"
_HLEPOR = {
    "cs-en": f"{_PRECISION},weights=7:2:1",
    "de-en": f"{_RECALL},weights=3:2:1,{_TAGS},tag_weights=3:2:1,mix=1:9",
    "es-en": f"{_PRECISION},weights=7:2:1",
    "fr-en": f"{_RECALL},weights=3:2:1,{_TAGS},tag_weights=3:2:1,mix=9:1",
    "en-cs": f"{_RECALL},weights=3:2:1",
    "en-de": f"{_RECALL},weights=1:3:7,{_TAGS},tag_weights=7:2:1,mix=1:9",
    "en-es": f"{_RECALL},weights=3:2:1",
    "en-fr": f"{_RECALL},weights=3:2:1,{_TAGS},tag_weights=3:2:1,mix=9:1",
}
PAIRS = tuple(_HLEPOR)
_OTHERS = {pair: _PRECISION if pair == "cs-en" else _RECALL for pair in PAIRS}


@dataclass(frozen=True)
class LeporMetric(WordMetric):
    """A metric of the LEPOR family; a subclass defines its factors and how they combine.

    Parameters: `alpha` weighs recall, `beta` precision (9 and 1 as tuned for all language pairs
    but Czech to English, section 5.2.1); `n`, how many words either side are neighbours in the
    word alignment; `system="A"`, the mean of the sentence scores, or `"B"`, the formula with the
    mean factors; `mix`, the weights of words and of part-of-speech tags, which `score` then takes;
    `tag_alpha` and `tag_beta` weigh recall and precision of tags (Table 5-3), as those of words
    unless given; `lower=False` lets case count, which it does not in section 3.1.2.

    A segment with an empty side, or without a matching word, scores 0.
    """

    paper: ClassVar[str] = "Han 2014"

    alpha: float = limited(9.0, 0, 10**6)
    beta: float = limited(1.0, 0, 10**6)
    n: int = limited(2, 0)
    system: Literal["A", "B"] = "A"
    mix: str = quiet(ratio("1:0", 2))
    tag_alpha: float | Literal["same"] = quiet(limited("same", 0))
    tag_beta: float | Literal["same"] = quiet(limited("same", 0))
    lower: bool = quiet(True, stated=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        for prefix, both in (("", (self.alpha, self.beta)), ("tag_", self._tag_ratio)):
            if both == (0, 0):
                raise PreorderEvalError(
                    f"metric {self.name}: {prefix}alpha and {prefix}beta must not both be 0"
                )

    @abstractmethod
    def factors(self, segments: Segments) -> Floats:
        """Return the factors of some segments, which are prepared already; float64[S, k]."""

    @abstractmethod
    def combine(self, factors: Floats, of_tags: bool) -> Floats:
        """Combine factors, of a sentence or means, into scores: float64[…, k] to float64[…]."""

    @property
    def counts_tags(self) -> bool:
        """Return whether part-of-speech tags have a weight."""
        return self.read_ratio("mix")[1] > 0

    @property
    def _tag_ratio(self) -> tuple[float, float]:
        """The weights of recall and precision of tags."""
        alpha = self.alpha if self.tag_alpha == "same" else self.tag_alpha
        return alpha, self.beta if self.tag_beta == "same" else self.tag_beta

    @property
    def needs(self) -> tuple[str, ...]:
        return ("hyp", "ref", "hyp_tags", "ref_tags") if self.counts_tags else ("hyp", "ref")

    def statistics_of(self, inputs: SystemInputs) -> Floats:
        return self.statistics(inputs.segments, inputs.tags if self.counts_tags else None)

    def statistics(self, segments: Segments, tags: Segments | None = None) -> Floats:
        """Return the score (A) or the factors (B), and one segment counted; float64[S, k].

        Where tags are mixed in, the factors of the words come before those of the tags.
        """
        # Tags are of the words as they are given.
        is_given = self.counts_tags and self.tokenize == "none"
        words = segments.prepared(lower=self.lower) if is_given else self.prepared(segments)
        self._check(words, tags)
        factors = self.factors(words)
        if tags is not None:
            alpha, beta = self._tag_ratio
            of_tags = replace(self, alpha=alpha, beta=beta).factors(tags)
            factors = np.concatenate([factors, of_tags], axis=1)
        summed = self._mixed(factors)[:, None] if self.system == "A" else factors
        return np.column_stack([summed, np.ones(len(segments))])

    def finish(self, statistics: Floats) -> Floats:
        means = statistics[..., :-1] / statistics[..., -1:]
        return means[..., 0] if self.system == "A" else self._mixed(means)

    def score(
        self,
        hypotheses: Segments | Stream,
        references: Stream | Sequence[Stream] = (),
        tags: TagStreams | None = None,
    ) -> Scores:
        """Score hypotheses against one or several references each, as every `LexicalMetric`.

        Parameters: `tags`, if `mix` gives tags a weight: the part-of-speech tags of the same words
        of hypotheses and references, in the same form. Raises PreorderEvalError also if tags are
        missing or do not fit the words.
        """
        if tags is not None and not isinstance(tags, Segments):
            tags = Segments.of(*tags)
        segments = as_segments(hypotheses, references)
        by = self.splitting(segments.tokenizer)
        return by.scores_of(by.statistics(segments, tags))

    def splitting(self, tokenizer: Tokenize, language: str = "") -> Self:
        return super().splitting("none" if self.counts_tags else tokenizer, language)

    def _mixed(self, factors: Floats) -> Floats:
        of_words, of_tags = self.read_ratio("mix")
        if not of_tags:
            return self.combine(factors, of_tags=False)
        words, tags = np.split(factors, 2, axis=-1)
        score = of_words * self.combine(words, False) + of_tags * self.combine(tags, True)
        return score / (of_words + of_tags)

    def _check(self, words: Segments, tags: Segments | None) -> None:
        """Raise PreorderEvalError unless tags are given where they count, one for every word."""
        mix = f"metric {self.name}: mix={self.mix}"
        if tags is None:
            if self.counts_tags:
                hint = "give them as tags=, or omit them with mix=1:0"
                raise PreorderEvalError(f"{mix} needs part-of-speech tags; {hint}")
            return
        if not self.counts_tags:
            hint = "give the weights of words and tags, such as mix=1:9"
            raise PreorderEvalError(f"{mix} gives the part-of-speech tags no weight; {hint}")
        if len(tags.references) != len(words.references):
            raise PreorderEvalError(
                f"tags for {len(tags.references)} references, words for {len(words.references)}"
            )
        pairs = zip(
            (words.hypotheses, *words.references), (tags.hypotheses, *tags.references), strict=True
        )
        for number, (ours, theirs) in enumerate(pairs):
            side = f"reference {number}" if number else "hypotheses"
            if len(ours) != len(theirs):
                raise PreorderEvalError(
                    f"{side}: words for {quantity(len(ours), 'sentence')}, tags for {len(theirs)}"
                )
            for s in np.flatnonzero(ours.lengths != theirs.lengths)[:1]:
                raise PreorderEvalError(
                    f"{side}, sentence {s + 1}: {quantity(ours.lengths[s], 'word')}, "
                    f"{quantity(theirs.lengths[s], 'tag')}"
                )


@dataclass(frozen=True)
class Lepor(LeporMetric):
    """LEPOR of words, or of words and part-of-speech tags; 0 to 1.

    See `LeporMetric` for the parameters.

    >>> lepor = Lepor()
    >>> result = lepor.score(["A stone on a bird"], ["A bird is on a stone"])
    >>> str(lepor), round(result.corpus, 4)
    ('lepor(alpha=9.0,beta=1.0,n=2,system=A)', 0.4125)
    """

    name: ClassVar[str] = "lepor"
    short_name: ClassVar[str] = "LEPOR"
    tuned_for: ClassVar[Mapping[str, str]] = _OTHERS
    equation: ClassVar[str] = "LP · NPosPenal · (α + β)/(α/R + β/P) (3-7)"

    def factors(self, segments: Segments) -> Floats:
        harmonic, _ = ngram_harmonics(segments, 1, self.alpha, self.beta)
        return np.column_stack(
            [length_penalty(segments), position_penalty(segments, self.n), harmonic]
        )

    def combine(self, factors: Floats, of_tags: bool) -> Floats:
        return factors.prod(axis=-1)


@dataclass(frozen=True)
class Hlepor(LeporMetric):
    """hLEPOR: the factors in a weighted harmonic mean (section 4.2.1). See `LeporMetric`.

    Parameters: `weights` of the factors in the order of Table 5-3, HPR:LP:NPosPenal (3:2:1 as tuned
    for most language pairs there). `tag_weights` are those of the factors of tags, `ngram` the
    block size of HPR in words (section 4.1). Parameters tuned for a pair of languages are
    `hlepor(pair=en-de)`.

    Without a matching word it is 0, unless that factor has no weight.

    >>> hlepor = Hlepor()
    >>> result = hlepor.score(["A stone on a bird"], ["A bird is on a stone"])
    >>> str(hlepor), round(result.corpus, 4)
    ('hlepor(alpha=9.0,beta=1.0,n=2,system=A,weights=3:2:1)', 0.7828)
    """

    name: ClassVar[str] = "hlepor"
    short_name: ClassVar[str] = "hLEPOR"
    tuned_for: ClassVar[Mapping[str, str]] = _HLEPOR
    equation: ClassVar[str] = "Σw / (w_LP/LP + w_NPosPenal/NPosPenal + w_HPR/HPR) (4-5)"

    weights: str = ratio("3:2:1", 3)
    tag_weights: str = quiet(ratio("3:2:1", 3))
    ngram: int = quiet(limited(1, 1, 100))

    def factors(self, segments: Segments) -> Floats:
        harmonics, exist = ngram_harmonics(segments, self.ngram, self.alpha, self.beta)
        # Sentences that are all shorter than a block are compared word by word.
        harmonic = np.where(exist[:, -1] > 0, harmonics[:, -1], harmonics[:, 0])
        position = position_penalty(segments, self.n)
        return np.column_stack([harmonic, length_penalty(segments), position])

    def combine(self, factors: Floats, of_tags: bool) -> Floats:
        weights = self.read_ratio("tag_weights" if of_tags else "weights")
        return weighted_harmonic_mean(factors, weights)


@dataclass(frozen=True)
class Nlepor(LeporMetric):
    """nLEPOR: LEPOR with n-grams of several lengths (section 4.2.2). See `LeporMetric`.

    It is for languages that request fluency. With words alone, `weights=1`, it is `lepor`, as
    nLEPOR_baseline of WMT 2013 was (section 6.2).

    Parameters: `weights` of the n-grams from single words up; they are divided by their sum. The
    default is one word and two, the longest of the thesis's example (Figure 4-1).

    Without a matching n-gram of some length it is 0. Lengths that no side reaches do not count, so
    that a word is as good as the same word.

    >>> nlepor = Nlepor()
    >>> result = nlepor.score(["A stone on a bird"], ["A bird is on a stone"])
    >>> str(nlepor), round(result.corpus, 4)
    ('nlepor(alpha=9.0,beta=1.0,n=2,system=A,weights=1:1)', 0.3506)
    """

    name: ClassVar[str] = "nlepor"
    short_name: ClassVar[str] = "nLEPOR"
    tuned_for: ClassVar[Mapping[str, str]] = _OTHERS
    equation: ClassVar[str] = "LP · NPosPenal · exp(Σ wₙ log HPRₙ) (4-8)"

    weights: str = ratio("1:1")

    def factors(self, segments: Segments) -> Floats:
        position = position_penalty(segments, self.n)
        longest = len(self.read_ratio("weights"))
        harmonics, exist = ngram_harmonics(segments, longest, self.alpha, self.beta)
        return np.column_stack([length_penalty(segments), position, harmonics, exist])

    def combine(self, factors: Floats, of_tags: bool) -> Floats:
        harmonics, exist = np.split(factors[..., 2:], 2, axis=-1)
        # The mean over the segments that have such n-grams, where these are means.
        existing = share(harmonics, exist)
        mean = geometric_mean(existing, exist, self.read_ratio("weights"))
        return factors[..., 0] * factors[..., 1] * mean
