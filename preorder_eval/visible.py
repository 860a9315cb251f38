"""Text of others on a screen: what cannot be seen written out, and the columns that text takes."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

# Controls, among them the escape that starts a terminal's commands; format characters, which turn
# the direction of writing or have no width; halves of surrogate pairs; line and paragraph ends.
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_NO_CHARACTERS = "\ufffe\uffff"  # not allowed in XML, so not in an SVG
_JOINERS = "\u200c\u200d"


def visible(text: str) -> str:
    r"""Return the text on one line, what cannot be seen written out as Python writes it.

    That are control characters, which could move the cursor or break an SVG, and those that turn
    the direction of writing or have no width (Boucher & Anderson 2023, "Trojan Source"). All
    others stay, also combining marks, wide and private ones. A joiner after a character that is
    not ASCII shapes its script (Persian, Hindi, emoji) and stays too.

    >>> print(visible("a\tb\x1b[1m \u202e日本"))
    a\x09b\x1b[1m \u202e日本
    """
    if text.isprintable():
        return text
    return "".join(
        _escape(c) if _hidden(c) and not (c in _JOINERS and _joins(before)) else c
        for before, c in zip(f" {text}", text, strict=False)
    )


def quantity(count: int, noun: str) -> str:
    """Return a number of things: the first word of their name in the plural but for one.

    >>> quantity(1, "line of links"), quantity(2, "line of links")
    ('1 line of links', '2 lines of links')
    """
    first, space, rest = noun.partition(" ")
    return f"{count} {first}{'' if count == 1 else 's'}{space}{rest}"


def display_width(text: str) -> int:
    """Return the columns that a text takes, where East Asian characters take two.

    >>> display_width("cat"), display_width("ねこ"), display_width("e\u0301")
    (3, 4, 1)
    """
    return sum(map(_character_width, text))


def wrap(words: Iterable[str], width: int, indent: int) -> str:
    """Return words on as many lines as needed, those after the first indented.

    >>> print(wrap("one two three".split(), width=12, indent=4))
    one two
        three
    """
    lines: list[str] = []
    line, used = "", indent
    for word in words:
        size = display_width(word)
        if line and used + 1 + size > width:
            lines.append(line)
            line, used = "", indent
        line, used = (f"{line} {word}", used + 1 + size) if line else (word, indent + size)
    return ("\n" + " " * indent).join([*lines, line])


def _hidden(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN or character in _NO_CHARACTERS


def _joins(character: str) -> bool:
    return character > "\x7f" and not _hidden(character)


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
