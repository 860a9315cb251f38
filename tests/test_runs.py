"""Runs, the longest first, and the fewest chunks."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_matching import fewest, greedy_runs

from preorder_eval.data.segments import Segments
from preorder_eval.metrics.shared import chunks as chunks_module
from preorder_eval.metrics.shared import runs as runs_module
from preorder_eval.metrics.shared.chunks import fewest_chunks, matches_and_chunks
from preorder_eval.metrics.shared.long_runs import long_runs
from preorder_eval.metrics.shared.runs import longest_runs


def random_pairs(seed, longest=8, size=60):
    rng = random.Random(seed)
    pairs = []
    for _ in range(size):
        words = "abcdef"[: rng.randint(1, 6)]
        pairs.append([rng.choices(words, k=rng.randint(0, longest)) for _ in range(2)])
    return pairs


def sides(pairs):
    segments = Segments.of(*map(list, zip(*pairs, strict=True)))
    return segments.hypotheses, segments.references[0]


@pytest.mark.parametrize("seed", range(5))
def test_longest_runs_first(seed):
    pairs = random_pairs(seed, longest=14)
    hypotheses, references = sides(pairs)
    runs = longest_runs(hypotheses, references)
    for s, pair in enumerate(pairs):
        chosen = runs.sentence == s
        found = zip(
            runs.length[chosen].tolist(),
            (runs.hypothesis[chosen] - hypotheses.offsets[s]).tolist(),
            (runs.reference[chosen] - references.offsets[s]).tolist(),
            strict=True,
        )
        assert list(found) == greedy_runs(*pair)


def test_many_sentences_are_taken_in_parts(monkeypatch):
    both = sides(random_pairs(7, longest=14))
    whole = longest_runs(*both)
    monkeypatch.setattr(runs_module, "_PAIRS", 100)
    parts = longest_runs(*both)
    one, other = (sorted(zip(*map(np.ndarray.tolist, x), strict=True)) for x in (whole, parts))
    assert one == other
    assert whole.sentence.tolist() != parts.sentence.tolist()  # another order


@given(st.text("abcd", max_size=14), st.text("abcd", max_size=14))
def test_long_sentences_have_the_same_runs(hypothesis, reference):
    runs = long_runs(*(np.array([ord(c) for c in side]) for side in (hypothesis, reference)))
    assert runs == greedy_runs(hypothesis, reference)


def test_long_sentences_are_done_by_themselves(monkeypatch):
    both = sides(random_pairs(3, longest=14))
    whole = longest_runs(*both)
    monkeypatch.setattr(runs_module, "_LONG", 20)
    parts = longest_runs(*both)
    one, other = (sorted(zip(*map(np.ndarray.tolist, x), strict=True)) for x in (whole, parts))
    assert one == other


def test_a_run_ends_with_the_sentence():
    runs = longest_runs(*sides([("a b", "a b"), ("c d", "c d")]))
    assert runs.length.tolist() == [2, 2]


@pytest.mark.parametrize("seed", range(6))
def test_fewest_chunks_of_all_alignments(seed):
    pairs = random_pairs(seed, longest=6)
    expected = [fewest(*pair) for pair in pairs]
    matches, chunks, cut_off = matches_and_chunks(*sides(pairs))
    assert not cut_off.any()
    assert list(zip(matches.tolist(), chunks.tolist(), strict=True)) == expected
    # The search alone finds the same, from whatever number it starts.
    for (hypothesis, reference), (_, chunk) in zip(pairs, expected, strict=True):
        found = fewest_chunks([ord(c) for c in hypothesis], [ord(c) for c in reference], 9)
        assert found == chunk


def test_the_longest_runs_are_not_always_the_fewest_chunks(monkeypatch):
    # "c c" is matched to the first "c c" of the reference, which leaves "a" and "c" alone.
    pair = sides([("c c a c", "a c c c")])
    greedy = len(longest_runs(*pair).length)
    _, [fewest_found], _ = matches_and_chunks(*pair)
    assert (greedy, fewest_found) == (3, 2)
    for bound in ("_STATES", "_ALL_STATES"):
        with monkeypatch.context() as patch:
            patch.setattr(chunks_module, bound, 0)
            assert [x.tolist() for x in matches_and_chunks(*pair)] == [[4], [greedy], [True]]


def test_nothing_to_match():
    matches, chunks, _ = matches_and_chunks(*sides([("", ""), ("a", ""), ("", "a"), ("a", "b")]))
    assert matches.tolist() == chunks.tolist() == [0] * 4
    np.testing.assert_array_equal(longest_runs(*sides([("", "")])).length, [])


@pytest.mark.parametrize("seed", range(4))
def test_a_search_that_is_seen_to_be_too_long_would_have_been_cut_off(seed, monkeypatch):
    pairs = [tuple([ord(c) for c in side] for side in p) for p in random_pairs(seed, longest=30)]
    forecast = [fewest_chunks(*pair, min(map(len, pair))) for pair in pairs]
    monkeypatch.setattr(chunks_module, "_too_many", lambda *_: False)
    assert [fewest_chunks(*pair, min(map(len, pair))) for pair in pairs] == forecast
    assert None in forecast
