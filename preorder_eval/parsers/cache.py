"""The cache of parses: nothing is parsed twice.

An SQLite file, which several processes can use at once, holds the trees of every parsed sentence.
The key is a hash of everything that the trees depend on. If an entry is damaged, its sentence is
parsed again. When the file exceeds its size limit, the oldest entries are deleted. If the file
cannot be used, commands warn once and continue without it.
"""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from preorder_eval.base.arrays import offsets_of
from preorder_eval.base.progress import Advance
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.text.tokenization import TokenLists
from preorder_eval.parsers.parser import ListParser, Parser, refuse_bad_length, tokenizer_of_parser
from preorder_eval.parsers.pipelines import PipelineFolder
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.treebank import Treebank

_LOG = logging.getLogger(__name__)

_FORM = 2  # raised when entries change their meaning
_BOUND = 1 << 30  # bytes
_AT_ONCE = 4096  # sentences parsed, and then stored, at a time
_BUSY = 30.0  # seconds to wait for another process


def cache_path() -> Path | None:
    """Return the path of the cache; None for a user without a home.

    It is in $PREORDER_EVAL_CACHE, else in $XDG_CACHE_HOME/preorder-eval or ~/.cache/preorder-eval.
    """
    folder = os.environ.get("PREORDER_EVAL_CACHE")
    if folder:
        return Path(folder) / "parses.sqlite"
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        return Path(home).expanduser() / "preorder-eval/parses.sqlite"
    except RuntimeError:
        return None


class ParseCache:
    """Compressed entries by key, in a file of at most about `bound` bytes.

    If the file cannot be used, `warn` is called once, with a line that says why.
    """

    def __init__(self, path: Path, warn: Callable[[str], None], bound: int = _BOUND) -> None:
        self.path = path
        self._warn = warn
        self._bound = bound
        self._usable = True

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Look entries up by their keys; missing entries are omitted."""
        entries: dict[bytes, bytes] = {}

        def read(connection: sqlite3.Connection) -> None:
            for key in keys:
                rows = connection.execute("SELECT entry FROM parses WHERE key = ?", (key,))
                entries.update((key, entry) for (entry,) in rows)

        self._use(read)
        return entries

    def put(self, entries: Mapping[bytes, bytes]) -> None:
        """Store entries; if there is no room, delete the oldest quarter."""

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("REPLACE INTO parses VALUES (?, ?)", entries.items())
            pages, free, size = (
                connection.execute(f"PRAGMA {what}").fetchone()[0]
                for what in ("page_count", "freelist_count", "page_size")
            )
            if (pages - free) * size > self._bound:
                connection.execute(
                    "DELETE FROM parses WHERE rowid IN (SELECT rowid FROM parses ORDER BY rowid "
                    "LIMIT (SELECT count(*) / 4 + 1 FROM parses))"
                )

        self._use(write)

    def _use(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Work on the file in one transaction, unless it could not be used before."""
        if not self._usable:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_BUSY)) as connection, connection:
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS parses (key BLOB PRIMARY KEY, entry BLOB NOT NULL)"
                )
                work(connection)
        except (OSError, sqlite3.Error) as error:
            self._usable = False
            reason = getattr(error, "strerror", None) or error
            self._warn(f"{self.path}: the parse cache cannot be used: {reason}")


class CachedParser(ListParser):
    """A pipeline with a cache; the pipeline is not even loaded if the cache has all trees.

    A sentence that occurs several times is parsed once.
    """

    def __init__(
        self, pipeline: PipelineFolder, load: Callable[[], Parser], cache: ParseCache
    ) -> None:
        self.identity = pipeline.identity
        self.language = pipeline.language
        self.tuned_on = pipeline.tuned_on
        self.learned_from = pipeline.learned_from
        self._load = functools.cache(load)
        self._cache = cache

    def tokenize(self, text: str) -> list[str]:
        """Split raw text into words by the pipeline's tokenizer."""
        return tokenizer_of_parser(self._load())(text)

    def _lists(self, sentences: TokenLists, n: int | None, advance: Advance | None) -> NBest:
        refuse_bad_length(sentences)
        keys = self._keys(sentences, n)
        wanted = dict(zip(keys, sentences, strict=True))
        stored = {key: _decoded(entry) for key, entry in self._cache.get(list(wanted)).items()}
        parses_of = {key: parses for key, parses in stored.items() if parses}
        missing = [key for key in wanted if key not in parses_of]
        _LOG.info("%d of %d different sentences are parsed anew", len(missing), len(wanted))
        if advance:
            advance(len(sentences) - len(missing))
        for start in range(0, len(missing), _AT_ONCE):
            part = missing[start : start + _AT_ONCE]
            new = dict(zip(part, self._parsed([wanted[k] for k in part], n, advance), strict=True))
            self._cache.put({key: _encoded(parses) for key, parses in new.items()})
            parses_of |= new
        return _assembled(sentences, [parses_of[key] for key in keys])

    def _keys(self, sentences: TokenLists, n: int | None) -> list[bytes]:
        from importlib.metadata import version  # takes long, and orders alone do without parses

        made_by = [_FORM, version("spacy"), self.identity.sha256, n]
        made_by += [self.identity.truecase] if self.identity.truecase else []
        start = hashlib.blake2b(json.dumps(made_by).encode(), digest_size=16)
        keys = []
        for words in sentences:
            key = start.copy()
            key.update(json.dumps(list(words)).encode())
            keys.append(key.digest())
        return keys

    def _parsed(
        self, sentences: TokenLists, n: int | None, advance: Advance | None
    ) -> Iterator[_Parses]:
        if n is None:
            best = self._load().parse(sentences, advance=advance)
            nbest = NBest(best, np.arange(len(best) + 1), np.zeros(len(best)))
        else:
            nbest = self._load().parse(sentences, n, advance)
        names = nbest.trees.columns.get("misc")
        for parses in nbest.lists():
            trees = [nbest.trees[p] for p in parses]
            first = slice(*nbest.trees.offsets[parses[0] : parses[0] + 2].tolist())
            yield _Parses(
                nbest.scores[parses].tolist(),
                [tree.heads for tree in trees],
                [tree.labels for tree in trees],
                trees[0].upos,
                trees[0].xpos,
                names[first] if names is not None else ["_"] * len(trees[0]),
            )


class _Parses(NamedTuple):
    """The trees of a sentence, best first."""

    scores: list[float]
    heads: list[list[int]]
    labels: list[list[str]]
    upos: list[str]
    xpos: list[str]
    misc: list[str]


def _encoded(parses: _Parses) -> bytes:
    return zlib.compress(json.dumps(parses, separators=(",", ":")).encode(), level=1)


def _decoded(entry: bytes) -> _Parses | None:
    """Return an entry's trees, None if it is damaged, which zlib's checksum shows."""
    try:
        return _Parses(*json.loads(zlib.decompress(entry)))
    except (zlib.error, ValueError, TypeError, RecursionError):
        return None


def _assembled(sentences: TokenLists, lists: Sequence[_Parses]) -> NBest:
    sizes = [len(parses.scores) for parses in lists]
    repeated = [words for words, size in zip(sentences, sizes, strict=True) for _ in range(size)]
    flat = chain.from_iterable
    trees = Treebank(
        offsets_of(map(len, repeated)),
        NameColumn.of(flat(repeated)),
        np.fromiter(flat(flat(parses.heads for parses in lists)), dtype=np.int32),
        NameColumn.of(flat(flat(parses.labels for parses in lists))),
        NameColumn.of(flat(p.upos * len(p.scores) for p in lists)),
        NameColumn.of(flat(p.xpos * len(p.scores) for p in lists)),
        {"misc": NameColumn.of(flat(p.misc * len(p.scores) for p in lists))},
    )
    return NBest(trees, offsets_of(sizes), np.array(list(flat(p.scores for p in lists))))
