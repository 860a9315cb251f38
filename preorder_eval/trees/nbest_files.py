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
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from preorder_eval.base.errors import FormatError
from preorder_eval.base.files.files import (
    check_expanded,
    decode_lines,
    is_compressed,
    iterate_bytes,
    read_input,
)
from preorder_eval.trees.conllu import format_conllu, parse_conllu
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.treebank import Treebank, comment_value

_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]{1,3})?")
_BLOCK = 1 << 24  # bytes
_OWN = re.compile(r"#\s*(parse|score)\s*=")


def read_nbest(path: str | Path) -> NBest:
    """Read an n-best file whole; `-` is standard input.

    Raises FormatError, with file, line and sentence id, for a file that is not CoNLL-U, and for a
    list whose parses are not counted from 1, have different words, have scores only in part, or are
    not sorted by them.
    """
    data = read_input(path)
    return _lists(parse_conllu(data, path), data, path)


def iterate_nbest(path: str | Path) -> Iterator[NBest]:
    """Read an n-best file some lists at a time, for files too large to be held in memory.

    Raises the errors of `read_nbest`, each when its line is reached.
    """
    before = 0
    for first, data in _blocks(path):
        trees = parse_conllu(data, path, first, before)
        yield _lists(trees, data, path, first, before)
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

    >>> import preorder_eval as pe
    >>> from preorder_eval.trees.treebank import Tree
    >>> trees = pe.Treebank.of([Tree(["Go"], [-1], ["root"], ["VERB"], ["VB"])])
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
    trees: Treebank, data: bytes, name: str | Path, first: int = 1, before: int = 0
) -> NBest:
    """Return the lists that the comments of trees declare.

    For errors, `data` gives the text of the trees; it begins with line number `first` of the file,
    behind so many trees as `before`.
    """
    if not any("parse" in line for comments in trees.comments for line in comments):
        return NBest(trees, np.arange(len(trees) + 1), np.full(len(trees), np.nan))
    sentences = trees.sentences
    offsets: list[int] = []
    scores: list[float] = []
    rank = label = None
    for s, comments in enumerate(trees.comments):
        last_rank, last_label = rank, label
        rank, label = comment_value(comments, "parse"), comment_value(comments, "sent_id")
        text = None if rank is None else comment_value(comments, "score")
        number = _NUMBER.fullmatch(text or "")
        scores.append(float(number[0]) if number else np.nan)
        expected = 1 if last_rank is None else s - offsets[-1] + 1
        defect = ""
        if text is not None and not number:
            defect, hint = f"score {text!r} is not a number", "write it as -3.48"
        elif rank in (None, "1"):
            offsets.append(s)
        elif rank != str(expected):
            defect = f"parse {rank} where {expected} was expected"
            hint = "the parses of a sentence follow each other, counted from 1"
        elif label != last_label or sentences[s] != sentences[s - 1]:
            defect = f"parse {rank} is of another sentence than parse {expected - 1}"
            hint = "start a new list with parse = 1"
        elif np.isnan(scores[-2]) != np.isnan(scores[-1]):
            defect = f"parse {expected - 1 if np.isnan(scores[-2]) else rank} has no score"
            hint = "give every parse of a list a score, or none"
        elif scores[-1] > scores[-2]:
            defect = f"score {scores[-1]} after {scores[-2]}"
            hint = "sort the parses of a sentence best first"
        if defect:
            lines = itertools.pairwise(["", *decode_lines(data, name, first=first)])
            starts = [n for n, (above, line) in enumerate(lines, first) if line and not above]
            place = f"sentence {label or f'number {before + s + 1}'}"
            raise FormatError(f"{place}: {defect}", file=name, line=starts[s], hint=hint)
    return NBest(trees, np.array([*offsets, len(trees)]), np.array(scores))
