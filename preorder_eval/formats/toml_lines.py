"""Where in a TOML file an error is that was found after reading it: TOML readers do not say."""

from __future__ import annotations

import re

_TABLE = re.compile(r"\s*\[\[?[\w. -]+\]\]?\s*(#.*)?$")


def line_of(message: str, text: str) -> int | None:
    r"""The 1-based line of what a message is about, None if it names no place in it.

    The message says `key name` for a key above all tables. It says `rule 2` for the second
    `[[rule]]` and may quote what is wrong there, as in "rule 2: 'x'" or "not 'x'"; the line is the
    first of that table that has it, or else the table's own.

    >>> line_of("label in rule 2: 'obk'", '[[rule]]\n[[rule]]\norder = [\n  "obk",\n]')
    4
    """
    lines = text.split("\n")
    tables = [n for n, line in enumerate(lines) if _TABLE.match(line)]
    key = re.search(r"\bkey (?:at )?([\w-]+)", message)
    for n in range(tables[0] if tables else len(lines)):
        if key and re.match(rf"\s*['\"]?{re.escape(key[1])}['\"]?\s*=", lines[n]):
            return n + 1
    named = re.search(r"\b([a-z]+) (\d+)\b", message)
    if named is None:
        return None
    starts = [n for n in tables if re.match(rf"\s*\[\[\s*{named[1]}\s*\]\]", lines[n])]
    if int(named[2]) > len(starts):
        return None
    start = starts[int(named[2]) - 1]
    end = next((n for n in tables if n > start), len(lines))
    quoted = re.search(r"(?:: |not )'([^']+)'", message[named.end() :])
    if quoted:
        word = re.compile(rf"(?<![\w:]){re.escape(quoted[1])}(?![\w:])")
        for n in range(start, end):
            if word.search(lines[n]):
                return n + 1
    return start + 1
