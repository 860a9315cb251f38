"""One self-contained page: no network, no script but its own.

A report holds text that strangers wrote. So the templates escape everything, the data go in as
JSON and are shown as text only, and a content security policy lets nothing run but the page's own
script and style, which it names by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from preorder_eval import __version__
from preorder_eval.reporting.payload import Json, json_text
from preorder_eval.results.notes import MARKS
from preorder_eval.results.text import format_ends
from preorder_eval.visible import visible

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = files("preorder_eval.reporting") / "templates"
# One script from files that each hold one thing; later ones use earlier ones.
_SCRIPTS = [
    "text",
    "model",
    "state",
    "sides",
    "plots",
    "downloads",
    "tree",
    "trace",
    "sentence",
    "parts",
]
_SCRIPTS += ["tables", "words", "limits", "browser"]
_STYLE = re.compile("<style>(.*?)</style>", re.DOTALL)
_LONGEST = 48  # characters of a name in a table


@dataclass(frozen=True)
class Section:
    """A part of the page: `name` is its place in an address, `template` the file that draws it."""

    name: str
    heading: str
    template: str


@dataclass(frozen=True)
class Page:
    """What a page shows: its heads, its sections, and the data of its script.

    `values` are what the templates of the sections refer to beside that, `pictures` SVG that
    `report` has drawn, escaped and with a style of its own.
    """

    title: str
    lead: str
    sections: Sequence[Section]
    data: Json
    values: Mapping[str, Any] = field(default_factory=dict)
    pictures: Sequence[str] = ()


def render(page: Page) -> str:
    """The page as HTML; the same bytes for the same contents."""
    style = template_text("report.css")
    script = "\n".join(template_text(f"{name}.js") for name in _SCRIPTS)
    styles = [style, *(css for svg in page.pictures for css in _STYLE.findall(svg))]
    allowed = " ".join(dict.fromkeys(f"'{policy_hash(css)}'" for css in styles))
    policy = (
        f"default-src 'none'; style-src {allowed}; script-src '{policy_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        environment()
        .get_template("page.html.jinja")
        .render(
            page.values,
            page=page,
            data=json_text(page.data),
            style=style,
            script=script,
            policy=policy,
            version=__version__,
        )
    )


def environment() -> Environment:
    """What makes pages from templates; it escapes everything."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(template_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["visible"] = lambda value: visible(str(value))
    environment.filters["short"] = _short
    environment.filters["four"] = lambda value: f"{value:.4f}"
    environment.filters["ends"] = format_ends
    environment.globals["marks"] = MARKS
    return environment


def _short(value: object) -> str:
    """Both ends of a name that is too long for a table: what tells names apart is often last."""
    text = visible(str(value))
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[:half]}…{text[1 - half :]}"


def template_text(name: str) -> str:
    """A file that pages are made of."""
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def policy_hash(text: str) -> str:
    """What a content security policy calls a script or style by."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
