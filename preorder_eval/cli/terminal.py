"""Text of others on a terminal."""

from __future__ import annotations


def visible(text: str) -> str:
    r"""The text on one line, control characters from the input made visible.

    >>> visible("a\tb")
    'a\\x09b'
    """
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
