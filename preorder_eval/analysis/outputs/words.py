"""The words of outputs and their references, as a result's metrics split them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from preorder_eval.data.segments import Tokens
from preorder_eval.data.tokenization import tokenizer_of
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import WordMetric
from preorder_eval.results.result import Result

Sentences = Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class OutputWords:
    """The outputs of a result and its references, in words that `tokenize` makes.

    `outputs` are those of each system, and `references` those of each stream of references.
    """

    result: Result
    tokenize: str
    outputs: Sequence[Sentences]
    references: Sequence[Sentences]

    @property
    def nearest(self) -> list[list[int]]:
        """The number, from 0, of the reference that shares most words with each output."""
        return [nearest_references(words, self.references) for words in self.outputs]


def output_words(result: Result, *, tokenize: str = "") -> OutputWords:
    """Split a result's outputs and references into words.

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
    first = segments[0]
    return OutputWords(
        result,
        tokenize,
        [_sentences(each.hypotheses, each.names) for each in segments],
        [_sentences(stream, first.names) for stream in first.references],
    )


def _sentences(tokens: Tokens, names: Sequence[str]) -> Sentences:
    words = [names[code] for code in tokens.codes.tolist()]
    return [words[start:stop] for start, stop in pairwise(tokens.offsets.tolist())]


def nearest_references(outputs: Sentences, references: Sequence[Sentences]) -> list[int]:
    """Return the number, from 0, of the reference that shares most words with each output, by F."""
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
