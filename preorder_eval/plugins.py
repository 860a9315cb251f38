"""Doors for other packages: what they bring is found by name, like what is bundled.

A package says in its `pyproject.toml` what it brings, for each kind in a group of its own:

    [project.entry-points."preorder_eval.metrics"]
    first_word = "my_package.metrics:FirstWord"

==========  ====================================================================================
group       what its entries are
==========  ====================================================================================
metrics     a class derived from `preorder_eval.metrics.Metric`, of the same name
parsers     a function (or class) that gives a `preorder_eval.parsers.base.Parser`, or the path of
            a spaCy pipeline
formats     a `preorder_eval.formats.alignment.Format`
aligners    a `preorder_eval.alignment.Aligner`
rules       a `preorder_eval.reordering.rule_set.RuleSet` or the path of a rule file, or a function
            that gives one
references  the path of a reference folder, or a function that gives it
==========  ====================================================================================

Names alone are read from what packages say of themselves. Nothing is imported before it is asked
for by its name, or all of its kind have to be listed, so that a package that is broken disturbs
nobody who does without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Literal

from preorder_eval.errors import PreorderEvalError

Group = Literal["metrics", "parsers", "formats", "aligners", "rules", "references"]

_KINDS: dict[Group, str] = {
    "metrics": "metric",
    "parsers": "parser",
    "formats": "alignment format",
    "aligners": "aligner",
    "rules": "rule set",
    "references": "reference set",
}
_BUNDLED = "preorder-eval"


@dataclass(frozen=True)
class Named:
    """Something with a name that is loaded when it is asked for.

    `kind` is what errors call it; `value` where it is: a path, or a module and what to take from
    it, `module:attribute`; `packages` those that bring something of this name, one if all is well.
    """

    kind: str
    name: str
    value: str | Path
    packages: tuple[str, ...]

    def load(self) -> Any:
        """The path, or what the module holds.

        Raises PreorderEvalError, in one line with the package's name, for what cannot be imported
        and for a name that several packages bring.
        """
        if len(self.packages) > 1:
            raise PreorderEvalError(
                f"{self.kind} {self.name!r} is in {' and in '.join(self.packages)}; "
                "uninstall all of them but one"
            )
        if isinstance(self.value, Path):
            return self.value
        with self._blamed():
            return EntryPoint(self.name, self.value, "").load()

    def make(self) -> Any:
        """What it stands for, where that may be said by a function: its result."""
        loaded = self.load()
        if not callable(loaded):
            return loaded
        with self._blamed():
            return loaded()

    def path(self) -> Path:
        """The path it stands for; PreorderEvalError for anything else."""
        made = self.make()
        if not isinstance(made, str | Path):
            raise self.wrong("a path")
        return Path(made)

    def wrong(self, wanted: str) -> PreorderEvalError:
        """The error that it is not what its group is for."""
        return PreorderEvalError(
            f"package {self.packages[0]}: {self.kind} {self.name!r} ({self.value}) is not {wanted}"
            "; mend or uninstall the package"
        )

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        """Says of errors in another package's code whose they are; our own are our defects."""
        try:
            yield
        except PreorderEvalError:
            raise
        except Exception as error:
            if self.packages == (_BUNDLED,):
                raise
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise PreorderEvalError(
                f"package {self.packages[0]}: {self.kind} {self.name!r} ({self.value}) cannot be "
                f"loaded: {reason}; mend or uninstall the package"
            ) from error


def named(group: Group, bundled: Mapping[str, str | Path]) -> dict[str, Named]:
    """All of a group by name: what is bundled, in the order given, then what others bring.

    Parameters: `bundled` the path, or `module:attribute`, of everything bundled.

    >>> aligners = named("aligners", {"ibm1": "preorder_eval.alignment.ibm1:align"})
    >>> aligners["ibm1"].load().__name__
    'align'
    """
    kind = _KINDS[group]
    entries = {name: Named(kind, name, value, (_BUNDLED,)) for name, value in bundled.items()}
    for name, package, value in _installed(group):
        if name in entries:
            first = entries[name]
            entries[name] = replace(first, packages=(*first.packages, package))
        else:
            entries[name] = Named(kind, name, value, (package,))
    return entries


@cache
def _installed(group: Group) -> list[tuple[str, str, str]]:
    """What the installed packages say they bring: name, package and place; looked up once."""
    points = entry_points(group=f"preorder_eval.{group}")
    return sorted((p.name, p.dist.name if p.dist else p.value, p.value) for p in points)
