import numpy as np
import pytest

from preorder_eval.stats.bootstrap import bootstrap
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.multiple import holm
from preorder_eval.stats.pairwise import all_pairs
from preorder_eval.stats.randomization import randomization


def mean(sums):
    return sums[..., 0] / sums[..., 1]


def test_pairs_come_row_by_row_with_their_own_difference_and_p():
    values = np.random.default_rng(0).random((4, 30)) ** [[1], [1.3], [2], [1.1]]
    measurement = Measurement(np.stack([values, np.ones_like(values)], axis=-1), mean)
    sampled = bootstrap([measurement])
    [pairs] = all_pairs([measurement], sampled, trials=500)
    p = randomization([measurement], trials=500)[0]
    assert [(q.first, q.second) for q in pairs] == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    for pair in pairs:
        means = values[[pair.first, pair.second]].mean(axis=1)
        assert pair.difference.value == pytest.approx(means[1] - means[0])
        assert pair.p == p[pair.first, pair.second]
    assert [pair.p_holm for pair in pairs] == holm([pair.p for pair in pairs]).tolist()
