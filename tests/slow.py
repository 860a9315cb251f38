"""Slow, obvious versions of what the package does in arrays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from snowballstemmer import EnglishStemmer

from preorder_eval.rules.conditions import HEAD, OTHER, Slot
from preorder_eval.rules.rule import Rule
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.treebank import Tree


def subtree_size(tree: Tree, token: int) -> int:
    """Tokens in the subtree of a token, by recursion."""
    return 1 + sum(subtree_size(tree, i) for i, head in enumerate(tree.heads) if head == token)


def lifted(rules: RuleSet, tree: Tree) -> Tree:
    """A tree with all that is lifted on the head of its head, one slot after the other."""
    tags = tree.upos if rules.tags == "upos" else tree.xpos
    for rule, slot in ((each, slot) for each in rules.rules for slot in each.lift):
        heads = list(tree.heads)
        for token, head in enumerate(tree.heads):
            if head < 0 or tree.heads[head] < 0 or not fits(slot, tree, tags, token, head):
                continue
            named = not rule.labels or _named(rule.labels, tree.labels[head])
            if _fits(tags[head], rule.heads) and named:
                heads[token] = tree.heads[head]
        tree = replace(tree, heads=heads)
    return tree


def reorder(rules: RuleSet, tree: Tree) -> list[int]:
    """The order of one sentence, by recursion from the root."""
    tree = lifted(rules, tree)
    has_applied = False

    def lay_out(head: int) -> list[int]:
        nonlocal has_applied
        children = [i for i, h in enumerate(tree.heads) if h == head]
        items, applies = by_slots(rules, tree, head)
        has_applied = has_applied or (applies and bool(children))
        return [i for item in items for i in ([item] if item == head else lay_out(item))]

    order = lay_out(tree.heads.index(-1))
    if not has_applied:
        return sorted(order, reverse=rules.default == "reverse")
    return order


def by_slots(rules: RuleSet, tree: Tree, head: int) -> tuple[list[int], bool]:
    """A head and its children as the rule of slots that fits lays them out, and if there is one."""
    tags = tree.upos if rules.tags == "upos" else tree.xpos
    children = [i for i, h in enumerate(tree.heads) if h == head]
    fitting = [rule for rule in _rules_for(rules, tags[head], tree.labels[head]) if rule.slots]
    if not fitting:
        return sorted([*children, head], reverse=rules.default == "reverse"), False
    rule = fitting[0]
    filled: list[list[int]] = [[] for _ in rule.slots]
    for child in children:
        filled[_slot_for(rule, tree, tags, child, head)].append(child)
    items = []
    for slot, members in zip(rule.slots, filled, strict=True):
        members += [head] if HEAD in slot.labels else []
        items += sorted(members, reverse=slot.reverse)
    return items, True


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(p == name or (p.endswith("*") and name.startswith(p[:-1])) for p in patterns)


def _rules_for(rules: RuleSet, tag: str, label: str) -> list[Rule]:
    """The rules that fit a head, the closest first."""
    fitting = []
    for number, rule in enumerate(rules.rules):
        if rule.lift or not _fits(tag, rule.heads):
            continue
        if not rule.labels:
            fitting.append((0, tag in rule.heads, -number))
        elif not _same(label).isdisjoint(rule.labels):
            fitting.append((2, tag in rule.heads, -number))
        elif label.split(":")[0] in rule.labels:
            fitting.append((1, tag in rule.heads, -number))
    return [rules.rules[-number] for *_, number in sorted(fitting, reverse=True)]


def _slot_for(rule: Rule, tree: Tree, tags: list[str], child: int, head: int) -> int:
    label = tree.labels[child]

    def closeness(slot: Slot) -> tuple[int, bool, bool, int, bool] | None:
        if not fits(slot, tree, tags, child, head):
            return None
        named = 0
        if not _same(label).isdisjoint(slot.labels):
            named = 2 if ":" in label else 1
        elif label.split(":")[0] in slot.labels:
            named = 1
        conditions = len(slot.surroundings), bool(slot.words), bool(slot.tags)
        return *conditions, named, bool(slot.side)

    fitting = [(c, -n) for n, slot in enumerate(rule.slots) if (c := closeness(slot)) is not None]
    return -max(fitting)[1]


def _sibling(slot: Slot, tree: Tree, other: int, head: int) -> bool:
    """Whether another child of a head is one that a slot wants there."""
    base, side = tree.labels[other].split(":")[0], "<" if other < head else ">"
    names = {*_same(tree.labels[other]), base}
    below = [tree.words[i].lower() for i, h in enumerate(tree.heads) if h == other]
    return (
        (not slot.siblings or not {*names, *(n + side for n in names)}.isdisjoint(slot.siblings))
        and (not slot.sibling_words or _is(tree.words[other].lower(), slot.sibling_words))
        and (not slot.siblings_with or any(_is(word, slot.siblings_with) for word in below))
    )


def fits(slot: Slot, tree: Tree, tags: list[str], item: int, head: int) -> bool:
    """Whether a head, or a child of it, fits a slot."""
    label, labels, above = tree.labels[item], tree.labels, tree.heads[head]
    words = [word.lower() for word in tree.words]
    siblings = [i for i, h in enumerate(tree.heads) if h == head and i != item]
    size = 1 if item == head else subtree_size(tree, item)
    return (
        (
            HEAD in slot.labels
            if item == head
            else OTHER in slot.labels or _named(slot.labels, label)
        )
        and (item == head or slot.side in (None, "before" if item < head else "after"))
        and (not slot.tags or _fits(tags[item], slot.tags))
        and (not slot.words or _is(words[item], slot.words))
        and (not slot.head_tags or _fits(tags[head], slot.head_tags))
        and (not slot.head_words or _is(words[head], slot.head_words))
        and (not slot.head_labels or _named(slot.head_labels, labels[head]))
        and (not slot.above_words or (above >= 0 and _is(words[above], slot.above_words)))
        and (not slot.above_labels or (above >= 0 and _named(slot.above_labels, labels[above])))
        and (
            not slot.above_with_words
            or any(
                _is(words[own], slot.above_with_words)
                for own, its_head in enumerate(tree.heads)
                if its_head == above >= 0
            )
        )
        and (
            not (slot.siblings or slot.sibling_words or slot.siblings_with)
            or any(_sibling(slot, tree, i, head) for i in siblings)
        )
        and (
            not slot.precedes
            or any(_named(slot.precedes, labels[i]) and item < i for i in siblings)
        )
        and (
            not slot.follows or any(_named(slot.follows, labels[i]) and item > i for i in siblings)
        )
        and (
            not (slot.with_words or slot.with_labels)
            or any(
                (not slot.with_words or _is(words[own], slot.with_words))
                and (not slot.with_labels or _named(slot.with_labels, tree.labels[own]))
                for own, above in enumerate(tree.heads)
                if above == item
            )
        )
        and (slot.at_least is None or size >= slot.at_least)
        and (slot.at_most is None or size <= slot.at_most)
    )


def _is(word: str, wanted: tuple[str, ...]) -> bool:
    """Whether an English word is one of some, or has the stem of one that is marked."""
    stem = EnglishStemmer().stemWord
    return any(
        stem(word) == stem(one[1:]) if re.match("~[a-z]", one) else word == re.sub("^~~", "~", one)
        for one in wanted
    )


def _named(labels: tuple[str, ...], label: str) -> bool:
    return not {*_same(label), label.split(":")[0]}.isdisjoint(labels)


def _same(label: str) -> set[str]:
    """A label and its names in other releases."""
    both = {"obl:tmod", "obl:unmarked"}
    return both if label in both else {label}


def pairs_broken(
    rules: RuleSet, tree: Tree, head: int, items: Sequence[int]
) -> tuple[int, int, int]:
    """What a head and its children, as they come out, go against: pairs, the order by slots where
    no pair tells, and the order by slots."""
    tags = tree.upos if rules.tags == "upos" else tree.xpos
    fitting = [
        rule.pairs for rule in _rules_for(rules, tags[head], tree.labels[head]) if rule.pairs
    ]

    def before(one: int, other: int) -> bool | None:
        for pair in (pair for pairs in fitting for pair in pairs):
            first = fits(pair.first, tree, tags, one, head)
            second = fits(pair.second, tree, tags, other, head)
            turned_first = fits(pair.first, tree, tags, other, head)
            turned_second = fits(pair.second, tree, tags, one, head)
            either = (first and second) or (turned_first and turned_second)
            if either and pair.order != "first":
                return (stood[one] < stood[other]) == (pair.order == "keep")
            if (first and second) != (turned_first and turned_second):
                return first and second
        return None

    stood = {item: place for place, item in enumerate(by_slots(rules, tree, head)[0])}
    told = untold = turned = 0
    for place, one in enumerate(items):
        for other in items[place + 1 :]:
            wanted = before(one, other)
            told += wanted is False
            untold += wanted is None and stood[one] > stood[other]
            turned += stood[one] > stood[other]
    return told, untold, turned
