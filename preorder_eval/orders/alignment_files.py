"""Word alignments in files: the format is recognised by the content, then read and checked.

A file has a first and a second side. Unless the format specifies it, the caller states which of
them is the source, and whether positions count from 0 or 1.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple, TypedDict, Unpack, get_args

import numpy as np

from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError, argument
from preorder_eval.base.files.files import decode_lines, read_input, read_lines, uncompressed
from preorder_eval.base.ragged import sentence_lengths
from preorder_eval.base.visible import quantity
from preorder_eval.orders.alignment_formats import (
    GIZA,
    IDS,
    LADER,
    NAACL,
    PHARAOH,
    TALBOT,
    FileLinks,
    Format,
    Lengths,
)
from preorder_eval.orders.alignments import Alignments

Direction = Literal["source-target", "target-source"]
WhichLinks = Literal["all", "sure"]

AUTO, PLAIN = "auto", "pharaoh"
_LOG = logging.getLogger(__name__)
# So many sentences without a link at position 0, on either side, were counted from 1.
_NEVER_BY_CHANCE = 20


class Reading(TypedDict, total=False):
    """Settings for reading an alignment file of a format; see `read_alignment`."""

    base: int | None
    direction: Direction
    links: WhichLinks
    whole: bool


class AlignmentOptions(Reading, total=False):
    """Settings for reading an alignment file, with its format."""

    form: str


FORMATS = {  # The commonest is tried first.
    PLAIN: PHARAOH,
    "lader": LADER,
    "naacl": NAACL,
    "talbot": TALBOT,
    "giza": GIZA,
    "ids": IDS,
}


def read_alignment(
    path: str | Path,
    source_lengths: Lengths | None = None,
    target_lengths: Lengths | None = None,
    form: str = AUTO,
    **options: Unpack[Reading],
) -> Alignments:
    """Read word alignments and check that they fit their sentences.

    Parameters: `source_lengths` and `target_lengths` the numbers of tokens per sentence (links to a
    side without these numbers are not checked, unless the file itself contains them); `form` the
    format, `auto` to go by the content; `base` the number that positions count from, if the format
    allows several (None for the usual one); `direction` the side that comes first in the file;
    `links` whether to keep the links marked possible; `whole` is False for one of several files of
    an input, which alone cannot show whether positions count from 0 or 1. A file beside that of the
    links, `s.aligner` for `s.align`, names the program that made them; a format that only one
    program writes identifies that program.

    Raises FormatError with file and line for what is malformed or does not fit. It names another
    `base` or `direction` that makes everything fit. Raises it, too, if no `base` is given and no
    link of at least 20 linked sentences is at position 0 on either side: such links were counted
    from 1. `base=0` reads them as they are. Raises UnknownNameError for an unknown format.

    >>> import preorder_eval as pe
    >>> from pathlib import Path
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "a.align"
    >>> _ = file.write_text("0-1 1-0")
    >>> pe.read_alignment(file, [2])[0]
    [(0, 1), (1, 0)]
    """
    file_links, name = _file_links(_data(path, form), path, form)
    links = _checked(file_links, source_lengths, target_lengths, name, path, **options)
    return replace(links, aligner=aligner_of(path) or FORMATS[name].aligner)


def read_alignment_of(
    path: str | Path,
    source: Sequence[Sequence[str]] | None,
    target: Sequence[Sequence[str]] | None,
    form: str = AUTO,
    **options: Unpack[Reading],
) -> Alignments:
    r"""Read the word alignments of sentences as `read_alignment` does.

    An error in a sentence that has a token with white space inside names that token: an aligner
    that splits at any white space would count more words there.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "a.align"
    >>> _ = file.write_text("0-1 1-0")
    >>> read_alignment_of(file, [["10\u00a0000"]], None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    preorder_eval.base.errors.FormatError: ...; token '10\xa0000' contains U+00A0, where ...
    """
    lengths = [None if side is None else sentence_lengths(side) for side in (source, target)]
    try:
        return read_alignment(path, lengths[0], lengths[1], form, **options)
    except _MisfitError as error:
        texts = [text for text in (source, target) if text is not None]
        tokens = [token for text in texts for token in text[error.sentence]]
        token = next((token for token in tokens if len(token.split()) > 1), None)
        if token is None:
            raise
        space = next(character for character in token if character.isspace())
        hint = (
            f"token {token!r} contains U+{ord(space):04X}, where the aligner may have split it: "
            f"if so, write a plain space there in the text ({error.hint})"
        )
        raise FormatError(error.message, file=error.file, line=error.line, hint=hint) from error


class _MisfitError(FormatError):
    """A link that does not fit its sentence, numbered from 0."""

    def __init__(self, sentence: int, message: str, path: str | Path, line: int | None, hint: str):
        super().__init__(message, file=path, line=line, hint=hint)
        self.sentence = sentence


def _data(path: str | Path, form: str) -> bytes:
    """Return the bytes of a file in a format. Raises UnknownNameError for an unknown one."""
    if form not in (AUTO, *FORMATS):
        raise UnknownNameError("alignment format", form, FORMATS)
    return read_input(path)


def _file_links(data: bytes, path: str | Path, form: str) -> tuple[FileLinks, str]:
    """Return the links of a file as they stand, and the name of its format."""
    for name in FORMATS if form == AUTO else [form]:
        scanned = FORMATS[name].scan(data)
        if scanned is not None:
            return scanned, name
    lines = decode_lines(data, path, blank=True)
    name = detect_format(lines, path) if form == AUTO else form
    return FORMATS[name].parse(lines, str(path)), name


def aligner_file(path: str | Path) -> Path:
    """Return the path of the file that names the aligner of a file of links.

    >>> aligner_file("en-ja.2.align.gz").name, aligner_file("s.naacl").name
    ('en-ja.2.aligner', 's.naacl.aligner')
    """
    file = uncompressed(path)
    return file.with_name(file.name.removesuffix(".align") + ".aligner")


def aligner_of(path: str | Path) -> str:
    """Return the signature of the aligner of a file of links; empty if humans made them."""
    file = aligner_file(path)
    if str(path) == "-" or not file.is_file():
        return ""
    names = read_lines(file, blank=True)
    if len(names) != 1 or not names[0].strip():
        hint = "write one line, such as agree; or remove it, if humans made the links"
        raise FormatError("does not name the aligner of the links", file=file, hint=hint)
    return names[0].strip()


def detect_format(lines: Sequence[str], path: str | Path) -> str:
    """Return the format of an alignment file, by its first line that is not blank.

    A file of blank lines alone is Pharaoh's, of sentences without links.

    >>> detect_format(["", "0-0 1-2"], "a.align")
    'pharaoh'
    """
    for number, line in enumerate(lines, 1):
        if not line.strip(" "):
            continue
        for name, known in FORMATS.items():
            if known.looks_like(line):
                return name
        hint = f"name the format: {', '.join(FORMATS)}"
        defect = f"{line[:40]!r} is not in a known alignment format"
        raise FormatError(defect, file=path, line=number, hint=hint)
    if not lines:
        raise FormatError("is empty", file=path, hint="at least one line is needed")
    return PLAIN


def _checked(
    file_links: FileLinks,
    source: Lengths | None,
    target: Lengths | None,
    form: str,
    path: str | Path,
    *,
    base: int | None = None,
    direction: Direction = "source-target",
    links: WhichLinks = "all",
    whole: bool = True,
) -> Alignments:
    """Check a file's links against the text and renumber them from 0, source first.

    Raises FormatError with file and line for what does not fit the text, and says so if another
    numbering would make everything fit.
    """
    known = FORMATS[form]
    start = known.bases[0] if base is None else base
    if start not in known.bases:
        raise PreorderEvalError(f"positions in format {form} always count from {known.bases[0]}")
    if source is not None and target is not None and len(source) != len(target):
        raise PreorderEvalError(
            f"{len(source)} source sentences, but {len(target)} target sentences"
        )
    size = _size(file_links, source, target, path, known)
    defect = _defect(file_links, source, target, start, direction)
    if defect:
        hint = f"positions count from {start}, {direction.partition('-')[0]} first"
        turns = sorted(get_args(Direction), key=direction.__ne__)
        for turn, other in itertools.product(turns, sorted(known.bases, key=start.__ne__)):
            if _defect(file_links, source, target, other, turn) is None:
                changes = [f"base {other}"] * (other != start)
                changes += [f"direction {turn}"] * (turn != direction)
                hint = f"all links would fit with {' and '.join(changes)}"
                break
        sentence, link, message = defect
        line = file_links.line_of(sentence, link)
        # Where lines and sentences are numbered alike, the line is enough.
        message = message if line == sentence + 1 else f"sentence {sentence + 1}: {message}"
        raise _MisfitError(sentence, message, path, line, hint)
    if base is None and whole:
        linked = file_links.columns[0]
        line = file_links.line_of(int(linked[0]), 0) if len(linked) else None
        PositionEvidence.of(file_links, known).refuse_from_1(path, line)
    _LOG.info("%s: read as %s, positions from %d, %s", path, form, start, direction)
    sentences, first, second, possible = file_links.columns
    first, second = first - start, second - start
    if direction == "target-source":
        first, second = second, first
    alignments = Alignments.of_arrays(sentences, first, second, possible > 0, sentences=size)
    return alignments if links == "all" else alignments.sure


class PositionEvidence(NamedTuple):
    """Evidence in links on whether positions count from 0 or 1.

    Evidence of several files of one input adds up. `linked` is the number of sentences with links,
    `first` whether any link is at position 0. A format that fixes the base gives no evidence.
    """

    linked: int
    first: bool

    @classmethod
    def of(cls, links: FileLinks, form: Format) -> PositionEvidence:
        """Return the evidence in the links of a file."""
        sentences, *sides, _ = links.columns
        is_open = form.bases[0] == 0 and 1 in form.bases
        if not is_open or not len(sentences):
            return cls(0, False)
        first = min(side.min() for side in sides) == 0
        return cls(int(np.count_nonzero(np.diff(sentences, prepend=-1))), bool(first))

    def refuse_from_1(self, path: str | Path, line: int | None = None) -> None:
        """Raise FormatError for links that were in all likelihood counted from 1, not from 0."""
        if self.first or self.linked < _NEVER_BY_CHANCE:
            return
        one, zero = argument("base=1"), argument("base=0")
        raise FormatError(
            f"no link in {self.linked} sentences has position 0 on either side, as if positions "
            "counted from 1",
            file=path,
            line=line,
            hint=f"give {one}, or {zero} if it is right (of an --input: "
            "'hyp_alignment(base=1)=FILE'); if there is no such setting, convert the file: "
            "preorder-eval align FILE --from auto --base 1",
        )


def position_evidence(path: str | Path, form: str = AUTO) -> PositionEvidence:
    """Return the evidence in a file's links on whether positions count from 0 or 1."""
    links, name = _file_links(_data(path, form), path, form)
    return PositionEvidence.of(links, FORMATS[name])


def _size(
    links: FileLinks, source: Lengths | None, target: Lengths | None, path: str | Path, form: Format
) -> int:
    """Return the number of sentences, on which file and text must agree."""
    side, name = (target, "the target") if source is None else (source, "the source")
    if side is None:
        if links.size is None:
            hint = "name the text of one side"
            raise FormatError("does not contain the number of sentences", file=path, hint=hint)
        return links.size
    size = len(side)
    but = f"but {name} has {quantity(size, 'sentence')}"
    if links.size is not None and links.size != size:
        line = links.line_of(min(links.size, size), 0)
        has = quantity(links.size, "line of links" if form.lines == 1 else "sentence")
        hint = "both must have the same sentences"
        raise FormatError(f"{has}, {but}", file=path, line=line, hint=hint)
    beyond = np.flatnonzero(links.columns[0] >= size)
    if len(beyond):
        defect = f"sentence {links.columns[0][beyond[0]] + 1}, {but}"
        raise FormatError(defect, file=path, line=links.line_of(size, int(beyond[0])))
    return size


def _defect(
    links: FileLinks, source: Lengths | None, target: Lengths | None, base: int, direction: str
) -> tuple[int, int, str] | None:
    """Return the first sentence and link that do not fit the text, and why; None if all do."""
    defects: list[tuple[int, int, str]] = []
    sentence, first, second, _ = links.columns
    texts = {"source": source, "target": target}
    sides = zip(direction.split("-"), (first, second), links.sides, strict=True)
    for name, positions, in_file in sides:
        text = texts[name]
        if in_file is not None and text is not None:
            wrong = np.flatnonzero(np.array(in_file) != np.array(text))
            if wrong.size:
                s = int(wrong[0])
                counts = f"{in_file[s]} {name} tokens, but the {name} sentence"
                defects.append((s, 0, f"{counts} has {text[s]}"))
        side = text if in_file is None else in_file
        outside = positions < base
        if side is not None:
            lengths = np.array(side, dtype=np.int32)
            outside |= positions >= lengths[sentence] + base
        if outside.any():
            i = int(outside.argmax())
            message = f"link {first[i]}-{second[i]}: {name} position {positions[i]}"
            s = int(sentence[i])
            if side is not None and positions[i] >= base:
                message += f", but the {name} sentence has {quantity(side[s], 'token')}"
            defects.append((s, i, message))
    return min(defects, key=lambda defect: defect[:2], default=None)
