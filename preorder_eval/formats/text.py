"""Lines of text: the one place where bytes become strings, and where files are written.

A line ends with a line feed and nothing else, and tokens are separated by the plain space:
U+3000, U+2028 and other space-like characters can be part of a token.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.temporary import clear_left, hold, temporary_name

_BOM = b"\xef\xbb\xbf"
_BREAKS = re.compile(r"[ \t\n\r]")


def read_lines(path: str | Path, *, blank: bool = False) -> list[str]:
    """The lines of a UTF-8 file without their line ends; `-` is standard input.

    Raises FormatError for a file that is missing or has nothing but blank lines (unless `blank`
    ones mean something), starts with a byte-order mark, has Windows line ends or is not UTF-8.
    """
    if str(path) == "-":
        return decode_lines(sys.stdin.buffer.read(), "standard input", blank=blank)
    return decode_lines(read_bytes(path), str(path), blank=blank)


def iterate_lines(path: str | Path) -> Iterator[str]:
    """The lines of `read_lines` one after the other, for files too large to be held in memory.

    Raises the same errors, each when its line is reached.
    """
    name = "standard input" if str(path) == "-" else str(path)
    blank = True
    try:
        with nullcontext(sys.stdin.buffer) if str(path) == "-" else Path(path).open("rb") as file:
            for number, data in enumerate(file, 1):
                [line] = decode_lines(data, name, blank=True, first=number)
                blank = blank and not line
                yield line
    except OSError as error:
        raise _unreadable(path, error) from error
    if blank:
        decode_lines(b"", name)


def read_bytes(path: str | Path) -> bytes:
    """A file's bytes, or a FormatError that says why it cannot be read."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: str | Path, error: OSError | ValueError) -> FormatError:
    return FormatError(f"cannot be read: {reason(error)}", file=path)


def reason(error: OSError | ValueError) -> str:
    """Why the system refuses a file, in words; a ValueError is of a null byte in the path."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def decode_lines(data: bytes, name: str, *, blank: bool = False, first: int = 1) -> list[str]:
    r"""Split UTF-8 bytes into lines, the first of which has this number; see `read_lines`.

    >>> decode_lines("a\u2028b\nc\n".encode(), "x")
    ['a\u2028b', 'c']
    """
    if first == 1 and data.startswith(_BOM):
        raise FormatError(
            "starts with a byte-order mark", file=name, line=1, mend="save it as UTF-8 without BOM"
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"not UTF-8: byte 0x{data[error.start]:02x}",
            file=name,
            line=data.count(b"\n", 0, error.start) + first,
            mend="convert it with iconv -t UTF-8",
        ) from error
    if not blank and not text.strip("\n"):
        raise FormatError("is empty", file=name, mend="it needs at least one line")
    at = text.find("\r")
    if at >= 0:
        raise FormatError(
            "Windows line ends or a stray carriage return",
            file=name,
            line=text.count("\n", 0, at) + first,
            mend="remove them with tr -d '\\r'",
        )
    return text.removesuffix("\n").split("\n") if text else []


def read_sentences(path: str | Path) -> list[list[str]]:
    """Tokenised sentences, one a line, tokens separated by plain spaces.

    Raises FormatError for a blank line or a tab, with the line.
    """
    return [split_tokens(line, path, n) for n, line in enumerate(read_lines(path), 1)]


def iterate_sentences(path: str | Path) -> Iterator[list[str]]:
    """The sentences of `read_sentences` one after the other, for files too large for memory."""
    return (split_tokens(line, path, n) for n, line in enumerate(iterate_lines(path), 1))


def count_lines(path: str | Path) -> int | None:
    """How many lines a file has; None for one that is missing or can be read only once."""
    if not Path(path).is_file():
        return None
    with Path(path).open("rb") as file:
        return sum(1 for _ in file)


def split_tokens(line: str, file: str | Path, number: int) -> list[str]:
    """The tokens of line `number` of `file`."""
    if "\t" in line:
        raise FormatError(
            "a tab in tokenised text", file=file, line=number, mend="separate tokens with spaces"
        )
    tokens = [token for token in line.split(" ") if token]
    if not tokens:
        raise FormatError(
            "a blank line", file=file, line=number, mend="every line must hold one sentence"
        )
    return tokens


def same_length(
    what: str,
    count: int,
    file: str | Path,
    other: str,
    other_count: int,
    *,
    line: int | None = None,
) -> None:
    """Raise FormatError unless two files have as many sentences.

    `line` is where they part, in a file that has not one line a sentence.
    """
    if count != other_count:
        raise FormatError(
            f"{count} {what}, but {other} has {other_count} sentences",
            file=file,
            line=line or min(count, other_count) + 1,
            mend="both must have the same sentences",
        )


def whole_number(field: str) -> int | None:
    """The number that at most nine digits write, None for anything else.

    >>> whole_number("12"), whole_number("-1"), whole_number("٣")
    (12, None, None)
    """
    return int(field) if field.isascii() and field.isdigit() and len(field) <= 9 else None


def write_text(path: Path, text: str) -> None:
    """Write a file so that it appears whole or not at all."""
    write_parts(path, [text])


def write_parts(path: Path, parts: Iterable[str]) -> None:
    """Write a file from parts, one after the other, so that it appears whole or not at all."""
    clear_left(path)
    temporary = temporary_name(path)
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            hold(file.fileno())
            file.writelines(parts)
        temporary.replace(path)
    except OSError as error:
        raise FormatError(f"cannot be written: {reason(error)}", file=path) from error
    finally:
        with suppress(OSError):  # it may be gone, or its folder no folder
            temporary.unlink()


def write_sentences(path: Path, sentences: Sequence[Sequence[str]]) -> None:
    """Write tokenised sentences, one a line."""
    write_text(path, "".join(join_tokens(tokens) + "\n" for tokens in sentences))


def join_tokens(tokens: Sequence[str]) -> str:
    r"""A sentence as a line that `split_tokens` would split into the same tokens.

    Raises PreorderEvalError where there are no tokens, and for a token that is empty or holds a
    space, a tab or a line end.

    >>> join_tokens(["New", "York"])
    'New York'
    """
    if not tokens:
        raise PreorderEvalError("a sentence without tokens cannot be written")
    for token in tokens:
        if not token or _BREAKS.search(token):
            raise PreorderEvalError(f"token {token!r} cannot be written as tokenised text")
    return " ".join(tokens)


def file_hash(path: str | Path) -> str:
    """The SHA-256 of a file, which identifies it in results."""
    return hashlib.sha256(read_bytes(path)).hexdigest()


def text_hash(text: str) -> str:
    """The SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()
