"""Reference sets: source sentences with word alignments to a translation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from preorder_eval.data.alignments import Alignments, reference_orders
from preorder_eval.data.alternatives import Alternatives
from preorder_eval.data.arrays import Bools
from preorder_eval.data.orders import ReferenceOrder, ReferenceOrders
from preorder_eval.data.sentences import sentence_lengths
from preorder_eval.data.source_words import SourceWords
from preorder_eval.data.treebank import Treebank, comment_value
from preorder_eval.errors import PreorderEvalError
from preorder_eval.visible import quantity

TEST, ALL = "test", "all"  # the part that nothing is to be tuned on, and the whole


@dataclass(frozen=True, eq=False)
class ReferenceSet:
    """Source sentences, their alignments and what comes with them.

    `trees` are gold trees of the source, `target` the translations and `target_trees` their
    trees, each None where the set has none; `hashes` the SHA-256 of each file that it was read
    from, by file name; `alternatives` the reference orders where sentences have several, those of
    `alignments` first, and `cut` the 1-based numbers of the sentences that had more than 120;
    `languages` is like `en-ja`, empty where they are not known.

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

    def __len__(self) -> int:
        return len(self.source)

    def __repr__(self) -> str:
        tokens, links = sum(sentence_lengths(self.source)), len(self.alignments.source)
        some = quantity(len(self), "sentence")
        return f"<ReferenceSet {self.name}: {some}, {tokens} tokens, {links} links>"

    @property
    def has_pairs(self) -> bool:
        """Whether comments of the gold trees tell which sentences are minimal pairs."""
        trees = self.trees
        return trees is not None and any(comment_value(c, "pair") for c in trees.comments)

    def seen_by(self, tuned_on: Sequence[str]) -> str | None:
        """Which of some reference sets holds sentences of this one that are for testing.

        >>> data = ReferenceSet("mine/test", [["eat"]], Alignments.of([[(0, 0)]]))
        >>> data.seen_by(["mine/dev", "mine/all"]), data.seen_by(["mine/dev"])
        ('mine/all', None)
        """
        name, _, part = self.name.rpartition("/")
        if part not in (TEST, ALL):
            return None
        return next((n for n in tuned_on if n in (f"{name}/{TEST}", f"{name}/{ALL}")), None)

    def take(self, sentences: Sequence[int], name: str) -> ReferenceSet:
        """The sentences of these numbers, in that order, as a set of that name."""
        chosen = np.array(sentences, dtype=np.int64)
        return ReferenceSet(
            name,
            [self.source[s] for s in sentences],
            self.alignments.take(chosen),
            self.target and [self.target[s] for s in sentences],
            self.trees and self.trees.take(chosen),
            self.target_trees and self.target_trees.take(chosen),
            self.hashes,
            self.alternatives and self.alternatives.take(chosen),
            tuple(n for n, s in enumerate(sentences, 1) if s + 1 in self.cut),
            self.languages,
        )

    def find(self, sentence: str) -> int:
        """The index of the sentence with this id, or else of this number, counted from 1.

        Raises PreorderEvalError where there is none.
        """
        ids = [tree.sentence_id for tree in self.trees] if self.trees is not None else []
        if sentence in ids:
            return ids.index(sentence)
        number = sentence.lstrip("0")
        if number.isdecimal() and len(number) < 10 and 1 <= int(number) <= len(self):
            return int(number) - 1
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
        """All reference orders of the sentence of that index."""
        if self.alternatives is None:
            return [self.references[sentence]]
        return list(self.alternatives.take(np.array([sentence])).references)

    @property
    def coverage(self) -> float:
        """The share of source tokens with a link; NaN without a token."""
        return float(self.references.aligned.mean()) if len(self.references.aligned) else math.nan

    @property
    def informative(self) -> Bools:
        """Which sentences have a link at all; bool[S]."""
        return self.allowed.informative

    @cached_property
    def words(self) -> SourceWords:
        """The source words, interned."""
        return SourceWords.of(self.source)
