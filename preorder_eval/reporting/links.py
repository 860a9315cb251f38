"""The picture of one sentence's word alignment in the terminal: a ladder.

The ladder has a column for every source word and a row for every stretch of target words that are
linked to the same source words; a passage that keeps its order is a falling diagonal.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from preorder_eval.data.alignments import Link
from preorder_eval.data.orders import ReferenceOrder
from preorder_eval.tables.drawing import wrap
from preorder_eval.visible import visible

Words = Sequence[str]
_WIDEST_LABEL = 24  # columns that target words may take before they are put on two rows
_MOST_ORDERS = 10  # of a sentence that are printed
_NULL = "–"


def stretches(links: Sequence[Link], target: Words) -> list[tuple[range, tuple[int, ...]]]:
    """Runs of target positions with the same source positions, in target order."""
    sources: list[list[int]] = [[] for _ in target]
    for s, t in links:
        sources[t].append(s)
    keys = [tuple(sorted(of_word)) for of_word in sources]
    starts = [t for t in range(len(keys)) if t == 0 or keys[t] != keys[t - 1]]
    return [
        (range(start, stop), keys[start])
        for start, stop in zip(starts, [*starts[1:], len(keys)], strict=True)
    ]


def ladder(source: Words, target: Words, links: Sequence[Link], width: int = 100) -> str:
    """Return the links as a grid of source columns and target rows, with linked words at both ends.

    Source positions are counted from 0. The grid gets narrower to stay within `width` columns.

    >>> target = ["私", "は", "魚", "を", "食べる"]
    >>> print(ladder(["I", "eat", "the", "fish"], target, [(0, 0), (0, 1), (3, 2), (3, 3), (1, 4)]))
              0  1  2  3
    私 は     ●  ·  ·  ·  I
    魚 を     ·  ·  ·  ●  fish
    食べる    ·  ●  ·  ·  eat
    no link: the 2
    """
    shown = [visible(word) for word in source]
    rows = [
        (words, keys, " ".join(shown[s] for s in keys) or _NULL)
        for positions, keys in stretches(links, target)
        for words in wrap([visible(target[t]) for t in positions], _WIDEST_LABEL, 0).split("\n")
    ]
    left = max(cell_len(words) for words, _, _ in rows)
    right = max(cell_len(words) for _, _, words in rows)
    room = (width - left - right - 4) // max(len(source), 1)
    step = min(max(room, 1), 3)
    lines = [
        f"{words}{' ' * (left - cell_len(words))}  {_rungs(keys, len(source), step)}  {ends}"
        for words, keys, ends in rows
    ]
    heads = [" " * (left + 2) + head for head in _heads(len(source), step)]
    linked = {s for s, _ in links}
    alone = [f"{word} {s}" for s, word in enumerate(shown) if s not in linked]
    if alone:
        lines.append("no link: " + wrap([*(f"{a}," for a in alone[:-1]), alone[-1]], width, 9))
    return "\n".join(line.rstrip() for line in [*heads, *lines])


def _rungs(keys: tuple[int, ...], size: int, step: int) -> str:
    """Return one row: a mark in the columns of `keys`, joined by a line where there are several."""
    cells = []
    for column in range(size):
        inside = bool(keys) and keys[0] < column <= keys[-1]
        mark = "●" if column in keys else "─" if inside else "·"
        cells.append(("─" if inside else " ") * (step - 1) + mark)
    return "".join(cells)


def _heads(size: int, step: int) -> list[str]:
    """Return the source positions above their columns, digits stacked where it is tight."""
    if step == 3:
        return ["".join(f"{column:3}" for column in range(size))]
    digits = [str(column) for column in range(size)]
    height = max(map(len, digits), default=0)
    return ["".join(d.rjust(height)[level].rjust(step) for d in digits) for level in range(height)]


def overview(
    source: Words, target: Words | None, orders: Sequence[ReferenceOrder], width: int = 100
) -> list[str]:
    """Source, reference orders with ties in braces, and target, wrapped to the screen."""
    shown = [visible(word) for word in source]
    rows = [("source", shown)]
    rows += [
        ("or" if number else "reference", order.braces(shown).split(" "))
        for number, order in enumerate(orders[:_MOST_ORDERS])
    ]
    if len(orders) > _MOST_ORDERS:
        rows.append(("", [f"and {len(orders) - _MOST_ORDERS} more"]))
    if target is not None:
        rows.append(("target", [visible(word) for word in target]))
    return [f"{name:11}{wrap(words, width, 11)}" for name, words in rows]
