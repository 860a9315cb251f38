"""Bar charts: how often source and target language have two items in the order of a pair."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from preorder_eval.base.visible import visible

_WIDTH, _BAR, _STEP = 160, 8, 11
_SOURCE, _TARGET = "#8a8f94", "#2f7fb5"  # on a light ground and on a dark one
_LEFT = 'style="text-align: left;"'


class Preference(NamedTuple):
    """How often each language has two items of a kind of head in an order, and in the opposite one.

    The order is that which the pair makes. `like` names the kinds of items that were counted in the
    target language instead of the pair's, if any.
    """

    pair: str
    heads: str
    source: tuple[int, int]
    target: tuple[int, int]
    like: str = ""


def preference_bars(preferences: Sequence[Preference]) -> str:
    """Return an HTML table with a bar for each language, empty without preferences.

    >>> bars = preference_bars([Preference("obj> before HEAD", "verbs", (5, 95), (90, 10))])
    >>> bars.count("<rect"), "5% of 100" in bars, "90% of 100" in bars
    (2, True, True)
    """
    if not preferences:
        return ""
    names = ["pair", "heads", "target", "source", ""]
    head = "".join(f"<th {_LEFT}>{name}</th>" for name in names)
    swatches = " ".join(
        f'<svg width="10" height="10" aria-hidden="true"><path d="M0 0h10v10H0z" fill="{colour}"/>'
        f"</svg> {language}"
        for language, colour in (("target", _TARGET), ("source", _SOURCE))
    )
    return (
        f"<p>How often each language has the order that a pair makes: {swatches}; the dashed line "
        "is at 50%. Brackets name the items that were counted in the target language if those of "
        'the pair are rare there.</p>\n<div style="overflow-x: auto"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n"
        + "\n".join(map(_row, preferences))
        + "\n</tbody>\n</table></div>"
    )


def _row(of: Preference) -> str:
    shares = [counts[0] / max(1, sum(counts)) for counts in (of.target, of.source)]
    cells = [escape(visible(of.pair)), escape(visible(of.heads))]
    cells += [
        f"{share:.0%} of {sum(counts):,}" if any(counts) else "–"
        for share, counts in zip(shares, (of.target, of.source), strict=True)
    ]
    cells[2] += f" ({escape(of.like)})" if of.like else ""
    bars = "".join(
        f'<rect y="{1 + _STEP * n}" width="{_WIDTH * share:.1f}" height="{_BAR}" fill="{colour}"/>'
        for n, (share, colour) in enumerate(zip(shares, (_TARGET, _SOURCE), strict=True))
    )
    half, height = _WIDTH / 2, 2 * _STEP
    cells.append(
        f'<svg width="{_WIDTH}" height="{height}" aria-hidden="true">{bars}'
        f'<path d="M{half} 0V{height}" stroke="currentColor" stroke-dasharray="2 2"/></svg>'
    )
    return "<tr>" + "".join(f"<td {_LEFT}>{cell}</td>" for cell in cells) + "</tr>"
