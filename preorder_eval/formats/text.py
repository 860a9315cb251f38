"""Lines of text: the one place where bytes become strings, and where files are written.

A line ends with a line feed and nothing else, and tokens are separated by the plain space:
U+3000, U+2028 and other space-like characters can be part of a token.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO

import numpy as np

from preorder_eval.data.arrays import offsets_of
from preorder_eval.data.columns import Column
from preorder_eval.data.interning import Interner, blocks_of_lines, split_words
from preorder_eval.data.lines import Lines
from preorder_eval.data.scripts import unsegmented
from preorder_eval.data.sentences import Sentences
from preorder_eval.errors import FormatError, PreorderEvalError, warn
from preorder_eval.formats.compression import LIMIT, bounded, compressing, is_compressed, opened
from preorder_eval.formats.temporary import clear_left, hold, temporary_name
from preorder_eval.visible import quantity

LINE = 1 << 20  # bytes of a line that is read by itself
_BOM = b"\xef\xbb\xbf"
_LOOKED_AT = 1000  # sentences by which raw text is told
_RAW_END = re.compile(r"[^.]*\w[.?!]+[\"')\]”’»]*")
_BREAKS = re.compile(r"[ \t\n\r]")


def read_lines(path: str | Path, *, blank: bool = False) -> list[str]:
    """The lines of a UTF-8 file without their line ends; `-` is standard input.

    Files may be compressed (`compression`). A byte-order mark and Windows line ends are taken off,
    with a warning. Raises FormatError for a file that is missing, has nothing but blank lines
    (unless `blank` ones mean something), holds a stray carriage return or is not UTF-8.
    """
    return decode_lines(read_input(path), file_name(path), blank=blank)


def read_text(path: str | Path) -> Lines:
    """The lines of `read_lines`, of which there may be millions; blank ones mean something."""
    text = decode_text(read_input(path), file_name(path), blank=True)
    return Lines.of((text if text.endswith("\n") or not text else text + "\n").encode())


def read_input(path: str | Path) -> bytes:
    """The bytes of `read_bytes`; `-` is standard input."""
    return sys.stdin.buffer.read() if str(path) == "-" else read_bytes(path)


def file_name(path: str | Path) -> str:
    """What messages call a file; `-` is standard input."""
    return "standard input" if str(path) == "-" else str(path)


def iterate_lines(path: str | Path) -> Iterator[str]:
    """The lines of `read_lines` one after the other, for files too large to be held in memory.

    Raises the same errors, each when its line is reached, and one for a line of more than a MiB,
    so that neither a compressed file nor one without ends of lines fills the memory.
    """
    name = file_name(path)
    blank, noted = True, False
    try:
        with _opened(path) as file:
            for number, data in enumerate(iter(lambda: file.readline(LINE + 1), b""), 1):
                if len(data) > LINE:
                    defect = f"a line of more than {LINE:,} bytes"
                    raise FormatError(defect, file=name, line=number, mend="split it")
                if noted:  # of Windows line ends, which need be said once
                    data = data.replace(b"\r\n", b"\n")
                noted = noted or data.endswith(b"\r\n")
                [line] = decode_lines(data, name, blank=True, first=number)
                blank = blank and not line
                yield line
    except OSError as error:
        raise _unreadable(path, error) from error
    if blank:
        decode_lines(b"", name)


def iterate_bytes(path: str | Path, size: int) -> Iterator[bytes]:
    """The bytes of a file, so many at a time; FormatError where it cannot be read."""
    try:
        with _opened(path) as file:
            while data := file.read(size):
                yield data
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error


def _opened(path: str | Path) -> AbstractContextManager[IO[bytes]]:
    return nullcontext(sys.stdin.buffer) if str(path) == "-" else opened(path)


def read_bytes(path: str | Path) -> bytes:
    """The bytes that a file holds, decompressed; FormatError where it cannot be read."""
    try:
        with opened(path) as file:
            return bounded(file.read(LIMIT + 1 if is_compressed(path) else -1), path)
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
    text = decode_text(data, name, blank=blank, first=first)
    return text.removesuffix("\n").split("\n") if text else []


def decode_text(data: bytes, name: str, *, blank: bool = False, first: int = 1) -> str:
    """UTF-8 bytes as text whose lines end with a line feed; see `read_lines`."""
    marked = first == 1 and data.startswith(_BOM)
    data = data.removeprefix(_BOM) if marked else data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"not UTF-8: byte 0x{data[error.start]:02x}",
            file=name,
            line=data.count(b"\n", 0, error.start) + first,
            mend="convert it with iconv -t UTF-8",
        ) from error
    unix = text.replace("\r\n", "\n")
    at = unix.find("\r")
    if at >= 0:
        raise FormatError(
            "a carriage return inside a line",
            file=name,
            line=unix.count("\n", 0, at) + first,
            mend="remove it with tr -d '\\r'",
        )
    if not blank and not unix.strip("\n"):
        raise FormatError("is empty", file=name, mend="it needs at least one line")
    found = ["a byte-order mark"] * marked + ["Windows line ends"] * (len(unix) < len(text))
    if found:
        warn(f"{name} has {' and '.join(found)}; it is read without")
    return unix


def read_sentences(path: str | Path) -> Sequence[list[str]]:
    """Tokenised sentences, one a line, tokens separated by plain spaces.

    Raises FormatError for a blank line or a tab, with the line.
    """
    data = read_input(path)
    scanned = scan_sentences(data)
    if scanned is not None:
        return scanned
    lines = decode_lines(data, file_name(path))
    return [split_tokens(line, path, n) for n, line in enumerate(lines, 1)]


def scan_sentences(data: bytes) -> Sentences | None:
    """The sentences of a file without a fault, None for any other; see `formats.scanning`."""
    if data.startswith(_BOM) or any(odd in data for odd in (b"\t", b"\r", b"\0")):
        return None
    interner, counts, codes = Interner(), [], []
    for block in blocks_of_lines(data):
        split = split_words(block)
        counts.append(split.counts)
        codes.append(interner.codes(block, split.starts, split.ends))
    if not counts or not all(count.all() for count in counts):
        return None
    try:
        words = Column(np.concatenate(codes), interner.names())
    except UnicodeDecodeError:
        return None
    return Sentences(offsets_of(np.concatenate(counts)), words)


def warn_if_raw(sentences: Sequence[Sequence[str]], name: str | Path, mend: str = "") -> None:
    """Warn of sentences whose last words mostly have their full stop on them, or with no spaces.

    >>> warn_if_raw([["Make", "it", "."]], "s.en")
    """
    ends = [words[-1] for words in sentences[:_LOOKED_AT]]
    # An abbreviation has a full stop inside, too.
    raw = [word for word in ends if _RAW_END.fullmatch(word)]
    if 2 * len(raw) > len(ends):
        warn(
            f"{name} looks like raw text: {len(raw)} of its first {len(ends)} lines end like "
            f"{raw[0]!r}, with punctuation on the last word; tokenise it{mend}"
        )
    elif unsegmented(map(" ".join, sentences)):
        warn(f"{name} looks like raw text: it has no spaces between words; tokenise it{mend}")


def iterate_sentences(path: str | Path) -> Iterator[list[str]]:
    """The sentences of `read_sentences` one after the other, for files too large for memory."""
    return (split_tokens(line, path, n) for n, line in enumerate(iterate_lines(path), 1))


def count_lines(path: str | Path) -> int | None:
    """How many lines a file has; None for one that is missing, compressed or can be read once."""
    if not Path(path).is_file() or is_compressed(path):
        return None
    with Path(path).open("rb") as file:
        return sum(1 for _ in file)


def split_tokens(line: str, file: str | Path, number: int) -> list[str]:
    """The tokens of line `number` of `file`."""
    if "\t" in line:
        is_row = line.count("\t") == 9
        mend = "let the name of CoNLL-U end in .conllu" if is_row else "separate tokens with spaces"
        raise FormatError("a tab in tokenised text", file=file, line=number, mend=mend)
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
            f"{quantity(count, what)}, but {other} has {quantity(other_count, 'sentence')}",
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
    """Write a file from parts, one after the other, so that it appears whole or not at all.

    It is compressed as its ending says (`compression`).
    """
    with replacing(path) as whole, compressing(whole, path) as file:
        for part in parts:
            file.write(part.encode())


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A new file that takes its place when all is written to it; FormatError where it cannot."""
    clear_left(path)
    temporary = temporary_name(path)
    try:
        with temporary.open("wb") as file:
            hold(file.fileno())
            yield file
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
    """The SHA-256 of a file as it is stored, which identifies it in results."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise _unreadable(path, error) from error


def text_hash(text: str) -> str:
    """The SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()
