"""The general text matcher, and runs that two sentences have in common."""

import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from slow_matching import greedy_runs

from preorder_eval.metrics.outputs import gtm
from preorder_eval.metrics.outputs.gtm import Gtm, longest_runs

words = st.lists(st.integers(0, 3), max_size=14)


@given(words, words)
@example([], [])
@example([1, 2], [1, 2])
def test_longest_runs_first(hypothesis, reference):
    expected = greedy_runs(hypothesis, reference)
    with pytest.MonkeyPatch.context() as patch:
        for long in (1, 2, 8):
            patch.setattr(gtm, "_LONG", long)
            assert longest_runs(hypothesis, reference) == expected


def f_of_size(size, hypothesis, reference):
    precision = size / len(hypothesis) if hypothesis else 0
    recall = size / len(reference) if reference else 0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0


def size_of(lengths, e):
    return sum(length**e for length in lengths) ** (1 / e)


def random_texts(seed, sides, longest):
    rng = random.Random(seed)
    words = "abcdef"[: rng.randint(1, 6)]
    return [[rng.choices(words, k=rng.randint(0, longest)) for _ in range(9)] for _ in range(sides)]


@pytest.mark.parametrize("e", [1, 1.5, 2, 7])
@pytest.mark.parametrize("seed", range(5))
def test_same_as_run_by_run(e, seed):
    hypotheses, *streams = random_texts(seed, 3, longest=12)
    sizes = [
        [
            size_of([run[0] for run in greedy_runs(h, r)], e)
            for h, r in zip(hypotheses, stream, strict=True)
        ]
        for stream in streams
    ]
    each = [
        [f_of_size(*row) for row in zip(size, hypotheses, stream, strict=True)]
        for size, stream in zip(sizes, streams, strict=True)
    ]
    result = Gtm(e).score(hypotheses, streams)
    np.testing.assert_allclose(result.sentence, np.max(each, axis=0), atol=1e-12)
    one = Gtm(e).score(hypotheses, streams[0])
    words = sum(map(len, hypotheses)) + sum(map(len, streams[0]))
    assert one.corpus == pytest.approx(2 * sum(sizes[0]) / words)


def test_a_large_exponent_leaves_the_longest_run():
    result = Gtm(1000).score(["a b c x d e"], ["d e a b c y"])
    assert result.corpus == pytest.approx(3 / 6, rel=1e-6)
