"""Alignment files from one format into another."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from preorder_eval.formats.alignment import (
    AUTO,
    Bitext,
    Direction,
    Side,
    WhichLinks,
    alignment_format,
    format_alignment,
    read_bitext,
)
from preorder_eval.formats.reference_set import read_side


@dataclass(frozen=True)
class Converted:
    """A converted file's text, and how many links lost their mark of being possible."""

    text: str
    unmarked: int


def convert_alignment(
    file: str | Path,
    to: str,
    source: Path | None = None,
    target: Path | None = None,
    *,
    form: str = AUTO,
    base: int | None = None,
    direction: Direction = "source-target",
    to_base: int | None = None,
    to_direction: Direction = "source-target",
    links: WhichLinks = "all",
) -> Converted:
    """Convert an alignment file; `-` is standard input.

    Parameters: `to` the format wanted, with its `to_base` and `to_direction`; `form`, `base`,
    `direction` and `links` how the file is read (see `read_alignment`). `source` and `target` are
    the sentences, tokenised or CoNLL-U: links are checked against them, and some formats need
    what they tell.

    Raises FormatError with file and line for what is malformed or does not fit the sentences,
    PreorderEvalError where the wanted format needs a side that is not given, and UnknownNameError
    for an unknown format.

    >>> from preorder_eval.resources import bundled
    >>> file = bundled("reference_data") / "en-ja" / "en-ja.align"
    >>> convert_alignment(file, "naacl").text.splitlines()[0]
    '1 1 4 S'
    """
    keeps_marks = alignment_format(to).keeps_marks  # before anything is read
    first = None if source is None else Side.of(read_side(source)[0])
    second = None if target is None else Side.of(read_side(target)[0])
    bitext = read_bitext(file, first, second, form, base=base, direction=direction)
    if links == "sure":
        bitext = Bitext(bitext.alignments.sure, bitext.source, bitext.target)
    text = format_alignment(bitext, to, base=to_base, direction=to_direction)
    return Converted(text, 0 if keeps_marks else int(bitext.alignments.possible.sum()))
