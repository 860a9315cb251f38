"""The cheapest order against trying all orders."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from preorder_eval.reordering import pairs
from preorder_eval.reordering.pairs import best_order, order_cost


def turned(order: tuple[int, ...] | list[int]) -> int:
    """Pairs that stand against the source order."""
    return sum(a > b for i, a in enumerate(order) for b in order[i + 1 :])


@pytest.mark.parametrize("seed", range(60))
def test_no_order_is_cheaper_and_of_equal_ones_none_is_closer_to_the_source(seed):
    random = np.random.default_rng(seed)
    size = int(random.integers(1, 7))
    cost = random.integers(0, 4, (size, size)).astype(float)
    order, proven = best_order(cost)
    by_hand = min((order_cost(cost, list(p)), turned(p)) for p in permutations(range(size)))
    assert proven
    assert (order_cost(cost, order), turned(order)) == by_hand


def test_parts_that_are_not_tangled_are_solved_one_by_one():
    cost = np.zeros((40, 40))
    cost[np.tril_indices(40, -1)] = 1  # everything prefers the source order …
    cost[7, 5], cost[5, 7] = 0, 2  # … but for one pair two places apart
    order, proven = best_order(cost)
    assert proven
    assert order_cost(cost, order) == 1
    assert order[:5] == [0, 1, 2, 3, 4]
    assert order[8:] == list(range(8, 40))


@pytest.mark.parametrize("seed", range(10))
def test_too_many_tangled_items_give_a_good_order_that_is_not_called_proven(seed, monkeypatch):
    cost = np.random.default_rng(seed).random((8, 8))
    best, _ = best_order(cost)
    monkeypatch.setattr(pairs, "MOST_EXACT", 2)
    order, proven = best_order(cost)
    assert not proven
    assert sorted(order) == list(range(8))
    source = order_cost(cost, list(range(8)))
    assert order_cost(cost, best) <= order_cost(cost, order) <= source


def test_no_item_has_no_order():
    assert best_order(np.zeros((0, 0))) == ([], True)
