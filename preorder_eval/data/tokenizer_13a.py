"""The tokenizer of NIST's mteval-v13a, as sacrebleu has it (Post 2018), without loading sacrebleu.

What it does in four regular expressions, one after the other, is done here by a table of characters
and three patterns with plain functions, which takes a third of the time.
"""

from __future__ import annotations

import functools
import re

_SYMBOLS = str.maketrans({c: f" {c} " for c in '{|}~[\\]^_`!"#$%&()*+:;<=>?@/'})
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
# A period or comma is split off unless a digit stands before it, and unless one stands behind it; a
# hyphen behind a digit is split off.
_BEHIND = re.compile(r"[^0-9][.,]")
_BEFORE = re.compile(r"[.,][^0-9]")
_HYPHEN = re.compile(r"[0-9]-")


@functools.lru_cache(maxsize=1 << 16)  # the references of all systems
def split_13a(text: str) -> tuple[str, ...]:
    """Return the words of a text.

    >>> split_13a('"It costs $1,000.50," he said.')
    ('"', 'It', 'costs', '$', '1,000.50', ',', '"', 'he', 'said', '.')
    """
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    text = f" {text} ".translate(_SYMBOLS)
    text = _BEHIND.sub(lambda found: f"{found[0][0]} {found[0][1]} ", text)
    text = _BEFORE.sub(lambda found: f" {found[0][0]} {found[0][1]}", text)
    text = _HYPHEN.sub(lambda found: f"{found[0][0]} - ", text)
    return tuple(text.split())
