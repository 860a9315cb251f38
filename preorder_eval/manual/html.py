"""The manual as one page for a browser, which needs no network.

A content security policy lets nothing run but the page's own script and style.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING

from preorder_eval import __version__
from preorder_eval.manual import ManualPage
from preorder_eval.reporting.page import policy_hash

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FOLDER = files("preorder_eval.manual")
_INTERNAL = re.compile(r"(?:([\w-]+)\.md)?(?:#([\w-]+))?")


@dataclass(frozen=True)
class _Chapter:
    """A page as HTML; `sections` are the places and headings of its parts."""

    name: str
    title: str
    body: str
    sections: Sequence[tuple[str, str]]


def render(pages: Sequence[ManualPage]) -> str:
    """The pages as one HTML page, the same bytes for the same pages."""
    from jinja2 import Environment, StrictUndefined

    style, script = _text("manual.css"), _text("manual.js")
    policy = (
        f"default-src 'none'; img-src data:; style-src '{policy_hash(style)}'; "
        f"script-src '{policy_hash(script)}'; base-uri 'none'; form-action 'none'"
    )
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_text("manual.html.jinja")).render(
        chapters=[_chapter(page) for page in pages],
        style=style,
        script=script,
        policy=policy,
        version=__version__,
    )


def anchor(heading: str) -> str:
    """A heading's place in an address, as code hosts make it.

    >>> anchor("Is it better, or is it chance?")
    'is-it-better-or-is-it-chance'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _chapter(page: ManualPage) -> _Chapter:
    tokens = _markdown().parse(page.text)
    sections = []
    for opened, content in pairwise(tokens):
        if opened.type == "heading_open":
            place = page.name
            if opened.tag != "h1":
                place = f"{page.name}--{anchor(content.content)}"
                sections.append((place, _plain(content)))
            opened.attrSet("id", place)
    for token in tokens:
        if token.type == "fence":
            token.content = token.content.rstrip() + "\n"
        if token.attrs.pop("style", None) == "text-align:right":  # the page's policy allows none
            token.attrSet("class", "number")
        if token.children:
            token.children = list(_resolved(token.children, page.name))
    markdown = _markdown()
    body = markdown.renderer.render(tokens, markdown.options, {})
    return _Chapter(page.name, page.title, body, sections)


def _resolved(tokens: Sequence[Token], page: str) -> Iterator[Token]:
    """The tokens of a paragraph, links and pictures only where they lead to something."""
    from markdown_it.token import Token

    linked = True
    for token in tokens:
        if token.type == "link_open":
            address = _address(str(token.attrGet("href")), page)
            linked = bool(address)
            token.attrSet("href", address)
        if token.type == "image":
            picture = _embedded(str(token.attrGet("src")))
            token.attrSet("src", picture)
            yield token if picture else Token("text", "", 0, content=token.content)
        elif linked or token.type not in ("link_open", "link_close"):
            yield token


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _plain(heading: Token) -> str:
    return "".join(token.content for token in heading.children or [])


def _address(target: str, page: str) -> str:
    """Where a link leads in the one page; empty for a file of the repository.

    >>> _address("lab.md#learn", "rules"), _address("lab.md", "rules"), _address("#pairs", "rules")
    ('#lab--learn', '#lab', '#rules--pairs')
    """
    if target.startswith("https://"):
        return target
    found = _INTERNAL.fullmatch(target)
    if not found:
        return ""
    name, part = found[1] or page, found[2]
    return f"#{name}--{part}" if part else f"#{name}"


def _embedded(path: str) -> str:
    """A picture of the repository as data; empty if it is not there."""
    picture = _FOLDER / path
    if not picture.is_file():
        return ""
    return f"data:image/png;base64,{base64.b64encode(picture.read_bytes()).decode()}"


def _text(name: str) -> str:
    return (_FOLDER / "templates" / name).read_text(encoding="utf-8")
