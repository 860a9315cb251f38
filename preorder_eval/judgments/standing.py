"""The metric that agrees best, those not significantly worse, and the effect of outliers.

A single very bad system can lift the correlation of any metric over systems near 1, and invert the
ranking of metrics. So the result for all systems is compared with the result without outliers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.tables import figure
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.decision import least_differing
from preorder_eval.judgments.correlation import groups
from preorder_eval.judgments.human_scores import Judgments
from preorder_eval.judgments.metric_scores import MetricScores, of_readable
from preorder_eval.judgments.permutation import p_values, units_swapped
from preorder_eval.judgments.statistic import Conventions, Statistic, resample

_LISTED = 4  # metrics by name, before it is said how many more there are
_FAR = 0.05  # by how much a value changes without outliers, to be said


@dataclass(frozen=True)
class Lead:
    """The best metric and those not significantly worse, in their order, by number.

    `others` are all other metrics that have a value, the next one first. Each is compared with the
    best at the `level`, corrected for all pairs of metrics (Bonferroni), since the best one is
    chosen by its value: the best and the worst differ most of all pairs. `units` are how many
    segments or documents the test swaps: too few show nothing, whatever p.
    """

    best: int
    close: tuple[int, ...]
    others: tuple[int, ...]
    level: float = 0.05
    units: tuple[int, str] | None = None

    @property
    def too_few(self) -> bool:
        """Whether so few segments or documents are swapped that no lead can be shown."""
        return self.units is not None and self.units[0] < least_differing(self.comparisons)

    @property
    def comparisons(self) -> int:
        """The number of pairs of metrics."""
        return math.comb(len(self.others) + 1, 2)

    @property
    def shown(self) -> bool:
        """Whether the best metric is shown to agree better than the next one, if there is one."""
        return not self.others or self.others[0] not in self.close

    @classmethod
    def of(
        cls,
        chosen: Statistic,
        metrics: Sequence[MetricScores],
        judgments: Judgments,
        level: float,
        **options: Any,
    ) -> Lead | None:
        """Find them by a statistic, with the options of `resample`; None if it is undefined."""
        [sampled] = resample(metrics, judgments, [chosen], **options)
        values = of_readable(sampled.values, metrics)
        if np.isnan(values).all():
            return None
        p = p_values(chosen, metrics, judgments, sampled, of=int(np.nanargmax(values)), **options)
        conventions = options.get("conventions", Conventions())
        return cls.by(values, p, level, units_swapped(chosen, judgments, conventions))

    @classmethod
    def by(
        cls, values: Floats, p: Floats, level: float, units: tuple[int, str] | None = None
    ) -> Lead:
        """Find them, by values float64[M] and p-values of differences float64[M, M]."""
        best, *others = np.argsort(-values, kind="stable").tolist()
        known = tuple(m for m in others if not np.isnan(values[m]))
        lead = cls(best, known, known, level, units)
        close = (m for m in known if not p[best, m] * lead.comparisons <= level)
        return replace(lead, close=tuple(close))

    def told(self, names: Sequence[str]) -> str:
        """Compare the others with the best, as the end of a sentence; `names` has all metrics.

        >>> Lead(0, (2, 1), (3, 2, 1)).told(["chrF", "NIST", "BLEU", "WER"])
        '; not significantly worse: BLEU, NIST (at the 5% level, corrected for 6 pairs)'
        >>> Lead(0, (), (1,)).told(["chrF", "NIST"])
        '; the other metric is significantly worse'
        """
        if not self.others:
            return ""
        if not self.close:
            rest = "every other metric" if len(self.others) > 1 else "the other metric"
            return f"; {rest} is significantly worse{self._sure}"
        return f"; not significantly worse: {self._close(names)}{self._sure}"

    def in_doubt(self, names: Sequence[str]) -> str:
        """State as a clause that the lead is not significant; empty if it is.

        >>> Lead(0, (2, 1), (2, 1)).in_doubt(["chrF", "NIST", "BLEU"])
        'there is no evidence that it agrees better than BLEU, NIST (corrected for 3 pairs)'
        >>> Lead(0, (1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)).in_doubt("ABCDEFG")
        'there is no evidence that it agrees better than any other (corrected for 21 pairs)'
        >>> Lead(0, (1,), (1,), units=(4, "segment")).in_doubt(["chrF", "NIST"])
        '4 segments cannot show that it agrees better than NIST (at least 6 must differ)'
        """
        if self.shown:
            return ""
        everyone = len(self.close) == len(self.others) > _LISTED
        whom = "any other" if everyone else self._close(names)
        if self.units is not None and self.too_few:
            least = least_differing(self.comparisons)
            cannot = f"{quantity(*self.units)} cannot show that it agrees better than"
            return f"{cannot} {whom} (at least {least} must differ)"
        pairs = f" (corrected for {self.comparisons} pairs)" * (self.comparisons > 1)
        return f"there is no evidence that it agrees better than {whom}{pairs}"

    @property
    def _sure(self) -> str:
        several = self.comparisons > 1
        level = f"at the {100 * self.level:g}% level"
        return f" ({level}, corrected for {self.comparisons} pairs)" * several

    def _close(self, names: Sequence[str]) -> str:
        close = [names[metric] for metric in self.close]
        more = f" and {len(close) - _LISTED} more" if len(close) > _LISTED else ""
        return f"{', '.join(close[:_LISTED])}{more}"

    def changed(self, other: Lead, names: Sequence[str]) -> str:
        """Describe how another standing differs, with the metrics' names; empty if it does not.

        >>> names, others = ["chrF", "NIST", "BLEU", "WER"], (1, 2, 3)
        >>> Lead(0, (2, 1), others).changed(Lead(0, (2, 3), others), names)
        'not significantly worse: WER; significantly worse: NIST'
        """
        if self.best != other.best:
            if other.shown:
                return f"{names[other.best]} agrees best{other.told(names)}"
            return f"{names[other.best]} has the highest value, but {other.in_doubt(names)}"
        closer = [names[m] for m in other.close if m not in self.close]
        worse = [names[m] for m in self.close if m not in other.close]
        parts = {"not significantly worse": closer, "significantly worse": worse}
        return "; ".join(f"{what}: {', '.join(listed)}" for what, listed in parts.items() if listed)


def shown_groups(
    p: Floats, order: Sequence[int], level: float, metrics: Sequence[MetricScores]
) -> list[int | None]:
    """Return the groups of metrics in their order (`groups`); None for those that take no part."""
    readable = [m for m in order if metrics[m].readable]
    numbers = iter(groups(p, readable, level))
    return [next(numbers) if metrics[m].readable else None for m in order]


def change_of(
    name: str, values: Floats, others: Floats, metrics: Sequence[str], outliers: Sequence[str]
) -> Iterator[str]:
    """Yield a note on the value that changes most without outliers, if by more than .05.

    The `values` of a statistic, float64[M], are those over all systems, and `others` those without
    the outliers. `metrics` and `outliers` are names.
    """
    change = np.nan_to_num(np.abs(others - values))
    metric = int(change.argmax())
    if change[metric] <= _FAR:
        return
    are = "is an outlier: without it" if len(outliers) == 1 else "are outliers: without them"
    first, then = (int(np.nanargmax(each)) for each in (values, others))
    leads = f", and {metrics[then]} leads instead of {metrics[first]}" if first != then else ""
    yield (
        f"{', '.join(outliers)} {are} {name} of {metrics[metric]} {figure(values[metric])} → "
        f"{figure(others[metric])}{leads}"
    )
