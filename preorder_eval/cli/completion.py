"""Names that a shell completes: of parsers, rule sets, references, metrics and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from preorder_eval.plugins import named
from preorder_eval.resources import bundled_names


class _Item(NamedTuple):
    """What a shell is offered, as typer's scripts read it."""

    value: str
    help: str | None = None
    type: str = "plain"


def _parsers() -> Iterable[str]:
    from preorder_eval.parsers.pipelines import installed_pipelines

    yield from named("parsers", bundled_names("parsers/bundled"))
    yield from installed_pipelines()
    yield "gold"


def _rules() -> Iterable[str]:
    yield from named("rules", bundled_names("rules"))


def _references() -> Iterable[str]:
    yield from named("references", bundled_names("reference_data"))


def _metrics() -> Iterable[str]:
    from preorder_eval.metrics import metric_types

    yield from metric_types()


def _pages() -> Iterable[str]:
    from preorder_eval.manual import page_names

    yield from page_names()


# By the names of options and arguments, with the ending of files that may be given instead.
_NAMES: dict[str, tuple[Callable[[], Iterable[str]], str]] = {
    "parser": (_parsers, ".conllu"),
    "rules": (_rules, ".toml"),
    "start": (_rules, ".toml"),
    "reference": (_references, ""),
    "references": (_references, ""),
    "also": (_references, ""),
    "metric": (_metrics, ""),
    "page": (_pages, ""),
}


def complete_names(parameters: Iterable[Any]) -> None:
    """Let the shell complete names where options and arguments take them."""
    for parameter in parameters:
        if parameter.name in _NAMES:
            parameter.shell_complete = partial(_completed, *_NAMES[parameter.name])


def _completed(
    names: Callable[[], Iterable[str]], ending: str, ctx: Any, incomplete: str
) -> list[_Item]:
    """The names that go on what is typed, or else files and folders that do."""
    begun = sorted({name for name in names() if name.startswith(incomplete)})
    folder = Path(incomplete) if incomplete.endswith("/") else Path(incomplete).parent
    files = [
        f"{path}/" if path.is_dir() else str(path)
        for path in sorted(folder.glob("*") if folder.is_dir() else [])
        if path.is_dir() or (ending and path.suffix == ending)
    ]
    files = [path for path in files if path.startswith(incomplete) and not path.startswith(".")]
    return [_Item(name) for name in [*begun, *files]]
