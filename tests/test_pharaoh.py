"""Pharaoh alignments."""

from __future__ import annotations

import pytest

from preorder_eval.errors import FormatError
from preorder_eval.formats.alignment import format_alignment, read_alignment, read_bitext
from preorder_eval.formats.pharaoh import looks_like


def read(tmp_path, text, *lengths, **options):
    (tmp_path / "a.align").write_text(text, encoding="utf-8")
    return read_alignment(tmp_path / "a.align", *lengths, form="pharaoh", **options)


def test_possible_links_have_either_mark(tmp_path):
    alignments = read(tmp_path, "1-2 3p4 3?5\n\n0-0\n", [4, 1, 1], [6, 1, 1])
    assert alignments[0] == [(1, 2), (3, 4), (3, 5)]
    assert alignments.marks(0) == [False, True, True]
    assert [alignments[1], alignments[2]] == [[], [(0, 0)]]


def test_possible_links_are_written_with_p(tmp_path):
    (tmp_path / "a").write_text("3?4 1-2\n")
    assert format_alignment(read_bitext(tmp_path / "a"), "pharaoh") == "1-2 3p4\n"
    assert format_alignment(read_bitext(tmp_path / "a"), base=1) == "2-3 4p5\n"
    assert format_alignment(read_bitext(tmp_path / "a"), direction="target-source") == "2-1 4p3\n"


def test_a_link_given_twice_counts_once(tmp_path):
    alignments = read(tmp_path, "0p0 0-0 0-0\n", [1])
    assert alignments[0] == [(0, 0)]
    assert alignments.marks(0) == [False]


def test_spaces_may_surround_links_and_the_last_line_end_may_lack(tmp_path):
    assert read(tmp_path, "  0-0   1-1 \n1-0", [2, 2])[1] == [(1, 0)]


@pytest.mark.parametrize(
    "link",
    [
        *("-1-0", "0--1", "0-x", "0", "0-", "-", "0-0-0", "0:0", "0.5-1", "1e0-0", "0P0"),
        *("0-0\t1-1", "0-0\u30001-1", "٣-0", "9999999999-0"),
    ],
)
def test_what_is_not_a_link_is_an_error(tmp_path, link):
    with pytest.raises(FormatError) as error:
        read(tmp_path, f"0-0\n0-0 {link}\n", [1, 1])
    assert str(error.value) == (
        f"{tmp_path}/a.align:2: link {link!r} is not two positions such as 3-4"
    )


def test_a_position_0_in_a_file_that_counts_from_1_is_an_error(tmp_path):
    with pytest.raises(FormatError) as error:
        read(tmp_path, "1-1\n1-0\n", [2, 2], [2, 2], base=1)
    assert str(error.value) == (
        f"{tmp_path}/a.align:2: link 1-0: target position 0; everything would fit with base 0"
    )


def test_the_target_side_is_only_checked_if_known(tmp_path):
    assert read(tmp_path, "0-7\n", [1])[0] == [(0, 7)]
    with pytest.raises(FormatError, match="target position 7, but the target sentence has 7"):
        read(tmp_path, "0-7\n", [1], [7])


@pytest.mark.parametrize(("line", "expected"), [("0-0 1-1", True), ("3p4", True), ("3?4", True)])
def test_its_lines_are_known(line, expected):
    assert looks_like(line) is expected


@pytest.mark.parametrize("line", ["5-7 ||| 0-0", "5-7 |||", "0,1", "1 2 3 S", "a-b", ""])
def test_other_lines_are_not_taken_for_it(line):
    assert not looks_like(line)
