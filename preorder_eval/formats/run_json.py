"""What `run.json` says, held against its schema as a whole before anything of it is used.

Keys that are not there have their defaults, and others than these are passed over: a folder of the
first edition lacks some and has more.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from preorder_eval.errors import FormatError

_Number = Annotated[float, Field(allow_inf_nan=False)]
_Plain = str | bool | int | _Number | None
_Listed = _Plain | list[_Plain]
_Facts = dict[str, _Listed | dict[str, _Listed] | list[dict[str, _Plain]]]


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)


class UsedReference(_Model):
    """The reference set that orders were held against."""

    name: str | None = None
    sentences: int = 0
    files: dict[str, str] = {}


class Drawn(_Model):
    """How scores were resampled."""

    level: _Number = 0.95
    # At most stats.MOST_RESAMPLES, which is in a layer above.
    resamples: int = Field(default=1000, ge=1, le=100_000)
    seed: int = Field(default=0, ge=0, le=2**63)


class Compared(_Model):
    """How systems were compared; the first edition did not say what against."""

    test: Literal["randomization", "koehn"] = "randomization"
    against: Literal["none", "first", "all", ""] = ""
    pairs: list[dict[str, _Plain]] = []


class StoredEntry(_Model):
    """A system: what it was made by and its scores."""

    system: str = ""
    parser: str = ""
    rules: str = ""
    made_by: _Facts = {}
    sentences: int = 0
    left_out: int = 0
    scores: dict[str, _Facts] = {}


class RunJson(_Model):
    """All of it."""

    kind: str = ""
    versions: dict[str, str] = {}
    arguments: list[str] = []
    reference: UsedReference = UsedReference()
    references: list[dict[str, _Plain]] = []
    inputs: _Facts = {}
    sentences: int = 0
    metrics: list[str] = []
    bootstrap: Drawn = Drawn()
    left_out: dict[str, list[int]] = {}
    systems: list[StoredEntry] = []
    significance: Compared = Compared()


def check_run_json(summary: Mapping[str, Any], file: Path, mend: str) -> RunJson:
    """What a `run.json` says; FormatError that names the key where it is not what a run says.

    >>> check_run_json({"systems": "en-ja"}, Path("run.json"), "run it again")
    Traceback (most recent call last):
        ...
    preorder_eval.errors.FormatError: run.json: systems is not what a run says; run it again
    """
    try:
        return RunJson.model_validate(dict(summary))
    except ValidationError as error:
        key = error.errors(include_url=False)[0]["loc"][0]
        raise FormatError(f"{key} is not what a run says", file=file, mend=mend) from error
