"""The shards of a corpus: found by patterns of file names, and each worked on once.

What is made of all shards stands in one folder. Each shard has a record there, `NAME.json`, with a
hash of all that its files were made from and the hashes of these files. The record is written last.
While it is true, nothing is made anew.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.files import file_hash, read_json, reason
from preorder_eval.formats.writing import format_json, write_text
from preorder_eval.version import __version__
from preorder_eval.visible import visible

_ENDINGS = ("", ".conllu.gz", ".json", ".npz")  # of what is made of a shard


@dataclass(frozen=True)
class Shard:
    """A part of a corpus, what is to be done with it, and the folder for the results.

    `name` is what `*` stands for in its patterns. `files` has its files by their kind, such as
    `alignment`. `options` are plain values: together with the files they decide the outcome.
    """

    name: str
    files: Mapping[str, Sequence[str]]
    options: Mapping[str, Any] = field(default_factory=dict)
    folder: str = ""

    def path(self, ending: str) -> Path:
        """Return the path of a file of its results; without an ending, of its folder."""
        return Path(self.folder) / f"{self.name}{ending}"

    def key(self) -> str:
        """Return a SHA-256 over the contents of its files, the options and the version."""
        hashes = {kind: list(map(file_hash, files)) for kind, files in self.files.items()}
        identity = json.dumps([__version__, hashes, self.options], sort_keys=True)
        return hashlib.sha256(identity.encode()).hexdigest()


def find_shards(patterns: Mapping[str, Sequence[str]]) -> list[Shard]:
    """Return the shards of a corpus by patterns such as `shards/*.conllu.gz`, sorted by name.

    Parameters: `patterns` by what the files are, several where a shard has several of a kind. The
    first pattern specifies the shards: the text that its `*` stands for is the name of one. The
    other patterns give the files of the same name.

    Raises PreorderEvalError for a pattern without a file or without just one `*` in the file's
    name, and for a name that cannot be that of a folder for a shard's results: one that begins with
    a dot, holds a control character, or is `run`. Raises FormatError for a file that a shard lacks.

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
        if name.startswith(".") or name == "run" or visible(name) != name:
            raise PreorderEvalError(
                f"a shard cannot be called {name!r}: its results would stand in a folder of that "
                "name; rename its files"
            )
        files: dict[str, list[str]] = {kind: [] for kind in patterns}
        for kind, pattern in kinds:
            folder, before, after = _split(pattern)
            file = folder / f"{before}{name}{after}"
            if not file.is_file():
                hint = f"the * of all patterns must stand for the same, and {kinds[0][1]} has it"
                defect = f"shard {name} lacks its {kind.replace('_', ' ')}"
                raise FormatError(defect, file=file, hint=hint)
            files[kind].append(str(file))
        shards.append(Shard(name, files))
    return shards


def refuse_folder_of(shards: Sequence[Shard], out: Path) -> None:
    """Raise FormatError if the results would stand among the shards, in the same folder."""
    for shard in shards:
        for files in shard.files.values():
            if any(Path(file).parent.resolve() == out.resolve() for file in files):
                hint = "name a folder of its own for the results"
                raise FormatError("holds files of the shards", file=out, hint=hint)


def refuse_others_files(shards: Sequence[Shard]) -> None:
    """Raise FormatError if results would replace files that this command has not made.

    Beside what it has made, or begun, stands a record of its own (`made_once`).
    """
    for shard in shards:
        there = [path for path in map(shard.path, _ENDINGS) if path.exists()]
        if there and recorded(shard) is None and not _begun(shard).exists():
            hint = "name a new folder for the results"
            raise FormatError("exists already", file=there[0], hint=hint)


def _names(pattern: str) -> list[str]:
    """Return what `*` stands for in the files that there are."""
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


@dataclass(frozen=True)
class Product:
    """The product of a shard: the endings of its files, and the outcome as plain values.

    `again` states that it was made before.
    """

    endings: tuple[str, ...]
    outcome: Mapping[str, Any]
    again: bool = False


def made_once(shard: Shard, make: Callable[[Shard], Product]) -> Product:
    """Return what `make` makes of a shard; it is not called if its results are there already."""
    key, known = shard.key(), recorded(shard)
    with suppress(FormatError):  # a file is gone
        endings = tuple(known["files"]) if known and known["key"] == key else ()
        if known and endings and _hashes(shard, endings) == known["files"]:
            return Product(endings, known["outcome"], again=True)
    write_text(_begun(shard), "")
    product = make(shard)
    files = _hashes(shard, product.endings)
    record = {"key": key, "files": files, "outcome": dict(product.outcome)}
    write_text(shard.path(".json"), format_json(record))
    _begun(shard).unlink(missing_ok=True)
    return product


def recorded(shard: Shard) -> dict[str, Any] | None:
    """Return the record of the results of a shard; None if there is none of this program."""
    try:
        known = read_json(shard.path(".json"))
    except FormatError:
        return None
    return known if known.keys() == {"key", "files", "outcome"} else None


def _begun(shard: Shard) -> Path:
    """Return the file that marks a shard as begun: a killed process may leave a part of it."""
    return Path(shard.folder) / f".{shard.name}.begun"


def _hashes(shard: Shard, endings: tuple[str, ...]) -> dict[str, str]:
    return {ending: file_hash(shard.path(ending)) for ending in endings}
