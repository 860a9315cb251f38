"""Several studies together, as the two experiments of Talbot et al. (2011).

They stand one after the other, with the correlations over all of them where they are of the same
sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from preorder_eval.errors import PreorderEvalError
from preorder_eval.papers.study import Study, pooled
from preorder_eval.tables import Form, Shown, Table


@dataclass(frozen=True, eq=False)
class Studies(Shown):
    """One or several studies of different names.

    With `captions` titles have what the study files say of them, such as what is simulated.
    """

    studies: Sequence[Study]
    captions: bool = False

    def __post_init__(self) -> None:
        names = [study.name for study in self.studies]
        if len(set(names)) < len(names):
            raise PreorderEvalError(f"two studies are called {max(names, key=names.count)}")

    @property
    def verdict(self) -> str:
        """Those of the studies."""
        return "\n".join(filter(None, [study.verdict for study in self.studies]))

    def tables(self) -> list[Table]:
        """Return the tables of each study; those of several begin with a column of names."""
        if len(self.studies) == 1:
            return self.studies[0].tables()
        return [
            replace(table.prefixed("study", study.name), key=(study.name, str(table.key)))
            for study in [*self.studies, *self._pooled]
            for table in study.tables()
            if study in self.studies or table.key == "correlations"
        ]

    @cached_property
    def _pooled(self) -> list[Study]:
        """The study of all systems, whose correlations the paper has, if the studies are alike."""
        everything = pooled(self.studies) if len(self.studies) > 1 else None
        return [] if everything is None else [everything]

    def _view(self, whole: bool = False) -> list[Table]:
        about = "; ".join(dict.fromkeys(study.about for study in self.studies if study.about))
        said = f" ({about})" if about and self.captions else ""
        return [replace(table, title=table.title + said) for table in self._each_view(whole)]

    def _each_view(self, whole: bool) -> list[Table]:
        if len(self.studies) == 1:
            return self.studies[0]._view(whole)
        views = [(study.name, table) for study in self.studies for table in study._view(whole)]
        for everything in self._pooled:
            views += [(everything.name, t) for t in everything._view() if t.key == "correlations"]
        return [replace(table, title=f"{name}: {table.title}") for name, table in views]

    @property
    def for_paper(self) -> str:
        """Describe each study's method for a paper."""
        return "\n".join(
            (f"{study.name}: " if len(self.studies) > 1 else "") + study.for_paper
            for study in self.studies
        )

    def _drawn(self, form: Form, whole: bool, digits: int) -> str:
        """Return what a command prints; for a paper the tables in LaTeX, and the method."""
        if form in ("latex", "paper") and not self.captions:  # which tables keep in other papers
            return replace(self, captions=True)._drawn(form, whole, digits)
        if form != "paper":
            return super()._drawn(form, whole, digits)
        method = re.sub(r"([%&_#])", r"\\\1", super()._drawn("paper", whole, digits))
        return f"{super()._drawn('latex', whole, digits)}\n\n{method}"

    def _facts(self) -> dict[str, Any]:
        if len(self.studies) == 1:
            return self.studies[0]._facts()
        return {"studies": [study._facts() for study in self.studies]}
