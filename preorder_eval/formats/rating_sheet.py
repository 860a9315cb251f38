"""Sheets on which a judge rates translations from 0 to 6, as TSV and as a page for a browser.

As Talbot et al. (2011, section 4.2) asked: the source, the reference if there is one, and the
outputs of all systems at once, blind and in random order; 0 indicates nonsense, 6 a perfectly
grammatical translation of the source sentence. Which output is which system's stands in the key,
which judges are not given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from preorder_eval.errors import FormatError
from preorder_eval.formats.text import whole_number
from preorder_eval.formats.tsv import format_tsv, read_tsv

LOWEST, HIGHEST = 0, 6
_COLUMNS = ["item", "source", "reference", "output", "rating"]
_KEY = ["judge", "item", "system", "line"]
_MEND = "fill in the rating column of the sheet as it was written, and nothing else"


@dataclass(frozen=True)
class RatedOutput:
    """An output to be rated: its number on the sheet, what is shown, and what is not.

    `item` is page and place, such as 12-3; `line` is the sentence, counted from 0.
    """

    item: str
    source: str
    reference: str
    output: str
    system: str
    line: int

    @property
    def page(self) -> str:
        """The number of the page, which has all outputs of a sentence."""
        return self.item.partition("-")[0]


def format_sheet(outputs: Sequence[RatedOutput]) -> str:
    """Write a sheet as TSV, with an empty column for ratings; tabs in texts become spaces."""
    rows = [
        [o.item, *(text.replace("\t", " ") for text in (o.source, o.reference, o.output)), None]
        for o in outputs
    ]
    return format_tsv(_COLUMNS, rows)


def format_page(name: str, outputs: Sequence[RatedOutput]) -> str:
    """Write a sheet as a page that needs no network, and saves the ratings as the sheet's TSV.

    Ratings are kept in the browser too until they are saved. Texts are shown as they are written,
    whatever they hold.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("rating_sheet.html.jinja").render(
        name=name,
        lowest=LOWEST,
        highest=HIGHEST,
        count=len(outputs),
        pages=[(page, list(shown)) for page, shown in groupby(outputs, lambda o: o.page)],
    )


def format_key(sheets: Sequence[Sequence[RatedOutput]]) -> str:
    """Write the key of all judges' sheets as TSV; judges are counted from 1."""
    rows = [
        [judge, output.item, output.system, output.line]
        for judge, sheet in enumerate(sheets, 1)
        for output in sheet
    ]
    return format_tsv(_KEY, rows)


def read_key(path: Path) -> dict[int, dict[str, tuple[str, int]]]:
    """Read the system and the sentence of every item of every judge."""
    hint = "take the key.tsv of the folder that the sheets were written to"
    key: dict[int, dict[str, tuple[str, int]]] = {}
    _, rows = read_tsv(path, _KEY, hint)
    for line, (judge, item, system, sentence) in rows:
        numbers = whole_number(judge), whole_number(sentence)
        if numbers[0] is None or numbers[1] is None:
            defect = f"{judge!r} and {sentence!r} are not a judge and a sentence"
            raise FormatError(defect, file=path, line=line, hint=hint)
        key.setdefault(numbers[0], {})[item] = system, numbers[1]
    return key


def read_ratings(path: Path) -> dict[str, tuple[int | None, int]]:
    """Read the rating of every item of a sheet, None where it is empty, with its line in the file.

    Raises FormatError for a rating that is no whole number from 0 to 6, and an item that stands
    twice.
    """
    ratings: dict[str, tuple[int | None, int]] = {}
    header, rows = read_tsv(path, _COLUMNS[:1], _MEND)
    if "rating" not in header:
        raise FormatError("has no column rating", file=path, line=1, hint=_MEND)
    place = header.index("rating")
    for line, fields in rows:
        item, text = fields[0], fields[place].strip()
        rating = whole_number(text)
        if text and (rating is None or not LOWEST <= rating <= HIGHEST):
            hint = f"write a whole number from {LOWEST} to {HIGHEST}, or nothing"
            raise FormatError(f"{text!r} is not a rating", file=path, line=line, hint=hint)
        if item in ratings:
            raise FormatError(f"item {item} stands twice", file=path, line=line, hint=_MEND)
        ratings[item] = rating, line
    return ratings
