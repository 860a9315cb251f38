"""The words and n-grams of outputs: which are right, and which of two systems has them more often.

An n-gram of an output is right at most as often as the one reference of its sentence that has it
most often, as in BLEU. Neubig et al. (2019, "compare-mt") introduced tables of such n-grams for
comparing systems. Where single words are marked as right, each sentence is compared with the one of
several references that shares most words with it, by F.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from preorder_eval.data.segments import Segments, Tokens
from preorder_eval.data.tokenization import tokenizer_of
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import WordMetric
from preorder_eval.results.result import Result

LONGEST = 4  # words of an n-gram

Sentences = Sequence[Sequence[str]]
Ngram = tuple[str, ...]


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


@dataclass(frozen=True)
class NgramDifference:
    """An n-gram: how often the references have it, and how often it is right in two outputs.

    `share` is (first + 1) / (first + second + 2); added to the counts, the ones keep rare n-grams
    from coming first. `sentences` has the 1-based numbers of those in which the first system has it
    right more often.
    """

    ngram: str
    references: int
    first: int
    second: int
    share: float
    sentences: list[int]


class NgramMatches:
    """The n-grams that outputs have in common with references, up to four words long."""

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
        """Return the n-grams that the first system gets right more often than the second.

        The largest share comes first; of equal ones the shorter n-gram, then the earlier one.
        `most` is how many are returned; 0 returns all.
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
    """Return the n-grams of some texts, each as often as in the text that has it most often."""
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
    of the references that each system's outputs are compared with.
    """

    result: Result
    tokenize: str
    outputs: Sequence[Sentences]
    references: Sequence[Sentences]
    nearest: Sequence[Sequence[int]]
    ngrams: NgramMatches


def output_words(result: Result, *, tokenize: str = "") -> OutputWords:
    """Split a result's outputs and references into words, and find their n-grams.

    Parameters: `tokenize` how words are split, by default as by the first of the result's metrics
    that splits words at all. Raises PreorderEvalError for a result without outputs or references.
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
    nearest = [nearest_references(words, references) for words in outputs]
    ngrams = NgramMatches(outputs, references)
    return OutputWords(result, tokenize, outputs, references, nearest, ngrams)


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
