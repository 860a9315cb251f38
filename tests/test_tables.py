"""Tables: one declaration of columns, drawn in every form."""

import re
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from preorder_eval.base.tables import Column, Several, Shown, Table, p_value, shown, signed
from preorder_eval.base.tables import drawing as module
from preorder_eval.base.tables.drawing import latex_needs
from preorder_eval.base.tables.shown import draw

COLUMNS = [
    Column("system", label=True),
    Column(("scores", "FRS"), format=".3f", interval=True),
    Column(("scores", "FRS", "change"), "vs. none", "+.3f", mark=("scores", "FRS", "mark")),
    Column(("scores", "FRS", "mark"), only="data", sparse=True),
    Column("files", only="json"),
]
ROWS = [
    ["none", (0.5, 0.45, 0.55), None, None, {"a": 1}],
    ["<b>|_", (np.float64(0.25), np.nan, np.nan), -0.25, "-**", {}],
]
TABLE = Table("systems", COLUMNS, ROWS, "Scores", ["a note"])


@dataclass(frozen=True)
class Scored(Shown):
    table: Table = TABLE
    name: str = "here"
    further: tuple[Table, ...] = ()

    @property
    def verdict(self):
        return f"All is well {self.name}."

    def _facts(self):
        return {"sentences": np.int64(3)}

    def tables(self):
        return [self.table, Table("hidden", [Column("x")], [[1]], only="json"), *self.further]

    def view(self, whole=False):
        return [self.table]


def test_programs_get_all_digits_and_paths():
    assert TABLE.records() == [
        {
            "system": "none",
            "scores": {"FRS": {"value": 0.5, "low": 0.45, "high": 0.55, "change": None}},
            "files": {"a": 1},
        },
        {
            "system": "<b>|_",
            "scores": {
                "FRS": {"value": 0.25, "low": None, "high": None, "change": -0.25, "mark": "-**"}
            },
            "files": {},
        },
    ]
    assert TABLE.tsv().splitlines() == [
        "system\tFRS\tFRS low\tFRS high\tFRS change\tFRS mark",
        "none\t0.5\t0.45\t0.55\t\t",
        "<b>|_\t0.25\t\t\t-0.25\t-**",
    ]
    assert TABLE.to_pandas()["FRS low"][0] == 0.45
    limits = Column(("at", "x"), interval=True, fields=("worth", "low", "high"))
    assert limits.nested() == (("at",), {"worth": None, "low": None, "high": None})
    with pytest.raises(ValueError, match="systems: 1 cells for 5 columns"):
        Table("systems", COLUMNS, [["none"]])


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("text",
         ["Scores\n\nsystem", "none    0.500 [0.450, 0.550]", "<b>|_   0.250 [-]", "\n\na note"]),
        ("markdown", ["**Scores**", "\\<b\\>\\|\\_", "0.500 \\[0.450, 0.550\\]", "-0.250 \\*\\*",
                      "\n\na note"]),
        ("latex",
         [r"\caption{Scores}", r"\label{tab:systems}", "$-$0.250 & **", "{@{}lrr@{~}l@{}}"]),
        ("html", ["<p>Scores</p>", ">&lt;b&gt;|_</td>", "nowrap;\">0.500", "<p>a note</p>"]),
    ],
)  # fmt: skip
def test_forms_for_people(form, wanted):
    drawn = getattr(TABLE.drawn(padded=form == "text"), form)()
    assert all(part in drawn for part in wanted), drawn
    assert "files" not in drawn


def test_what_latex_cannot_have_twice_or_needs():
    lists = replace(TABLE, columns=[replace(c, heading="") for c in COLUMNS], title="")
    drawn = draw([lists, TABLE, TABLE], "latex")
    labels = re.findall(r"\\label{(.*)}", drawn)
    assert labels == ["tab:systems", "tab:systems-2", "tab:systems-3"]
    assert (r"\caption{Systems}" in drawn, drawn.count(r"\midrule")) == (True, 2)
    assert not latex_needs(drawn).endswith("contains them")
    assert latex_needs(f"彼女{drawn}").endswith("contains them")


def test_a_number_without_a_sign_keeps_that_of_its_mark():
    columns = [Column("x", format=".1f", mark="m"), Column("m", only="data")]
    assert Table("t", columns, [[1.0, "-*"], [2.0, "0"]]).text().splitlines()[1:] == [
        "1.0 -*",
        "2.0",
    ]
    assert "\x1b[31m1.0 -*\x1b[0m" in Table("t", columns, [[1.0, "-*"]]).text(colour=True)


def test_views_choose():
    change = ("scores", "FRS", "change")
    chosen = TABLE.select("system", change)
    assert chosen.text().splitlines()[2:5] == [
        "system  vs. none",
        "none         -",
        "<b>|_   -0.250 **",
    ]
    assert "mark" not in chosen.flat()[0]
    assert chosen.records()[1] == {"system": "<b>|_", "scores": {"FRS": {"change": -0.25}}}
    assert TABLE.where([False, True]).cells("system") == ["<b>|_"]
    assert TABLE.head(1).notes == ["… and 1 more", "a note"]
    assert TABLE.head(2).notes == ["a note"]
    assert TABLE.prefixed("reference", "dev").flat()[0][0] == "reference"


def test_rows_have_their_decimals_and_people_choose_how_many():
    columns = [
        Column("metric"),
        Column("decimals", only="hidden"),
        Column("score", format=".3f", decimals="decimals"),
        Column("change", format="+.3f", interval=True, decimals="decimals"),
    ]
    rows = [["FRS", 3, 0.51234, (0.1, 0.0004, 0.2)], ["BLEU", 1, 21.48, (-1.0, -2.0, 0.0)]]
    table = Table("t", columns, rows)
    lines = table.text().splitlines()[1:]
    assert lines == [
        "FRS     0.512  +0.100 [+0.0004, +0.200]",
        "BLEU     21.5    -1.0 [   -2.0,   +0.0]",
    ]
    assert table.with_digits(4).text().splitlines()[1].startswith("FRS     0.5123  +0.1000")
    assert "21.48" in table.with_digits(4).text()
    assert table.with_digits(3) == table
    assert table.records()[1] == {
        "metric": "BLEU",
        "score": 21.48,
        "change": {"value": -1.0, "low": -2.0, "high": 0.0},
    }


@pytest.mark.parametrize("level", [0.05, 0.1])
@given(st.floats(-1e-3, 1e-3))
def test_a_printed_p_lies_on_its_side_of_a_level(level, away):
    p = level + away
    assert (float(p_value(p)) <= level) == (p <= level)


@given(st.floats(-0.01, 0.01))
def test_a_printed_difference_is_zero_only_if_it_is(value):
    shown = float(signed(value))
    assert (shown > 0, shown < 0) == (value >= 1e-9, value <= -1e-9)


def test_a_wide_table_is_broken_and_texts_are_folded():
    lines = TABLE.text(width=30).splitlines()
    assert max(map(cell_len, lines)) <= 30
    assert sum(line.startswith("system") for line in lines) == 2
    texts = Table(
        "s", [Column("l", "", label=True), Column("t", "", wrap=True)], [["a", "b " * 20]]
    )
    folded = texts.text(width=30).splitlines()
    assert max(map(len, folded)) in (29, 30)
    assert all(line.startswith("   ") for line in folded[1:])
    assert texts.text().count("\n") == 0
    long = Table("n", [Column("x")], [[1]], notes=["word " * 40])
    assert max(map(len, long.text().splitlines())) <= 100


@given(st.lists(st.text("aé日ｶ語e\u0301 7\x1b\n", min_size=1, max_size=6), min_size=1, max_size=5))
def test_columns_begin_below_each_other_whatever_is_in_them(cells):
    lines = Table("t", [Column("x"), Column("y")], [[cell, "|"] for cell in cells]).text()
    assert len(lines.splitlines()) == len(cells) + 1
    assert len({cell_len(line[: line.rindex("|")]) for line in lines.splitlines()[1:]}) == 1
    assert "\x1b" not in lines


def test_several_results_share_notes_and_stand_in_a_list():
    more = Table("more", [Column("y")], [[2]])
    one, two = Scored(further=(more,)), Scored(name="there")
    both = Several("results", [one, two], ["a", "b"])
    assert [set(value) for value in both.to_dict()["results"]] == [
        {"sentences", "systems", "hidden", "warnings", "more"},
        {"sentences", "systems", "hidden", "warnings"},
    ]
    assert both.show("text").count("a note") == 1
    assert both.verdict == "a: All is well here.\nb: All is well there."
    header, rows = both.tables()[0].flat()
    assert (header[0], [row[0] for row in rows]) == ("reference", ["a", "a"])
    assert Several.of("results", [two], ["b"]) is two


@pytest.mark.parametrize("variable", ["NO_COLOR", "TERM"])
def test_the_screen_says_width_and_colour(monkeypatch, variable):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setattr(module.sys.stdout, "isatty", lambda: False, raising=False)
    assert module.screen() == {}
    monkeypatch.setattr(module.sys.stdout, "isatty", lambda: True, raising=False)
    assert module.screen() == {"width": 70, "colour": True}
    monkeypatch.setenv(variable, "dumb")
    assert module.screen() == {"width": 70, "colour": False}


def test_tables_are_as_wide_as_the_screen_and_files_of_them_are_not(monkeypatch):
    result = Scored(further=(Table("more", [Column("y", "heading")] * 9, [[2] * 9]),))
    drawn = {form: result.show(form) for form in ("text", "markdown")}
    monkeypatch.setattr(shown, "screen", lambda: {"width": 30})
    assert max(map(cell_len, result.show("text").splitlines())) <= 30
    assert result.show("text") != drawn["text"]
    assert result.show("markdown") == drawn["markdown"]
