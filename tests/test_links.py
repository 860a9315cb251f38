"""Pictures of links."""

from __future__ import annotations

from preorder_eval.data.orders import ReferenceOrder
from preorder_eval.reporting.links import ladder, overview, stretches


def test_stretches_follow_the_sources():
    links = [(1, 0), (0, 0), (0, 1), (1, 1), (2, 3), (0, 5)]
    assert stretches(links, ["x"] * 6) == [
        (range(2), (0, 1)),
        (range(2, 3), ()),
        (range(3, 4), (2,)),
        (range(4, 5), ()),
        (range(5, 6), (0,)),
    ]


def test_ladder_with_ties_and_words_without_links():
    picture = ladder(["It", "is", "a", "cat"], ["猫", "です", "よ"], [(3, 0), (0, 1), (1, 1)])
    assert picture == "\n".join(
        [
            "        0  1  2  3",
            "猫      ·  ·  ·  ●  cat",
            "です    ●──●  ·  ·  It is",
            "よ      ·  ·  ·  ·  –",
            "no link: a 2",
        ]
    )


def test_a_tie_over_a_distance_is_one_line():
    assert ladder(["a", "b", "c"], ["x"], [(0, 0), (2, 0)]).split("\n") == [
        "     0  1  2",
        "x    ●─────●  a c",
        "no link: b 1",
    ]


def test_overview_wraps_by_display_width():
    order = ReferenceOrder([[1], [0, 2]])
    lines = overview(["a", "b", "c"], ["漢字"] * 10, [order], width=40)
    assert lines[:2] == ["source     a b c", "reference  b {{ a c }}"]
    assert [len(line.split()) for line in lines[2].split("\n")] == [7, 4]  # the heading, and words
    assert overview(["a"], None, [ReferenceOrder([[0]])]) == ["source     a", "reference  a"]


def test_overview_has_some_of_many_orders():
    orders = [ReferenceOrder([[0], [1]]), ReferenceOrder([[1], [0]])]
    assert overview(["a", "b"], None, orders)[1:] == ["reference  a b", "or         b a"]
    lines = overview(["a", "b"], None, orders * 10)
    assert (len(lines), lines[-1]) == (12, "           and 10 more")
