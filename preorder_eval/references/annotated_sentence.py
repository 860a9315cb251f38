"""A sentence of a reference set as an annotator sees and changes it.

Every change makes a new sentence; where words change, links and free blocks follow them.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.orders.alignments import Link
from preorder_eval.orders.reference_orders import Block, Stretch
from preorder_eval.references.reference_set import UNTRANSLATED

Words = tuple[str, ...]


@dataclass(frozen=True)
class Translation:
    """A translation of a sentence; it has no words if the sentence is not translated.

    `links` lead from source to target positions, and have as their value whether they are marked
    possible. `free` are the blocks of the target whose order is open.
    """

    words: Words = ()
    links: Mapping[Link, bool] = field(default_factory=dict)
    free: tuple[Block, ...] = ()


@dataclass(frozen=True)
class AnnotatedSentence:
    """The words of a sentence, and its translations.

    >>> fish = Translation(("魚", "食べる"), {(1, 0): False})
    >>> sentence = AnnotatedSentence(("eat", "fish"), (fish,))
    >>> sentence.reworded(0, ("魚", "を", "食べる")).translations[0].links
    {(1, 0): False}
    """

    source: Words
    translations: tuple[Translation, ...]

    def linked(self, number: int, links: Mapping[Link, bool]) -> AnnotatedSentence:
        """Return the sentence with these links to the translation of that number.

        Raises PreorderEvalError for a link outside the words, and if there is no translation yet.
        """
        if links and self.translations[number].words == UNTRANSLATED:
            raise PreorderEvalError("write the translation first: Edit translation")
        for source, target in links:
            inside = 0 <= source < len(self.source)
            if not inside or not 0 <= target < len(self.translations[number].words):
                raise PreorderEvalError(f"link {source}-{target} is outside the sentence")
        return self.changed(number, links=dict(sorted(links.items())))

    def freed(self, number: int, free: Iterable[Block]) -> AnnotatedSentence:
        """Return the sentence with these free blocks in the translation of that number."""
        return self.changed(number, free=tuple(sorted(free)))

    def reworded(self, number: int, words: Sequence[str]) -> AnnotatedSentence:
        """Return the sentence with other words in the translation of that number.

        Words that stay keep their links. A free block is dropped if one of its spans has lost all
        its words.
        """
        known = self.translations[number]
        kept = kept_tokens(known.words, words)
        links = {(s, new): mark for (s, old), mark in known.links.items() for new in kept[old]}
        free = tuple(moved for block in known.free if (moved := _moved(block, kept)))
        return self.changed(
            number, words=tuple(words), links=dict(sorted(links.items())), free=free
        )

    def with_source(self, words: Sequence[str]) -> AnnotatedSentence:
        """Return the sentence with other source words; words that stay keep their links."""
        kept = kept_tokens(self.source, words)
        sentence = replace(self, source=tuple(words))
        for number, known in enumerate(self.translations):
            links = {(new, t): mark for (old, t), mark in known.links.items() for new in kept[old]}
            sentence = sentence.changed(number, links=dict(sorted(links.items())))
        return sentence

    def changed(self, number: int, **changed: Any) -> AnnotatedSentence:
        translations = list(self.translations)
        translations[number] = replace(translations[number], **changed)
        return replace(self, translations=tuple(translations))


def kept_tokens(old: Sequence[str], new: Sequence[str]) -> list[list[int]]:
    """Return for each old token the positions of the new tokens that replace it, if any.

    A token that is the same on both sides is kept. Between kept tokens, an old token is replaced by
    every new token with which it shares at least half of the characters of the shorter of the two.
    So a token may have been corrected, split or joined.

    >>> kept_tokens(["we", "recieve", "ice", "cream"], ["we", "receive", "it", "ice", "-", "cream"])
    [[0], [1], [3], [5]]
    >>> kept_tokens(["食べました", "。"], ["食べ", "まし", "た", "。"])
    [[0, 1, 2], [3]]
    >>> kept_tokens(["cat"], ["cow"])
    [[]]
    """
    kept: list[list[int]] = [[] for _ in old]
    i = j = 0
    for first, second, size in _common(list(old), list(new)):
        gone, come = range(i, first), range(j, second)
        owners, others = ([n for n in gone for _ in old[n]], [n for n in come for _ in new[n]])
        texts = "".join(old[n] for n in gone), "".join(new[n] for n in come)
        shared = Counter(
            (owners[at + n], others[there + n])
            for at, there, length in _common(*texts)
            for n in range(length)
        )
        for (token, other), count in sorted(shared.items()):
            if 2 * count >= min(len(old[token]), len(new[other])):
                kept[token].append(other)
        for n in range(size):
            kept[first + n] = [second + n]
        i, j = first + size, second + size
    return kept


def _common(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the starts of common spans on both sides, and their lengths; last, both ends."""
    from rapidfuzz.distance import Indel

    for block in Indel.opcodes(one, other).as_matching_blocks():
        yield block.a, block.b, block.size


def _moved(block: Block, kept: Sequence[Sequence[int]]) -> Block | None:
    """Return a free block on the new tokens; None if one of its spans has lost all its tokens."""
    stretches = [
        [new for old in range(first, last + 1) for new in kept[old]] for first, last in block
    ]
    if not all(stretches):
        return None
    starts = [min(stretch) for stretch in stretches]
    if any(after <= before for before, after in itertools.pairwise(starts)):
        return None
    # What has come between two stretches belongs to the first.
    ends = [*(start - 1 for start in starts[1:]), max(stretches[-1])]
    moved: list[Stretch] = list(zip(starts, ends, strict=True))
    return tuple(moved)
