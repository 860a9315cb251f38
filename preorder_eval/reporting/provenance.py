"""What was run, as a list of facts, from what `run.json` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_SHOWN = ["arguments", "versions", "reference", "references", "inputs", "bootstrap"]


def facts(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Names and values of what identifies a run, whatever else is in its summary.

    >>> facts({"arguments": ["evaluate"], "versions": {"python": "3.11"}})
    [('arguments', 'evaluate'), ('versions python', '3.11')]
    """
    listed = [fact for key in _SHOWN for fact in _flat(key, summary.get(key))]
    systems = summary.get("systems")
    for system in systems if isinstance(systems, list) else []:
        made_by = system.get("made_by") if isinstance(system, Mapping) else None
        for kind, maker in made_by.items() if isinstance(made_by, Mapping) else []:
            listed += _made(kind, maker)
    return list(dict.fromkeys(listed))  # what several systems share is told once


def _made(kind: str, made: Any) -> Iterator[tuple[str, str]]:
    """A parser, rule set or file by its name, with version and hash."""
    if not isinstance(made, Mapping):
        yield from _flat(kind, made)
        return
    name = made.get("name") or made.get("file") or ""
    rest = [str(value) for key, value in made.items() if key not in ("name", "file")]
    yield f"{kind} {name}", " ".join(rest)


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """The values in a tree of JSON under the path to each."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{name} {key}", inner)
    elif isinstance(value, list) and any(isinstance(inner, Mapping | list) for inner in value):
        for inner in value:
            yield from _flat(name, inner)
    elif isinstance(value, list):
        yield name, " ".join(map(str, value))
    elif value is not None:
        yield name, str(value)
