"""Reference sets: source sentences with word alignments to a translation.

`AnnotatedSentence` is one of their sentences as an annotator sees and changes it. Every change
makes a new sentence; where words change, links and free blocks follow them.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Bools
from preorder_eval.base.errors import PreorderEvalError, UnknownNameError
from preorder_eval.base.ragged import sentence_lengths
from preorder_eval.base.visible import first_few, quantity
from preorder_eval.orders.alignments import Alignments, Link
from preorder_eval.orders.orders import Alternatives, ReferenceOrder, ReferenceOrders, SourceWords
from preorder_eval.orders.reference_orders import Block, Stretch, reference_orders
from preorder_eval.trees.treebank import Treebank, comment_value, document_names

DEV, TEST, ALL = "dev", "test", "all"  # to tune on, nothing to be tuned on, and the whole
NO_LINKS = "no links"  # why a sentence is left out
UNTRANSLATED = ("…",)  # stands for a translation that is to be written
_SEEN = 100  # sentences that are looked at


@dataclass(frozen=True, eq=False)
class ReferenceSet:
    """Source sentences, their alignments and what comes with them.

    `trees` are gold trees of the source, `target` the translations and `target_trees` their trees;
    each is None if the set has none. `languages` is like `en-ja`, and empty if they are not known.
    `hashes` has the SHA-256 of each file that the set was read from, by file name; `version` is
    that of the datasheet.

    If sentences have several reference orders, `alternatives` has all of them, those made of
    `alignments` first, and `cut` the 1-based numbers of the sentences that had more than 120.
    `free` has for each translation the blocks whose order is open. `exceptions` are the blocks that
    are free although the list of the language does not name them, or the reverse.

    If a set was annotated twice and adjudicated, `annotators` has its layers `first` and `second`,
    without the sentences that have no link there. With `raw` the source was tokenised here, line by
    line, so that a line may hold several sentences. `documents` has the name of each sentence's
    document, by the comments `# newdoc` of the trees unless they are given; it is empty if there
    are none.

    >>> ReferenceSet("mine", [["eat", "fish"]], Alignments.of([[(0, 1), (1, 0)]]))
    <ReferenceSet mine: 1 sentence, 2 tokens, 2 links>
    """

    name: str
    source: Sequence[list[str]]
    alignments: Alignments
    target: Sequence[list[str]] | None = None
    trees: Treebank | None = None
    target_trees: Treebank | None = None
    hashes: Mapping[str, str] = field(default_factory=dict)
    alternatives: Alternatives | None = None
    cut: tuple[int, ...] = ()
    languages: str = ""
    free: Sequence[Sequence[Block]] | None = None
    exceptions: Sequence[Sequence[Block]] | None = None
    version: str = ""
    annotators: Mapping[str, ReferenceSet] = field(default_factory=dict)
    raw: bool = False
    documents: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not self.documents and self.trees is not None:
            object.__setattr__(self, "documents", document_names(self.trees.comments))
        if not isinstance(self.alignments, Alignments):
            hint = "make them by Alignments.of, or read them by read_alignment"
            raise PreorderEvalError(f"{self.name}: the links are no Alignments; {hint}")
        if not isinstance(self.source, Sequence) or any(
            isinstance(words, str) or not isinstance(words, Sequence)
            for words in islice(self.source, _SEEN)
        ):
            hint = "split texts into words"
            raise PreorderEvalError(f"{self.name}: the source is no list of lists of words; {hint}")

    def __len__(self) -> int:
        return len(self.source)

    def __repr__(self) -> str:
        tokens, links = sum(sentence_lengths(self.source)), len(self.alignments.source)
        some = quantity(len(self), "sentence")
        return f"<ReferenceSet {self.name}: {some}, {tokens} tokens, {links} links>"

    @property
    def has_pairs(self) -> bool:
        """Return whether comments of the gold trees mark minimal pairs."""
        trees = self.trees
        return trees is not None and any(comment_value(c, "pair") for c in trees.comments)

    def seen_by(self, tuned_on: Sequence[str]) -> str | None:
        """Return which of the sets `tuned_on` has test sentences of this one, or None.

        >>> data = ReferenceSet("mine/test", [["eat"]], Alignments.of([[(0, 0)]]))
        >>> data.seen_by(["mine/dev", "mine/all"]), data.seen_by(["mine/dev"])
        ('mine/all', None)
        """
        name, _, part = self.name.rpartition("/")
        name = name.partition("@")[0]  # layers have the sentences of their set
        if part not in (TEST, ALL):
            return None
        return next((n for n in tuned_on if n in (f"{name}/{TEST}", f"{name}/{ALL}")), None)

    def take(self, sentences: Sequence[int], name: str) -> ReferenceSet:
        """Return the sentences of these numbers, in that order, as a set of that name."""
        chosen = np.array(sentences, dtype=np.int64)
        return replace(
            self,
            name=name,
            source=[self.source[s] for s in sentences],
            alignments=self.alignments.take(chosen),
            target=self.target and [self.target[s] for s in sentences],
            trees=self.trees and self.trees.take(chosen),
            target_trees=self.target_trees and self.target_trees.take(chosen),
            alternatives=self.alternatives and self.alternatives.take(chosen),
            cut=tuple(n for n, s in enumerate(sentences, 1) if s + 1 in self.cut),
            free=self.free and [self.free[s] for s in sentences],
            exceptions=self.exceptions and [self.exceptions[s] for s in sentences],
            annotators={who: data.take(sentences, name) for who, data in self.annotators.items()},
            documents=self.documents and [self.documents[s] for s in sentences],
        )

    def find(self, sentence: str) -> int:
        """Return the index of the sentence with this id, or else of this number, counted from 1.

        Raises PreorderEvalError where there is none, and for the id of several sentences.
        """
        ids = [tree.sentence_id for tree in self.trees] if self.trees is not None else []
        if ids.count(sentence) > 1:
            numbers = first_few([n for n, name in enumerate(ids, 1) if name == sentence])
            raise PreorderEvalError(
                f"reference {self.name}: several sentences have the sent_id {sentence!r}; give one "
                f"of their numbers: {numbers}"
            )
        if sentence in ids:
            return ids.index(sentence)
        counted = [str(number) for number in range(1, len(self) + 1)]
        if (number := sentence.lstrip("0")) in counted:
            return counted.index(number)
        raise PreorderEvalError(
            f"reference {self.name} has no sentence {sentence!r}; give a number from 1 to "
            f"{len(self)}" + (" or a sent_id" if any(ids) else "")
        )

    @cached_property
    def references(self) -> ReferenceOrders:
        """The reference orders made from the alignments, one for each sentence."""
        return reference_orders(self.alignments, sentence_lengths(self.source))

    @property
    def allowed(self) -> ReferenceOrders | Alternatives:
        """All reference orders: what metrics of orders take."""
        return self.references if self.alternatives is None else self.alternatives

    def orders_of(self, sentence: int) -> list[ReferenceOrder]:
        """Return all reference orders of the sentence of that index."""
        if self.alternatives is None:
            return [self.references[sentence]]
        return list(self.alternatives.take(np.array([sentence])).references)

    @property
    def coverage(self) -> float:
        """The share of source tokens with a link; NaN without a token."""
        return self.references.coverage

    @property
    def aligner(self) -> str:
        """The signature of the program that made the links, empty where people did."""
        return self.alignments.aligner or self.allowed.aligner

    @property
    def informative(self) -> Bools:
        """Return which sentences have a link; bool[S]."""
        return self.allowed.informative

    @cached_property
    def words(self) -> SourceWords:
        """The source words, interned."""
        return SourceWords.of(self.source)


def part_sentences(name: str, splits: Sequence[str], split: str | None) -> tuple[str, list[int]]:
    """Return the name of a part of a set, and the numbers of its sentences.

    Parameters: `splits` the split of each sentence, empty for none; `split` the part that is asked
    for, by default `dev` if the set has parts, otherwise all. Raises UnknownNameError for an
    unknown part, and PreorderEvalError if none is asked for and there is no `dev`.

    >>> part_sentences("mine", ["test", "dev", ""], "test"), part_sentences("mine", ["", ""], None)
    (('mine/test', [0]), ('mine', [0, 1]))
    """
    names = sorted({known for known in splits if known})
    if not names and split is None:
        return name, list(range(len(splits)))
    chosen = split or DEV
    if split is None and DEV not in names:
        parts = " or ".join(f"{name}/{part}" for part in [*names, ALL])
        raise PreorderEvalError(f"{name} has no part {DEV}, which is the default; give {parts}")
    if not names or chosen not in (*names, ALL):
        raise UnknownNameError(f"part of {name}", chosen, [*names, ALL] if names else [])
    return f"{name}/{chosen}", [s for s, known in enumerate(splits) if chosen in (known, ALL)]


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
    """Return for each old token the positions of the new tokens that it has become, if any.

    A token that is the same on both sides is kept. Between kept tokens, an old token becomes every
    new one that shares at least half of the characters of the shorter of the two. So a token may
    have been corrected, split or joined.

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
    """Return a free block on the new tokens; None where nothing is left of a stretch of it."""
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
