"""One self-contained page: no network, no script but its own.

A report has untrusted text in it. So the templates escape everything; data are put in as JSON and
shown as text only. A content security policy allows nothing to run but the page's own script and
style, which it names by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from functools import cache, partial
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from preorder_eval.base.stats.legends import MARKS
from preorder_eval.base.tables import figure
from preorder_eval.base.version import __version__
from preorder_eval.base.visible import visible

Json = dict[str, Any]

_SHARED = "base.pages"  # with what the pages of all rooms are made of
_LONGEST = 48  # characters of a name in a table
# What ends a script element, and what cannot be seen or turns the direction of the page's source.
_UNSAFE = re.compile(
    "[<>&\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)


def render_template(room: str, template: str, **values: Any) -> str:
    """Render a template of a room with these values; it can also show the version of the tool."""
    return _environment(room).get_template(template).render(values, version=__version__)


@cache
def _environment(room: str) -> Environment:
    """Make the environment of a room's templates, which keeps them as they are compiled."""
    environment = Environment(
        loader=FunctionLoader(partial(template_text, room)),
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
    return environment


def template_text(room: str, name: str) -> str:
    """Read a file that pages are made of, from a room such as `analysis`, or from this one."""
    folders = (files(f"preorder_eval.{of}") / "templates" for of in (room, _SHARED))
    return next(path for path in (f / name for f in folders) if path.is_file()).read_text("utf-8")


def script_policy(script: str, style: str, more: Sequence[str] = ()) -> str:
    """Return the content security policy of a page with one script and one style sheet."""
    rules = ["default-src 'none'", f"style-src {_hash(style)}", f"script-src {_hash(script)}"]
    return "; ".join([*rules, *more, "base-uri 'none'", "form-action 'none'"])


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _short(value: object) -> str:
    """Shorten a name too long for a table in the middle: the end often distinguishes names."""
    text = visible(str(value))
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[:half]}…{text[1 - half :]}"


def json_text(value: Any) -> str:
    """Write a value as JSON that may stand in a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
