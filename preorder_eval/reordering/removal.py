"""The parts of a rule set that can be left out: where one fires, and the rules without it.

Without a slot, as if its line were deleted from the rule file, its children go to the slot that
fits them next, in the end OTHER. A slot that names HEAD or OTHER cannot go, because a rule needs
both. Without a pair the next that fits two items decides, in the end the source order. Without a
rule its heads fall under the rule that fits them next, and if there is none do what the rule set's
default says.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from preorder_eval.data.arrays import Bools
from preorder_eval.data.treebank import Treebank
from preorder_eval.reordering.conditions import HEAD, OTHER, Items, Slot
from preorder_eval.reordering.matching import Fit
from preorder_eval.reordering.rule_set import RuleSet


def removable(rules: RuleSet, *, whole: bool = False) -> list[tuple[int, int | None]]:
    """What can be left out: the numbers of every rule and slot, None for a `whole` rule.

    >>> from preorder_eval.formats.rules_toml import load_rules
    >>> removable(load_rules("head-final-reverse-after"))[:2]
    [(0, None), (0, 0)]
    """
    return [
        (number, place)
        for number, rule in enumerate(rules.rules)
        for place in (None, *range(0 if whole else len(rule.parts)))
        if place is None or rule.pairs or not {HEAD, OTHER} & set(rule.slots[place].labels)
    ]


def fired(treebank: Treebank, rules: RuleSet, fit: Fit, number: int, place: int | None) -> Bools:
    """The heads that a rule laid out, or the children that came into a slot of it; bool[N].

    Of a rule of pairs the heads that it fits, or the children that a pair of it fits, where another
    item fits the pair's other side. `fit` is how the rules fit the trees.
    """
    if rules.rules[number].pairs:
        return _fitting(treebank, rules, number, place)
    children: Bools = fit.above == number
    if place is not None:
        children &= fit.slot == place
        return children
    heads = np.zeros_like(children)
    heads[treebank.parents[children]] = True
    return heads


def _fitting(treebank: Treebank, rules: RuleSet, number: int, place: int | None) -> Bools:
    """The heads that a rule of pairs fits, or the children that a pair of it fits; bool[N]."""
    rule = rules.rules[number]
    items = Items(treebank, rules.tags)
    children = items.fitting(Slot((OTHER,), head_tags=rule.heads, head_labels=rule.labels))
    size, block = len(children), treebank.parents
    if place is None or len(rule.pairs) == 1:
        return np.bincount(block[children], minlength=size) > 0
    sides = []
    for side in (rule.pairs[place].first, rule.pairs[place].second):
        fits = items.fitting(side)
        anywhere = items.fitting(side, heads=True) | (np.bincount(block[fits], minlength=size) > 0)
        sides.append((fits, anywhere[block]))
    (first, has_first), (second, has_second) = sides
    return children & (first | second) & has_first & has_second


def rules_without(rules: RuleSet, number: int, place: int | None) -> RuleSet:
    """The rule set without a rule, or without a slot or pair of it."""
    left = list(rules.rules)
    rule = left.pop(number)
    if place is not None:
        less = replace(
            rule,
            slots=rule.slots[:place] + rule.slots[place + 1 :],
            pairs=rule.pairs[:place] + rule.pairs[place + 1 :],
        )
        if less.parts:
            left.insert(number, less)
    return replace(rules, rules=tuple(left))
