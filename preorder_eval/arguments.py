"""Arguments from Python, checked against annotations: what does not fit is one error, at the door.

A public function is checked when it is first taken from the package. A sequence may be anything
whose items come in an order: generators, arrays and Series become lists, and one text becomes a
list of it where only lists of texts are taken. Types that are not known when the program runs are
not checked, nor what mappings hold.
"""

from __future__ import annotations

import functools
import inspect
import numbers
import os
import typing
from collections import abc
from collections.abc import Callable, Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from preorder_eval.errors import PreorderEvalError

_MOST = 10_000  # items that are looked at one by one
_SEQUENCES = (abc.Sequence, abc.Iterable, abc.Collection, list, tuple)
_NUMBERS: dict[Any, Any] = {int: numbers.Integral, float: numbers.Real}
_NAMES: dict[Any, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    Path: "a path",
    NoneType: "None",
}
_UNFIT = object()
Made = TypeVar("Made", bound=Callable[..., Any])


def checked(function: Made) -> Made:
    """Return a function that raises PreorderEvalError for arguments that its types exclude.

    >>> def draw(resamples: int, names: abc.Sequence[str] = ()):
    ...     return [*names] * resamples
    >>> checked(draw)(2, (name for name in "ab")), checked(draw)(1, "mine")
    (['a', 'b', 'a', 'b'], ['mine'])
    >>> checked(draw)("2")
    Traceback (most recent call last):
        ...
    preorder_eval.errors.PreorderEvalError: draw: resamples must be a whole number, not '2'
    """
    signature = inspect.signature(function)
    kinds = {name: _evaluated(of.annotation, function) for name, of in signature.parameters.items()}

    def fit(name: str, value: Any, kind: Any) -> Any:
        fitting = _fitted(value, kind)
        if fitting is _UNFIT:
            shown = " ".join(f"{value!r:.300}".split())
            raise PreorderEvalError(
                f"{function.__name__}: {name} must be {_described(kind)}, not "
                f"{shown if len(shown) < 60 else f'{shown[:60]} …'}"
            )
        return fitting

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        try:
            bound = signature.bind(*args, **keywords)
        except TypeError:
            return function(*args, **keywords)  # which says what is missing
        for name, value in bound.arguments.items():
            if get_origin(kinds[name]) is typing.Unpack:
                [options] = get_args(kinds[name])
                known = typing.get_type_hints(options)
                for key in value.keys() - known.keys():
                    raise TypeError(f"{function.__name__}() has no argument {key!r}")
                fitting = {key: fit(key, of, known.get(key, Any)) for key, of in value.items()}
            elif signature.parameters[name].kind > inspect.Parameter.KEYWORD_ONLY:
                continue
            else:
                fitting = fit(name, value, kinds[name])
            bound.arguments[name] = fitting
        try:
            return function(*bound.args, **bound.kwargs)
        except OSError as error:  # a name too long for the system, a disk that is full
            place = f"{error.filename}: " if error.filename else ""
            raise PreorderEvalError(f"{place}{error.strerror or error}") from error
        except ValueError as error:  # a name that no file can have
            if isinstance(error, UnicodeEncodeError) or "null byte" in str(error):
                raise PreorderEvalError(f"{function.__name__}: a name: {error}") from error
            raise

    # As which it can be given to other processes.
    call.__module__, call.__qualname__ = __package__ or "", function.__name__
    return typing.cast(Made, call)


class _Known(dict[str, Any]):
    """The names in an annotation; those that only type checkers know stand for anything."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._globals = getattr(function, "__globals__", {})
        self._function = function

    def __missing__(self, name: str) -> Any:
        value = self._globals.get(name, __builtins__.get(name, Any))  # type: ignore[attr-defined]
        return _evaluated(value, self._function) if isinstance(value, str) else value


def _evaluated(annotation: Any, function: Callable[..., Any]) -> Any:
    """Return the type that an annotation names; anything where it names none."""
    if not isinstance(annotation, str):
        return Any if annotation is inspect.Parameter.empty else annotation
    try:
        return eval(annotation, {}, _Known(function))  # noqa: S307 (our own annotations)
    except (TypeError, AttributeError):
        return Any


def _fitted(value: Any, kind: Any, *, deep: bool = True) -> Any:
    """Return the value as one of that kind, `_UNFIT` where it is none.

    Items of a sequence are looked at where it is `deep`, and their own items are not.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return value
    if origin in (Union, UnionType):
        fitting = [fit for part in parts if (fit := _fitted(value, part, deep=deep)) is not _UNFIT]
        return next((fit for fit in fitting if fit is value), next(iter(fitting), _UNFIT))
    if kind is None or kind is NoneType:
        return value if value is None else _UNFIT
    if origin is Literal:
        return value if isinstance(value, str) and value in parts else _UNFIT
    if origin in _SEQUENCES or kind in _SEQUENCES:
        if isinstance(value, str) and not deep:
            return _UNFIT  # which would be taken letter by letter
        return _items(value, parts[0] if deep and parts and origin is not tuple else Any)
    if origin is abc.Mapping:
        return value if isinstance(value, Mapping) else _UNFIT
    if origin is abc.Callable:
        return value if callable(value) else _UNFIT
    if kind is bool:
        return value if type(value).__name__ in ("bool", "bool_") else _UNFIT
    if kind in _NUMBERS:
        fits = isinstance(value, _NUMBERS[kind]) and not isinstance(value, bool)
        return _UNFIT if not fits else value if isinstance(value, kind) else kind(value)
    if kind is Path:
        return value if isinstance(value, os.PathLike) else _UNFIT
    if not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return value
    return value if isinstance(value, kind) else _UNFIT


def _items(value: Any, kind: Any) -> Any:
    """Return a sequence of items of that kind."""
    if isinstance(value, str):
        return [value] if _fitted(value, kind, deep=False) is value else _UNFIT
    if isinstance(value, bytes | bytearray | Mapping | abc.Set) or hasattr(value, "read"):
        return _UNFIT
    if not isinstance(value, abc.Sequence):
        if getattr(value, "ndim", 0) and hasattr(value, "tolist"):
            value = value.tolist()
        elif isinstance(value, abc.Iterator | abc.ValuesView):
            value = list(value)
        else:
            return _UNFIT
    if len(value) <= _MOST and any(_fitted(item, kind, deep=False) is _UNFIT for item in value):
        return _UNFIT
    return value


def _described(kind: Any) -> str:
    """Return what a value must be, in words."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        *others, last = dict.fromkeys(map(_described, parts))
        return f"{', '.join(others)} or {last}" if others else last
    if origin is Literal:
        return " or ".join(map(repr, parts))
    if origin in _SEQUENCES:
        return f"a list ({_described(parts[0])})" if parts else "a list"
    if origin is abc.Mapping:
        return "a mapping"
    if origin is abc.Callable:
        return "a function"
    return _NAMES.get(kind, getattr(kind, "__name__", "of another type"))
