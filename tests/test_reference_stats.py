"""Figures of reference sets, and what a check of several shows."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.analysis.reference.check import crossing_links, reference_stats
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import order_metric

METRICS = [order_metric("fuzzy"), order_metric("kendall")]

LINKS = [
    [],
    [(0, 0), (1, 1), (2, 2)],  # monotone
    [(0, 2), (1, 1), (2, 0)],  # reversed
    [(0, 1), (1, 1), (2, 0)],  # {2} {0 1}
]


def reference(phenomena=()):
    words = [["a", "b", "c"] for _ in LINKS]
    trees = [
        Tree(w, [-1, 0, 0], ["root", "dep", "dep"], ["X"] * 3, ["_"] * 3, tuple(comments))
        for w, comments in zip(words, phenomena, strict=False)
    ]
    treebank = Treebank.of(trees) if trees else None
    return ReferenceSet("x", words, Alignments.of(LINKS), None, treebank)


def test_figures_of_a_whole_set():
    [part] = reference_stats(reference(), METRICS)
    assert (part.group, part.sentences, part.informative) == (None, 4, 3)
    assert (part.tokens, part.links, part.ties) == (12, 9, 1)
    assert part.aligned == 9 / 12
    assert part.crossing == (0 + 3 + 2) / 9
    assert part.monotone == 1 / 3
    fuzzy, kendall = part.unchanged
    assert fuzzy.value == pytest.approx((1 + 0 + 1 / 2) / 3)
    assert kendall.value == pytest.approx((1 + 0 + 0) / 3)
    assert 0 <= fuzzy.low <= fuzzy.value <= fuzzy.high <= 1


def test_parts_by_a_comment_come_hardest_first():
    phenomena = [[], ["# phenomenon = easy"], ["# phenomenon = hard"], ["# phenomenon = easy"]]
    parts = reference_stats(reference(phenomena), METRICS, by="phenomenon")
    assert [part.group for part in parts] == ["hard", "easy", "(none)"]
    hard, easy, none = parts
    assert (hard.monotone, hard.crossing, hard.unchanged[0].value) == (0, 1, 0)
    assert (easy.sentences, easy.tokens, easy.monotone) == (2, 6, 1 / 2)
    # Nothing can be said of a part without links.
    assert (none.aligned, none.crossing, none.monotone, none.unchanged) == (
        0,
        None,
        None,
        [None, None],
    )


def test_parts_add_up_to_the_whole(bundled_reference):
    [whole] = reference_stats(bundled_reference, METRICS[:1], resamples=5)
    parts = reference_stats(bundled_reference, METRICS[:1], by="phenomenon", resamples=5)
    assert len(parts) == 30
    for figure in ("sentences", "informative", "tokens", "links", "ties"):
        assert sum(getattr(part, figure) for part in parts) == getattr(whole, figure)
    mean = sum(part.informative * part.unchanged[0].value for part in parts) / whole.informative
    assert mean == pytest.approx(whole.unchanged[0].value)
    assert [p.unchanged[0].value for p in parts] == sorted(p.unchanged[0].value for p in parts)


@pytest.mark.parametrize("phenomena", [(), [["# genre = web"]] * 4])
def test_a_comment_that_no_sentence_has(phenomena):
    with pytest.raises(PreorderEvalError, match="no sentence has a comment '# phenomenon = …'"):
        reference_stats(reference(phenomena), METRICS, by="phenomenon")


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 300)), unique=True), min_size=1)
)
def test_crossing_links_are_the_slow_version(sentences):
    expected = [
        sum((s - u) * (t - v) < 0 for (s, t), (u, v) in itertools.combinations(links, 2))
        for links in sentences
    ]
    assert crossing_links(Alignments.of(sentences)).tolist() == expected
