"""The text of a reference folder, to be changed a sentence at a time.

Unchanged text keeps every byte: a file is a sequence of pieces, mostly its lines, and a change
replaces some of the pieces. Sentences of files of trees cannot be changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.base.files.files import LINE, WORDS, decode_text, read_bytes
from preorder_eval.base.text.text_files import join_tokens
from preorder_eval.orders.alignment_files import detect_format
from preorder_eval.orders.alignment_formats import format_links, parse_marked_links
from preorder_eval.orders.alignments import Link
from preorder_eval.references.annotated_sentence import AnnotatedSentence, Translation
from preorder_eval.references.reference_files import reference_files
from preorder_eval.references.reference_folder import format_free_blocks, parse_free_blocks
from preorder_eval.trees.conllu import is_conllu, parse_conllu
from preorder_eval.trees.treebank import Treebank

_NOTHING = "\n"
_FIRST = "only further translations may omit sentences"


@dataclass(frozen=True)
class _FileNames:
    """The names of a translation's files; the file of free blocks, or all three, may not exist."""

    target: str
    links: str
    free: str


@dataclass(frozen=True, eq=False)
class ReferenceText:
    """The files of a reference folder, by their names, as pieces.

    `source` is the name of the source's file, `translations` are the names of the translations'
    files, and `trees` the trees of the files that hold trees.
    """

    source: str
    translations: tuple[_FileNames, ...]
    pieces: Mapping[str, tuple[str, ...]]
    trees: Mapping[str, Treebank]

    @classmethod
    def read(cls, folder: Path) -> ReferenceText:
        """Read the files of a folder that `read_folder` can read.

        Raises FormatError for files that cannot be changed: links in another format than Pharaoh's,
        a folder without a translation, and a link to a file elsewhere.
        """
        files = reference_files(folder)
        names, pieces, trees = [], {}, {}
        for number, translation in enumerate(files.translations, 1):
            if translation.target is None:
                hint = "links need the words of a translation"
                raise FormatError(f"translation {number} has no text", file=folder, hint=hint)
            free = translation.links.with_suffix(".free").name
            names.append(_FileNames(translation.target.name, translation.links.name, free))
            for file in (translation.target, translation.links, translation.free):
                if file is not None:
                    pieces[file.name] = _pieces(file)
            lines = [piece.removesuffix("\n") for piece in pieces[translation.links.name]]
            if detect_format(lines, translation.links) != "pharaoh":
                hint = "make a folder from it with `preorder-eval reference build`"
                raise FormatError("not in Pharaoh's format", file=translation.links, hint=hint)
        pieces[files.source.name] = _pieces(files.source)
        for name in pieces:
            if is_conllu(name):
                trees[name] = parse_conllu("".join(pieces[name]), str(folder / name))
        return cls(files.source.name, tuple(names), pieces, trees)

    def __len__(self) -> int:
        # Every sentence has a line of links, whatever the source is.
        return len(self.pieces[self.translations[0].links])

    def __getitem__(self, sentence: int) -> AnnotatedSentence:
        return AnnotatedSentence(
            tuple(self._words(self.source, sentence)),
            tuple(self._translation(names, sentence) for names in self.translations),
        )

    @property
    def files(self) -> dict[str, str]:
        """The texts of all files by their names."""
        return {name: "".join(pieces) for name, pieces in self.pieces.items()}

    def changes_since(self, other: ReferenceText) -> dict[str, str | None]:
        """Return the new texts of the files that differ; None for those that are gone."""
        changed: dict[str, str | None] = {
            name: "".join(pieces)
            for name, pieces in self.pieces.items()
            if other.pieces.get(name) != pieces
        }
        return changed | dict.fromkeys(name for name in other.pieces if name not in self.pieces)

    def with_sentence(self, number: int, sentence: AnnotatedSentence) -> ReferenceText:
        """Return the text with another sentence in the place of that number.

        Raises PreorderEvalError for a change of words that are in trees, and for words that cannot
        be written.
        """
        known, pieces = self[number], dict(self.pieces)
        if sentence.source != known.source:
            self._put(pieces, self.source, number, _line(self.source, sentence.source))
        both = zip(self.translations, known.translations, sentence.translations, strict=True)
        for n, (names, old, new) in enumerate(both):
            if new.words != old.words:
                if not new.words and n == 0:
                    raise PreorderEvalError(_FIRST)
                line = _line(names.target, new.words) if new.words else _NOTHING
                self._put(pieces, names.target, number, line)
            if new.links != old.links:
                line = format_links(list(new.links), list(new.links.values())) + "\n"
                self._put(pieces, names.links, number, line)
            if new.free != old.free:
                pieces.setdefault(names.free, (_NOTHING,) * len(self))
                self._put(pieces, names.free, number, format_free_blocks(new.free) + "\n")
        return replace(self, pieces=pieces)

    def with_translation(self) -> ReferenceText:
        """Return the text with one more translation, in which all sentences are still left out."""
        first, number = self.translations[0], len(self.translations) + 1
        languages = first.links.removesuffix(".align")
        language = first.target.removeprefix("target.")
        if is_conllu(first.target):
            language = languages.rpartition("-")[2]
        start = f"{languages}.{number}"
        names = _FileNames(f"target.{number}.{language}", f"{start}.align", f"{start}.free")
        blank = (_NOTHING,) * len(self)
        pieces = {**self.pieces, names.target: blank, names.links: blank}
        return replace(self, translations=(*self.translations, names), pieces=pieces)

    def _words(self, name: str, sentence: int) -> Sequence[str]:
        if name in self.trees:
            return self.trees[name][sentence].words
        return [word for word in self.pieces[name][sentence].rstrip("\n").split(" ") if word]

    def _translation(self, names: _FileNames, sentence: int) -> Translation:
        words = self._words(names.target, sentence)
        line = self.pieces[names.links][sentence].removesuffix("\n")
        free = self.pieces[names.free][sentence] if names.free in self.pieces else ""
        blocks = parse_free_blocks(free, len(words), names.free, sentence + 1)
        links: dict[Link, bool] = {}
        for first, second, possible in sorted(parse_marked_links(line, names.links, sentence + 1)):
            links.setdefault((first, second), possible)  # sure if it is given as sure, too
        return Translation(tuple(words), links, tuple(blocks))

    def _put(self, pieces: dict[str, tuple[str, ...]], name: str, number: int, line: str) -> None:
        if name in self.trees:
            raise PreorderEvalError(f"the words come from the trees of {name}; edit them there")
        lines = pieces[name]
        pieces[name] = (*lines[:number], line, *lines[number + 1 :])


def tokens_of(text: str) -> list[str]:
    r"""Return the tokens that somebody has typed, between spaces and line ends.

    >>> tokens_of("She  eats\nfish .")
    ['She', 'eats', 'fish', '.']
    """
    return [token for token in re.split(r"[ \t\r\n]", text) if token]


def _pieces(file: Path) -> tuple[str, ...]:
    """Return the lines of a file with their ends, or all of a file of trees."""
    if file.is_symlink():
        hint = "the editor changes only files in the folder itself"
        raise FormatError("is a link to another file", file=file, hint=hint)
    text = decode_text(read_bytes(file), str(file), blank=True)
    if is_conllu(file):
        return (text,)
    return tuple(f"{line}\n" for line in text.removesuffix("\n").split("\n"))


def _line(name: str, words: Sequence[str]) -> str:
    if not words:
        raise PreorderEvalError(f"{name}: a sentence needs words, separated by spaces")
    line = join_tokens(words) + "\n"
    if len(words) > WORDS or len(line.encode()) > LINE:
        raise PreorderEvalError(
            f"{name}: a sentence of {len(words):,} words; the limits are {WORDS:,} words and "
            f"{LINE:,} bytes"
        )
    return line
