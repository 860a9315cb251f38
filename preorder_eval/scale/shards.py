"""Shards: the files of a corpus in parts, found by patterns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.files import reason


@dataclass(frozen=True)
class Shard:
    """A part of a corpus: what `*` stands for in its patterns, and its files by what they are."""

    name: str
    files: Mapping[str, Sequence[str]]


def find_shards(patterns: Mapping[str, Sequence[str]]) -> list[Shard]:
    """The shards of a corpus by patterns such as `shards/*.conllu.gz`, in the order of their names.

    Parameters: `patterns` by what the files are, several where a shard has several of a kind. The
    first pattern says which shards there are: what its `*` stands for is the name of one, and the
    other patterns give the files of the same name.

    Raises PreorderEvalError for a pattern without just one `*` in the file's name or without a
    file, and FormatError for a file that a shard lacks.

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
        files: dict[str, list[str]] = {kind: [] for kind in patterns}
        for kind, pattern in kinds:
            folder, before, after = _split(pattern)
            file = folder / f"{before}{name}{after}"
            if not file.is_file():
                raise FormatError(
                    f"shard {name} lacks its {kind.replace('_', ' ')}",
                    file=file,
                    mend=f"the * of all patterns must stand for the same, and {kinds[0][1]} has it",
                )
            files[kind].append(str(file))
        shards.append(Shard(name, files))
    return shards


def refuse_folder_of(shards: Sequence[Shard], out: Path) -> None:
    """Raise FormatError where results would stand among the shards, under the same names."""
    for shard in shards:
        for files in shard.files.values():
            if any(Path(file).parent.resolve() == out.resolve() for file in files):
                mend = "name a folder of its own for the results"
                raise FormatError("holds files of the shards", file=out, mend=mend)


def _names(pattern: str) -> list[str]:
    """What `*` stands for in the files that there are."""
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
    """The folder of a pattern, and the name of its files before and after the `*`."""
    path = Path(pattern).absolute()
    before, star, after = path.name.partition("*")
    if not star or "*" in f"{after}{path.parent}":
        raise PreorderEvalError(
            f"pattern {pattern!r} must have one *, in the name of the file, which stands for the "
            "name of a shard; put it in quotes"
        )
    return path.parent, before, after
