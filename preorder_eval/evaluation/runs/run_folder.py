"""The content of `run.json`, the first file of a run folder, which `run_writing` writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from preorder_eval.base.errors import FormatError, argument
from preorder_eval.base.files.files import read_json
from preorder_eval.base.files.schema import PlaceError, Within, read_as
from preorder_eval.base.files.writing import path_inside

CHANGED = "the folder was changed or truncated; run the command again"


def runs_inside(folder: Path) -> list[str]:
    """Return the names of the runs that a folder holds, if it is no run folder itself.

    Those of a self-training are `start` and then the rounds; others, as of several references, are
    sorted by name.
    """
    if (folder / "run.json").is_file():
        return []
    names = sorted(path.parent.name for path in folder.glob("*/run.json"))
    return sorted(names, key=lambda name: (name != "start", len(name)) if "start" in names else ())


def run_folders(folder: Path) -> list[Path]:
    """Return the run folders that a folder stands for: those of a self-training, or itself."""
    for runs in (folder / "runs", folder):
        names = runs_inside(runs)
        if names[:1] == ["start"]:
            return [runs / name for name in names]
    return [folder]


def read_summary(folder: Path) -> dict[str, Any]:
    """Read a run folder's `run.json`; FormatError where there is none."""
    if folder.is_file():
        scored = argument("score({A: FILE, B: FILE}, …)", "preorder-eval score --hyp A --hyp B")
        hint = f"outputs are compared by {scored}, rule files end in .toml"
        raise FormatError("is a file, not a run folder", file=folder, hint=hint)
    runs = runs_inside(folder) or [f"runs/{name}" for name in runs_inside(folder / "runs")]
    runs = runs or [path.name for path in sorted(folder.glob("seed-*"))]  # of a self-training
    if runs:
        raise FormatError("has several runs", file=folder, hint=f"name one of {', '.join(runs)}")
    if not (folder / "run.json").exists():
        written = argument("write_run", "preorder-eval evaluate or score --out")
        defect = "is not a run folder: it has no run.json" if folder.is_dir() else "no such folder"
        raise FormatError(defect, file=folder, hint=f"name one written by {written}")
    return read_json(path_inside(folder, "run.json"), CHANGED)


@dataclass(frozen=True)
class UsedReference:
    """The reference set that orders were compared with."""

    name: str | None = None
    version: str = ""
    sentences: int = 0
    files: dict[str, str] = field(default_factory=dict)
    aligner: str = ""


@dataclass(frozen=True)
class StoredDraws:
    """The resampling of scores."""

    level: float = 0.95
    # At most stats.MOST_RESAMPLES and MOST_SEED, which are in a layer above.
    resamples: Annotated[int, Within(1, 100_000)] = 1000
    seed: Annotated[int, Within(0, 2**63 - 1)] = 0


@dataclass(frozen=True)
class Compared:
    """The comparison of systems."""

    test: Literal["randomization", "koehn"] = "randomization"
    against: Literal["none", "baseline", "all"] = "none"
    baseline: str = ""
    pairs: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class StoredEntry:
    """A system: what it was made by and its scores."""

    system: str = ""
    parser: str = ""
    rules: str = ""
    made_by: dict[str, Any] = field(default_factory=dict)
    sentences: int = 0
    left_out: int = 0
    scores: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class StoredWarning:
    """A warning of the result."""

    kind: str = ""
    text: str = ""


@dataclass(frozen=True)
class RunJson:
    """The content of a `run.json`; keys that are not there have their defaults."""

    versions: dict[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    reference: UsedReference = UsedReference()
    references: tuple[dict[str, Any], ...] = ()
    inputs: dict[str, Any] = field(default_factory=dict)
    sentences: int = 0
    metrics: tuple[str, ...] = ()
    bootstrap: StoredDraws = StoredDraws()
    left_out: dict[str, tuple[int, ...]] = field(default_factory=dict)
    systems: tuple[StoredEntry, ...] = ()
    significance: Compared = Compared()
    warnings: tuple[StoredWarning, ...] = ()


def check_run_json(summary: Mapping[str, Any], file: Path) -> RunJson:
    """Return the content of a `run.json`; FormatError that names a key that does not fit."""
    try:
        return read_as(RunJson, dict(summary), others=True)
    except PlaceError as error:
        raise FormatError(str(error), file=file, hint=CHANGED) from error
