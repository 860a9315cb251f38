"""Entry points of other packages: their plugins are looked up by name, like bundled ones.

A package lists in its `pyproject.toml` what it brings, each kind in a group of its own, such as
`preorder_eval.metrics`; the manual (`developing`) shows what can stand in each. The names of entry
points are read for a name that is not bundled and for a list of all. A package is imported when it
is asked for by name, so a broken package affects only users who ask for it.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from preorder_eval.base.errors import PreorderEvalError, warn

PluginGroup = Literal["metrics", "parsers", "rules"]

_KINDS: dict[PluginGroup, str] = {"metrics": "metric", "parsers": "parser", "rules": "rule set"}
_BUNDLED = "preorder-eval"


@dataclass(frozen=True)
class Named:
    """Something with a name that is loaded when it is asked for.

    `kind` is what errors call it. `value` is where it is: a path, or `module:attribute`. `packages`
    are those that add something of this name; more than one is an error.
    """

    kind: str
    name: str
    value: str | Path
    packages: tuple[str, ...] = (_BUNDLED,)

    def load(self) -> Any:
        """Return the path, or what the module holds.

        Raises PreorderEvalError, in one line with the package's name, for what cannot be imported
        and for a name that several packages bring.
        """
        if len(self.packages) > 1:
            raise PreorderEvalError(
                f"{self.kind} {self.name!r} is provided by {' and by '.join(self.packages)}; "
                "uninstall all of them but one"
            )
        if isinstance(self.value, Path):
            return self.value
        with self._blamed():
            return pkgutil.resolve_name(self.value)

    def make(self) -> Any:
        """Load the plugin; if it is a function that makes the object, call it."""
        loaded = self.load()
        if not callable(loaded):
            return loaded
        with self._blamed():
            return loaded()

    def wrong(self, wanted: str) -> PreorderEvalError:
        """Return the error that this is not what its group is for."""
        return PreorderEvalError(
            f"package {self.packages[0]}: {self.kind} {self.name!r} ({self.value}) is not {wanted}"
            "; fix or uninstall the package"
        )

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        """Name the package in errors of its code. Errors of bundled code are defects of ours."""
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
                f"loaded: {reason}; fix or uninstall the package"
            ) from error


class Registry(Mapping[str, Named]):
    """All of a group by name: what is bundled, in the order given, then what other packages add.

    Parameters: `bundled` has the path, or `module:attribute`, of everything bundled. If a package
    adds a bundled name, the bundled one stays, with a warning whenever installed packages are
    looked at.

    >>> metrics = Registry("metrics", {"chrf": "preorder_eval.metrics.outputs.chrf:Chrf"})
    >>> metrics["chrf"].load().__name__
    'Chrf'
    """

    def __init__(self, group: PluginGroup, bundled: Mapping[str, str | Path]) -> None:
        self._group = group
        self._bundled = bundled

    def __getitem__(self, name: str) -> Named:
        if name in self._bundled:
            return Named(_KINDS[self._group], name, self._bundled[name])
        return self._others()[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._bundled
        yield from self._others()

    def __len__(self) -> int:
        return len(self._bundled) + len(self._others())

    def _others(self) -> dict[str, Named]:
        others: dict[str, Named] = {}
        for name, package, value in _installed(self._group):
            if name in self._bundled:
                kind = _KINDS[self._group]
                warn(
                    f"{kind} {name!r} of package {package} is ignored: the name is that of a "
                    "bundled one"
                )
            elif name in others:
                packages = (*others[name].packages, package)
                others[name] = replace(others[name], packages=packages)
            else:
                others[name] = Named(_KINDS[self._group], name, value, (package,))
        return others


@cache
def _installed(group: PluginGroup) -> list[tuple[str, str, str]]:
    """List the plugins of installed packages: name, package and place; looked up once."""
    from importlib.metadata import entry_points  # which takes longer than all else here

    points = entry_points(group=f"preorder_eval.{group}")
    return sorted((p.name, p.dist.name if p.dist else p.value, p.value) for p in points)
