"""The decision on a difference of two systems: better, worse, weak evidence, or no evidence.

All parts of the program that state which of two systems is better call `decided`.
"""

from __future__ import annotations

import math
from enum import StrEnum

from preorder_eval.stats.significance import Difference
from preorder_eval.tables import p_value

LEVEL, WEAK_LEVEL = 0.05, 0.10


class Decision(StrEnum):
    """What a test shows about the second of two systems, compared with the first."""

    BETTER = "better"
    WORSE = "worse"
    WEAKLY_BETTER = "weakly better"
    WEAKLY_WORSE = "weakly worse"
    NO_EVIDENCE = "no evidence"
    CANNOT_BE_SHOWN = "cannot be shown"
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


def decided(difference: Difference, comparisons: int = 1) -> Decision:
    """Decide on a difference that is one of several comparisons (Bonferroni's correction).

    Too little data can make it impossible to show anything. If only k sentences or documents tell
    the two systems apart, p cannot be below 2/2^k, so that at least `least_differing` of them must
    differ. With N random trials p cannot be below 1/(N + 1). The decision is then `cannot be
    shown`.

    Koehn's test has no p. It is decided by its marks, without correction.

    >>> from preorder_eval.stats.bootstrap import Interval
    >>> wide = Interval(0.1, -0.1, 0.3)
    >>> decided(Difference(0.1, wide, wide, 0.125, "randomization", least_p=0.125)).value
    'cannot be shown'
    """
    if difference.differing == 0:
        return Decision.SAME
    better = (difference.value > 0) == difference.higher_is_better
    if difference.test == "koehn":
        stars = difference.mark.count("*")
    else:
        p = difference.p * comparisons
        stars = 2 if p <= LEVEL else 1 if p <= WEAK_LEVEL else 0
    if difference.mark != "0":  # by which side of zero the interval lies on
        better = difference.mark[0] == "+"
    if stars == 2:
        return Decision.BETTER if better else Decision.WORSE
    if stars == 1:
        return Decision.WEAKLY_BETTER if better else Decision.WEAKLY_WORSE
    shown = can_be_shown(difference, comparisons)
    return Decision.NO_EVIDENCE if shown else Decision.CANNOT_BE_SHOWN


def can_be_shown(difference: Difference, comparisons: int = 1) -> bool:
    """Return whether so many differing sentences, and random trials, could show a difference."""
    return not math.isnan(difference.at_95.low) and difference.least_p * comparisons <= LEVEL


def certainty(difference: Difference, comparisons: int = 1) -> str:
    """Return p, corrected for the number of comparisons, such as `p = 0.031`.

    Koehn's test has no p: for it, return the share of resamples in which the better system wins.
    """
    if difference.test == "koehn":
        share = max(difference.won, difference.lost)
        return f"{'higher' if difference.won == share else 'lower'} in {share:.1%} of resamples"
    if math.isnan(difference.p):
        return "p unknown"
    p = p_value(min(1.0, difference.p * comparisons))
    return f"p {p}" if p.startswith("<") else f"p = {p}"


def least_differing(comparisons: int = 1) -> int:
    """Return how many sentences must differ so that p can be .05.

    It is the smallest k for which 2/2^k, times the number of comparisons, is at most .05.

    >>> least_differing(), least_differing(3)
    (6, 7)
    """
    return math.ceil(1 + math.log2(comparisons / LEVEL))
