"""TOML files held against a model: what is wrong is said with line, key and legal values."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from preorder_eval.errors import FormatError, UnknownNameError
from preorder_eval.formats.toml_lines import line_of

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
