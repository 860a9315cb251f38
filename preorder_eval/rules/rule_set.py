"""Precedence rules that reorder dependency trees (Xu et al. 2009; Talbot et al. 2011, 4.1).

A rule belongs to a category of heads (a part of speech). It lists slots in target order, or pairs
that specify which of two kinds of items comes first. Every word moves with its whole subtree. A
rule can also lift children: they hang on the head of their head then, and move with that. A head
without a rule keeps its children where they are. A sentence in which no head is laid out by a rule
is left as it is, also if its tree is not projective.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from preorder_eval.base.arrays import Longs, blocks, cut, first_of_equals, sums, within
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.visible import quantity
from preorder_eval.orders.orders import Orders
from preorder_eval.rules.conditions import HEAD, OTHER
from preorder_eval.rules.items import TagKind
from preorder_eval.rules.matching import NO_RULE, Fit
from preorder_eval.rules.rule import Example, Rule
from preorder_eval.trees.in_ud import in_version_1, label_counts
from preorder_eval.trees.schemes import likely_scheme, understood
from preorder_eval.trees.treebank import Treebank, single_trees

LEARNED_FROM = "learned from "  # which the description of learned rules begins with
FROM_TREEBANK = "from a treebank"  # and that of rules from a treebank of the target language
# Words that are reordered together. Every block makes tests of all conditions, in as much time as
# some 25,000 words take in the largest rule sets: a tenth of the time of such a block. A word takes
# about 700 bytes of memory. So smaller blocks cost time (65,536 words: a quarter more or worse),
# and larger ones cost memory for at most that tenth. A sentence of any length is in one block.
_AT_ONCE = 1 << 18


@dataclass(frozen=True)
class RuleSet:
    """Rules for one source and one target language.

    `scheme` names the annotation scheme of the trees it reads, `tags` the column (upos or xpos)
    that categories and tag conditions refer to; `default` says what a head without a rule does,
    "keep" its source order or "reverse" it. `tuned_on` are the reference sets, with their parts,
    that the rules were made or chosen by.

    >>> import preorder_eval as pe
    >>> from preorder_eval.rules.rule import Rule
    >>> from preorder_eval.rules.conditions import Slot
    >>> verbs_last = Rule(("VERB",), (Slot(("OTHER",)), Slot(("HEAD",))))
    >>> pe.RuleSet("verb-last", "ud", (verbs_last,))
    <RuleSet verb-last: 1 rule for ud trees>
    """

    name: str
    scheme: str
    rules: tuple[Rule, ...] = ()
    description: str = ""
    source: str = "any"
    target: str = "any"
    tags: TagKind = "upos"
    default: Literal["keep", "reverse"] = "keep"
    examples: tuple[Example, ...] = ()
    tuned_on: tuple[str, ...] = ()

    @property
    def learned(self) -> bool:
        """Return whether the rules were made by `rules learn`, according to their description."""
        return self.description.startswith(LEARNED_FROM)

    def __repr__(self) -> str:
        rules = quantity(len(self.rules), "rule")
        return f"<RuleSet {self.name}: {rules} for {self.scheme} trees>"

    def reorder(self, treebank: Treebank) -> Orders:
        """Return the order that the rules give every sentence.

        Raises PreorderEvalError for trees of another annotation scheme, or without the tags that
        the rules refer to.
        """
        self.check(treebank)
        positions = np.empty(len(treebank.words), dtype=np.int32)
        for first, last in blocks(treebank.offsets, _AT_ONCE):
            _, tokens = cut(treebank.offsets, first, last)
            part = treebank.part(first, last) if last - first < len(treebank) else treebank
            positions[tokens] = self.reorder_unchecked(part).positions
        return Orders(treebank.offsets, positions)

    def fit(self, treebank: Treebank) -> Fit:
        """Match the tokens of a treebank with the rules.

        Raises PreorderEvalError as `reorder` does.
        """
        self.check(treebank)
        return Fit(self.rules, treebank, self.tags, self.default, self.source)

    def reorder_unchecked(self, treebank: Treebank) -> Orders:
        """Reorder part of a treebank that passed the checks of `reorder`.

        A line of several trees gets the orders of its trees, one after the other.
        """
        trees = single_trees(treebank)
        if trees is not treebank:
            here = trees.offsets[:-1]
            before = here - treebank.offsets[np.searchsorted(treebank.offsets, here, "right") - 1]
            positions = self.reorder_unchecked(trees).positions + np.repeat(before, trees.lengths)
            return Orders(treebank.offsets, positions.astype(np.int32))
        if not self.rules:
            return self._unruled(treebank)
        return self.ordered(Fit(self.rules, treebank, self.tags, self.default, self.source))

    def _unruled(self, treebank: Treebank) -> Orders:
        unruled = Orders.unchanged(treebank.offsets)
        if self.default == "reverse":
            last = np.repeat(treebank.lengths - 1, treebank.lengths)
            unruled = Orders(treebank.offsets, (last - unruled.positions).astype(np.int32))
        return unruled

    def ordered(self, fit: Fit) -> Orders:
        """Return the orders of trees that fit the rules so."""
        treebank = fit.treebank
        places = linearize(treebank, *fit.items)
        untouched = sums(fit.above != NO_RULE, treebank.offsets) == 0
        if untouched.any():
            still = np.repeat(untouched, treebank.lengths)
            places[still] = self._unruled(treebank).places[still]
        positions = np.empty(len(places), dtype=np.int32)
        positions[places + treebank.sentence_starts] = within(treebank.offsets)
        return Orders(treebank.offsets, positions)

    def removable(self, *, whole: bool = False) -> list[tuple[int, int | None]]:
        """List the removable parts: a rule's number with that of a slot or pair, or with None.

        None stands for the whole rule. A slot of HEAD or OTHER cannot be left out, because a rule
        needs both. With `whole` only whole rules are returned.
        """
        return [
            (number, place)
            for number, rule in enumerate(self.rules)
            for place in (None, *range(0 if whole else len(rule.parts)))
            if place is None or not (rule.slots and {HEAD, OTHER} & {*rule.slots[place].labels})
        ]

    def without(self, number: int, place: int | None) -> RuleSet:
        """Return the rule set without a rule, or without one slot or pair of it.

        It is as if the line were deleted. Children of a slot that is gone go to the next slot that
        fits them, in the end OTHER. Where a pair is gone, the next that fits two items decides, in
        the end the source order. Heads of a rule that is gone fall under the next rule that fits,
        or else the default.
        """
        left = list(self.rules)
        rule = left.pop(number)
        if place is not None:
            fewer = replace(
                rule,
                slots=rule.slots[:place] + rule.slots[place + 1 :],
                pairs=rule.pairs[:place] + rule.pairs[place + 1 :],
                lift=rule.lift[:place] + rule.lift[place + 1 :],
            )
            if fewer.parts:
                left.insert(number, fewer)
        return replace(self, rules=tuple(left))

    def check(self, treebank: Treebank) -> None:
        """Raise PreorderEvalError for trees that `reorder` refuses."""
        if not isinstance(treebank, Treebank):
            raise PreorderEvalError(
                f"{treebank!r:.60} is not a Treebank; make one with Treebank.of"
            )
        if not self.rules or not len(treebank):
            return
        best, fitting = likely_scheme(treebank.labels, self.scheme)
        if best != self.scheme or 2 * fitting < len(treebank.words):
            foreign = [x for x in treebank.labels.names if not understood(x, self.scheme)]
            look = f"; they look like {best!r}" if best != self.scheme else ""
            old = in_version_1(label_counts(treebank.labels))
            if old:
                look = f": {old}"
            elif self.scheme == "clearnlp":
                look += "; NAME(labels=own) keeps the ClearNLP labels of spaCy's English parsers"
            elif best == "clearnlp":
                look += "; omit labels=own to convert them, or use pe.in_ud(trees)"
            raise PreorderEvalError(
                f"rule set {self.name!r} is written for trees of scheme {self.scheme!r}, but the "
                f"trees use labels such as {', '.join(map(repr, foreign[:5]))}{look}"
            )
        column: NameColumn = getattr(treebank, self.tags)
        if not set(column.names) - {"_", ""}:
            raise PreorderEvalError(
                f"rule set {self.name!r} uses {self.tags.upper()} tags, but the trees have none"
            )
        by_feats = any(pattern.feats for rule in self.rules for pattern in rule.patterns)
        if by_feats and not set(treebank.feats.names) - {"_", ""}:
            raise PreorderEvalError(
                f"rule set {self.name!r} has conditions on FEATS, but the trees have none"
            )


def linearize(treebank: Treebank, token: Longs, block: Longs) -> Longs:
    """Return the place of every token in its sentence for a given layout of the heads; int64[N].

    Parameters: `token` are the items of at least all tokens that have children, each the token
    itself and these, as they come out; `block` is for each the head, those of one head together.

    Each item is as long as its subtree, so the items before it give its distance from the start of
    the block. The place of a token is the sum of these distances over its ancestors. The sums are
    made in doubling steps, without recursion.
    """
    size = len(treebank.words)
    head, child = np.flatnonzero(token == block), np.flatnonzero(token != block)
    length = treebank.subtree_sizes[token]
    length[head] = 1
    distance = np.cumsum(length)
    distance -= length
    first = np.flatnonzero(first_of_equals(block))
    distance -= np.repeat(distance[first], np.diff(np.append(first, len(block))))

    total = np.zeros(size, dtype=np.int64)
    total[token[child]] = distance[child]
    ancestor = treebank.parents
    while (treebank.heads[ancestor] >= 0).any():
        total += total[ancestor]
        ancestor = ancestor[ancestor]
    # `total` now lacks the root's distance, which is zero.
    total[token[head]] += distance[head]
    return total
