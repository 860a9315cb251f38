"""Reference sets checked: what there is to fix, and how much there is to reorder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from preorder_eval.alignment import automatic_notes
from preorder_eval.analysis.reference.checks import CHECKS, Finding, checks_for, findings_of
from preorder_eval.analysis.reference.statistics import ReferenceStats, reference_stats
from preorder_eval.data.ragged import sentence_lengths
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.metrics.order import Kendall
from preorder_eval.results.defaults import Objective, objective
from preorder_eval.tables import Column, Shown, Table, ends
from preorder_eval.visible import quantity


@dataclass(frozen=True)
class CheckedSet:
    """A reference set with its checks, what they found, and figures of it or of its parts."""

    reference: ReferenceSet
    checks: list[str]
    findings: list[Finding]
    figures: list[ReferenceStats]
    metrics: Objective

    @property
    def warnings(self) -> list[Finding]:
        """The findings that should be fixed."""
        return [finding for finding in self.findings if finding.is_warning]


@dataclass(frozen=True, eq=False)
class ReferenceCheck(Shown):
    """Several reference sets checked; `by` is the comment that their figures are divided by."""

    sets: list[CheckedSet]
    by: str | None
    resamples: int
    seed: int

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to fix."""
        return not any(checked.warnings for checked in self.sets)

    @property
    def verdict(self) -> str:
        return "; ".join(
            f"{checked.reference.name}: "
            + (quantity(len(checked.warnings), "warning") if checked.warnings else "nothing to fix")
            for checked in self.sets
        )

    def tables(self) -> list[Table]:
        counts = [
            [
                checked.reference.name,
                check,
                CHECKS[check].level,
                sum(f.count for f in found),
                len(found),
            ]
            for checked in self.sets
            for check in checked.checks
            for found in [[f for f in checked.findings if f.check == check]]
        ]
        findings = [
            [*_place(checked.reference, f), f.check, f.level, f.positions, f.words, _words(f)]
            for checked in self.sets
            for f in checked.findings
        ]
        return [
            Table("checks", _CHECKS, counts),
            Table("findings", _FINDINGS, findings),
            self._figures(),
            Table.of("references", _SETS, [checked.reference for checked in self.sets]),
        ]

    def _figures(self) -> Table:
        columns = [Column("reference", label=True)]
        if self.by is not None:
            columns.append(Column(self.by, of="group", label=True))
        columns += map(Column, ("sentences", "informative", "tokens", "links", "ties"))
        columns += [Column(name, format=".1%") for name in ("aligned", "crossing", "monotone")]
        of_parts = len(columns)
        columns += [
            Column(("unchanged", kind.name), kind.short_name, ".3f", interval=True)
            for kind in (Fuzzy, Kendall)
        ]
        columns.append(Column("metrics", only="json"))
        rows = [
            [
                checked.reference.name,
                *(column.value(part) for column in columns[1:of_parts]),
                *map(ends, part.unchanged),
                list(map(str, checked.metrics)),
            ]
            for checked in self.sets
            for part in checked.figures
        ]
        left_out = sum(p.sentences - p.informative for c in self.sets for p in c.figures)
        notes = [
            f"FRS and τ of the source order; mean [95% CI, {self.resamples} bootstrap "
            f"resamples, seed {self.seed}]"
        ]
        for metrics in dict.fromkeys(checked.metrics for checked in self.sets):
            names = [checked.reference.name for checked in self.sets if checked.metrics == metrics]
            notes.append(f"{' and '.join(map(str, metrics))} of {', '.join(names)}")
        for checked in self.sets:
            name = checked.reference.name
            notes += [f"{name}: {note}" for note in automatic_notes(checked.reference.aligner)]
        if left_out:
            notes.append(f"left out of scores: {quantity(left_out, 'sentence without links')}")
        return Table("groups", columns, rows, "How much there is to reorder", notes)

    def facts(self) -> dict[str, Any]:
        return {"bootstrap": {"level": 0.95, "resamples": self.resamples, "seed": self.seed}}

    def view(self, whole: bool = False) -> list[Table]:
        checks, findings, figures, _ = self.tables()
        shown = [whole or level != "information" for level in findings.cells("level")]
        place = ("reference", "sentence", "sentence_id", "check", "which")
        wrong = findings.where(shown).select(*place)
        return [*([wrong] if wrong.rows else []), checks, figures]


def _place(reference: ReferenceSet, finding: Finding) -> tuple[str, int, str | None]:
    trees, s = reference.trees, finding.sentence
    return reference.name, s + 1, None if trees is None else trees[s].sentence_id


def _words(finding: Finding) -> str:
    pairs = zip(finding.words, finding.positions, strict=True)
    return ", ".join(f"{word} {position}" for word, position in pairs)


_CHECKS = [
    Column("reference", label=True),
    Column("check", label=True),
    *map(Column, ("level", "found", "sentences")),
]
_FINDINGS = [
    Column("reference", label=True),
    Column("sentence", label=True),
    Column("sentence_id", "id", label=True, none=""),
    *map(Column, ("check", "level", "positions", "words")),
    Column("which", "words", only="people"),
]
_SETS = [
    Column("name", label=True),
    Column("files", of="hashes", only="json"),
    Column("sentences", of=len),
    Column("source_tokens", of=lambda data: sum(sentence_lengths(data.source))),
    Column(
        "target_tokens",
        of=lambda data: None if data.target is None else sum(sentence_lengths(data.target)),
    ),
    Column("links", of=lambda data: len(data.alignments.source)),
    Column("gold_trees", of=lambda data: data.trees is not None),
]


def check_references(
    references: Sequence[str | Path | ReferenceSet],
    *,
    structure_only: bool = False,
    by: str | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> ReferenceCheck:
    """Check reference sets, by name or folder or in memory, and measure how much they reorder.

    With `structure_only` the guidelines are left out, which translations made as usual do not
    follow. With `by` figures are for each value of this comment of the gold trees, the hardest
    first (`reference_stats`). Raises FormatError for files that cannot be read, and
    PreorderEvalError where no sentence has the comment.

    >>> checked = check_references(["en-ja"], resamples=10)
    >>> checked.verdict, checked.sets[0].figures[0].links
    ('en-ja: nothing to fix', 7003)
    """
    sets = []
    for reference in references:
        data = reference if isinstance(reference, ReferenceSet) else load_reference(reference)
        checks = checks_for(data, structure_only=structure_only)
        # FRS stands before τ here, whichever leads.
        metrics = Objective(*sorted(objective(data), key=lambda by: isinstance(by, Kendall)))
        figures = reference_stats(data, metrics, by=by, resamples=resamples, seed=seed)
        sets.append(CheckedSet(data, checks, findings_of(data, checks), figures, metrics))
    return ReferenceCheck(sets, by, resamples, seed)
