"""Order files, as preorderers write them: a line per sentence of source positions in output order.

Positions are 0-based: `2 0 1` puts the third word first. lader and topdown-btg write the same.

Reference orders as one field of a table.

`1 0_2` puts the source token 1 first and leaves the order of 0 and 2 free. Several orders of a
sentence are separated by ` | `. All but the first may come of other links than the sentence's own:
what these leave unaligned is marked, as in `0 1~`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from preorder_eval.data.arrays import offsets_of
from preorder_eval.data.orders import (
    Alternatives,
    Orders,
    ReferenceOrder,
    ReferenceOrders,
    order_defect,
)
from preorder_eval.data.ragged import blocks_of_lines
from preorder_eval.errors import FormatError
from preorder_eval.formats.files import decode_lines, file_name, read_input
from preorder_eval.formats.scanning import scan
from preorder_eval.formats.text import same_length, split_tokens, whole_number
from preorder_eval.formats.writing import write_text


def read_orders(path: str | Path, source_lengths: Sequence[int]) -> Orders:
    """Read system orders and check that each is a permutation of its sentence's positions.

    Raises FormatError with file and line.
    """
    data = read_input(path)
    scanned = scan_orders(data, source_lengths)
    if scanned is not None:
        return scanned
    return parse_orders(decode_lines(data, file_name(path)), source_lengths, path)


def scan_orders(data: bytes, source_lengths: Sequence[int]) -> Orders | None:
    """The orders of a file without a fault, None for any other; see `formats.scanning`."""
    offsets, sentences = offsets_of(source_lengths), 0
    positions = np.empty(offsets[-1], dtype=np.int32)
    for block in blocks_of_lines(data):
        found = scan(block, " ")
        if found is None:
            return None
        last = sentences + len(found.line_ends)
        here = offsets[sentences : last + 1]
        here = here - here[:1]
        lengths = np.diff(here)
        if not np.array_equal(found.lines, here) or not lengths.all():
            return None
        if (found.values >= np.repeat(lengths, lengths)).any():
            return None
        # As many positions as places, all of them inside: each is there once if none lacks.
        there = np.zeros(len(found), dtype=bool)
        there[found.values + np.repeat(here[:-1], lengths)] = True
        if not there.all():
            return None
        positions[offsets[sentences] : offsets[last]] = found.values
        sentences = last
    return Orders(offsets, positions) if 0 < sentences == len(offsets) - 1 else None


def parse_orders(lines: Sequence[str], source_lengths: Sequence[int], path: str | Path) -> Orders:
    """The orders of a file's lines; see `read_orders`."""
    same_length("order", len(lines), path, "the source", len(source_lengths))
    orders = []
    for number, (line, length) in enumerate(zip(lines, source_lengths, strict=True), 1):
        order = []
        for field in split_tokens(line, path, number):
            position = whole_number(field)
            if position is None:
                raise FormatError(f"{field!r} is not a position", file=path, line=number)
            order.append(position)
        defect = order_defect(order)
        if len(order) != length:
            defect = f"{len(order)} positions for {length} source tokens"
        if defect:
            raise FormatError(
                defect, file=path, line=number, mend="list every 0-based position once"
            )
        orders.append(order)
    return Orders.of(orders)


def format_order(order: Sequence[int]) -> str:
    """One line of an order file.

    >>> format_order([2, 0, 1])
    '2 0 1'
    """
    return " ".join(map(str, order))


def write_orders(path: Path, orders: Orders) -> None:
    """Write an order file."""
    write_text(path, "".join(format_order(order) + "\n" for order in orders))


_ALTERNATIVE = " | "
_MEND = "the folder was changed or cut short; run the command again"


def format_reference_orders(references: ReferenceOrders | Alternatives) -> Iterator[str]:
    """A field for each sentence.

    >>> list(format_reference_orders(ReferenceOrders.of([[[1], [0, 2]]])))
    ['1 0_2']
    """
    if isinstance(references, ReferenceOrders):
        return (" ".join("_".join(map(str, group)) for group in order) for order in references)

    def written(number: int) -> str:
        order, further = references.references[number], number not in first
        return " ".join(
            "_".join(f"{i}{'~' if further and not order.aligned[i] else ''}" for i in group)
            for group in order
        )

    first = set(references.first.tolist())
    starts = zip(references.first.tolist(), references.counts.tolist(), strict=True)
    return (_ALTERNATIVE.join(map(written, range(a, a + count))) for a, count in starts)


def parse_reference_orders(
    text: str, aligned: Sequence[bool], path: Path, line: int
) -> list[ReferenceOrder]:
    """The reference orders of a field; `aligned` says which tokens the sentence's links align.

    Raises FormatError for what is no order of these tokens.

    >>> parse_reference_orders("1 0 | 0 1~", [True, True], Path("sentences.tsv"), 2)
    [[[1], [0]], [[0], [1]]]
    """
    first, *further = text.split(_ALTERNATIVE)
    return [
        _reference_order(first, aligned, path, line),
        *(_reference_order(order, [True] * len(aligned), path, line) for order in further),
    ]


def _reference_order(text: str, aligned: Sequence[bool], path: Path, line: int) -> ReferenceOrder:
    """A reference order of tokens that are aligned or not, but those marked by `~`."""
    fields = [group.split("_") for group in text.split()]
    groups = [positions([i.removesuffix("~") for i in group], path, line) for group in fields]
    listed = [position for group in groups for position in group]
    defect = order_defect(listed)
    if len(listed) != len(aligned):
        defect = f"a reference order of {len(listed)} positions for {len(aligned)} source tokens"
    if defect:
        raise FormatError(defect, file=path, line=line, mend=_MEND)
    marked = {int(i[:-1]) for group in fields for i in group if i.endswith("~")}
    return ReferenceOrder(groups, [linked and i not in marked for i, linked in enumerate(aligned)])


def positions(fields: Sequence[str], path: Path, line: int) -> list[int]:
    """Whole numbers; FormatError for a field that is none."""
    positions = []
    for field in fields:
        position = whole_number(field)
        if position is None:
            raise FormatError(f"{field!r} is not a position", file=path, line=line, mend=_MEND)
        positions.append(position)
    return positions
