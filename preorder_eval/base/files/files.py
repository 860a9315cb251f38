"""Files as bytes and lines: opening, decompressing, decoding, and the bounds that all readers keep.

A line ends with a line feed and nothing else. Files whose names end in `.gz`, `.bz2` or `.xz` are
decompressed; `-` is standard input. So that no file fills the memory, a line has at most `LINE`
bytes, a sentence `WORDS` words, what is decompressed or read whole `EXPANDED` bytes, and of these
at most `LINES` are line ends, or begin a value of JSON.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from preorder_eval.base.errors import FormatError, PreorderEvalError, warn

LINE = 1 << 20  # bytes
EXPANDED = 1 << 30  # bytes
LINES = 1 << 25
_PART = 1 << 26  # bytes that are read at once
WORDS = 100_000

BOM = b"\xef\xbb\xbf"
_OPEN: dict[str, Callable[[Any], Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_BEGINNINGS = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".xz": b"\xfd7zXZ"}
_CHANGED = "it was changed or truncated; make it again"
_OF_RULES = re.compile(r"([^=/\\(]+/[^=/\\(]+)=(.+)", re.DOTALL)
_OF_PIPES: dict[str, str] = {}  # the hash of what was read from each pipe, which can be read once
_LABELLED = re.compile(r"([^=/\\(]*)=(.*)", re.DOTALL)


def read_lines(path: str | Path, *, blank: bool = False) -> list[str]:
    """Read the lines of a UTF-8 file, without their line ends.

    A byte-order mark and Windows line ends are removed, with a warning. Raises FormatError for a
    file that is missing, exceeds a bound, is not UTF-8, holds a stray carriage return, or only
    blank lines (unless `blank`).
    """
    return decode_lines(read_input(path), path, blank=blank)


def read_decoded(path: str | Path, *, blank: bool = False) -> str:
    """Read a UTF-8 file as one text, whose lines end with a line feed; see `read_lines`."""
    return decode_text(read_input(path), path, blank=blank)


def read_input(path: str | Path) -> bytes:
    """Read the bytes of a file of lines; FormatError for one that exceeds a bound."""
    return b"".join(held_bytes(path, _PART))


def held_bytes(path: str | Path, size: int) -> Iterator[bytes]:
    """Yield the bytes of a file of lines that is held whole, `size` bytes at a time.

    Errors as in `read_input`. What is compressed may hold any number of bytes and lines.
    """
    held = lines = 0
    for part in iterate_bytes(path, size):  # which refuses the endless line of an endless file
        if is_compressed(path):
            held += len(part)
            lines += part.count(b"\n")
            check_expanded(held, path, lines)
        yield part


def read_bytes(path: str | Path) -> bytes:
    """Read the bytes of a file that need not have lines; FormatError for more than `EXPANDED`."""
    try:
        with opened(path) as file:
            data = file.read(EXPANDED + 1)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    check_expanded(len(data), path)
    return data


def read_json(path: Path, hint: str = _CHANGED) -> dict[str, Any]:
    """Read a JSON object; FormatError for a file that holds anything else."""
    data = read_bytes(path)
    check_values(data, path)
    try:
        value = json.loads(data, parse_constant=int)  # refuses NaN
    except (ValueError, RecursionError) as error:  # of JSON or of UTF-8
        raise FormatError("not JSON", file=path, hint=hint) from error
    if not isinstance(value, dict):
        raise FormatError("not a JSON object", file=path, hint=hint)
    return value


def iterate_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of `read_lines` one by one, for files too large to be held in memory.

    Raises the same errors, each when its line is reached.
    """
    blank, noted = True, False
    if is_compressed(path) and Path(path).is_file():
        for _ in held_bytes(path, _PART):  # refuses a small file that expands to a huge one
            pass
    try:
        with opened(path) as file:
            for number, data in enumerate(iter(lambda: file.readline(LINE + 2), b""), 1):
                if len(data.removesuffix(b"\n")) > LINE:
                    raise _long_line(path, number)
                if noted:  # Windows line ends are warned of once
                    data = data.replace(b"\r\n", b"\n")
                noted = noted or data.endswith(b"\r\n")
                [line] = decode_lines(data, path, blank=True, first=number)
                blank = blank and not line
                yield line
    except OSError as error:
        raise _unreadable(path, error) from error
    if blank:
        decode_lines(b"", path)


def iterate_bytes(path: str | Path, size: int) -> Iterator[bytes]:
    """Yield the bytes of a file of lines, `size` bytes at a time; errors as in `read_input`."""
    lines, begun = 0, 0  # line ends so far, and bytes after the last one
    try:
        with opened(path) as file:
            while data := file.read(size):
                start, room = 0, LINE - begun
                while len(data) - start > room:
                    last = data.rfind(b"\n", start, start + room + 1)
                    if last < 0:
                        raise _long_line(path, lines + data.count(b"\n", 0, start) + 1)
                    start, room = last + 1, LINE
                lines += data.count(b"\n")
                last = data.rfind(b"\n")
                begun = len(data) - last - 1 if last >= 0 else begun + len(data)
                yield data
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error


def _long_line(path: str | Path, number: int) -> FormatError:
    defect = f"a line of more than {LINE:,} bytes"
    return FormatError(defect, file=path, line=number, hint="split it")


def check_expanded(size: int, path: str | Path, lines: int = 0) -> None:
    """Raise FormatError for a file that holds more than `EXPANDED` bytes, or `LINES` lines."""
    if lines > LINES:
        defect = f"has more than {LINES:,} lines, the limit for compressed files"
        raise FormatError(defect, file=path, hint="decompress it, or split it")
    if size > EXPANDED:
        hint = "decompress it, or split it" if is_compressed(path) else "split it"
        defect = f"has more than {EXPANDED:,} bytes, the limit for a file"
        raise FormatError(defect, file=path, hint=hint)


def check_values(text: bytes | str, path: str | Path) -> None:
    """Raise FormatError for JSON of more than `LINES` values, each of which takes some memory."""
    signs = (b",", b"[", b"{") if isinstance(text, bytes) else (",", "[", "{")
    if sum(map(text.count, signs)) > LINES:  # type: ignore[arg-type]
        raise FormatError(f"has more than {LINES:,} values", file=path, hint="split it")


def check_words(count: int, path: str | Path, line: int) -> None:
    """Raise FormatError for a sentence of more than `WORDS` words."""
    if count > WORDS:
        defect = f"a sentence of {count:,} words; the limit is {WORDS:,}"
        raise FormatError(defect, file=path, line=line, hint="give one sentence per line")


@contextmanager
def opened(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file, or `-`, and give the bytes that it holds, decompressed if need be.

    Raises FormatError for a file that is cut short, or is not compressed as its ending says; this
    may happen while it is read. Raises OSError if it cannot be read at all.
    """
    path = Path(path)
    with ExitStack() as held:
        raw = sys.stdin.buffer if str(path) == "-" else held.enter_context(path.open("rb"))
        file = held.enter_context(_hashed(raw, path)) if _is_pipe(path) else raw
        if not is_compressed(path):
            yield file
            return
        try:
            yield held.enter_context(_OPEN[path.suffix](file))
        except (EOFError, lzma.LZMAError, zlib.error) as error:
            raise _damaged(path) from error
        except OSError as error:
            if error.errno is None:  # of the decompressor, not of the file system
                raise _damaged(path) from error
            raise


def _is_pipe(path: Path) -> bool:
    """Return whether a path leads to a pipe or the like, which can be read only once."""
    return str(path) == "-" or path.is_fifo()


@contextmanager
def _hashed(stored: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    """Yield a file that can be read once, and keep the hash of what is read for `file_hash`."""
    hashing = _Hashing(stored)
    yield io.BufferedReader(hashing)
    _OF_PIPES[str(path)] = hashing.digest.hexdigest()


class _Hashing(io.RawIOBase):
    """The bytes of a file, hashed when they are read."""

    def __init__(self, stored: Any) -> None:
        self._stored = stored
        self.digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stored.read1(len(buffer))  # what is there, as a terminal gives it
        self.digest.update(data)
        buffer[: len(data)] = data
        return len(data)


def _damaged(path: Path) -> FormatError:
    return FormatError(
        f"is an incomplete {path.suffix} file",
        file=path,
        hint=f"write it again, or remove {path.suffix} from its name",
    )


def _unreadable(path: str | Path, error: OSError | ValueError) -> FormatError:
    hint = "name a file" if isinstance(error, IsADirectoryError) else ""
    return FormatError(f"cannot be read: {reason(error)}", file=path, hint=hint)


def reason(error: OSError | ValueError) -> str:
    """Return in words why the system refuses a file; a ValueError means a NUL in the path."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def decode_lines(
    data: bytes, name: str | Path, *, blank: bool = False, first: int = 1
) -> list[str]:
    r"""Split UTF-8 bytes into lines; see `read_lines`.

    `first` is the number of the first line in its file, for errors.

    >>> decode_lines("a\u2028b\nc\n".encode(), "x")
    ['a\u2028b', 'c']
    """
    text = decode_text(data, name, blank=blank, first=first)
    return text.removesuffix("\n").split("\n") if text else []


def decode_text(data: bytes, name: str | Path, *, blank: bool = False, first: int = 1) -> str:
    """Decode UTF-8 bytes to text whose lines end with a line feed; see `read_lines`."""
    marked = first == 1 and data.startswith(BOM)
    data = data.removeprefix(BOM) if marked else data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + first
        defect = f"not UTF-8: byte 0x{data[error.start]:02x}"
        hint = "convert it with iconv -f ENCODING -t UTF-8; ENCODING is its own, such as LATIN1"
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            hint = "convert it with iconv -f UTF-16 -t UTF-8"
        for ending, begun in _BEGINNINGS.items():
            if first == 1 and data.startswith(begun):
                defect = "compressed, but its name does not show this"
                hint = f"decompress it, or let its name end in {ending}"
        raise FormatError(defect, file=name, line=line, hint=hint) from error
    unix = text.replace("\r\n", "\n")
    if (at := unix.find("\r")) >= 0:
        # What it stands for is not known: a line end in old files, else some white space.
        hint = "replace it with tr '\\r' " + ("' '" if "\n" in unix else "'\\n'")
        defect = "a carriage return inside a line"
        raise FormatError(defect, file=name, line=unix.count("\n", 0, at) + first, hint=hint)
    if (at := unix.find("\0")) >= 0:
        line = unix.count("\n", 0, at) + first
        hint = "if it is UTF-16, convert it with iconv -f UTF-16 -t UTF-8"
        raise FormatError("a NUL byte: this is not a text file", file=name, line=line, hint=hint)
    if not blank and not unix.strip("\n"):
        raise FormatError("is empty", file=name, hint="at least one line is needed")
    marks = ["a byte-order mark"] * marked + ["Windows line endings"] * (len(unix) < len(text))
    if marks:
        warn(f"{file_name(name)} has {' and '.join(marks)}; ignored")
    return unix


def count_lines(path: str | Path) -> int | None:
    """Count the lines of a file; None if it is missing, compressed, or can be read only once."""
    if not Path(path).is_file() or is_compressed(path):
        return None
    with Path(path).open("rb") as file:
        return sum(1 for _ in file)


def file_hash(path: str | Path) -> str:
    """Return the SHA-256 of a file as it is stored, which identifies it in results.

    For a pipe or `-` it is the hash of the content that was read from it last.
    """
    if str(path) in _OF_PIPES and _is_pipe(Path(path)):
        return _OF_PIPES[str(path)]
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise _unreadable(path, error) from error


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def file_name(path: str | Path) -> str:
    """Return the name by which messages call a file."""
    return "standard input" if str(path) == "-" else str(path)


def is_compressed(path: str | Path) -> bool:
    """Return whether a file's ending says that it is compressed."""
    return Path(path).suffix in _OPEN


def uncompressed(path: str | Path) -> Path:
    """Return the path without the ending that says how the file is compressed.

    >>> uncompressed("trees.conllu.gz").name, uncompressed("trees.conllu").name
    ('trees.conllu', 'trees.conllu')
    """
    path = Path(path)
    return path.with_suffix("") if path.suffix in _OPEN else path


def stem(path: str | Path) -> str:
    r"""Return the name of a file without endings for its format and compression.

    Bytes that are no UTF-8 are written out, so that the name can be printed.

    >>> stem("runs/out.conllu.gz")
    'out'
    """
    return os.fsencode(uncompressed(path).stem).decode("utf-8", "backslashreplace")


def is_part(file: Path, system: str) -> bool:
    """Return whether a system's name is the file's name, or a part of it between dots.

    >>> is_part(Path("news/output.NT5.en"), "NT5")
    True
    """
    return f".{system}." in f".{file.name}."


def labelled(name: str | Path) -> tuple[str | None, str]:
    """Split `label=path`, by which a user renames a file; the label is None without one.

    If a file has the whole text as its name, that file is meant. Raises PreorderEvalError for a
    label without a path, and for a path behind an empty label.

    >>> labelled("new=runs/out.conllu"), labelled("runs/lr=0.1.conllu"), labelled("en-ja")
    (('new', 'runs/out.conllu'), (None, 'runs/lr=0.1.conllu'), (None, 'en-ja'))
    """
    text = str(name)
    match = _LABELLED.fullmatch(text)
    if match is None or Path(text).exists():
        return None, text
    label, path = match.groups()
    if not label.strip() or not path:
        raise PreorderEvalError(f"{text!r} is not LABEL=PATH, such as new=out.conllu")
    return label, path


def labelled_path(name: str | Path) -> tuple[str | None, Path]:
    """Split `label=path` as `labelled` does, with the path as a Path."""
    label, path = labelled(name)
    return label, Path(path)


def labelled_output(name: str | Path) -> tuple[str | None, Path]:
    """Split the name of an output, whose label may be `PARSER/RULES`, as `evaluate` names systems.

    In `en-web/en-ja=out.txt` the label is `en-web/en-ja` if there is a file out.txt.

    >>> labelled_output("mine=out.txt"), labelled_output("en-web/en-ja=-")
    (('mine', PosixPath('out.txt')), ('en-web/en-ja', PosixPath('-')))
    """
    match = _OF_RULES.fullmatch(str(name))
    if match is not None and not Path(name).exists():
        label, path = match.groups()
        if path == "-" or Path(path).exists():
            return label, Path(path)
    return labelled_path(name)
