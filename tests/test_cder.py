"""CDER (Leusch et al. 2006): by hand, and against the recursion of the paper as it stands."""

import random
from functools import cache

import pytest

from preorder_eval.metrics import metric


def slow_errors(hypothesis, reference):
    """Equation by equation: D(i, l) with all jumps to a place from any other of its row."""

    @cache
    def without_jumps(length, i, last):
        """The least cost to have covered `length` words at place i; `last` bars two jumps."""
        if length == 0 and i == 0:
            return 0
        ways = [float("inf")]
        if i and length:
            ways.append(
                without_jumps(length - 1, i - 1, True)
                + (hypothesis[i - 1] != reference[length - 1])
            )
        if length:
            ways.append(without_jumps(length - 1, i, True) + 1)
        if i:
            ways.append(without_jumps(length, i - 1, last) + 1)
        if last:
            ways += [without_jumps(length, j, False) + 1 for j in range(len(hypothesis) + 1)]
        return min(ways)

    return without_jumps(len(reference), len(hypothesis), True)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "errors"),
    [
        ("a b c", "a b c", 0),
        ("c d e f a b", "a b c d e f", 3),  # to a, to c, and to the end
        ("a x b", "a b", 1),
        ("a b x y z", "a b", 1),  # what is too many is jumped over
        ("a b", "a x b", 1),
        ("x y", "a b", 2),
        ("b a", "a b", 2),
        ("a", "a a a", 2),
        ("", "a b", 2),
        ("a b", "", 1),
        ("", "", 0),
    ],
)
def test_by_hand(hypothesis, reference, errors):
    result = metric("cder").score([hypothesis], [reference])
    assert result.corpus == errors / max(len(reference.split()), 1)
    assert slow_errors(tuple(hypothesis.split()), tuple(reference.split())) == errors


def test_against_the_recursion():
    rng = random.Random(0)
    for _ in range(150):
        sides = [tuple(rng.choices("abcd", k=rng.randrange(8))) for _ in range(2)]
        found = metric("cder").score([" ".join(sides[0])], [" ".join(sides[1])])
        assert found.statistics[0, 0] == slow_errors(*sides)
        plain = metric("wer").score(*([" ".join(side)] for side in sides))
        assert found.statistics[0, 0] <= plain.statistics[0, 0]
