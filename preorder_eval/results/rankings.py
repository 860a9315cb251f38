"""Systems by several references: do texts of other kinds rank them alike?

Spearman's ρ between the values by two references says how far they agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.errors import PreorderEvalError
from preorder_eval.results.comparison import Comparison
from preorder_eval.results.result import Result
from preorder_eval.results.verdict.verdict import subject
from preorder_eval.stats.correlation import spearman
from preorder_eval.tables import Column, Shown, Table, figure
from preorder_eval.visible import quantity

_ALIKE = 0.5  # ρ below which references are said to rank systems differently
_LISTED = 3  # pairs of references that the verdict names


@dataclass(frozen=True, eq=False)
class Rankings(Shown):
    """The values of the same systems by several references.

    `metrics` has for each metric of orders, by its name for people, the values float64[R, N] and
    whether higher is better. Values are of N systems by R references. `signatures` say which
    parameters a metric has by which reference.
    """

    references: Sequence[str]
    systems: Sequence[str]
    metrics: Mapping[str, tuple[Floats, bool]]
    signatures: Sequence[str]

    @classmethod
    def of(cls, results: Mapping[str, Result]) -> Rankings:
        """Take what results, by the names of their references, have in common.

        Metrics are of one kind; their parameters may differ, as those of the defaults do. Raises
        PreorderEvalError where there are not two references, systems, or a metric of all.

        >>> from preorder_eval.results.order_scoring import evaluate
        >>> results = {
        ...     n: evaluate(n, parsers=["gold"], rules=["none", "reverse"], resamples=1)
        ...     for n in ("en-hi", "en-tr")
        ... }
        >>> rankings = Rankings.of(results)
        >>> len(rankings.systems), rankings.correlations()["FRS"].round(2).tolist()
        (2, [[1.0, 1.0], [1.0, 1.0]])
        """
        first, *others = results.values()
        systems = [name for name in first.systems if all(name in r.systems for r in others)]
        if not others or len(systems) < 2:
            raise PreorderEvalError(
                f"nothing to rank: {quantity(len(results), 'reference')} with "
                f"{quantity(len(systems), 'system')} in common; it takes two of both"
            )
        metrics, signatures = {}, list[str]()
        names = {name: [by.name for by in result.metrics] for name, result in results.items()}
        of_orders = dict.fromkeys(by.name for by in first.metrics if "orders" in by.needs)
        for kind in (kind for kind in of_orders if all(kind in known for known in names.values())):
            numbers = {name: known.index(kind) for name, known in names.items()}
            values = [[results[n].value(s, m) for s in systems] for n, m in numbers.items()]
            chosen = {name: results[name].metrics[m] for name, m in numbers.items()}
            by, *_ = chosen.values()
            metrics[by.short_name or by.name] = np.array(values), by.higher_is_better
            for other in dict.fromkeys(chosen.values()):
                alike = [name for name, metric in chosen.items() if metric == other]
                signatures.append(f"{other} by {', '.join(alike)}")
        if not metrics:
            raise PreorderEvalError("nothing to rank: the references share no metric of orders")
        return cls(list(results), systems, metrics, signatures)

    def correlations(self) -> dict[str, Floats]:
        """Return Spearman's ρ of every two references by each metric; float64[R, R]."""
        return {
            name: spearman(values[:, None], values[None, :])
            for name, (values, _) in self.metrics.items()
        }

    def pairs(self) -> list[tuple[float, str, str, str]]:
        """Return ρ of every two references, the metric and their names, the lowest first.

        Two are left out where one of them gives all systems the same value.
        """
        names = self.references
        every = [
            (round(float(rho[a, b]), 9), number, names[a], names[b])
            for number, rho in enumerate(self.correlations().values())
            for a, b in combinations(range(len(names)), 2)
            if not np.isnan(rho[a, b])
        ]
        metrics = list(self.metrics)
        return [(rho, metrics[number], one, other) for rho, number, one, other in sorted(every)]

    def differing(self) -> list[str]:
        """Return which references rank three systems or more differently, by a ρ below .5."""
        if len(self.systems) < 3:
            return []
        lowest = (pair for pair in self.pairs() if pair[0] < _ALIKE)
        return [
            f"ρ of {name} {figure(rho)} for {one} and {other}" for rho, name, one, other in lowest
        ]

    @property
    def verdict(self) -> str:
        lead, (values, higher) = next(iter(self.metrics.items()))
        systems = quantity(len(self.systems), "system")
        if not (differing := self.differing()):
            if not (pairs := [pair for pair in self.pairs() if pair[1] == lead]):
                return ""
            rho, _, *names = pairs[0]
            more = f" ({' and '.join(names)}) and more" if len(pairs) > 1 else ""
            return f"The references rank the {systems} alike: ρ of {lead} {figure(rho)}{more}."
        best: dict[str, list[str]] = {}
        for reference, row in zip(self.references, values if higher else -values, strict=True):
            best.setdefault(self.systems[int(row.argmax())], []).append(reference)
        first = "; ".join(f"{system} by {', '.join(names)}" for system, names in best.items())
        listed = ", ".join(differing[:_LISTED])
        return (
            f"The references rank the {systems} differently: {listed}; best by {lead}: {first}. "
            "Choose by text of the kind that you translate."
        )

    def _facts(self) -> dict[str, Any]:
        return {"references": list(self.references), "metrics": list(self.signatures)}

    def tables(self) -> list[Table]:
        columns = [Column("metric", label=True, once=True), Column("system", label=True)]
        columns += [Column(name, format=".3f") for name in self.references]
        rows = [
            [name, system, *values[:, number]]
            for name, (values, _) in self.metrics.items()
            for number, system in enumerate(self.systems)
        ]
        by_reference = Table("by_reference", columns, rows, notes=self.signatures)
        correlations = self.correlations()
        columns = [Column("reference", label=True, once=True), Column("other", "with", label=True)]
        columns += [Column(name, format=" .3f") for name in correlations]
        pairs = [
            [self.references[a], self.references[b], *(rho[a, b] for rho in correlations.values())]
            for a, b in combinations(range(len(self.references)), 2)
        ]
        title = f"Spearman's ρ over {len(self.systems)} systems"
        return [by_reference, Table("rank_correlations", columns, pairs, title=title)]


def disagreement(results: Mapping[str, Result]) -> str:
    """Return the verdict of references that rank systems differently, else nothing."""
    try:
        rankings = Rankings.of(results)
    except PreorderEvalError:
        return ""
    return rankings.verdict if rankings.differing() else ""


def opposed(comparisons: Mapping[str, Comparison]) -> str:
    """Return where the second of two systems is better by one reference and worse by another.

    At least one of the differences by the first metric must be significant; while others are not,
    the references only may disagree.
    """
    shown = {name: each.metrics[0].decision().direction for name, each in comparisons.items()}
    signs: dict[bool, list[str]] = {True: [], False: []}
    for name, each in comparisons.items():
        difference = each.metrics[0].difference
        if difference.value:
            sure = "" if shown[name] else " (not significantly)"
            signs[(difference.value > 0) == difference.higher_is_better].append(f"{name}{sure}")
    if not all(signs.values()) or not any(shown.values()):
        return ""
    second = next(iter(comparisons.values())).told_apart()[1]
    better, worse = (", ".join(signs[kind]) for kind in (True, False))
    verb = "disagree" if all(shown.values()) else "may disagree"
    return f"The references {verb}: {subject(second)} is better by {better}, worse by {worse}."
