"""Sheets on which a judge rates translations from 0 to 6, as TSV and as a page for a browser.

As Talbot et al. (2011, section 4.2) asked: the source, the reference if there is one, and the
outputs of all systems at once, blind and in random order; 0 indicates nonsense, 6 a perfectly
grammatical translation of the source sentence. Which output is which system's stands in the key,
which judges are not given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from preorder_eval.errors import FormatError
from preorder_eval.formats.tables import format_tsv, read_tsv
from preorder_eval.formats.text import whole_number

LOWEST, HIGHEST = 0, 6
SCALE = (
    f"Rate each translation with a number between {LOWEST} and {HIGHEST}: {LOWEST} indicates "
    f"nonsense, {HIGHEST} indicates a perfectly grammatical translation of the source sentence."
)
_COLUMNS = ["item", "source", "reference", "output", "rating"]
_KEY = ["judge", "item", "system", "line"]
_MEND = "fill in the rating column of the sheet as it was written, and nothing else"


@dataclass(frozen=True)
class Entry:
    """An output to be rated: its number on the sheet, what is shown, and what is not.

    `item` is page and place, such as 12-3; `line` is the sentence, counted from 0.
    """

    item: str
    source: str
    reference: str
    output: str
    system: str
    line: int


def format_sheet(entries: Sequence[Entry]) -> str:
    """The sheet as TSV with an empty column for ratings; tabs in texts become spaces."""
    rows = [
        [e.item, *(text.replace("\t", " ") for text in (e.source, e.reference, e.output)), None]
        for e in entries
    ]
    return format_tsv(_COLUMNS, rows)


def format_key(sheets: Sequence[Sequence[Entry]]) -> str:
    """The key of all judges' sheets as TSV; judges are counted from 1."""
    rows = [
        [judge, entry.item, entry.system, entry.line]
        for judge, sheet in enumerate(sheets, 1)
        for entry in sheet
    ]
    return format_tsv(_KEY, rows)


def read_key(path: Path) -> dict[int, dict[str, tuple[str, int]]]:
    """The system and the sentence of every item of every judge; FormatError for what is none."""
    mend = "take the key.tsv of the folder that the sheets were written to"
    key: dict[int, dict[str, tuple[str, int]]] = {}
    _, rows = read_tsv(path, _KEY, mend)
    for line, (judge, item, system, sentence) in rows:
        numbers = whole_number(judge), whole_number(sentence)
        if numbers[0] is None or numbers[1] is None:
            defect = f"{judge!r} and {sentence!r} are not a judge and a sentence"
            raise FormatError(defect, file=path, line=line, mend=mend)
        key.setdefault(numbers[0], {})[item] = system, numbers[1]
    return key


def read_ratings(path: Path) -> dict[str, tuple[int | None, int]]:
    """The rating of every item of a sheet, None where it is empty, and its line in the file.

    Raises FormatError for a rating that is no whole number from 0 to 6, and an item that stands
    twice.
    """
    ratings: dict[str, tuple[int | None, int]] = {}
    header, rows = read_tsv(path, _COLUMNS[:1], _MEND)
    if "rating" not in header:
        raise FormatError("has no column rating", file=path, line=1, mend=_MEND)
    place = header.index("rating")
    for line, fields in rows:
        item, text = fields[0], fields[place].strip()
        rating = whole_number(text)
        if text and (rating is None or not LOWEST <= rating <= HIGHEST):
            raise FormatError(
                f"{text!r} is not a rating",
                file=path,
                line=line,
                mend=f"write a whole number from {LOWEST} to {HIGHEST}, or nothing",
            )
        if item in ratings:
            raise FormatError(f"item {item} stands twice", file=path, line=line, mend=_MEND)
        ratings[item] = rating, line
    return ratings


def format_page(name: str, entries: Sequence[Entry]) -> str:
    """The sheet as a page that needs no network, and saves the ratings as its TSV.

    Ratings are kept in the browser too until they are saved. Texts are shown as they are written,
    whatever they hold.
    """
    pages: dict[str, list[Entry]] = {}
    for entry in entries:
        pages.setdefault(entry.item.partition("-")[0], []).append(entry)
    body = "".join(_sentence(number, shown) for number, shown in pages.items())
    return _PAGE.format(name=escape(name), scale=escape(SCALE), count=len(entries), body=body)


def _sentence(number: str, entries: Sequence[Entry]) -> str:
    first = entries[0]
    reference = f'<p class="reference">{escape(first.reference)}</p>' if first.reference else ""
    outputs = "".join(_output(entry) for entry in entries)
    return (
        f'<section><h2>{escape(number)}</h2><p class="source">{escape(first.source)}</p>'
        f"{reference}{outputs}</section>\n"
    )


def _output(entry: Entry) -> str:
    item = escape(entry.item)
    buttons = "".join(
        f'<label><input type="radio" name="{item}" value="{value}">{value}</label>'
        for value in range(LOWEST, HIGHEST + 1)
    )
    return f'<fieldset data-item="{item}"><p>{escape(entry.output)}</p>{buttons}</fieldset>'


_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{name}</title><style>
body {{ font: 16px/1.5 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; }}
.source {{ font-weight: bold; }} .reference {{ color: #555; }}
fieldset {{ border: 1px solid #ccc; margin: .5em 0; }} label {{ margin-right: 1em; }}
header {{ position: sticky; top: 0; background: #fff; border-bottom: 1px solid #ccc; }}
</style></head><body>
<header><h1>{name}</h1><p>{scale}</p>
<p><button id="save">Save ratings</button> <output id="done">0</output> of {count}</p></header>
{body}<script>
"use strict";
const name = document.title, kept = "ratings of " + name;
let ratings = JSON.parse(localStorage.getItem(kept) || "{{}}");
const sets = [...document.querySelectorAll("fieldset")];
function show() {{
  document.getElementById("done").value = sets.filter(s => s.dataset.item in ratings).length;
}}
for (const set of sets) {{
  const item = set.dataset.item;
  if (item in ratings) set.querySelector(`input[value="${{ratings[item]}}"]`).checked = true;
  set.addEventListener("change", event => {{
    ratings[item] = event.target.value;
    localStorage.setItem(kept, JSON.stringify(ratings));
    show();
  }});
}}
document.getElementById("save").addEventListener("click", () => {{
  const rows = sets.map(s => s.dataset.item + "\\t" + (ratings[s.dataset.item] ?? "") + "\\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["item\\trating\\n", ...rows], {{ type: "text/tsv" }}));
  link.download = name + ".tsv";
  link.click();
}});
show();
</script></body></html>
"""
