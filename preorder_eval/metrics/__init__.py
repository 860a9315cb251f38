"""The metrics, found by name. A new metric is one new file in this folder."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from preorder_eval.errors import UnknownNameError
from preorder_eval.metrics.shared.base import Metric, OrderMetric, build, parse_signature
from preorder_eval.metrics.shared.lexical import LexicalMetric


@cache
def metric_types() -> dict[str, type[Metric]]:
    """Every metric of this folder by its name."""
    found: dict[str, type[Metric]] = {}
    for module in pkgutil.iter_modules(__path__):
        for value in vars(importlib.import_module(f"{__name__}.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, Metric) and hasattr(value, "name"):
                found[value.name] = value
    return found


def metric(signature: str, **parameters: Any) -> Any:
    """A metric from its signature or its name and parameters.

    Raises UnknownNameError, with the legal values, for an unknown metric or parameter.

    >>> str(metric("fuzzy"))
    'fuzzy(match=word)'
    >>> str(metric("fuzzy(match=position)", unaligned="drop"))
    'fuzzy(match=position,unaligned=drop)'
    """
    name, written = parse_signature(signature)
    types = metric_types()
    if name not in types:
        raise UnknownNameError("metric", name, types)
    return build(types[name], {**written, **parameters})


def order_metric(signature: str) -> OrderMetric:
    """A metric that compares orders, from its signature."""
    found = metric(signature)
    if not isinstance(found, OrderMetric):
        names = [n for n, t in metric_types().items() if issubclass(t, OrderMetric)]
        raise UnknownNameError("order metric", signature, names)
    return found


def lexical_types() -> dict[str, type[LexicalMetric]]:
    """The metrics that compare words of outputs and references, by their names."""
    return {n: t for n, t in metric_types().items() if issubclass(t, LexicalMetric)}


def lexical_metric(signature: str, **parameters: Any) -> LexicalMetric:
    """A metric that compares words of outputs and references, from its signature."""
    found = metric(signature, **parameters)
    if not isinstance(found, LexicalMetric):
        raise UnknownNameError("metric of outputs", signature, lexical_types())
    return found
