"""The command line: a file per command or group of them, a thin layer over the Python functions."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
import sys
from contextvars import copy_context
from typing import NoReturn

import click

if sys.platform != "win32":
    import fcntl

from preorder_eval.base.errors import AT_COMMAND_LINE, PreorderEvalError, brief, keeping_warnings
from preorder_eval.base.version import __version__
from preorder_eval.cli.commands import Commands, name_of
from preorder_eval.cli.terminal import usual

_PROGRAM = "preorder-eval"
_READER_LEFT = 141  # as of Unix's own tools, 128 + SIGPIPE; 1 is what a gate says


app = Commands(
    help="Find out whether a parser or reordering rules improve word order.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app = click.version_option(__version__, prog_name=_PROGRAM, message="%(prog)s %(version)s")(app)


def main() -> None:
    """Run the command line; input errors are one line on stderr and exit code 2."""
    _open_streams()
    begun = _output_size()
    with usual():
        try:
            code = copy_context().run(_run)  # what --trust sets ends with the command
        except PreorderEvalError as error:
            _take_back(begun)
            _fail(str(error))
        except click.UsageError as error:
            _fail_usage(error)
        except BrokenPipeError:
            _discard_output()  # its reader has left
            code = _READER_LEFT
        except UnicodeEncodeError as error:
            unknown = error.object[error.start].encode("ascii", "backslashreplace").decode()
            _take_back(begun)
            _fail(
                f"the output encoding {error.encoding} has no {unknown}; set PYTHONUTF8=1 in the "
                "environment"
            )
        except OSError as error:  # a name too long for the system, a disk that is full
            _take_back(begun)
            _discard_output()
            place = f"{error.filename}: " if error.filename else ""
            closed = error.errno == errno.EBADF
            _fail(brief("standard output is closed" if closed else f"{place}{error.strerror}"))
        except MemoryError:
            _take_back(begun)
            _fail("out of memory; process less text at once")
    sys.exit(code)


def _run() -> int:
    """Run a command, and return the exit code."""
    AT_COMMAND_LINE.set(True)
    try:
        with keeping_warnings(), app.make_context(_PROGRAM, sys.argv[1:]) as context:
            app.invoke(context)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    finally:
        sys.stdout.flush()  # here, where a reader that has left is an error we know
    return 0


def _open_streams() -> None:
    """Open the standard streams that the caller has closed (`>&-`).

    Otherwise the next file that is opened would get the number of standard output, and results
    would be written into it. Writing to a closed standard output is an error: the text would be
    lost.
    """
    for name, mode in (("stdin", os.O_RDONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            form = "r" if name == "stdin" else "w"
            stream = os.fdopen(os.open(os.devnull, mode), form, encoding="utf-8")
            setattr(sys, name, stream)
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        # With PYTHONUNBUFFERED what a full disk does not take would be lost without an error.
        buffer = io.BufferedWriter(sys.stdout.buffer)
        sys.stdout = io.TextIOWrapper(buffer, sys.stdout.encoding, line_buffering=True)


def _output_size() -> int | None:
    """Return the size of the file that standard output is redirected to; None for anything else.

    It is also None for a file that is appended to (`>>`): other processes may do so at the same
    time.
    """
    with contextlib.suppress(OSError):
        status = os.fstat(1)
        if sys.platform != "win32" and fcntl.fcntl(1, fcntl.F_GETFL) & os.O_APPEND:
            return None
        return status.st_size if stat.S_ISREG(status.st_mode) else None
    return None


def _take_back(begun: int | None) -> None:
    """Cut the output file back, so that part of a result cannot be taken for the whole."""
    if begun is not None:
        os.ftruncate(1, begun)
        os.lseek(1, begun, os.SEEK_SET)


def _discard_output() -> None:
    """Keep Python from complaining at exit about output that it cannot write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _fail(message: str) -> NoReturn:
    for line in message.split("\n"):  # a fault each
        print(f"{_PROGRAM}: {line}", file=sys.stderr)
    sys.exit(2)


def _fail_usage(error: click.UsageError) -> NoReturn:
    """Print in one line what is wrong on the command line; or a group's help without a command."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        sys.exit(error.exit_code)
    message = error.format_message().removeprefix("Invalid value: ").rstrip(".")
    if message.startswith("Got unexpected extra argument") and error.ctx is not None:
        options = {option for parameter in error.ctx.command.params for option in parameter.opts}
        wanted = "--rules" if ".toml" in message else "--trees" if ".conllu" in message else "--hyp"
        if wanted in options:
            message += f"; write the option before each file: {wanted} FILE"
    elif isinstance(error, click.MissingParameter) and isinstance(error.param, click.Option):
        message += f" {error.param.metavar or ''}".rstrip()
    command = "" if error.ctx is None else name_of(error.ctx)
    _fail(f"{brief(message)}; see {' '.join(filter(None, [_PROGRAM, command]))} --help")
