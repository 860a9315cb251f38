"""Scores of systems, made some sentences at a time."""

import numpy as np
import pytest

from preorder_eval.results import scoring
from preorder_eval.results.scoring import score


@pytest.mark.parametrize("size", [1, 7, 30])
def test_how_many_sentences_are_split_at_a_time_does_not_show(monkeypatch, size):
    rng = np.random.default_rng(0)
    output, *references = (
        [" ".join(rng.choice(list("abcdefg"), rng.integers(1, 9))) for _ in range(30)]
        for _ in range(3)
    )
    metrics = ["bleu", "chrf", "nist", "rouge_l", "hlepor", "meteor", "ter"]
    [whole] = score({"mt": output}, references, metrics).scores
    monkeypatch.setattr(scoring, "_AT_ONCE", size)
    [parts] = score({"mt": output}, references, metrics).scores
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(one.statistics, other.statistics)
        assert one.corpus == other.corpus
