"""The manual: pages in Markdown that travel with the package, and what shows them.

The page `README` is the table of contents; the others are known by the names of their files, in
the order in which it has them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

from preorder_eval.errors import UnknownNameError

CONTENTS = "README"

_FOLDER = files("preorder_eval.manual")
_LINK = re.compile(r"\[([^\]\n]+)\]\(([\w-]+)\.md(#[\w-]*)?\)")
_HEADING = re.compile(r"^# (.*)$", re.MULTILINE)
_COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class ManualPage:
    """A page: its name, and its text in Markdown without comments."""

    name: str
    text: str

    @property
    def title(self) -> str:
        """Its first heading."""
        found = _HEADING.search(self.text)
        return found[1] if found else self.name


def page_names() -> list[str]:
    """The names of all pages but the contents, in reading order.

    >>> page_names()[0]
    'tutorial-rules'
    """
    return list(dict.fromkeys(name for _, name, _ in _LINK.findall(_read(CONTENTS))))


def manual_page(name: str) -> ManualPage:
    """A page by its name; raises UnknownNameError with the nearest name for an unknown one.

    >>> manual_page("rules").title
    'The rule language'
    """
    if name not in (CONTENTS, *page_names()):
        raise UnknownNameError("page of the manual", name, page_names())
    return ManualPage(name, _COMMENT.sub("", _read(name)))


def _read(name: str) -> str:
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8")
