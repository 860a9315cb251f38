"""Reference orders as one field of a table.

`1 0_2` puts the source token 1 first and leaves the order of 0 and 2 free. Several orders of a
sentence are separated by ` | `. All but the first may come of other links than the sentence's own:
what these leave unaligned is marked, as in `0 1~`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from preorder_eval.data.alternatives import Alternatives
from preorder_eval.data.orders import ReferenceOrder, ReferenceOrders, order_defect
from preorder_eval.errors import FormatError
from preorder_eval.formats.text import whole_number

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
