"""Tables of the papers as they were printed (`published.toml`), to be made again for other data."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

Marks = dict[tuple[str, str], str]
Number = float | tuple[float, ...]  # with low and high


@dataclass(frozen=True)
class PaperRow:
    """A row with its published numbers, as intervals of 95 % where the paper has them.

    `metric` is a signature, empty for a metric that is not of this project.
    """

    label: str
    metric: str
    published: tuple[Number, ...]


@dataclass(frozen=True)
class PaperTable:
    """A paper's table of agreement with humans: published columns, and their statistics here."""

    paper: str
    columns: tuple[str, ...]
    statistics: tuple[str, ...]
    rows: tuple[PaperRow, ...] = field(repr=False)


@dataclass(frozen=True)
class Experiment:
    """One of the two of Talbot et al.: mean ratings with intervals, and marks of systems by what.

    `marks` are those of pairs of systems by ratings, FRS ("fuzzy") and BLEU.
    """

    ratings: dict[str, tuple[float, float, float]]
    marks: dict[str, Marks]


@dataclass(frozen=True)
class Layout:
    """A table of Talbot et al.: its number and title, and which part of a study's table it is."""

    number: int
    title: str
    table: str
    by: str = ""


def _rows(text: str) -> tuple[PaperRow, ...]:
    """Read lines of label, signature and numbers, `.86`, `.86[.83,.89]` or `na`, between `|`."""
    rows = []
    for line in text.strip().splitlines():
        label, metric, numbers = (part.strip() for part in line.split("|"))
        rows.append(PaperRow(label, metric, tuple(map(_number, numbers.split()))))
    return tuple(rows)


def _number(text: str) -> Number:
    if text == "na":
        return math.nan
    value, _, ends = text.rstrip("]").partition("[")
    return (float(value), *map(float, ends.split(","))) if ends else float(value)


def _experiment(ratings: str, marks: dict[str, str]) -> Experiment:
    means = {}
    for system, *numbers in (line.split() for line in ratings.strip().splitlines()):
        mean, low, high = map(float, numbers)
        means[system] = mean, low, high
    pairs = list(combinations(means, 2))
    triangles = {by: text.replace("/", " ").split() for by, text in marks.items()}
    return Experiment(
        means,
        {
            by: {pair: mark for pair, mark in zip(pairs, marks, strict=True) if mark != "?"}
            for by, marks in triangles.items()
        },
    )


_PUBLISHED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_TALBOT = _PUBLISHED["talbot"]
TABLES = {
    name: PaperTable(
        table["paper"], tuple(table["columns"]), tuple(table["statistics"]), _rows(table["rows"])
    )
    for name, table in _PUBLISHED["tables"].items()
}
EXPERIMENTS = [_experiment(**experiment) for experiment in _TALBOT["experiments"]]
LAYOUT = [Layout(**layout) for layout in _TALBOT["layout"]]
METRICS: dict[str, list[float]] = _TALBOT["metrics"]
REFERENCES: dict[str, list[float]] = _TALBOT["references"]
PARSERS: dict[str, list[float]] = _TALBOT["parsers"]


def experiment_of(systems: Sequence[str]) -> Experiment | None:
    """Return the experiment of Talbot et al. with two systems of these names, if there is one."""
    best = max(EXPERIMENTS, key=lambda experiment: len(set(systems) & set(experiment.ratings)))
    return best if len(set(systems) & set(best.ratings)) > 1 else None
