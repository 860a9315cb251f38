"""The page of a report: its sections, and its data as its script reads them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from preorder_eval.base.pages.page import (
    Json,
    json_text,
    render_template,
    script_policy,
    template_text,
)
from preorder_eval.base.stats.bootstrap import Interval
from preorder_eval.base.tables import signed

_ROOM = "analysis"
# One script from files that each hold one thing; later ones use earlier ones.
_SCRIPTS = ["text", "model", "state", "sides", "plots", "downloads", "tree", "trace"]
_SCRIPTS += ["sentence", "parts", "tables", "limits", "browser"]
_SMALL, _LARGEST = 64, 50_000  # of packed numbers


class Section(NamedTuple):
    """A section of a report: its name in the address, its heading, and its template.

    If it shows the same two systems whatever the reader selects, `pair` names them in its heading.
    """

    name: str
    heading: str
    template: str
    pair: Sequence[str] = ()


def render_report(data: Json, **values: Any) -> str:
    """Render a report as HTML; the same bytes for the same contents.

    Parameters: `data` for the script; `values` the further variables of the templates.
    """
    style = template_text(_ROOM, "page.css")
    script = "\n".join(template_text(_ROOM, f"{name}.js") for name in _SCRIPTS)
    values |= {"style": style, "script": script, "policy": script_policy(script, style)}
    return render_template(_ROOM, "report.html.jinja", data=json_text(data), **values)


def interval_text(low: float, high: float, form: str) -> str:
    """Write the interval of a difference as tables do, with a dash if there is none."""
    if math.isnan(low) and math.isnan(high):
        return "[-]"
    return f"[{signed(low, form)}, {signed(high, form)}]"


def packed(numbers: Sequence[int]) -> str | list[int]:
    """Write numbers as one character each, a third of the room; the script unpacks them.

    Numbers below 64 are characters of ASCII from the question mark on, so that few must be escaped;
    larger ones are beyond Latin-1. A list with a number too large for that stays a list.
    """
    if any(n > _LARGEST for n in numbers):
        return list(numbers)
    return "".join(chr(n + (63 if n < _SMALL else 256)) for n in numbers)


def json_number(value: float) -> float | None:
    """Return a number unrounded, so that the page rounds it like other output formats; not NaN."""
    return value if math.isfinite(value) else None


def interval_ends(interval: Interval) -> list[float | None]:
    """Return a value with the ends of its interval."""
    return [json_number(interval.value), json_number(interval.low), json_number(interval.high)]
