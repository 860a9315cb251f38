"""Judgments: scores and comparisons, chosen, paired and counted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.base.errors import PreorderEvalError, UnknownNameError
from preorder_eval.judgments.human_scores import HumanScores, PairwiseJudgments

NAMES = ("a", "b", "c")
RATINGS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 5), st.integers(0, 1)),
    min_size=1,
    max_size=20,
)


def human_scores(ratings):
    system, segment, score, judge = np.array(ratings).T
    return HumanScores(NAMES, 4, system, segment, score.astype(float), judge)


def listed(pairs):
    names = [pairs.systems[i] for i in pairs.first], [pairs.systems[i] for i in pairs.second]
    return sorted(zip(pairs.segment.tolist(), *names, pairs.preferred.tolist(), strict=True))


@given(RATINGS)
def test_means_and_pairs(ratings):
    scores = human_scores(ratings)
    given = {(r, s): [x for a, b, x, _ in ratings if (a, b) == (r, s)] for r, s, *_ in ratings}
    for (r, s), values in given.items():
        assert scores.means[r, s] == pytest.approx(sum(values) / len(values))
    assert np.count_nonzero(~np.isnan(scores.means)) == len(given)
    expected = [
        (s, NAMES[a], NAMES[b], int(np.sign(scores.means[a, s] - scores.means[b, s])))
        for s in range(4)
        for a in range(3)
        for b in range(a + 1, 3)
        if (a, s) in given and (b, s) in given
    ]
    assert listed(scores.pairs()) == sorted(expected)


@given(RATINGS)
def test_system_scores_are_means_over_judged_segments(ratings):
    scores = human_scores(ratings)
    total, count = scores.system_statistics().sum(axis=1).T
    for r in range(3):
        judged = [x for x in scores.means[r] if not np.isnan(x)]
        assert count[r] == len(judged)
        assert total[r] == pytest.approx(sum(judged))


@given(RATINGS)
def test_pairs_of_judges_compare_what_the_same_judge_scored(ratings):
    pairs = human_scores(ratings).pairs_of_judges()
    times = {}
    for r, s, x, judge in ratings:
        times.setdefault((judge, s, r), []).append(x)
    expected = [
        (s, NAMES[a], NAMES[b], int(np.sign(x - y)))
        for (judge, s, a), first in times.items()
        for (other, t, b), second in times.items()
        if (judge, s) == (other, t) and a < b
        for x, y in zip(first, second, strict=False)
    ]
    assert listed(pairs) == sorted(expected)


def test_a_margin_makes_ties():
    """Those below it: WMT's daRR keeps pairs of raw scores that differ by 25 or more."""
    scores = human_scores([(0, 0, 0, 0), (1, 0, 24, 0), (2, 0, 49, 0)])
    pairs = listed(scores.pairs(margin=25))
    assert pairs == [(0, "a", "b", 0), (0, "a", "c", -1), (0, "b", "c", -1)]
    assert len(scores.pairs(margin=25).decided) == 2


@given(RATINGS, st.permutations(NAMES).flatmap(lambda names: st.sampled_from([names, names[:2]])))
def test_chosen_systems_keep_what_was_said_of_them(ratings, names):
    scores = human_scores(ratings)
    chosen = scores.chosen(names)
    rows = [NAMES.index(name) for name in names]
    assert np.array_equal(chosen.means, scores.means[rows], equal_nan=True)
    said = {(s, frozenset([(a, sign), (b, -sign)])) for s, a, b, sign in listed(scores.pairs())}
    kept = {(s, frozenset([(a, sign), (b, -sign)])) for s, a, b, sign in listed(chosen.pairs())}
    picked = scores.pairs().chosen(names)
    assert kept == {(s, frozenset([(a, g), (b, -g)])) for s, a, b, g in listed(picked)}
    assert kept <= said


@given(RATINGS, st.lists(st.booleans(), min_size=4, max_size=4))
def test_judgments_of_some_segments(ratings, kept):
    scores, mask = human_scores(ratings), np.array(kept)
    assert np.array_equal(scores.on(mask).means, scores.means[:, mask], equal_nan=True)
    assert listed(scores.on(mask).pairs()) == listed(scores.pairs().on(mask))
    assert scores.on(mask).segments == sum(kept)


def test_share_of_comparisons_won():
    columns = np.array([[0, 1, 1], [1, 0, 1], [1, 2, -1], [1, 2, 0]]).T
    pairs = PairwiseJudgments(NAMES, 1, np.zeros(4, int), *columns, np.zeros(4, int))
    won, counted = pairs.system_statistics().sum(axis=1).T
    assert won.tolist() == [1, 1, 1]
    assert counted.tolist() == [2, 3, 1]


def test_choosing_what_is_not_there():
    scores = human_scores([(0, 0, 0, 0)])
    with pytest.raises(UnknownNameError, match="judged system 'd'"):
        scores.chosen(["d"])
    with pytest.raises(PreorderEvalError, match="twice"):
        scores.chosen(["a", "a"])
