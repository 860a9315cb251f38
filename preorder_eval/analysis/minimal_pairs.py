"""Minimal pairs: whether a system distinguishes two readings.

A contrast suite has pairs of sentences with nearly the same words, but different trees and orders.
Comments `# pair = …` and `# phenomenon = …` in the gold trees mark them. Only words whose order
differs between the two readings count. A system has a sentence right if these stand as in the
reference, and a pair if it has both sentences right.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from preorder_eval.analysis.sentences import gold_trees
from preorder_eval.base.stats.bootstrap import clustered_wilson
from preorder_eval.base.tables import Column, Table
from preorder_eval.evaluation.result import Result
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.trees.treebank import Treebank, comment_value

ALL = "all"

Before = list[tuple[int, int]]  # positions of two words, the earlier one first


def pair_accuracy(result: Result) -> Table | None:
    """Return every system's share of minimal pairs that are right, on all and by phenomenon.

    Pairs without two words whose order differs are left out. Returns None if no pair is left.
    """
    reference, gold = result.inputs.ordered, gold_trees(result)
    if reference is None or gold is None:
        return None
    pairs = [
        (phenomenon, numbers, words)
        for phenomenon, *numbers in minimal_pairs(gold)
        if all(words := contrast_words(reference, *numbers))
    ]
    if not pairs:
        return None
    phenomena = [ALL, *sorted({phenomenon for phenomenon, *_ in pairs} - {ALL})]
    rows: list[list[object]] = []
    for number, system in enumerate(result.systems):
        orders = result.inputs.of(number).orders
        right: defaultdict[str, list[int]] = defaultdict(list)  # sentences of each pair
        for phenomenon, sentences, words in pairs:
            count = sum(_has(orders[s], before) for s, before in zip(sentences, words, strict=True))
            for name in {phenomenon, ALL}:
                right[name].append(count)
        for name in phenomena:
            size, both, one = len(right[name]), right[name].count(2), right[name].count(1)
            hits = (np.arange(size) < both).astype(np.float64)
            [[low, high]] = clustered_wilson(hits, np.ones(size), np.zeros(size, int), 1).tolist()
            rows.append([system, name, size, both, one, (both / size, low, high)])
    title = "Minimal pairs, by the words whose order differs between the two readings"
    note = (
        "accuracy: share of pairs with both sentences right [95% Wilson interval]; the row of "
        "gold trees shows the limit of the rules"
    )
    return Table("contrasts", _ACCURACY, rows, title, [note])


_ACCURACY = [
    Column("system", label=True, once=True),
    Column("phenomenon", label=True),
    *map(Column, ("pairs", "both right", "one right")),
    Column("accuracy", format=".3f", interval=True, fields=("accuracy", "low", "high")),
]


def minimal_pairs(gold: Treebank) -> list[tuple[str, int, int]]:
    """Return the phenomenon and the two sentences, from 0, of every pair that comments mark."""
    members: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for sentence, comments in enumerate(gold.comments):
        if pair := comment_value(comments, "pair"):
            members[comment_value(comments, "phenomenon") or ALL, pair].append(sentence)
    return [(kind, two[0], two[1]) for (kind, _), two in members.items() if len(two) == 2]


def contrast_words(reference: ReferenceSet, first: int, second: int) -> tuple[Before, Before]:
    """Return the words of a pair whose order differs, by their positions in either sentence.

    They are linked words that both sentences have; if a word occurs more than once, its first
    occurrences correspond, and so on. Two of them count if they stand one way round in all
    reference orders of the first sentence, and the other way round in all of the second. Ties, and
    orders that a free block may invert, do not count.
    """
    one, other = _fixed(reference, first), _fixed(reference, second)
    differing = [(x, y) for x, y in one if (y, x) in other]
    return [one[x, y] for x, y in differing], [other[y, x] for x, y in differing]


_Word = tuple[str, int]  # in lower case, and for which time it stands in the sentence


def _fixed(reference: ReferenceSet, sentence: int) -> dict[tuple[_Word, _Word], tuple[int, int]]:
    """Return the pairs of linked words that stand this way round in all reference orders."""
    seen: Counter[str] = Counter()
    names: list[_Word] = []
    for word in map(str.lower, reference.source[sentence]):
        seen[word] += 1
        names.append((word, seen[word]))
    fixed = set.intersection(
        *(
            {
                (i, j)
                for earlier, later in itertools.combinations(order, 2)
                for i, j in itertools.product(earlier, later)
                if order.aligned[i] and order.aligned[j]
            }
            for order in reference.orders_of(sentence)
        )
    )
    return {(names[i], names[j]): (i, j) for i, j in sorted(fixed)}


def _has(order: Sequence[int], before: Before) -> bool:
    """Return whether an order has the earlier word first in every pair."""
    place = {word: at for at, word in enumerate(order)}
    return all(place[earlier] < place[later] for earlier, later in before)
