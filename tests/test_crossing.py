"""Crossing links in a terminal: each leads from its piece of the source to the same piece below."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from preorder_eval.cli.shared.crossing import crossing

DOWN = "│┼"


def followed(rows, column):
    """The column at which a link that starts at a column of the first row ends."""
    n = 0
    while n < len(rows):
        sign = rows[n][column]
        if sign in "└┘":
            step = 1 if sign == "└" else -1
            end = "┐" if step == 1 else "┌"
            column += step
            while rows[n][column] != end:
                assert rows[n][column] in "─┼"
                column += step
        else:
            assert sign in DOWN
        n += 1
    return column


@given(st.permutations(range(7)), st.lists(st.integers(1, 7), min_size=7, max_size=7))
def test_links_lead_to_their_pieces(order, sizes):
    words = [chr(97 + n) * size for n, size in enumerate(sizes)]
    drawn = crossing(words, order, 500)
    if order == sorted(order):
        assert drawn == ""
        return
    above, *rows, below = drawn.split("\n")
    assert below.split() == [words[i] for i in order]
    rows = [row.ljust(500) for row in rows]
    firsts = [i for k, i in enumerate(order) if k == 0 or order[k - 1] != i - 1]
    for first in firsts:
        piece = [first]
        while (at := order.index(piece[-1]) + 1) < len(order) and order[at] == piece[-1] + 1:
            piece.append(order[at])
        text = " ".join(words[i] for i in piece)
        start, wanted = above.index(text), below.index(text)
        columns = [c for c in range(start, start + len(text)) if rows[0][c] in "│┼└┘"]
        assert any(wanted <= followed(rows, c) < wanted + len(text) for c in columns)


@pytest.mark.parametrize(
    ("words", "order", "width"),
    [(["a", "b"], [0, 1], 80), (["one", "two"], [1, 0], 7), (["שלום", "עולם"], [1, 0], 80)],
)
def test_nothing_is_drawn(words, order, width):
    assert crossing(words, order, width) == ""


def test_wide_and_hidden_characters_take_their_columns():
    first, *_, last = crossing(["日本", "a\x07", "b"], [2, 1, 0], 80).split("\n")
    assert first == "日本  a\\x07  b"
    assert cell_len(last) == cell_len(first)
