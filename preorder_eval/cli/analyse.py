"""`preorder-eval analyse`: the errors of the orders, or of the outputs, of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

from preorder_eval.analysis.analyse import analyse
from preorder_eval.analysis.analyse_outputs import analyse_outputs
from preorder_eval.analysis.analyse_parsers import analyse_parsers
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.cli.command import Argument, Given, Option
from preorder_eval.cli.shared.options import SHOWN_SOURCE, Printed
from preorder_eval.cli.terminal import progress
from preorder_eval.evaluation.runs.run_reading import read_run

_LEAST = 5  # words of a group
_TOP = 10  # rows of a table
_OF_ORDERS, _OF_OUTPUTS = ("gold", "least"), ("source", "tokenize")  # options
_WHOLE = {"errors", "sentences"}  # tables of which no group is left out


def _without(table: str) -> Callable[[Given], str]:
    """Return a function that rejects an option if its table is not shown."""
    return lambda given: "" if table in given.get("by", [table]) else f"needs --by {table}"


def command(
    run: Annotated[
        Path, Argument("Run folder written by evaluate or score with --out.", metavar="RUN")
    ],
    system: Annotated[
        tuple[str, ...],
        Option(
            "System to analyse if the run has several, or two systems to compare; for outputs "
            "[the first and the last].",
            group="Systems",
            metavar="NAME",
        ),
    ] = (),
    by: Annotated[
        tuple[str, ...],
        Option(
            "Table to show: word, upos, label, head, phenomenon, length, errors (of the "
            "parser), sentences (the worst); for outputs parts (words or order), length, "
            "sentences (that differ). Repeatable.",
            group="Output",
            metavar="WHAT",
            distinct=True,
        ),
    ] = (),
    gold: Annotated[
        Path | None,
        Option(
            "CoNLL-U file with gold trees of the sentences, if neither the run nor the bundled "
            "reference set has them.",
            group="References",
            idle=_without("errors"),
        ),
    ] = None,
    source: Annotated[Path | None, SHOWN_SOURCE, Option(idle=_without("sentences"))] = None,
    tokenize: Annotated[
        str | None,
        Option(
            "Tokenizer of outputs, as in score.",
            group="Inputs of metrics",
            metavar="NAME",
            shown="that of their metrics",
        ),
    ] = None,
    least: Annotated[
        int | None, Option("Skip groups of fewer words.", group="Output", low=1, shown=str(_LEAST))
    ] = None,
    top: Annotated[
        int | None,
        Option(
            "Rows to show per table; 0 shows all.",
            group="Output",
            low=0,
            shown=f"{_TOP}; all for two parsers",
        ),
    ] = None,
    *,
    printed: Printed,
) -> None:
    """For a system of orders, the tables show which words are misplaced, how much FRS this costs,
    and which parser errors cause it. `helped` and `hurt` count the corrections of a parser error
    that raise or lower the score. For two systems of orders, the tables show where their parsers
    differ. For outputs, they show scores by sentence length. For two outputs, they also show
    whether the outputs differ in words or in order, and which sentences differ most. The first
    metric of a run decides whether orders or outputs are analysed.

    Examples:
      preorder-eval analyse runs/today --system en-web/en-ja
      preorder-eval analyse runs/today --system en-web/en-ja --by label --by errors
      preorder-eval analyse runs/mt --system base --system new
    """
    data = read_run(run)
    kind = "orders" if "orders" in data.metrics[0].needs else "outputs"
    _refuse_idle(run, kind, system, by, source=source, tokenize=tokenize, gold=gold, least=least)
    most = _TOP if top is None else top
    if kind == "orders":
        if len(system) > 1:
            apart = analyse_parsers(data, system, gold, progress=progress)
            printed.print(apart.narrowed(top=top or 0), whole=True)
            return
        analysis = analyse(data, system[0] if system else None, gold)
        printed.print(analysis.narrowed(by or None, least=least or _LEAST, top=most), whole=True)
        return
    comparison = analyse_outputs(data, system, source=source, tokenize=tokenize or "")
    printed.print(comparison.narrowed(by or None, top=most), whole=True)


def _refuse_idle(
    run: Path, kind: str, systems: Sequence[str], by: Sequence[str], **options: object
) -> None:
    """Raise PreorderEvalError for an option that has no effect on orders, or on outputs."""
    least = options["least"]
    if least is not None and by and _WHOLE.issuperset(by):
        raise PreorderEvalError(
            f"--least has no effect on --by {' and '.join(by)}: it skips no groups"
        )
    if kind == "orders" and len(systems) > 1 and (by or least):
        idle = "--by" if by else "--least"
        raise PreorderEvalError(f"{idle} has no effect on two systems of orders; give one --system")
    right = "outputs" if kind == "orders" else "orders"
    for name in _OF_OUTPUTS if kind == "orders" else _OF_ORDERS:
        if options[name] is not None:
            raise PreorderEvalError(f"--{name} is for {right}; {run} has {kind}")
