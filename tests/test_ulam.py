import random
from bisect import bisect_right

import numpy as np
import pytest
from allowed_orders import best, every_case

from preorder_eval.metrics.order import Ulam, longest_rises


def longest_increasing(places):
    """The length of the longest increasing subsequence, by trying every ending."""
    longest = []
    for i, place in enumerate(places):
        longest.append(1 + max((longest[j] for j in range(i) if places[j] < place), default=0))
    return max(longest)


def slow_score(places):
    return (longest_increasing(places) - 1) / (len(places) - 1) if len(places) > 1 else 1


@pytest.mark.parametrize(
    ("order", "score"),
    [([1, 2, 3, 4, 0], 0.75), ([0, 2, 1, 3, 4], 0.75), ([4, 3, 2, 1, 0], 0)],
)
def test_values(order, score):
    assert Ulam().score([order], [[[0], [1], [2], [3], [4]]]).corpus == score


@pytest.mark.slow
def test_every_order_and_tie():
    orders, references = every_case(6)
    scores = Ulam().score(orders, references).sentence
    expected = [best(slow_score, *case) for case in zip(orders, references, strict=True)]
    np.testing.assert_allclose(scores, expected, atol=1e-12)


def test_sentences_of_all_lengths():
    # Lengths around the borders between widths, and where the small integers end.
    rng = random.Random(4)
    lengths = [*range(1, 35), 119, 120, 121, 128, 129, 255, 260, 300]
    sequences = [[rng.randrange(n) for _ in range(n)] for n in lengths]
    expected = []
    for sequence in sequences:
        ends = []
        for number in sequence:
            at = bisect_right(ends, number)
            ends[at : at + 1] = [number]
        expected.append(len(ends))
    offsets = np.cumsum([0, *lengths])
    flat = np.array([i for sequence in sequences for i in sequence], dtype=np.int32)
    assert longest_rises(flat, offsets).tolist() == expected
