"""TOML files held against a model: what is wrong is said with line, key and legal values.

Where in a TOML file an error is that was found after reading it: TOML readers do not say.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from preorder_eval.errors import FormatError, UnknownNameError

Model = TypeVar("Model", bound=BaseModel)


def parse_toml(
    model: type[Model],
    text: str,
    file: str | Path,
    keys_of: Callable[[Sequence[str]], Iterable[str]] | None = None,
) -> Model:
    """What a TOML file says, by a model that forbids what it does not know.

    Parameters: `file` is what errors call it; `keys_of` tells the legal keys at a place, which is
    given by the keys that lead there, by default those of the model. Raises FormatError.
    """
    try:
        return model.model_validate(tomllib.loads(text))
    except ValidationError as error:
        message = _first_error(error, keys_of or (lambda _: model.model_fields))
        raise FormatError(message, file=file, line=line_of(message, text)) from error
    except (ValueError, RecursionError) as error:
        at = re.search(r"\(at line (\d+), column \d+\)", str(error))
        last = text.count("\n") + 1 if "at end of document" in str(error) else None
        line = int(at[1]) if at else last
        raise FormatError(f"not TOML: {error}", file=file, line=line) from error


def _first_error(error: ValidationError, keys_of: Callable[[Sequence[str]], Iterable[str]]) -> str:
    """The first thing pydantic found, as key and legal values."""
    first = error.errors(include_url=False)[0]
    keys = [str(k + 1) if isinstance(k, int) else k for k in first["loc"]]
    where = " ".join(keys)
    if first["type"] == "extra_forbidden":
        return str(UnknownNameError(f"key at {where}:", keys[-1], keys_of(keys[:-1])))
    if first["type"] == "missing":
        return f"key {where} is missing; add {keys[-1]} = …"
    return f"key {where}: {first['msg'][0].lower()}{first['msg'][1:]}, not {first['input']!r:.60}"


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
