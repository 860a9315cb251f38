"""What chance gets beside the metrics of `meta`."""

import numpy as np
import pytest
from judged_tables import mean_metric, scored_by

from preorder_eval.judgments.statistic import Conventions, agreement, statistics_for


@pytest.mark.parametrize("grades", [3, pytest.param(1000, marks=pytest.mark.slow)])
def test_chance_is_what_random_scores_get(grades):
    """Of 20 metrics each; with few grades people tie often."""
    rng = np.random.default_rng(grades)
    y = rng.integers(0, grades, size=(7, 150)).astype(float)
    y[rng.random(y.shape) < 0.1] = np.nan
    people = scored_by(y)
    conventions = Conventions(margin=grades / 3)
    metrics = [mean_metric("random", rng.normal(size=y.shape)) for _ in range(20)]
    for chosen in statistics_for(people):
        found = agreement(str(chosen), metrics, people, conventions)
        error = found.std() / np.sqrt(20)
        # acc_eq is calibrated on the same pairs, and so a little above.
        more = 0.01 if chosen.coefficient == "acc_eq" else 0.0
        chance = chosen.chance(metrics, people, conventions).mean()
        assert chance - 3.5 * error <= found.mean() <= chance + 3.5 * error + more, str(chosen)
