"""A picture of one sentence for a notebook: its tree, the system's order, and the reference.

It is one SVG without script, style sheet or anything from outside, in the colour of the text around
it. Lines join the same word in two rows: where they cross, the order differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate

from rich.cells import cell_len

from preorder_eval.data.treebank import Tree
from preorder_eval.errors import PreorderEvalError, require_between
from preorder_eval.results.defaults import nearest_reference
from preorder_eval.results.result import Result
from preorder_eval.visible import visible

_COLUMN, _GAP, _MARGIN = 8.4, 16, 90  # pixels of a column of text, between words, and of a label
_LEVEL, _LINES = 18, 64  # pixels that an arc rises above those below it, and between two rows
_MOST = 24  # columns of a word
_COLOURS = 67  # degrees of hue from word to word


@dataclass(frozen=True)
class Picture:
    """A sentence as SVG, and as text: `rows` are names and words."""

    svg: str
    rows: tuple[tuple[str, str], ...]

    def __repr__(self) -> str:
        widest = max(len(name) for name, _ in self.rows)
        return "\n".join(f"{name:{widest}}  {words}" for name, words in self.rows)

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x: auto">{self.svg}</div>'


def picture(result: Result, sentence: int, system: str | None = None) -> Picture:
    """Draw a sentence, by its number from 1, with the tree and the order of a system.

    Parameters: `system` its name, by default the last one. The reference is the reference order
    that is nearest to the system's. Raises PreorderEvalError for a result without orders,
    UnknownNameError for another system.

    >>> from preorder_eval.results.order_scoring import evaluate
    >>> result = evaluate("en-ja", parsers="gold", rules=["none", "en-ja"], resamples=1)
    >>> picture(result, 1)
    source     Where can tourists rent bicycles cheaply ?
    en-ja      tourists Where bicycles cheaply rent can ?
    reference  tourists Where bicycles cheaply rent can ?
    """
    inputs, names = result.inputs, result.labels
    number = len(names) - 1 if system is None else result.system_number(system)
    orders = inputs.orders(number)
    if inputs.ordered is None or orders is None:
        raise PreorderEvalError("a picture needs orders; this result has outputs only")
    require_between("sentence", sentence, 1, len(inputs))
    s, order = sentence - 1, orders[sentence - 1]
    words = [visible(word) for word in inputs.ordered.source[s]]
    rows = [("source", list(range(len(words)))), (visible(names[number]), list(order))]
    nearest = nearest_reference(inputs.ordered, s, order)
    if nearest is not None:  # of a tie the words stand as the system has them
        place = {token: at for at, token in enumerate(order)}
        rows.append(
            ("reference", [t for group in nearest for t in sorted(group, key=place.__getitem__)])
        )
    origin = inputs.systems[number].origin()
    tree = None if origin is None else origin.trees[s]
    texts = tuple((name, " ".join(words[i] for i in row)) for name, row in rows)
    return Picture(_svg(words, rows, tree), texts)


def _svg(words: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]], tree: Tree | None) -> str:
    short = [word if cell_len(word) <= _MOST else f"{word[: _MOST - 1]}…" for word in words]
    sizes = [cell_len(word) * _COLUMN for word in short]
    arcs = [] if tree is None else _arcs(tree)
    baseline = 24 + _LEVEL * (1 + max((level for *_, level in arcs), default=-1))
    places = [_centres(sizes, row) for _, row in rows]
    ys = [baseline + _LINES * number for number in range(len(rows))]
    width = _MARGIN + sum(sizes) + _GAP * len(sizes)
    parts = [_arc(places[0], baseline - 16, *arc) for arc in arcs]
    for number in range(1, len(rows)):
        for i in range(len(words)):
            (x, y), (x2, y2) = ((places[n][i], ys[n]) for n in (number - 1, number))
            parts.append(
                f'<path d="M{x:.1f} {y + 6} C{x:.1f} {y + 28} {x2:.1f} {y2 - 38} {x2:.1f} '
                f'{y2 - 16}" stroke="hsl({i * _COLOURS % 360} 62% 48%)" stroke-width="1.6"/>'
            )
    for (name, _), y, centres in zip(rows, ys, places, strict=True):
        parts.append(_text(4, y, name[:12], "start", 'opacity=".6"'))
        parts += [_text(x, y, short[i], "middle") for i, x in enumerate(centres)]
    title = escape(" ".join(words))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0f}" '
        f'height="{ys[-1] + 12}" viewBox="0 0 {width:.0f} {ys[-1] + 12}" fill="none" '
        f'stroke="none" font-family="system-ui, sans-serif" font-size="14">'
        f"<title>{title}</title>{''.join(parts)}</svg>"
    )


def _centres(sizes: Sequence[float], row: Sequence[int]) -> list[float]:
    """Return the middle of every word in pixels, in source order, for a row in its own order."""
    starts = accumulate((sizes[i] + _GAP for i in row), initial=float(_MARGIN))
    middle = {i: start + sizes[i] / 2 for i, start in zip(row, starts, strict=False)}
    return [middle[i] for i in range(len(sizes))]


def _arcs(tree: Tree) -> list[tuple[int, int, str, int]]:
    """Return the arcs: head, dependent, label, and a level above that of all arcs inside."""
    above = [0] * len(tree.heads)
    arcs = []
    pairs = [(head, i) for i, head in enumerate(tree.heads) if head >= 0]
    for head, i in sorted(pairs, key=lambda pair: abs(pair[0] - pair[1])):
        inside = range(min(head, i), max(head, i))
        level = max(above[j] for j in inside)
        for j in inside:
            above[j] = level + 1
        arcs.append((head, i, tree.labels[i], level))
    return sorted(arcs, key=lambda arc: arc[1])


def _arc(
    centres: Sequence[float], bottom: float, head: int, child: int, label: str, level: int
) -> str:
    """Draw an arc from a head to its dependent, where it has an arrow."""
    lean = 4 if child > head else -4
    x, x2, top = centres[head] + lean, centres[child], bottom - 14 - _LEVEL * level
    return (
        f'<path d="M{x:.1f} {bottom} V{top + 6} Q{x:.1f} {top} {x + 1.5 * lean:.1f} {top} '
        f'H{x2 - 1.5 * lean:.1f} Q{x2:.1f} {top} {x2:.1f} {top + 6} V{bottom}" '
        f'stroke="currentColor" opacity=".45"/><path d="M{x2 - 3:.1f} {bottom - 5} l3 5 3 -5z" '
        f'fill="currentColor" opacity=".6"/>'
        + _text((x + x2) / 2, top - 2, visible(label), "middle", 'font-size="10" opacity=".8"')
    )


def _text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}" fill="currentColor" {more}>'
        f"{escape(text)}</text>"
    )
