"""The sampling unit of the intervals and tests of a run: sentences or documents.

Sentences of one document are alike, so that they carry less information than as many sentences of
different documents. Where the documents are known, they are drawn instead, everywhere in a run. Of
fewer than six documents no difference can be shown (2/2⁵ > .05), so that sentences are drawn then.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Bools, Floats, Longs
from preorder_eval.base.stats import FEWEST_UNITS
from preorder_eval.base.stats.measurement import Finish, Measurement, grouped
from preorder_eval.base.visible import quantity


@dataclass(frozen=True, eq=False)
class Unit:
    """What is drawn: sentences, or documents.

    `documents` is how many documents are known, 0 if none are. `of` int64[S] is the number of each
    sentence's document, None if sentences are drawn.

    >>> unit = Unit.of_names(["a", "a", "b", "c", "d", "e", "f"])
    >>> unit.name, unit.drawn
    ('document', '6 documents')
    """

    documents: int = 0
    of: Longs | None = None

    @classmethod
    def of_names(cls, names: Sequence[Hashable]) -> Unit:
        """Return the unit of sentences, by the names of their documents, or none if not known."""
        number = {name: n for n, name in enumerate(dict.fromkeys(names))}
        if len(number) < FEWEST_UNITS:
            return cls(len(number))
        return cls(len(number), np.array([number[name] for name in names], dtype=np.int64))

    def on(self, counted: Bools) -> Unit:
        """Return the unit of some of the sentences alone, bool[S]."""
        return self if self.of is None else Unit.of_names(self.of[counted].tolist())

    @property
    def name(self) -> str:
        """`document`, or `sentence`."""
        return "sentence" if self.of is None else "document"

    @property
    def drawn(self) -> str:
        """What is drawn instead of sentences, for legends: `51 documents`, or an empty text."""
        return "" if self.of is None else f"{self.documents} documents"

    def notes(self, name: str = "sentence") -> list[str]:
        """Return a note if there are too few documents to draw; `name` is that of what is drawn."""
        if self.of is not None or not 0 < self.documents < FEWEST_UNITS:
            return []
        some = quantity(self.documents, "document")
        return [
            f"only {some}, and at least {FEWEST_UNITS} are needed: intervals and tests draw {name}s"
        ]

    def facts(self) -> dict[str, Any]:
        """Return it for JSON: nothing if no document is known."""
        return {"documents": self.documents, "unit": self.name} if self.documents else {}

    def numbers(self, sentences: int) -> Longs:
        """Return the number of the unit of each of so many sentences; int64[S]."""
        return np.arange(sentences) if self.of is None else self.of

    def measurement(
        self, statistics: Floats, finish: Finish, counted: Bools | None = None
    ) -> Measurement:
        """Sum the statistics of sentences, float64[R, S, k], over the units that tests draw.

        `counted` bool[T] says which of the run's sentences these S are, all by default. More than
        4,096 units are summed in groups (`base.stats.measurement`).

        >>> unit = Unit.of_names([*"abcdefaabb"])
        >>> unit.measurement(np.ones((1, 10, 1)), lambda s: s[..., 0]).statistics[0, :, 0].tolist()
        [3.0, 3.0, 1.0, 1.0, 1.0, 1.0]
        """
        if self.of is not None:
            of = self.of if counted is None else self.of[counted]
            drawn, number = np.unique(of, return_inverse=True)
            sums = np.zeros((len(drawn), len(statistics), statistics.shape[2]))
            np.add.at(sums, number, statistics.swapaxes(0, 1))
            statistics = sums.swapaxes(0, 1)
        return grouped(Measurement(statistics, finish))

    def sums(self, measurement: Measurement) -> Measurement:
        """Return a measurement of all sentences as one of the units that tests draw."""
        return self.measurement(measurement.statistics, measurement.finish)

    def count(self, counted: Bools) -> int:
        """Count the units that contain the sentences `counted`, bool[S]."""
        return int(counted.sum()) if self.of is None else len(np.unique(self.of[counted]))


EACH_SENTENCE = Unit()
