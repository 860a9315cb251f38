"""Reference sets made of single files, and written as a folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Unpack

import numpy as np

from preorder_eval.base.errors import FormatError, PreorderEvalError, argument, warn
from preorder_eval.base.files.files import file_hash, read_bytes, read_lines, stem
from preorder_eval.base.files.writing import write_folder
from preorder_eval.base.ragged import sentence_lengths
from preorder_eval.base.resources import bundled
from preorder_eval.base.text.text_files import (
    join_tokens,
    read_sentences,
    refuse_markup,
    same_length,
    split_tokens,
    warn_if_raw,
)
from preorder_eval.base.text.tokenization import tokenizer
from preorder_eval.base.visible import first_few, quantity
from preorder_eval.orders.align import align
from preorder_eval.orders.alignment_files import AlignmentOptions, read_alignment_of
from preorder_eval.orders.alignment_formats import format_alignments
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.reference_orders import alternatives
from preorder_eval.references.reference_files import SENTENCES_FILE
from preorder_eval.references.reference_set import ALL, UNTRANSLATED, ReferenceSet
from preorder_eval.trees.conllu import format_conllu, is_conllu, parse_conllu, read_conllu
from preorder_eval.trees.in_ud import Labels, in_ud
from preorder_eval.trees.treebank import Treebank, comment_value

_DATASHEET = Path(__file__).with_name("begun_datasheet.md")
_MOST = 0.5  # of the sentences
_LEAST = 6  # words of a sentence to annotate blindly: greetings show no order
_SPLIT = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)(?:=([1-9][0-9]{0,8}))?")
_PAIR = re.compile(r"\w+(-\w+)+")
_OF_A_SET = ("split", "translation")  # comments that say something of the set, not the sentence


def reference_build(
    out: str | Path,
    languages: str,
    source: str | Path,
    target: str | Path,
    alignment: str | Path | None = None,
    *,
    aligner: str | None = None,
    split: str = "",
    name: str = "",
    **options: Unpack[AlignmentOptions],
) -> ReferenceSet:
    """Write a new reference folder `out` of text and links, and return the set.

    Parameters: `languages` such as `en-ja`; `source` and `target` tokenised or CoNLL-U; `alignment`
    their links, or the `aligner` that makes them; `split` the splits with their numbers of
    sentences, in order, as in `dev=400,test`: the last may take the rest; `name` by default the
    folder's. The `options` say how links are read (`read_alignment_of`).

    Raises FormatError for files that do not fit, and for an `out` that exists.

    >>> import preorder_eval as pe
    >>> from pathlib import Path
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for side, text in (("en", "go home"), ("ja", "ie ni ike"), ("align", "0-2 1-0")):
    ...     _ = (folder / f"s.{side}").write_text(text)
    >>> files = [folder / f"s.{side}" for side in ("en", "ja", "align")]
    >>> len(pe.reference_build(folder / "mine", "en-ja", *files))
    1
    """
    if not _PAIR.fullmatch(languages):
        raise PreorderEvalError(f"languages {languages!r}: give two codes, such as en-ja")
    name, links = name or Path(out).name, None if alignment is None else Path(alignment)
    reference = reference_from_files(Path(source), links, Path(target), name=name, **options)
    if aligner is not None:
        made = align(reference.source, reference.target or [], aligner)
        reference = replace(reference, alignments=made)
    listed = {}
    if split:
        splits = _divided(split, len(reference))
        reference = reference.take(range(len(splits)), name)
        rows = (f"{number}\t{part}\n" for number, part in enumerate(splits, 1))
        listed = {SENTENCES_FILE: "".join(rows)}
    ours, theirs = languages.split("-", 1)
    write_folder(Path(out), {**format_reference(reference, ours, theirs), **listed})
    return reference


def _divided(split: str, sentences: int) -> list[str]:
    """Return the splits of the first sentences, by their numbers as in `dev=400,test`."""
    splits: list[str] = []
    parts = split.split(",")
    for number, part in enumerate(parts, 1):
        match, rest = _SPLIT.fullmatch(part), sentences - len(splits)
        if match is None or match[1] == ALL or not (match[2] or number == len(parts)):
            raise PreorderEvalError(
                f"split {split!r} is not written as dev=400,test: names with numbers of "
                "sentences; the last may take the rest"
            )
        if match[1] in splits:
            raise PreorderEvalError(f"split {match[1]} is given twice")
        size = int(match[2] or rest)
        if not 0 < size <= rest:
            left = f"{size} of {quantity(rest, 'sentence')} left" if size else "nothing left"
            raise PreorderEvalError(f"split {match[1]} cannot have {left}")
        splits += [match[1]] * size
    return splits


def reference_from_files(
    source: Path,
    alignment: Path | None,
    target: Path | None = None,
    *,
    name: str | None = None,
    further: Sequence[Path] = (),
    tokenize: Callable[[str], list[str]] | None = None,
    labels: Labels = "auto",
    **options: Unpack[AlignmentOptions],
) -> ReferenceSet:
    """Make a reference set of single files; CoNLL-U files are trees, others tokenised text.

    Without an alignment no word has a link. `further` are alignments with other translations of the
    same sentences. Each of them gives every sentence one more reference order. `tokenize` cuts a
    source of raw text into words; the positions in the alignments are those of these words. The
    `options` say how to read alignments; see `read_alignment_of`.
    """
    sentences, trees = read_side(source, tokenize, labels)
    translations, target_trees = (None, None) if target is None else read_side(target)
    if target is not None and translations is not None:
        same_length("sentence", len(translations), target, str(source), len(sentences))
    alignments = _read_links(alignment, sentences, translations, options)
    if tokenize is not None:
        _warn_of_other_words(source, sentences, alignments)
    several = None
    if further:
        read = [alignments, *(_read_links(file, sentences, None, options) for file in further)]
        several, _ = alternatives(sentence_lengths(sentences), [(links, ()) for links in read])
    return ReferenceSet(
        name or stem(source),
        sentences,
        alignments,
        translations,
        trees,
        target_trees,
        {file.name: file_hash(file) for file in (source, target, alignment, *further) if file},
        several,
        raw=tokenize is not None,
    )


def _read_links(
    file: Path | None,
    source: Sequence[list[str]],
    target: Sequence[list[str]] | None,
    options: AlignmentOptions,
) -> Alignments:
    if file is None:
        return Alignments.of([[] for _ in source])
    return read_alignment_of(file, source, target, **options)


def _warn_of_other_words(
    source: Path, sentences: Sequence[Sequence[str]], links: Alignments
) -> None:
    """Warn of links that seem to be made for another tokenisation of the raw text.

    Sentences that tokenizers split differently then end in a word without a link, though others do
    not. If hardly any sentence ends in a link, nothing shows that the links are right.
    """
    split = tokenizer("13a")
    texts = zip(read_lines(source), sentences, strict=True)
    differs = np.array([len(split(text)) != len(words) for text, words in texts])
    unlinked = np.array([all(i < len(w) - 1 for i, _ in links[s]) for s, w in enumerate(sentences)])
    usual = unlinked[~differs].mean() if not differs.all() else 0
    suspect = differs & (unlinked | (usual > _MOST))
    if suspect.any() and suspect.sum() >= min(1, 2 * usual) * differs.sum():
        lines = first_few([int(s) + 1 for s in np.flatnonzero(suspect)])
        warn(
            f"{source}: tokenizers split {quantity(differs.sum(), 'sentence')} differently, and "
            f"the links of {suspect.sum()} of them may refer to other words (lines {lines}); if "
            "the aligned text was tokenised differently, give that text with "
            f"{argument('source=…')}"
        )


def read_side(
    path: Path, tokenize: Callable[[str], list[str]] | None = None, labels: Labels = "auto"
) -> tuple[Sequence[list[str]], Treebank | None]:
    """Read the sentences of a CoNLL-U file, with their trees, or of a text file.

    With `tokenize` the text is raw, and this function splits its lines into words.
    """
    if tokenize is not None:
        read = read_lines(path)
        refuse_markup(read[0], path)
        lines = enumerate(read, 1)
        # Of a blank line nothing is left; splitting it is what raises the error.
        return [tokenize(line) or split_tokens("", path, number) for number, line in lines], None
    if not is_conllu(path):
        sentences = read_sentences(path)
        warn_if_raw(sentences, path)
        return sentences, None
    trees = _bundled_trees(path) if labels == "auto" else None
    trees = trees or in_ud(read_conllu(path), labels, file=path)
    return trees.sentences, trees


def _bundled_trees(path: Path) -> Treebank | None:
    """Return the trees of a bundled file without a fault; None for any other file."""
    if not path.is_relative_to(bundled("reference_data")):
        return None
    with suppress(FormatError):  # which names the file when it is read as any other
        return _trees_of(read_bytes(path))
    return None


@lru_cache(maxsize=8)
def _trees_of(text: bytes) -> Treebank:
    """Read a text once in a process: sets of several target languages have the same sentences."""
    return in_ud(parse_conllu(text), file="bundled trees")


def blind_sheets(reference: ReferenceSet, count: int, name: str) -> ReferenceSet:
    """Take `count` sentences of a set, evenly spaced, to be translated and linked anew.

    Only sentences of at least six words are taken. They keep trees and comments, except for
    comments on the split or the kind of translation. In the place of the translation stands `…`.
    Raises PreorderEvalError for a set whose languages are not known.

    >>> from preorder_eval import load_reference
    >>> sheets = blind_sheets(load_reference("en-ko/test"), 40, "sheets")
    >>> len(sheets), sheets.target[0], len(sheets.alignments.source)
    (40, ['…'], 0)
    """
    if not reference.languages:
        raise PreorderEvalError(f"the languages of {reference.name} are unknown")
    long = [s for s, words in enumerate(reference.source) if len(words) >= _LEAST]
    if not long:
        raise PreorderEvalError(f"{reference.name} has no sentence of {_LEAST} or more words")
    count = min(count, len(long))
    taken = reference.take([long[len(long) * i // count] for i in range(count)], name)
    trees = taken.trees and replace(
        taken.trees,
        comments=[
            tuple(c for c in lines if not any(comment_value([c], key) for key in _OF_A_SET))
            for lines in taken.trees.comments
        ],
    )
    nothing = Alignments.of([[] for _ in range(count)])
    return ReferenceSet(
        name, taken.source, nothing, [list(UNTRANSLATED)] * count, trees, languages=taken.languages
    )


def format_reference(
    reference: ReferenceSet, source_language: str, target_language: str
) -> dict[str, str]:
    """Write the files of a reference folder by their names, with a datasheet to be completed."""
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
    files[f"{languages}.align"] = format_alignments(reference.alignments)
    if reference.aligner:
        files[f"{languages}.aligner"] = f"{reference.aligner}\n"
    return files | {"DATASHEET.md": _datasheet(reference, languages, list(files))}


def _datasheet(reference: ReferenceSet, languages: str, files: list[str]) -> str:
    """Write a datasheet with the figures of a set, and blanks for its makers to fill in."""
    links, aligned = reference.alignments, reference.references.aligned
    rows: dict[str, object] = {"Sentences": len(reference), "Source tokens": len(aligned)}
    if aligned.any():  # else they are to be made, and counts would not stay
        rows["Source tokens with a link"] = f"{aligned.sum()} ({aligned.mean():.1%})"
        if reference.target is not None:
            rows["Target tokens"] = sum(map(len, reference.target))
        rows["Links"] = len(links.source)
        rows["Sentences without links"] = sum(not links[s] for s in range(len(reference)))
    if reference.aligner:
        rows["Links made by"] = f"`{reference.aligner}`, no human"
    if links.possible.any():
        rows["Links marked possible"] = int(links.possible.sum())
    table = "".join(f"| {what} | {number} |\n" for what, number in rows.items())
    named = ", ".join(f"`{name}`" for name in files)
    return _DATASHEET.read_text("utf-8").format(
        name=reference.name, languages=languages, table=table, files=named
    )
