"""N-best lists as CoNLL-U, so that the lists of any parser can be used.

The parses of a sentence follow each other, best first, each a CoNLL-U sentence with the comments

    # sent_id = 12
    # parse = 2
    # score = -3.480212

`parse` counts from 1 within a list. `score` is the log-probability of the parse; a list has it for
all its parses, or for none. A sentence without `parse` is a list of its own, so that every CoNLL-U
file is an n-best file.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from preorder_eval.data.nbest import NBest
from preorder_eval.data.treebank import Treebank, comment_value
from preorder_eval.errors import FormatError
from preorder_eval.formats.conllu import format_conllu, parse_conllu
from preorder_eval.formats.files import (
    check_expanded,
    decode_lines,
    is_compressed,
    iterate_bytes,
    read_input,
)

_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]{1,3})?")
_BLOCK = 1 << 24  # bytes
_OWN = re.compile(r"#\s*(parse|score)\s*=")


def read_nbest(path: str | Path, scanned: Treebank | None = None) -> NBest:
    """Read an n-best file whole; `-` is standard input.

    Parameters: `scanned` are its trees, if they have been read already.

    Raises FormatError, with file, line and sentence id, for a file that is not CoNLL-U. It is also
    raised for a list that does not count its parses from 1, in which parses of one sentence have
    different words, in which only some parses have scores, or in which a score is higher than the
    one before it.
    """
    data = b"" if scanned else read_input(path)
    trees = scanned or parse_conllu(data, path)
    return _lists(trees, lambda: data or read_input(path), path)


def iterate_nbest(path: str | Path) -> Iterator[NBest]:
    """Read an n-best file some lists at a time, for files too large to be held in memory.

    Raises the errors of `read_nbest`, each when its line is reached.
    """
    before = 0
    for first, data in _blocks(path):
        trees = parse_conllu(data, path, first, before)
        yield _lists(trees, lambda data=data: data, path, first, before)  # type: ignore[misc]
        before += len(trees)


def is_large(path: str | Path) -> bool:
    """Return whether a file is so large that it is read in parts; standard input never is."""
    return str(path) != "-" and Path(path).is_file() and Path(path).stat().st_size > _BLOCK


def _blocks(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """Yield a file in blocks of whole lists, each with the number of its first line."""
    first, block = 1, b""
    for more in iterate_bytes(path, _BLOCK):
        block += more
        if is_compressed(path):
            check_expanded(len(block), path)
        border = _last_list(block)
        if block[:border].strip(b"\n"):
            yield first, block[:border]
            first, block = first + block.count(b"\n", 0, border), block[border:]
    yield first, block


def _last_list(block: bytes) -> int:
    """Find where the last list with a whole tree begins; 0 if there is only one."""
    end = block.rfind(b"\n\n")
    while end > 0:
        start = block.rfind(b"\n\n", 0, end) + 2
        lines = block[start:end].decode(errors="replace").split("\n")
        comments = [line for line in lines if line.startswith("#")]
        if any(lines) and comment_value(comments, "parse") in (None, "1"):
            return start if start > 1 else 0
        end = start - 2
    return 0


def format_nbest(nbest: NBest) -> str:
    """Write lists as CoNLL-U; a sentence without an id gets its number as one.

    >>> from preorder_eval.data.treebank import Tree, Treebank
    >>> trees = Treebank.of([Tree(["Go"], [-1], ["root"], ["VERB"], ["VB"])])
    >>> nbest = NBest(trees, np.array([0, 1]), np.array([-0.25]))
    >>> format_nbest(nbest).splitlines()[:3]
    ['# sent_id = 1', '# parse = 1', '# score = -0.25']
    """
    trees = nbest.trees
    comments: list[tuple[str, ...]] = []
    for number, parses in enumerate(nbest.lists(), 1):
        for rank, p in enumerate(parses, 1):
            kept = [c for c in trees.comments[p] if not _OWN.match(c)] if trees.comments else []
            if comment_value(kept, "sent_id") is None:
                kept.insert(0, f"# sent_id = {number}")
            kept.append(f"# parse = {rank}")
            if not np.isnan(nbest.scores[p]):
                kept.append(f"# score = {float(nbest.scores[p])!r}")
            comments.append(tuple(kept))
    return format_conllu(replace(trees, comments=comments))


def _lists(
    trees: Treebank, data: Callable[[], bytes], name: str | Path, first: int = 1, before: int = 0
) -> NBest:
    """Make the lists that the comments of trees tell of.

    For errors: `data` gives the text of the trees, whose first line has the number `first`, and so
    many trees stand `before` them.
    """
    if not any("parse" in line for comments in trees.comments for line in comments):
        return NBest(trees, np.arange(len(trees) + 1), np.full(len(trees), np.nan))
    sentences = trees.sentences
    offsets: list[int] = []
    scores: list[float] = []
    for s, comments in enumerate(trees.comments):
        label = comment_value(comments, "sent_id")
        place = f"sentence {label or f'number {before + s + 1}'}"

        def error(message: str, hint: str, place: str = place, s: int = s) -> FormatError:
            lines = decode_lines(data(), name, first=first)
            pairs = enumerate(itertools.pairwise(["", *lines]), first)
            starts = [number for number, (above, line) in pairs if line and not above]
            return FormatError(f"{place}: {message}", file=name, line=starts[s], hint=hint)

        rank = comment_value(comments, "parse")
        score = np.nan
        if rank is not None:
            text = comment_value(comments, "score")
            if text is not None and not _NUMBER.fullmatch(text):
                raise error(f"score {text!r} is not a number", "write it as -3.48")
            score = np.nan if text is None else float(text)
        scores.append(score)
        if rank in (None, "1"):
            offsets.append(s)
            continue
        last = trees.comments[s - 1] if s else ()
        expected = s - offsets[-1] + 1 if comment_value(last, "parse") is not None else 1
        if rank != str(expected):
            hint = "the parses of a sentence follow each other, counted from 1"
            raise error(f"parse {rank} where {expected} was expected", hint)
        if label != comment_value(last, "sent_id") or sentences[s] != sentences[s - 1]:
            hint = "start a new list with parse = 1"
            raise error(f"parse {rank} is of another sentence than parse {expected - 1}", hint)
        if np.isnan(scores[-2]) != np.isnan(score):
            lacking = expected - 1 if np.isnan(scores[-2]) else rank
            hint = "give every parse of a list a score, or none"
            raise error(f"parse {lacking} has no score", hint)
        if score > scores[-2]:
            hint = "sort the parses of a sentence best first"
            raise error(f"score {score} after {scores[-2]}", hint)
    return NBest(trees, np.array([*offsets, len(trees)]), np.array(scores))
