"""Reference sets: source sentences with word alignments to a translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

import numpy as np

from preorder_eval.base.arrays import Bools
from preorder_eval.base.errors import PreorderEvalError, UnknownNameError
from preorder_eval.base.ragged import sentence_lengths
from preorder_eval.base.visible import first_few, quantity
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Alternatives, ReferenceOrder, ReferenceOrders, SourceWords
from preorder_eval.orders.reference_orders import Block, reference_orders
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

    >>> import preorder_eval as pe
    >>> pe.ReferenceSet("mine", [["eat", "fish"]], pe.Alignments.of([[(0, 1), (1, 0)]]))
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
        """All reference orders, as the argument of metrics of orders."""
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
