"""Values of systems by metrics as they are shown: verdict and tables.

A `Summary` has no sentences, as those of a corpus on a cluster stay where they are;
`preorder_eval.results.result` adds them.
"""

from __future__ import annotations

from dataclasses import dataclass

from preorder_eval.results import conclusion, system_rows
from preorder_eval.results.values import Values
from preorder_eval.tables import Table


@dataclass(frozen=True, eq=False, kw_only=True)
class Summary(Values):
    """Values of systems by metrics with verdict and tables, without the sentences."""

    @property
    def verdict(self) -> str:
        return conclusion.verdict(self)

    @property
    def for_paper(self) -> str:
        first, others = self._baseline, sorted({*self._standing.entrants} - {self._baseline})
        pairs = [(first, n) for n in others]
        return conclusion.reported(self, pairs, self._labels) if self._versus else ""

    def tables(self) -> list[Table]:
        tables = [system_rows.systems_table(self)]
        if self._sampling.against == "all":
            tables.append(system_rows.pairs_table(self))
        return [*tables, *self._further]

    def _view(self, whole: bool = False) -> list[Table]:
        return system_rows.view(self, self._notes(whole), whole)

    def _notes(self, whole: bool) -> list[str]:
        """Return what there is to know of the table of systems."""
        return system_rows.notes_below(self, whole)
