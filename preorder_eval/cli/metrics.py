"""`preorder-eval metrics …`: what can be measured, and by which parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import JsonForText, Printed

if TYPE_CHECKING:
    from preorder_eval.metrics.base import Metric

app = typer.Typer(
    help="List and show the metrics.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@app.command("list")
@grouped
def list_metrics(*, printed: Printed) -> None:
    """List the metrics that are bundled or installed.

    \b
    Examples:
      preorder-eval metrics list
      preorder-eval metrics list --json
    """
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.metrics import metric_types

    header = ["metric", "needs", "better", "range", "source"]
    rows = [
        [
            name,
            ", ".join(_needs(kind)),
            _better(kind),
            " to ".join(f"{end:g}" for end in kind.range),
            kind.paper,
        ]
        for name, kind in metric_types().items()
    ]
    printed.show(
        lambda: [dict(zip(header, row, strict=True)) for row in rows],
        lambda: [(header, [list(row) for row in rows])],
        lambda: format_table(header, rows),
    )


@app.command("show")
def show(
    metric: Annotated[str, typer.Argument(help="The metric's name.", metavar="NAME")],
    json: JsonForText = False,
) -> None:
    """Print what a metric computes, where it is from, and its parameters.

    \b
    Examples:
      preorder-eval metrics show fuzzy
      preorder-eval metrics show ROUGE-L
    """
    from preorder_eval.formats.tables import format_json
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.metrics import metric_type, written_out
    from preorder_eval.metrics.base import parse_signature

    kind = metric_type(parse_signature(written_out(metric))[0])
    facts: dict[str, Any] = {
        "metric": kind.name,
        "equation": kind.equation,
        "source": kind.paper,
        "range": list(kind.range),
        "higher_is_better": kind.higher_is_better,
        "needs": _needs(kind),
        "parameters": _parameters(kind),
    }
    if json:
        print(format_json(facts), end="")
        return
    low, high = kind.range
    lines = [
        f"{kind.name}: {_description(kind)}",
        "",
        f"equation  {kind.equation}",
        f"source    {kind.paper}",
        f"range     {low:g} to {high:g}, {_better(kind)} is better",
        f"needs     {', '.join(facts['needs'])}",
    ]
    rows = [[p["name"], p["values"], p["default"]] for p in facts["parameters"]]
    if rows:
        lines += ["", format_table(["parameter", "values", "default"], rows)]
    print("\n".join(lines))


def _needs(kind: type[Metric]) -> list[str]:
    """What it needs by default; nothing is known of one that has parameters without default."""
    return [] if kind.required() else list(kind().needs)


def _better(kind: type[Metric]) -> str:
    return "higher" if kind.higher_is_better else "lower"


def _parameters(kind: type[Metric]) -> list[dict[str, str]]:
    from dataclasses import MISSING, fields

    from preorder_eval.metrics.base import parameter_types, print_value

    types = parameter_types(kind)
    return [
        {
            "name": field.name,
            "values": _values(types[field.name]),
            "default": "" if field.default is MISSING else print_value(field.default),
        }
        for field in fields(kind)
    ]


def _values(kind: Any) -> str:
    """The legal values of a parameter in words."""
    from types import UnionType
    from typing import Literal, Union, get_args, get_origin

    if get_origin(kind) is Literal:
        return " | ".join(map(str, get_args(kind)))
    if get_origin(kind) in (Union, UnionType):
        return " | ".join(map(_values, get_args(kind)))
    named = {bool: "true | false", int: "a whole number", float: "a number"}
    return named.get(kind, "text")


def _description(kind: type[Metric]) -> str:
    """The documentation of a metric without its examples."""
    import inspect

    return (inspect.getdoc(kind) or "").partition(">>>")[0].strip()
