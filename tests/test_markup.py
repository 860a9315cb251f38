"""Tables in Markdown and LaTeX."""

import re

from preorder_eval.formats.markup import format_latex, format_markdown

HEADER = ["system", "wer(lower=true)"]
ROWS = [["a|b_c & 50%", "0.5 [0.4, 0.6]"], ["x\\y ~^ {z}", "1.0"]]


def test_every_row_has_a_cell_for_every_column():
    lines = format_markdown(HEADER, ROWS).splitlines()
    assert len(lines) == 4
    cells = [re.split(r"(?<!\\)\|", line) for line in lines]
    assert {len(row) for row in cells} == {4}


def test_what_means_something_in_markdown_is_escaped():
    table = format_markdown(HEADER, ROWS)
    assert r"a\|b\_c & 50%" in table
    assert r"0.5 \[0.4, 0.6\]" in table
    assert r"x\\y" in table


def test_what_means_something_in_latex_is_escaped():
    lines = format_latex(HEADER, ROWS).splitlines()
    assert lines[0] == r"\begin{tabular}{lr}"
    assert lines[4] == r"a|b\_c \& 50\% & 0.5 [0.4, 0.6] \\"
    assert lines[5] == (r"x\textbackslash{}y \textasciitilde{}\textasciicircum{} \{z\} & 1.0 \\")
    assert all(line.count(" & ") == 1 for line in lines[2:3])
