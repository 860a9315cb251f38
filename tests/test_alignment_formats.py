"""What every alignment format must do; a new one is picked up by its name."""

from __future__ import annotations

import contextlib
import itertools
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from preorder_eval.data.alignments import Alignments
from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.formats.alignment import (
    Bitext,
    Direction,
    Side,
    alignment_format,
    detect_format,
    format_alignment,
    format_names,
    read_alignment,
    read_bitext,
)
from preorder_eval.formats.writing import write_text

every_format = pytest.mark.parametrize("form", format_names())
DIRECTIONS: tuple[str, ...] = get_args(Direction)

# Everything but the plain space, the tab and line ends may be part of a token.
TOKENS = st.sampled_from(
    ["a", "\u3000", "b\u00a0c", "\u2028", "\x85", "\x0b", "\x1c", "|||", "({", "})", "NULL", "0-0"]
) | st.text(st.characters(codec="utf-8", exclude_characters=" \t\n\r"), min_size=1, max_size=3)


@st.composite
def bitexts(draw):
    """Tokens of both sides and links, some possible; sentences may have no links."""
    sentences = draw(st.integers(1, 4))
    sides = [
        [draw(st.lists(TOKENS, min_size=1, max_size=4)) for _ in range(sentences)] for _ in range(2)
    ]
    pools = [
        list(itertools.product(range(len(source)), range(len(target))))
        for source, target in zip(*sides, strict=True)
    ]
    sure, possible = (
        [draw(st.lists(st.sampled_from(pool), max_size=5)) for pool in pools] for _ in range(2)
    )
    return Bitext(Alignments.of(sure, possible), Side.of(sides[0]), Side.of(sides[1]))


def content(alignments, *, marks=True):
    """Links as sets of source, target and, with `marks`, whether possible."""
    return [
        {
            (*link, marks and mark)
            for link, mark in zip(alignments[s], alignments.marks(s), strict=True)
        }
        for s in range(len(alignments))
    ]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("formats") / "links"


@pytest.mark.slow
@every_format
@settings(max_examples=30)
@given(bitext=bitexts(), direction=st.sampled_from(DIRECTIONS), data=st.data())
def test_reading_what_was_written_gives_the_same_links(path, form, bitext, direction, data):
    base = data.draw(st.sampled_from([None, *alignment_format(form).bases]))
    write_text(path, format_alignment(bitext, form, base=base, direction=direction))
    lengths = bitext.source.lengths, bitext.target.lengths
    again = read_alignment(path, *lengths, form, base=base, direction=direction)
    marks = alignment_format(form).keeps_marks
    assert content(again) == content(bitext.alignments, marks=marks)


@pytest.mark.slow
@every_format
@settings(max_examples=30)
@given(bitext=bitexts())
def test_the_format_is_found_by_the_content(path, form, bitext):
    write_text(path, format_alignment(bitext, form))
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if line.strip(" ")]
    if lines:
        assert detect_format(lines, path) == form
        assert [f for f in format_names() if alignment_format(f).looks_like(lines[0])] == [form]
        again = read_alignment(path, bitext.source.lengths, bitext.target.lengths)
        assert content(again, marks=False) == content(bitext.alignments, marks=False)


@pytest.mark.slow
@every_format
@settings(max_examples=30)
@given(bitext=bitexts())
def test_what_the_file_tells_of_the_sentences_is_right(path, form, bitext):
    write_text(path, format_alignment(bitext, form))
    found = alignment_format(form).parse(path.read_text(encoding="utf-8").split("\n")[:-1], "x")
    assert found.size in (None, len(bitext.alignments))
    for side, truth in zip(found.sides, (bitext.source, bitext.target), strict=True):
        if side is not None:
            assert list(side.lengths) == list(truth.lengths)
            assert side.words in (None, truth.words)


@pytest.mark.slow
@every_format
@settings(max_examples=30)
@given(bitext=bitexts(), data=st.data())
def test_damage_is_an_error_or_other_links_but_never_a_crash(path, form, bitext, data):
    text = format_alignment(bitext, form)
    for _ in range(data.draw(st.integers(1, 3))):
        start, stop = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        text = text[:start] + data.draw(st.text("019 -_,|({})#SPp?.\n", max_size=3)) + text[stop:]
    path.write_text(text, encoding="utf-8")
    with contextlib.suppress(PreorderEvalError):
        again = read_alignment(path, bitext.source.lengths, bitext.target.lengths, form)
        lengths = np.array(bitext.source.lengths), np.array(bitext.target.lengths)
        for positions, length in zip((again.source, again.target), lengths, strict=True):
            assert (positions < np.repeat(length, np.diff(again.offsets))).all()
            assert (positions >= 0).all()


@every_format
def test_links_come_out_the_other_way_round(tmp_path, form):
    bitext = Bitext(Alignments.of([[(0, 1), (0, 2)]]), Side.of([["a"]]), Side.of([["x", "y", "z"]]))
    write_text(tmp_path / "x", format_alignment(bitext, form, direction="target-source"))
    turned = read_alignment(tmp_path / "x", [3], [1], form)
    assert turned[0] == [(1, 0), (2, 0)]


@every_format
def test_sure_links_alone_can_be_read(tmp_path, form):
    alignments = Alignments.of([[(0, 0)]], [[(0, 1)]])
    bitext = Bitext(alignments, Side.of([["a"]]), Side.of([["x", "y"]]))
    write_text(tmp_path / "x", format_alignment(bitext, form))
    sure = read_alignment(tmp_path / "x", [1], [2], form, links="sure")
    assert sure[0] == ([(0, 0)] if alignment_format(form).keeps_marks else [(0, 0), (0, 1)])


@every_format
def test_a_link_outside_the_text_is_an_error(tmp_path, form):
    bitext = Bitext(
        Alignments.of([[], [(1, 0)]]), Side.of([["a"], ["a", "b"]]), Side.of([["x"]] * 2)
    )
    write_text(tmp_path / "x", format_alignment(bitext, form))
    with pytest.raises(FormatError) as error:
        read_alignment(tmp_path / "x", [1, 1], None, form)
    assert error.value.line is not None
    assert "has 1" in str(error.value)


@every_format
def test_a_wrong_number_of_sentences_is_an_error(tmp_path, form):
    bitext = Bitext(Alignments.of([[(0, 0)]] * 3), Side.of([["a"]] * 3), Side.of([["x"]] * 3))
    write_text(tmp_path / "x", format_alignment(bitext, form))
    with pytest.raises(FormatError, match="has 2 sentences"):
        read_alignment(tmp_path / "x", [1, 1], None, form)


@pytest.mark.parametrize(
    ("written", "asked", "mend"),
    [
        ({"base": 1}, {}, "everything would fit with base 1"),
        ({}, {"base": 1}, "everything would fit with base 0"),
        (
            {"direction": "target-source"},
            {},
            "everything would fit with direction target-source",
        ),
        (
            {},
            {"direction": "target-source"},
            "everything would fit with direction source-target",
        ),
        (
            {"base": 1, "direction": "target-source"},
            {},
            "everything would fit with base 1 and direction target-source",
        ),
    ],
)
def test_a_wrong_choice_of_numbering_is_named(tmp_path, written, asked, mend):
    alignments = Alignments.of([[(0, 0), (1, 3)], [(2, 0), (0, 1)]])
    write_text(tmp_path / "x", format_alignment(Bitext(alignments), "pharaoh", **written))
    with pytest.raises(FormatError) as error:
        read_alignment(tmp_path / "x", [2, 3], [4, 2], "pharaoh", **asked)
    assert str(error.value).endswith(mend)
    again = read_alignment(tmp_path / "x", [2, 3], [4, 2], "pharaoh", **written)
    assert content(again) == content(alignments)


def test_without_another_fitting_choice_the_chosen_one_is_explained(tmp_path):
    (tmp_path / "x").write_text("0-0\n9-9\n")
    with pytest.raises(FormatError) as error:
        read_alignment(tmp_path / "x", [1, 2], [2, 3], direction="target-source")
    assert str(error.value) == (
        f"{tmp_path}/x:2: link 9-9: target position 9, but the target sentence has 3 tokens; "
        "positions count from 0, target first"
    )


@pytest.mark.parametrize("text", ["", "\n\n", " \n"])
def test_blank_lines_are_sentences_without_links_if_there_are_as_many(tmp_path, text):
    (tmp_path / "x").write_text(text)
    with pytest.raises(FormatError, match="is empty" if not text else "but the source has 3"):
        read_alignment(tmp_path / "x", [1, 1, 1])
    if text:
        assert content(read_alignment(tmp_path / "x", [1] * text.count("\n"))) == [set()] * (
            text.count("\n")
        )


@pytest.mark.parametrize("line", ["2 0 1 3", "hello", "0:1 1:0", "# comment"])
def test_an_unknown_format_is_an_error_with_the_line_and_the_names(tmp_path, line):
    (tmp_path / "x").write_text(f"\n{line}\n")
    with pytest.raises(FormatError, match=r"x:2: .* is of no known alignment format") as error:
        read_alignment(tmp_path / "x", [4, 4])
    assert "name the format: pharaoh, giza" in str(error.value)


@pytest.mark.parametrize("form", ["pharao", "conllu", "../pharaoh"])
def test_an_unknown_name_is_an_error(tmp_path, form):
    (tmp_path / "x").write_text("0-0\n")
    with pytest.raises(UnknownNameError, match="unknown alignment format"):
        read_alignment(tmp_path / "x", [1], form=form)


def test_a_base_that_the_format_does_not_have_is_an_error(tmp_path):
    (tmp_path / "x").write_text("0,1\n")
    with pytest.raises(PreorderEvalError, match="positions in format talbot count from 0 always"):
        read_alignment(tmp_path / "x", [2], base=1)


def test_sides_of_different_lengths_are_an_error(tmp_path):
    (tmp_path / "x").write_text("0-0\n")
    with pytest.raises(PreorderEvalError, match="1 source sentences, but 2 target sentences"):
        read_alignment(tmp_path / "x", [1], [1, 1])


@pytest.mark.parametrize(
    ("form", "what"),
    [
        ("lader", "lengths of the source"),
        ("talbot", "lengths of the target"),
        ("giza", "words of the source"),
    ],
)
def test_what_a_writer_lacks_is_named(form, what):
    with pytest.raises(PreorderEvalError, match=f"needs the {what} sentences"):
        format_alignment(Bitext(Alignments.of([[(0, 0)]])), form)


def test_lengths_come_from_the_file_where_it_has_them(tmp_path):
    (tmp_path / "x").write_text("2-3 ||| 0-0\n")
    bitext = read_bitext(tmp_path / "x", direction="target-source")
    assert (bitext.source.lengths, bitext.target.lengths) == ([3], [2])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"0-0\r1-1\n", "x:1: a carriage return inside a line"),
        (b"0-0\n\xff\n", "x:2: not UTF-8: byte 0xff"),
    ],
)
def test_damaged_text_is_an_error(tmp_path, content, message):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(FormatError, match=message):
        read_alignment(tmp_path / "x", [2, 2])
