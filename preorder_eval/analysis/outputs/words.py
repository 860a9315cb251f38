"""The words and n-grams of outputs: which are right, and how many of each group.

Words match as in BLEU's unigrams: a word counts as right at most as often as the reference has it,
its first instances first. Of several references each sentence is compared with the one that shares
most words with it (by F), the first on a tie.

The recall of a group is the share of its words in the references that the output has. Its precision
is the share of its words in the output that the reference has, F the harmonic mean. An n-gram is
right at most as often as the one reference of its sentence that has it most often, as in BLEU.
Neubig et al. (2019, "compare-mt") introduced such tables for comparing systems.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments, Tokens
from preorder_eval.data.tokenization import tokenizer, tokenizer_of
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.files import read_lines
from preorder_eval.metrics import WordMetric
from preorder_eval.results.result import Result
from preorder_eval.results.sampling import Sampling
from preorder_eval.stats.bootstrap import Interval, bootstrap
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import Difference, compare_systems

_FIRST = (0, 1, 2, 3, 4, 5, 10, 100, 1000)  # the smallest count of each group of words
_LAST = [first - 1 for first in _FIRST[1:]]
FREQUENCIES = [str(a) if a == b else f"{a}-{b}" for a, b in zip(_FIRST, _LAST, strict=False)]
FREQUENCIES.append(f"{_FIRST[-1]}+")
LONGEST = 4  # words of an n-gram

Sentences = Sequence[Sequence[str]]
Grouped = Sequence[Sequence[tuple[str, str]]]  # sentences of words with the group of each
Ngram = tuple[str, ...]


@dataclass(frozen=True)
class GroupAccuracy:
    """A system's accuracy on a group of words; F is NaN where there are none on either side.

    `references` words of it are in its references, `found` of them in its output; `outputs` are in
    its output, `right` of them in the references.
    """

    references: int
    found: int
    outputs: int
    right: int
    f: Interval

    @property
    def recall(self) -> float:
        """The share of the references' words that are found; NaN of none."""
        return self.found / self.references if self.references else float("nan")

    @property
    def precision(self) -> float:
        """The share of the output's words that are right; NaN of none."""
        return self.right / self.outputs if self.outputs else float("nan")


@dataclass(frozen=True)
class WordGroup:
    """A group of words: every system's accuracy, and of two how the second differs by F."""

    name: str
    systems: tuple[GroupAccuracy, ...]
    difference: Difference | None


def word_accuracy(
    outputs: Sequence[Grouped],
    references: Sequence[Grouped],
    names: Sequence[str],
    sampling: Sampling,
) -> list[WordGroup]:
    """Return the accuracy of systems by group of words, `names`, and of two whether they differ.

    Groups without any word are left out.
    """
    counts = np.stack([_counts(side, references, names) for side in outputs])
    filled = [g for g in range(len(names)) if counts[:, g].any()]
    measurements = [Measurement(counts[:, g], f_of_counts) for g in filled]
    if not measurements:
        return []
    sampled = bootstrap(measurements, resamples=sampling.resamples, seed=sampling.seed)
    differences: list[Difference | None] = [None] * len(filled)
    if len(outputs) == 2:
        pairs = compare_systems(
            measurements,
            higher_is_better=[True] * len(filled),
            test=sampling.test,
            resamples=sampling.resamples,
            seed=sampling.seed,
        )
        differences = [pair.difference for [pair] in pairs]
    groups = []
    for g, estimates, difference in zip(filled, sampled, differences, strict=True):
        accuracies = []
        for system, sums in enumerate(counts[:, g].sum(axis=1).astype(int).tolist()):
            found, in_references, right, in_outputs = sums
            f = estimates.interval(system)
            accuracies.append(GroupAccuracy(in_references, found, in_outputs, right, f))
        groups.append(WordGroup(names[g], tuple(accuracies), difference))
    return groups


def f_of_counts(statistics: Floats) -> Floats:
    """Return F from found and all words of references, right and all of outputs; float64[…, 4]."""
    found, references, right, outputs = np.moveaxis(statistics, -1, 0)
    # With recall r = found / references and precision p = right / outputs, F = 2rp / (r + p).
    top, bottom = 2 * found * right, found * outputs + right * references
    nothing = (references == 0) & (outputs == 0)
    values: Floats = np.divide(
        top, bottom, out=np.where(nothing, np.nan, np.zeros_like(top)), where=bottom > 0
    )
    return values


def nearest_references(outputs: Sentences, references: Sequence[Sentences]) -> list[int]:
    """Return the number, from 0, of the reference that shares most words with each output."""
    if len(references) == 1:
        return [0] * len(outputs)
    nearest = []
    for output, *texts in zip(outputs, *references, strict=True):
        words = Counter(output)
        shares = [
            (words & Counter(text)).total() / max(len(output) + len(text), 1) for text in texts
        ]
        nearest.append(shares.index(max(shares)))
    return nearest


def _counts(outputs: Grouped, references: Sequence[Grouped], names: Sequence[str]) -> Floats:
    """Words of each group and sentence, as `f_of_counts` takes them; float64[G, S, 4]."""
    number = {name: g for g, name in enumerate(names)}
    counts = np.zeros((len(names), len(outputs), 4))
    for s, which in enumerate(nearest_references(_words(outputs), list(map(_words, references)))):
        output, reference = outputs[s], references[which][s]
        for side, other, matched in ((reference, output, 0), (output, reference, 2)):
            left = Counter(word for word, _ in other)
            for word, group in side:
                counts[number[group], s, matched + 1] += 1
                if left[word] > 0:
                    left[word] -= 1
                    counts[number[group], s, matched] += 1
    return counts


def _words(side: Grouped) -> Sentences:
    return [[word for word, _ in sentence] for sentence in side]


@dataclass(frozen=True)
class NgramDifference:
    """An n-gram with how often it is in the references and right in the outputs of two systems.

    `share` is the first system's, (first + 1) / (first + second + 2), so rare n-grams count for
    less. `sentences` are the 1-based numbers of those in which the first has it right more often.
    """

    ngram: str
    references: int
    first: int
    second: int
    share: float
    sentences: list[int]


class NgramMatches:
    """The n-grams of streams of references that outputs of systems have, up to four words long."""

    def __init__(self, outputs: Sequence[Sentences], references: Sequence[Sentences]) -> None:
        in_references = list(map(_most, zip(*references, strict=True)))
        self._right = [
            [
                most & Counter(_ngrams(text))
                for most, text in zip(in_references, output, strict=True)
            ]
            for output in outputs
        ]
        self._references, *self._totals = map(_total, (in_references, *self._right))
        # Equal differences come in the order of the text.
        texts = chain.from_iterable((*outputs, *references))
        ngrams = dict.fromkeys(chain.from_iterable(map(_ngrams, texts)))
        self._place = {ngram: place for place, ngram in enumerate(ngrams)}

    def differences(self, first: int, second: int, most: int = 0) -> list[NgramDifference]:
        """Return what the first system gets right more often than the second; `most` 0 gives all.

        The largest share comes first, of equal ones the shorter n-gram, then the earlier one.
        """
        totals, others = self._totals[first], self._totals[second]
        sentences: defaultdict[Ngram, list[int]] = defaultdict(list)
        both = zip(self._right[first], self._right[second], strict=True)
        for number, (right, other) in enumerate(both, 1):
            for ngram in right - other:
                sentences[ngram].append(number)
        shares = {
            ngram: (totals[ngram] + 1) / (totals[ngram] + others[ngram] + 2)
            for ngram in sentences
            if totals[ngram] > others[ngram]
        }
        ranked = sorted(shares, key=lambda n: (-shares[n], len(n), self._place[n]))
        return [
            NgramDifference(
                " ".join(ngram),
                self._references[ngram],
                totals[ngram],
                others[ngram],
                shares[ngram],
                sentences[ngram],
            )
            for ngram in ranked[: most or None]
        ]


def _ngrams(words: Sequence[str]) -> Iterator[Ngram]:
    for n in range(1, LONGEST + 1):
        yield from zip(*(words[k:] for k in range(n)), strict=False)


def _most(texts: Sequence[Sequence[str]]) -> Counter[Ngram]:
    """Return the n-grams of some texts, each as often as the one that has it most often."""
    most: Counter[Ngram] = Counter()
    for text in texts:
        most |= Counter(_ngrams(text))
    return most


def _total(counts: Sequence[Counter[Ngram]]) -> Counter[Ngram]:
    total: Counter[Ngram] = Counter()
    for count in counts:
        total.update(count)
    return total


@dataclass(frozen=True, eq=False)
class OutputWords:
    """The outputs of a result beside its references, in words that `tokenize` makes.

    `outputs` are those of each system, `references` those of each stream, and `nearest` the numbers
    of the references that each system's outputs are compared with. `groups` hold the accuracy of
    all systems by `frequency` in the text `counted`.
    """

    result: Result
    tokenize: str
    counted: str
    outputs: Sequence[Sentences]
    references: Sequence[Sentences]
    nearest: Sequence[Sequence[int]]
    groups: dict[str, list[WordGroup]]
    ngrams: NgramMatches


def output_words(
    result: Result, *, tokenize: str = "", training: str | Path | None = None
) -> OutputWords:
    """Split a result's outputs and references into words, and count which are right.

    Parameters as for `analyse_outputs`; `tokenize` is by default that of the result's metrics that
    split words at all. Raises PreorderEvalError for a result without outputs or references.
    """
    inputs = result.inputs
    if not inputs.references or any(system.hyp is None for system in inputs.systems):
        raise PreorderEvalError(f"{result.name} has no outputs with references")
    if not tokenize:
        chosen = [metric.tokenize for metric in result.metrics if isinstance(metric, WordMetric)]
        chosen = chosen or [tokenizer_of(inputs.references[0].sentences)]
        tokenize = next((name for name in chosen if name != "none"), "none")
    segments = [inputs.of(n).segments.prepared(tokenize) for n in range(len(result.systems))]
    outputs, references = _sides(segments)
    if training is None:
        counts = Counter(chain.from_iterable(chain.from_iterable(references)))
    else:
        known, split = {word for each in segments for word in each.names}, tokenizer(tokenize)
        lines = read_lines(Path(training), blank=True)
        counts = Counter(word for line in lines for word in split(line) if word in known)
    groups = {
        "frequency": word_accuracy(
            [_by_frequency(words, counts) for words in outputs],
            [_by_frequency(words, counts) for words in references],
            FREQUENCIES,
            result.sampling,
        )
    }
    return OutputWords(
        result,
        tokenize,
        "the references" if training is None else Path(training).name,
        outputs,
        references,
        [nearest_references(words, references) for words in outputs],
        groups,
        NgramMatches(outputs, references),
    )


def _sides(segments: Sequence[Segments]) -> tuple[list[Sentences], list[Sentences]]:
    """Return the words of every system's outputs, and of every stream of references."""

    def sentences(tokens: Tokens, names: Sequence[str]) -> Sentences:
        words = [names[code] for code in tokens.codes.tolist()]
        return [words[start:stop] for start, stop in pairwise(tokens.offsets.tolist())]

    first = segments[0]
    return (
        [sentences(each.hypotheses, each.names) for each in segments],
        [sentences(stream, first.names) for stream in first.references],
    )


def _by_frequency(words: Sentences, counts: Counter[str]) -> Grouped:
    return [[(word, FREQUENCIES[bisect(_FIRST, counts[word]) - 1]) for word in s] for s in words]
