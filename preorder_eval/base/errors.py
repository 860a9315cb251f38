"""Errors and warnings about the user's input, one line each.

Every error that a user can cause is a `PreorderEvalError`; the command line prints it
without a traceback and exits with 2. Anything else that escapes is a defect of this project.
"""

from __future__ import annotations

import math
import numbers
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from preorder_eval.base.visible import visible

AT_COMMAND_LINE: ContextVar[bool] = ContextVar("AT_COMMAND_LINE", default=False)
_GIVEN: ContextVar[list[str] | None] = ContextVar("_GIVEN", default=None)
_SHOWN = 40  # known names that an error lists
_FAULTS = 20  # faults of a file that an error lists
_QUOTED, _UNBROKEN = 120, 400  # characters of what is quoted, and of a word such as a path
_MOST = 1900  # of all, however many pieces are quoted
_LONG = re.compile(rf"""'[^']{{{_QUOTED},}}'|"[^"]{{{_QUOTED},}}"|[^\s'"]{{{_UNBROKEN + 1},}}""")


def argument(written: str, option: str = "") -> str:
    """Name an argument as the user writes it: in Python as given, or as an option of a command.

    >>> argument("line_base=1"), argument("metrics=…", "--metric")
    ('line_base=1', 'metrics=…')
    >>> token = AT_COMMAND_LINE.set(True)
    >>> argument("line_base=1"), argument("metrics=…", "--metric")
    ('--line-base 1', '--metric')
    >>> AT_COMMAND_LINE.reset(token)
    """
    if not AT_COMMAND_LINE.get():
        return written
    name, _, value = written.partition("=")
    return option or f"--{name.replace('_', '-')} {value}".removesuffix(" …").removesuffix(" True")


class InputWarning(UserWarning):
    """A likely mistake in the user's input, with the fix, on one line.

    The command line prints each once on stderr. In Python it is a warning like others.
    """


def warn(message: str) -> None:
    """Give an `InputWarning`. The results of the same command or public function keep it."""
    given = _GIVEN.get()
    if given is not None and message not in given:
        given.append(message)
    warnings.warn(message, InputWarning, stacklevel=3)


def warnings_given() -> list[str]:
    """Return the warnings of the command or public function that runs; the list grows with them."""
    given = _GIVEN.get()
    return [] if given is None else given


@contextmanager
def keeping_warnings(earlier: Iterable[str] = ()) -> Iterator[None]:
    """Collect the warnings given in the block, after the `earlier` ones of its inputs.

    A context inside another one is part of the outer one.

    >>> with keeping_warnings(["a.en has a byte-order mark"]):
    ...     warnings_given()
    ['a.en has a byte-order mark']
    >>> warnings_given()
    []
    """
    outer = _GIVEN.get()
    given = [] if outer is None else outer
    given += [message for message in dict.fromkeys(earlier) if message not in given]
    token = _GIVEN.set(given)
    try:
        yield
    finally:
        _GIVEN.reset(token)


class PreorderEvalError(Exception):
    """Base of all errors caused by input; its text is one line with the fix.

    >>> import preorder_eval as pe
    >>> raise pe.PreorderEvalError("nothing to score; give an output")
    Traceback (most recent call last):
        ...
    preorder_eval.base.errors.PreorderEvalError: nothing to score; give an output

    Long quotations of the input are shortened.
    """

    def __init__(self, text: str) -> None:
        super().__init__(brief(text))


def brief(text: str) -> str:
    r"""Return a message with its quotations made visible, and cut to a readable length.

    >>> len(brief(f"token {10**6 * 'x'!r} is not a link"))
    142
    >>> brief("first " + 10**6 * "and " + "last")[::951]  # both ends, and … between
    'f…t'
    >>> print(brief("unknown name a\0b"))
    unknown name a\x00b
    """
    text = _LONG.sub(_cut, visible(text))
    return text if len(text) <= _MOST else f"{text[: _MOST // 2]} … {text[-_MOST // 2 :]}"


def _cut(long: re.Match[str]) -> str:
    """Return the beginning of a text that is too long, in its quotes."""
    quote = long[0][0] if long[0][0] in "'\"" else ""
    most = _QUOTED if quote else _UNBROKEN
    return long[0][:most] + "…" + quote


class FormatError(PreorderEvalError):
    """A file that is not in the expected format, or cannot be read.

    Parameters: `message` what is wrong, `file` the file's name, `line` the 1-based line,
    `hint` what the user can do about it.

    >>> import preorder_eval as pe
    >>> print(pe.FormatError("link '3-x' is not a pair of numbers", file="a.align", line=7))
    a.align:7: link '3-x' is not a pair of numbers
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        hint: str | None = None,
    ) -> None:
        self.file = None if file is None else str(file)
        self.line = line
        self.message = message
        self.hint = hint
        number = "" if line is None else f"{line}:"
        name = "standard input" if self.file == "-" else self.file
        place = "" if name is None else f"{name}:{number} "
        super().__init__(place + message + (f"; {hint}" if hint else ""))


class FaultyFileError(FormatError):
    """Several faults of one file.

    The text has a line for each. File, line and hint are those of the first.

    >>> twice = FormatError("no slot for HEAD", file="r.toml", line=3)
    >>> print(FaultyFileError([twice, FormatError("no slot for punct", file="r.toml", line=9)]))
    r.toml:3: no slot for HEAD
    r.toml:9: no slot for punct
    """

    def __init__(self, faults: Sequence[FormatError]) -> None:
        first = faults[0]
        super().__init__(first.message, file=first.file, line=first.line, hint=first.hint)
        self.faults = tuple(faults)

    def __str__(self) -> str:
        lines = [str(fault) for fault in self.faults[:_FAULTS]]
        more = [f"{self.file}: … and more"] if len(self.faults) > _FAULTS else []
        return "\n".join([*lines, *more])


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that differs by a few letters, or that goes on longer; else None."""
    from rapidfuzz.distance import OSA

    wanted = name.casefold()
    # Letters that are added, left out, exchanged or swapped.
    away = {other: OSA.distance(wanted, other.casefold()) for other in known}
    near = [other for other in known if away[other] <= max(1, 2 * max(len(name), len(other)) // 5)]
    begun = [other for other in known if len(name) > 2 and other.casefold().startswith(wanted)]
    return min(near or begun, key=away.__getitem__, default=None)


class UnknownNameError(PreorderEvalError):
    """An unknown name, with the names that are known.

    >>> print(UnknownNameError("metric", "fuzy", ["fuzzy", "kendall"]))
    unknown metric 'fuzy' (did you mean 'fuzzy'?); known: fuzzy, kendall
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], hint: str = "") -> None:
        self.name = name
        self.known = sorted(known)
        near = nearest(name[:_QUOTED], self.known)
        guess = f" (did you mean {near!r}?)" if near else ""
        legal = "; known: " + (", ".join(self.known[:_SHOWN]) or "none")
        if len(self.known) > _SHOWN:
            legal = "" if near else f"{legal}, … ({len(self.known)} in all)"
        super().__init__(f"unknown {kind} {name!r}{guess}{legal}{hint}")


def require_between(what: str, value: float, low: float, high: float = math.inf) -> None:
    """Raise PreorderEvalError unless a number lies between two others.

    Infinity and NaN never do.

    >>> require_between("seed", -1, 0)
    Traceback (most recent call last):
        ...
    preorder_eval.base.errors.PreorderEvalError: seed must be 0 or greater, not -1
    """
    number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not number or not low <= value <= high or value == math.inf:
        wanted = f"{low} or greater" if high == math.inf else f"from {low} to {high}"
        raise PreorderEvalError(f"{what} must be {wanted}, not {value if number else repr(value)}")
