"""Tests of the difference of two metrics, against all swaps made one by one, by scipy."""

import itertools

import numpy as np
import pytest
import scipy
from judged_tables import mean_metric, scored_by

from preorder_eval.judgments.permutation import name_of_test, p_values
from preorder_eval.judgments.statistic import Conventions, agreement, resample, statistic

SCIPY = {"pearson": "pearsonr", "spearman": "spearmanr", "kendall": "kendalltau"}
BOTH = Conventions(permuted="both")


def scipys(coefficient):
    return getattr(scipy.stats, SCIPY[coefficient])


def drawn(systems, segments, seed=0, missing=0.0):
    """What two metrics of different scales say of outputs, and what people say."""
    rng = np.random.default_rng(seed)
    true = rng.normal(size=(systems, segments)) + np.linspace(0, 1, systems)[:, None]
    people = (true + rng.normal(size=true.shape)).round(1)
    people[rng.random(true.shape) < missing] = np.nan
    first = (true + 0.8 * rng.normal(size=true.shape)).round(1)
    second = (100 * (true + 2.5 * rng.normal(size=true.shape))).round()
    return first, second, people


def p_of(name, first, second, people, conventions=Conventions(), **options):
    metrics, judgments = [mean_metric("a", first), mean_metric("b", second)], scored_by(people)
    chosen = statistic(name, judgments)
    [sampled] = resample(metrics, judgments, [chosen], conventions=conventions, resamples=10)
    found = p_values(chosen, metrics, judgments, sampled, conventions=conventions, **options)
    assert found[0, 1] == found[1, 0]
    return found[0, 1]


def all_swaps(first, second, people, difference, shape):
    """The share of all swaps that differ as much as the metrics do."""
    judged = ~np.isnan(people)
    a, b = ((x - x[judged].mean()) / x[judged].std() for x in (first, second))
    real = abs(difference(a, b))
    hits = [
        abs(difference(np.where(swap, b, a), np.where(swap, a, b))) >= real - 1e-9
        for swap in map(
            np.reshape,
            itertools.product([False, True], repeat=np.prod(shape)),
            itertools.repeat(shape),
        )
    ]
    return np.mean(hits)


def by_scipy(level, coefficient, x, people):
    """A coefficient over all judged outputs, or the mean over systems or segments."""
    groups = {
        "segment": [(x.ravel(), people.ravel())],
        "within-system": zip(x, people, strict=True),
    }
    of_groups = groups.get(level) or zip(x.T, people.T, strict=True)
    known = [(a[~np.isnan(b)], b[~np.isnan(b)]) for a, b in of_groups]
    return np.mean([scipys(coefficient)(a, b).statistic for a, b in known])


@pytest.mark.slow
@pytest.mark.parametrize("coefficient", SCIPY)
@pytest.mark.parametrize(
    ("level", "missing", "conventions", "shape"),
    [
        ("segment", 0.0, Conventions(), (1, 6)),
        ("segment", 0.2, Conventions(), (1, 6)),
        ("within-system", 0.0, Conventions(), (1, 6)),
        ("segment", 0.0, BOTH, (3, 2)),
        ("within-segment", 0.0, BOTH, (3, 2)),
    ],
)
def test_segments_or_outputs_are_swapped_and_the_coefficient_is_computed_anew(
    level, missing, conventions, shape, coefficient
):
    """By PERM-INPUTS whole segments, by PERM-BOTH single outputs."""
    first, second, people = drawn(3, shape[1], 5, missing)

    def difference(a, b):
        return np.subtract(*(by_scipy(level, coefficient, x, people) for x in (a, b)))

    expected = all_swaps(first, second, people, difference, shape)
    found = p_of(f"{level}.{coefficient}", first, second, people, conventions)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("coefficient", ["pearson", "kendall", "accuracy"])
def test_scores_of_systems_are_swapped(coefficient):
    first, second, people = drawn(6, 30, 7)
    ratings = people.mean(axis=1)

    def of(x):
        if coefficient != "accuracy":
            return scipys(coefficient)(x, ratings).statistic
        pairs = list(itertools.combinations(range(6), 2))
        return np.mean([(x[a] > x[b]) == (ratings[a] > ratings[b]) for a, b in pairs])

    means = (first.mean(axis=1), second.mean(axis=1), ratings)
    expected = all_swaps(*means, lambda a, b: of(a) - of(b), (6,))
    found = p_of(f"system.{coefficient}", first, second, people, BOTH)
    assert found == pytest.approx(expected)


def test_with_calibrated_ties_single_pairs_are_swapped():
    """As mt-metrics-eval does ("pairs"): each metric keeps its own ε."""
    first, second, people = drawn(3, 3, 9)
    metrics = [mean_metric("a", first), mean_metric("b", second)]
    pairs = scored_by(people).pairs()
    own = np.zeros((2, len(pairs)))
    for m, x in enumerate((first, second)):
        sizes = np.abs(x[pairs.first, pairs.segment] - x[pairs.second, pairs.segment])
        best = -1.0
        for threshold in (0.0, *sorted(sizes)):
            signs = np.sign(x[pairs.first, pairs.segment] - x[pairs.second, pairs.segment])
            agree = np.where(sizes <= threshold, 0, signs) == pairs.preferred
            if agree.mean() > best + 1e-9:  # every segment has three pairs
                best, own[m] = agree.mean(), agree
    name = "within-segment.acc_eq"
    assert agreement(name, metrics, scored_by(people)) == pytest.approx(own.mean(axis=1))
    real = abs(np.diff(own.mean(axis=1))[0])
    hits = [
        abs(np.mean(np.where(swap, -1, 1) * (own[1] - own[0]))) >= real - 1e-9
        for swap in itertools.product([False, True], repeat=len(pairs))
    ]
    found = p_of(name, first, second, people, BOTH, resamples=100)
    assert found == pytest.approx(np.mean(hits))


def test_trials_end_when_p_is_clear():
    """They are looked at when there are a hundred more; few segments need no such care."""
    _, _, people = drawn(3, 220)
    opposite = ("segment.pearson", people, -people, people)
    assert 1 / 300 < p_of(*opposite, BOTH, resamples=2000) < 1 / 100
    assert p_of(*opposite, BOTH, resamples=50) == pytest.approx(1 / 51)
    assert p_of("segment.pearson", people, people + 1, people) == 1


@pytest.mark.parametrize(
    ("name", "permuted", "expected"),
    [
        ("segment.kendall", "inputs", "PERM-INPUTS"),
        ("segment.kendall", "both", "PERM-BOTH"),
        ("system.pearson", "inputs", "Williams' test"),
        ("system.kendall", "inputs", "paired bootstrap"),
        ("system.kendall", "both", "PERM-BOTH"),
        ("system.spa", "inputs", "PERM-INPUTS, p of SPA by normal distributions"),
    ],
)
def test_a_test_is_called_what_it_is(name, permuted, expected):
    *_, people = drawn(4, 12)
    chosen = statistic(name, scored_by(people))
    assert name_of_test(chosen, Conventions(permuted=permuted)) == expected


def test_jobs_do_not_matter():
    first, second, people = drawn(3, 20)
    own = ("segment.spearman", first, second, people)
    assert p_of(*own, resamples=50, jobs=2) == p_of(*own, resamples=50)
