"""Checks of reference sets: faults to fix, and the amount of reordering.

The crossing degree is the share of pairs of links of one sentence that cross, over the whole set.
It is the crossing score of Genzel (2010) over the largest possible one. A sentence is monotone if
its reference order can be its source order, ties resolved in favour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Bools, Longs, sums
from preorder_eval.base.ragged import sentence_lengths
from preorder_eval.base.stats.bootstrap import Interval, bootstrap
from preorder_eval.base.stats.unit import Unit
from preorder_eval.base.tables import Column, Shown, Table, ends
from preorder_eval.base.visible import quantity
from preorder_eval.metrics.orders.fuzzy import Fuzzy
from preorder_eval.metrics.orders.inversions import inversions
from preorder_eval.metrics.orders.order import Kendall, OrderMetric
from preorder_eval.orders.aligners import automatic_notes
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Orders
from preorder_eval.references.findings import (
    Finding,
    checks_for,
    findings_of,
    level_of,
    links_content_words,
)
from preorder_eval.references.objective import Objective, objective
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.references.reference_set import ReferenceSet


@dataclass(frozen=True)
class ReferenceStats:
    """The figures of a reference set.

    `informative` counts the sentences with links, `aligned` is the share of source tokens with a
    link, and `ties` the number of groups of more than one word. `crossing` is the crossing degree,
    and `monotone` the share of monotone sentences among those with links. `unchanged` are the
    scores of the unchanged source order by each metric. A share or score of nothing is None.
    """

    sentences: int
    informative: int
    tokens: int
    links: int
    ties: int
    aligned: float | None
    crossing: float | None
    monotone: float | None
    unchanged: list[Interval | None]


@dataclass(frozen=True)
class CheckedSet:
    """A reference set with its checks, their findings, and its figures."""

    reference: ReferenceSet
    checks: list[str]
    findings: list[Finding]
    figures: ReferenceStats
    metrics: Objective

    @property
    def warnings(self) -> list[Finding]:
        """The findings that should be fixed."""
        return [finding for finding in self.findings if finding.is_warning]


@dataclass(frozen=True, eq=False)
class ReferenceCheck(Shown):
    """Several reference sets checked."""

    sets: list[CheckedSet]
    resamples: int
    seed: int

    @property
    def is_clean(self) -> bool:
        """Return whether there is nothing to fix."""
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
                level_of(check, checked.reference),
                sum(f.count for f in found),
                len(found),
            ]
            for checked in self.sets
            for check in checked.checks
            for found in [[f for f in checked.findings if f.check == check]]
        ]
        findings = [
            [*_place(checked.reference, f), f.check, f.level, f.positions, f.words, which]
            for checked in self.sets
            for f in checked.findings
            for which in [", ".join(map("{} {}".format, f.words, f.positions))]
        ]
        return [
            Table("checks", _CHECKS, counts),
            Table("findings", _FINDINGS, findings),
            self._figures(),
            Table.of("references", _SETS, [checked.reference for checked in self.sets]),
        ]

    def _figures(self) -> Table:
        columns = [Column("reference", label=True)]
        columns += map(Column, ("sentences", "informative", "tokens", "links", "ties"))
        columns += [Column(name, format=".1%") for name in ("aligned", "crossing", "monotone")]
        counted = columns[1:]
        columns += [
            Column(("unchanged", kind.name), kind.short_name, ".3f", interval=True)
            for kind in (Fuzzy, Kendall)
        ]
        columns.append(Column("metrics", only="json"))
        rows = [
            [
                checked.reference.name,
                *(column.value(checked.figures) for column in counted),
                *map(ends, checked.figures.unchanged),
                list(map(str, checked.metrics)),
            ]
            for checked in self.sets
        ]
        left_out = sum(c.figures.sentences - c.figures.informative for c in self.sets)
        units = {c.reference.name: Unit.of_names(c.reference.documents) for c in self.sets}
        drawn = ", ".join(
            unit.drawn + f" in {name}" * (len(units) > 1)
            for name, unit in units.items()
            if unit.drawn
        )
        notes = [
            f"FRS and τ of the source order; mean [95% CI, {self.resamples} bootstrap "
            f"resamples{f' of {drawn}' * bool(drawn)}, seed {self.seed}]"
        ]
        notes += [f"{name}: {note}" for name, unit in units.items() for note in unit.notes()]
        for metrics in dict.fromkeys(checked.metrics for checked in self.sets):
            names = [checked.reference.name for checked in self.sets if checked.metrics == metrics]
            notes.append(f"{' and '.join(map(str, metrics))} of {', '.join(names)}")
        for checked in self.sets:
            name = checked.reference.name
            notes += [f"{name}: {note}" for note in automatic_notes(checked.reference.aligner)]
        some = [c.reference.name for c in self.sets if links_content_words(c.reference)]
        if some:
            notes.append(
                f"{', '.join(some)}: links of content words, so others need no link (information)"
            )
        if left_out:
            notes.append(f"left out of scores: {quantity(left_out, 'sentence without links')}")
        return Table("groups", columns, rows, "How much there is to reorder", notes)

    def _facts(self) -> dict[str, Any]:
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


def reference_check(
    references: str | Path | ReferenceSet | Sequence[str | Path | ReferenceSet],
    *,
    structure_only: bool = False,
    resamples: int = 1000,
    seed: int = 0,
) -> ReferenceCheck:
    """Check reference sets, by name or folder or in memory, and measure how much they reorder.

    With `structure_only` the guidelines are not checked: ordinary translations do not follow them.
    Raises FormatError for files that cannot be read.

    >>> import preorder_eval as pe
    >>> checked = pe.reference_check("en-ja", resamples=10)
    >>> checked.verdict, checked.sets[0].figures.links
    ('en-ja: nothing to fix', 7003)
    """
    sets = []
    if isinstance(references, str | Path | ReferenceSet):
        references = [references]
    for reference in references:
        data = reference if isinstance(reference, ReferenceSet) else load_reference(reference)
        checks = checks_for(data, structure_only=structure_only)
        # FRS stands before τ here, whichever leads.
        metrics = Objective(*sorted(objective(data), key=lambda by: isinstance(by, Kendall)))
        figures = reference_stats(data, metrics, resamples=resamples, seed=seed)
        sets.append(CheckedSet(data, checks, findings_of(data, checks), figures, metrics))
    return ReferenceCheck(sets, resamples, seed)


def reference_stats(
    reference: ReferenceSet, metrics: Sequence[OrderMetric], *, resamples: int = 1000, seed: int = 0
) -> ReferenceStats:
    """Return the figures of a reference set, with the source order's scores by these metrics."""
    unchanged = Orders.unchanged(reference.references.offsets)
    scored, unit = reference.informative, Unit.of_names(reference.documents)
    measured = [
        unit.measurement(
            metric.score(unchanged, reference.allowed, reference.words).statistics[None, scored],
            metric.finish,
            scored,
        )
        for metric in metrics
        if scored.any()
    ]
    drawn = bootstrap(measured, resamples=resamples, seed=seed) if measured else []
    references, links = reference.references, reference.alignments
    of_links = np.diff(links.offsets)
    falls = np.diff(references.ranks, prepend=0) < 0
    falls[references.offsets[:-1][references.lengths > 0]] = False
    monotone = sums(falls, references.offsets) == 0
    return ReferenceStats(
        sentences=len(reference),
        informative=int(scored.sum()),
        tokens=len(references.ranks),
        links=len(links.source),
        ties=sum(len(group) > 1 for order in references for group in order),
        aligned=_share(references.aligned, len(references.ranks)),
        crossing=_share(crossing_links(links), (of_links * (of_links - 1) // 2).sum()),
        monotone=_share(monotone & scored, scored.sum()),
        unchanged=[each.interval(0) for each in drawn] or [None] * len(metrics),
    )


def _share(parts: Longs | Bools, whole: int) -> float | None:
    return int(parts.sum()) / int(whole) if whole else None


def crossing_links(alignments: Alignments) -> Longs:
    """Count for every sentence the pairs of links that cross; int64[S]."""
    of_link = np.repeat(np.arange(len(alignments)), np.diff(alignments.offsets))
    order = np.lexsort((alignments.target, alignments.source, of_link))
    # Target positions as ranks: `inversions` wants numbers below the length.
    width = int(alignments.target.max(initial=0)) + 1
    places, ranks = np.unique(of_link * width + alignments.target, return_inverse=True)
    first = np.searchsorted(places, np.arange(len(alignments)) * width)
    return inversions((ranks - first[of_link])[order].astype(np.int32), alignments.offsets)
