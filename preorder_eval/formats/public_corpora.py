"""Gold alignments as they are published: read by a layout, and taken again by ids and checksums.

A `CorpusLayout` describes how sentences and links stand in the files of a corpus; those of known
corpora are data (`layouts.toml`). Such corpora can often not be passed on. Instead `sentences.tsv`,
the ids of the sentences and their splits, and `SHA256SUMS` of the files are passed on. From these
and a download, anybody builds the same set.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from preorder_eval.alignment.aligning import align
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.ragged import sentence_lengths
from preorder_eval.data.reference_set import ALL, ReferenceSet
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError, argument
from preorder_eval.formats.alignment import (
    AUTO,
    AlignmentOptions,
    Direction,
    parse_alignment,
    read_alignment,
)
from preorder_eval.formats.conllu import read_conllu
from preorder_eval.formats.files import file_hash, read_decoded, read_lines
from preorder_eval.formats.reference_files import SENTENCES, read_listed
from preorder_eval.formats.reference_from_files import format_reference, read_side
from preorder_eval.formats.schema import Within, checked, parse_toml
from preorder_eval.formats.text import Pairs, read_parallel, same_length, split_tokens
from preorder_eval.formats.writing import write_folder
from preorder_eval.visible import quantity

SUMS = "SHA256SUMS"
_SGML = re.compile(r"<s snum=([0-9]{1,9})> *(.*?) *</s>")
_SPLIT = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)(?:=([1-9][0-9]{0,8}))?")


@dataclass(frozen=True)
class CorpusLayout:
    """The layout of sentences and links in a corpus; `layouts.toml` says what keys mean.

    >>> layout("kftt").direction, layout("pud").text
    ('target-source', 'conllu')
    """

    about: str = ""
    text: Literal["words", "conllu", "sgml", "parallel", "columns"] = "words"
    links: str = AUTO
    base: Annotated[int, Within(0, 1)] | None = None
    direction: Direction = "source-target"
    null: bool = False
    source_language: str = ""
    target_language: str = ""

    @property
    def in_one(self) -> bool:
        """Return whether both sides stand in one file."""
        return self.text in ("parallel", "columns")


@cache
def layouts() -> dict[str, CorpusLayout]:
    """Return the bundled layouts by their names."""
    known = tomllib.loads(Path(__file__).with_name("layouts.toml").read_text("utf-8"))
    return {name: checked(CorpusLayout, table, (name,)) for name, table in known.items()}


def layout(name: str, others: Sequence[str] = ()) -> CorpusLayout:
    """Return a bundled layout by its name, or that of a TOML file.

    Raises UnknownNameError for another one, with the `others` that can be named there, too.
    """
    if name in layouts():
        return layouts()[name]
    if name.endswith(".toml"):
        return parse_toml(CorpusLayout, read_decoded(name), name, lambda read: read)
    raise UnknownNameError("layout", name, [*layouts(), *others], "; or a TOML file")


@dataclass(frozen=True)
class Published:
    """The files of a corpus: of each side, or `parallel` of both, and of links if they have one."""

    source: Path | None = None
    target: Path | None = None
    parallel: Path | None = None
    alignment: Path | None = None

    def hashes(self) -> dict[str, str]:
        """Return the SHA-256 of each file by its name, with its folder where two have one name."""
        every = (self.source, self.target, self.parallel, self.alignment)
        files = [file for file in every if file is not None]
        names = Counter(file.name for file in files)
        folders = [f"{file.parent.name}/" if names[file.name] > 1 else "" for file in files]
        named = zip(folders, files, strict=True)
        return {folder + file.name: file_hash(file) for folder, file in named}


def reference_build(
    out: str | Path,
    languages: str,
    source: str | Path | None = None,
    target: str | Path | None = None,
    alignment: str | Path | None = None,
    *,
    parallel: str | Path | None = None,
    like: str | None = None,
    aligner: str | None = None,
    split: str | None = None,
    name: str = "",
    **changes: Any,
) -> ReferenceSet:
    """Write a new reference folder `out` of text and links, and return the set.

    Parameters: `languages` such as `en-ja`; `source` and `target` tokenised or CoNLL-U, or both
    sides in `parallel`; `alignment` their links, or the `aligner` that makes them; `like` the
    layout of the files, by name, and `changes` the fields of `CorpusLayout` that differ from it,
    such as `base=1`; `split` such as `dev=400,test`, or a `sentences.tsv`; `name` by default the
    folder's. Raises FormatError for files that do not fit, and for an `out` that exists.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for side, text in (("en", "go home"), ("ja", "ie ni ike"), ("align", "0-2 1-0")):
    ...     _ = (folder / f"s.{side}").write_text(text)
    >>> files = [folder / f"s.{side}" for side in ("en", "ja", "align")]
    >>> len(reference_build(folder / "mine", "en-ja", *files))
    1
    """
    paths = (source, target, parallel, alignment)
    files = Published(*(None if path is None else Path(path) for path in paths))
    known = CorpusLayout() if like is None else layout(like)
    if like is None and parallel is not None:
        known = replace(known, text="parallel")
    fitting = like is not None and not changes.keys() & {"base", "direction"}
    known = replace(known, **changes)
    reference = read_published(files, known, name or Path(out).name, fitting=fitting)
    if aligner is not None:
        links = align(reference.source, reference.target or [], aligner)
        reference = replace(reference, alignments=links)
    lists: dict[str, str] = {}
    if like is not None or split is not None:
        reference, lists = divided(reference, split or "")
    how = f"Built by `reference build --like {like}` ({known.about}). " if known.about else ""
    ours, theirs = languages.split("-", 1)
    write_folder(Path(out), {**format_reference(reference, ours, theirs, how), **lists})
    return reference


def read_published(
    files: Published, layout: CorpusLayout, name: str, *, fitting: bool = False
) -> ReferenceSet:
    """Read the sentences and links of a corpus.

    With `fitting`, links that fit the sentences by another base or direction alone are read by
    that, with a warning. Raises PreorderEvalError if the layout has other files. Raises
    FormatError, with the line, for what is not as the layout has it, and for links that do not fit.
    """
    trees: Treebank | None = None
    target_trees: Treebank | None = None
    column: Sequence[str] | None = None
    source: Sequence[list[str]]
    target: Sequence[list[str]]
    if layout.in_one and files.parallel is not None:
        sides = read_parallel(files.parallel) if layout.text == "parallel" else None
        if sides is None:
            sides, column = _columns(files.parallel)
        source, target = sides[:: -1 if layout.direction == "target-source" else 1]
    elif files.source is not None and files.target is not None:
        source, trees = _read_side(files.source, layout)
        target, target_trees = _read_side(files.target, layout)
        same_length("sentence", len(target), files.target, str(files.source), len(source))
    else:
        raise PreorderEvalError(f"text {layout.text!r} stands in other files")
    how: AlignmentOptions = {
        "form": layout.links,
        "base": layout.base,
        "direction": layout.direction,
        "null": layout.null,
        "fitting": fitting,
    }
    lengths = sentence_lengths(source), sentence_lengths(target)
    if column is not None and files.parallel is not None:
        links = parse_alignment(column, files.parallel, *lengths, **how)
    elif files.alignment is not None:
        links = read_alignment(files.alignment, *lengths, **how)
    else:
        links = Alignments.of([[] for _ in source])
    return ReferenceSet(name, source, links, target, trees, target_trees, files.hashes())


def _read_side(file: Path, layout: CorpusLayout) -> tuple[Sequence[list[str]], Treebank | None]:
    if layout.text == "conllu":
        trees = read_conllu(file)
        return trees.sentences, trees
    return (_sgml(file), None) if layout.text == "sgml" else read_side(file)


def _sgml(file: Path) -> list[list[str]]:
    """Read sentences such as `<s snum=0001> hear , hear ! </s>`, numbered from 1."""
    sentences = []
    for number, line in enumerate(read_lines(file), 1):
        match = _SGML.fullmatch(line.strip(" "))
        if match is None:
            hint = f"another {argument('like=…')} may be the layout of the file"
            raise FormatError("no <s snum=1> … </s>", file=file, line=number, hint=hint)
        if int(match[1]) != number:
            defect = f"snum={match[1]} where {number} was expected"
            hint = "give files whose sentences are numbered from 1, joined if need be"
            raise FormatError(defect, file=file, line=number, hint=hint)
        sentences.append(split_tokens(match[2], file, number))
    return sentences


def _columns(file: Path) -> tuple[Pairs, list[str]]:
    """Read source and target sentences and lines of links from three columns."""
    first, second, links = [], [], []
    for number, line in enumerate(read_lines(file), 1):
        columns = line.split("\t")
        if len(columns) != 3:
            hint = f"another {argument('like=…')} may be the layout of the file"
            defect = f"{quantity(len(columns), 'column')} instead of source, target and links"
            raise FormatError(defect, file=file, line=number, hint=hint)
        first.append(split_tokens(columns[0], file, number))
        second.append(split_tokens(columns[1], file, number))
        links.append(columns[2])
    return (first, second), links


def sentence_ids(data: ReferenceSet) -> list[str]:
    """Return the `sent_id` of each sentence, or where not every one has its own, its number."""
    ids = [tree.sentence_id or "" for tree in data.trees or ()]
    unique = len(set(ids)) == len(ids) == len(data) and all(ids)
    return ids if unique else [str(number) for number in range(1, len(data) + 1)]


def divided(data: ReferenceSet, split: str) -> tuple[ReferenceSet, dict[str, str]]:
    """Return the sentences of some splits, with the files that make the same again.

    `split` is the path of a list (`sentences.tsv`), or the number of sentences of each split in
    their order, as in `dev=400,test`. The last may take the rest; empty takes all and divides
    nothing. Raises PreorderEvalError for anything else. Raises FormatError for a list of sentences
    that do not exist, or that was made of other files (`SHA256SUMS` beside it).
    """
    ids = sentence_ids(data)
    if split and Path(split).is_file():
        _check_sums(Path(split).with_name(SUMS), data.hashes)
        rows = _listed(Path(split), ids, data.name)
    else:
        rows = _in_order(ids, split)
    place = {name: number for number, name in enumerate(ids)}
    chosen = [place[name] for name, _ in rows]
    kept = data if chosen == list(range(len(data))) else data.take(chosen, data.name)
    listed = "".join(f"{name}\t{part}\n" for name, part in rows)
    sums = "".join(f"{value}  {name}\n" for name, value in data.hashes.items())
    return kept, {SENTENCES: listed, SUMS: sums}


def _listed(file: Path, ids: Sequence[str], name: str) -> list[tuple[str, str]]:
    rows, known = read_listed(file), set(ids)
    for number, (sentence, _) in enumerate(rows, 1):
        if sentence not in known:
            raise FormatError(f"{name} has no sentence {sentence!r}", file=file, line=number)
    return rows


def _in_order(ids: Sequence[str], split: str) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    parts = split.split(",") if split else []
    for number, part in enumerate(parts):
        match = _SPLIT.fullmatch(part)
        last = number == len(parts) - 1
        if match is None or match[1] == ALL or not (match[2] or last):
            raise PreorderEvalError(
                f"split {split!r} is neither a file nor such as dev=400,test: names with numbers "
                "of sentences, of which the last may take the rest"
            )
        rest = len(ids) - len(rows)
        size = int(match[2]) if match[2] else rest
        if not 0 < size <= rest or any(match[1] == name for _, name in rows):
            left = f"{size} of {quantity(rest, 'sentence')} left" if size else "nothing left"
            twice = any(match[1] == name for _, name in rows)
            why = "is named twice" if twice else f"cannot have {left}"
            raise PreorderEvalError(f"split {match[1]} {why}")
        rows += [(name, match[1]) for name in ids[len(rows) : len(rows) + size]]
    return rows if parts else [(name, "") for name in ids]


def _check_sums(file: Path, hashes: Mapping[str, str]) -> None:
    """Raise FormatError for files that are not those of a list of checksums, where there is one."""
    if not file.is_file():
        return
    listed = dict(line.split("  ", 1)[::-1] for line in read_lines(file) if "  " in line)
    for name, value in hashes.items():
        if name not in listed:
            hint = f"it lists {', '.join(listed)}: give files of these names"
            raise FormatError(f"does not list {name}", file=file, hint=hint)
        if listed[name] != value:
            defect = f"{name} is another file: SHA-256 {value[:8]}, not {listed[name][:8]}"
            hint = "download the version that was listed, or divide this one anew"
            raise FormatError(defect, file=file, hint=hint)
