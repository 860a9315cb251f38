"""The base of metrics of words, which compare outputs with references.

Most of them use the interned tokens of `Segments`; some use the texts, because a library needs
these. A metric defines the additive statistics of a segment and how sums of them are finished, or
it is a `SentenceMetric` or a `Jackknifed` one.
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np

from preorder_eval.base.arrays import Floats, Longs, offsets_of, within
from preorder_eval.base.errors import PreorderEvalError, warn
from preorder_eval.base.text.stems import snowball
from preorder_eval.base.text.tokenization import Tokenize, tokenizer
from preorder_eval.metrics.base import Metric, Scores, quiet
from preorder_eval.metrics.needs import SystemInputs
from preorder_eval.metrics.segments import Segments, Stream, Tokens


@dataclass(frozen=True)
class LexicalMetric(Metric):
    """A metric that compares hypotheses with references.

    Parameters: `lower=True` lower-cases first.

    A subclass defines `statistics` and `finish`. `finish` of one segment is never NaN, even if a
    side is empty, has one word or nothing matches. The metric's docstring defines the value.
    """

    whole_corpus: ClassVar[bool] = False

    lower: bool = quiet(False, stated=True)

    @property
    def needs(self) -> tuple[str, ...]:
        return ("hyp", "ref")

    def statistics_of(self, inputs: SystemInputs) -> Floats:
        return self.by_references(as_segments(inputs.segments))

    def by_references(self, segments: Segments) -> Floats:
        """Return the statistics of each segment, against the references that it has.

        An empty reference beside others counts as missing. With `jackknife` a missing reference
        raises PreorderEvalError, because the averages would not be over equally many references.
        """
        if self.whole_corpus or len(segments.references) == 1:
            return self.statistics(segments)
        groups = list(segments.by_references())
        fewer = any(len(streams) < len(segments.references) for _, streams, _ in groups)
        if fewer and self.jackknife:
            raise PreorderEvalError(
                f"metric {self.name}: jackknife=true needs all references of every sentence"
            )
        return in_segment_order([(which, self.statistics(part)) for which, _, part in groups])

    @abstractmethod
    def statistics(self, segments: Segments) -> Floats:
        """Return additive statistics of each segment; float64[S, k]."""

    def prepared(self, segments: Segments) -> Segments:
        """Return the segments lower-cased by the parameter; metrics share them."""
        return segments.prepared(lower=self.lower)

    def score(
        self, hypotheses: Segments | Stream, references: Stream | Sequence[Stream] = ()
    ) -> Scores:
        """Score hypotheses against one or several references each.

        Parameters: `Segments`, or what `Segments.of` makes them from. To make them once saves time
        if several metrics score the same texts. Returns `Scores`; raises PreorderEvalError if there
        is nothing to score, or a reference is missing; warns of texts without words to compare.
        """
        segments = as_segments(hypotheses, references)
        by = self.splitting(segments.tokenizer)
        statistics = by.by_references(segments)
        if fault := by.cannot_read(segments.reference_texts[0], [statistics]):
            warn(unread([by.name], *fault))
        return by.scores_of(statistics)

    def scorer(self) -> Any:
        """Return sacrebleu's scorer with the same parameters (Post 2018); None if there is none."""
        return None

    def sacrebleu_signature(self, references: int = 1) -> str:
        scorer = self.scorer()
        if scorer is None:
            return ""
        scorer.num_refs = references  # sacrebleu sets it when it scores
        return str(scorer.get_signature())


def unread(names: Sequence[str], why: str, fix: str) -> str:
    """Return a warning of metrics that cannot read the texts.

    >>> unread(["wer", "ter"], "there are no words", "write some")
    'there are no words, so wer, ter take no part in verdicts and rankings; write some'
    """
    take = "takes" if len(names) == 1 else "take"
    return f"{why}, so {', '.join(names)} {take} no part in verdicts and rankings; {fix}"


def in_segment_order(groups: Sequence[tuple[Longs, Floats]]) -> Floats:
    """Put the statistics of groups of segments into the order of the segments.

    Each group is given as the numbers of its segments and their statistics.
    """
    numbers, statistics = zip(*groups, strict=True)
    return np.concatenate(statistics)[np.argsort(np.concatenate(numbers))]


def as_segments(
    hypotheses: Segments | Stream, references: Stream | Sequence[Stream] = ()
) -> Segments:
    """Return hypotheses and references as segments; PreorderEvalError if there is no sentence."""
    if not isinstance(hypotheses, Segments):
        hypotheses = Segments.of(hypotheses, references)
    if not len(hypotheses):
        raise PreorderEvalError("no sentence to score")
    return hypotheses


@dataclass(frozen=True)
class WordMetric(LexicalMetric):
    """A metric that compares words.

    Parameters: `tokenize` is how texts are split into words: `"auto"` by the tokenizer of the
    references' language (`tokenizer_of`), which the signature in results names; `"none"` at white
    space alone, for tokenised texts; `"char"` into characters; or by a tokenizer of sacrebleu.
    """

    tokenize: Tokenize = quiet("auto", stated=True)

    def splitting(self, tokenizer: Tokenize, language: str = "") -> Self:
        return replace(self, tokenize=tokenizer) if self.tokenize == "auto" else self

    @property
    def words(self) -> Callable[[str], Sequence[str]]:
        return tokenizer("none" if self.tokenize == "auto" else self.tokenize)

    def prepared(self, segments: Segments) -> Segments:
        """Return the segments tokenised and lower-cased by the parameters; metrics share them."""
        return segments.prepared(self.splitting(segments.tokenizer).tokenize, self.lower)


@dataclass(frozen=True)
class SentenceMetric(WordMetric):
    """A metric whose corpus value is the mean of the sentence scores."""

    @abstractmethod
    def sentence_scores(self, segments: Segments) -> Floats:
        """Return the score of each of some segments, which are prepared already; float64[S]."""

    def statistics(self, segments: Segments) -> Floats:
        """Return the score of each segment, and one segment counted; float64[S, 2]."""
        scores = [self.sentence_scores(part) for part in self.prepared(segments).blocks()]
        flat = np.concatenate([np.zeros(0), *scores])
        return np.column_stack([flat, np.ones_like(flat)])

    def finish(self, statistics: Floats) -> Floats:
        return statistics[..., 0] / statistics[..., 1]


@dataclass(frozen=True)
class Jackknifed(WordMetric):
    """A metric of counts that can compare stems, and can leave out references in turn.

    A human translator can only be scored against the other translators. To compare outputs with
    humans, each of N references is held out in turn, and the N values against the others are
    averaged (Lin & Och 2004, section 5). The statistics of a segment are then the counts against
    each of these N sets.

    Parameters: `stem=True` compares Porter stems of the lower-cased words; `jackknife=True`
    averages over leaving out each of several references.
    """

    stem: bool = quiet(False, stated=True)
    jackknife: bool = quiet(False)

    @property
    @abstractmethod
    def width(self) -> int:
        """The number of counts of a segment."""

    @abstractmethod
    def counts(self, segments: Segments) -> Floats:
        """Return additive counts of some segments, which are prepared already; float64[S, k]."""

    @abstractmethod
    def value(self, counts: Floats) -> Floats:
        """Turn (sums of) counts into scores: float64[…, k] to float64[…]."""

    def prepared(self, segments: Segments) -> Segments:
        segments = super().prepared(segments)
        return stemmed(segments) if self.stem else segments

    def statistics(self, segments: Segments) -> Floats:
        """Return the counts, or those against each set of references; float64[S, n · k]."""
        segments = self.prepared(segments)
        if not self.jackknife:
            return self.counts(segments)
        return np.concatenate([self.counts(each) for each in reference_sets(segments)], axis=1)

    def finish(self, statistics: Floats) -> Floats:
        if not self.jackknife:
            return self.value(statistics)
        sets = statistics.reshape(*statistics.shape[:-1], -1, self.width)
        return self.value(sets).mean(axis=-1)


def reference_sets(segments: Segments) -> Iterator[Segments]:
    """Yield the segments without each of their references in turn; a single one is kept."""
    count = len(segments.references)
    for left_out in range(count) if count > 1 else [count]:
        kept = [number for number in range(count) if number != left_out]
        yield replace(
            segments,
            references=tuple(segments.references[number] for number in kept),
            reference_texts=[segments.reference_texts[number] for number in kept],
        )


def best_counts(against_each: Sequence[Floats], value: Callable[[Floats], Floats]) -> Floats:
    """Return the counts against the best reference of each segment; float64[S, k].

    Parameters: the counts against each stream of references, float64[S, k], and `value`, which
    turns counts into a score. If several references give the same score, the one with the
    lexicographically largest counts is taken. So the order of the references does not matter.
    """
    counts = np.stack(against_each)
    best = np.lexsort((*np.moveaxis(counts, -1, 0), value(counts)), axis=0)[-1]
    return counts[best, np.arange(counts.shape[1])]


def share(part: Floats, whole: Floats) -> Floats:
    """Divide counts by others; 0 where the divisor is 0."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def f_measure(recall: Floats, precision: Floats, beta: float | Literal["ratio"]) -> Floats:
    """Return (1 + β²) R P / (R + β² P), or 0 where both are 0; with "ratio" β is P / R.

    >>> f_measure(np.array([0.5, 0.0]), np.array([1.0, 0.0]), 1.0).round(3).tolist()
    [0.667, 0.0]
    >>> f_measure(np.array([0.5]), np.array([1.0]), "ratio").round(3).tolist()
    [0.556]
    """
    if beta == "ratio":
        # P/R put into the equation; powers of R cancel out.
        above = (recall**2 + precision**2) * recall * precision
        return share(above, recall**3 + precision**3)
    return share((1 + beta**2) * recall * precision, recall + beta**2 * precision)


def sentence_pairs(hypotheses: Tokens, references: Tokens) -> Iterator[tuple[list[int], list[int]]]:
    """Yield each hypothesis with its reference, as lists."""
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        yield hypothesis.tolist(), reference.tolist()


def replaced(segments: Segments, replacement: Callable[[str], Iterable[str]]) -> Segments:
    """Replace every word by none, one or several; the texts stay as they were.

    >>> replaced(Segments.of(["a-b c"], ["- b"]), lambda word: word.split("-")).names
    ('a', 'b', 'c', '')
    """
    index: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    words = [[index[word] for word in replacement(name)] for name in segments.names]
    counts = np.array([len(word) for word in words], dtype=np.int64)
    starts = offsets_of(map(len, words))
    flat = np.fromiter(itertools.chain.from_iterable(words), dtype=np.int32)

    def side(tokens: Tokens) -> Tokens:
        new = np.concatenate([[0], np.cumsum(counts[tokens.codes])])
        places = np.repeat(starts[tokens.codes], counts[tokens.codes]) + within(new)
        return Tokens(new[tokens.offsets], flat[places])

    return Segments(
        side(segments.hypotheses),
        tuple(side(reference) for reference in segments.references),
        tuple(index),
        segments.hypothesis_texts,
        segments.reference_texts,
        are_tokens=True,
    )


def stemmed(segments: Segments) -> Segments:
    """Replace every word by its Porter stem."""
    stem = snowball("porter")
    return replaced(segments, lambda word: [stem(word.lower())])
