"""Word alignments in files of all formats: told apart by their content, read, checked and written.

A file has a first and a second side; which of them is the source is the reader's choice, as is
the number that positions count from, unless the format settles it. A `Format` turns lines into
`FileLinks`, the links as the numbers of a file, and back; it knows nothing of that choice. The
bundled ones are in `pharaoh` and `alignment_formats`, others come from other packages
(`preorder_eval.plugins`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypedDict, TypeVar

import numpy as np

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.arrays import Bools, Integers
from preorder_eval.data.ragged import sentence_lengths
from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.formats.files import check_words, decode_lines, file_name, read_input
from preorder_eval.formats.text import same_length
from preorder_eval.plugins import Named, Registry
from preorder_eval.visible import quantity

Direction = Literal["source-target", "target-source"]
WhichLinks = Literal["all", "sure"]

Known = TypeVar("Known")

AUTO = "auto"


class AlignmentOptions(TypedDict, total=False):
    """How an alignment file is read; see `read_alignment`."""

    form: str
    base: int | None
    direction: Direction
    links: WhichLinks


FileLink = tuple[int, int, bool]

_BUNDLED = {  # The commonest is tried first.
    "pharaoh": "preorder_eval.formats.pharaoh:FORMAT",
    "giza": "preorder_eval.formats.alignment_formats:GIZA",
    "lader": "preorder_eval.formats.alignment_formats:LADER",
    "naacl": "preorder_eval.formats.alignment_formats:NAACL",
    "talbot": "preorder_eval.formats.alignment_formats:TALBOT",
}


def read_alignment(
    path: str | Path,
    source_lengths: Sequence[int],
    target_lengths: Sequence[int] | None = None,
    form: str = AUTO,
    *,
    base: int | None = None,
    direction: Direction = "source-target",
    links: WhichLinks = "all",
) -> Alignments:
    """Read word alignments and check that they fit their sentences.

    Parameters: `source_lengths` and `target_lengths` the numbers of tokens per sentence (without
    the latter only the source side is checked, unless the file itself tells them); `form` the
    format, `auto` to go by the content; `base` the number that positions count from, where the
    format leaves that open (None for what is usual in it); `direction` which side the file puts
    first; `links` whether to keep the links marked possible.

    Raises FormatError with file and line for what is malformed or does not fit, and says so if
    another `base` or `direction` would make everything fit; UnknownNameError for an unknown format.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "a.align"
    >>> _ = file.write_text("0-1 1-0")
    >>> read_alignment(file, [2])[0]
    [(0, 1), (1, 0)]
    """
    target = None if target_lengths is None else Side(target_lengths)
    bitext = read_bitext(path, Side(source_lengths), target, form, base=base, direction=direction)
    return bitext.alignments if links == "all" else bitext.alignments.sure


def read_bitext(
    path: str | Path,
    source: Side | None = None,
    target: Side | None = None,
    form: str = AUTO,
    *,
    base: int | None = None,
    direction: Direction = "source-target",
) -> Bitext:
    """Read word alignments with what the file tells of the sentences; see `read_alignment`."""
    data = read_input(path)
    name = _first_look(data) if form == AUTO else form
    file_links = alignment_format(name).scan(data)
    lines: Sequence[str] = ()
    if file_links is None:
        lines = decode_lines(data, file_name(path), blank=True)
        name = detect_format(lines, path) if form == AUTO else form
    module = alignment_format(name)
    numbering = Numbering(_base(name, module, base), direction == "target-source")
    if file_links is None:
        file_links = module.parse(lines, str(path))
    del data, lines  # which may be large
    return _to_bitext(file_links, source, target, numbering, module.bases, path)


def format_alignment(
    bitext: Bitext,
    form: str = "pharaoh",
    *,
    base: int | None = None,
    direction: Direction = "source-target",
) -> str:
    r"""Write word alignments as the text of a file.

    Every link is kept; a format without marks shows sure and possible links alike. Raises
    PreorderEvalError where the format needs the lengths or words of a side that is unknown.

    >>> bitext = Bitext(Alignments.of([[(0, 1), (2, 0)]]), Side([3]), Side([2]))
    >>> format_alignment(bitext, "lader")
    '3-2 ||| 0-1 2-0\n'
    """
    module = alignment_format(form)
    numbering = Numbering(_base(form, module, base), direction == "target-source")
    return module.render(_from_bitext(bitext, numbering))


def detect_format(lines: Sequence[str], path: str | Path) -> str:
    """Return the format of an alignment file by its first line that is not blank.

    The bundled formats are tried first. Blank lines alone are sentences without links in Pharaoh.

    >>> detect_format(["", "0-0 1-2"], "a.align")
    'pharaoh'
    """
    for number, line in enumerate(lines, 1):
        if not line.strip(" "):
            continue
        name = _format_of(line)
        if name is not None:
            return name
        hint = f"name the format: {', '.join(format_names())}"
        defect = f"{line[:40]!r} is of no known alignment format"
        raise FormatError(defect, file=path, line=number, hint=hint)
    if not lines:
        raise FormatError("is empty", file=path, hint="it needs at least one line")
    return "pharaoh"


def _first_look(data: bytes) -> str:
    """Guess the format of a file that is not decoded yet."""
    at = len(data) - len(data.lstrip(b" \n"))
    start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
    line = data[start:end] if end >= 0 else data[start:]
    return _format_of(line.decode(errors="replace")) or "pharaoh"


def _format_of(line: str) -> str | None:
    return next(
        (name for name, entry in _formats().items() if _loaded(entry).looks_like(line)), None
    )


def alignment_format(name: str) -> Format:
    """Return the format of that name; UnknownNameError with the known names for another."""
    known = _formats()
    if name not in known:
        raise UnknownNameError("alignment format", name, known)
    return _loaded(known[name])


def format_names() -> list[str]:
    """Return the names of all formats, the bundled ones first."""
    return list(_formats())


def _formats() -> Registry:
    return Registry("formats", _BUNDLED)


def _loaded(entry: Named) -> Format:
    loaded = entry.load()
    if not isinstance(loaded, Format):
        raise entry.wrong("an alignment Format")
    return loaded


def _base(name: str, module: Format, base: int | None) -> int:
    """Return the number that positions count from."""
    if base is None:
        return module.bases[0]
    if base not in module.bases:
        raise PreorderEvalError(f"positions in format {name} count from {module.bases[0]} always")
    return base


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a corpus: the number of tokens of each sentence, and the tokens if known."""

    lengths: Sequence[int]
    words: Sequence[Sequence[str]] | None = None

    @classmethod
    def of(cls, words: Sequence[Sequence[str]]) -> Side:
        """Return the side made of these tokenised sentences."""
        return cls(sentence_lengths(words), words)


@dataclass(frozen=True, eq=False)
class FileLinks:
    """The content of an alignment file, in the file's own numbers.

    `size` is the number of sentences, None if the file does not tell. For each link, `sentence`
    is the number of its sentence from 0, `first` and `second` are its positions on the two sides
    and `possible` is its mark, 0 or 1; a reader adds them one by one or `all_at_once`. `sides` are
    what is known of its sides, None if nothing, and `names` what they are called.
    `line_of(sentence, link)` is the line that holds a sentence, or one of its links.
    """

    size: int | None
    sentence: array[int] = field(default_factory=lambda: array("i"))
    first: array[int] = field(default_factory=lambda: array("i"))
    second: array[int] = field(default_factory=lambda: array("i"))
    possible: array[int] = field(default_factory=lambda: array("b"))
    sides: tuple[Side | None, Side | None] = (None, None)
    names: tuple[str, str] = ("first", "second")
    line_of: Callable[[int, int], int] = lambda sentence, link: sentence + 1

    def all_at_once(
        self, sentence: Integers, first: Integers, second: Integers, possible: Bools | None = None
    ) -> FileLinks:
        """Note all links; returns itself."""
        columns = ((self.sentence, sentence), (self.first, first), (self.second, second))
        for column, values in columns:
            column.frombytes(values.astype(np.intc).tobytes())
        marks = np.zeros(len(first), dtype=bool) if possible is None else possible
        self.possible.frombytes(marks.tobytes())
        return self

    def add(self, sentence: int, first: int, second: int, possible: bool = False) -> None:
        """Note one link; raises PreorderEvalError for positions that no sentence has."""
        try:
            self.sentence.append(sentence)
            self.first.append(first)
            self.second.append(second)
        except OverflowError as error:
            raise PreorderEvalError(f"link {first}-{second}: too large for a position") from error
        self.possible.append(possible)

    def sentences(self) -> Iterator[list[FileLink]]:
        """Yield the links of each sentence: first position, second position, whether possible."""
        grouped: list[list[FileLink]] = [[] for _ in range(self.size or 0)]
        links = zip(self.first, self.second, self.possible, strict=True)
        for number, (first, second, possible) in zip(self.sentence, links, strict=True):
            grouped[number].append((first, second, bool(possible)))
        return iter(grouped)

    def lengths(self, side: int) -> Sequence[int]:
        """Return the lengths of the first (0) or second (1) side, for a format that needs them."""
        text = self.sides[side]
        return self._needed("lengths", side, None if text is None else text.lengths)

    def words(self, side: int) -> Sequence[Sequence[str]]:
        """Return the tokens of the first (0) or second (1) side, for a format that needs them."""
        text = self.sides[side]
        return self._needed("words", side, None if text is None else text.words)

    def _needed(self, what: str, side: int, found: Known | None) -> Known:
        if found is None:
            name = self.names[side]
            need = f"this format needs the {what} of the {name} sentences"
            raise PreorderEvalError(f"{need}; name the text of the {name}")
        return found


@dataclass(frozen=True)
class Format:
    """An alignment format.

    `bases` are the numbers its positions may count from, the usual one first; `keeps_marks` says
    whether it has sure and possible links. `looks_like` recognises the first line that is not
    blank, `parse` takes all lines and the file's name, `render` makes the text. `scan`, which a
    format need not have, reads a file's bytes much faster, or returns None where it cannot (see
    `formats.scanning`).
    """

    bases: tuple[int, ...]
    keeps_marks: bool
    looks_like: Callable[[str], bool]
    parse: Callable[[Sequence[str], str], FileLinks]
    render: Callable[[FileLinks], str]
    scan: Callable[[bytes], FileLinks | None] = lambda data: None


@dataclass(frozen=True, eq=False)
class Bitext:
    """Alignments with what is known of the two sides that they align."""

    alignments: Alignments
    source: Side | None = None
    target: Side | None = None


@dataclass(frozen=True, eq=False)
class Numbering:
    """How a file's numbers are meant: what they count from, and which side comes first."""

    base: int
    flipped: bool = False

    @property
    def names(self) -> tuple[str, str]:
        """What the first and the second side are called."""
        return ("target", "source") if self.flipped else ("source", "target")

    def beside(self, other: Numbering) -> str:
        """Return this numbering in words, as far as it differs from another."""
        base = [f"base {self.base}"] if self.base != other.base else []
        turned = [f"direction {'-'.join(self.names)}"] if self.flipped != other.flipped else []
        return " and ".join(base + turned)


def _to_bitext(
    found: FileLinks,
    source: Side | None,
    target: Side | None,
    numbering: Numbering,
    bases: Sequence[int],
    path: str | Path,
) -> Bitext:
    """Check a file's links against the text and renumber them from 0, source first.

    Raises FormatError with file and line for what does not fit the text, and says so if another
    numbering (with one of `bases`) would make everything fit.
    """
    if source and target and len(source.lengths) != len(target.lengths):
        raise PreorderEvalError(
            f"{len(source.lengths)} source sentences, but {len(target.lengths)} target sentences"
        )
    size = _size(found, source, target, path)
    for side in filter(None, found.sides):
        for sentence, length in enumerate(side.lengths):
            check_words(length, path, found.line_of(sentence, 0))
    defect = _defect(found, source, target, numbering)
    if defect:
        turns, starts = (numbering.flipped, not numbering.flipped), (numbering.base, *bases)
        others = (Numbering(base, flipped) for flipped in turns for base in starts)
        fits = (other for other in others if _defect(found, source, target, other) is None)
        hint = f"positions count from {numbering.base}, {numbering.names[0]} first"
        for other in fits:
            hint = f"everything would fit with {other.beside(numbering)}"
            break
        raise FormatError(defect[1], file=path, line=defect[0], hint=hint)
    first, second = np.asarray(found.first), np.asarray(found.second)
    if numbering.base:
        first, second = first - numbering.base, second - numbering.base
    sides = found.sides
    if numbering.flipped:
        first, second, sides = second, first, sides[::-1]
    alignments = Alignments.of_arrays(
        np.asarray(found.sentence),
        first,
        second,
        np.asarray(found.possible).view(bool),
        sentences=size,
    )
    return Bitext(alignments, source or sides[0], target or sides[1])


def _from_bitext(bitext: Bitext, numbering: Numbering) -> FileLinks:
    """Return the links in a file's own numbers; the inverse of `_to_bitext`."""
    alignments = bitext.alignments
    first, second = alignments.source + numbering.base, alignments.target + numbering.base
    sides = (bitext.source, bitext.target)
    if numbering.flipped:
        first, second, sides = second, first, sides[::-1]
    sentence = np.repeat(np.arange(len(alignments)), np.diff(alignments.offsets))
    links = FileLinks(len(alignments), sides=sides, names=numbering.names)
    return links.all_at_once(sentence, first, second, alignments.possible)


def _size(links: FileLinks, source: Side | None, target: Side | None, path: str | Path) -> int:
    """Return the number of sentences, on which file and text must agree."""
    side, name = (source, "the source") if source else (target, "the target")
    if side is None:
        if links.size is None:
            hint = "name the text of one side"
            raise FormatError("does not tell the number of sentences", file=path, hint=hint)
        return links.size
    size = len(side.lengths)
    if links.size is not None:
        line = links.line_of(min(links.size, size), 0)
        same_length("line of links", links.size, path, name, size, line=line)
    elif links.sentence and links.sentence[-1] >= size:
        link = int(np.searchsorted(links.sentence, size))
        defect = f"sentence {links.sentence[link] + 1}, but {name} has {quantity(size, 'sentence')}"
        raise FormatError(defect, file=path, line=links.line_of(size, link))
    return size


def _defect(
    links: FileLinks, source: Side | None, target: Side | None, numbering: Numbering
) -> tuple[int, str] | None:
    """Return the first line that does not fit the text, and why; None if all do."""
    defects: list[tuple[int, str]] = []
    sentence = np.asarray(links.sentence)
    texts = (target, source) if numbering.flipped else (source, target)
    sides = zip(numbering.names, (links.first, links.second), links.sides, texts, strict=True)
    for name, positions, in_file, text in sides:
        if in_file and text:
            wrong = np.flatnonzero(np.array(in_file.lengths) != np.array(text.lengths))
            if wrong.size:
                s = int(wrong[0])
                told = f"{in_file.lengths[s]} {name} tokens, but the {name} sentence"
                defects.append((links.line_of(s, 0), f"{told} has {text.lengths[s]}"))
        side = in_file or text
        outside = np.asarray(positions) < numbering.base
        if side is not None:
            lengths = np.array(side.lengths, dtype=np.int32)
            outside |= np.asarray(positions) >= lengths[sentence] + numbering.base
        if outside.any():
            i = int(outside.argmax())
            message = f"link {links.first[i]}-{links.second[i]}: {name} position {positions[i]}"
            if side is not None and positions[i] >= numbering.base:
                length = side.lengths[links.sentence[i]]
                message += f", but the {name} sentence has {length} tokens"
            defects.append((links.line_of(links.sentence[i], i), message))
    return min(defects, key=lambda defect: defect[0]) if defects else None
