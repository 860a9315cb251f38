"""`preorder-eval metrics`: what can be measured, by which parameters, and by whose program."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.options import METRIC, Described, Printed
from preorder_eval.data.tokenization import Tokenize
from preorder_eval.metrics import metric_type, metric_types, written_out
from preorder_eval.metrics.base import Metric, parameter_types, parse_signature, print_value
from preorder_eval.tables import Column, Shown, Table

_LISTED = list(map(Column, ["metric", "needs", "better", "range", "source"]))
_PARAMETERS = [Column("name", "parameter"), Column("values"), Column("default")]
_NAMED = {bool: "true | false", int: "a whole number", float: "a number"}


def command(
    metric: Annotated[str | None, METRIC, Argument("The metric's name.", metavar="[NAME]")] = None,
    *,
    printed: Printed,
) -> None:
    """List the metrics, or show what one computes.

    Examples:
      preorder-eval metrics
      preorder-eval metrics fuzzy
      preorder-eval metrics ROUGE-L
      preorder-eval metrics verify --hyp out.en --ref ref.en
    """
    if metric is None:
        printed.print(_Metrics(metric_types()))
    else:
        printed.print(_OneMetric(metric_type(parse_signature(written_out(metric))[0])))


def verify(
    hyp: Annotated[Path, Option("A system's output, one sentence a line.", group="Systems")],
    ref: Annotated[
        tuple[Path, ...], Option("References, one sentence a line. Repeatable.", group="Systems")
    ],
    tokenize: Annotated[
        Tokenize,
        Option("How lines are split into words.", group="Inputs of metrics", metavar="NAME"),
    ] = "auto",
    ribes: Annotated[
        Path | None,
        Option("RIBES.py, the program of NTT.", group="Evaluation of other tools", metavar="PATH"),
    ] = None,
    meteor: Annotated[
        Path | None,
        Option("meteor-1.5.jar; needs Java.", group="Evaluation of other tools", metavar="PATH"),
    ] = None,
    *,
    printed: Printed,
) -> None:
    """Compare metrics with the official programs.

    Each metric, and the program that it equals, score every sentence. sacrebleu, rouge-score, jiwer
    and nltk run if they are installed.

    Examples:
      preorder-eval metrics verify --hyp out.en --ref ref.en
      preorder-eval metrics verify --hyp out.en --ref ref.en --meteor meteor-1.5.jar
    """
    from preorder_eval.papers import programs  # with all that scores, so for this alone
    from preorder_eval.results.reading import check_lengths, read_texts

    outputs, *references = read_texts([hyp, *ref])
    check_lengths([outputs, *references])
    given = {"ribes-1.03.1": ribes, "meteor-1.5": meteor}
    result = programs.verify(
        list(outputs.sentences),
        [list(text.sentences) for text in references],
        tokenize,
        {name: path for name, path in given.items() if path is not None},
    )
    printed.print(result)


@dataclass(frozen=True)
class _Metrics(Shown):
    """The metrics that are bundled or installed."""

    kinds: dict[str, type[Metric]]

    def tables(self) -> list[Table]:
        rows = [
            [
                name,
                ", ".join(_needs(kind)),
                _better(kind),
                " to ".join(f"{end:g}" for end in kind.range),
                kind.paper,
            ]
            for name, kind in self.kinds.items()
        ]
        return [Table("metrics", _LISTED, rows)]


@dataclass(frozen=True)
class _OneMetric(Described):
    """A metric and its parameters."""

    kind: type[Metric]

    def text(self) -> str:
        kind = self.kind
        low, high = kind.range
        described = (inspect.getdoc(kind) or "").partition(">>>")[0].strip()
        lines = (
            f"{kind.name}: {described}\n\n"
            f"equation  {kind.equation}\n"
            f"source    {kind.paper}\n"
            f"range     {low:g} to {high:g}, {_better(kind)} is better\n"
            f"needs     {', '.join(_needs(kind))}"
        )
        lines += "".join(f"\nequals    {line}" for line in _equals(kind))
        lines += f"\ndiffers   {kind.differs}" if kind.differs else ""
        [parameters] = self.tables()
        return f"{lines}\n\n{parameters.text()}" if parameters.rows else lines

    def facts(self) -> dict[str, Any]:
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
    """Return the default inputs; none for a metric that has parameters without default."""
    return [] if kind.required() else list(kind().needs)


def _equals(kind: type[Metric]) -> list[str]:
    """Return the programs whose numbers it gives, and by which parameters."""
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
