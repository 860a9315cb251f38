"""The shards of a corpus, found by patterns of file names."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.base.files.files import reason, stem
from preorder_eval.base.visible import visible


@dataclass(frozen=True)
class Shard:
    """A part of a corpus.

    `name` is what `*` stands for in its patterns. `files` has its files by their kind, such as
    `alignment`.
    """

    name: str
    files: Mapping[str, Sequence[str]]


def find_shards(patterns: Mapping[str, Sequence[str]]) -> list[Shard]:
    """Return the shards of a corpus by patterns such as `shards/*.conllu.gz`, sorted by name.

    Parameters: `patterns` by what the files are, several where a shard has several of a kind. The
    first pattern specifies the shards: the text that its `*` stands for is the name of one. The
    other patterns give the files of the same name.

    Raises PreorderEvalError for a pattern without a file or without just one `*` in the file's
    name, and for a name that cannot be that of a file of results: one that begins with a dot or
    holds a control character. Raises FormatError for a file that a shard lacks.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name in ("1.en", "1.align", "2.en", "2.align"):
    ...     (folder / name).touch()
    >>> found = find_shards({"source": [f"{folder}/*.en"], "alignment": [f"{folder}/*.align"]})
    >>> [(shard.name, Path(shard.files["alignment"][0]).name) for shard in found]
    [('1', '1.align'), ('2', '2.align')]
    """
    kinds = [(kind, pattern) for kind, listed in patterns.items() for pattern in listed]
    shards = []
    for name in _names(kinds[0][1]):
        if name.startswith(".") or visible(name) != name:
            raise PreorderEvalError(
                f"a shard cannot be called {name!r}: a file of results gets that name; rename "
                "its files"
            )
        files: dict[str, list[str]] = {kind: [] for kind in patterns}
        for kind, pattern in kinds:
            folder, before, after = _split(pattern)
            file = folder / f"{before}{name}{after}"
            if not file.is_file():
                hint = (
                    f"* must stand for the same names in all patterns, and {kinds[0][1]} has "
                    "this one"
                )
                defect = f"shard {name} lacks its {kind.replace('_', ' ')}"
                raise FormatError(defect, file=file, hint=hint)
            files[kind].append(str(file))
        shards.append(Shard(name, files))
    return shards


def called_by(pattern: str) -> str:
    """Name a corpus of several files: by their names without the `*`, or by their folder.

    >>> called_by("news/*.conllu.gz"), called_by("shards/part-*.en-ja.align")
    ('news', 'part-.en-ja')
    """
    name = stem(Path(pattern)).replace("*", "").strip("._-")
    return name or Path(pattern).absolute().parent.name


def whole_hash(files: Sequence[str]) -> str:
    """Return the SHA-256 of the concatenated files, which equals that of one file of all."""
    digest = hashlib.sha256()
    for path in files:
        try:
            with Path(path).open("rb") as file:
                while data := file.read(1 << 20):
                    digest.update(data)
        except OSError as error:
            raise FormatError(f"cannot be read: {reason(error)}", file=path) from error
    return digest.hexdigest()


def _names(pattern: str) -> list[str]:
    """Return the texts that `*` stands for in the existing files."""
    folder, before, after = _split(pattern)
    named = re.compile(f"{re.escape(before)}(.+){re.escape(after)}", re.DOTALL)
    try:
        names = [match[1] for file in folder.iterdir() if (match := named.fullmatch(file.name))]
    except OSError as error:
        raise FormatError(f"cannot be read: {reason(error)}", file=folder) from error
    if not names:
        raise PreorderEvalError(f"no file is named {pattern}")
    return sorted(names)


def _split(pattern: str) -> tuple[Path, str, str]:
    """Return the folder of a pattern, and the name of its files before and after the `*`."""
    path = Path(pattern).absolute()
    before, star, after = path.name.partition("*")
    if not star or "*" in f"{after}{path.parent}":
        raise PreorderEvalError(
            f"pattern {pattern!r} must have one *, in the name of the file, which stands for the "
            "name of a shard; put it in quotes"
        )
    return path.parent, before, after
