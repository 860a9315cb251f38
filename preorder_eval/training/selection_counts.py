"""Which selected parses are worth learning from, and what a selection came to."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Filter:
    """Which of the selected parses are worth learning from.

    `only_changed` leaves out the sentences whose 1-best was selected: they are those where no parse
    of the list reorders better. `margin` is by how much the selected reordering must score above
    the 1-best's.
    """

    only_changed: bool = False
    margin: float = 0.0


@dataclass(frozen=True)
class SelectionCounts:
    """What selection came to, as sums that add up over parts of a corpus.

    `sentences` were looked at, and `left_out` of them had no link and were not scored; `parses` and
    `reorderings` are the parses and the different reorderings of those scored. `replaced` counts
    the sentences for which another parse than the 1-best was selected, `kept` those that passed
    the filter. `first`, `selected` and `average` sum, over sentences, the score of the 1-best, that
    of the selected parse and the mean score of the list.

    >>> both = SelectionCounts(sentences=2, selected=0.5) + SelectionCounts(1, 1, selected=0.25)
    >>> both.scored, both.mean(both.selected)
    (2, 0.375)
    """

    sentences: int = 0
    left_out: int = 0
    parses: int = 0
    reorderings: int = 0
    replaced: int = 0
    kept: int = 0
    first: float = 0.0
    selected: float = 0.0
    average: float = 0.0

    def __add__(self, other: SelectionCounts) -> SelectionCounts:
        names = [field.name for field in fields(self)]
        return SelectionCounts(*(getattr(self, name) + getattr(other, name) for name in names))

    @property
    def scored(self) -> int:
        """The sentences with a link."""
        return self.sentences - self.left_out

    def mean(self, total: float) -> float | None:
        """A sum per scored sentence, None without any."""
        return total / self.scored if self.scored else None

    def summary(self) -> dict[str, Any]:
        """Counts and means as plain values; `margin` is selected minus 1-best where replaced."""
        counts = {name: value for name, value in asdict(self).items() if isinstance(value, int)}
        gained = self.selected - self.first
        return counts | {
            "mean_1best": self.mean(self.first),
            "mean_selected": self.mean(self.selected),
            "mean_list": self.mean(self.average),
            "mean_margin": gained / self.replaced if self.replaced else None,
        }
