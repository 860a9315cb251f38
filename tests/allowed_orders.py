"""Every order against every reference with ties, and the orders that the ties allow."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from functools import cache

Groups = list[list[int]]


@cache
def every_case(longest: int) -> tuple[list[list[int]], list[Groups]]:
    """Orders and reference orders, all there are up to renaming the words.

    Every way to divide up to `longest` words into groups is compared with the order 0 1 2 …, and
    then the words are renamed at random, so that the orders are of all kinds.
    """
    rng = random.Random(longest)
    orders, references = [], []
    for size in range(1, longest + 1):
        for ranks in itertools.product(range(size), repeat=size):
            if set(ranks) != set(range(max(ranks) + 1)):
                continue
            names = rng.sample(range(size), size)
            orders.append(names)
            references.append(
                [[names[i] for i in range(size) if ranks[i] == r] for r in range(max(ranks) + 1)]
            )
    return orders, references


def every_repetition(size: int) -> Iterator[tuple[int, ...]]:
    """Every way in which the words of a sentence can repeat, as numbers for words."""
    for words in itertools.product(range(size), repeat=size):
        if all(word <= max(words[:i], default=-1) + 1 for i, word in enumerate(words)):
            yield words


def allowed_orders(groups: Groups) -> Iterator[list[int]]:
    """Every order of the words that the ties allow."""
    for parts in itertools.product(*map(itertools.permutations, groups)):
        yield [i for part in parts for i in part]


def best(value: Callable[[tuple[int, ...]], float], order: list[int], groups: Groups) -> float:
    """The best value over all allowed orders.

    `value` is given the places that the words of the order have in the allowed order.
    """
    return max(value(tuple(map(allowed.index, order))) for allowed in allowed_orders(groups))


def adjacencies(order: list[int], allowed: list[int], words: list[str]) -> list[bool]:
    """Whether neighbours of an order are neighbours in another, words matched first to first."""
    free, places = list(allowed), []
    for i in order:
        match = next(j for j in free if words[j] == words[i])
        free.remove(match)
        places.append(allowed.index(match))
    return [right == left + 1 for left, right in itertools.pairwise(places)]
