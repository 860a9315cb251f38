"""Scores over runs: what the run folders of a folder say, oldest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from preorder_eval import __version__
from preorder_eval.errors import FormatError, UnknownNameError
from preorder_eval.formats.run_folder import RunJson, check_run_json, read_summary, runs_inside
from preorder_eval.metrics import metric as parse_metric
from preorder_eval.metrics import short_names
from preorder_eval.stats.measurement import TIE
from preorder_eval.tables import Column, Shown, Table

_OUTPUTS = "outputs"  # in place of a reference set's name
_MEND = "the folder was changed or truncated"


@dataclass(frozen=True)
class HistoryEntry:
    """The score of a system by a metric in a run, and its change.

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
class History(Shown):
    """The scores of all runs in order; `changed` names references with other files and the run."""

    entries: tuple[HistoryEntry, ...]
    changed: tuple[tuple[str, str], ...] = ()

    def of(
        self,
        systems: Sequence[str] = (),
        metrics: Sequence[str] = (),
        references: Sequence[str] = (),
    ) -> History:
        """Return the scores of these systems, or of all. Raises UnknownNameError."""
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

    def facts(self) -> dict[str, Any]:
        return {
            "runs": list(dict.fromkeys(entry.run for entry in self.entries)),
            "changed": [{"reference": name, "run": run} for name, run in self.changed],
        }

    def tables(self) -> list[Table]:
        return [
            Table.of("scores", [Column(field.name) for field in fields(HistoryEntry)], self.entries)
        ]

    def view(self, whole: bool = False) -> list[Table]:
        """Return a table for each reference, the runs of a system one below the other."""
        references = list(dict.fromkeys(entry.reference for entry in self.entries))
        notes = [
            f"the files of reference {reference} are others from {run} on: no change is shown there"
            for reference, run in self.changed
        ]
        _, signatures = short_names(list(dict.fromkeys(e.metric for e in self.entries)))
        notes.append(signatures)
        notes.append(
            "score [95% CI] and its change from the previous run; significance: "
            f"preorder-eval compare; preorder-eval {__version__}"
        )
        views = [self._of_reference(name) for name in references]
        return [*views[:-1], replace(views[-1], notes=notes)] if views else []

    def _of_reference(self, reference: str) -> Table:
        entries = [entry for entry in self.entries if entry.reference == reference]
        names = list(dict.fromkeys(entry.metric for entry in entries))
        columns = [Column("system", label=True), Column("run", label=True)]
        for name, heading in zip(names, short_names(names)[0], strict=True):
            form = f".{parse_metric(name).decimals}f"
            columns += [
                Column((name, "score"), heading, form, interval=True),
                Column((name, "change"), "change", f"+{form}", mark=(name, "mark"), none=""),
                Column((name, "mark"), only="data"),
            ]
        rows = []
        for system in dict.fromkeys(entry.system for entry in entries):
            of_system = [entry for entry in entries if entry.system == system]
            for run in dict.fromkeys(entry.run for entry in of_system):
                by_metric = {entry.metric: entry for entry in of_system if entry.run == run}
                cells = [cell for name in names for cell in _cells(by_metric.get(name))]
                rows.append([system, run, *cells, next(iter(by_metric.values())).sentences])
        columns.append(Column("sentences"))
        return Table("scores", columns, rows, title=reference)


def _cells(entry: HistoryEntry | None) -> tuple[object, object, str]:
    """Return a score with its interval, its change, and a mark for better or worse."""
    if entry is None or entry.value is None:
        return None, None, ""
    score = (entry.value, entry.low, entry.high)
    if entry.change is None:
        return score, None, ""
    gained = entry.change if parse_metric(entry.metric).higher_is_better else -entry.change
    return score, entry.change, "+" if gained > TIE else "-" if gained < -TIE else ""


def read_history(folder: str | Path) -> History:
    """Return the scores of the run folders in a folder, also of runs on several references.

    Runs are in the order of their names, numbers in these by size. Raises FormatError where there
    is no run, and for one that is damaged.
    """
    folder = Path(folder)
    entries: list[HistoryEntry] = []
    last: dict[tuple[str, str, str], float | None] = {}
    files: dict[str, Mapping[str, object]] = {}
    changed = []
    for name, recorded in _runs(folder):
        reference = recorded.reference.name or _OUTPUTS
        of_run: Mapping[str, object] = recorded.reference.files or {
            str(text.get("name")): text.get("sha256") for text in recorded.references
        }
        if files.setdefault(reference, of_run) != of_run:
            changed.append((reference, name))
            files[reference] = of_run
            last = {key: value for key, value in last.items() if key[0] != reference}
        for system in recorded.systems:
            for metric, facts in system.scores.items():
                value, low, high = (_number(facts.get(key)) for key in ("value", "low", "high"))
                key = reference, system.system, metric
                before = last.get(key)
                change = None if before is None or value is None else value - before
                last[key] = value
                scored = system.sentences or recorded.sentences
                where = name, reference, system.system, metric
                entries.append(HistoryEntry(*where, value, low, high, scored, change))
    return History(tuple(entries), tuple(changed))


def _runs(folder: Path) -> Iterator[tuple[str, RunJson]]:
    """Yield the runs of a folder, each on one reference, with the names of their folders."""
    if not folder.is_dir():
        raise FormatError("no such folder", file=folder, hint="name one with runs of evaluate")
    if (folder / "run.json").is_file():
        raise FormatError("is a run itself", file=folder, hint="name the folder that it is in")
    any_run = False
    for path in sorted(folder.iterdir(), key=lambda path: _natural(path.name)):
        inside = [path / name for name in runs_inside(path)]
        for run in [path] if (path / "run.json").is_file() else inside:
            any_run = True
            yield path.name, check_run_json(read_summary(run), run / "run.json", _MEND)
    if not any_run:
        hint = f"preorder-eval evaluate --out {folder / 'NAME'} writes one"
        raise FormatError("has no run", file=folder, hint=hint)


def _natural(name: str) -> list[tuple[int, str]]:
    """Return what names are sorted by, so that 10 comes after 9."""
    parts = re.split(r"([0-9]+)", name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
