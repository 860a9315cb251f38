"""Untrusted text on a screen: invisible characters are written as escapes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

# Controls, among them the escape that starts a terminal's commands; format characters, which turn
# the direction of writing or have no width; halves of surrogate pairs; line and paragraph ends.
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_NO_CHARACTERS = "\ufffe\uffff"  # not allowed in XML, so not in an SVG
_FORMULA = re.compile(r"=|[+@-].*\w")  # and no mark, such as -**
_NUMBER = re.compile(r"[+-]?[0-9]*[.]?[0-9]+([eE][+-]?[0-9]+)?%?")
_JOINERS = "\u200c\u200d"


def visible(text: str) -> str:
    r"""Return the text on one line, with invisible characters as Python escapes.

    Control characters could move the cursor or break an SVG; others turn the direction of writing
    or have no width (Boucher & Anderson 2023, "Trojan Source"). All other characters stay, also
    combining marks, wide and private ones. A joiner after a character that is
    not ASCII shapes its script (Persian, Hindi, emoji) and stays too.

    >>> print(visible("a\tb\x1b[1m \u202e日本"))
    a\tb\x1b[1m \u202e日本
    """
    if text.isprintable():
        return text
    return "".join(
        c if not _hidden(c) or (c in _JOINERS and _joins(before)) else ascii(c)[1:-1]
        for before, c in zip(f" {text}", text, strict=False)
    )


def cell(text: str) -> str:
    """Return the text as a TSV cell that no spreadsheet interprets as a formula.

    Numbers, and a sign alone, stay as they are.

    >>> cell("=1+1"), cell("@SUM(A1)"), cell("1+1=2"), cell("-0.3"), cell("-")
    ("'=1+1", "'@SUM(A1)", '1+1=2', '-0.3', '-')
    """
    formula = _FORMULA.match(text) and not _NUMBER.fullmatch(text)
    return visible(f"'{text}" if formula else text)


def quantity(count: int, noun: str) -> str:
    """Return a number of things; the first word of the noun is in the plural, except after 1.

    >>> quantity(1, "line of links"), quantity(2, "line of links")
    ('1 line of links', '2 lines of links')
    """
    return f"{count} {in_number(count, noun)}"


def in_number(count: int, noun: str) -> str:
    """Return a noun whose first word is in the plural, except after 1.

    >>> in_number(1, "pair of outputs"), in_number(0, "pair of outputs")
    ('pair of outputs', 'pairs of outputs')
    """
    first, space, rest = noun.partition(" ")
    return f"{first}{'' if count == 1 else 's'}{space}{rest}"


def first_few(some: Sequence[object], most: int = 5) -> str:
    """Return the first numbers or names of a list that may be long.

    >>> first_few([3, 1, 2], 2)
    '3, 1, …'
    """
    return ", ".join(map(str, some[:most])) + ", …" * (len(some) > most)


def _hidden(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN or character in _NO_CHARACTERS


def _joins(character: str) -> bool:
    return character > "\x7f" and not _hidden(character)
