"""Alignment files of all formats: told apart by their content, read and written.

Each format is a module of this folder by the format's name, with a `FORMAT`
(`preorder_eval.formats.links.Format`); a new one is such a module and its name below, or comes
from another package (`preorder_eval.plugins`). This module is light, so that the command line can
list the names without loading anything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.plugins import Named, named

if TYPE_CHECKING:
    from preorder_eval.data.alignments import Alignments
    from preorder_eval.formats.links import Bitext, Format, Side

Direction = Literal["source-target", "target-source"]
WhichLinks = Literal["all", "sure"]

BUNDLED_FORMATS = ("pharaoh", "giza", "lader", "naacl", "talbot")  # The commonest is tried first.
AUTO = "auto"


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
    from preorder_eval.formats.links import Side

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
    from preorder_eval.formats.links import Numbering, to_bitext
    from preorder_eval.formats.text import decode_lines, file_name, read_input

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
    return to_bitext(file_links, source, target, numbering=numbering, bases=module.bases, path=path)


def write_alignment(
    path: Path,
    bitext: Bitext,
    form: str = "pharaoh",
    *,
    base: int | None = None,
    direction: Direction = "source-target",
) -> None:
    """Write word alignments; see `format_alignment`."""
    from preorder_eval.formats.text import write_text

    write_text(path, format_alignment(bitext, form, base=base, direction=direction))


def format_alignment(
    bitext: Bitext,
    form: str = "pharaoh",
    *,
    base: int | None = None,
    direction: Direction = "source-target",
) -> str:
    r"""Word alignments as the text of a file.

    Every link is kept; a format without marks shows sure and possible links alike. Raises
    PreorderEvalError where the format needs the lengths or words of a side that is unknown.

    >>> from preorder_eval.data.alignments import Alignments
    >>> from preorder_eval.formats.links import Bitext, Side
    >>> bitext = Bitext(Alignments.of([[(0, 1), (2, 0)]]), Side([3]), Side([2]))
    >>> format_alignment(bitext, "lader")
    '3-2 ||| 0-1 2-0\n'
    """
    from preorder_eval.formats.links import Numbering, from_bitext

    module = alignment_format(form)
    numbering = Numbering(_base(form, module, base), direction == "target-source")
    return module.render(from_bitext(bitext, numbering))


def detect_format(lines: Sequence[str], path: str | Path) -> str:
    """The format of an alignment file by its first line that is not blank.

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
        raise FormatError(
            f"{line[:40]!r} is of no known alignment format",
            file=path,
            line=number,
            mend=f"name the format: {', '.join(format_names())}",
        )
    if not lines:
        raise FormatError("is empty", file=path, mend="it needs at least one line")
    return "pharaoh"


def _first_look(data: bytes) -> str:
    """What `detect_format` finds, as far as bytes that are not read yet can tell."""
    at = len(data) - len(data.lstrip(b" \n"))
    start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
    line = data[start:end] if end >= 0 else data[start:]
    return _format_of(line.decode(errors="replace")) or "pharaoh"


def _format_of(line: str) -> str | None:
    """The name of the first format that a line looks like."""
    return next(
        (name for name, entry in _formats().items() if _loaded(entry).looks_like(line)), None
    )


def alignment_format(name: str) -> Format:
    """The format of that name.

    Raises UnknownNameError with the known names, and PreorderEvalError for another package's
    format that cannot be loaded or is none.
    """
    known = _formats()
    if name not in known:
        raise UnknownNameError("alignment format", name, known)
    return _loaded(known[name])


def format_names() -> list[str]:
    """The names of all formats, the bundled ones first."""
    return list(_formats())


def _formats() -> dict[str, Named]:
    return named("formats", {n: f"preorder_eval.formats.{n}:FORMAT" for n in BUNDLED_FORMATS})


def _loaded(entry: Named) -> Format:
    from preorder_eval.formats.links import Format

    loaded = entry.load()
    if not isinstance(loaded, Format):
        raise entry.wrong("an alignment Format")
    return loaded


def _base(name: str, module: Format, base: int | None) -> int:
    """The number that positions count from."""
    if base is None:
        return module.bases[0]
    if base not in module.bases:
        raise PreorderEvalError(f"positions in format {name} count from {module.bases[0]} always")
    return base
