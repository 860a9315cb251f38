"""Reference sets larger than memory, read some sentences at a time.

That takes files with a line for every sentence: tokenised text, and an alignment in Pharaoh's
format. All others are read whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import FormatError
from preorder_eval.formats import pharaoh
from preorder_eval.formats.alignment import AUTO, detect_format
from preorder_eval.formats.compression import stem
from preorder_eval.formats.conllu import is_conllu
from preorder_eval.formats.links import Numbering, Side, to_bitext
from preorder_eval.formats.reference_set import reference_from_files
from preorder_eval.formats.text import iterate_lines, split_tokens

Part = tuple[int, ReferenceSet]  # the number of its first sentence, from 1, and its sentences


@dataclass(frozen=True)
class ReferenceFiles:
    """The files of a reference set that may be larger than memory; `form` is the alignment's."""

    source: Path
    alignment: Path
    form: str = AUTO

    def parts(self, size: int) -> tuple[int, Iterator[Part]]:
        """The number of sentences, and `size` of them at a time.

        Raises the errors of `reference_from_files`, each when its line is reached.
        """
        if not is_by_line(self.source, self.alignment, self.form):
            name = stem(self.alignment)
            data = reference_from_files(self.source, self.alignment, name=name, form=self.form)
            return len(data), parts_of(data, size)
        sentences = sum(1 for _ in iterate_lines(self.source))
        parts = iterate_reference(self.source, self.alignment, size)
        return sentences, ((1 + number * size, part) for number, part in enumerate(parts))


def parts_of(reference: ReferenceSet, size: int) -> Iterator[Part]:
    """The sentences of a reference set in memory, `size` at a time.

    >>> reference = ReferenceSet("x", [["a"]] * 5, Alignments.of([[(0, 0)]] * 5))
    >>> [(first, len(part)) for first, part in parts_of(reference, 2)]
    [(1, 2), (3, 2), (5, 1)]
    """
    for start in range(0, len(reference), size):
        chosen = range(start, min(start + size, len(reference)))
        yield start + 1, reference.take(chosen, reference.name)


def is_by_line(source: Path, alignment: Path, form: str = AUTO) -> bool:
    """Whether `iterate_reference` can read these files."""
    if "-" in (str(source), str(alignment)) or is_conllu(source):
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
        alignments = _alignments(lines, list(map(len, words)), alignment, first)
        yield ReferenceSet(stem(alignment), words, alignments)
        first += len(words)


def _alignments(lines: Sequence[str], lengths: Sequence[int], path: Path, first: int) -> Alignments:
    """The links of some lines of a file, `first` lines after its start."""
    try:
        file_links = pharaoh.parse(lines, str(path))
        bases, numbering = pharaoh.FORMAT.bases, Numbering(0, flipped=False)
        bitext = to_bitext(
            file_links, Side(lengths), None, numbering=numbering, bases=bases, path=path
        )
    except FormatError as error:
        line = None if error.line is None else first + error.line
        raise FormatError(error.message, file=path, line=line, mend=error.mend) from error
    return bitext.alignments
