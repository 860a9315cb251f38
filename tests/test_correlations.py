"""Differences between correlations with the same ratings, against scipy and Williams' test."""

import numpy as np
import pytest
from scipy import stats
from test_meta_evaluation import human_scores, mean_metric

from preorder_eval.meta_evaluation.correlations import correlate
from preorder_eval.stats.correlation import williams


@pytest.mark.parametrize("difference", [0.0, 0.35, 0.8])
def test_swapping_two_metrics_segment_by_segment(difference):
    """The p-value is that of scipy's permutation test, and near Williams' for independent outputs.

    Scores are standardised before they are swapped, or a metric's scale would tell them apart.
    """
    rng = np.random.default_rng(4)
    people = rng.normal(size=(1, 60))
    metrics = [people + spread * rng.normal(size=people.shape) for spread in (1, 1 + difference)]
    metrics[1] *= 100
    found = correlate(
        [mean_metric(name, x) for name, x in zip("ab", metrics, strict=True)],
        human_scores(people),
        ["segment.pearson"],
        resamples=500,
    )
    x, y = (stats.zscore(scores[0]) for scores in metrics)
    expected = stats.permutation_test(
        (x, y),
        lambda a, b: np.corrcoef(a, people[0])[0, 1] - np.corrcoef(b, people[0])[0, 1],
        permutation_type="samples",
        n_resamples=1000,
        rng=np.random.default_rng(0),
    ).pvalue
    p = found.p["segment.pearson"][0, 1]
    assert p == pytest.approx(expected, abs=0.04)
    r = [float(np.corrcoef(scores[0], people[0])[0, 1]) for scores in metrics]
    assert found.statistics["segment.pearson"].values == pytest.approx(r)
    between = float(np.corrcoef(x, y)[0, 1])
    assert p == pytest.approx(williams(*r, between, 60), abs=0.1)


def test_a_metric_does_not_differ_from_itself():
    rng = np.random.default_rng(5)
    people = rng.normal(size=(3, 20))
    metrics = [mean_metric(name, people + 1) for name in "ab"]
    found = correlate(
        metrics, human_scores(people), ["segment.pearson", "segment.spearman"], resamples=20
    )
    for p in found.p.values():
        assert p[0, 1] == pytest.approx(1.0)
