"""Tables of TOML and JSON checked by dataclasses; errors name line, key and legal values.

The fields of a dataclass declare the keys of a table. A key has the field's name, or the `key` in
its metadata; without a default it must be there. A field's type is `str`, `int`, `float`, `bool`, a
`Literal`, `Any`, a dataclass, or a dict or tuple of these. Bounds are declared as in
`Annotated[int, Within(1)]`; the type `X | None` is for a key that need not be there. Where a tuple
of texts is declared, a single text is read as a tuple of one.
"""

from __future__ import annotations

import dataclasses
import math
import re
import sys
import tomllib
from collections import deque
from collections.abc import Callable, Hashable
from functools import cache, lru_cache
from pathlib import Path
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from preorder_eval.base.errors import (
    FaultyFileError,
    FormatError,
    PreorderEvalError,
    UnknownNameError,
)

KeyPath = tuple[str | int, ...]  # keys, and numbers of items from 0, that lead to a value
Names = tuple[str, ...]
Model = TypeVar("Model")

_MOST = 100  # errors that are gathered
_LONGEST = 1_000_000  # characters of a file
_DEEPEST = 10  # dots of a key
_CLASSES: dict[Any, Any] = {
    str: (str, "a text"),
    bool: (bool, "true or false"),
    int: (int, "a whole number"),
    float: (int | float, "a number"),
    tuple: (list | tuple, "a list"),
    dict: (dict, "a table"),
}
_BETWEEN_KEYS = frozenset("[]{}=,\n")
_OTHER_LANGUAGES = {
    "JSON": re.compile(r"\s*(\[\s*)?\{"),
    "YAML": re.compile(r"(\s|#.*\n|---|- )*[\w-]+:\s"),
}


class PlaceError(PreorderEvalError):
    """A fault in a table, and its place; `others` are further faults, in other places."""

    def __init__(self, message: str, *place: str | int) -> None:
        super().__init__(message)
        self.place: KeyPath = place
        self.others: list[PlaceError] = []


class Gathered:
    """A collector of faults: PlaceErrors in its `with` blocks are raised together in the end.

    >>> gathered = Gathered()
    >>> for place in ("head", "order"):
    ...     with gathered:
    ...         raise PlaceError("is missing", place)
    >>> [error.place for error in gathered.errors]
    [('head',), ('order',)]
    """

    def __init__(self) -> None:
        self.errors: list[PlaceError] = []

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, traceback: object) -> bool:
        if isinstance(error, PlaceError):
            self.errors += [error, *error.others]
            if len(self.errors) >= _MOST:
                self.raise_all()
        return isinstance(error, PlaceError)

    def raise_all(self) -> None:
        """Raise the first fault, with the others in it; do nothing if there is none."""
        if self.errors:
            first, *first.others = self.errors
            raise first


@dataclasses.dataclass(frozen=True)
class Within:
    """Bounds of a number, both included; of a list, whether it must have an item."""

    low: int
    high: int | None = None

    def check(self, value: Any, place: KeyPath) -> None:
        """Raise PlaceError for a value outside the bounds."""
        if isinstance(value, tuple):
            if len(value) < self.low:
                raise PlaceError(f"key {_shown(place)}: must not be empty", *place)
        elif value < self.low or (self.high is not None and value > self.high):
            end = "up" if self.high is None else f"to {self.high:,}"
            raise _wrong(place, f"from {self.low:,} {end}", value)


@dataclasses.dataclass(frozen=True)
class Toml:
    """The text of a TOML file; `file` is what errors call it."""

    text: str
    file: str | Path

    def table(self) -> dict[str, Any]:
        """Return the table that the text holds; FormatError, with the line, for what is not TOML.

        A text too long, or with keys too deep, to be written by hand is refused before it is read,
        because reading it could take all memory.
        """
        if len(self.text) > _LONGEST:
            message = f"has more than {_LONGEST:,} characters"
            raise FormatError(message, file=self.file, hint="split it")
        self._refuse_deep_keys()
        try:
            return tomllib.loads(self.text)
        except (ValueError, RecursionError) as error:
            told = re.search(r"\(at line (\d+), column \d+\)", str(error))
            last = self.text.count("\n") + 1 if "at end of document" in str(error) else None
            line = int(told[1]) if told else last
            languages = _OTHER_LANGUAGES.items()
            other = next((name for name, begun in languages if begun.match(self.text)), None)
            hint = other and f'it looks like {other}; in TOML a key is written key = "value"'
            message = f"not TOML: {error}"
            raise FormatError(message, file=self.file, line=line, hint=hint) from error

    def _refuse_deep_keys(self) -> None:
        if not any(line.count(".") > _DEEPEST for line in self.text.split("\n")):
            return  # a key is in one line
        dots = 0
        for sign in _SIGN.finditer(self.text):
            dots = dots + 1 if sign[0] == "." else 0 if sign[0] in _BETWEEN_KEYS else dots
            if dots > _DEEPEST:
                at = self.text.count("\n", 0, sign.start()) + 1
                message = f"a key of more than {_DEEPEST} dots"
                raise FormatError(message, file=self.file, line=at, hint="use fewer tables")

    def line(self, place: KeyPath) -> int | None:
        """Return the line in which a place stands.

        A key that is missing has the line of the table that it is missing from.
        """
        lines = _key_lines(self.text)
        while place and place not in lines:
            place = place[:-1]
        return lines.get(place)


def located(
    error: PlaceError,
    written: Callable[[KeyPath], tuple[Toml, KeyPath]],
    extending: str | Path | None = None,
) -> FormatError:
    """Return the FormatError of a fault, with its file and line.

    Parameters: `written` finds the file of a place, and the place in that file; `extending` is the
    file that was asked for. If the fault is in another file, which that one extends, the error says
    so.
    """
    faults = {}
    for one in (error, *error.others):
        toml, place = written(one.place)
        hint = f"{extending} extends this file" if extending not in (None, toml.file) else None
        fault = FormatError(str(one), file=toml.file, line=toml.line(place), hint=hint)
        faults[str(fault)] = fault
    first, *others = sorted(faults.values(), key=lambda fault: fault.line or math.inf)
    return FaultyFileError([first, *others]) if others else first


def read_as(model: type[Model], table: Any, place: KeyPath = (), *, others: bool = False) -> Model:
    """Return a table as an object of the dataclass `model`; PlaceError if it does not fit.

    With `others`, keys that the dataclass does not have are ignored; without it they are faults.
    """
    if not isinstance(table, dict):
        raise _wrong(place, "a table", table)
    kinds, gathered, values = _kinds(cast(Hashable, model)), Gathered(), {}
    for key in table:
        if key not in kinds and not others:
            with gathered:
                where = _shown((*place, key))
                raise PlaceError(str(UnknownNameError(f"key at {where}:", key, kinds)), *place, key)
    for key, (name, kind, needed) in kinds.items():
        if key in table:
            with gathered:
                values[name] = _value(kind, table[key], (*place, key), others)
        elif needed:
            with gathered:
                legal = _one_of(kind) if get_origin(kind) is Literal else "…"
                missing = f"key {_shown((*place, key))} is missing; add {key} = {legal}"
                raise PlaceError(missing, *place)
    gathered.raise_all()
    return model(**values)


@cache
def _kinds(model: Any) -> dict[str, tuple[str, Any, bool]]:
    """Return the fields of a dataclass by the keys of its tables.

    Each is the name of the field, its type, and whether the key must be there.
    """
    hints = get_type_hints(model, include_extras=True)
    return {
        field.metadata.get("key", field.name): (
            field.name,
            hints[field.name],
            field.default is field.default_factory is dataclasses.MISSING,
        )
        for field in dataclasses.fields(model)
    }


@cache
def _parts(kind: Any) -> tuple[Any, tuple[Any, ...], bool]:
    """Return what a type is made of: its origin, or itself, and its arguments.

    The last value tells whether it is a dataclass.
    """
    origin = get_origin(kind) or kind
    return origin, get_args(kind), dataclasses.is_dataclass(origin)


def _value(kind: Any, value: Any, place: KeyPath, others: bool) -> Any:
    """Return a value as what its field is declared to be."""
    origin, of, has_fields = _parts(kind)
    if origin is Any:
        return _finite(value, place)
    if origin is Annotated:
        value = _value(of[0], value, place, others)
        of[1].check(value, place)
        return value
    if origin in (Union, UnionType):  # of something and None
        return None if value is None else _value(of[0], value, place, others)
    if origin is Literal:
        if value not in of:
            raise _wrong(place, _one_of(kind), value)
        return value
    if has_fields:
        return read_as(kind, value, place, others=others)
    if origin is tuple and isinstance(value, str):
        value = [value]
    wanted, named = _CLASSES[origin]
    if not isinstance(value, wanted) or (isinstance(value, bool) and origin is not bool):
        raise _wrong(place, named, value)
    if origin in (tuple, dict):
        items = value.items() if origin is dict else enumerate(value)
        of_item = of[1] if origin is dict else of[0]
        if of_item is str and origin is tuple and all(type(one) is str for one in value):
            return tuple(value)
        gathered, values = Gathered(), {}
        for key, one in items:
            with gathered:
                values[key] = _value(of_item, one, (*place, key), others)
        gathered.raise_all()
        return values if origin is dict else tuple(values.values())
    return _finite(value, place)


def _one_of(literal: Any) -> str:
    *most, last = map(repr, get_args(literal))
    return f"{', '.join(most)} or {last}"


def _finite(value: Any, place: KeyPath) -> Any:
    """Return a value of any kind; all numbers in it must be finite."""
    if isinstance(value, int | float) and not -sys.float_info.max <= value <= sys.float_info.max:
        raise _wrong(place, "a finite number", value)
    if isinstance(value, list | dict):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            _finite(one, (*place, key))
    return value


def _wrong(place: KeyPath, wanted: str, value: Any) -> PlaceError:
    return PlaceError(f"key {_shown(place)}: must be {wanted}, not {value!r:.60}", *place)


def _shown(place: KeyPath) -> str:
    """Return a place as errors name it, items counted from 1."""
    return " ".join(str(key + 1) if isinstance(key, int) else key for key in place)


_SIGN = re.compile(
    r'#[^\n]*|"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}" + r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'|[][{}=,.\n]|[^][{}=,.\n\s#\"']+",
    re.DOTALL,
)


@lru_cache(maxsize=4)  # a file can have many faults
def _key_lines(text: str) -> dict[KeyPath, int]:
    return _KeyLines(text).lines


class _KeyLines:
    r"""The 1-based lines of all keys and list items of a text that is TOML, taken sign by sign.

    TOML readers do not tell them. A comment or a string that looks like a key is none.

    >>> _KeyLines('# a = 1\nb = ["x",\n  "y"]\n[[c]]\n[[c]]\nd.e = 1').lines[("c", 1, "d", "e")]
    6
    """

    def __init__(self, text: str) -> None:
        self.lines: dict[KeyPath, int] = {}
        self._signs: deque[tuple[str, int]] = deque()
        self._sizes: dict[KeyPath, int] = {}  # of lists of tables
        line = 1
        for found in _SIGN.finditer(text):
            if not found[0].startswith("#"):
                self._signs.append((found[0], line))
            line += found[0].count("\n")
        table: KeyPath = ()
        while self._signs:
            if self._next == "[":
                table = self._header()
            elif self._next == "\n":
                self._signs.popleft()
            else:
                self._pair(table)

    @property
    def _next(self) -> str:
        return self._signs[0][0] if self._signs else "\n"

    def _header(self) -> KeyPath:
        """Take the header of a table, or of one more table of a list, and return its place."""
        _, line = self._signs.popleft()
        listed = self._next == "["
        if listed:
            self._signs.popleft()
        table: KeyPath = ()
        for key in self._keys("]"):
            table += (self._sizes[table] - 1, key) if table in self._sizes else (key,)
        if listed:
            self._signs.popleft()
            self._sizes[table] = self._sizes.get(table, 0) + 1
            self.lines.setdefault(table, line)
            table += (self._sizes[table] - 1,)
        self.lines.setdefault(table, line)
        return table

    def _keys(self, end: str) -> list[str]:
        """Take the parts of a key and the sign that ends it."""
        keys = []
        while (sign := self._signs.popleft()[0]) != end:
            if sign != ".":
                keys.append(sign.strip("\"'"))
        return keys

    def _pair(self, table: KeyPath) -> None:
        """Take a key of a table, and its value."""
        line = self._signs[0][1]
        for key in self._keys("="):
            table = (*table, key)
            self.lines.setdefault(table, line)
        self._value(table)

    def _value(self, place: KeyPath) -> None:
        """Take the value in a place."""
        self.lines.setdefault(place, self._signs[0][1])
        if self._next not in "[{":
            while self._next not in "\n,]}":
                self._signs.popleft()
            return
        opening, _ = self._signs.popleft()
        number = 0
        while self._next not in "]}":
            if self._next in ",\n":
                self._signs.popleft()
            elif opening == "{":
                self._pair(place)
            else:
                self._value((*place, number))
                number += 1
        self._signs.popleft()
