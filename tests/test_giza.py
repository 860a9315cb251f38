"""GIZA++ alignments."""

from __future__ import annotations

import pytest

from preorder_eval.data.alignments import Alignments
from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.alignment import (
    Bitext,
    Side,
    format_alignment,
    read_alignment,
    read_bitext,
)

# A sentence pair as GIZA++ prints it, with a space at the end of the token lines.
PAIR = (
    "# Sentence pair (1) source length 7 target length 6 alignment score : 3.0147e-08\n"
    "But don 't you see ? \n"
    "NULL ({ }) ¿ ({ }) Pero ({ 1 }) no ({ 2 3 }) ves ({ 4 5 }) ? ({ 6 }) El ({ }) Sr. ({ }) \n"
)


def write(tmp_path, text):
    path = tmp_path / "a.A3.final"
    path.write_text(text, encoding="utf-8")
    return path


def test_tokens_and_links_are_read(tmp_path):
    bitext = read_bitext(write(tmp_path, PAIR))
    assert bitext.source.words == [["¿", "Pero", "no", "ves", "?", "El", "Sr."]]
    assert bitext.target.words == [["But", "don", "'t", "you", "see", "?"]]
    assert bitext.alignments[0] == [(1, 0), (2, 1), (2, 2), (3, 3), (3, 4), (4, 5)]


def test_the_direction_is_free(tmp_path):
    bitext = read_bitext(write(tmp_path, PAIR), direction="target-source")
    assert bitext.source.words == [["But", "don", "'t", "you", "see", "?"]]
    assert bitext.alignments[0] == [(0, 1), (1, 2), (2, 2), (3, 3), (4, 3), (5, 4)]
    assert read_bitext(
        write(tmp_path, format_alignment(bitext, "giza", direction="target-source"))
    ).source.words == [["¿", "Pero", "no", "ves", "?", "El", "Sr."]]


def test_it_is_written_as_giza_does_but_for_the_score(tmp_path):
    text = format_alignment(read_bitext(write(tmp_path, PAIR)), "giza")
    assert text == PAIR.replace(" \n", "\n").replace("3.0147e-08", "1")


def test_unlinked_tokens_of_the_second_side_hang_on_null(tmp_path):
    text = PAIR.replace("NULL ({ })", "NULL ({ 6 })").replace("? ({ 6 })", "? ({ })")
    bitext = read_bitext(write(tmp_path, text))
    assert bitext.alignments[0] == [(1, 0), (2, 1), (2, 2), (3, 3), (3, 4)]
    assert "NULL ({ 6 }) ¿" in format_alignment(bitext, "giza")


def test_tokens_may_be_brackets_and_other_spaces(tmp_path):
    source, target = ["({", "})", "NULL", "1"], ["({", "a\u00a0b", "\u3000", "})"]
    alignments = read_bitext(
        write(tmp_path, "4-4 ||| 0-3 1-0 1-1 2-2\n"), Side.of([source]), Side.of([target])
    ).alignments
    text = format_alignment(Bitext(alignments, Side.of([source]), Side.of([target])), "giza")
    again = read_bitext(write(tmp_path, text))
    assert (again.source.words, again.target.words) == ([source], [target])
    assert again.alignments[0] == alignments[0]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# Sentence", "Sentence", "1: 'Sentence pair (1) source length 7 target' is not"),
        ("length 7", "length seven", "1: '# Sentence pair (1) source length seven"),
        ("(1)", "(2)", "1: sentence pair 2 where 1 was expected; merge the parts that MGIZA"),
        ("length 7", "length 6", "3: 7 tokens, but the header says 6"),
        ("length 6", "length 7", "2: 6 tokens, but the header says 7"),
        ("don 't", "don't", "2: 5 tokens, but the header says 6"),
        ("But don 't you see ? ", "", "2: a blank line"),
        ("NULL ({ }) ", "", "3: does not start with NULL and its links"),
        ("no ({ 2 3 })", "no", "3: 'no' is not followed by its links; a token and its links are"),
        ("no ({ 2 3 })", "no ({ 2 x })", "3: 'no' is not followed by its links"),
        ("no ({ 2 3 })", "no ({ 2 -3 })", "3: 'no' is not followed by its links"),
        ("no ({ 2 3 })", "no ({ 2 0 })", "3: 'no' is linked to 0, but the other side has 6"),
        ("no ({ 2 3 })", "no ({ 2 7 })", "3: 'no' is linked to 7, but the other side has 6"),
        ("NULL ({ })", "NULL ({ 7 })", "3: 'NULL' is linked to 7, but the other side has 6"),
        ("Sr. ({ }) ", "Sr. ({ ", "3: 'Sr.' is not followed by its links"),
        ("Sr. ({ }) ", "Sr.", "3: 'Sr.' is not followed by its links"),
    ],
)
def test_malformed_pairs_are_errors(tmp_path, old, new, message):
    assert PAIR.count(old) == 1 or old in ("length 7", "length 6")
    with pytest.raises(FormatError) as error:
        read_bitext(write(tmp_path, PAIR.replace(old, new)), form="giza")
    assert f"a.A3.final:{message}" in str(error.value)


@pytest.mark.parametrize("kept", [4, 5])
def test_a_file_that_is_cut_short_is_an_error(tmp_path, kept):
    lines = (PAIR + PAIR.replace("(1)", "(2)")).split("\n")[:kept]
    with pytest.raises(FormatError, match=f"a.A3.final:{kept}: ends within a sentence pair"):
        read_bitext(write(tmp_path, "\n".join(lines) + "\n"))


def test_the_wrong_direction_is_noticed(tmp_path):
    with pytest.raises(FormatError) as error:
        read_alignment(write(tmp_path, PAIR), [6], [7])
    assert str(error.value) == (
        f"{tmp_path}/a.A3.final:3: 7 source tokens, but the source sentence has 6; "
        "everything would fit with direction target-source"
    )


def test_tokens_that_would_not_come_back_are_not_written():
    bitext = Bitext(Alignments.of([[]]), Side.of([["a b"]]), Side.of([["x"]]))
    with pytest.raises(PreorderEvalError, match="token 'a b' cannot be written"):
        format_alignment(bitext, "giza")
