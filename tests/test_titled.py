"""Tables under titles."""

from preorder_eval.formats.titled import TitledTable, format_titled

TABLE = TitledTable("Table_1", ["", "score"], [["\x1b[1mP|1", "50%"]], "one\ntwo")


def test_names_of_others_are_harmless_in_every_form():
    assert format_titled([TABLE]).splitlines() == [
        "Table_1:",
        r"            score",
        r"\x1b[1mP|1    50%",
        "one",
        "two",
    ]
    assert r"| \\x1b\[1mP\|1 | 50% |" in format_titled([TABLE], "markdown")
    latex = format_titled([TABLE, TABLE], "latex").splitlines()
    assert latex[0] == "% Table_1"
    assert r"50\% \\" in "".join(latex)
    assert latex.count("% two") == 2
