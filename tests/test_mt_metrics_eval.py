"""What mt-metrics-eval computes: values of its own tests, and its conventions."""

import numpy as np
import pytest
import scipy
from judged_tables import mean_metric, scored_by

from preorder_eval.judgments.correlation import groups, williams
from preorder_eval.judgments.pairwise_accuracy import soft_pairwise_accuracy, tie_calibrated
from preorder_eval.judgments.statistic import Conventions, agreement, protocol, statistic

DROPPED = Conventions(constant="dropped")


def human_scores(table):
    return scored_by(np.array(table, dtype=np.float64))


def value(name, human, metric, conventions=DROPPED):
    """A statistic of scores of systems by segments, as lists, None where nobody judged."""
    metrics = [mean_metric("m", np.array(metric, dtype=np.float64))]
    return agreement(name, metrics, human_scores(human), conventions)[0]


# Those of stats_test.py of mt-metrics-eval follow (Apache 2.0), with what they are asserted to be.
GOLD, METRIC = [[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("segment.pearson", 0.776),
        ("within-system.pearson", 0.760),
        ("within-segment.pearson", 1.00),
        ("segment.kendall", 0.552),
        ("within-system.kendall", 0.575),
        ("within-segment.kendall", 1.00),
    ],
)
def test_its_correlations(name, expected):
    assert value(name, GOLD, METRIC) == pytest.approx(expected, abs=0.0005)


@pytest.mark.parametrize("coefficient", ["pearson", "kendall"])
def test_a_constant_group_is_dropped_or_counts_zero(coefficient):
    human, metric = [[1, 2, 3], [4, 5, 6]], [[2, 2, 2], [4, 5, 6]]
    name = f"within-system.{coefficient}"
    assert value(name, human, metric) == pytest.approx(1.0)
    assert value(name, human, metric, Conventions(constant="zero")) == pytest.approx(0.5)
    turned = [np.transpose(table).tolist() for table in (human, metric)]
    name = f"within-segment.{coefficient}"
    assert value(name, *turned) == pytest.approx(1.0)
    assert value(name, *turned, Conventions(constant="zero")) == pytest.approx(0.5)
    assert value(name, *turned, Conventions()) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("human", "metric", "margin", "expected"),
    [
        ([[10], [np.nan], [100], [150]], [[2], [1], [4], [3]], 1, 1 / 3),
        ([[10, 11], [100, 150]], [[2, 1], [4, 3]], 1, 1),
        ([[10, np.nan], [100, 150]], [[2, 1], [4, 3]], 1, 1),
        ([[10], [11], [100], [150]], [[2], [1], [4], [3]], 25, 3 / 5),
        ([[10], [11], [100], [150]], [[2], [1], [4], [3]], 1, 2 / 6),
    ],
)
def test_its_kendall_like(human, metric, margin, expected):
    found = value("pairs.wmt12", human, metric, Conventions(margin=margin))
    assert found == pytest.approx(expected)


def test_its_calibrated_ties():
    metric, human = [[2], [1], [1.5], [5], [3]], [[1], [2], [2], [3], [4]]
    assert value("within-segment.acc_eq", human, metric) == pytest.approx(0.7)
    # Of tau_optimization_test.py, a row a segment.
    nan = np.nan
    metric = [[0, 5, 2, 3, 2], [0, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1]]
    human = [[1, 5, 2, 1, 1], [nan, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, nan, 3, 2]]
    x, y = (np.transpose(np.array(table, dtype=np.float64)) for table in (metric, human))
    found = tie_calibrated(x[None], human_scores(y).pairs())
    assert found.thresholds.tolist() == [1.0]
    assert found.measurement.values == pytest.approx([0.4916666666666668])


def test_its_williams_test():
    gold = [1, 2, 3, 4, 5]
    first, second = [1.1, 2, 3.1, 4, 5.1], [1.5, 2, 3.1, 4, 5.5]
    pairs = (first, gold), (second, gold), (first, second)
    r = [scipy.stats.pearsonr(*pair)[0] for pair in pairs]
    assert williams(*r, systems=5) / 2 == pytest.approx(0.019, abs=0.0005)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [("0101 0011 0001 0000", [1, 1, 2, 2]), ("0011 0011 0000 0000", [1, 2, 2, 3])],
)
def test_its_ranks(rows, expected):
    upper = np.triu([[float(p) for p in row] for row in rows.split()], 1)
    assert groups(upper + upper.T, range(4), 0.5) == expected


def drawn_p(scores, permutations=1000):
    """One-sided p of pairs of systems from the sign flips that mt-metrics-eval draws (pce.py)."""
    rng = np.random.default_rng(4)
    signs = 2 * np.rint(rng.random(size=(permutations, scores.shape[1]), dtype=np.float32)) - 1
    sums = signs @ scores.astype(np.float32).T
    total = scores.astype(np.float32).sum(axis=1)
    upper = np.triu_indices(len(scores), 1)
    return np.array([np.mean(sums[:, a] - sums[:, b] >= total[a] - total[b])
                     for a, b in zip(*upper, strict=True)])  # fmt: skip


@pytest.mark.parametrize("unjudged", [0, 15])
def test_soft_pairwise_accuracy_is_its_own(unjudged):
    """To the last digit; segments that nobody judged are no part of it."""
    rng = np.random.default_rng(2)
    y = rng.normal(size=(6, 400)) + np.linspace(0, 0.2, 6)[:, None]
    x = y + rng.normal(size=y.shape)
    y[:, rng.choice(400, unjudged, replace=False)] = np.nan
    kept = ~np.isnan(y[0])
    expected = 1 - np.mean(np.abs(drawn_p(y[:, kept]) - drawn_p(x[:, kept])))
    assert soft_pairwise_accuracy(x[None], y)[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("difference", [25.0, 70.3 - 45.3, 0.1 + 24.9])
def test_a_margin_decides_at_the_boundary_everywhere(difference):
    """A difference of 25 is decided by a margin of 25, as it is computed, too."""
    human, metric = [[0.0], [difference]], [[1.0], [2.0]]
    for margin, decided in ((25, True), (25.001, False)):
        conventions = Conventions(margin=margin)
        judgments = human_scores(human)
        assert (judgments.pairs(margin).preferred[0] != 0) == decided
        one = value("pairs.consistency", human, metric, conventions)
        assert one == 1 if decided else np.isnan(one)
        # Ties are learnt where people tie; the metric's order is theirs where they do not.
        assert value("within-segment.acc_eq", human, metric, conventions) == 1
        assert value("within-segment.acc_eq", human, metric[::-1], conventions) == (not decided)
        [chance] = statistic("within-segment.acc_eq", judgments).chance(
            [mean_metric("metric", np.array(metric))], judgments, conventions
        )
        assert chance == (0.5 if decided else 1)


def test_rounding_is_no_preference():
    human = [[0.1 + 0.2], [0.3]]
    assert human_scores(human).pairs().preferred.tolist() == [0]
    assert value("within-segment.acc_eq", human, [[1], [1]]) == 1
    assert np.isnan(value("pairs.wmt14", human, [[1], [2]]))


def test_protocols_have_its_conventions():
    for name in ("wmt22", "wmt23", "wmt24", "wmt22-segment", "wmt23-segment", "wmt24-segment"):
        found = protocol(name)
        assert found.conventions == Conventions(constant="dropped", permuted="both")
        assert found.level == 0.10, "one-sided at .05"
