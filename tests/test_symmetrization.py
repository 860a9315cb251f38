"""Two directions of alignment made into one."""

from __future__ import annotations

import random
from typing import get_args

import pytest

from preorder_eval.alignment.symmetrization import Symmetrization, symmetrize
from preorder_eval.data.alignments import Alignments
from preorder_eval.errors import PreorderEvalError, UnknownNameError


def combined(forward, inverse, how):
    return symmetrize(Alignments.of([forward]), Alignments.of([inverse]), how)[0]


# Input and output of the tests of rgeorgi/intent (intent/tests/align_tests.py).
FORWARD, INVERSE = [(1, 1), (2, 1), (3, 2)], [(1, 1), (3, 2), (4, 4)]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("none", FORWARD),
        ("inverse", INVERSE),
        ("intersection", [(1, 1), (3, 2)]),
        ("union", [(1, 1), (2, 1), (3, 2), (4, 4)]),
        ("grow-diag", [(1, 1), (2, 1), (3, 2)]),
        # 4-4 touches nothing, but both its words are free.
        ("grow-diag-final", [(1, 1), (2, 1), (3, 2), (4, 4)]),
        ("grow-diag-final-and", [(1, 1), (2, 1), (3, 2), (4, 4)]),
    ],
)
def test_known_example(how, expected):
    assert combined(FORWARD, INVERSE, how) == expected


def test_final_takes_links_with_one_free_word_and_final_and_does_not():
    forward, inverse = [(0, 0), (0, 3)], [(0, 0)]
    assert combined(forward, inverse, "grow-diag") == [(0, 0)]
    assert combined(forward, inverse, "grow-diag-final") == [(0, 0), (0, 3)]
    assert combined(forward, inverse, "grow-diag-final-and") == [(0, 0)]


def slow(forward, inverse, how, size):
    """The pseudo-code of Moses, on matrices."""
    union = [[(s, t) in forward or (s, t) in inverse for t in range(size)] for s in range(size)]
    grid = [[(s, t) in forward and (s, t) in inverse for t in range(size)] for s in range(size)]

    def source_free(s):
        return not any(grid[s])

    def target_free(t):
        return not any(row[t] for row in grid)

    added = True
    while added:
        added = False
        for s in range(size):
            for t in range(size):
                if not grid[s][t]:
                    continue
                steps = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]
                for ds, dt in steps:
                    a, b = s + ds, t + dt
                    if not (0 <= a < size and 0 <= b < size) or grid[a][b]:
                        continue
                    if (source_free(a) or target_free(b)) and union[a][b]:
                        grid[a][b] = added = True
    for links in (forward, inverse) if how != "grow-diag" else ():
        for s in range(size):
            for t in range(size):
                free = source_free(s), target_free(t)
                wanted = any(free) if how == "grow-diag-final" else all(free)
                if wanted and (s, t) in links:
                    grid[s][t] = True
    return [(s, t) for s in range(size) for t in range(size) if grid[s][t]]


@pytest.mark.parametrize("how", ["grow-diag", "grow-diag-final", "grow-diag-final-and"])
def test_growing_is_the_slow_version(how):
    rng = random.Random(0)
    differ = 0
    for _ in range(400):
        size = rng.randint(1, 7)
        forward = {(rng.randrange(size), t) for t in range(size) if rng.random() < 0.8}
        inverse = {(s, rng.randrange(size)) for s in range(size) if rng.random() < 0.8}
        # Directions that know of each other, or there would be little to grow from.
        inverse |= {link for link in forward if rng.random() < 0.4}
        expected = slow(forward, inverse, how, size)
        assert combined(forward, inverse, how) == expected
        differ += set(expected) not in (forward & inverse, forward | inverse)
    assert differ > 100


def test_what_cannot_be_combined():
    one, two = Alignments.of([[(0, 0)]]), Alignments.of([[], []])
    with pytest.raises(PreorderEvalError, match="links of 1 and of 2 sentences"):
        symmetrize(one, two, "union")
    with pytest.raises(UnknownNameError, match="did you mean 'grow-diag'"):
        symmetrize(one, one, "growdiag")
    assert "grow-diag-final" in get_args(Symmetrization)
