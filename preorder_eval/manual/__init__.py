"""The manual: pages in Markdown that travel with the package, and a search in them.

The page `README` is the table of contents. The others are named after their files, and ordered as
it lists them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from preorder_eval.base.errors import UnknownNameError

CONTENTS = "README"
GLOSSARY = "glossary"

_FOLDER = files("preorder_eval.manual")
_LINK = re.compile(r"\[([^\]\n]+)\]\(([\w-]+)\.md(#[\w-]*)?\)")
_COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_TERM = re.compile(r"^\| (?!term )([^|]+) \| (.+) \|$", re.MULTILINE)


@dataclass(frozen=True)
class ManualPage:
    """A page, or a section of one: the page's name, and text in Markdown without comments."""

    name: str
    text: str

    @property
    def title(self) -> str:
        """The first heading."""
        heading = _HEADING.search(self.text)
        return heading[1] if heading else self.name


def page_names() -> list[str]:
    """Return the names of all pages but the contents, in reading order.

    >>> page_names()[0]
    'tutorial-rules'
    """
    return list(dict.fromkeys(name for _, name, _ in _LINK.findall(_read(CONTENTS))))


def manual_page(name: str) -> ManualPage:
    """Return a page by its name; raises UnknownNameError with the nearest name for an unknown one.

    >>> manual_page("rules").title
    'The rule language'
    """
    if name not in (CONTENTS, *page_names()):
        raise UnknownNameError("page of the manual", name, page_names())
    return ManualPage(name, _COMMENT.sub("", _read(name)))


def sections(page: ManualPage) -> Iterator[ManualPage]:
    """Split a page at its headings, of whatever level."""
    # A line of code may begin with # too, so it is blanked: places stay.
    prose = _BLOCK.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), page.text)
    starts = [heading.start() for heading in _HEADING.finditer(prose)]
    for start, end in zip(starts, [*starts[1:], len(prose)], strict=True):
        yield ManualPage(page.name, page.text[start:end].strip() + "\n")


def definitions(words: str) -> list[str]:
    """Return the lines of the glossary whose term has these words.

    >>> definitions("frs")[0].partition(":")[0]
    'FRS, `fuzzy`'
    """
    sought = _sought(words)
    terms = _TERM.findall(manual_page(GLOSSARY).text)
    return [f"{term}: {meaning}" for term, meaning in terms if sought.search(term)]


def find_sections(words: str) -> list[ManualPage]:
    """Return the sections with these words: those with them in the heading first, then by count.

    If the words stand together nowhere, the sections that have all of them are returned. Raises
    UnknownNameError where no section has.

    >>> [(section.name, section.title) for section in find_sections("kendall")][0]
    ('metrics', "Kendall's τ and others")
    >>> find_sections("sentence document bootstrap")[0].name
    'analysis'
    """
    every = [section for name in page_names() for section in sections(manual_page(name))]
    for sought in ([_sought(words)], _each(words)):
        matching = [s for s in every if all(one.search(s.text) for one in sought)]
        if matching:
            break
    else:
        raise UnknownNameError("page or word of the manual", words, page_names())

    def relevance(section: ManualPage) -> tuple[bool, int, int]:
        is_heading = section.title.casefold() == words.casefold()
        prose = _BLOCK.sub("", section.text)
        in_title = sum(bool(one.search(section.title)) for one in sought)
        return is_heading, in_title, sum(len(one.findall(prose)) for one in sought)

    return sorted(matching, key=relevance, reverse=True)  # equal ones stay in reading order


def found_in(section: ManualPage, words: str) -> str:
    """Return a section if its heading has the words, else its heading and where they stand.

    That is a paragraph, a block of code, or rows of a table below its header.

    >>> found_in(ManualPage("page", "# A\\n\\nIt is red.\\n\\nIt is blue.\\n"), "blue")
    '# A\\n\\nIt is blue.\\n'
    """
    whole = _sought(words)
    sought = [whole] if whole.search(section.text) else _each(words)
    if all(one.search(section.title) for one in sought):
        return section.text

    def has(text: str) -> bool:
        return any(one.search(text) for one in sought)

    heading, *parts = _parts(section.text)
    shown = [heading]
    for part in filter(has, parts):
        lines = part.split("\n")
        if lines[1:] and lines[1].startswith("|--"):
            rows = lines[2:] if has(lines[0]) else filter(has, lines[2:])
            part = "\n".join([*lines[:2], *rows])
        shown.append(part)
    return "\n\n".join(shown) + "\n"


def _parts(text: str) -> Iterator[str]:
    """Split Markdown at its empty lines, except in blocks of code."""
    part: list[str] = []
    is_code = False
    for line in [*text.split("\n"), ""]:
        is_code ^= line.startswith("```")
        if line or is_code:
            part.append(line)
        elif part:
            yield "\n".join(part)
            part = []


def _sought(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE)


def _each(words: str) -> list[re.Pattern[str]]:
    """Return a pattern for each word, which may go on: `metric` is in `metrics`."""
    return [re.compile(rf"(?<!\w){re.escape(word)}", re.IGNORECASE) for word in words.split()]


def _read(name: str) -> str:
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8")
