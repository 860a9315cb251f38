"""Reference sets checked, and what was found as tables and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from preorder_eval.analysis.reference_quality import CHECKS, Finding, check_reference, checks_for
from preorder_eval.data.ragged import sentence_lengths
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.tables import Table
from preorder_eval.visible import visible


@dataclass(frozen=True)
class CheckedReference:
    """A reference set with the checks that were made on it and what they found."""

    reference: ReferenceSet
    checks: list[str]
    findings: list[Finding]

    @property
    def is_clean(self) -> bool:
        """Whether nothing is to be mended."""
        return not self.warnings

    @property
    def warnings(self) -> list[Finding]:
        """What there is to mend."""
        return [finding for finding in self.findings if finding.is_warning]

    def counts(self) -> list[list[object]]:
        """A row for each check: its name, its level, words and sentences that it found."""
        rows: list[list[object]] = []
        for check in self.checks:
            findings = [finding for finding in self.findings if finding.check == check]
            rows.append(
                [check, CHECKS[check], sum(finding.count for finding in findings), len(findings)]
            )
        return rows

    def summary(self, *, findings: bool = True) -> dict[str, Any]:
        """The set's size and the counts as plain values, with all `findings` or without."""
        data = self.reference
        values: dict[str, Any] = {
            "name": data.name,
            "files": data.hashes,
            "sentences": len(data),
            "source_tokens": sum(sentence_lengths(data.source)),
            "target_tokens": None if data.target is None else sum(sentence_lengths(data.target)),
            "links": len(data.alignments.source),
            "gold_trees": data.trees is not None,
            "checks": [dict(zip(_COUNTS, row, strict=True)) for row in self.counts()],
        }
        if findings:
            values["findings"] = [
                {
                    "sentence": finding.sentence + 1,
                    "sentence_id": self._id(finding),
                    "check": finding.check,
                    "level": finding.level,
                    "positions": list(finding.positions),
                    "words": list(finding.words),
                }
                for finding in self.findings
            ]
        return values

    def rows(self) -> list[list[object]]:
        """A row for each finding."""
        return [
            [
                *(self.reference.name, finding.sentence + 1, self._id(finding)),
                *(finding.check, finding.level),
                " ".join(map(str, finding.positions)),
                " ".join(finding.words),
            ]
            for finding in self.findings
        ]

    def lines(self) -> list[str]:
        """A line for each warning, for people."""
        lines = []
        for finding in self.warnings:
            name = self._id(finding)
            place = f"{self.reference.name} sentence {finding.sentence + 1}"
            place += f" ({name})" if name else ""
            pairs = zip(finding.words, finding.positions, strict=True)
            words = ", ".join(f"{word} {position}" for word, position in pairs)
            lines.append(visible(f"{place}: {finding.check}" + (f": {words}" if words else "")))
        return lines

    def __repr__(self) -> str:
        data, warnings = self.reference, len(self.warnings)
        tokens = f"{sum(sentence_lengths(data.source))} source tokens, "
        if data.target is not None:
            tokens += f"{sum(sentence_lengths(data.target))} target tokens, "
        return (
            f"{data.name}: {len(data)} sentences, {tokens}{len(data.alignments.source)} links, "
            f"{'gold' if data.trees is not None else 'no'} trees: "
            + (f"{warnings} warnings" if warnings else "nothing to mend")
        )

    def _id(self, finding: Finding) -> str | None:
        trees = self.reference.trees
        return trees[finding.sentence].sentence_id if trees is not None else None


_COUNTS = ["check", "level", "found", "sentences"]


def check_references(
    references: Sequence[str | Path | ReferenceSet],
    *,
    structure_only: bool = False,
) -> list[CheckedReference]:
    """Check reference sets, by name or folder or in memory.

    With `structure_only` the guidelines are left out, which translations made as usual do not
    follow. Raises FormatError for files that cannot be read.

    >>> [checked] = check_references(["en-ja"])
    >>> checked.warnings
    []
    """
    sets = [
        reference if isinstance(reference, ReferenceSet) else load_reference(reference)
        for reference in references
    ]
    return [
        CheckedReference(
            data,
            checks_for(data, structure_only=structure_only),
            check_reference(data, structure_only=structure_only),
        )
        for data in sets
    ]


def counts_table(checked: Sequence[CheckedReference]) -> Table:
    """Header and a row for each set and check as plain values."""
    rows = [[result.reference.name, *row] for result in checked for row in result.counts()]
    return ["reference", *_COUNTS], rows


def findings_table(checked: Sequence[CheckedReference]) -> Table:
    """Header and a row for each finding as plain values."""
    header = ["reference", "sentence", "sentence_id", "check", "level", "positions", "words"]
    return header, [row for result in checked for row in result.rows()]
