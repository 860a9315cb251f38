"""What the words of outputs and references can be grouped by: how frequent they are, their tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from preorder_eval.analysis.word_matches import WordMatches
from preorder_eval.data.arrays import Ints
from preorder_eval.data.segments import Segments, Tokens
from preorder_eval.data.tokenization import tokenizer
from preorder_eval.errors import PreorderEvalError

_FIRST = (0, 1, 2, 3, 4, 5, 10, 100, 1000)  # the smallest count of each group of words


@dataclass(frozen=True, eq=False)
class WordGroups:
    """A group for every word of the outputs, int32[N], and of their references, int32[M].

    `by` says what of, `names` are those of the groups, in their order.
    """

    by: str
    names: tuple[str, ...]
    hypotheses: Ints
    references: Ints


def by_frequency(
    segments: Segments, matches: WordMatches, counts: Mapping[str, int] | None = None
) -> WordGroups:
    """Words by how often they occur in some text, by default in all references.

    >>> from preorder_eval.analysis.word_matches import word_matches
    >>> segments = Segments.of(["a b"], ["a a"])
    >>> groups = by_frequency(segments, word_matches(segments))
    >>> [groups.names[g] for g in groups.hypotheses], [groups.names[g] for g in groups.references]
    (['2', '0'], ['2', '2'])
    """
    if counts is None:
        codes = np.concatenate([stream.codes for stream in segments.references])
        of_words = np.bincount(codes, minlength=len(segments.names))
    else:
        of_words = np.array([counts.get(word, 0) for word in segments.names], dtype=np.int64)
    group = (np.searchsorted(_FIRST, of_words, side="right") - 1).astype(np.int32)
    last = [first - 1 for first in _FIRST[1:]]
    names = [str(a) if a == b else f"{a}-{b}" for a, b in zip(_FIRST, last, strict=False)]
    return WordGroups(
        "frequency",
        (*names, f"{_FIRST[-1]}+"),
        group[matches.hypotheses.codes],
        group[matches.references.codes],
    )


def by_part_of_speech(segments: Segments, matches: WordMatches, tags: Segments) -> WordGroups:
    """Words by their tags, of which every word between spaces has one.

    Raises PreorderEvalError where the words that were matched are others than those.
    """
    for words, tagged in zip(_sides(segments), _sides(tags), strict=True):
        if words.offsets.tolist() != tagged.offsets.tolist():
            raise PreorderEvalError("tags are of the words between spaces, and others were matched")
    codes = matches.of_references([stream.codes for stream in tags.references])
    return WordGroups("upos", tags.names, tags.hypotheses.codes, codes)


def _sides(segments: Segments) -> tuple[Tokens, ...]:
    return (segments.hypotheses, *segments.references)


def word_counts(lines: Iterable[str], words: Iterable[str], tokenize: str) -> Counter[str]:
    """How often each of some words occurs in a text.

    >>> word_counts(["a b a", "c"], ["a", "d"], "none")
    Counter({'a': 2})
    """
    wanted, split = set(words), tokenizer(tokenize)
    return Counter(word for line in lines for word in split(line) if word in wanted)
