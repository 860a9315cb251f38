"""The command line: one file per command, each a thin layer over the Python functions."""

from __future__ import annotations

import os
import sys

import typer

from preorder_eval import __version__
from preorder_eval.cli import (
    align,
    analyse,
    attachment,
    compare,
    convert,
    evaluate,
    meta,
    parse,
    reference,
    reorder,
    report,
    reproduce,
    reproduce_metrics,
    rules,
    score,
    select,
    self_train,
    train,
    tune,
    watch,
)
from preorder_eval.errors import PreorderEvalError
from preorder_eval.visible import visible

app = typer.Typer(
    name="preorder-eval",
    help="Find out in seconds whether a parser or reordering rules made word order better.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.command("align")(align.command)
app.command("analyse")(analyse.command)
app.command("attachment")(attachment.command)
app.command("compare")(compare.command)
app.command("convert")(convert.command)
app.command("evaluate")(evaluate.command)
app.command("meta")(meta.command)
app.command("parse")(parse.command)
app.command("reorder")(reorder.command)
app.command("report")(report.command)
app.command("score")(score.command)
app.command("select")(select.command)
app.command("self-train")(self_train.command)
app.command("train")(train.command)
app.command("tune")(tune.command)
app.command("watch")(watch.command)
app.add_typer(reference.app, name="reference")
reproduce.app.command("metrics")(reproduce_metrics.command)
app.add_typer(reproduce.app, name="reproduce")
app.add_typer(rules.app, name="rules")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"preorder-eval {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    pass


def main() -> None:
    """Run the command line; input errors are one line on stderr and exit code 2."""
    try:
        app()
    except PreorderEvalError as error:
        print(f"preorder-eval: {visible(str(error))}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has left; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
