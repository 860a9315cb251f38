"""The decision on a difference of two systems: better, worse, weak evidence, or no evidence.

All parts of the program that state which of two systems is better take it from a
`DecidedDifference`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeVar

from preorder_eval.base.errors import argument
from preorder_eval.base.stats import FEWEST_UNITS
from preorder_eval.base.stats.significance import Difference, holm
from preorder_eval.base.tables import p_value
from preorder_eval.base.visible import quantity

LEVEL, WEAK_LEVEL = 0.05, 0.10
F = TypeVar("F", bound="DecidedDifference")


class Decision(StrEnum):
    """What a test shows about the second of two systems, compared with the first."""

    BETTER = "better"
    WORSE = "worse"
    WEAKLY_BETTER = "weakly better"
    WEAKLY_WORSE = "weakly worse"
    NO_EVIDENCE = "no evidence"
    CANNOT_BE_SHOWN = "cannot be shown"
    CANNOT_BE_READ = "cannot be read"
    SAME = "same"

    @property
    def direction(self) -> int:
        """1 if the second system is shown to be better, -1 if worse, otherwise 0."""
        return {Decision.BETTER: 1, Decision.WORSE: -1}.get(self, 0)

    @property
    def weak(self) -> bool:
        """Whether the evidence is weak: p is above .05, but not above .10."""
        return self in (Decision.WEAKLY_BETTER, Decision.WEAKLY_WORSE)

    @property
    def kind(self) -> str:
        """`better` or `worse`, also on weak evidence; otherwise empty."""
        last = self.value.rpartition(" ")[2]
        return last if last in ("better", "worse") else ""


@dataclass(frozen=True)
class DecidedDifference:
    """A difference of two systems, its decision, and the facts that the decision is based on.

    `comparisons` is the number of comparisons that p is corrected for: all those from which the
    reported one was chosen. The correction is Bonferroni's, or Holm's if `p_holm` is given. `units`
    are the number and the name of what the test swaps, such as (250, "sentence").

    >>> import preorder_eval as pe
    >>> at = pe.Interval(0.1, 0.05, 0.15)
    >>> by = Difference(0.1, at, at, 0.01, "randomization", differing=9)
    >>> found = DecidedDifference(by, comparisons=3)
    >>> found.decision.value, found.p, found.sure
    ('better', 0.03, 'p = 0.030')
    """

    difference: Difference
    comparisons: int = field(default=1, kw_only=True)
    p_holm: float | None = field(default=None, kw_only=True)
    units: tuple[int, str] = field(default=(0, "sentence"), kw_only=True)

    @property
    def p(self) -> float:
        """p, corrected for the comparisons; NaN by Koehn's test."""
        if self.p_holm is not None:
            return self.p_holm
        # min() of NaN and a number would depend on their order.
        p = self.difference.p * self.comparisons
        return 1.0 if p > 1 else p

    @property
    def decision(self) -> Decision:
        """The decision.

        If a metric cannot read the texts, nothing is decided. The same holds if fewer than six
        sentences or documents differ, whatever the test: if k of them differ, p cannot be below
        2/2^k. With a correction, more of them must differ, and enough random trials are needed
        (`can_be_shown`).

        Koehn's test has no p. It is decided by its marks, without correction.
        """
        difference = self.difference
        if not difference.readable:
            return Decision.CANNOT_BE_READ
        if difference.differing == 0:
            return Decision.SAME
        if difference.too_few:
            return Decision.CANNOT_BE_SHOWN
        better = (difference.value > 0) == difference.higher_is_better
        if difference.test == "koehn":
            stars = difference.mark.count("*")
        else:
            stars = 2 if self.p <= LEVEL else 1 if self.p <= WEAK_LEVEL else 0
        if difference.mark != "0":  # by which side of zero the interval lies on
            better = difference.mark[0] == "+"
        if stars == 2:
            return Decision.BETTER if better else Decision.WORSE
        if stars == 1:
            return Decision.WEAKLY_BETTER if better else Decision.WEAKLY_WORSE
        return Decision.NO_EVIDENCE if self.can_be_shown() else Decision.CANNOT_BE_SHOWN

    @property
    def mark(self) -> str:
        """The mark of the difference by the corrected p: `+**`, `-*`, `0` …"""
        kind = self.decision.kind
        return (
            f"{'+' if kind == 'better' else '-'}{'*' if self.decision.weak else '**'}"
            if kind
            else "0"
        )

    def can_be_shown(self, comparisons: int | None = None) -> bool:
        """Return whether so many differing units, and random trials, could show a difference."""
        difference = self.difference
        shown = difference.least_p * (comparisons or self.comparisons) <= LEVEL
        return shown and not math.isnan(difference.at_95.low)

    @property
    def sure(self) -> str:
        """p, corrected for the comparisons, such as `p = 0.031`.

        Koehn's test has no p; it has the share of resamples in which the better system wins.
        """
        difference = self.difference
        if difference.test == "koehn":
            share = max(difference.won, difference.lost)
            return f"{'higher' if difference.won == share else 'lower'} in {share:.1%} of resamples"
        if math.isnan(self.p):
            return "p unknown"
        p = p_value(self.p)
        return f"p {p}" if p.startswith("<") else f"p = {p}"

    def too_few(self, comparisons: int | None = None) -> str:
        """State how many sentences or documents differ, and how many must."""
        (count, unit), least = self.units, least_differing(comparisons or self.comparisons)
        differing = self.difference.differing
        if differing is None or differing >= least:
            return f"there are too few random trials: raise {argument('resamples', '--resamples')}"
        if not differing:
            return f"no {unit} differs"
        if differing == count:
            verb = "is" if count == 1 else "are"
            return f"there {verb} only {quantity(count, unit)}; at least {least} must differ"
        verb = "differs" if differing == 1 else "differ"
        some = quantity(count, unit) if differing == count else f"{differing} of {count} {unit}s"
        return f"only {some} {verb}; at least {least} must"

    def facts(self) -> dict[str, Any]:
        """Return the decision and the facts that it is based on, for JSON."""
        count, unit = self.units
        return {
            "decision": str(self.decision),
            "difference": self.difference.value,
            "p": self.p,
            "comparisons": self.comparisons,
            "differing": self.difference.differing,
            f"{unit}s": count,
        }


def by_holm(findings: Sequence[F], others: int = 0) -> list[F]:
    """Return findings whose p is corrected for all of them together (Holm 1979).

    Each may be one of several comparisons itself. Parameters: `others` the number of further
    comparisons, which could have been significant but are not.
    """
    corrected = holm([*(found.p for found in findings), *[1.0] * others]).tolist()
    return [
        replace(found, p_holm=p, comparisons=found.comparisons * len(corrected))
        for found, p in zip(findings, corrected, strict=False)
    ]


def least_differing(comparisons: int = 1) -> int:
    """Return the number of sentences that must differ so that p can be .05.

    It is the smallest k for which 2/2^k, times the number of comparisons, is at most .05.

    >>> least_differing(), least_differing(3)
    (6, 7)
    """
    return max(FEWEST_UNITS, math.ceil(1 + math.log2(comparisons / LEVEL)))
