"""Which parameters of a metric are free, and the settings that they can take.

A signature marks free parameters with a question mark: `lrscore(alpha=?)`, with a range of its
own `nkt(alpha=?0..0.5)`, and for weights that are written as a ratio `hlepor(weights=?:?:1)`, or
`weights=?` for all of them.

A *point* has a number for every free parameter. Weights of which only the ratio counts (α and β of
the LEPOR family, the parts of a ratio) keep the sum of their defaults if all of them are free and
none has a range: what one gains, another loses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import Field, dataclass, fields, replace
from itertools import combinations
from typing import Any, get_args, get_type_hints

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.metrics import metric, written_out
from preorder_eval.metrics.base import Metric, parse_signature
from preorder_eval.metrics.lepor import LeporMetric

_FREE = "?"
# gtm and rouge_w allow nothing below 1, and no power is 0.
_RANGES = {"e": (1.0, 5.0), "weight": (1.0, 5.0), "power": (0.1, 4.0)}
_UNIT, _WIDE = (0.0, 1.0), (0.0, 10.0)  # of what is a fraction by default, and of the others
_WEIGHTS = ("alpha", "beta")  # of recall and precision in the LEPOR family
_DIGITS = 12  # after the point


@dataclass(frozen=True)
class Parameter:
    """A free number of a metric: its field, its place if the field is a ratio, and its range.

    `ratio` names the ratio that it is a part of, unless it has a range of its own.
    """

    field: str
    part: int | None
    low: float
    high: float
    default: float
    ratio: str | None = None

    def __str__(self) -> str:
        return self.field if self.part is None else f"{self.field}[{self.part + 1}]"


@dataclass(frozen=True, eq=False)
class Space:
    """The settings of a metric's free parameters.

    `signature` has a ? for each of them; `name` is the metric and `written` its parameters, a
    ratio in its parts. `directions` are the ways from one setting to others: a parameter that
    rises, by number, and the one that falls with it where they keep their sum.

    >>> space = Space.of("lepor(alpha=?,beta=?)")
    >>> str(space.metric(space.default)), space.directions
    ('lepor(alpha=9.0,beta=1.0,n=2,system=A)', [(0, 1)])
    """

    signature: str
    name: str
    written: dict[str, list[str]]
    parameters: tuple[Parameter, ...]
    directions: list[tuple[int, int | None]]

    @classmethod
    def of(cls, signature: str, **shared: str) -> Space:
        """Read a signature with free parameters; `shared` ones hold where it says nothing else.

        Raises PreorderEvalError where none is free, one is unknown or not a number, or a range is
        empty or not allowed by the metric.
        """
        name, settings = parse_signature(written_out(signature))
        settings |= {key: value for key, value in shared.items() if key not in settings}
        signature = f"{name}({','.join(f'{key}={value}' for key, value in settings.items())})"
        fixed = ",".join(f"{key}={value}" for key, value in settings.items() if _FREE not in value)
        kind = type(metric(f"{name}({fixed})" if fixed else name))
        if not any(_FREE in value for value in settings.values()):
            raise PreorderEvalError(
                f"metric {signature}: no parameter is free; mark it as in name=?{_names(kind)}"
            )
        written, parameters = {}, []
        for key, value in settings.items():
            written[key] = [value]
            if _FREE in value:
                written[key], free = _read_free(kind, key, value)
                parameters += free
        sums = _sums(written, parameters)
        for group in sums:
            total = sum(parameters[number].default for number in group)
            for number in group:
                parameters[number] = replace(parameters[number], high=total)
        alone = [n for n in range(len(parameters)) if not any(n in group for group in sums)]
        pairs = [pair for group in sums for pair in combinations(group, 2)]
        space = cls(
            signature, name, written, tuple(parameters), [*((n, None) for n in alone), *pairs]
        )
        for ends in (space.low, space.high):
            for number, end in enumerate(ends):
                point = space.middle
                point[number] = end
                space.metric(point)  # which raises what the metric has against the range
        return space

    def metric(self, point: Sequence[float] | Floats) -> Metric:
        """Return the metric with these numbers for its free parameters."""
        values = iter(np.asarray(point, dtype=np.float64).tolist())
        written = {
            key: ":".join(repr(next(values)) if part == _FREE else part for part in parts)
            for key, parts in self.written.items()
        }
        return metric(f"{self.name}({','.join(f'{k}={v}' for k, v in written.items())})")

    @property
    def low(self) -> Floats:
        """The lowest value of each free parameter; float64[p]."""
        return np.array([parameter.low for parameter in self.parameters])

    @property
    def high(self) -> Floats:
        """The highest value of each free parameter; float64[p]."""
        return np.array([parameter.high for parameter in self.parameters])

    @property
    def middle(self) -> Floats:
        """The middle of each range, which does not keep sums; float64[p]."""
        return (self.low + self.high) / 2

    @property
    def default(self) -> Floats:
        """The metric's own values of the free parameters; float64[p]."""
        return np.array([parameter.default for parameter in self.parameters])

    def line(self, point: Floats, direction: tuple[int, int | None], steps: int) -> Floats:
        """Return the settings of a grid along a direction through a point; float64[n, p].

        The grid cuts the range of the parameter that rises into so many steps.

        >>> Space.of("nkt(alpha=?)").line(np.array([0.3]), (0, None), steps=4).tolist()
        [[0.0], [0.25], [0.5], [0.75], [1.0]]
        """
        rises, falls = direction
        low, high = self.low, self.high
        points = np.tile(point, (steps + 1, 1))
        points[:, rises] = np.linspace(low[rises], high[rises], steps + 1)
        if falls is not None:
            points[:, falls] -= points[:, rises] - point[rises]
            inside = (low[falls] <= points[:, falls]) & (points[:, falls] <= high[falls])
            points = points[inside]
        return np.round(points, _DIGITS)

    def random(self, rng: np.random.Generator, steps: int) -> Floats:
        """Return a point by chance, reached from the default one along the grid."""
        point = np.clip(self.default, self.low, self.high)
        for direction in self.directions:
            point = rng.choice(self.line(point, direction, steps))
        return point


def _read_free(kind: type[Metric], key: str, value: str) -> tuple[list[str], list[Parameter]]:
    """Return the parts of a parameter that is not fixed, free ones as ?, and the free ones."""
    field = {field.name: field for field in fields(kind)}.get(key)
    if field is None:
        raise UnknownNameError(f"parameter of {kind.name}", key, [f.name for f in fields(kind)])
    if not _is_number(kind, field) and not _is_ratio(field):
        raise PreorderEvalError(
            f"metric {kind.name}: {key}=? cannot be fitted, it is not a fraction or a weight"
            f"{_names(kind)}"
        )
    try:
        defaults = [float(part) for part in str(field.default).split(":")]
    except ValueError:
        raise PreorderEvalError(
            f"metric {kind.name}: {key}=? cannot be fitted, it is {field.default} by default"
        ) from None
    texts = value.split(":") if _is_ratio(field) else [value]
    if texts == [_FREE]:
        texts = [_FREE] * len(defaults)
    # More n-grams than nlepor has by default, say: they start as the last of these.
    defaults += defaults[-1:] * (len(texts) - len(defaults))
    ratio = key if _is_ratio(field) else None
    if issubclass(kind, LeporMetric) and key in _WEIGHTS:
        ratio = ":".join(_WEIGHTS)
    parameters = []
    for number, (text, default) in enumerate(zip(texts, defaults, strict=False)):
        if _FREE in text:
            part = number if _is_ratio(field) else None
            limits = _read_range(kind, key, text)
            low, high = limits or _RANGES.get(key, _UNIT if default < 1 else _WIDE)
            parameters.append(Parameter(key, part, low, high, default, None if limits else ratio))
    return [_FREE if _FREE in text else text for text in texts], parameters


def _read_range(kind: type[Metric], key: str, text: str) -> tuple[float, float] | None:
    """Return the range of ?low..high, None for a bare question mark."""
    if text == _FREE:
        return None
    low, dots, high = text.removeprefix(_FREE).partition("..")
    try:
        ends = float(low), float(high)
    except ValueError:
        ends = (math.nan, math.nan)
    if not (text.startswith(_FREE) and dots and -math.inf < ends[0] < ends[1] < math.inf):
        raise PreorderEvalError(
            f"metric {kind.name}: {key}={text} is not ? or a range such as ?0..0.5"
        )
    return ends


def _sums(written: dict[str, list[str]], parameters: Sequence[Parameter]) -> list[list[int]]:
    """Return the ratios of which all parts are free and none has a range, as numbers of these."""
    by_ratio: dict[str, list[int]] = {}
    for number, parameter in enumerate(parameters):
        if parameter.ratio:
            by_ratio.setdefault(parameter.ratio, []).append(number)
    return [
        numbers
        for ratio, numbers in by_ratio.items()
        if len(numbers) == len(written.get(ratio, _WEIGHTS))
    ]


def _is_number(kind: type[Metric], field: Field[Any]) -> bool:
    expected = get_type_hints(kind)[field.name]
    return expected is float or float in get_args(expected)


def _is_ratio(field: Field[Any]) -> bool:
    """Return whether a field is written as 3:2:1."""
    return isinstance(field.default, str) and ":" in field.default


def _names(kind: type[Metric]) -> str:
    """Return which parameters can be fitted, to be appended to an error."""
    names = [f.name for f in fields(kind) if _is_number(kind, f) or _is_ratio(f)]
    return f"; {kind.name} has {', '.join(names)}" if names else f"; {kind.name} has none"
