"""Verdicts by each annotator: by two of them and by their adjudicated references.

A reference set with layers `first` and `second` was annotated twice, and adjudicated. Systems are
compared by all three on the sentences that all three have. A verdict is firm if every pair of
systems that it names has the same sign and significance by each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from preorder_eval.results.verdicts import certainty, significant
from preorder_eval.stats.significance import Difference
from preorder_eval.tables import signed
from preorder_eval.visible import quantity

_SHOWN = 2  # pairs that the sentence has


@dataclass(frozen=True)
class Firmness:
    """Pairs of systems compared by several annotators, on the same sentences.

    `differences` has by the annotator's name the difference of each of `pairs`, the second system
    less the first. They are by a metric with its `name` for people and its `decimals`.
    """

    pairs: Sequence[tuple[str, str]]
    differences: Mapping[str, Sequence[Difference]]
    sentences: int
    name: str
    decimals: int

    @property
    def unsettled(self) -> list[int]:
        """The numbers of the pairs that annotators see differently."""
        columns = zip(*self.differences.values(), strict=True)
        return [n for n, column in enumerate(columns) if len(set(map(self._seen, column))) > 1]

    def _seen(self, difference: Difference) -> str:
        """Return which of two systems is significantly better, or that neither is."""
        return difference.mark[0] if significant(difference, len(self.pairs)) else "0"

    @property
    def sentence(self) -> str:
        """The sentence on it beside the verdict."""
        some = quantity(self.sentences, "sentence")
        if not self.unsettled:
            return f"Firm: the same by {_listed(self.differences)} ({some} annotated twice)."
        told = []
        for n in self.unsettled[:_SHOWN]:
            first, second = self.pairs[n]
            by = [f"{self._change(each[n])} by {who}" for who, each in self.differences.items()]
            told.append(f"{second} less {first} is {', '.join(by)}")
        rest = len(self.unsettled) - _SHOWN
        told += [f"and {quantity(rest, 'more pair')}"] * (rest > 0)
        return f"Depends on the annotator: {self.name} of {'; '.join(told)} ({some})."

    def _change(self, difference: Difference) -> str:
        change = signed(difference.value, f"+.{self.decimals}f")
        return f"{change} ({certainty(difference, len(self.pairs))})"

    def facts(self) -> dict[str, Any]:
        """Return it for JSON."""
        rows = [
            {
                "first": first,
                "second": second,
                "firm": n not in self.unsettled,
                "by": {who: each[n].value for who, each in self.differences.items()},
                "p": {who: each[n].p for who, each in self.differences.items()},
            }
            for n, (first, second) in enumerate(self.pairs)
        ]
        return {"firm": not self.unsettled, "sentences": self.sentences, "pairs": rows}


def _listed(names: Mapping[str, object]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}"
