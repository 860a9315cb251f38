"""Figures of reference sets, and what a check of several shows."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.metrics import order_metric
from preorder_eval.orders.alignments import Alignments
from preorder_eval.references.reference_check import crossing_links, reference_stats
from preorder_eval.references.reference_set import ReferenceSet

METRICS = [order_metric("fuzzy"), order_metric("kendall")]

LINKS = [
    [],
    [(0, 0), (1, 1), (2, 2)],  # monotone
    [(0, 2), (1, 1), (2, 0)],  # reversed
    [(0, 1), (1, 1), (2, 0)],  # {2} {0 1}
] * 2


def test_figures_of_a_set():
    data = ReferenceSet("x", [["a", "b", "c"] for _ in LINKS], Alignments.of(LINKS))
    part = reference_stats(data, METRICS)
    assert (part.sentences, part.informative) == (8, 6)
    assert (part.tokens, part.links, part.ties) == (24, 18, 2)
    assert part.aligned == 9 / 12
    assert part.crossing == (0 + 3 + 2) / 9
    assert part.monotone == 1 / 3
    fuzzy, kendall = part.unchanged
    assert fuzzy.value == pytest.approx((1 + 0 + 1 / 2) / 3)
    assert kendall.value == pytest.approx((1 + 0 + 0) / 3)
    assert 0 <= fuzzy.low <= fuzzy.value <= fuzzy.high <= 1
    nothing = reference_stats(ReferenceSet("x", [["a"]], Alignments.of([[]])), METRICS)
    assert (nothing.aligned, nothing.crossing, nothing.monotone) == (0, None, None)
    assert nothing.unchanged == [None, None]


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 300)), unique=True), min_size=1)
)
def test_crossing_links_are_the_slow_version(sentences):
    expected = [
        sum((s - u) * (t - v) < 0 for (s, t), (u, v) in itertools.combinations(links, 2))
        for links in sentences
    ]
    assert crossing_links(Alignments.of(sentences)).tolist() == expected
