"""Study files: systems, references of several kinds and ratings, in TOML.

The manual's page `papers` has an example with all tables. Files are beside the study file, unless
their paths say otherwise.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from preorder_eval.alignment import DEFAULT_ALIGNER
from preorder_eval.formats.files import read_decoded
from preorder_eval.formats.judgments import ScoreColumns
from preorder_eval.formats.schema import Names, PlaceError, Within, parse_toml
from preorder_eval.visible import visible

_MADE_BY = ("rules", "orders", "alignment")
# Folders are called by them: a name, or a translation and an alignment.
_KIND = re.compile(r"[\w+-][\w .+-]*(/[\w+-][\w .+-]*)?")


@dataclass(frozen=True)
class SystemEntry:
    """A system: what its order is made of, and its output if there is one."""

    name: Annotated[str, Within(1)]
    rules: str = ""
    parser: str = ""
    trees: str = ""
    orders: str = ""
    alignment: str = ""
    output: str = ""


@dataclass(frozen=True)
class ReferenceEntry:
    """A kind of reference: links of the source with a translation, which outputs are held against.

    The links are in a file, `alignment`, or made by an aligner, `align` or the default. Without a
    translation of its own outputs are not scored by this kind, unless it is the first.
    """

    kind: str
    alignment: str = ""
    align: str = ""
    translation: str = ""

    @property
    def aligner(self) -> str:
        """The aligner that makes the links, empty where a file has them."""
        return "" if self.alignment else self.align or DEFAULT_ALIGNER


@dataclass(frozen=True)
class TrainingEntry:
    """Parallel text that aligners learn from beside the study's own."""

    source: Annotated[Names, Within(1)]
    target: Annotated[Names, Within(1)]


@dataclass(frozen=True)
class RatingsEntry(ScoreColumns):
    """The file of ratings, and the names of its columns."""

    file: str = field(kw_only=True)


@dataclass(frozen=True)
class StudyFile:
    """The content of a study file; `about` is printed below the tables."""

    name: str
    source: str
    reference: Annotated[tuple[ReferenceEntry, ...], Within(1)]
    system: Annotated[tuple[SystemEntry, ...], Within(2)]
    translations: Names = ()
    metrics: Names = ()
    scores: Names = ()
    about: str = ""
    ratings: RatingsEntry | None = None
    training: TrainingEntry | None = None


def read_study_file(path: Path) -> StudyFile:
    """Read a study file; FormatError, with line and key, for what makes no sense."""
    return parse_toml(StudyFile, read_decoded(path), path, _sensible)


def _sensible(study: StudyFile) -> StudyFile:
    """Return a study file; PlaceError for one that makes no sense."""
    for number, system in enumerate(study.system):
        _check_system(system, number)
    for number, reference in enumerate(study.reference):
        _check_reference(study, reference, number)
    if study.training is not None:
        if not any(reference.aligner for reference in study.reference):
            hint = "give a reference without alignment, or leave the text out"
            raise PlaceError(f"training text, but nothing to align; {hint}", "training")
        if len(study.training.source) != len(study.training.target):
            hint = "name as many files of source as of target"
            raise PlaceError(f"training: source and target; {hint}", "training")
    _check_outputs(study)
    _check_names(study)
    return study


def _check_system(system: SystemEntry, number: int) -> None:
    """Raise PlaceError for a system whose order is made of nothing or of two things."""
    place, called = ("system", number), f"system {number + 1}"
    made_by = [key for key in _MADE_BY if getattr(system, key)]
    if len(made_by) != 1:
        given, legal = " and ".join(made_by) or "none", ", ".join(_MADE_BY)
        raise PlaceError(f"{called}: its order is of {given}; give one of {legal}", *place)
    if bool(system.parser) + bool(system.trees) != bool(system.rules):
        hint = "give rules with a parser or with trees"
        raise PlaceError(f"{called}: rules, parser and trees; {hint}", *place)


def _check_reference(study: StudyFile, entry: ReferenceEntry, number: int) -> None:
    """Raise PlaceError for a kind of reference without links, or with nothing to align."""
    defect = ""
    if not _KIND.fullmatch(entry.kind):
        defect = f"kind {entry.kind!r} is no name, or two with a slash between, such as standard"
    elif entry.alignment and entry.align:
        defect = "alignment and align: both; leave out one of them"
    elif not (entry.alignment or entry.translation or study.translations):
        defect = "no links; name a file of them (alignment), or the translation to align"
    if defect:
        raise PlaceError(f"reference {number + 1}: {defect}", "reference", number)


def _check_outputs(study: StudyFile) -> None:
    """Raise PlaceError where outputs cannot be scored: of some systems alone, or with nothing."""
    without = [system.name for system in study.system if not system.output]
    if 0 < len(without) < len(study.system):
        raise PlaceError(f"no output of {', '.join(without)}; give all systems one, or none")
    if study.translations and study.reference[0].translation:
        defect = "translations beside that of the first reference; leave out one of them"
        raise PlaceError(defect, "translations")
    held_against = study.translations or any(kind.translation for kind in study.reference)
    if not without and not held_against:
        hint = "name translations, or leave out the outputs"
        raise PlaceError(f"there are outputs but no translations; {hint}")
    # Without outputs a translation is there to be aligned, or to no purpose.
    aligned = any(kind.aligner for kind in study.reference)
    if without and held_against and not aligned:
        hint = "name outputs, or leave out the translations"
        raise PlaceError(f"there are translations but no outputs; {hint}")


def _check_names(study: StudyFile) -> None:
    """Raise PlaceError for names that are shown alike."""
    for what, names in (
        ("study", [study.name]),
        ("system", [system.name for system in study.system]),
        ("reference", [reference.kind for reference in study.reference]),
    ):
        for number, name in enumerate(names):
            place = ("name",) if what == "study" else (what, number)
            if visible(name) != name:
                defect = f"{what} {name!r} has characters that cannot be seen; leave them out"
                raise PlaceError(defect, *place)
            if name in names[:number]:
                raise PlaceError(f"{what} {name} stands twice; rename one", *place)
