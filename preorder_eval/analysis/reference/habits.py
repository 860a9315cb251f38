"""Habits of an annotator, and the sentences that are annotated otherwise.

Languages have exceptions. But an order or a link that stands alone among dozens of its like is
where to look for a mistake first.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator

import numpy as np

from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Tree

_OFTEN = 10  # times that a habit shows
_RARE = 0.1  # of that, an exception at the most
# Tags of words that are few enough for each to have a habit of its own.
_CLOSED = {"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ"}


Place = tuple[int, tuple[int, ...]]  # a sentence, and positions of words in it


def unusual_orders(reference: ReferenceSet) -> list[Place]:
    """Return pairs of items of a head whose order is not that of nearly all pairs like them.

    Alike are pairs with the same labels, sides of the head in the source and tag of the head;
    copular predicates and interrogative and relative words are kinds of their own.
    """
    return _exceptions(_orders(reference))


def unusual_links(reference: ReferenceSet) -> list[Place]:
    """Return function words that are not linked in the way in which nearly all of their like are.

    Alike are words that are spelt alike and have the same label. The ways: no link, targets of
    their own, targets that they share with their head, or with other words.
    """
    return _exceptions(_links(reference))


def _exceptions(seen: Iterable[tuple[Hashable, Hashable, Place]]) -> list[Place]:
    """Return the places of rare ways of each kind, in order; `seen` has kind, way and place."""
    ways: defaultdict[Hashable, defaultdict[Hashable, list[Place]]]
    ways = defaultdict(lambda: defaultdict(list))
    for kind, way, place in seen:
        ways[kind][way].append(place)
    rare = []
    for places in ways.values():
        most = max(map(len, places.values()))
        if most >= _OFTEN:
            rare += [few for few in places.values() if len(few) <= _RARE * most]
    return sorted(itertools.chain.from_iterable(rare))


def _orders(reference: ReferenceSet) -> Iterator[tuple[Hashable, Hashable, Place]]:
    aligned = reference.references.aligned
    for s, tree in enumerate(reference.trees or ()):
        start = reference.references.offsets[s]
        ranks = [
            {i: rank for rank, group in enumerate(order) for i in group}
            for order in reference.orders_of(s)
        ]
        copular = {h for h, label in zip(tree.heads, tree.labels, strict=True) if label == "cop"}
        families = defaultdict(list)
        for i, head in enumerate(tree.heads):
            if aligned[start + i] and tree.labels[i] != "punct":
                families[head].append(i)
        for head, children in families.items():
            if head < 0 or not aligned[start + head]:
                continue
            for one, other in itertools.combinations(sorted([*children, head]), 2):
                sides = {int(np.sign(order[other] - order[one])) for order in ranks}
                if len(sides) == 1 and 0 not in sides:
                    names = [_name(tree, i, head) for i in (one, other)]
                    kind = (tree.upos[head], head in copular, *names)
                    yield kind, sides.pop(), (s, (one, other))


def _name(tree: Tree, i: int, head: int) -> str:
    """Return a dependent as rules write it, `obl>` for one behind its head."""
    if i == head:
        return "HEAD"
    asks = "W" if tree.xpos[i].startswith("W") else ""
    return f"{asks}{tree.labels[i]}{'>' if i > head else '<'}"


def _links(reference: ReferenceSet) -> Iterator[tuple[Hashable, Hashable, Place]]:
    for s, tree in enumerate(reference.trees or ()):
        targets: defaultdict[int, set[int]] = defaultdict(set)
        sources: defaultdict[int, set[int]] = defaultdict(set)
        for i, j in reference.alignments[s]:
            targets[i].add(j)
            sources[j].add(i)
        for i, tag in enumerate(tree.upos):
            if tag in _CLOSED:
                others = set().union(*(sources[j] for j in targets[i])) - {i}
                if not others:
                    way = "own" if targets[i] else "none"
                else:
                    way = "head" if tree.heads[i] in others else "others"
                yield (tree.words[i].lower(), tree.labels[i]), way, (s, (i,))
