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

from preorder_eval.errors import FormatError
from preorder_eval.formats.text import decode_lines, read_bytes
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

    Without a translation of its own outputs are not scored by this kind, unless it is the first.
    """

    kind: str = Field(pattern=_KIND)
    alignment: str
    translation: str = ""


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


def _check_outputs(study: StudyFile, path: Path) -> None:
    """Raise FormatError where outputs cannot be scored: of some systems alone, or with nothing."""
    without = [system.name for system in study.system if not system.output]
    if 0 < len(without) < len(study.system):
        mend = "give all systems one, or none"
        raise FormatError(f"no output of {', '.join(without)}", file=path, mend=mend)
    if study.translations and study.reference[0].translation:
        defect = "translations beside that of the first reference"
        raise FormatError(defect, file=path, mend="leave out one of them")
    translations = study.translations or any(kind.translation for kind in study.reference)
    if bool(translations) == bool(without):
        lacking, given = "translations", "outputs"
        if translations:
            lacking, given = given, lacking
        mend = f"name {lacking}, or leave out the {given}"
        raise FormatError(f"there are {given} but no {lacking}", file=path, mend=mend)


def _replaced(value: Any, pair: str) -> Any:
    """A value with {pair} replaced in every text."""
    if isinstance(value, dict):
        return {key: _replaced(inner, pair) for key, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner, pair) for inner in value]
    return value.replace(PAIR, pair) if isinstance(value, str) else value
