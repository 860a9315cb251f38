"""The command line: one file per command, each a thin layer over the Python functions."""

from __future__ import annotations

import os
import sys

import typer

from preorder_eval import __version__
from preorder_eval.cli import (
    align,
    compare,
    convert,
    evaluate,
    reference,
    reorder,
    reproduce,
    rules,
    score,
    train,
)
from preorder_eval.errors import PreorderEvalError

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
app.command("compare")(compare.command)
app.command("convert")(convert.command)
app.command("evaluate")(evaluate.command)
app.command("reorder")(reorder.command)
app.command("score")(score.command)
app.command("train")(train.command)
app.add_typer(reference.app, name="reference")
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
        print(f"preorder-eval: {_visible(str(error))}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has left; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _visible(text: str) -> str:
    """The text on one line, control characters from the input made visible."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
