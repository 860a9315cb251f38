"""One self-contained page: no network, no script but its own.

A report has untrusted text in it. So the templates escape everything; data are put in as JSON and
shown as text only. A content security policy allows nothing to run but the page's own script and
style, which it names by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined

from preorder_eval.base.stats.bootstrap import Interval
from preorder_eval.base.stats.legends import MARKS
from preorder_eval.base.tables import figure, signed
from preorder_eval.base.version import __version__
from preorder_eval.base.visible import visible

Json = dict[str, Any]

_TEMPLATES = files("preorder_eval.base.pages") / "templates"
# One script from files that each hold one thing; later ones use earlier ones.
_SCRIPTS = ["text", "model", "state", "sides", "plots", "downloads", "tree", "trace"]
_SCRIPTS += ["sentence", "parts", "tables", "limits", "browser"]
_LONGEST = 48  # characters of a name in a table
# What ends a script element, and what cannot be seen or turns the direction of the page's source.
_UNSAFE = re.compile(
    "[<>&\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)
_SMALL, _LARGEST = 64, 50_000  # of packed numbers


class Section(NamedTuple):
    """A section of a report: its name in the address, its heading, and its template.

    If it stays with two systems whatever the reader chooses, `pair` names them in its heading.
    """

    name: str
    heading: str
    template: str
    pair: Sequence[str] = ()


def render_report(data: Json, **values: Any) -> str:
    """Render a report as HTML; the same bytes for the same contents.

    Parameters: `data` of the script; `values` what the templates refer to beside that.
    """
    style = template_text("report.css")
    script = "\n".join(template_text(f"{name}.js") for name in _SCRIPTS)
    values |= {"style": style, "script": script, "policy": script_policy(script, style)}
    return render_template("page.html.jinja", data=json_text(data), **values)


def render_template(template: str, **values: Any) -> str:
    """Render a template with these values; it can also show the version of the tool."""
    environment = Environment(
        loader=FunctionLoader(template_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["visible"] = lambda value: visible(str(value))
    environment.filters["short"] = _short
    environment.filters["number"] = lambda value, decimals=3: figure(value, f".{decimals}f")
    environment.filters["stars"] = lambda mark: mark.strip("+-0")
    environment.globals["marks"] = MARKS
    return environment.get_template(template).render(values, version=__version__)


def template_text(name: str) -> str:
    """Read a file that pages are made of."""
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def script_policy(script: str, style: str, more: Sequence[str] = ()) -> str:
    """Return the content security policy of a page with one script and one style sheet."""
    rules = ["default-src 'none'", f"style-src {_hash(style)}", f"script-src {_hash(script)}"]
    return "; ".join([*rules, *more, "base-uri 'none'", "form-action 'none'"])


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def interval_text(low: float, high: float, form: str) -> str:
    """Write the interval of a difference as tables do, with a dash if there is none."""
    if math.isnan(low) and math.isnan(high):
        return "[-]"
    return f"[{signed(low, form)}, {signed(high, form)}]"


def _short(value: object) -> str:
    """Cut the middle out of a name that is too long for a table: the end often tells it apart."""
    text = visible(str(value))
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[:half]}…{text[1 - half :]}"


def json_text(value: Any) -> str:
    """Write a value as JSON that may stand in a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def packed(numbers: Sequence[int]) -> str | list[int]:
    """Write numbers as one character each, a third of the room; the script unpacks them.

    Numbers below 64 are characters of ASCII from the question mark on, so that few must be escaped;
    larger ones are beyond Latin-1. A list with a number too large for that stays a list.
    """
    if any(n > _LARGEST for n in numbers):
        return list(numbers)
    return "".join(chr(n + (63 if n < _SMALL else 256)) for n in numbers)


def finite(value: float) -> float | None:
    """Return a number as it is, so that the page rounds the one that other forms round; not NaN."""
    return value if math.isfinite(value) else None


def ends(interval: Interval) -> list[float | None]:
    """Return a value with the ends of its interval."""
    return [finite(interval.value), finite(interval.low), finite(interval.high)]
