"""What the Parsers and Rules experiments came to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from preorder_eval.data.treebank import Treebank
from preorder_eval.formats.tables import Table
from preorder_eval.formats.text_table import format_table
from preorder_eval.results.result import Result
from preorder_eval.results.text import format_interval
from preorder_eval.training.selection import SelectionCounts

_CASES = ("as it is", "lower case")


@dataclass(frozen=True, eq=False)
class Outcome:
    """The parsers with one rule set, P5 with several, and the parsers' scores on gold trees.

    `folder` holds the run folders of both, `runs/parsers` and `runs/rules`; `trees` are every
    parser's of the sentences evaluated on, `dev` its accuracies on the development data by case,
    means over the splits; `selections` what selection came to for P3 to P5, summed over the splits.
    """

    folder: Path
    parsers: Result
    rules: Result
    trees: dict[str, Treebank]
    dev: dict[str, dict[str, dict[str, float]]]
    selections: dict[str, SelectionCounts]

    def summary(self) -> dict[str, Any]:
        """Everything but the trees as plain values."""
        return {
            "folder": str(self.folder),
            "paper": "Talbot et al. 2011, section 4.1, Tables 1 to 5 and 8",
            "parsers": self.parsers.to_dict(),
            "rules": self.rules.to_dict(),
            "dev": self.dev,
            "selections": {name: counts.summary() for name, counts in self.selections.items()},
        }

    def table(self) -> Table:
        """Header and a row for each system of both experiments as plain values."""
        header, rows = self.parsers.tables()[0].flat()
        columns = [(case, name) for case, scores in self.dev["P1"].items() for name in scores]
        cells: list[list[object]] = [
            ["parsers", *row, *(self.dev[str(row[0])][case][name] for case, name in columns)]
            for row in rows
        ]
        cells += [
            ["rules", *row, *[None] * len(columns)] for row in self.rules.tables()[0].flat()[1]
        ]
        return ["experiment", *header, *(f"{name} {case}" for case, name in columns)], cells

    def pairs(self) -> Table:
        """Header and a row for each pair of systems of both experiments as plain values."""
        header, rows = self.parsers.pairs_table().flat()
        both = [("parsers", rows), ("rules", self.rules.pairs_table().flat()[1])]
        return ["experiment", *header], [[name, *row] for name, pairs in both for row in pairs]

    def __repr__(self) -> str:
        parts = (self.parsers_text(), self.selections_text(), self.rules_text())
        return "\n\n".join(parts)

    def parsers_text(self) -> str:
        """The parsers for people, with LAS and UPOS in percent."""
        shown = [(case, name) for name in ("las", "upos") for case in _CASES]
        titles = [f"{name.upper()}{_CASES.index(case) * ', lower case'}" for case, name in shown]
        accuracies = [
            [f"{100 * self.dev[system.parser][case][name]:.1f}" for case, name in shown]
            for system in self.parsers.inputs.systems
        ]
        return _text(self.parsers, titles, accuracies)

    def selections_text(self) -> str:
        """What P3 to P5 have learned from, for people."""
        rows = []
        for name, counts in self.selections.items():
            sums = counts.first, counts.selected, counts.average
            rows.append([name, str(counts.kept), *(f"{x / counts.scored:.4f}" for x in sums)])
        return format_table(["", "learned from", "1-best", "selected", "list"], rows)

    def rules_text(self) -> str:
        """The rule sets for people."""
        return _text(self.rules, [], [[] for _ in self.rules.systems])


def _text(part: Result, names: list[str], cells: list[list[str]]) -> str:
    """A row for each system, with some more columns."""
    header = ["", *map(str, part.metrics), "sentences", *names]
    scored = str(len(part) - len(part.left_out))
    rows = [
        [name, *map(format_interval, intervals), scored, *more]
        for name, intervals, more in zip(part.systems, part.intervals, cells, strict=True)
    ]
    return format_table(header, rows)
