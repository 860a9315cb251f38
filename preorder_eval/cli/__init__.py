"""The command line: one file per command, each a thin layer over the Python functions."""

from __future__ import annotations

import os
import sys
from contextvars import copy_context
from pathlib import Path
from typing import NoReturn

import click
from click.shell_completion import get_completion_class, shell_complete

from preorder_eval import __version__
from preorder_eval.cli.commands import Commands, name_of
from preorder_eval.cli.terminal import usual
from preorder_eval.errors import PreorderEvalError, brief

_PROGRAM = "preorder-eval"
_COMPLETE = "_PREORDER_EVAL_COMPLETE"
_READER_LEFT = 141  # as of Unix's own tools, 128 + SIGPIPE; 1 is what a gate says


def _print_completion(ctx: click.Context, parameter: click.Parameter, shell: str | None) -> None:
    """Print the script that makes a shell complete names."""
    kind = shell and get_completion_class(shell)
    if kind:
        print(kind(app, {}, _PROGRAM, _COMPLETE).source())
        ctx.exit()


app = Commands(
    help="Find out in seconds whether a parser or reordering rules made word order better.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    params=[
        click.Option(
            ["--show-completion"],
            type=click.Choice(["bash", "zsh", "fish"]),
            help="Print a script that makes a shell complete names; ~/.bashrc is its place.",
            expose_value=False,
            is_eager=True,
            callback=_print_completion,
        )
    ],
)
app = click.version_option(__version__, prog_name=_PROGRAM, message="%(prog)s %(version)s")(app)


def main() -> None:
    """Run the command line; input errors are one line on stderr and exit code 2."""
    _open_streams()
    with usual():
        try:
            code = copy_context().run(_run)  # what --trust sets ends with the command
        except PreorderEvalError as error:
            _fail(str(error))
        except click.UsageError as error:
            _fail_usage(error)
        except BrokenPipeError:
            # The reader of our output has left; keep the interpreter from complaining at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            code = _READER_LEFT
        except UnicodeEncodeError as error:
            unknown = error.object[error.start].encode("ascii", "backslashreplace").decode()
            _fail(
                f"the output is to be in {error.encoding}, which has no {unknown}; set "
                "PYTHONUTF8=1 in the environment"
            )
        except OSError as error:  # a name too long for the system, a disk that is full
            place = f"{error.filename}: " if error.filename else ""
            _fail(brief(f"{place}{error.strerror}"))
    sys.exit(code)


def _run() -> int:
    """Run a command, or complete what is typed, and return the exit code."""
    if instruction := os.environ.get(_COMPLETE):
        return shell_complete(app, {}, _PROGRAM, _COMPLETE, instruction)
    try:
        with app.make_context(_PROGRAM, sys.argv[1:]) as context:
            app.invoke(context)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    finally:
        sys.stdout.flush()  # here, where a reader that has left is an error we know
    return 0


def _open_streams() -> None:
    """Open what the caller has closed (`>&-`), for else results and errors change places."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _fail(message: str) -> NoReturn:
    for line in message.split("\n"):  # a fault each
        print(f"{_PROGRAM}: {line}", file=sys.stderr)
    sys.exit(2)


def _fail_usage(error: click.UsageError) -> NoReturn:
    """Print what is wrong on the command line in one line; the help of a group given nothing."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        sys.exit(error.exit_code)
    message = error.format_message().removeprefix("Invalid value: ").rstrip(".")
    command = "" if error.ctx is None else name_of(error.ctx)
    _fail(f"{brief(message)}; see {' '.join(filter(None, [_PROGRAM, command]))} --help")
