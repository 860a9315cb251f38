"""The alignment notation of Talbot et al. (2011)."""

from __future__ import annotations

import pytest
from published import TALBOT_TABLE_2

from preorder_eval.errors import FormatError
from preorder_eval.formats.alignment import Side, format_alignment, read_alignment, read_bitext


def write(tmp_path, text):
    path = tmp_path / "a.talbot"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_lines_of_table_2_come_out_as_they_were(tmp_path):
    text = "".join(fields + "\n" for _, fields, _ in TALBOT_TABLE_2)
    source = Side.of([source.split(" ") for source, _, _ in TALBOT_TABLE_2])
    bitext = read_bitext(write(tmp_path, text), source)
    assert format_alignment(bitext, "talbot") == text
    assert bitext.target.lengths == [18, 19, 19, 19]


def test_a_blank_line_is_one_target_token_without_links(tmp_path):
    alignments = read_alignment(write(tmp_path, "0\n\n"), [1, 1], [1, 1])
    assert [alignments[0], alignments[1]] == [[(0, 0)], []]


@pytest.mark.parametrize("field", ["x", "1-2", "_1", "1_", "1__2", "-1", "1 2", "9999999999"])
def test_what_is_not_a_field_is_an_error(tmp_path, field):
    with pytest.raises(FormatError) as error:
        read_alignment(write(tmp_path, f"0,1\n0,{field}\n"), [3, 3])
    assert str(error.value) == (
        f"{tmp_path}/a.talbot:2: field 2 {field!r} is not positions such as 7 or 7_8"
    )


def test_the_number_of_fields_must_be_the_number_of_target_tokens(tmp_path):
    with pytest.raises(FormatError) as error:
        read_alignment(write(tmp_path, "0,1\n0,1,2\n"), [3, 3], [2, 2])
    assert str(error.value) == (
        f"{tmp_path}/a.talbot:2: 3 target tokens, but the target sentence has 2; "
        "positions count from 0, source first"
    )


def test_fields_for_source_tokens_are_noticed(tmp_path):
    path = write(tmp_path, "0,1_2,\n")
    with pytest.raises(FormatError, match="would fit with direction target-source"):
        read_alignment(path, [3], [4])
    turned = read_alignment(path, [3], [4], direction="target-source")
    assert turned[0] == [(0, 0), (1, 1), (1, 2)]


def test_a_source_position_out_of_range_is_an_error(tmp_path):
    with pytest.raises(FormatError, match=r"a.talbot:1: link 2-1: source position 2, but"):
        read_alignment(write(tmp_path, "0,2\n"), [2])
