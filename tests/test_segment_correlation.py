"""Correlation over segments, against scipy, and its resamples against computing anew."""

import numpy as np
import pytest
import scipy

from preorder_eval.base.stats.bootstrap import bootstrap
from preorder_eval.judgments.human_scores import HumanScores
from preorder_eval.judgments.segment_correlation import (
    SEGMENT_COEFFICIENTS,
    VARIANTS,
    over_all,
    pairwise,
    within_segments,
    within_systems,
)

SCIPY = {"pearson": "pearsonr", "spearman": "spearmanr", "kendall": "kendalltau"}


def scipys(coefficient):
    return getattr(scipy.stats, SCIPY[coefficient])


@pytest.fixture
def scores():
    """Three metrics with ties on five systems and 40 segments, some of them judged."""
    rng = np.random.default_rng(0)
    quality = rng.normal(size=(5, 40))
    x = np.stack([quality + rng.normal(size=quality.shape) for _ in range(3)]).round(1)
    y = (quality + rng.normal(size=quality.shape)).round(1)
    y[rng.random(y.shape) < 0.2] = np.nan
    x[0, 2:, :10] = 5.0
    y[:, 11] = np.nan
    y[:, 12] = 3.0
    y[1:, 13] = np.nan
    return x, y


@pytest.mark.parametrize("coefficient", SEGMENT_COEFFICIENTS)
def test_over_all(coefficient, scores):
    x, y = scores
    judged = ~np.isnan(y)
    expected = [scipys(coefficient)(own[judged], y[judged]).statistic for own in x]
    assert over_all(coefficient, x, y).values == pytest.approx(expected)


@pytest.mark.parametrize("coefficient", SEGMENT_COEFFICIENTS)
def test_within_systems(coefficient, scores):
    x, y = scores
    judged = ~np.isnan(y)
    of_systems = [
        [scipys(coefficient)(own[r][judged[r]], y[r][judged[r]]).statistic for r in range(5)]
        for own in x
    ]
    found = within_systems(coefficient, x, y).values
    assert found == pytest.approx(np.mean(of_systems, axis=1))


@pytest.mark.parametrize("coefficient", SEGMENT_COEFFICIENTS)
def test_within_segments(coefficient, scores):
    x, y = scores
    for own, found in zip(x, within_segments(coefficient, x, y).values, strict=True):
        values = []
        for s in range(y.shape[1]):
            judged = ~np.isnan(y[:, s])
            if len(set(y[judged, s])) < 2:
                continue
            flat = len(set(own[judged, s])) < 2
            values.append(
                0 if flat else scipys(coefficient)(own[judged, s], y[judged, s]).statistic
            )
        assert found == pytest.approx(np.mean(values))


@pytest.mark.parametrize(
    ("made", "coefficient"),
    [(over_all, "pearson"), (within_systems, "pearson"), (within_segments, "kendall")],
)
def test_resamples_are_exact(made, coefficient, scores):
    x, y = scores
    [sampled] = bootstrap([made(coefficient, x, y)], resamples=3, seed=5)
    rng = np.random.default_rng(5)
    for drawn, found in zip(rng.integers(0, 40, size=(3, 40)), sampled.resampled, strict=True):
        assert found == pytest.approx(made(coefficient, x[..., drawn], y[:, drawn]).values)


@pytest.mark.slow
@pytest.mark.parametrize("made", [over_all, within_systems])
@pytest.mark.parametrize("coefficient", ["spearman", "kendall"])
def test_resampled_ranks_are_nearly_those_of_the_resample(made, coefficient, scores):
    x, y = scores
    [sampled] = bootstrap([made(coefficient, x, y)], resamples=100, seed=5)
    rng = np.random.default_rng(5)
    real = np.array(
        [
            made(coefficient, x[..., drawn], y[:, drawn]).values
            for drawn in rng.integers(0, 40, size=(100, 40))
        ]
    )
    for metric in range(3):
        assert np.corrcoef(real[:, metric], sampled.resampled[:, metric])[0, 1] > 0.95


@pytest.mark.parametrize("coefficient", SEGMENT_COEFFICIENTS)
def test_a_constant_metric_is_undefined_and_leaves_the_others_alone(coefficient, scores):
    x, y = scores
    alone = [made(coefficient, x, y) for made in (over_all, within_systems)]
    x = np.concatenate([x, np.full((1, *y.shape), 0.3)])
    for made, before in zip((over_all, within_systems), alone, strict=True):
        [sampled] = bootstrap([made(coefficient, x, y)], resamples=10)
        assert np.isnan(sampled.values).tolist() == [False, False, False, True]
        assert sampled.values[:3].tolist() == before.values.tolist()
        assert np.isnan(sampled.resampled[:, 3]).all()


def test_variants_of_pairs():
    """Three pairs as people see them, two against them, one tie of the metric."""
    counts = np.array([3.0, 2.0, 1.0])
    expected = {
        "accuracy": 3.5 / 6,
        "consistency": 3 / 6,
        "wmt12": 0.0,
        "wmt13": 1 / 5,
        "wmt14": 1 / 6,
    }
    assert {name: float(finish(counts)) for name, finish in VARIANTS.items()} == pytest.approx(
        expected
    )


def test_pairs_of_scores(scores):
    x, y = scores
    people = judgments(y)
    concordant = discordant = tied = 0
    for s in range(40):
        for a in range(5):
            for b in range(a):
                if y[a, s] == y[b, s] or np.isnan(y[a, s] + y[b, s]):
                    continue
                product = (x[0, a, s] - x[0, b, s]) * (y[a, s] - y[b, s])
                concordant, discordant = concordant + (product > 0), discordant + (product < 0)
                tied += product == 0
    total = concordant + discordant + tied
    assert tied > 0
    assert pairwise("consistency", x, people.pairs()).values[0] == concordant / total
    assert pairwise("wmt14", x, people.pairs()).values[0] == (concordant - discordant) / total
    assert pairwise("wmt13", x, people.pairs()).values[0] == (concordant - discordant) / (
        concordant + discordant
    )


def judgments(y):
    """A table of scores as judgments."""
    system, segment = np.nonzero(~np.isnan(y))
    names = tuple(f"s{r}" for r in range(len(y)))
    return HumanScores(names, y.shape[1], system, segment, y[system, segment], 0 * system)
