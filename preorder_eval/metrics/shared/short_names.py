"""Names of metrics for tables: what tells them from their defaults and from each other."""

from __future__ import annotations

from collections.abc import Sequence

from preorder_eval.metrics import metric_type
from preorder_eval.metrics.shared.signatures import parse_signature


def short_names(signatures: Sequence[str]) -> tuple[list[str], str]:
    """Names of metrics with what tells them from their defaults and from each other.

    Returns also the settings that all share, which the names leave out.

    >>> short_names(["nkt(alpha=0.0,bp=false,lower=true)", "nkt(alpha=0.5,bp=false,lower=true)"])
    (['nkt', 'nkt(alpha=0.5)'], 'lower=true')
    """
    parsed = [_unusual(signature) for signature in signatures]
    shared = set.intersection(*(set(settings) for _, settings in parsed))
    shared = shared if len(parsed) > 1 else set()
    names = []
    for name, settings in parsed:
        telling = ",".join(setting for setting in settings if setting not in shared)
        names.append(f"{name}({telling})" if telling else name)
    return names, ",".join(sorted(shared))


def _unusual(signature: str) -> tuple[str, list[str]]:
    """A metric's name, and its parameters that have other values than by default."""

    name, written = parse_signature(signature)
    _, usual = parse_signature(str(metric_type(name)()))
    return name, [f"{key}={value}" for key, value in written.items() if usual.get(key) != value]
