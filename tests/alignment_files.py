"""Alignment files of every format, written for tests: the other side of the readers."""

from __future__ import annotations

import json
from collections.abc import Sequence

from preorder_eval.orders.alignment_formats import format_alignments
from preorder_eval.orders.alignments import Alignments

Links = Sequence[tuple[int, int, bool]]
Texts = Sequence[Sequence[str]]

MARKS = {"pharaoh", "naacl"}  # formats that tell sure links from possible ones
BASES = {"pharaoh": 0, "lader": 0, "talbot": 0, "giza": 1, "naacl": 1, "ids": 1}


def write_part(folder, part, name="s"):
    """Write the sentences of a reference set and their links as two files; return their paths."""
    source, alignment = folder / f"{name}.en", folder / f"{name}.align"
    source.write_text("".join(" ".join(words) + "\n" for words in part.source), encoding="utf-8")
    alignment.write_text(format_alignments(part.alignments))
    return source, alignment


def written(
    form: str,
    alignments: Alignments,
    source: Texts = (),
    target: Texts = (),
    *,
    base: int | None = None,
    direction: str = "source-target",
) -> str:
    """Write a file; some formats take the words of both sides."""
    start = BASES[form] if base is None else base
    rows: list[Links] = []
    for s in range(len(alignments)):
        marked = zip(alignments[s], alignments.marks(s), strict=True)
        links = [(i + start, j + start, bool(mark)) for (i, j), mark in marked]
        rows.append([(j, i, m) for i, j, m in links] if direction == "target-source" else links)
    sides = (target, source) if direction == "target-source" else (source, target)
    return _WRITERS[form](rows, *sides)


def _pharaoh(rows: Sequence[Links], first: Texts, second: Texts) -> str:
    return "".join(" ".join(f"{i}{'p' if m else '-'}{j}" for i, j, m in r) + "\n" for r in rows)


def _lader(rows: Sequence[Links], first: Texts, second: Texts) -> str:
    lines = zip(rows, first, second, strict=True)
    return "".join(
        " ".join([f"{len(one)}-{len(two)} |||", *(f"{i}-{j}" for i, j, _ in row)]) + "\n"
        for row, one, two in lines
    )


def _naacl(rows: Sequence[Links], first: Texts, second: Texts) -> str:
    return "".join(
        f"{n} {i} {j} {'P' if m else 'S'}\n" for n, row in enumerate(rows, 1) for i, j, m in row
    )


def _talbot(rows: Sequence[Links], first: Texts, second: Texts) -> str:
    lines = []
    for row, words in zip(rows, second, strict=True):
        fields = ["_".join(str(i) for i, j, _ in row if j == k) for k in range(len(words))]
        lines.append(",".join(fields) + "\n")
    return "".join(lines)


def _giza(rows: Sequence[Links], first: Texts, second: Texts) -> str:
    out = []
    for n, (row, one, two) in enumerate(zip(rows, first, second, strict=True), 1):
        linked = {j for _, j, _ in row}
        places = [[j for j in range(1, len(two) + 1) if j not in linked]]
        places += [[j for i, j, _ in row if i == k] for k in range(1, len(one) + 1)]
        head = f"# Sentence pair ({n}) source length {len(one)} target length {len(two)}"
        tokens = (
            f"{word} ({{ {''.join(f'{j} ' for j in at)}}})"
            for word, at in zip(["NULL", *one], places, strict=True)
        )
        out += [f"{head} alignment score : 1\n", " ".join(two) + "\n", " ".join(tokens) + "\n"]
    return "".join(out)


def _ids(rows: Sequence[Links], first: Texts, second: Texts) -> str:
    sentences = [{str(i): [str(j) for k, j, _ in row if k == i] for i, _, _ in row} for row in rows]
    return json.dumps([{**links, "X": ["1"]} for links in sentences], indent=2) + "\n"


_WRITERS = {
    "pharaoh": _pharaoh,
    "lader": _lader,
    "naacl": _naacl,
    "talbot": _talbot,
    "giza": _giza,
    "ids": _ids,
}
