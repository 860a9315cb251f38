"""Scores over runs: what the run folders of a folder say, oldest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from preorder_eval.errors import FormatError, UnknownNameError
from preorder_eval.formats.run_folder import RunJson, check_run_json, read_summary, runs_inside
from preorder_eval.formats.tables import Table
from preorder_eval.visible import quantity

_OUTPUTS = "outputs"  # what runs of outputs are held against has no name
_MEND = "the folder was changed or cut short"


@dataclass(frozen=True)
class Entry:
    """What a system scored by a metric in a run, and by how much it differs from before.

    `change` is the difference from the last run before that has this system, metric and reference,
    None where there is none or the reference's files were others.
    """

    run: str
    reference: str
    system: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    sentences: int
    change: float | None = None


@dataclass(frozen=True)
class History:
    """The scores of all runs, in their order; `changed` names references with other files.

    Of each of those, which run is the first with files other than in the run before.
    """

    entries: tuple[Entry, ...]
    changed: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        runs = len({entry.run for entry in self.entries})
        return f"<History: {quantity(runs, 'run')}, {quantity(len(self.entries), 'score')}>"

    def of(
        self,
        systems: Sequence[str] = (),
        metrics: Sequence[str] = (),
        references: Sequence[str] = (),
    ) -> History:
        """The scores of these alone, of all where none are named. Raises UnknownNameError."""
        wanted = {"system": systems, "metric": metrics, "reference": references}
        for what, names in wanted.items():
            known = dict.fromkeys(getattr(entry, what) for entry in self.entries)
            for name in names:
                if name not in known:
                    raise UnknownNameError(f"{what} of the runs", name, known)
        entries = (
            entry
            for entry in self.entries
            if all(not names or getattr(entry, what) in names for what, names in wanted.items())
        )
        return History(tuple(entries), self.changed)

    def table(self) -> Table:
        """Header and a row for each score."""
        return [field.name for field in fields(Entry)], [
            list(asdict(entry).values()) for entry in self.entries
        ]

    def summary(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "runs": list(dict.fromkeys(entry.run for entry in self.entries)),
            "scores": [asdict(entry) for entry in self.entries],
            "changed": [{"reference": name, "run": run} for name, run in self.changed],
        }


def read_history(folder: str | Path) -> History:
    """The scores of the run folders in a folder, also of runs on several references.

    Runs are in the order of their names, numbers in these by size. Raises FormatError where there
    is no run, and for one that is damaged.
    """
    folder = Path(folder)
    entries: list[Entry] = []
    last: dict[tuple[str, str, str], float | None] = {}
    files: dict[str, Mapping[str, object]] = {}
    changed = []
    for name, said in _runs(folder):
        reference = said.reference.name or _OUTPUTS
        of_run: Mapping[str, object] = said.reference.files or {
            str(text.get("name")): text.get("sha256") for text in said.references
        }
        if files.setdefault(reference, of_run) != of_run:
            changed.append((reference, name))
            files[reference] = of_run
            last = {key: value for key, value in last.items() if key[0] != reference}
        for system in said.systems:
            for metric, facts in system.scores.items():
                value, low, high = (_number(facts.get(key)) for key in ("value", "low", "high"))
                value = _number(facts.get("mean")) if value is None else value  # first edition
                key = reference, system.system, metric
                before = last.get(key)
                change = None if before is None or value is None else value - before
                last[key] = value
                scored = system.sentences or said.sentences
                where = name, reference, system.system, metric
                entries.append(Entry(*where, value, low, high, scored, change))
    return History(tuple(entries), tuple(changed))


def _runs(folder: Path) -> Iterator[tuple[str, RunJson]]:
    """The runs of a folder, each on one reference, with the names of their folders."""
    if not folder.is_dir():
        raise FormatError("no such folder", file=folder, mend="name one with runs of evaluate")
    if (folder / "run.json").is_file():
        raise FormatError("is a run itself", file=folder, mend="name the folder that it is in")
    found = False
    for path in sorted(folder.iterdir(), key=lambda path: _natural(path.name)):
        inside = [path / name for name in runs_inside(path)]
        for run in [path] if (path / "run.json").is_file() else inside:
            found = True
            yield path.name, check_run_json(read_summary(run), run / "run.json", _MEND)
    if not found:
        mend = f"preorder-eval evaluate --out {folder / 'NAME'} writes one"
        raise FormatError("has no run", file=folder, mend=mend)


def _natural(name: str) -> list[tuple[int, str]]:
    """What names are sorted by, so that 10 comes after 9.

    >>> sorted(["run-10", "run-9", "b"], key=_natural)
    ['b', 'run-9', 'run-10']
    """
    parts = re.split(r"([0-9]+)", name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
