"""Orders as text: order files, and reference orders as one field of a table.

An order file, as preorderers write them, has a line for each sentence: its 0-based source positions
in output order. `2 0 1` puts the third word first. lader and topdown-btg write the same.

In a reference order such as `1 0_2` the source token 1 comes first, and the order of 0 and 2 is
free. Several orders of a sentence are separated by ` | `. Orders after the first may come from
other links than the sentence's own. A token without a link there is marked, as in `0 1~`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from preorder_eval.base.arrays import offsets_of
from preorder_eval.base.errors import FormatError
from preorder_eval.base.files.files import decode_lines, read_input
from preorder_eval.base.files.scanning import scan
from preorder_eval.base.ragged import blocks_of_lines
from preorder_eval.base.text.text_files import same_length, split_tokens, whole_number
from preorder_eval.orders.orders import (
    Alternatives,
    Orders,
    ReferenceOrder,
    ReferenceOrders,
    order_defect,
)

_ALTERNATIVE = " | "
_ONCE = "list every 0-based position once"


def read_orders(path: str | Path, source_lengths: Sequence[int]) -> Orders:
    """Read system orders and check that each is a permutation of its sentence's positions.

    Raises FormatError with file and line.
    """
    data = read_input(path)
    scanned = scan_orders(data, source_lengths)
    if scanned is not None:
        return scanned
    return parse_orders(decode_lines(data, path), source_lengths, path)


def scan_orders(data: bytes, source_lengths: Sequence[int]) -> Orders | None:
    """Read the orders of a file without a fault; None for any other file.

    See `base.files.scanning`.
    """
    offsets, sentences = offsets_of(source_lengths), 0
    positions = np.empty(offsets[-1], dtype=np.int32)
    for block in blocks_of_lines(data):
        numbers = scan(block, " ")
        if numbers is None:
            return None
        last = sentences + len(numbers.lines) - 1
        here = offsets[sentences : last + 1]
        here = here - here[:1]
        lengths = np.diff(here)
        if not np.array_equal(numbers.lines, here) or not lengths.all():
            return None
        if (numbers.values >= np.repeat(lengths, lengths)).any():
            return None
        # As many positions as places, all of them inside: each is there once if none lacks.
        there = np.zeros(len(numbers.values), dtype=bool)
        there[numbers.values + np.repeat(here[:-1], lengths)] = True
        if not there.all():
            return None
        positions[offsets[sentences] : offsets[last]] = numbers.values
        sentences = last
    return Orders(offsets, positions) if 0 < sentences == len(offsets) - 1 else None


def parse_orders(lines: Sequence[str], source_lengths: Sequence[int], path: str | Path) -> Orders:
    """Read the orders of a file's lines; see `read_orders`."""
    same_length("order", len(lines), path, "the source", len(source_lengths))
    rows = enumerate(zip(lines, source_lengths, strict=True), 1)
    return Orders.of(
        parse_order(split_tokens(line, path, number), length, path, number, _ONCE)
        for number, (line, length) in rows
    )


def parse_order(
    fields: Sequence[str], length: int, path: str | Path, line: int, hint: str, what: str = ""
) -> list[int]:
    """Read one order of `length` source tokens; raise FormatError for fields that are no order.

    `what` stands before the defect in the error, such as "a reference order of ".
    """
    positions = []
    for field in fields:
        position = whole_number(field)
        if position is None:
            raise FormatError(f"{field!r} is not a position", file=path, line=line, hint=hint)
        positions.append(position)
    defect = order_defect(positions)
    if len(positions) != length:
        defect = f"{what}{len(positions)} positions for {length} source tokens"
    if defect:
        raise FormatError(defect, file=path, line=line, hint=hint)
    return positions


def format_order(order: Sequence[int]) -> str:
    """Write one line of an order file.

    >>> format_order([2, 0, 1])
    '2 0 1'
    """
    return " ".join(map(str, order))


def format_reference_orders(references: ReferenceOrders | Alternatives) -> Iterator[str]:
    """Yield the reference orders of each sentence as one field.

    >>> list(format_reference_orders(ReferenceOrders.of([[[1], [0, 2]]])))
    ['1 0_2']
    """

    def written(order: ReferenceOrder, marked: bool) -> str:
        return " ".join(
            "_".join(f"{i}{'~' if marked and not order.aligned[i] else ''}" for i in group)
            for group in order
        )

    counts = [1] * len(references)
    if isinstance(references, Alternatives):
        counts, references = references.counts.tolist(), references.references
    orders = iter(references)
    for count in counts:
        yield _ALTERNATIVE.join(written(next(orders), n > 0) for n in range(count))


def parse_reference_orders(
    text: str, aligned: Sequence[bool], path: Path, line: int, hint: str
) -> list[ReferenceOrder]:
    """Read the reference orders of a field.

    Parameters: `aligned` is whether the sentence's own links align each token; `path`, `line` and
    `hint` are for errors. Raises FormatError for what is no order of these tokens.

    >>> parse_reference_orders("1 0 | 0 1~", [True, True], Path("sentences.tsv"), 2, "")
    [[[1], [0]], [[0], [1]]]
    """
    orders = []
    for number, order in enumerate(text.split(_ALTERNATIVE)):
        groups = [group.split("_") for group in order.split()]
        fields = [field for group in groups for field in group]
        plain = [field.removesuffix("~") for field in fields]
        positions = parse_order(plain, len(aligned), path, line, hint, "a reference order of ")
        linked = list(aligned) if number == 0 else [True] * len(aligned)
        for field, position in zip(fields, positions, strict=True):
            linked[position] &= not field.endswith("~")
        following = iter(positions)
        orders.append(ReferenceOrder([[next(following) for _ in of] for of in groups], linked))
    return orders
