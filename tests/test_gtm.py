"""The general text matcher, and runs that two sentences have in common."""

import math
import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from slow_matching import greedy_runs, matchings, run_lengths

from preorder_eval.metrics import gtm
from preorder_eval.metrics.gtm import Gtm, longest_runs

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


@pytest.mark.parametrize("seed", range(5))
def test_order_does_not_matter_with_exponent_1(seed):
    hypotheses, references = random_texts(seed, 2, longest=6)
    result = Gtm(1).score(hypotheses, references).sentence
    for score, hypothesis, reference in zip(result, hypotheses, references, strict=True):
        most = max(len(matching) for matching in matchings(hypothesis, reference))
        assert score == pytest.approx(f_of_size(most, hypothesis, reference))


def test_the_longest_runs_are_mostly_the_best():
    hypotheses, references = random_texts(1, 2, longest=6)
    result = Gtm(2).score(hypotheses, references).sentence
    best = [
        f_of_size(max(size_of(run_lengths(m), 2) for m in matchings(*pair)), *pair)
        for pair in zip(hypotheses, references, strict=True)
    ]
    assert (result <= np.array(best) + 1e-12).all()
    assert np.mean(result) > 0.95 * np.mean(best)


def test_halves_swapped():
    # Two runs of three words: size is the root of 9 + 9.
    assert Gtm().score(["d e f a b c"], ["a b c d e f"]).corpus == pytest.approx(math.sqrt(18) / 6)


def test_a_large_exponent_leaves_the_longest_run():
    result = Gtm(1000).score(["a b c x d e"], ["d e a b c y"])
    assert result.corpus == pytest.approx(3 / 6, rel=1e-6)
