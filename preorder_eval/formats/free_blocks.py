"""Free blocks of translations: which adjacent phrases may stand in any order.

A line for each sentence, empty where nothing is free; on it blocks separated by spaces, each of
two or more adjacent stretches of target positions, 0-based, the last one included: `0-1|2-4|5`
says that the tokens 0 and 1, the tokens 2 to 4, and the token 5 may stand in any order.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path

from preorder_eval.data.alternatives import Block, Stretch
from preorder_eval.errors import FormatError
from preorder_eval.formats.text import read_lines, same_length

_STRETCH = r"[0-9]{1,9}(-[0-9]{1,9})?"
_BLOCK = re.compile(rf"{_STRETCH}(\|{_STRETCH})+")


def read_free_blocks(path: str | Path, target_lengths: Sequence[int]) -> list[list[Block]]:
    """The free blocks of every sentence.

    Raises FormatError, with the line, for a block that is malformed, has stretches that are not
    adjacent, overlaps another or reaches beyond the sentence.
    """
    lines = read_lines(path, blank=True)
    same_length("line", len(lines), path, "the translation", len(target_lengths))
    sentences = []
    for number, (line, length) in enumerate(zip(lines, target_lengths, strict=True), 1):
        sentences.append(parse_free_blocks(line, length, path, number))
    return sentences


def parse_free_blocks(
    line: str, length: int, file: str | Path, number: int | None = None
) -> list[Block]:
    """The free blocks of a sentence of `length` target tokens, by line `number` of the file.

    >>> parse_free_blocks("0-1|2", 3, "en-ja.free")
    [((0, 1), (2, 2))]
    """
    blocks: list[Block] = []
    for text in line.split():
        block = _parse(text)
        defect = "is not written as 0-1|2-4" if block is None else _defect(block, blocks, length)
        if defect:
            raise FormatError(f"block {text[:40]!r} {defect}", file=file, line=number)
        blocks += [] if block is None else [block]
    return sorted(blocks)


def _written(stretch: Stretch) -> str:
    first, last = stretch
    return str(first) if first == last else f"{first}-{last}"


def _parse(text: str) -> Block | None:
    if not _BLOCK.fullmatch(text):
        return None
    ends = [stretch.split("-") for stretch in text.split("|")]
    return tuple((int(first), int(last[0] if last else first)) for first, *last in ends)


def _defect(block: Block, others: Sequence[Block], length: int) -> str:
    """What is wrong with a block; empty if nothing is."""
    if any(first > last for first, last in block):
        return "has a stretch that ends before it begins"
    if any(second[0] != first[1] + 1 for first, second in itertools.pairwise(block)):
        return "has stretches that are not adjacent"
    if block[-1][1] >= length:
        return f"reaches beyond the {length} tokens of its sentence"
    if any(block[0][0] <= other[-1][1] and other[0][0] <= block[-1][1] for other in others):
        return "overlaps another"
    return ""


def format_free_blocks(sentences: Sequence[Sequence[Block]]) -> str:
    r"""Free blocks as the text of a file.

    >>> format_free_blocks([[((0, 1), (2, 2))], []])
    '0-1|2\n\n'
    """
    return "".join(
        " ".join("|".join(map(_written, block)) for block in blocks) + "\n" for blocks in sentences
    )
