"""Reference folders: source sentences with word alignments to a translation.

A folder holds `source.<language>` (tokenised text) or `source.conllu` (gold trees), the
alignment `*.align`, and usually the translation `target.<language>` or `target.conllu`, and a
`DATASHEET.md` that says how it was made.

Reference sets larger than memory, read some sentences at a time.

That takes files with a line for every sentence: tokenised text, and an alignment in Pharaoh's
format. All others are read whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from preorder_eval.data.alignments import Alignments, alternatives
from preorder_eval.data.ragged import sentence_lengths
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import FormatError
from preorder_eval.formats import pharaoh
from preorder_eval.formats.alignment import (
    AUTO,
    Bitext,
    Direction,
    Numbering,
    Side,
    WhichLinks,
    detect_format,
    format_alignment,
    read_alignment,
    to_bitext,
)
from preorder_eval.formats.conllu import format_conllu, is_conllu, read_conllu
from preorder_eval.formats.files import file_hash, iterate_lines, read_lines, stem
from preorder_eval.formats.text import (
    join_tokens,
    read_parallel,
    read_sentences,
    same_length,
    split_tokens,
    warn_if_raw,
)


def reference_from_files(
    source: Path,
    alignment: Path | None,
    target: Path | None = None,
    *,
    name: str | None = None,
    form: str = AUTO,
    base: int | None = None,
    direction: Direction = "source-target",
    links: WhichLinks = "all",
    further: Sequence[Path] = (),
    tokenize: Callable[[str], list[str]] | None = None,
) -> ReferenceSet:
    """A reference set from single files; CoNLL-U files are trees, others tokenised text.

    Without an alignment no word has a link.

    `further` alignments are with other translations of the same sentences, each of which gives
    the sentences one more reference order; `tokenize` cuts a source of raw text into the words
    that links count. The other options say how to read alignments; see `read_alignment`.
    """
    sentences, trees = read_side(source, tokenize)
    translations, target_trees = (None, None) if target is None else read_side(target)
    if target is not None and translations is not None:
        same_length("sentence", len(translations), target, str(source), len(sentences))
    lengths = sentence_lengths(sentences)
    if alignment is None:
        alignments = Alignments.of([[] for _ in sentences])
    else:
        alignments = read_alignment(
            alignment,
            lengths,
            None if translations is None else sentence_lengths(translations),
            form,
            base=base,
            direction=direction,
            links=links,
        )
    several = None
    if further:
        more = [
            read_alignment(file, lengths, None, form, base=base, direction=direction, links=links)
            for file in further
        ]
        several, _ = alternatives(lengths, [(aligned, ()) for aligned in (alignments, *more)])
    files = [file for file in (source, target, alignment, *further) if file is not None]
    return ReferenceSet(
        name or stem(source),
        sentences,
        alignments,
        translations,
        trees,
        target_trees,
        {file.name: file_hash(file) for file in files},
        several,
    )


def reference_from_parallel(
    parallel: Path,
    alignment: Path | None,
    *,
    name: str | None = None,
    form: str = AUTO,
    base: int | None = None,
    direction: Direction = "source-target",
    links: WhichLinks = "all",
) -> ReferenceSet:
    """A reference set from parallel text in one file; see `reference_from_files`."""
    source, target = read_parallel(parallel)
    if alignment is None:
        alignments = Alignments.of([[] for _ in source])
    else:
        alignments = read_alignment(
            alignment,
            sentence_lengths(source),
            sentence_lengths(target),
            form,
            base=base,
            direction=direction,
            links=links,
        )
    hashes = {file.name: file_hash(file) for file in (parallel, alignment) if file is not None}
    return ReferenceSet(name or stem(parallel), source, alignments, target, hashes=hashes)


def read_side(
    path: Path, tokenize: Callable[[str], list[str]] | None = None
) -> tuple[Sequence[list[str]], Treebank | None]:
    """The sentences of a CoNLL-U file, with their trees, or of text, tokenised or to be."""
    if tokenize is not None:
        lines = enumerate(read_lines(path), 1)
        # Of a blank line nothing is left; splitting it is what raises the error.
        return [tokenize(line) or split_tokens("", path, number) for number, line in lines], None
    if not is_conllu(path):
        sentences = read_sentences(path)
        warn_if_raw(sentences, path)
        return sentences, None
    trees = read_conllu(path)
    return trees.sentences, trees


def format_reference(
    reference: ReferenceSet, source_language: str, target_language: str
) -> dict[str, str]:
    """The files of a reference folder by their names, with a datasheet to be completed."""
    languages = f"{source_language}-{target_language}"
    sides = [("source", source_language, reference.source, reference.trees)]
    if reference.target is not None:
        sides.append(("target", target_language, reference.target, reference.target_trees))
    files = {}
    for side, language, sentences, trees in sides:
        if trees is not None:
            files[f"{side}.conllu"] = format_conllu(trees)
        else:
            files[f"{side}.{language}"] = "".join(join_tokens(words) + "\n" for words in sentences)
    files[f"{languages}.align"] = format_alignment(Bitext(reference.alignments))
    return files | {"DATASHEET.md": _datasheet(reference, languages, list(files))}


def _datasheet(reference: ReferenceSet, languages: str, files: list[str]) -> str:
    """What the numbers say about a set, and what only its makers can say."""
    links, aligned = reference.alignments, reference.references.aligned
    without = [s + 1 for s in range(len(reference)) if not links[s]]
    rows = {
        "Sentences": len(reference),
        "Source tokens": len(aligned),
        "Source tokens with a link": f"{aligned.sum()} ({aligned.mean():.1%})",
    }
    if reference.target is not None:
        rows["Target tokens"] = sum(map(len, reference.target))
    rows["Links"] = len(links.source)
    if links.possible.any():
        rows["Links marked possible"] = int(links.possible.sum())
    rows["Sentences without links"] = len(without)
    table = "".join(f"| {what} | {number} |\n" for what, number in rows.items())
    left_out = (
        f"\nSentences without links, left out of all scores: {', '.join(map(str, without))}.\n"
    )
    return f"""# {reference.name}: {languages} reference set

**What it is.** (to be written: genre, origin, whether translations are alignment-oriented)

| | |
| --- | --- |
{table}{left_out if without else ""}
**Files.** {", ".join(f"`{name}`" for name in files)}; links 0-based, source first.

**Licence.** (to be written)

**How it was made.** (to be written: who translated and linked, by which guidelines and tools)

**What was checked.** (to be written: by whom, and how far annotators agree)

**Known weaknesses.** (to be written)
"""


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
