"""What chance gets and what people get beside the metrics of `meta`."""

import itertools

import numpy as np
import pytest
from judged_tables import mean_metric, scored_by

from preorder_eval.data.judgments import PairwiseJudgments
from preorder_eval.meta_evaluation.judges import people_among_themselves
from preorder_eval.meta_evaluation.statistic import Conventions, agreement, statistics_for
from preorder_eval.stats.agreement import judgment_counts
from preorder_eval.stats.segment_correlation import VARIANTS


@pytest.mark.parametrize("grades", [3, pytest.param(1000, marks=pytest.mark.slow)])
def test_chance_is_what_random_scores_get(grades):
    """Of 40 metrics each; with few grades people tie often."""
    rng = np.random.default_rng(grades)
    y = rng.integers(0, grades, size=(7, 150)).astype(float)
    y[rng.random(y.shape) < 0.1] = np.nan
    people = scored_by(y)
    conventions = Conventions(margin=grades / 3)
    metrics = [mean_metric("random", rng.normal(size=y.shape)) for _ in range(40)]
    for chosen in statistics_for(people):
        found = agreement(str(chosen), metrics, people, conventions)
        error = found.std() / np.sqrt(40)
        # acc_eq is calibrated on the same pairs, and so a little above.
        more = 0.01 if chosen.coefficient == "acc_eq" else 0.0
        chance = chosen.chance(metrics, people, conventions).mean()
        assert chance - 3.5 * error <= found.mean() <= chance + 3.5 * error + more, str(chosen)


def test_two_judges_agree_as_they_do():
    """Whoever stands for the metric, the share of pairs that they order alike is the same."""
    rng = np.random.default_rng(1)
    one = rng.permuted(np.tile(np.arange(5.0), (60, 1)), axis=1).T
    other = one + rng.normal(size=one.shape)
    found = people_among_themselves(scored_by(one, other), resamples=50)
    alike = [
        (one[a, s] > one[b, s]) == (other[a, s] > other[b, s])
        for a, b in itertools.combinations(range(5), 2)
        for s in range(60)
    ]
    assert found["pairs.consistency"].values[0] == pytest.approx(np.mean(alike))
    kendall = 2 * np.mean(alike) - 1
    assert found["within-segment.kendall"].values[0] == pytest.approx(kendall)
    interval = found["pairs.consistency"].interval(0)
    assert interval.low < np.mean(alike) < interval.high


def test_what_one_judge_saw_alone_is_left_out():
    rng = np.random.default_rng(2)
    one = rng.normal(size=(4, 50))
    other = np.where(np.arange(50) < 30, one, np.nan)
    found = people_among_themselves(scored_by(one, other), resamples=20)
    assert found["segment.pearson"].values[0] == pytest.approx(1)
    alone = np.where(np.isnan(other), one, np.nan)
    assert people_among_themselves(scored_by(alone, other), resamples=20) == {}
    assert people_among_themselves(scored_by(one), resamples=20) == {}


@pytest.mark.slow
def test_a_judge_is_compared_with_the_mean_of_the_others():
    """Three judges who err alike: one agrees with two as the algebra of noise has it."""
    rng = np.random.default_rng(3)
    true = rng.normal(size=(5, 4000))
    judges = [true + rng.normal(size=true.shape) for _ in range(3)]
    found = people_among_themselves(scored_by(*judges), resamples=10)
    expected = 1 / np.sqrt((1 + 1) * (1 + 1 / 2))
    assert found["segment.pearson"].values[0] == pytest.approx(expected, abs=0.01)


def test_rankings_of_different_judges():
    rng = np.random.default_rng(4)
    size = 300
    pairs = rng.integers(0, 4, size=(size, 2))
    pairs[:, 1] = (pairs[:, 0] + 1 + pairs[:, 1] % 3) % 4
    segment, judge = rng.integers(0, 8, size), rng.integers(0, 5, size)
    preferred = rng.integers(-1, 2, size)
    said = PairwiseJudgments(tuple("abcd"), 8, segment, *pairs.T, preferred, judge)
    counts = np.zeros((8, 3))
    for m, n in itertools.permutations(range(size), 2):
        same = segment[m] == segment[n] and set(pairs[m]) == set(pairs[n])
        if not same or judge[m] == judge[n] or preferred[n] == 0:
            continue
        turned = 1 if pairs[m][0] == pairs[n][0] else -1
        column = {1: 0, -1: 1, 0: 2}[turned * preferred[m] * preferred[n]]
        counts[segment[m], column] += 1
    np.testing.assert_array_equal(judgment_counts(said), counts)
    found = people_among_themselves(said, resamples=20)
    agree, disagree, tied = counts.sum(axis=0)
    total = agree + disagree + tied
    assert found["pairs.consistency"].values[0] == pytest.approx(agree / total)
    assert found["pairs.wmt14"].values[0] == pytest.approx((agree - disagree) / total)
    assert found["pairs.accuracy"].values[0] == pytest.approx((agree + tied / 2) / total)
    assert set(found) == {f"pairs.{name}" for name in VARIANTS}
