"""The decision on a difference: better, worse, weak evidence, none, or none that could be shown.

Everything that says which of two systems is better asks `decided`, and nothing else decides.
"""

from __future__ import annotations

import math
from enum import StrEnum

from preorder_eval.stats.significance import Difference
from preorder_eval.tables import p_value

LEVEL, WEAK_LEVEL = 0.05, 0.10


class Decision(StrEnum):
    """What is known of the second of two systems."""

    BETTER = "better"
    WORSE = "worse"
    WEAKLY_BETTER = "weakly better"
    WEAKLY_WORSE = "weakly worse"
    NO_EVIDENCE = "no evidence"
    CANNOT_BE_SHOWN = "cannot be shown"
    SAME = "same"

    @property
    def direction(self) -> int:
        """1 where the second system is shown to be better, -1 where worse, else 0."""
        return {Decision.BETTER: 1, Decision.WORSE: -1}.get(self, 0)

    @property
    def leaning(self) -> int:
        """The same, where weak evidence counts, too."""
        return {"better": 1, "worse": -1}.get(self.kind, 0)

    @property
    def weak(self) -> bool:
        """Whether there is weak evidence alone."""
        return self in (Decision.WEAKLY_BETTER, Decision.WEAKLY_WORSE)

    @property
    def kind(self) -> str:
        """`better` or `worse`, weakly or not; empty where neither."""
        last = self.value.rpartition(" ")[2]
        return last if last in ("better", "worse") else ""


def decided(difference: Difference, comparisons: int = 1) -> Decision:
    """Decide on a difference, one of so many comparisons (Bonferroni's inequality).

    The test swaps the sentences, or documents, that tell the two systems apart: where k do, p is at
    least 2/2^k, so that below `least_differing` nothing can be shown. Nor can it where random
    trials are few: of N the least p is 1/(N + 1). Koehn's test has no p and no correction.

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
    if math.isnan(difference.at_95.low) or difference.least_p * comparisons > LEVEL:
        return Decision.CANNOT_BE_SHOWN
    return Decision.NO_EVIDENCE


def certainty(difference: Difference, comparisons: int = 1) -> str:
    """Return p, corrected for so many comparisons, or by Koehn's test the share of wins."""
    if difference.test == "koehn":
        share = max(difference.won, difference.lost)
        return f"{'higher' if difference.won == share else 'lower'} in {share:.1%} of resamples"
    if math.isnan(difference.p):
        return "p unknown"
    p = p_value(min(1.0, difference.p * comparisons))
    return f"p {p}" if p.startswith("<") else f"p = {p}"


def least_differing(comparisons: int = 1) -> int:
    """Return how many sentences must differ so that p can be .05, for one of so many comparisons.

    >>> least_differing(), least_differing(3)
    (6, 7)
    """
    return math.ceil(1 + math.log2(comparisons / LEVEL))
