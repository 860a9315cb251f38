"""A reference folder being annotated: every change is saved at once, and can be undone."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from preorder_eval.base.errors import FormatError, InputWarning
from preorder_eval.base.files.files import file_hash, text_hash
from preorder_eval.base.files.writing import path_inside
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.reference_orders import Block, alternatives
from preorder_eval.references.annotated_sentence import AnnotatedSentence, Translation
from preorder_eval.references.findings import CHECKS, Finding, checks_for, findings_of
from preorder_eval.references.folder_changes import change_files, held_folder
from preorder_eval.references.reference_folder import read_folder
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.references.reference_text import ReferenceText


@contextmanager
def annotation(folder: Path) -> Iterator[Annotation]:
    """Hold a reference folder to annotate it. Raises FormatError if that is not possible."""
    _require(folder)
    with held_folder(folder):
        yield Annotation(folder)


class ChangedOnDiskError(FormatError):
    """A file that another program has changed since it was read."""


class Annotation:
    """The sentences of a folder, the findings of the checks in them, and the undo history.

    Every change of `text` is written to the folder before the method returns; if an error is
    raised, nothing has changed. `findings` has the findings in every sentence, for each of its
    translations. The folder must be held (`annotation`).
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.read()

    def read(self) -> None:
        """Read the folder again; changes made before cannot be undone any more."""
        _require(self.folder)
        for file in self.folder.iterdir():
            path_inside(self.folder, file.name)  # no link of others leads out of their folder
        # The whole set is read for what is wrong in it, and for the hashes of its files.
        data = read_folder(self.folder, self.folder.name)
        before, self._exceptions = data.hashes, data.exceptions
        self.text = ReferenceText.read(self.folder)
        self._hashes = {name: file_hash(self.folder / name) for name in self.text.pieces}
        if any(self._hashes.get(name, known) != known for name, known in before.items()):
            raise ChangedOnDiskError(
                "changed while it was read", file=self.folder, hint="try again"
            )
        self.findings = findings_in(self.text, self._exceptions)
        self._done: list[tuple[ReferenceText, int]] = []
        self._undone: list[tuple[ReferenceText, int]] = []

    @property
    def can_undo(self) -> bool:
        """Return whether there is something to undo."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Return whether something was undone."""
        return bool(self._undone)

    def change(self, number: int, sentence: AnnotatedSentence) -> None:
        """Replace the sentence of that number, from 0."""
        self.do(self.text.with_sentence(number, sentence), number)

    def do(self, text: ReferenceText, number: int) -> None:
        """Save another text, which differs in the sentence of that number.

        Raises ChangedOnDiskError if the files have changed since they were read.
        """
        before = self.text
        if self._save(text):
            self._done.append((before, number))
            self._undone.clear()

    def undo(self) -> int:
        """Undo a change; returns the number of the sentence that it was in."""
        return self._step(self._done, self._undone)

    def redo(self) -> int:
        """Repeat a change that was undone; returns the number of the sentence that it was in."""
        return self._step(self._undone, self._done)

    def _step(
        self, off: list[tuple[ReferenceText, int]], onto: list[tuple[ReferenceText, int]]
    ) -> int:
        text, number = off[-1]
        before = self.text
        self._save(text)
        off.pop()
        onto.append((before, number))
        return min(number, len(text) - 1)

    def _save(self, text: ReferenceText) -> bool:
        """Write the files that differ; return whether any file does."""
        changes = text.changes_since(self.text)
        if not changes:
            return False
        self._refuse_if_changed(list(changes))
        self._read_back(text)
        change_files(self.folder, changes)
        for name, content in changes.items():
            if content is None:
                del self._hashes[name]
            else:
                self._hashes[name] = text_hash(content)
        self.text = text
        self.findings = findings_in(text, self._exceptions)
        return True

    def _read_back(self, text: ReferenceText) -> None:
        """Raise FormatError for a text that would differ when read back from its files."""
        with TemporaryDirectory() as name:
            copy = Path(name)
            for file in self.folder.iterdir():
                if file.is_file() and file.name not in self.text.pieces:
                    shutil.copyfile(file, copy / file.name)
            for file_name, content in text.files.items():
                (copy / file_name).write_bytes(content.encode())
            try:
                with warnings.catch_warnings(action="ignore", category=InputWarning):
                    read_folder(copy, self.folder.name)
                    read = ReferenceText.read(copy)
            except FormatError as error:
                place = self.folder / Path(error.file or "").name
                raise FormatError(
                    error.message, file=place, line=error.line, hint=error.hint
                ) from error
            for file_name in text.changes_since(read):
                raise FormatError("cannot hold these words", file=self.folder / file_name)

    def _refuse_if_changed(self, names: list[str]) -> None:
        new = [name for name in names if name not in self._hashes and (self.folder / name).exists()]
        for name, known in self._hashes.items():
            if not (self.folder / name).is_file() or file_hash(self.folder / name) != known:
                new.append(name)
        if new:
            hint = "reload the folder; the last change was not saved"
            raise ChangedOnDiskError("changed on disk since it was read", file=new[0], hint=hint)


def _require(folder: Path) -> None:
    if "\0" in str(folder) or not folder.is_dir():
        hint = "make one with `preorder-eval reference build`"
        raise FormatError("no such reference folder", file=folder, hint=hint)


def findings_in(
    text: ReferenceText, exceptions: Sequence[Sequence[Block]] | None = None
) -> list[list[list[Finding]]]:
    """Return the findings in every sentence of a text, for each translation by itself.

    The first translation gets all checks, further ones those of links. Sentences that a further
    translation leaves out are not reported for it.
    """
    sentences = [text[s] for s in range(len(text))]
    source = [list(sentence.source) for sentence in sentences]
    columns = list(zip(*(sentence.translations for sentence in sentences), strict=True))
    links = list(map(_alignments, columns))
    free = [[translation.free for translation in column] for column in columns]
    several, _ = alternatives(list(map(len, source)), list(zip(links, free, strict=True)))
    findings: list[list[list[Finding]]] = [[[] for _ in columns] for _ in sentences]
    for number, column in enumerate(columns):
        targets = [list(translation.words) for translation in column]
        trees = text.trees.get(text.source)
        data = ReferenceSet("", source, links[number], targets, trees)
        if number == 0:
            marked = free[0] if text.translations[0].free in text.pieces else None
            data = replace(
                data,
                alternatives=several,
                languages=text.translations[0].links.removesuffix(".align"),
                free=marked,
                exceptions=exceptions and [*exceptions, *[()] * (len(data) - len(exceptions))],
            )
        checks = [check for check in checks_for(data) if number == 0 or not CHECKS[check].of_words]
        for finding in findings_of(data, checks):
            if number == 0 or targets[finding.sentence]:
                findings[finding.sentence][number].append(finding)
    return findings


def _alignments(translations: Sequence[Translation]) -> Alignments:
    sure, possible = (
        [[link for link, mark in of.links.items() if mark == wanted] for of in translations]
        for wanted in (False, True)
    )
    return Alignments.of(sure, possible)
