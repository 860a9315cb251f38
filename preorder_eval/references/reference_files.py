"""The files of a reference folder, found by their names.

Translations after the first have a number (`target.2.ja`) and give a sentence more reference
orders. A *layer* is an annotation beside the main one, named by a word (`target.second.ja`) or by
its target language (`target.ko`). The main language is the first by the alphabet.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from preorder_eval.base.errors import FormatError, UnknownNameError
from preorder_eval.base.files.files import read_lines
from preorder_eval.base.files.writing import path_inside

SENTENCES_FILE = "sentences.tsv"
_LAYER = re.compile(r"([^.]+)\.([A-Za-z][A-Za-z0-9_-]*)\.align")


def datasheet_entry(folder: Path, name: str) -> str:
    """Return the paragraph `**Name.** …` of a folder's datasheet; empty if there is none."""
    sheet = path_inside(folder, "DATASHEET.md")
    text = sheet.read_text("utf-8", errors="replace") if sheet.is_file() else ""
    match = re.search(rf"^\*\*{name}\.\*\* +([^(].*?)(?:\n\n|\Z)", text, re.MULTILINE | re.DOTALL)
    return " ".join(match[1].split()) if match else ""


@dataclass(frozen=True)
class TranslationFiles:
    """The files of a translation."""

    target: Path | None
    links: Path
    free: Path | None


@dataclass(frozen=True)
class FolderFiles:
    """The files of one layer of a reference folder, with its translations in their order."""

    source: Path
    translations: list[TranslationFiles]
    exceptions: Path | None

    @property
    def lines(self) -> list[Path]:
        """The files that have a line for each sentence."""
        of_each = ((each.target, each.links, each.free) for each in self.translations)
        return [file for file in itertools.chain.from_iterable(of_each) if file is not None]


def layers(folder: Path) -> list[str]:
    """Return the names of the layers of a reference folder beside its main annotation."""
    pairs = _pairs(folder)
    words = (_LAYER.fullmatch(file.name) for file in sorted(folder.glob("*.align")))
    of_main = [word[2] for word in words if word and word[1] in pairs[:1]]
    return [*of_main, *(pair.partition("-")[2] for pair in pairs[1:])]


def target_languages(folder: Path) -> list[str]:
    """Return the languages of a folder's translations; that of the main one stands first."""
    return [pair.partition("-")[2] for pair in _pairs(folder)]


def _pairs(folder: Path) -> list[str]:
    """Return the languages of the annotations, `en-ja` and the like, the main ones first."""
    return sorted(file.stem for file in _named(folder, "*.align"))


def reference_files(folder: Path, layer: str = "") -> FolderFiles:
    """Find the files of a reference folder, for its main annotation or for a layer.

    Raises UnknownNameError for an unknown layer. Raises FormatError if the folder lacks a file, has
    several files of one kind, or has an annotation file that would not be read.
    """
    pairs, known = _pairs(folder), layers(folder)
    if not all("-" in pair for pair in pairs[1:]) or not pairs:
        _only(folder, "*.align")
    read = {"": _annotation(folder, pairs, pairs[0], "")}
    for name in known:
        of_language = [pair for pair in pairs[1:] if pair.partition("-")[2] == name]
        pair, tail = (of_language[0], "") if of_language else (pairs[0], f".{name}")
        read[name] = _annotation(folder, pairs, pair, tail)
    belonging = {file for of in read.values() for file in (*of.lines, of.exceptions)}
    for file in sorted(folder.iterdir()):
        parts = file.name.split(".")
        of_one = parts[0] == "target" or parts[-1] in ("align", "aligner", "free", "exceptions")
        by = file.with_suffix(".align") if parts[-1] == "aligner" else file
        if of_one and len(parts) > 1 and by not in belonging:
            hint = (
                "number further translations from 2 without gaps, name layers with a word or a "
                "language, and give each its links"
            )
            raise FormatError("belongs to no translation", file=file, hint=hint)
    if layer and layer == pairs[0].partition("-")[2]:
        layer = ""
    if layer not in read:
        raise UnknownNameError(f"layer of {folder.name}", layer, known)
    return read[layer]


def _annotation(folder: Path, pairs: Sequence[str], pair: str, tail: str) -> FolderFiles:
    """Find the files of an annotation in these languages, with further translations of it."""
    translations: list[TranslationFiles] = []
    more = tail
    while not translations or (folder / f"{pair}{more}.align").exists():
        ending = "*" if len(pairs) == 1 else pair.partition("-")[2]
        one = _only if len(pairs) > 1 else _any
        target = one(folder, f"target{more}.{ending}")
        links = _only(folder, f"{pair}{more}.align")
        translations.append(TranslationFiles(target, links, _any(folder, f"{pair}{more}.free")))
        more = f"{tail}.{len(translations) + 1}"
    exceptions = _any(folder, f"{pair}{tail}.exceptions")
    return FolderFiles(_only(folder, "source.*"), translations, exceptions)


def _only(folder: Path, named: str) -> Path:
    files = _named(folder, named)
    if len(files) != 1:
        count = f"{len(files)} files" if files else "no file"
        hint = "a reference folder has exactly one"
        raise FormatError(f"{count} named {named}", file=folder, hint=hint)
    return files[0]


def _any(folder: Path, named: str) -> Path | None:
    return _only(folder, named) if _named(folder, named) else None


def _named(folder: Path, named: str) -> list[Path]:
    """Find the files of a folder whose names match a pattern; `*` matches no dot."""
    pattern = re.compile(re.escape(named).replace(r"\*", "[^.]+"))
    with os.scandir(folder) as files:
        return [folder / file.name for file in files if pattern.fullmatch(file.name)]


def read_listed(
    file: Path,
    others: str = r"([^\t]*)",
    lacking: str = "split",
    hint: str = "write id and split, separated by a tab",
) -> list[tuple[str, ...]]:
    """Read the columns of a list of sentences, the first of which has their ids.

    Parameters: `others` is the pattern of the other columns, with a group for each. Raises
    FormatError, with the line, for an id that occurs twice, and for a line without these columns;
    errors describe these by `lacking` and `hint`.
    """
    rows: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(read_lines(file), 1):
        match = re.fullmatch(rf"([^\t]+)\t{others}", line)
        if match is None or match[1] in rows:
            defect = f"sentence {match[1]!r} twice" if match else f"no sentence with its {lacking}"
            raise FormatError(defect, file=file, line=number, hint=hint)
        rows[match[1]] = match.groups()
    return list(rows.values())
