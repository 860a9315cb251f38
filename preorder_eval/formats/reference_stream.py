"""Reference sets larger than memory, read some sentences at a time.

That takes files with a line for every sentence: tokenised text, and an alignment in Pharaoh's
format. All others are read whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import FormatError
from preorder_eval.formats import pharaoh
from preorder_eval.formats.alignment import AUTO, detect_format
from preorder_eval.formats.links import Numbering, Side, to_bitext
from preorder_eval.formats.text import iterate_lines, split_tokens


def is_by_line(source: Path, alignment: Path, form: str = AUTO) -> bool:
    """Whether `iterate_reference` can read these files."""
    if "-" in (str(source), str(alignment)) or source.suffix == ".conllu":
        return False
    if form == AUTO:
        form = detect_format(list(islice(iterate_lines(alignment), 1000)), alignment)
    return form == "pharaoh"


def iterate_reference(source: Path, alignment: Path, size: int = 1000) -> Iterator[ReferenceSet]:
    """The reference set of two files, in parts of `size` sentences.

    Raises the errors of `reference_from_files`, each when its line is reached.
    """
    sentences = (split_tokens(line, source, n) for n, line in enumerate(iterate_lines(source), 1))
    links = iterate_lines(alignment)
    first = 0
    while True:
        words, lines = list(islice(sentences, size)), list(islice(links, size))
        if len(words) != len(lines):
            ended, other = (source, alignment) if len(words) < len(lines) else (alignment, source)
            raise FormatError(
                f"ends after {first + min(len(words), len(lines))} sentences, and {other} does not",
                file=ended,
                mend="both must have the same sentences",
            )
        if not words:
            return
        found = _alignments(lines, list(map(len, words)), alignment, first)
        yield ReferenceSet(alignment.stem, words, found)
        first += len(words)


def _alignments(lines: Sequence[str], lengths: Sequence[int], path: Path, first: int) -> Alignments:
    """The links of some lines of a file, `first` lines after its start."""
    try:
        found = pharaoh.parse(lines, str(path))
        bases, numbering = pharaoh.FORMAT.bases, Numbering(0, flipped=False)
        bitext = to_bitext(found, Side(lengths), None, numbering=numbering, bases=bases, path=path)
    except FormatError as error:
        line = None if error.line is None else first + error.line
        raise FormatError(error.message, file=path, line=line, mend=error.mend) from error
    return bitext.alignments
