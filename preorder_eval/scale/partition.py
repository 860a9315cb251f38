"""What is made of one shard: files beside those of the other shards, made once.

Beside them lies a record, `NAME.json`. It has a hash of all that they were made from and the hashes
of the files themselves, and is written last. Where it still holds nothing is made anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from preorder_eval import __version__
from preorder_eval.errors import FormatError
from preorder_eval.formats.files import file_hash, read_json
from preorder_eval.formats.writing import format_json, write_text
from preorder_eval.scale.shards import Shard


@dataclass(frozen=True)
class Partition:
    """A shard, what is asked of it, and the folder for what is made of it.

    `options` are plain values, with all on which the outcome depends beside the files.
    """

    shard: Shard
    options: Mapping[str, Any]
    folder: str

    def path(self, ending: str) -> Path:
        """The path of one of its files."""
        return Path(self.folder) / f"{self.shard.name}.{ending}"

    def key(self) -> str:
        """A SHA-256 over the contents of its files, the options and the version."""
        hashes = {kind: list(map(file_hash, files)) for kind, files in self.shard.files.items()}
        told = json.dumps([__version__, hashes, self.options], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()


@dataclass(frozen=True)
class Made:
    """What was made of a partition: the endings of its files, and what is told of it."""

    endings: tuple[str, ...]
    outcome: Mapping[str, Any]
    again: bool = False  # whether it was made before


def made_once(partition: Partition, make: Callable[[Partition], Made]) -> Made:
    """What `make` makes of a partition, or has made of it before."""
    key, record = partition.key(), partition.path("json")
    with suppress(FormatError, KeyError, TypeError):  # there is none, or none of ours
        known = read_json(record)
        endings = tuple(known["files"])
        if known["key"] == key and _hashes(partition, endings) == known["files"]:
            return Made(endings, known["outcome"], again=True)
    made = make(partition)
    files = _hashes(partition, made.endings)
    write_text(record, format_json({"key": key, "files": files, "outcome": dict(made.outcome)}))
    return made


def _hashes(partition: Partition, endings: tuple[str, ...]) -> dict[str, str]:
    return {ending: file_hash(partition.path(ending)) for ending in endings}
