"""Agreement of judges, against counting all pairs of judgments."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.judgments.agreement import cohen_kappa, pairwise_agreement, pooled_kappa
from preorder_eval.judgments.human_scores import PairwiseJudgments


def test_cohens_kappa_of_a_table():
    """20 and 15 agreements, 5 and 10 disagreements: P(A) = 0.7, P(E) = 0.5, κ = 0.4."""
    cells = [("yes", "yes", 20), ("yes", "no", 5), ("no", "yes", 10), ("no", "no", 15)]
    first, second = zip(*(pair for *pair, n in cells for _ in range(n)), strict=True)
    found = cohen_kappa(first, second)
    assert (found.compared, found.agreed, found.chance) == (50, 0.7, 0.5)
    assert found.kappa == pytest.approx(0.4)


def test_kappa_at_the_edges():
    assert cohen_kappa([1, 2, 3], [1, 2, 3]).kappa == 1
    assert cohen_kappa([1, 2, 1, 2], [2, 1, 2, 1]).kappa == -1
    assert np.isnan(cohen_kappa(["x", "x"], ["x", "x"]).kappa)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 1),
            st.sampled_from([(0, 1), (1, 0), (0, 2), (2, 1)]),
            st.integers(-1, 1),
            st.integers(0, 2),
        ),
        min_size=1,
        max_size=25,
    )
)
def test_pairwise_agreement(rows):
    flat = [(s, *systems, sign, judge) for s, systems, sign, judge in rows]
    inter, intra = pairwise_agreement(
        PairwiseJudgments(("a", "b", "c"), 2, *np.array(flat, dtype=np.int64).T)
    )
    counts = {True: [0, 0], False: [0, 0]}
    for one, other in combinations(flat, 2):
        if one[0] == other[0] and set(one[1:3]) == set(other[1:3]):
            turned = 1 if one[1] == other[1] else -1
            count = counts[one[4] == other[4]]
            count[0] += 1
            count[1] += one[3] == turned * other[3]
    for found, (compared, agreed) in ((intra, counts[True]), (inter, counts[False])):
        assert found.compared == compared
        if compared:
            assert found.agreed == agreed / compared
    ties = sum(row[3] == 0 for row in flat) / len(flat)
    assert inter.chance == pytest.approx(ties**2 + 2 * ((1 - ties) / 2) ** 2)


def test_cohens_kappa_is_pooled_over_judges_who_judged_the_same():
    said = {0: [1, 1, -1, 0], 1: [1, -1, -1], 2: [None, None, None, 0]}
    rows = [
        (segment, 0, 1, sign, judge)
        for judge, signs in said.items()
        for segment, sign in enumerate(signs)
        if sign is not None
    ]
    rows.append((0, 1, 0, 1, 0))  # a second time, the other way round: it does not count
    found = pooled_kappa(PairwiseJudgments(("a", "b"), 4, *np.array(rows).T))
    both, alone = cohen_kappa([1, 1, -1], [1, -1, -1]), cohen_kappa([0], [0])
    assert found.compared == both.compared + alone.compared == 4
    assert found.agreed == pytest.approx((3 * both.agreed + alone.agreed) / 4)
    assert found.chance == pytest.approx((3 * both.chance + alone.chance) / 4)
