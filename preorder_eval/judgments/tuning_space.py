"""The free parameters of a metric, and the values that they can have.

A signature marks free parameters with a question mark: `lrscore(alpha=?)`. If weights are written
as a ratio, some of them can be free, as in `hlepor(weights=?:?:1)`, or all: `weights=?`.

A *point* has a number for every free parameter. For some weights only the ratio matters: α and β of
the LEPOR family, and the parts of a ratio. If all of them are free, their sum is fixed at the sum
of their defaults: if one rises, another falls.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import Field, dataclass, fields
from itertools import combinations
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError, UnknownNameError
from preorder_eval.metrics import metric, written_out
from preorder_eval.metrics.base import Metric, parse_signature
from preorder_eval.metrics.outputs.lepor import LeporMetric

_FREE = "?"
# gtm and rouge_w allow nothing below 1, and no power is 0.
_RANGES = {"e": (1.0, 5.0), "weight": (1.0, 5.0), "power": (0.1, 4.0)}
_UNIT, _WIDE = (0.0, 1.0), (0.0, 10.0)  # of what is a fraction by default, and of the others
_WEIGHTS = ("alpha", "beta")  # of recall and precision in the LEPOR family
_DIGITS = 12  # after the point


@dataclass(frozen=True, eq=False)
class Space:
    """The settings of a metric's free parameters.

    `signature` is as it was given, `template` has a ? for each of them, and `names` what they are
    called. `low`, `high` and `default` float64[p] are their ranges and the metric's own values.
    `directions` lead from one setting to others: the numbers of a parameter that rises, and of the
    one that falls if they keep their sum.

    >>> space = Space.of("lepor(alpha=?,beta=?)")
    >>> str(space.metric(space.default)), space.directions
    ('lepor(alpha=9.0,beta=1.0,n=2,system=A)', [(0, 1)])
    """

    signature: str
    template: str
    names: list[str]
    low: Floats
    high: Floats
    default: Floats
    directions: list[tuple[int, int | None]]

    @classmethod
    def of(cls, signature: str, **shared: str) -> Space:
        """Read a signature with free parameters; `shared` ones hold where it says nothing else.

        Raises PreorderEvalError where none is free, and where one is unknown or not a number.
        """
        name, given = parse_signature(written_out(signature))
        settings = {**given, **{key: shared[key] for key in shared if key not in given}}
        fixed = {key: value for key, value in settings.items() if _FREE not in value}
        kind = type(metric(_written(name, fixed)))
        signature = _written(name, settings)
        if len(fixed) == len(settings):
            raise PreorderEvalError(
                f"metric {signature}: no parameter is free; mark it as in "
                f"name=?{_fitted_names(kind)}"
            )
        names: list[str] = []
        ranges: list[tuple[float, float, float]] = []
        together: dict[str, list[int]] = {}  # numbers of parameters of which the ratio counts
        for key, value in settings.items():
            if key in fixed:
                continue
            parts, defaults = _parts(kind, key, value)
            settings[key] = ":".join(parts)
            for place, (part, default) in enumerate(zip(parts, defaults, strict=False), 1):
                if part != _FREE:
                    continue
                if parts.count(_FREE) == len(parts) > 1:
                    together.setdefault(key, []).append(len(names))
                elif issubclass(kind, LeporMetric) and set(_WEIGHTS) <= settings.keys() - fixed:
                    together.setdefault("", []).append(len(names))
                names.append(key if len(defaults) == 1 else f"{key}[{place}]")
                ranges.append((*_RANGES.get(key, _UNIT if default < 1 else _WIDE), default))
        low, high, default_values = np.array(ranges).T
        for numbers in together.values():
            high[numbers] = default_values[numbers].sum()
        alone = set(range(len(names))).difference(*together.values())
        pairs = [pair for numbers in together.values() for pair in combinations(numbers, 2)]
        directions = [*((number, None) for number in sorted(alone)), *pairs]
        template = _written(name, settings)
        space = cls(signature, template, names, low, high, default_values, directions)
        space.metric(space.middle)  # which raises what the metric has against it
        return space

    @property
    def name(self) -> str:
        """The name of the metric."""
        return self.signature.partition("(")[0]

    @property
    def middle(self) -> Floats:
        """The middle of each range, which does not keep sums; float64[p]."""
        return (self.low + self.high) / 2

    def metric(self, point: Sequence[float] | Floats) -> Metric:
        """Return the metric with these numbers for its free parameters."""
        values = iter(np.asarray(point, dtype=np.float64).tolist())
        return metric(re.sub(re.escape(_FREE), lambda _: repr(next(values)), self.template))

    def line(self, point: Floats, direction: tuple[int, int | None], steps: int) -> Floats:
        """Return the settings of a grid along a direction through a point; float64[n, p].

        The grid cuts the range of the parameter that rises into `steps` steps.

        >>> Space.of("nkt(alpha=?)").line(np.array([0.3]), (0, None), steps=4).tolist()
        [[0.0], [0.25], [0.5], [0.75], [1.0]]
        """
        rises, falls = direction
        points = np.tile(point, (steps + 1, 1))
        points[:, rises] = np.linspace(self.low[rises], self.high[rises], steps + 1)
        if falls is not None:
            points[:, falls] -= points[:, rises] - point[rises]
            inside = (self.low[falls] <= points[:, falls]) & (points[:, falls] <= self.high[falls])
            points = points[inside]
        return np.round(points, _DIGITS)

    def random(self, rng: np.random.Generator, steps: int) -> Floats:
        """Return a random point, reached from the default point along the grid."""
        point = self.default
        for direction in self.directions:
            point = rng.choice(self.line(point, direction, steps))
        return point


def _written(name: str, settings: dict[str, str]) -> str:
    listed = ",".join(f"{key}={value}" for key, value in settings.items())
    return f"{name}({listed})" if listed else name


def _parts(kind: type[Metric], key: str, value: str) -> tuple[list[str], list[float]]:
    """Return the parts (several only for a ratio) and the defaults of a free parameter."""
    field = {field.name: field for field in fields(kind)}.get(key)
    if field is None:
        raise UnknownNameError(f"parameter of {kind.name}", key, [f.name for f in fields(kind)])
    problem = f"metric {kind.name}: {key}={value} cannot be fitted"
    if not _is_number(field) and not _is_ratio(field):
        raise PreorderEvalError(
            f"{problem}, because it is not a fraction or a weight{_fitted_names(kind)}"
        )
    defaults = [float(part) for part in str(field.default).split(":")]
    parts = value.split(":") if _is_ratio(field) else [value]
    if any(_FREE in part and part != _FREE for part in parts):
        raise PreorderEvalError(f"{problem}; write a free parameter as {_FREE} only")
    if parts == [_FREE]:
        parts = parts * len(defaults)
    # More n-grams than nlepor has by default, say: they start as the last of these.
    return parts, defaults + defaults[-1:] * (len(parts) - len(defaults))


def _is_number(field: Field[Any]) -> bool:
    return isinstance(field.default, float)


def _is_ratio(field: Field[Any]) -> bool:
    return isinstance(field.default, str) and ":" in field.default


def _fitted_names(kind: type[Metric]) -> str:
    """Return which parameters can be fitted, to be appended to an error."""
    names = [f.name for f in fields(kind) if _is_number(f) or _is_ratio(f)]
    return f"; {kind.name} has {', '.join(names)}" if names else f"; {kind.name} has none"
