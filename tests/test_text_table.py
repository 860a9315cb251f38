"""Tables on a terminal: columns stand below each other as they are seen."""

from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.formats.text_table import format_table
from preorder_eval.visible import display_width

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
        [display_width(line[: line.index(cell, at)]) for cell, at in _places(line, row)]
        for line, row in zip(lines, rows, strict=True)
    ]
    assert starts == [starts[0]] * len(rows)


def _places(line, row):
    """Every cell with the place in the line from which on it is the next one."""
    at = 0
    for cell in row:
        yield cell, at
        at = line.index(cell, at) + len(cell)
