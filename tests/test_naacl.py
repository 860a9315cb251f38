"""The alignments of the shared tasks of NAACL 2003 and ACL 2005."""

from __future__ import annotations

import pytest

from preorder_eval.data.alignments import Alignments
from preorder_eval.errors import FormatError
from preorder_eval.formats.alignment import (
    Bitext,
    detect_format,
    format_alignment,
    read_alignment,
    read_bitext,
)


def write(tmp_path, text):
    path = tmp_path / "a.wpt"
    path.write_text(text, encoding="utf-8")
    return path


# The example of the shared task's guidelines (web.eecs.umich.edu/~mihalcea/wpt05), as sentence 2.
GUIDELINES = "2 1 1\n2 2 2\n2 3 3\n2 4 4\n"


def test_the_example_of_the_guidelines(tmp_path):
    alignments = read_alignment(write(tmp_path, GUIDELINES), [3, 4, 1], [3, 4, 1])
    assert [alignments[s] for s in range(3)] == [[], [(0, 0), (1, 1), (2, 2), (3, 3)], []]
    assert not alignments.possible.any()


def test_marks_and_confidence_are_optional(tmp_path):
    text = "0001 1 1 S\n0001 1 2 P\n1\t2\t1\tP\t0.5\n1 2 2 .25\n1 3 3 S 1\n1 3 4 S 1e-05 \n"
    alignments = read_alignment(write(tmp_path, text), [3], [4])
    assert alignments[0] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (2, 3)]
    assert alignments.marks(0) == [False, True, True, False, False, False]


def test_every_link_is_written_with_its_mark():
    bitext = Bitext(Alignments.of([[], [(0, 1)]], [[], [(1, 0)]]))
    assert format_alignment(bitext, "naacl") == "2 1 2 S\n2 2 1 P\n"


def test_no_links_at_all_are_an_empty_file(tmp_path):
    assert format_alignment(Bitext(Alignments.of([[], []])), "naacl") == ""
    assert len(read_alignment(write(tmp_path, ""), [1, 1], form="naacl")) == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("2 1", "'2 1' is not a link; a line is such as 18 1 2 S"),
        ("", "'' is not a link"),
        ("2 -1 1 S", "'2 -1 1 S' is not a link"),
        ("2 1 x S", "'2 1 x S' is not a link"),
        ("2 1 1 X", "'2 1 1 X' is not a link"),
        ("2 1 1 s", "'2 1 1 s' is not a link"),
        ("2 1 1 S 0.5 0.5", "is not a link"),
        ("2 1 1 S high", "is not a link"),
        ("1 1 1 S", "sentence 1 after sentence 2; sentences count from 1 and stand in order"),
        ("4 1 1 S", "sentence 4, but the source has 3 sentences"),
        ("999999999 1 1 S", "sentence 999999999, but the source has 3 sentences"),
        ("3 1 0 S", "link 1-0: target position 0; positions count from 1, source first"),
        ("3 1 4 S", "link 1-4: target position 4, but the target sentence has 3 tokens"),
        ("3 9 1 S", "link 9-1: source position 9, but the source sentence has 3 tokens"),
    ],
)
def test_malformed_lines_are_errors(tmp_path, line, message):
    with pytest.raises(FormatError) as error:
        read_alignment(write(tmp_path, f"2 1 3 S\n{line}\n"), [3] * 3, [3] * 3, "naacl")
    assert "a.wpt:2: " in str(error.value)
    assert message in str(error.value)


def test_sentences_do_not_count_from_0(tmp_path):
    with pytest.raises(FormatError, match=r"a.wpt:1: sentence 0; sentences count from 1"):
        read_alignment(write(tmp_path, "0 1 1 S\n"), [1])


def test_positions_that_count_from_0_are_noticed(tmp_path):
    path = write(tmp_path, "1 0 1\n1 1 0\n")
    with pytest.raises(FormatError, match="everything would fit with base 0"):
        read_alignment(path, [2], [2])
    assert read_alignment(path, [2], [2], base=0)[0] == [(0, 1), (1, 0)]


def test_files_of_the_other_direction_are_noticed(tmp_path):
    path = write(tmp_path, "1 1 3\n1 2 1 P\n")
    with pytest.raises(FormatError, match="everything would fit with direction target-source"):
        read_alignment(path, [3], [2])
    turned = read_alignment(path, [3], [2], direction="target-source")
    assert turned[0] == [(0, 1), (2, 0)]
    assert turned.marks(0) == [True, False]


def test_the_number_of_sentences_must_come_from_the_text(tmp_path):
    with pytest.raises(FormatError, match="does not tell the number of sentences; name the text"):
        read_bitext(write(tmp_path, GUIDELINES))


@pytest.mark.parametrize("line", ["1 1 1", "1 1 1 S", "0018\t3\t4\tP", "1 1 1 S 0.9"])
def test_its_lines_are_known(line):
    assert detect_format([line], "x") == "naacl"
