"""The command line: one file per command, each a thin layer over the Python functions."""

from __future__ import annotations

import importlib
import os
import sys
from inspect import getdoc
from pathlib import Path
from types import ModuleType
from typing import Any

import typer
from typer.core import TyperGroup

from preorder_eval import __version__
from preorder_eval.cli.commands import Command, command_of
from preorder_eval.cli.help_groups import COMMANDS
from preorder_eval.cli.screen import fitted
from preorder_eval.cli.verbosity import choose, usual
from preorder_eval.errors import PreorderEvalError, brief
from preorder_eval.manual import page_of

_NAMES = [name for names in COMMANDS.values() for name in names]

_READER_LEFT = 141  # as of Unix's own tools, 128 + SIGPIPE; 1 is what a gate says


class _Commands(dict[str, Any]):
    """The commands by name; a command's file is loaded when the command is asked for."""

    def __init__(self) -> None:
        super().__init__(dict.fromkeys(_NAMES))

    def get(self, name: str, default: Any = None) -> Any:
        if name not in self:
            return default
        module = _module(name)
        if hasattr(module, "app"):  # a group of commands
            app: typer.Typer = module.app
        else:
            app = typer.Typer(add_completion=False, rich_markup_mode=None)
            app.command(name)(module.command)
        is_group = len(app.registered_commands) > 1
        for info in app.registered_commands:
            info.cls = Command
            info.epilog = _see_manual(f"{name} {info.name}" if is_group else name)
        if is_group:
            app.info.epilog = _see_manual(name)
        command = typer.main.get_command(app)
        command.name = name
        return command

    def items(self) -> Any:
        return [(name, self.get(name)) for name in self]

    def short_help(self, name: str, width: int) -> str:
        """What a command does, without making the command of all its options."""
        module = _module(name)
        said = module.app.info.help if hasattr(module, "app") else getdoc(module.command)
        return Command(name, help=said).get_short_help_str(width)


def _module(command: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{command.replace('-', '_')}")


def _see_manual(command: str) -> str:
    return f"Manual: preorder-eval manual {page_of(command)}"


class _OnDemand(TyperGroup):
    """A group whose commands are loaded on demand."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = self._listed = _Commands()

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands in groups, by what people do with them."""
        widest = max(map(len, self.commands))
        for title, names in COMMANDS.items():
            with formatter.section(title):
                short = formatter.width - widest - 6  # click's margins
                formatter.write_dl(
                    [(name.ljust(widest), self._listed.short_help(name, short)) for name in names]
                )


app = typer.Typer(
    name="preorder-eval",
    cls=_OnDemand,
    help="Find out in seconds whether a parser or reordering rules made word order better.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"preorder-eval {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
    quiet: bool = typer.Option(
        False, "--quiet", "-q", help="Say nothing but results and errors: no warnings, no progress."
    ),
    verbose: bool = typer.Option(
        False, "--verbose", "-v", help="Say also what is read, and from where."
    ),
) -> None:
    if quiet and verbose:
        raise typer.BadParameter("choose one of --quiet and --verbose")
    if quiet or verbose:
        choose("quiet" if quiet else "verbose")


# What is wrong on the command line; typer has no public name for all of it.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]


def main() -> None:
    """Run the command line; input errors are one line on stderr and exit code 2."""
    _open_streams()
    with usual(), fitted():
        _run()


def _open_streams() -> None:
    """Open what the caller has closed (`>&-`), for else results and errors change places."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _usage(error: Any) -> str:
    """What is wrong on the command line, in one line; the help of a group that is given nothing."""
    message = error.format_message()
    if error.ctx is not None and message == error.ctx.get_help():
        return str(message)
    message = message.removeprefix("Invalid value: ").replace("Value error, ", "").rstrip(".")
    command = "preorder-eval" if error.ctx is None else f"preorder-eval {command_of(error.ctx)}"
    return f"preorder-eval: {brief(message)}; see {command.strip()} --help"


def _run() -> None:
    try:
        try:
            code = app(standalone_mode=False)
        except SystemExit as leaving:  # typer's answer to any broken pipe is exit code 1
            if isinstance(leaving.__context__, BrokenPipeError):
                raise leaving.__context__ from None
            raise
        finally:
            sys.stdout.flush()  # here, where a reader that has left is an error we know
        sys.exit(code if isinstance(code, int) else 0)
    except PreorderEvalError as error:
        print(f"preorder-eval: {error}", file=sys.stderr)
        sys.exit(2)
    except _UsageError as error:
        print(_usage(error), file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has left; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(_READER_LEFT)
    except UnicodeEncodeError as error:
        unknown = error.object[error.start].encode("ascii", "backslashreplace").decode()
        print(
            f"preorder-eval: the output is to be in {error.encoding}, which has no {unknown}; set "
            "PYTHONUTF8=1 in the environment",
            file=sys.stderr,
        )
        sys.exit(2)
    except OSError as error:  # a name too long for the system, a disk that is full
        place = f"{error.filename}: " if error.filename else ""
        print(f"preorder-eval: {brief(f'{place}{error.strerror}')}", file=sys.stderr)
        sys.exit(2)
