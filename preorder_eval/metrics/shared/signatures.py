"""A metric's signature: how it is read, what is built of it, and how it is printed."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import fields
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from preorder_eval.errors import PreorderEvalError, UnknownNameError

if TYPE_CHECKING:
    from preorder_eval.metrics.shared.base import Metric

_COMMA = re.compile(r",(?![^()]*\))")  # that is not in brackets


def parse_signature(text: str) -> tuple[str, dict[str, str]]:
    """A metric's name and its parameters as written; a value may be a signature itself.

    >>> parse_signature("fuzzy(match=word, unaligned=drop)")
    ('fuzzy', {'match': 'word', 'unaligned': 'drop'})
    >>> parse_signature("lrscore(lexical=chrf(beta=1,char_order=4),alpha=0.2)")
    ('lrscore', {'lexical': 'chrf(beta=1,char_order=4)', 'alpha': '0.2'})
    """
    match = re.fullmatch(r"\s*(\w+)\s*(?:\((.*)\))?\s*", text)
    if not match:
        raise PreorderEvalError(f"metric {text!r} is not written as name or name(key=value,…)")
    parameters = {}
    for part in filter(str.strip, _COMMA.split(match[2] or "")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value) or key in parameters:
            raise PreorderEvalError(f"metric {text!r}: {part.strip()!r} is not one key=value")
        parameters[key] = value
    return match[1], parameters


def build(metric_type: type[Metric], parameters: dict[str, Any]) -> Metric:
    """A metric from parameters, whose values may be given as text."""
    types = parameter_types(metric_type)
    values = {}
    for key, value in parameters.items():
        if key not in types:
            raise UnknownNameError(f"parameter of {metric_type.name}", key, types)
        values[key] = _read_value(metric_type.name, key, value, types[key])
    missing = [name for name in metric_type.required() if name not in values]
    if missing:
        raise PreorderEvalError(f"metric {metric_type.name} needs {', '.join(missing)}")
    return metric_type(**values)


def signature(metric: Metric) -> str:
    """A metric's name and its parameters, quiet ones last and most only where not default."""
    quiet_last = sorted(fields(metric), key=lambda f: bool(f.metadata.get("quiet")))
    shown = [
        f"{f.name}={print_value(getattr(metric, f.name))}"
        for f in quiet_last
        if not f.metadata.get("quiet")
        or f.metadata.get("always")
        or getattr(metric, f.name) != f.default
    ]
    return f"{metric.name}({','.join(shown)})" if shown else metric.name


@functools.cache
def parameter_types(metric_type: type[Metric]) -> Mapping[str, Any]:
    """The type of each parameter, by its name."""
    hints = get_type_hints(metric_type)
    return {f.name: hints[f.name] for f in fields(metric_type)}


def print_value(value: object) -> str:
    """A parameter's value as a signature writes it.

    >>> print_value(True), print_value("A")
    ('true', 'A')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_value(name: str, key: str, value: Any, expected: Any) -> Any:
    if not isinstance(value, str) or get_origin(expected) is Literal:
        return value
    if get_origin(expected) in (Union, UnionType):  # a word or a number: beta=ratio, beta=1
        words = [word for choice in get_args(expected) for word in get_args(choice)]
        [number] = [choice for choice in get_args(expected) if get_origin(choice) is not Literal]
        return value if value in words else _read_value(name, key, value, number)
    try:
        if expected is bool:
            return {"true": True, "false": False}[value]
        return expected(value)
    except (KeyError, ValueError):
        kind = {bool: "true or false", int: "a whole number", float: "a number"}[expected]
        raise PreorderEvalError(f"metric {name}: {key}={value} is not {kind}") from None
