"""The alignments that lader and topdown-btg read."""

from __future__ import annotations

import pytest

from preorder_eval.errors import FormatError
from preorder_eval.formats.alignment import format_alignment, read_alignment, read_bitext

# From the example data of lader (github.com/neubig/lader, example/data/test.en-ja.align) and of
# topdown-btg (github.com/google/topdown-btg-preordering, example/test.align).
LADER = "4-7 ||| 0-0 1-4 1-5 2-2 3-6 \n7-8 ||| 1-0 2-5 2-6 3-4 4-3 5-2 6-7 \n"
TOPDOWN_BTG = "6-8 ||| 0-0 1-5 1-6 3-2 4-3 5-7\n7-7 ||| 0-0 1-5 2-4 3-3 4-3 5-2 6-6\n"


def write(tmp_path, text):
    path = tmp_path / "a.lader"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("text", [LADER, TOPDOWN_BTG])
def test_the_tools_own_files_come_out_as_they_were(tmp_path, text):
    bitext = read_bitext(write(tmp_path, text))
    assert format_alignment(bitext, "lader") == text.replace(" \n", "\n")


def test_links_and_lengths_are_read(tmp_path):
    bitext = read_bitext(write(tmp_path, LADER))
    assert bitext.alignments[0] == [(0, 0), (1, 4), (1, 5), (2, 2), (3, 6)]
    assert (bitext.source.lengths, bitext.target.lengths) == ([4, 7], [7, 8])


def test_a_sentence_without_links_is_its_lengths(tmp_path):
    bitext = read_bitext(write(tmp_path, "3-2 |||\n1-1 ||| \n"))
    assert len(bitext.alignments.source) == 0
    assert format_alignment(bitext, "lader") == "3-2 |||\n1-1 |||\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0-0 1-1", "'0-0 1-1' does not start with two lengths; a line is such as 5-7 |||"),
        ("", "'' does not start with two lengths"),
        ("2 ||| 0-0", "does not start with two lengths"),
        ("2-2 || 0-0", "does not start with two lengths"),
        ("2-2 |||0-0", "does not start with two lengths"),
        ("2--2 ||| 0-0", "does not start with two lengths"),
        ("2-2 ||| 0-x", "link '0-x' is not two positions"),
        ("2-2 ||| 0p0", "link '0p0' is not two positions"),
        ("2-2 ||| 0--1", "link '0--1' is not two positions"),
        ("2-2 ||| 0-0 ||| 1", "link '|||' is not two positions"),
        ("2-2 ||| 0-2", "link 0-2: target position 2, but the target sentence has 2 tokens"),
        ("2-2 ||| 2-0", "link 2-0: source position 2, but the source sentence has 2 tokens"),
    ],
)
def test_malformed_lines_are_errors(tmp_path, line, message):
    with pytest.raises(FormatError) as error:
        read_bitext(write(tmp_path, f"2-2 ||| 0-0\n{line}\n"), form="lader")
    assert "a.lader:2: " in str(error.value)
    assert message in str(error.value)


def test_lengths_must_be_those_of_the_text(tmp_path):
    path = write(tmp_path, "2-3 ||| 0-0\n2-4 ||| 0-0\n")
    with pytest.raises(FormatError) as error:
        read_alignment(path, [2, 5], [3, 4])
    assert "a.lader:2: 2 source tokens, but the source sentence has 5" in str(error.value)
    with pytest.raises(FormatError, match="would fit with direction target-source"):
        read_alignment(path, [3, 4], [2, 2])
