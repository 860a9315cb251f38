"""Tables in Markdown and LaTeX, to be pasted into a text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from preorder_eval.visible import visible

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
} | {character: f"\\{character}" for character in "&%$#_{}"}


def format_markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    r"""A table of GitHub's Markdown; all columns but the first to the right.

    >>> print(format_markdown(["system", "wer"], [["a|b", "0.5"]]))
    | system | wer |
    |:---|---:|
    | a\|b | 0.5 |
    """
    ruler = "|".join([":---", *["---:"] * (len(header) - 1)])
    lines = [_markdown_row(header), f"|{ruler}|", *map(_markdown_row, rows)]
    return "\n".join(lines)


def _markdown_row(cells: Sequence[str]) -> str:
    escaped = (re.sub(r"([\\|*_`<>\[\]])", r"\\\1", visible(cell)) for cell in cells)
    return f"| {' | '.join(escaped)} |"


def format_latex(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    r"""A tabular with the rules of booktabs.

    >>> print(format_latex(["system", "wer"], [["a_b", "50%"]]))
    \begin{tabular}{lr}
    \toprule
    system & wer \\
    \midrule
    a\_b & 50\% \\
    \bottomrule
    \end{tabular}
    """
    columns = "l" + "r" * (len(header) - 1)
    body = [_latex_row(row) for row in rows]
    parts = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _latex_row(header), r"\midrule"]
    return "\n".join([*parts, *body, r"\bottomrule", r"\end{tabular}"])


def _latex_row(cells: Sequence[str]) -> str:
    escaped = ("".join(_LATEX.get(letter, letter) for letter in visible(cell)) for cell in cells)
    return " & ".join(escaped) + r" \\"
