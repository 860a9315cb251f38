"""Holm's correction, against the step-down procedure as it is defined."""

import numpy as np
import pytest

from preorder_eval.stats.multiple import holm


def rejected(p_values, level):
    """Which hypotheses the step-down procedure of Holm (1979) rejects at a level."""
    remaining = dict(enumerate(p_values))
    out = set()
    while remaining:
        smallest = min(remaining, key=remaining.get)
        if remaining[smallest] > level / len(remaining):
            break
        out.add(smallest)
        del remaining[smallest]
    return out


@pytest.mark.parametrize("seed", range(20))
def test_what_comes_out_at_or_below_a_level_is_what_the_procedure_rejects(seed):
    rng = np.random.default_rng(seed)
    p = rng.random(rng.integers(1, 12)) ** 4
    if seed % 2:
        p = np.round(p, 2)  # with ties
    corrected = holm(p)
    for level in [*rng.random(20), 0.05, 0.01]:
        assert set(np.flatnonzero(corrected <= level)) == rejected(p, level)


def test_a_worked_example():
    # 0.01 · 4, 0.02 · 3, 0.03 · 2 = 0.06 again, 0.9 · 1.
    assert holm([0.03, 0.01, 0.9, 0.02]) == pytest.approx([0.06, 0.04, 0.9, 0.06])


def test_nothing_is_above_1_and_a_single_test_is_left_alone():
    assert holm([0.6, 0.7]).tolist() == [1, 1]
    assert holm([0.3]).tolist() == [0.3]
    assert holm([]).tolist() == []
