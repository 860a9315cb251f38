"""Study files: systems, references of several kinds and ratings, in TOML.

    name = "parsers"
    source = "source.en"              # tokenised, one sentence a line
    translations = ["reference.ja"]   # what metrics of outputs compare with
    metrics = ["fuzzy", "kendall", "bleu(tokenize=char)"]   # optional
    treebank = "dev.conllu"           # optional: what parsers are scored on by themselves

    [[reference]]                     # the first kind is what systems are compared by
    kind = "alignment-oriented/manual"
    alignment = "manual.align"        # of the source with a translation
    translation = "manual.ja"         # optional, instead of translations, to score outputs by too

    [[reference]]
    kind = "standard/automatic"
    align = "ibm1"                    # instead of a file: the translation is aligned here
    symmetrize = "intersection"       # optional; none as in the paper, by default
    translation = "standard.ja"       # tokenised; the first of translations by default

    [training]                        # optional: more parallel text for `align`, as it says
    source = ["big.en"]
    target = ["big.ja"]

    [[system]]                        # each with its order: rules with trees or a parser,
    name = "P1R5"                     # an order file, or the alignment of a decoder
    rules = "en-ja"
    parser = "en-web"
    output = "p1r5.ja"                # optional
    treebank = "p1.dev.conllu"        # its trees of the treebank, where no parser makes them

    [ratings]                         # optional; as `meta --scores` reads them
    file = "ratings.tsv"
    judge = "judge"

Files are beside the study file, unless their paths say otherwise. A study of several language pairs
lists them, `pairs = ["en-ja", "en-ko"]`, and {pair} in any text stands for each of them.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from preorder_eval.alignment.symmetrization import Symmetrization
from preorder_eval.errors import FormatError
from preorder_eval.formats.files import decode_lines, read_bytes
from preorder_eval.visible import visible

PAIR = "{pair}"
_MADE_BY = ("rules", "orders", "alignment")
# Folders are called by them: a name, or a translation and an alignment.
_NAME = r"^[\w+-][\w .+-]*$"
_KIND = r"^[\w+-][\w .+-]*(/[\w+-][\w .+-]*)?$"


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SystemEntry(_Model):
    """A system: what its order is made of, and its output if there is one."""

    name: str = Field(min_length=1)
    rules: str = ""
    parser: str = ""
    trees: str = ""
    orders: str = ""
    alignment: str = ""
    output: str = ""
    treebank: str = ""


class ReferenceEntry(_Model):
    """A kind of reference: links of the source with a translation, which outputs are held against.

    The links are in a file, `alignment`, or made by an aligner, `align`. Without a translation of
    its own outputs are not scored by this kind, unless it is the first.
    """

    kind: str = Field(pattern=_KIND)
    alignment: str = ""
    align: str = ""
    symmetrize: Symmetrization = "none"
    translation: str = ""


class TrainingEntry(_Model):
    """Parallel text that aligners learn from beside the study's own."""

    source: list[str] = Field(min_length=1)
    target: list[str] = Field(min_length=1)


class RatingsEntry(_Model):
    """Where ratings are, and the names of their columns; lines are counted from `base`."""

    file: str
    system: str = "system"
    line: str = "line"
    score: str = "score"
    judge: str = ""
    base: int = Field(default=0, ge=0, le=1)


class StudyFile(_Model):
    """What a study file says."""

    name: str
    source: str
    pairs: list[str] = []
    translations: list[str] = []
    metrics: list[str] = []
    treebank: str = ""
    reference: list[ReferenceEntry] = Field(min_length=1)
    system: list[SystemEntry] = Field(min_length=2)
    ratings: RatingsEntry | None = None
    training: TrainingEntry | None = None

    def of_pair(self, pair: str) -> StudyFile:
        """The same with {pair} standing for a language pair."""
        return StudyFile.model_validate(_replaced(self.model_dump(), pair))


def read_study_file(path: Path) -> StudyFile:
    """Read a study file; FormatError, with the key that is wrong, for what makes no sense."""
    text = "\n".join(decode_lines(read_bytes(path), str(path)))
    try:
        study = StudyFile.model_validate(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise FormatError(f"not TOML: {error}", file=path) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = " ".join(str(p + 1) if isinstance(p, int) else p for p in first["loc"])
        raise FormatError(f"{where}: {first['msg'].lower()}", file=path) from error
    for number, system in enumerate(study.system, 1):
        _check_system(study, system, number, path)
    for number, reference in enumerate(study.reference, 1):
        _check_reference(study, reference, number, path)
    if study.training and not any(reference.align for reference in study.reference):
        mend = 'give a reference align = "ibm1", or leave the text out'
        raise FormatError("training text, but nothing to align", file=path, mend=mend)
    if study.training and len(study.training.source) != len(study.training.target):
        mend = "name as many files of source as of target"
        raise FormatError("training: source and target", file=path, mend=mend)
    _check_outputs(study, path)
    for what, names in (
        ("study", [study.name]),
        ("system", [system.name for system in study.system]),
        ("reference", [reference.kind for reference in study.reference]),
        ("pair", study.pairs),
    ):
        for name in names:
            if visible(name) != name:
                defect = f"{what} {name!r} has characters that cannot be seen"
                raise FormatError(defect, file=path, mend="leave them out")
            if names.count(name) > 1:
                raise FormatError(f"{what} {name} stands twice", file=path, mend="rename one")
    for pair in study.pairs:
        if not pair.replace("-", "").replace("_", "").isalnum():
            raise FormatError(f"{pair!r} is no language pair", file=path, mend="as in en-ja")
    if not study.pairs and study.of_pair("") != study:
        mend = 'list them, as in pairs = ["en-ja", "en-ko"]'
        raise FormatError(f"there is {PAIR}, but no pairs", file=path, mend=mend)
    return study


def _check_system(study: StudyFile, system: SystemEntry, number: int, path: Path) -> None:
    """Raise FormatError for a system whose order is made of nothing or of two things."""
    made_by = [key for key in _MADE_BY if getattr(system, key)]
    if len(made_by) != 1:
        given = " and ".join(made_by) or "none"
        mend = f"give one of {', '.join(_MADE_BY)}"
        raise FormatError(f"system {number}: its order is of {given}", file=path, mend=mend)
    if bool(system.parser) + bool(system.trees) != bool(system.rules):
        mend = "give rules with a parser or with trees"
        raise FormatError(f"system {number}: rules, parser and trees", file=path, mend=mend)
    if system.treebank and not study.treebank:
        mend = "name the gold trees by treebank above the systems"
        raise FormatError(f"system {number}: treebank without gold trees", file=path, mend=mend)


def _check_reference(study: StudyFile, entry: ReferenceEntry, number: int, path: Path) -> None:
    """Raise FormatError for a kind of reference without links, or with nothing to align."""
    defect = mend = ""
    if bool(entry.alignment) == bool(entry.align):
        given = "both" if entry.align else "neither"
        defect, mend = f"alignment and align: {given}", "name a file, or an aligner such as ibm1"
    elif entry.align and not (entry.translation or study.translations):
        defect, mend = "nothing to align the source with", "name its translation"
    elif entry.symmetrize != "none" and not entry.align:
        defect, mend = "symmetrize without align", "leave it out; the file has the links"
    if defect:
        raise FormatError(f"reference {number}: {defect}", file=path, mend=mend)


def _check_outputs(study: StudyFile, path: Path) -> None:
    """Raise FormatError where outputs cannot be scored: of some systems alone, or with nothing."""
    without = [system.name for system in study.system if not system.output]
    if 0 < len(without) < len(study.system):
        mend = "give all systems one, or none"
        raise FormatError(f"no output of {', '.join(without)}", file=path, mend=mend)
    if study.translations and study.reference[0].translation:
        defect = "translations beside that of the first reference"
        raise FormatError(defect, file=path, mend="leave out one of them")
    held_against = study.translations or any(kind.translation for kind in study.reference)
    if not without and not held_against:
        mend = "name translations, or leave out the outputs"
        raise FormatError("there are outputs but no translations", file=path, mend=mend)
    # Without outputs a translation is there to be aligned, or to no purpose.
    aligned = any(kind.align for kind in study.reference)
    if without and held_against and not aligned:
        mend = "name outputs, or leave out the translations"
        raise FormatError("there are translations but no outputs", file=path, mend=mend)


def _replaced(value: Any, pair: str) -> Any:
    """A value with {pair} replaced in every text."""
    if isinstance(value, dict):
        return {key: _replaced(inner, pair) for key, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner, pair) for inner in value]
    return value.replace(PAIR, pair) if isinstance(value, str) else value
