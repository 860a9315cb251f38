"""Outputs of translation systems beside their references, as flat arrays of word numbers.

A *segment* is a hypothesis with its references, usually a sentence. Every word is interned to a
number once, the same for hypotheses and references. So all metrics compare numbers: one int32 per
token and one offset per sentence. The texts are kept for metrics that need them.

References come in *streams*, as in sacrebleu: the first reference of every sentence, then the
second of every sentence, and so on.
"""

from __future__ import annotations

import itertools
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeGuard

import numpy as np

from preorder_eval.base.arrays import Ints, Longs, blocks, described, offsets_of
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.ragged import Lines, Ragged
from preorder_eval.base.text.tokenization import Tokenize, split_at_spaces, tokenizer, tokenizer_of
from preorder_eval.base.visible import quantity

Sentence = str | Sequence[str]
Stream = Sequence[Sentence]
_BLOCK = 1 << 17  # tokens of both sides


@dataclass(frozen=True, eq=False, repr=False)
class Tokens(Ragged[Ints]):
    """The tokens of one side of a corpus as numbers.

    `codes` int32[N]. `tokens[s]` is the view of sentence s, int32[n].

    >>> tokens = Tokens(np.array([0, 2, 3]), np.array([4, 7, 4], dtype=np.int32))
    >>> tokens[0].tolist(), tokens.lengths.tolist()
    ([4, 7], [2, 1])
    """

    codes: Ints

    def _sentence(self, sentence: int) -> Ints:
        return self.codes[self.span(sentence)]

    @cached_property
    def sentences(self) -> Longs:
        """For every token the number of its sentence; int64[N]."""
        return np.repeat(np.arange(len(self)), self.lengths)


@dataclass(frozen=True, eq=False)
class Segments:
    """Hypotheses with one or several references each.

    `hypotheses` and every stream of `references` are `Tokens` of the same S sentences; `names[c]`
    is the word of code c on either side. `hypothesis_texts` of S and `reference_texts`, S for
    each stream, are the sentences as they were given (tokens joined by spaces). `are_tokens` is
    whether they were given as tokens, which metrics do not split again by themselves.

    >>> Segments.of(["a b", "c"], [["a", "c"], ["b", "d"]])
    <Segments: 2 sentences, 2 references>
    """

    hypotheses: Tokens
    references: tuple[Tokens, ...]
    names: tuple[str, ...]
    hypothesis_texts: Sequence[str]
    reference_texts: list[Sequence[str]]
    are_tokens: bool = False
    _prepared: dict[tuple[str, bool], Segments] = field(default_factory=dict, init=False)

    def __repr__(self) -> str:
        return described("Segments", sentence=len(self), reference=len(self.references))

    @classmethod
    def of(cls, hypotheses: Stream, references: Stream | Sequence[Stream]) -> Segments:
        """Intern hypotheses and references.

        Parameters: `hypotheses` one sentence each, either all texts, split on the plain space
        alone, or all lists of tokens; `references` the same for one reference each, or a list of
        several such lists. Sentences may be empty. Raises PreorderEvalError where a stream of
        references is missing or has another number of sentences.

        >>> segments = Segments.of(["a b", ""], [["b a", "c"], ["b", "b c"]])
        >>> segments.references[1].codes.tolist(), segments.names
        ([1, 1, 2], ('a', 'b', 'c'))
        """
        streams = [hypotheses, *_streams(hypotheses, references)]
        for number, stream in enumerate(streams[1:], 1):
            if len(stream) != len(hypotheses):
                raise PreorderEvalError(
                    f"reference {number} has {quantity(len(stream), 'sentence')}, the hypotheses "
                    f"{len(hypotheses)}; both must have the same sentences"
                )
        texts = [_as_texts(stream) for stream in streams]
        if _all_texts(hypotheses):
            return cls._interned([map(split_at_spaces, stream) for stream in texts], texts, False)
        return cls._interned(streams, texts, True)

    @classmethod
    def _interned(
        cls,
        streams: Iterable[Iterable[Sequence[str]]],
        texts: Sequence[Sequence[str]],
        are_tokens: bool,
    ) -> Segments:
        index: defaultdict[str, int] = defaultdict(itertools.count().__next__)
        sides = []
        for stream in streams:
            lengths, codes = [], array("i")  # which grows where it is
            for words in stream:
                lengths.append(len(words))
                codes.extend(map(index.__getitem__, words))
            sides.append(Tokens(offsets_of(lengths), np.asarray(codes)))
        return cls(sides[0], tuple(sides[1:]), tuple(index), texts[0], list(texts[1:]), are_tokens)

    def __len__(self) -> int:
        return len(self.hypotheses)

    def part(self, first: int, last: int) -> Segments:
        """Return the segments from `first` up to `last`; the codes stay the same."""
        return replace(
            self,
            hypotheses=self.hypotheses.part(first, last),
            references=tuple(reference.part(first, last) for reference in self.references),
            hypothesis_texts=self.hypothesis_texts[first:last],
            reference_texts=[texts[first:last] for texts in self.reference_texts],
        )

    def by_references(self) -> Iterator[tuple[Longs, list[int], Segments]]:
        """Yield groups of the segments that have the same references, without missing ones.

        An empty reference beside others counts as missing; a segment without any keeps all. Each
        group comes with the numbers of its segments, int64[n], and those of its references.

        >>> segments = Segments.of(["a", "b"], [["a", ""], ["c", "b"]])
        >>> [(which.tolist(), streams) for which, streams, _ in segments.by_references()]
        [([1], [1]), ([0], [0, 1])]
        """
        there = np.stack([reference.lengths > 0 for reference in self.references], axis=1)
        there[~there.any(axis=1)] = True
        patterns, numbers = np.unique(there, axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            sentences = np.flatnonzero(numbers.ravel() == number)
            streams = np.flatnonzero(pattern).tolist()
            if len(sentences) == len(self) and len(streams) == len(self.references):
                yield sentences, streams, self
                continue
            texts = [self.hypothesis_texts, *(self.reference_texts[n] for n in streams)]
            hypotheses, *references = ([text[s] for s in sentences.tolist()] for text in texts)
            part = replace(
                self,
                hypotheses=self.hypotheses.take(sentences),
                references=tuple(self.references[n].take(sentences) for n in streams),
                hypothesis_texts=hypotheses,
                reference_texts=list(references),
            )
            yield sentences, streams, part

    def blocks(self) -> Iterator[Segments]:
        """Divide the corpus into parts of about as many tokens as the processor's cache holds."""
        offsets = sum(side.offsets for side in (self.hypotheses, *self.references))
        offsets += np.arange(len(self) + 1)  # so that empty sentences count too
        return (self.part(first, last) for first, last in blocks(offsets, _BLOCK))

    @cached_property
    def tokenizer(self) -> Tokenize:
        """The tokenizer of the references' language; `none` for segments given as tokens."""
        return "none" if self.are_tokens else tokenizer_of(self.reference_texts[0])

    @cached_property
    def _spaced(self) -> bool:
        """Return whether plain spaces are all the white space between words."""
        return self.are_tokens or all(name.split() == [name] for name in self.names)

    def prepared(self, tokenize: str = "", lower: bool = False) -> Segments:
        """Return the same segments tokenised anew and lower-cased; they are made once and kept.

        Parameters: `tokenize` a tokenizer (`base.text.tokenization`), or `auto` for that of the
        language; without it words are split at plain spaces alone. `lower` lower-cases before that.

        >>> Segments.of(["A b"], ["a B"]).prepared("char", lower=True).names
        ('a', 'b')
        >>> Segments.of(["b."], ["a"]).prepared("auto").names
        ('b', '.', 'a')
        """
        tokenize = self.tokenizer if tokenize == "auto" else tokenize
        if tokenize == "none" and self._spaced:
            tokenize = ""
        key = (tokenize, lower)
        if key == ("", False):
            return self
        if key not in self._prepared:
            self._prepared[key] = self._prepare(tokenize, lower)
        return self._prepared[key]

    def _prepare(self, tokenize: str, lower: bool) -> Segments:
        texts: list[Sequence[str]] = [self.hypothesis_texts, *self.reference_texts]
        if lower:
            texts = [[text.lower() for text in stream] for stream in texts]
        if tokenize:
            split = tokenizer(tokenize)
            tokens = [[split(text) for text in stream] for stream in texts]
            joined = [[" ".join(words) for words in stream] for stream in tokens]
            return self._interned(tokens, joined, are_tokens=True)
        index: defaultdict[str, int] = defaultdict(itertools.count().__next__)
        codes = np.array([index[name.lower()] for name in self.names], dtype=np.int32)
        sides = [Tokens(s.offsets, codes[s.codes]) for s in (self.hypotheses, *self.references)]
        words = tuple(index)
        return Segments(sides[0], tuple(sides[1:]), words, texts[0], texts[1:], self.are_tokens)


def _all_texts(stream: Sequence[Any]) -> bool:
    return isinstance(stream, Lines) or all(isinstance(sentence, str) for sentence in stream)


def _as_texts(stream: Stream) -> Sequence[str]:
    if isinstance(stream, Lines):
        return stream
    return [s if isinstance(s, str) else " ".join(s) for s in stream]


def _streams(hypotheses: Stream, references: Stream | Sequence[Stream]) -> list[Stream]:
    """Return the streams of references: those given, or the only one."""
    for stream in (hypotheses, references):
        if not isinstance(stream, Iterable):
            raise PreorderEvalError(f"{stream!r:.60} is not a list of texts")
    texts = _all_texts(hypotheses)
    if not _is_stream(hypotheses, texts):
        raise PreorderEvalError("hypotheses must be a list of texts or a list of lists of tokens")
    if _is_stream(references, texts):
        return [references]
    streams: list[Stream] = []
    for number, stream in enumerate(references, 1):
        if not _is_stream(stream, texts):
            kind = "texts" if texts else "lists of tokens"
            raise PreorderEvalError(f"reference {number} is not a list of {kind}")
        streams.append(stream)
    return streams


def _is_stream(value: Any, texts: bool) -> TypeGuard[Stream]:
    """Return whether every item is a text, or every item a list of tokens."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        return False
    if texts:
        return _all_texts(value)
    return all(
        isinstance(item, Sequence)
        and not isinstance(item, str)
        and all(isinstance(token, str) for token in item)
        for item in value
    )
