"""Order files, as preorderers write them: a line per sentence of source positions in output order.

Positions are 0-based: `2 0 1` puts the third word first. lader and topdown-btg write the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from preorder_eval.data.arrays import offsets_of
from preorder_eval.data.interning import blocks_of_lines
from preorder_eval.data.orders import Orders, order_defect
from preorder_eval.errors import FormatError
from preorder_eval.formats.scanning import scan
from preorder_eval.formats.text import (
    decode_lines,
    file_name,
    read_input,
    same_length,
    split_tokens,
    whole_number,
    write_text,
)


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
