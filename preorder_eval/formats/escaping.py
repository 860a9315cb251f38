r"""Tokens and texts as one field of a table: `\s` is a space in a token, `\\` a backslash."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ESCAPES = {"\\": "\\\\", " ": "\\s", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_PLAIN = {escaped: plain for plain, escaped in _ESCAPES.items()}
_ESCAPE_TABLE = str.maketrans(_ESCAPES)
_ESCAPED = re.compile(r"[\\ \t\n\r]")


def escape_tokens(tokens: Sequence[str]) -> str:
    r"""Tokens as one field of a table.

    >>> escape_tokens(["10 000", "dogs"])
    '10\\s000 dogs'
    """
    if _ESCAPED.search("".join(tokens)) is None:
        return " ".join(tokens)
    return " ".join(token.translate(_ESCAPE_TABLE) for token in tokens)


def unescape_tokens(field: str) -> list[str]:
    r"""Undo `escape_tokens`.

    >>> unescape_tokens(r"10\s000 dogs")
    ['10 000', 'dogs']
    """
    if "\\" not in field:
        return field.split(" ")
    return [re.sub(r"\\.", lambda m: _PLAIN.get(m[0], m[0]), token) for token in field.split(" ")]


def escape_text(text: str) -> str:
    r"""A text as one field of a table.

    >>> escape_text("two  spaces\tand a tab")
    'two  spaces\\tand a tab'
    """
    return escape_tokens(text.split(" "))


def unescape_text(field: str) -> str:
    r"""Undo `escape_text`.

    >>> unescape_text(r"two  spaces\tand a tab")
    'two  spaces\tand a tab'
    """
    return " ".join(unescape_tokens(field))
