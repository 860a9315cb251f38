"""Tables on a terminal: columns stand below each other as they are seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from preorder_eval.formats.text_table import SCREEN, Better, Screen, Worse, format_table

CELLS = st.text("aé日ｶ語か\u3099e\u0301 7", min_size=1, max_size=6).map(lambda cell: f"x{cell}x")


def test_japanese_takes_two_columns():
    rows = [["猫", "1", "ねこ"], ["elevator", "60", "エレベーター"], ["ｶﾅ", "7", "仮名"]]
    assert format_table(["word", "n", "is"], rows).split("\n") == [
        "word       n  is",
        "猫         1  ねこ",
        "elevator  60  エレベーター",
        "ｶﾅ         7  仮名",
    ]


def test_combining_characters_take_no_column():
    rows = [["cafe\u0301", "か\u3099く"], ["tea", "ちゃ"]]
    assert format_table(["a", "b"], rows).split("\n") == [
        "a     b",
        "cafe\u0301  か\u3099く",
        "tea   ちゃ",
    ]


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=1)
    )
)
def test_every_column_starts_at_the_same_place_in_every_line(rows):
    lines = format_table(rows[0], rows[1:]).split("\n")
    starts = [
        [cell_len(line[: line.index(cell, at)]) for cell, at in _places(line, row)]
        for line, row in zip(lines, rows, strict=True)
    ]
    assert starts == [starts[0]] * len(rows)


def _places(line, row):
    """Every cell with the place in the line from which on it is the next one."""
    at = 0
    for cell in row:
        yield cell, at
        at = line.index(cell, at) + len(cell)


@pytest.fixture
def screen():
    """Sets the screen for one test."""
    before = []

    def shown(*arguments):
        before.append(SCREEN.set(Screen(*arguments)))

    yield shown
    for token in reversed(before):
        SCREEN.reset(token)


HEADER = ["parser", "rules", "fuzzy", "kendall", "sentences"]
ROWS = [
    ["en-web", "日本語", "0.5 [0.4, 0.6]", "0.7", "300"],
    ["gold", "none", "0.25", "0.5", "300"],
]


def test_a_table_that_is_too_wide_is_broken_into_blocks(screen):
    screen(40)
    assert format_table(HEADER, ROWS).split("\n") == [
        "parser  rules            fuzzy  kendall",
        "en-web  日本語  0.5 [0.4, 0.6]      0.7",
        "gold    none              0.25      0.5",
        "",
        "parser  rules   sentences",
        "en-web  日本語        300",
        "gold    none          300",
    ]


def test_where_the_names_take_too_much_fewer_columns_are_repeated(screen):
    screen(25)
    blocks = format_table(HEADER, ROWS).split("\n\n")
    assert [block.split("\n")[0].split() for block in blocks] == [
        *[["parser", "rules"], ["parser", "fuzzy"], ["parser", "kendall"], ["parser", "sentences"]],
    ]


def test_names_that_take_the_place_of_a_column_are_not_repeated(screen):
    screen(12)
    blocks = format_table(["h0", "h1", "h2"], [["aa", "bb", "12345"]]).split("\n\n")
    assert [block.split("\n")[0].split() for block in blocks] == [["h0", "h1"], ["h0", "h2"]]


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=1)
    ),
    st.integers(8, 60),
)
def test_blocks_fit_where_they_can_and_lose_nothing(rows, width):
    token = SCREEN.set(Screen(width))
    try:
        header = [f"h{number}" for number in range(len(rows[0]))]
        blocks = format_table(header, rows).split("\n\n")
    finally:
        SCREEN.reset(token)
    for block in blocks:
        lines = block.split("\n")
        assert len(lines) == 1 + len(rows)
        assert len(lines[0].split()) <= 2 or max(map(cell_len, lines)) <= width
    for number, row in enumerate(rows):
        together = "\n".join(block.split("\n")[1 + number] for block in blocks)
        assert all(cell in together for cell in row)


def test_marks_and_cells_that_say_so_are_in_colour(screen):
    rows = [["a", "+**", "1"], ["b", "-*", "2"], ["c", "0", "3"]]
    plain = format_table(["x", "", "n"], rows)
    assert "\x1b" not in plain
    screen(None, True)
    coloured = format_table(["x", "", "n"], rows)
    assert coloured.split("\n")[1:] == [
        "a  \x1b[32m+**\x1b[0m  1",
        "b  \x1b[31m-*\x1b[0m   2",
        "c  0    3",
    ]
    told = format_table(["x"], [[Better("+0.1")], [Worse("-0.1")], ["+0.0"]])
    assert told.split("\n")[1:] == ["\x1b[32m+0.1\x1b[0m", "\x1b[31m-0.1\x1b[0m", "+0.0"]
    # A word that looks like a mark is none: not all of its column are.
    assert "\x1b" not in format_table(["word"], [["-*"], ["cat"]])
