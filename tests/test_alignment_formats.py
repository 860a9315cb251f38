"""What every alignment format must do; a new one is picked up by its name."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, get_args

import pytest
from alignment_files import MARKS
from alignment_files import written as file_text
from hypothesis import given
from hypothesis import strategies as st
from published import TALBOT_TABLE_2

from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.base.files.writing import write_text
from preorder_eval.base.ragged import sentence_lengths
from preorder_eval.orders.alignment_files import FORMATS, Direction, detect_format, read_alignment
from preorder_eval.orders.alignments import Alignments


class Bitext(NamedTuple):
    """Links with the sentences of both sides, if they are known."""

    alignments: Alignments
    source: Sequence[Sequence[str]] = ()
    target: Sequence[Sequence[str]] = ()

    @property
    def lengths(self):
        return sentence_lengths(self.source), sentence_lengths(self.target)


every_format = pytest.mark.parametrize("form", FORMATS)
DIRECTIONS: tuple[str, ...] = get_args(Direction)

# Everything but the plain space, the tab, line ends and NUL may be part of a token.
TOKENS = st.sampled_from(
    ["a", "\u3000", "b\u00a0c", "\u2028", "\x85", "\x0b", "\x1c", "|||", "({", "})", "NULL", "0-0"]
) | st.text(st.characters(codec="utf-8", exclude_characters=" \t\n\r\0"), min_size=1, max_size=3)


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
    return Bitext(Alignments.of(sure, possible), *sides)


def content(alignments, *, marks=True):
    """Links as sets of source, target and, with `marks`, whether possible."""
    return [
        {
            (*link, marks and mark)
            for link, mark in zip(alignments[s], alignments.marks(s), strict=True)
        }
        for s in range(len(alignments))
    ]


def format_alignment(bitext, form, **numbering):
    return file_text(form, *bitext, **numbering)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("formats") / "links"


@pytest.mark.slow
@every_format
@given(bitext=bitexts(), direction=st.sampled_from(DIRECTIONS), data=st.data())
def test_reading_what_was_written_gives_the_same_links(path, form, bitext, direction, data):
    base = data.draw(st.sampled_from([None, *FORMATS[form].bases]))
    write_text(path, format_alignment(bitext, form, base=base, direction=direction))
    again = read_alignment(path, *bitext.lengths, form, base=base, direction=direction)
    assert content(again) == content(bitext.alignments, marks=form in MARKS)


@pytest.mark.slow
@every_format
@given(bitext=bitexts())
def test_the_format_is_found_by_the_content(path, form, bitext):
    write_text(path, format_alignment(bitext, form))
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if line.strip(" ")]
    if lines:
        assert detect_format(lines, path) == form
        assert [f for f in FORMATS if FORMATS[f].looks_like(lines[0])] == [form]
        again = read_alignment(path, *bitext.lengths)
        assert content(again, marks=False) == content(bitext.alignments, marks=False)


@every_format
def test_directions_marks_and_bounds(tmp_path, form):
    alignments = Alignments.of([[(0, 0)], [(0, 2)]], [[(0, 1)], [(0, 1)]])
    bitext = Bitext(alignments, [["a"]] * 2, [["x", "y", "z"]] * 2)
    write_text(tmp_path / "x", format_alignment(bitext, form))
    sure = read_alignment(tmp_path / "x", [1, 1], [3, 3], form, links="sure")
    assert sure[0] == ([(0, 0)] if form in MARKS else [(0, 0), (0, 1)])
    with pytest.raises(FormatError, match="has 1 sentence"):
        read_alignment(tmp_path / "x", [1], None, form)
    write_text(tmp_path / "x", format_alignment(bitext, form, direction="target-source"))
    assert read_alignment(tmp_path / "x", [3, 3], [1, 1], form)[1] == [(1, 0), (2, 0)]
    with pytest.raises(FormatError, match="2") as error:
        read_alignment(tmp_path / "x", [3, 2], None, form)
    assert error.value.line is not None or "sentence 2: " in str(error.value)


@pytest.mark.parametrize(
    ("written", "asked", "hint"),
    [
        ({"base": 1}, {}, "all links would fit with base 1"),
        ({}, {"base": 1}, "all links would fit with base 0"),
        ({"direction": "target-source"}, {}, "all links would fit with direction target-source"),
        ({}, {"direction": "target-source"}, "all links would fit with direction source-target"),
        ({"base": 1, "direction": "target-source"}, {},
         "all links would fit with base 1 and direction target-source"),
    ],
)  # fmt: skip
def test_a_wrong_choice_of_numbering_is_named(tmp_path, written, asked, hint):
    alignments = Alignments.of([[(0, 0), (1, 3)], [(2, 0), (0, 1)]])
    write_text(tmp_path / "x", file_text("pharaoh", alignments, **written))
    with pytest.raises(FormatError) as error:
        read_alignment(tmp_path / "x", [2, 3], [4, 2], "pharaoh", **asked)
    assert str(error.value).endswith(hint)
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
    with pytest.raises(FormatError, match=r"x:2: .* is not in a known alignment format") as error:
        read_alignment(tmp_path / "x", [4, 4])
    assert "name the format: pharaoh, lader" in str(error.value)


def test_a_base_and_sides_that_do_not_fit_are_errors(tmp_path):
    (tmp_path / "x").write_text("0,1\n")
    with pytest.raises(PreorderEvalError, match="positions in format talbot always count from 0"):
        read_alignment(tmp_path / "x", [2], base=1)
    with pytest.raises(PreorderEvalError, match="1 source sentences, but 2 target sentences"):
        read_alignment(tmp_path / "x", [2], [1, 1])


# A sentence pair as GIZA++ prints it, with a space at the end of the token lines: each token of the
# line between belongs to one token of the last line at most, or to NULL.
PAIR = (
    "# Sentence pair (1) source length 7 target length 6 alignment score : 3.0147e-08\n"
    "But don 't you see ? \n"
    "NULL ({ }) ¿ ({ }) Pero ({ 1 }) no ({ 2 3 }) ves ({ 4 5 }) ? ({ 6 }) El ({ }) Sr. ({ }) \n"
)
PAIR_LINKS = [(1, 0), (2, 1), (2, 2), (3, 3), (3, 4), (4, 5)]
# From the example data of lader (github.com/neubig/lader, example/data/test.en-ja.align) and of
# topdown-btg (github.com/google/topdown-btg-preordering, example/test.align).
LADER = "4-7 ||| 0-0 1-4 1-5 2-2 3-6 \n7-8 ||| 1-0 2-5 2-6 3-4 4-3 5-2 6-7 \n"
TOPDOWN_BTG = "6-8 ||| 0-0 1-5 1-6 3-2 4-3 5-7\n7-7 ||| 0-0 1-5 2-4 3-3 4-3 5-2 6-6\n"
# The example of the shared task's guidelines (web.eecs.umich.edu/~mihalcea/wpt05), as sentence 2.
NAACL = "2 1 1\n2 2 2\n2 3 3\n2 4 4\n"


def written(tmp_path, text):
    (tmp_path / "x").write_text(text, encoding="utf-8")
    return tmp_path / "x"


@pytest.mark.parametrize(
    ("form", "text", "lengths", "links", "possible"),
    [
        ("pharaoh", "1-2 3p4 3?5\n\n0-0\n", [4, 1, 1], [[(1, 2), (3, 4), (3, 5)], [], [(0, 0)]], 2),
        ("pharaoh", "0p0 0-0 0-0\n", [1], [[(0, 0)]], 0),  # given twice, it counts once
        ("pharaoh", "  0-0   1-1 \n1-0", [2, 2], [[(0, 0), (1, 1)], [(1, 0)]], 0),
        ("pharaoh", "0-7\n", [1], [[(0, 7)]], 0),  # the target side is only checked if known
        ("naacl", NAACL, [3, 4, 1], [[], [(0, 0), (1, 1), (2, 2), (3, 3)], []], 0),
        ("naacl", "0001 1 1 S\n0001 1 2 P\n1\t2\t1\tP\t0.5\n1 2 2 .25\n1 3 3 S 1\n1 3 4 S 1e-05 \n",
         [3], [[(0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (2, 3)]], 2),
        ("naacl", "", [1, 1], [[], []], 0),
        ("talbot", "0\n\n", [1, 1], [[(0, 0)], []], 0),  # a blank line is one target token
        ("lader", LADER[:29], None, [[(0, 0), (1, 4), (1, 5), (2, 2), (3, 6)]], 0),
        ("lader", TOPDOWN_BTG[:31], None, [[(0, 0), (1, 5), (1, 6), (3, 2), (4, 3), (5, 7)]], 0),
        ("lader", "3-2 |||\n1-1 ||| \n", None, [[], []], 0),
        ("giza", PAIR, [7], [PAIR_LINKS], 0),
        (  # unlinked tokens of the second side hang on NULL
            "giza",
            PAIR.replace("NULL ({ })", "NULL ({ 6 })").replace("? ({ 6 })", "? ({ })")
            + PAIR.replace("(1)", "(2)"),
            None,
            [PAIR_LINKS[:-1], PAIR_LINKS],
            0,
        ),
    ],
)  # fmt: skip
def test_what_formats_allow(tmp_path, form, text, lengths, links, possible):
    alignments = read_alignment(written(tmp_path, text), lengths, form=form)
    assert [alignments[s] for s in range(len(alignments))] == links
    assert alignments.possible.sum() == possible


def test_the_lines_of_talbots_table_2(tmp_path):
    text = "".join(fields + "\n" for _, fields, _ in TALBOT_TABLE_2)
    source = [source.split(" ") for source, _, _ in TALBOT_TABLE_2]
    links = read_alignment(written(tmp_path, text), sentence_lengths(source), [18, 19, 19, 19])
    target = [[""] * length for length in (18, 19, 19, 19)]
    assert file_text("talbot", links, source, target) == text


@pytest.mark.slow
@given(bitext=bitexts())
def test_giza_is_read_as_a_plain_reader_does(path, bitext):
    """Which reads a token, then numbers between brackets, whatever token it is."""
    text = format_alignment(bitext, "giza")
    write_text(path, text)
    plain = []
    for line in text.split("\n")[2::3]:
        words, tokens = line.split(" "), []
        while words:
            (_, bracket), words = words[:2], words[2:]
            end = words.index("})")
            tokens.append((bracket, [int(word) - 1 for word in words[:end]]))
            words = words[end + 1 :]
        assert {bracket for bracket, _ in tokens} == {"({"}
        plain.append({(n - 1, p, False) for n, (_, ps) in enumerate(tokens) for p in ps if n})
    assert content(read_alignment(path, *bitext.lengths)) == plain


def test_links_in_a_format_of_one_program_are_that_programs(tmp_path):
    """Also if nobody has written its name beside them; and another name stays."""
    path = written(tmp_path, PAIR)
    assert read_alignment(path).aligner == "giza++"
    (tmp_path / "x.aligner").write_text("mgiza(seed=1)\n")
    assert read_alignment(path).aligner == "mgiza(seed=1)"


def test_both_directions_of_giza(tmp_path):
    """The last line is the first side, whichever text it is of."""
    path = written(tmp_path, PAIR)
    turned = sorted((target, source) for source, target in PAIR_LINKS)
    assert read_alignment(path, [6], [7], direction="target-source")[0] == turned
    with pytest.raises(FormatError, match="all links would fit with direction target-source"):
        read_alignment(path, [6], [7])


def lader(line, message):
    return "lader", f"2-2 ||| 0-0\n{line}\n", None, None, f"2: {message}"


def naacl(line, message):
    return "naacl", f"2 1 3 S\n{line}\n", [3] * 3, [3] * 3, f"2: {message}"


def giza(old, new, message):
    assert old in PAIR
    return "giza", PAIR.replace(old, new), None, None, message


TWO_PAIRS = (PAIR + PAIR.replace("(1)", "(2)")).split("\n")
NOT_LINKS = ["-1-0", "0--1", "0-x", "0", "0-", "-", "0-0-0", "0:0", "0.5-1", "1e0-0", "0P0"]
NOT_LINKS += ["0-0\t1-1", "0-0\u30001-1", "٣-0", "9999999999-0"]
NOT_FIELDS = ["x", "1-2", "_1", "1_", "1__2", "-1", "1 2", "9999999999"]
MALFORMED = [
    ("pharaoh", "0-0\r1-1\n", [2], None, "1: a carriage return inside a line"),
    ("pharaoh", "0-7\n", [1], [7], "1: link 0-7: target position 7, but the target sentence has 7"),
    *(
        ("pharaoh", f"0-0\n0-0 {x}\n", [1, 1], None, f"2: link {x!r} is not two positions")
        for x in NOT_LINKS
    ),
    lader("0-0 1-1", "'0-0 1-1' does not start with two lengths; a line has the form 5-7 |||"),
    lader("2-2 |||0-0", "'2-2 |||0-0' does not start with two lengths"),
    lader("2-2 ||| 0-x", "link '0-x' is not two positions"),
    lader("2-2 ||| 0-0 ||| 1", "link '|||' is not two positions"),
    lader("2-2 ||| 0-2", "link 0-2: target position 2, but the target sentence has 2 tokens"),
    lader("2-2 ||| 2-0", "link 2-0: source position 2, but the source sentence has 2 tokens"),
    ("lader", "2-3 ||| 0-0\n2-4 |||\n", [2, 5], [3, 4], "2: 2 source tokens, but the source"),
    ("lader", "2-3 ||| 0-0\n2-4 |||\n", [3, 4], [2, 2], "1: 2 source tokens, but the source"),
    naacl("2 1", "'2 1' is not a link; a line has the form 18 1 2 S"),
    naacl("", "'' is not a link"),
    naacl("2 -1 1 S", "'2 -1 1 S' is not a link"),
    naacl("2 1 1 S 0.5 0.5", "'2 1 1 S 0.5 0.5' is not a link"),
    naacl("1 1 1 S", "sentence 1 after sentence 2; sentences count from 1 and must be in order"),
    naacl("4 1 1 S", "sentence 4, but the source has 3 sentences"),
    naacl("999999999 1 1 S", "sentence 999999999, but the source has 3 sentences"),
    naacl("3 1 0 S", "sentence 3: link 1-0: target position 0; positions count from 1"),
    naacl("3 1 4 S", "sentence 3: link 1-4: target position 4, but the target sentence has 3"),
    naacl("3 9 1 S", "sentence 3: link 9-1: source position 9, but the source sentence has 3"),
    ("naacl", "0 1 1\n", [1], None, "1: sentence 0; sentences count from 1"),
    *(
        ("talbot", f"0,1\n0,{x}\n", [3, 3], None, f"2: field 2 {x!r} is not positions")
        for x in NOT_FIELDS
    ),
    ("talbot", "0,1\n0,1,2\n", [3, 3], [2, 2], "2: 3 target tokens, but the target sentence has 2"),
    ("talbot", "0,1_2,\n", [3], [4], "1: 3 target tokens, but the target sentence has 4"),
    ("talbot", "0,2\n", [2], None, "1: link 2-1: source position 2, but"),
    giza("# Sentence", "Sentence", "1: 'Sentence pair (1) source length 7 target' is not"),
    giza("length 7", "length seven", "1: '# Sentence pair (1) source length seven"),
    giza("(1)", "(2)", "1: sentence pair 2 where 1 was expected; merge the parts written by MGIZA"),
    giza("length 7", "length 6", "3: 7 tokens, but the header says 6"),
    giza("length 6", "length 7", "2: 6 tokens, but the header says 7"),
    giza("But don 't you see ? ", "", "2: a blank line"),
    giza("NULL ({ }) ", "", "3: does not start with NULL and its links"),
    giza(PAIR.split("\n")[2], "", "3: does not start with NULL and its links"),
    *(
        giza("no ({ 2 3 })", token, "3: 'no' is not followed by its links; a token and its links")
        for token in ("no", "no ({ 2 x })", "no ({ 2 -3 })", "no ({ 2 3 }", "no ({2 3})")
    ),
    giza("no ({ 2 3 })", "no ({ 2 0 })", "3: 'no' is linked to 0, but the other side has 6 tokens"),
    giza("no ({ 2 3 })", "no ({ 2 7 })", "3: 'no' is linked to 7, but the other side has 6 tokens"),
    giza("NULL ({ })", "NULL ({ 7 })", "3: 'NULL' is linked to 7, but the other side has 6"),
    giza("Sr. ({ }) ", "Sr.", "3: 'Sr.' is not followed by its links"),
    *(
        ("giza", "\n".join(TWO_PAIRS[:kept]), None, None, f"{kept}: ends inside a sentence pair")
        for kept in (4, 5)
    ),
    (
        "giza",
        PAIR,
        [6],
        [7],
        "3: sentence 1: 7 source tokens, but the source sentence has 6; all links",
    ),
    ("giza", PAIR, [7, 1], None, "6: 1 sentence, but the source has 2"),
    ("ids", "{}", [1], None, " no list of sentences; a list"),
    ("ids", "[]", [1], None, " no list of sentences; a list"),
    ("ids", '[{"1": ["1"]},\n{"2" ["1"]}]', [1], None, "2: not JSON: Expecting ':'"),
    ("ids", '[{"1": ["1"]}, {"2": "1"}]', [1], None, " sentence 2 is not an object of lists"),
    ("ids", '[{"1": ["2-3"]}]', [1], None, " sentence 1: '1' and '2-3' are not word ids"),
    ("ids", '[{}, {"1": ["1"], "4": ["1"]}]', [1, 3], None, " sentence 2: link 4-1: source pos"),
    ("ids", "[" * 100_000, [1], None, " not JSON with links"),
    ("ids", f"[{'9' * 5000}]", [1], None, " not JSON with links"),
    ("ids", '[{"1": ["1"]}]', [1, 1], None, " 1 sentence, but the source has 2 sentences"),
]


@pytest.mark.parametrize(("form", "text", "source", "target", "message"), MALFORMED)
def test_malformed_files(tmp_path, form, text, source, target, message):
    with pytest.raises(FormatError) as error:
        read_alignment(written(tmp_path, text), source, target, form)
    assert str(error.value).startswith(f"{tmp_path}/x:{message}")


def test_naacl_does_not_tell_the_number_of_sentences(tmp_path):
    with pytest.raises(
        FormatError, match="does not contain the number of sentences; name the text"
    ):
        read_alignment(written(tmp_path, NAACL))


@pytest.mark.parametrize(
    ("line", "form"),
    [
        *[(line, "pharaoh") for line in ("0-0 1-1", "3p4", "3?4")],
        *[(line, "naacl") for line in ("1 1 1", "1 1 1 S", "0018\t3\t4\tP", "1 1 1 S 0.9")],
        *[("5-7 ||| 0-0", "lader"), ("5-7 |||", "lader"), ("0,1", "talbot")],
        ("# Sentence pair (1) source length 1 target length 1 alignment score : 1", "giza"),
        *[("[", "ids"), ('[{"1": ["2"]}]', "ids")],
    ],
)
def test_lines_are_known_by_their_form(line, form):
    assert detect_format([line], "x") == form


@pytest.mark.parametrize(
    "command",
    [
        "evaluate --source s --alignment a --rules none",
        "reference build --source s --target s --alignment a --source-language en "
        "--target-language ja --out set",
        "evaluate --source s --alignment good --system-alignment a",
    ],
)
def test_white_space_inside_a_token_is_named_where_links_do_not_fit(
    run, tmp_path, monkeypatch, command
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s").write_text("a b\n10\u00a0000 men\n")
    (tmp_path / "a").write_text("0-0 1-1\n0-0 2-1\n")
    (tmp_path / "good").write_text("0-0 1-1\n0-0 1-1\n")
    code, _, err = run(*command.split())
    assert code == 2
    assert "a:2: link 2-1" in err
    assert r"token '10\xa0000' contains U+00A0" in err
    (tmp_path / "s").write_text("a b\n10,000 men\n")
    assert "inside" not in run(*command.split())[2]


@pytest.mark.parametrize(
    ("links", "line"),
    [("0-0 1-1 2-2 3-2\n0-0\n", "1: link"), ("1 1 1\n1 4 3\n2 1 1\n", "2: sentence 1: link")],
    ids=["pharaoh", "naacl"],
)
def test_white_space_in_a_token_is_named_at_every_door(run, tmp_path, monkeypatch, links, line):
    monkeypatch.chdir(tmp_path)
    Path("s.en").write_text("He ate the\N{NO-BREAK SPACE}fish\nDogs bark\n", encoding="utf-8")
    Path("t.de").write_text("a b c\nd e\n")
    Path("s.align").write_text(links)
    text = ("--source", "s.en", "--target", "t.de")
    doors = [
        ("evaluate", *text[:2], "--alignment", "s.align", "--rules", "none"),
        ("reference", "build", *text, "--alignment", "s.align", "--out", "new"),
        ("align", "s.align", "--from", "auto", *text),
    ]
    if line.startswith("1"):
        folder = Path("folder")
        folder.mkdir()
        for file, name in (
            ("s.en", "source.en"),
            ("t.de", "target.de"),
            ("s.align", "en-de.align"),
        ):
            (folder / name).write_bytes(Path(file).read_bytes())
        for layer in ("2", "second"):  # another translation, and another annotation
            for name in ("target.de", "en-de.align"):
                first, last = name.split(".")
                (folder / f"{first}.{layer}.{last}").write_bytes((folder / name).read_bytes())
        doors.append(("evaluate", "--reference", "./folder@second", "--rules", "none"))
        (folder / "en-de.align").write_text("0-0 1-1\n0-0\n")
        doors.append(("evaluate", "--reference", "./folder", "--rules", "none"))
    for door in doors:
        code, _, err = run(*door)
        assert code == 2
        assert f"align:{line}" in err
        assert "contains U+00A0" in err
