"""Compressed files, read and written as what they hold: `.gz`, `.bz2` and `.xz`."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any

from preorder_eval.errors import FormatError

LIMIT = 1 << 30  # bytes that are held at once: a small file can hold more than any memory

_OPEN: dict[str, Callable[[Path], Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


def uncompressed(path: str | Path) -> Path:
    """The path without the ending that says how the file is compressed.

    >>> uncompressed("trees.conllu.gz").name, uncompressed("trees.conllu").name
    ('trees.conllu', 'trees.conllu')
    """
    path = Path(path)
    return path.with_suffix("") if path.suffix in _OPEN else path


def stem(path: str | Path) -> str:
    """What a file is called, without endings for its format and compression.

    >>> stem("runs/out.conllu.gz")
    'out'
    """
    return uncompressed(path).stem


def is_compressed(path: str | Path) -> bool:
    """Whether a file's ending says that it is compressed."""
    return Path(path).suffix in _OPEN


def compressing(file: IO[bytes], path: str | Path) -> AbstractContextManager[Any]:
    """What to write to so that an open file is compressed as the ending of its path says.

    The same bytes come out at any time and under any name. The file itself is left open.
    """
    match Path(path).suffix:
        case ".gz":
            return gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)
        case ".bz2":
            return bz2.BZ2File(file, "wb")
        case ".xz":
            return lzma.LZMAFile(file, "wb")
    return nullcontext(file)


@contextmanager
def opened(path: str | Path) -> Iterator[IO[bytes]]:
    """A file opened to read the bytes that it holds, decompressed if need be.

    Raises FormatError, also while it is read, for one that is not what its ending says or is cut
    short, and OSError where it cannot be read at all.
    """
    path = Path(path)
    if not is_compressed(path):
        with path.open("rb") as file:
            yield file
        return
    try:
        with _OPEN[path.suffix](path) as file:
            yield file
    except (EOFError, lzma.LZMAError, zlib.error) as error:
        raise _damaged(path) from error
    except OSError as error:
        if error.errno is None:  # of the decompressor, not of the file system
            raise _damaged(path) from error
        raise


def bounded(data: bytes, path: str | Path) -> bytes:
    """What was read of a compressed file at once; FormatError where that is too much."""
    if len(data) > LIMIT and is_compressed(path):
        raise FormatError(
            f"holds more than {LIMIT:,} bytes, the most that is decompressed at once",
            file=path,
            mend="decompress it, or split it",
        )
    return data


def _damaged(path: Path) -> FormatError:
    return FormatError(
        f"is no whole {path.suffix} file",
        file=path,
        mend=f"write it again, or take {path.suffix} off its name if it is not compressed",
    )
