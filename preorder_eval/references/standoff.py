"""Stand-off annotation, which is joined with the user's own copy of the text.

Stand-off annotation is for sentences that must not be redistributed. A stand-off folder has
`standoff.tsv` in the place of the source: a line for each sentence with its `sent_id`, a hash and
the split, separated by tabs. The hash is the first 16 hex digits of the SHA-256 of the tokens
joined by spaces. All other files are those of any reference folder, which it becomes when it is
joined with treebanks that hold the sentences. Sentences that are not found, or have other tokens,
are omitted, counted and named.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from preorder_eval.base.errors import FormatError, PreorderEvalError, warn
from preorder_eval.base.files.files import read_decoded, read_lines, text_hash
from preorder_eval.base.files.writing import path_inside, write_folder
from preorder_eval.base.text.text_files import same_length
from preorder_eval.base.visible import first_few, quantity
from preorder_eval.references.reference_files import SENTENCES_FILE, datasheet_entry, read_listed
from preorder_eval.references.reference_set import ALL, part_sentences
from preorder_eval.trees.conllu import format_conllu, is_conllu, read_conllu
from preorder_eval.trees.treebank import Treebank, comment_value, document_names, newdoc

STANDOFF = "standoff.tsv"
TREEBANKS = "PREORDER_EVAL_TREEBANKS"
_DIGITS = 16
_LINES = (".align", ".free")
_WHOLE = (".md", ".aligner")


@dataclass(frozen=True)
class Joined:
    """A stand-off folder joined with treebanks.

    `files` are the texts of a reference folder, by file name; `sentences` counts those found, by
    their split. `missing` are the ids of those not found, `changed` of those with other tokens.
    """

    files: Mapping[str, str]
    sentences: Counter[str]
    missing: Sequence[str]
    changed: Sequence[str]

    @property
    def left_out(self) -> str:
        """How many sentences were omitted, and which; empty if none was."""
        kinds = ((self.changed, "with other tokens"), (self.missing, "not found"))
        told = [f"{len(ids)} {why} ({first_few(ids)})" for ids, why in kinds if ids]
        of = self.sentences.total() + len(self.missing) + len(self.changed)
        count = f"{of - self.sentences.total()} of {quantity(of, 'sentence')} skipped"
        return f"{count}: {', '.join(told)}" if told else ""


def token_hash(words: Iterable[str]) -> str:
    """Return the hash by which the tokens of a sentence are recognised.

    >>> token_hash(["Go", "home", "!"])
    '7e493bb3f23676e4'
    """
    return text_hash(" ".join(words))[:_DIGITS]


def treebank_files(places: Sequence[Path] = ()) -> list[Path]:
    """Return the CoNLL-U files of these files and folders.

    Without any, those that the environment variable PREORDER_EVAL_TREEBANKS names. Raises
    FormatError for a folder without such files.
    """
    if not places:
        named = os.environ.get(TREEBANKS, "")
        places = [Path(place) for place in named.split(os.pathsep) if place]
    files: list[Path] = []
    for place in places:
        inside = sorted(filter(is_conllu, place.iterdir())) if place.is_dir() else [place]
        if not inside:
            raise FormatError("has no CoNLL-U file", file=place)
        files += inside
    return files


@contextmanager
def joined_folder(folder: Path, name: str, split: str | None) -> Iterator[Path]:
    """Yield the folder of a set; for stand-off annotation, a temporary one with the joined part.

    Warns of sentences left out. Raises PreorderEvalError if no treebank is named, or none has a
    sentence of the part.
    """
    if not (folder / STANDOFF).is_file():
        yield folder
        return
    files = treebank_files()
    made_on = datasheet_entry(folder, "Made on")
    of_text = f"the text of {name}" + (f" ({made_on.rstrip('.')})" if made_on else "")
    how = f"set the environment variable {TREEBANKS} to your copy, files or folders"
    if not files:
        raise PreorderEvalError(f"{of_text} is not included in the annotation; {how}")
    joined = join(folder, files, name, split)
    if not joined.sentences:
        raise PreorderEvalError(f"{of_text} is not in {first_few(files)}: {joined.left_out}; {how}")
    if joined.left_out:
        warn(f"{name}: {joined.left_out}" + (f"; made on {made_on}" if made_on else ""))
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary) / "set"
        write_folder(place, joined.files)
        try:
            yield place
        except FormatError as error:  # whose file is gone when it is read
            at = folder / Path(error.file or "").name
            where = f", sentence {error.line} of the joined sentences" if error.line else ""
            raise FormatError(f"{error.message}{where}", file=at, hint=error.hint) from error


def join(folder: Path, files: Sequence[Path], name: str, split: str | None = None) -> Joined:
    """Join a stand-off folder with treebanks, or only a part of it.

    Raises FormatError for what is wrong in a file, and UnknownNameError for another part.
    """
    hint = f"write sent_id, {_DIGITS} hex digits and split, separated by tabs"
    columns = rf"([^\t]{{{_DIGITS}}})\t([^\t]*)"
    rows = read_listed(folder / STANDOFF, columns, "hash", hint)
    places = _places(files, {row[0] for row in rows})
    splits = [row[2] for row in rows]
    chosen = part_sentences(name, splits, split if any(splits) or split != ALL else None)[1]
    document = ""  # that the last sentence is of, once one has begun
    kept, source, missing, changed = list[int](), list[str](), list[str](), list[str]()
    for s in chosen:
        sentence, tokens, part = rows[s]
        fitting = [
            at for at in places[sentence] if token_hash(at.trees.sentences[at.sentence]) == tokens
        ]
        if fitting:
            kept.append(s)
            trees, number, known = fitting[0]
            begins = known or (document and f"sentence {sentence}")
            source.append(_tree(trees, number, begins * (begins != document), part))
            document = begins
        else:
            (changed if places[sentence] else missing).append(sentence)
    texts = {"source.conllu": "".join(source)}
    ids = {rows[s][0] for s in kept}
    for file in sorted(folder.iterdir()):
        path_inside(folder, file.name)  # no link of others leads out of their folder
        if file.suffix in _WHOLE:
            texts[file.name] = read_decoded(file)
        elif file.suffix == ".exceptions":
            lines = [f"{line}\n" for line in read_lines(file) if line.partition("\t")[0] in ids]
            texts |= {file.name: "".join(lines)} if lines else {}
        elif file.suffix in _LINES or file.name.startswith("target."):
            lines = read_lines(file, blank=True)
            same_length("line", len(lines), file, STANDOFF, len(rows))
            texts[file.name] = "".join(f"{lines[s]}\n" for s in kept)
    return Joined(texts, Counter(rows[s][2] for s in kept), missing, changed)


class _Place(NamedTuple):
    """The treebank that a sentence stands in, its number there, and its document, if it has one."""

    trees: Treebank
    sentence: int
    document: str


def _places(files: Sequence[Path], wanted: Iterable[str]) -> defaultdict[str, list[_Place]]:
    """Locate the sentences with these ids."""
    places: defaultdict[str, list[_Place]] = defaultdict(list)
    wanted = set(wanted)
    for file in files:
        trees = read_conllu(file)
        documents, begun = document_names(trees.comments), False
        for s, comments in enumerate(trees.comments):
            begun = begun or any(newdoc(line) is not None for line in comments)
            name = comment_value(comments, "sent_id") or ""
            if name in wanted:
                places[name].append(_Place(trees, s, documents[s] if begun else ""))
    return places


def _tree(trees: Treebank, sentence: int, begins: str, split: str) -> str:
    """Return a tree as CoNLL-U with comments on its split and, if one begins, its document."""
    tree = trees.take(np.array([sentence]))
    comments = [f"# newdoc id = {begins}"] * (begins != "")
    comments += [line for line in tree.comments[0] if newdoc(line) is None]
    if (comment_value(comments, "split") or "") != split:
        comments = [line for line in comments if not comment_value([line], "split")]
        comments += [f"# split = {split}"] if split else []
    return format_conllu(replace(tree, comments=[tuple(comments)]))


def stand_off(folder: Path, trees: Treebank | None, splits: Sequence[str]) -> dict[str, str]:
    """Return the files of a stand-off folder for a reference folder that has gold trees.

    Raises FormatError if the sentences could not be found again: if there are no trees, or these
    have no ids of their own.
    """
    ids = [tree.sentence_id or "" for tree in trees or ()]
    if trees is None or not all(ids) or len(set(ids)) < len(ids):
        hint = "give every tree of source.conllu a unique comment '# sent_id = …'"
        raise FormatError("its sentences have no ids", file=folder, hint=hint)
    rows = zip(ids, map(token_hash, trees.sentences), splits or [""] * len(ids), strict=True)
    texts = {STANDOFF: "".join("\t".join(row) + "\n" for row in rows)}
    for file in sorted(folder.iterdir()):
        if file.name.startswith("target.") and is_conllu(file):
            hint = "write its words into a file such as target.ja, tokenised"
            raise FormatError("a translation with trees", file=file, hint=hint)
        known = file.suffix in (*_WHOLE, *_LINES, ".exceptions") or file.name.startswith("target.")
        if known and file.name != SENTENCES_FILE:
            texts[file.name] = read_decoded(path_inside(folder, file.name), blank=True)
    return texts
