"""Study files: systems, references of several kinds and ratings, in TOML.

    name = "parsers"
    source = "source.en"              # tokenised, one sentence a line
    translations = ["reference.ja"]   # what metrics of outputs compare with
    metrics = ["fuzzy", "kendall", "bleu(tokenize=char)"]   # optional

    [[reference]]                     # the first kind is what systems are compared by
    kind = "manual"
    alignment = "manual.align"        # of the source with a translation

    [[system]]                        # each with its order: rules with trees or a parser,
    name = "P1R5"                     # an order file, or the alignment of a decoder
    rules = "en-ja"
    parser = "en-web"
    output = "p1r5.ja"                # optional

    [ratings]                         # optional; as `meta --scores` reads them
    file = "ratings.tsv"
    judge = "judge"

Files are beside the study file, unless their paths say otherwise.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from preorder_eval.errors import FormatError
from preorder_eval.formats.text import decode_lines, read_bytes

_MADE_BY = ("rules", "orders", "alignment")


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


class ReferenceEntry(_Model):
    """A kind of reference: links of the source with a translation."""

    kind: str = Field(min_length=1)
    alignment: str


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
    translations: list[str] = []
    metrics: list[str] = []
    reference: list[ReferenceEntry] = Field(min_length=1)
    system: list[SystemEntry] = Field(min_length=2)
    ratings: RatingsEntry | None = None


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
        made_by = [key for key in _MADE_BY if getattr(system, key)]
        if len(made_by) != 1:
            given = " and ".join(made_by) or "none"
            mend = f"give one of {', '.join(_MADE_BY)}"
            raise FormatError(f"system {number}: its order is of {given}", file=path, mend=mend)
        if bool(system.parser) + bool(system.trees) != bool(system.rules):
            mend = "give rules with a parser or with trees"
            raise FormatError(f"system {number}: rules, parser and trees", file=path, mend=mend)
    for what, names in (
        ("system", [system.name for system in study.system]),
        ("reference", [reference.kind for reference in study.reference]),
    ):
        for name in names:
            if names.count(name) > 1:
                raise FormatError(f"{what} {name} stands twice", file=path, mend="rename one")
    return study
