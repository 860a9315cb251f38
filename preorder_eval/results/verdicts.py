"""Parts of verdicts: two systems compared, how certain a difference is, and texts seen before.

`preorder_eval.results.conclusion` puts them together for the systems of a result.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.metrics.base import Metric
from preorder_eval.results.system_warnings import SEEN
from preorder_eval.stats.measurement import TIE
from preorder_eval.stats.significance import Difference
from preorder_eval.tables import figure, p_value, signed
from preorder_eval.visible import quantity

_LEVEL = 0.05
NO_SENTENCES: Floats = np.empty(0)


@dataclass(frozen=True, eq=False)
class MetricComparison:
    """Two systems by one metric and its name for people: their values, difference and sentences.

    `first` and `second` are the scores of sentences, float64[S], NaN for those left out. `gain`
    float64[S] is by how much the second system is better on each, 0 if that is left out; `better`,
    `worse` and `same` count the sentences scored. Where no sentences are known, these are empty.
    """

    by: Metric
    name: str
    values: tuple[float, float]
    difference: Difference
    first: Floats
    second: Floats
    gain: Floats
    better: int
    worse: int
    same: int

    @classmethod
    def of(
        cls,
        by: Metric,
        name: str,
        values: tuple[float, float],
        difference: Difference,
        first: Floats = NO_SENTENCES,
        second: Floats = NO_SENTENCES,
    ) -> MetricComparison:
        """Compare the scores of sentences."""
        gain = np.nan_to_num(second - first) * (1 if by.higher_is_better else -1)
        gain[np.abs(gain) <= TIE] = 0
        better, worse = int(np.count_nonzero(gain > 0)), int(np.count_nonzero(gain < 0))
        same = int(np.count_nonzero(~np.isnan(first))) - better - worse
        return cls(by, name, values, difference, first, second, gain, better, worse, same)

    @property
    def metric(self) -> str:
        """The signature of the metric."""
        return str(self.by)

    @property
    def change(self) -> str:
        """The difference of the second from the first: `FRS +0.077 (0.523 → 0.600)`."""
        decimals = self.by.decimals
        first, second = (figure(value, f".{decimals}f") for value in self.values)
        change = signed(self.difference.value, f"+.{decimals}f")
        return f"{self.name} {change} ({first} → {second})"


def of_two(
    first: str, second: str, verb: str, compared: Sequence[MetricComparison], sentences: int
) -> str:
    """Return whether the second of two systems is better than the first, by the first metric.

    Parameters: `verb` what systems do, such as `orders`.
    """
    lead, *others = compared
    mark, change, sure = lead.difference.mark, lead.change, certainty(lead.difference)
    if mark == "0" and lead.same and not lead.gain.any():
        verdict = f"No difference between {first} and {second}: no sentence changed by {lead.name}"
    elif mark == "0":
        verdict = f"No evidence of a difference between {first} and {second}: {change}, {sure}"
        least = lead.difference.detectable
        if math.isnan(lead.difference.at_95.low):
            verdict += f"; too few sentences ({sentences}) to show any"
        elif least > 0:
            shown = figure(least, f".{lead.by.decimals}f")
            verdict += f"; the smallest detectable difference is {shown}"
    else:
        kind = "better" if mark[0] == "+" else "worse"
        verdict = f"{second} {verb} {kind} than {first}"
        if mark.count("*") == 1:
            verdict = f"Weak evidence that {verdict}"
        counts = ""
        if lead.better + lead.worse + lead.same:
            counts = f"{quantity(lead.better, 'sentence')} better, {lead.worse} worse, "
        verdict += f": {change}, {counts}{sure}"
    return f"{verdict}{others_agree(mark, {each.name: each.difference for each in others})}."


def others_agree(mark: str, others: Mapping[str, Difference]) -> str:
    """Return whether other metrics, by name, find what the first has marked so.

    >>> others_agree("+**", {})
    ''
    """
    agreeing = ""
    for sign, words in (("+", "better by"), ("-", "worse by"), ("0", "no evidence by")):
        names = [name for name, difference in others.items() if difference.mark[0] == sign]
        if names:
            but = "also " if sign == mark[0] else "but " if "0" not in (sign, mark[0]) else ""
            agreeing += f"; {but}{words} {', '.join(names)}"
    return agreeing


def certainty(difference: Difference, comparisons: int = 1) -> str:
    """Return p, corrected for so many comparisons, or by Koehn's test the share of wins."""
    if difference.test == "koehn":
        share = max(difference.won, difference.lost)
        return f"{'higher' if difference.won == share else 'lower'} in {share:.1%} of resamples"
    if math.isnan(difference.p):
        return "p unknown"
    p = p_value(min(1.0, difference.p * comparisons))
    return f"p {p}" if p.startswith("<") else f"p = {p}"


def significant(difference: Difference, comparisons: int) -> bool:
    """Return whether two systems differ at the 95% level, one of so many comparisons."""
    if difference.test == "koehn":
        return difference.mark.endswith("**")
    return difference.p * comparisons <= _LEVEL


def seen_before(
    seen: Mapping[str, int], sentences: int, reference: str, learned: Mapping[str, Sequence[str]]
) -> list[str]:
    """Return sentences on the parsers and rule sets that have seen 5% or more of the sentences.

    Parameters: `seen` how many each of them has seen, of so many of a reference set; `learned` the
    other splits of the set that they learned from.
    """
    whole, _, part = reference.rpartition("/")
    names = dict[tuple[str, int], list[str]]()
    for maker, count in seen.items():
        what, _, name = maker.partition(" ")
        if count >= SEEN * sentences:
            how = "trained or selected" if what == "parser" else "tuned"
            names.setdefault((how, count), []).append(name)
    told = []
    for (how, count), makers in names.items():
        some = "" if count == sentences else f"{count} of "
        other = f": report scores on {whole}/test" if part == "dev" and not some else ""
        verb = "was" if len(makers) == 1 else "were"
        told.append(f"{' and '.join(makers)} {verb} {how} on {some}these sentences{other}.")
    for maker, sets in learned.items():
        what, _, name = maker.partition(" ")
        how = "was trained" if what == "parser" else "was tuned"
        lead = ": its lead may not hold on other text" if what == "parser" else ""
        told.append(f"{name} {how} on {' and '.join(sets)}, a split of the same text{lead}.")
    return told
