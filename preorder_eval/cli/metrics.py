"""`preorder-eval metrics`: the metrics and their parameters."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, dataclass, fields
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from preorder_eval.base.tables import Column, Shown, Table
from preorder_eval.cli.command import Argument
from preorder_eval.cli.shared.options import METRIC, Described, Printed
from preorder_eval.metrics import metric_type, metric_types, written_out
from preorder_eval.metrics.base import Metric, parameter_types, parse_signature, print_value

_PARAMETERS = [Column("name", "parameter"), Column("values"), Column("default")]
_NAMED = {bool: "true | false", int: "a whole number", float: "a number"}


def command(
    metric: Annotated[str | None, METRIC, Argument("Name of the metric.", metavar="[NAME]")] = None,
    *,
    printed: Printed,
) -> None:
    """Examples:
    preorder-eval metrics
    preorder-eval metrics fuzzy
    preorder-eval metrics ROUGE-L
    """
    if metric is None:
        printed.print(_Metrics(metric_types()))
    else:
        printed.print(_OneMetric(metric_type(parse_signature(written_out(metric))[0])))


@dataclass(frozen=True)
class _Metrics(Shown):
    """The metrics that are bundled or installed."""

    kinds: dict[str, type[Metric]]

    def tables(self) -> list[Table]:
        columns = [
            Column("metric", of="name"),
            Column("needs", of=lambda kind: ", ".join(_needs(kind))),
            Column("better", of=_better),
            Column("range", of=lambda kind: " to ".join(f"{end:g}" for end in kind.range)),
            Column("source", of="paper"),
        ]
        return [Table.of("metrics", columns, self.kinds.values())]


@dataclass(frozen=True)
class _OneMetric(Described):
    """A metric and its parameters."""

    kind: type[Metric]

    @property
    def verdict(self) -> str:
        """What the metric measures, its equation, source, range, inputs, and equal programs."""
        paragraphs = self._described.split("\n\n")
        return "\n".join([*(" ".join(part.split()) for part in paragraphs), *self._lines()])

    @property
    def _described(self) -> str:
        described = (inspect.getdoc(self.kind) or "").partition(">>>")[0].strip()
        return f"{self.kind.name}: {described}"

    def _lines(self) -> list[str]:
        kind = self.kind
        low, high = kind.range
        lines = [
            f"equation  {kind.equation}",
            f"source    {kind.paper}",
            f"range     {low:g} to {high:g}, {_better(kind)} is better",
            f"needs     {', '.join(_needs(kind))}",
            *(f"equals    {line}" for line in _equals(kind)),
        ]
        return lines + ([f"differs   {kind.differs}"] if kind.differs else [])

    def text(self) -> str:
        [parameters] = self.tables()
        parts = [self._described, "\n".join(self._lines())]
        return "\n\n".join([*parts, *([parameters.text()] if parameters.rows else [])])

    def _facts(self) -> dict[str, Any]:
        kind = self.kind
        return {
            "metric": kind.name,
            "equation": kind.equation,
            "source": kind.paper,
            "range": list(kind.range),
            "higher_is_better": kind.higher_is_better,
            "needs": _needs(kind),
            "equals": dict(kind.equals),
            "differs": kind.differs,
        }

    def tables(self) -> list[Table]:
        types = parameter_types(self.kind)
        rows = [
            [
                field.name,
                _values(types[field.name]),
                "" if field.default is MISSING else print_value(field.default),
            ]
            for field in fields(self.kind)
        ]
        return [Table("parameters", _PARAMETERS, rows)]


def _needs(kind: type[Metric]) -> list[str]:
    """Return the inputs that a metric needs by default; none if a parameter has no default."""
    return [] if kind.required() else list(kind().needs)


def _equals(kind: type[Metric]) -> list[str]:
    """Return the programs that a metric equals, and with which parameters."""
    return [
        f"{program} {f'by like={program}: {parameters}' if parameters else 'on the same words'}"
        for program, parameters in kind.equals.items()
    ]


def _better(kind: type[Metric]) -> str:
    return "higher" if kind.higher_is_better else "lower"


def _values(kind: Any) -> str:
    """Return the legal values of a parameter in words."""
    if get_origin(kind) is Literal:
        return " | ".join(map(str, get_args(kind)))
    if get_origin(kind) in (Union, UnionType):
        return " | ".join(map(_values, get_args(kind)))
    return _NAMED.get(kind, "text")
