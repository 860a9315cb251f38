"""CoNLL-U, the format of Universal Dependencies treebanks and of most parsers.

Reading and writing keeps everything: comments, multiword-token lines, empty nodes and the
enhanced column. Only the numbered words count as tokens.
https://universaldependencies.org/format.html
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from preorder_eval.data.arrays import blocks, cut, offsets_of
from preorder_eval.data.columns import Column
from preorder_eval.data.treebank import Treebank, comment_value
from preorder_eval.data.well_formed import broken_trees, tree_defect
from preorder_eval.errors import FormatError
from preorder_eval.formats.compression import is_compressed, uncompressed
from preorder_eval.formats.conllu_scan import (
    BETWEEN,
    BLOCK,
    KEPT,
    scan_blocks,
    scan_treebank,
    whole_sentences,
)
from preorder_eval.formats.text import (
    decode_lines,
    file_name,
    iterate_bytes,
    read_bytes,
    read_input,
    whole_number,
    write_parts,
)

_IDS = "ids count from 1, and a blank line ends each sentence"
_WORDS = 1 << 15  # that are text together


def is_conllu(path: str | Path) -> bool:
    """Whether a file is CoNLL-U by its ending, or CoNLL-X, which is read alike.

    >>> is_conllu("parses.conllu.gz"), is_conllu("source.en")
    (True, False)
    """
    return uncompressed(path).suffix in (".conllu", ".conll")


def read_conllu(path: str | Path) -> Treebank:
    """Read a CoNLL-U file; `-` is standard input.

    Raises FormatError with file, line and sentence id for a line that is not CoNLL-U, and for
    a sentence that is not a tree (no root, several roots, a cycle).

    >>> from preorder_eval.resources import bundled
    >>> read_conllu(bundled("reference_data") / "en-ja" / "source.conllu")[0].words[:3]
    ['Where', 'can', 'tourists']
    """
    if Path(path).is_file() and not is_compressed(path):  # which can be read again
        parts = whole_sentences(iterate_bytes(path, BLOCK))
        scanned = scan_blocks(parts, Path(path).stat().st_size)
        return scanned or parse_lines(decode_lines(read_bytes(path), file_name(path)), str(path))
    data = read_input(path)
    return scan_treebank(data) or parse_lines(decode_lines(data, file_name(path)), str(path))


def parse_conllu(text: str, name: str = "CoNLL-U text") -> Treebank:
    r"""Read CoNLL-U from a string.

    >>> row = "1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_"
    >>> parse_conllu("# sent_id = a\n" + row + "\n\n")[0].words
    ['Go']
    """
    data = text.encode()
    return scan_treebank(data) or parse_lines(decode_lines(data, name), name)


def parse_lines(lines: Sequence[str], name: str, first: int = 1, before: int = 0) -> Treebank:
    """Read CoNLL-U from lines, of which the first has this number in the file `name`.

    So many sentences stand `before` them.
    """
    rows: list[list[str]] = []
    heads: list[int] = []
    lengths: list[int] = []
    comments: list[tuple[str, ...]] = []
    extra: dict[int, list[tuple[int, str]]] = {}
    starts: list[int] = []
    pending: list[str] = []
    start = length = 0

    def error(message: str, mend: str | None = None) -> FormatError:
        label = comment_value(pending, "sent_id") or f"number {before + len(lengths) + 1}"
        return FormatError(f"sentence {label}: {message}", file=name, line=number, mend=mend)

    for number, line in enumerate([*lines, ""], first):
        if not line:
            if length:
                lengths.append(length)
                starts.append(start)
                comments.append(tuple(pending))
            elif pending or start:
                raise error("no words")
            pending, start, length = [], 0, 0
        elif line.startswith("#"):
            if start:
                raise error("a comment after a word", "comments stand before the first word")
            pending.append(line)
        else:
            start = start or number
            fields = line.split("\t")
            if len(fields) != 10:
                raise error(
                    f"{len(fields)} fields instead of 10",
                    "CoNLL-U has ten columns separated by tabs",
                )
            if "" in fields:
                raise error("an empty field", "write _ where there is nothing to say")
            between = None if fields[0].isdigit() else BETWEEN.fullmatch(fields[0])
            if between:
                # A range starts with the next word, an empty node follows the last one.
                expected = length + 1 if between[2] == "-" else length
                if int(between[1]) != expected:
                    raise error(f"token id {fields[0]!r} after word {length}", _IDS)
                extra.setdefault(len(lengths), []).append((length, line))
                continue
            length += 1
            if fields[0] != str(length):
                raise error(f"token id {fields[0]!r} where {length} was expected", _IDS)
            head = whole_number(fields[6])
            if head is None:
                raise error(f"token {length}: head {fields[6]!r} is not a number")
            rows.append(fields)
            heads.append(head - 1)

    if not lengths:
        raise FormatError("no sentence", file=name)
    offsets = offsets_of(lengths)
    head_array = np.array(heads, dtype=np.int32)
    bad = np.flatnonzero(broken_trees(head_array, offsets))
    if bad.size:
        s = int(bad[0])
        label = comment_value(comments[s], "sent_id") or f"number {before + s + 1}"
        raise FormatError(
            f"sentence {label}: {tree_defect(heads[offsets[s] : offsets[s + 1]])}",
            file=name,
            line=starts[s],
            mend="every sentence must be a tree with one root",
        )
    _, words, lemmas, upos, xpos, feats, _, labels, deps, misc = zip(*rows, strict=True)
    return Treebank(
        offsets,
        Column.of(words),
        head_array,
        Column.of(labels),
        Column.of(upos),
        Column.of(xpos),
        dict(zip(KEPT, map(Column.of, (lemmas, feats, deps, misc)), strict=True)),
        comments,
        extra,
    )


def format_conllu(treebank: Treebank) -> str:
    """The treebank as CoNLL-U; what was read from CoNLL-U comes out unchanged."""
    return "".join(conllu_parts(treebank))


def conllu_parts(treebank: Treebank) -> Iterator[str]:
    """The text of `format_conllu`, some sentences at a time, so that few are in memory as text."""
    empty = Column(np.zeros(len(treebank.words), dtype=np.int32), ("_",))
    lemma, feats, deps, misc = (treebank.columns.get(name, empty) for name in KEPT)
    before = (treebank.words, lemma, treebank.upos, treebank.xpos, feats)
    after = (treebank.labels, deps, misc)
    for first, last in blocks(treebank.offsets, _WORDS):
        offsets, tokens = cut(treebank.offsets, first, last)
        heads = map(str, (treebank.heads[tokens] + 1).tolist())
        columns = [c[tokens] for c in before], [c[tokens] for c in after]
        rows = list(zip(*columns[0], heads, *columns[1], strict=True))
        lines: list[str] = []
        for s, (start, stop) in enumerate(itertools.pairwise(offsets.tolist()), first):
            if treebank.comments:
                lines.extend(treebank.comments[s])
            lines += _with_extra(rows[start:stop], treebank.extra_lines.get(s, []))
        yield "\n".join([*lines, ""])


def _with_extra(rows: Sequence[tuple[str, ...]], extra: Sequence[tuple[int, str]]) -> Iterator[str]:
    """The lines of a sentence, with those that are no words, and the blank one at its end."""
    others = iter(extra)
    place, other = next(others, (None, ""))
    for i, row in enumerate([*rows, None]):
        while place == i:
            yield other
            place, other = next(others, (None, ""))
        yield "" if row is None else "\t".join((str(i + 1), *row))


def write_conllu(path: Path, treebank: Treebank) -> None:
    """Write a CoNLL-U file, whole or not at all."""
    write_parts(path, conllu_parts(treebank))
