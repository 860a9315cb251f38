"""Order files."""

from __future__ import annotations

import pytest

from preorder_eval.base.errors import FormatError
from preorder_eval.orders.order_files import (
    format_reference_orders,
    parse_reference_orders,
    read_orders,
)
from preorder_eval.orders.orders import Alternatives


def test_more_than_one_space_may_separate_positions(tmp_path):
    (tmp_path / "x").write_text(" 1  0 \n")
    assert list(read_orders(tmp_path / "x", [2])) == [[1, 0]]


def test_no_sentences_have_no_further_orders():
    assert len(Alternatives.of([])) == 0
    assert list(format_reference_orders(Alternatives.of([]))) == []


def test_tokens_without_links_are_marked_in_further_orders():
    text = "1 0_2 | 0 1~ 2"
    orders = parse_reference_orders(text, [True, False, True], "x", 1, "")
    assert [order.aligned for order in orders] == [[True, False, True]] * 2
    assert list(format_reference_orders(Alternatives.of([orders]))) == [text]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0 1 x", "'x' is not a position"),
        ("0 -1 2", "'-1' is not a position"),
        ("0 1.0 2", "'1.0' is not a position"),
        ("0 ² 2", "'²' is not a position"),
        ("0 1 " + "9" * 5000, "is not a position"),
        ("0 1", "2 positions for 3 source tokens; list every 0-based position once"),
        ("0 1 2 3", "4 positions for 3 source tokens"),
        ("1 2 3", "not a permutation of 0 … 2: 3 is out of range, 0 is missing"),
        ("0 1 1", "not a permutation of 0 … 2: 2 is missing, 1 occurs twice"),
        ("", "a blank line"),
        ("0\t1\t2", "a tab in tokenised text"),
    ],
)
def test_malformed_lines_are_errors(tmp_path, line, message):
    (tmp_path / "x.order").write_text(f"0 1 2\n{line}\n0 1 2\n")
    with pytest.raises(FormatError) as error:
        read_orders(tmp_path / "x.order", [3, 3, 3])
    assert str(error.value).startswith(f"{tmp_path}/x.order:2: ")
    assert message in str(error.value)


@pytest.mark.parametrize(("lengths", "line"), [([1], 2), ([1, 1, 1], 3)])
def test_a_wrong_number_of_lines_is_an_error(tmp_path, lengths, line):
    (tmp_path / "x").write_text("0\n0\n")
    with pytest.raises(FormatError) as error:
        read_orders(tmp_path / "x", lengths)
    assert error.value.line == line
    assert f"2 orders, but the source has {len(lengths)} sentence" in str(error.value)
