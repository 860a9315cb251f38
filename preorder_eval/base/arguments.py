"""Arguments from Python, checked against the annotations of public functions.

Every function that is taken from `preorder_eval` is wrapped by `checked`: an argument of another
type than its annotation is one error, raised before the function does anything.

Some values that a type checker would reject are accepted. Generators, arrays and pandas Series
become lists where a sequence is annotated, because their items come in an order. A single text
becomes a list of one if the annotation allows lists of texts, but no single text. Numbers may be
numpy's. An empty text is refused where a path may stand, because it names no file.

Some values are not checked: those whose annotation has a name that is imported for type checkers
only, the values of mappings, the items of items, and the items of lists of more than 10,000.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import numbers
import os
import sys
import typing
from collections import abc
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from preorder_eval.base.errors import PreorderEvalError, keeping_warnings

_MOST = 10_000  # items that are looked at one by one
_SEQUENCES = (abc.Sequence, abc.Iterable, abc.Collection, list, tuple)
_WIDER: dict[Any, Any] = {int: numbers.Integral, float: numbers.Real, Path: os.PathLike}
_NAMES: dict[Any, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    Path: "a path",
    NoneType: "None",
    abc.Callable: "a function",
}
_UNFIT = object()
_KEPT = "input_warnings"  # of a result; its class needs numpy, which help does without
Function = TypeVar("Function", bound=Callable[..., Any])


def checked(function: Function) -> Function:
    """Return a function or dataclass that raises PreorderEvalError for arguments of other types.

    OSErrors of the function, and names that no file can have, become PreorderEvalErrors too. An
    argument that the function does not have, and one that is missing, is a TypeError, as always in
    Python.

    >>> def draw(resamples: int, names: abc.Sequence[str] = ()):
    ...     return [*names] * resamples
    >>> checked(draw)(2, (name for name in "ab")), checked(draw)(1, "mine")
    (['a', 'b', 'a', 'b'], ['mine'])
    >>> checked(draw)("2")
    Traceback (most recent call last):
        ...
    preorder_eval.base.errors.PreorderEvalError: draw: resamples must be a whole number, not '2'
    """
    signature = inspect.signature(function)
    annotations = _Annotations(vars(sys.modules[function.__module__]))
    kinds = {name: annotations.kind(of.annotation) for name, of in signature.parameters.items()}

    takes_any = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())

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
        unknown = [] if takes_any else [key for key in keywords if key not in kinds]
        if unknown:
            has = ", ".join(kinds)
            raise TypeError(f"{function.__name__}() has no argument {unknown[0]!r}; it has {has}")
        bound = None
        with contextlib.suppress(TypeError):
            bound = signature.bind(*args, **keywords)
        if bound is None:
            return function(*args, **keywords)  # whose own error names what is missing
        for name, value in bound.arguments.items():
            if get_origin(kinds[name]) is typing.Unpack:  # **options with a TypedDict
                [options] = get_args(kinds[name])
                known = typing.get_type_hints(options)
                for key in value.keys() - known.keys():
                    raise TypeError(f"{function.__name__}() has no argument {key!r}")
                bound.arguments[name] = {key: fit(key, of, known[key]) for key, of in value.items()}
            elif signature.parameters[name].kind is not inspect.Parameter.VAR_KEYWORD:
                bound.arguments[name] = fit(name, value, kinds[name])
        try:
            with keeping_warnings(_of_results(bound.arguments.values())):
                return function(*bound.args, **bound.kwargs)
        except OSError as error:  # such as a full disk
            place = f"{error.filename}: " if error.filename else ""
            raise PreorderEvalError(f"{place}{error.strerror or error}") from error
        except ValueError as error:
            if isinstance(error, UnicodeEncodeError) or "null byte" in str(error):
                raise PreorderEvalError(f"{function.__name__}: a name: {error}") from error
            raise

    # Other processes get a function by its module and name, and are to get the checked one.
    call.__module__, call.__qualname__ = __name__.partition(".")[0], function.__name__
    return typing.cast(Function, call)


def _of_results(arguments: Iterable[Any]) -> Iterator[str]:
    """Yield the warnings of the results among some arguments, or in a list of these."""
    for argument in arguments:
        if isinstance(argument, list | tuple):
            yield from _of_results(each for each in argument if hasattr(each, _KEPT))
        else:
            yield from getattr(argument, _KEPT, ())


class _Annotations(dict[str, Any]):
    """The names that the annotations of a module use, looked up when an annotation is evaluated.

    A name that is only known to type checkers stands for anything.
    """

    def __init__(self, module: Mapping[str, Any]) -> None:
        self._module = module

    def __missing__(self, name: str) -> Any:
        value = self._module.get(name, __builtins__.get(name, Any))  # type: ignore[attr-defined]
        return self.kind(value) if isinstance(value, str) else value

    def kind(self, annotation: Any) -> Any:
        """Return the type that an annotation names; `Any` if there is none."""
        if not isinstance(annotation, str):
            return Any if annotation is inspect.Parameter.empty else annotation
        try:
            return eval(annotation, {}, self)  # noqa: S307 (our own annotations)
        except (TypeError, AttributeError):
            return Any


def _fitted(value: Any, kind: Any, *, deep: bool = True) -> Any:
    """Return the value, converted if need be to the annotated kind; `_UNFIT` if it does not fit.

    With `deep` the items of a sequence are checked too. Their own items never are.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if isinstance(value, str) and not value and Path in parts:
            return _UNFIT
        fitting = [fit for part in parts if (fit := _fitted(value, part, deep=deep)) is not _UNFIT]
        return next((fit for fit in fitting if fit is value), next(iter(fitting), _UNFIT))
    if origin in _SEQUENCES or kind in _SEQUENCES:
        if isinstance(value, str) and not deep:
            return _UNFIT  # its items would be letters
        is_list = origin is not tuple or parts[1:] == (...,)
        return _items(value, parts[0] if deep and parts and is_list else Any)
    if not _fits(value, kind):
        return _UNFIT
    return kind(value) if kind in _WIDER and not isinstance(value, kind) else value


def _fits(value: Any, kind: Any) -> bool:
    """Return whether a value is of a kind that is neither a union nor a sequence."""
    origin = get_origin(kind)
    if origin is Literal:
        return isinstance(value, str) and value in get_args(kind)
    if origin is abc.Mapping:
        keys, _ = get_args(kind)
        return isinstance(value, Mapping) and all(_fits(key, keys) for key in value)
    if origin is abc.Callable:
        return callable(value)
    if kind is bool:
        return type(value).__name__ in ("bool", "bool_")  # the latter is numpy's
    if kind in _WIDER:
        return isinstance(value, _WIDER[kind]) and not isinstance(value, bool)
    if kind is Any or not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return True
    return isinstance(value, kind)


def _items(value: Any, kind: Any) -> Any:
    """Return a sequence whose items are of that kind; `_UNFIT` for anything else."""
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
    """Return in words what a value must be."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        *others, last = dict.fromkeys(map(_described, parts))
        return f"{', '.join(others)} or {last}" if others else last
    if origin is Literal:
        return " or ".join(map(repr, parts))
    if origin in _SEQUENCES:
        return f"a list ({_described(parts[0])})" if parts else "a list"
    if origin is abc.Mapping:
        return f"a mapping (from {_described(parts[0])})"
    return _NAMES.get(origin or kind, getattr(kind, "__name__", "of another type"))
