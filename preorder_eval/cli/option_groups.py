"""Groups of options that several commands share, each a dataclass of typer's annotations.

A command takes such a group as one parameter; typer sees the group's fields instead.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_type_hints


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command with each parameter that is a group replaced by the options of the group.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Drawn:
    ...     resamples: int = 1000
    ...     seed: int = 0
    >>> @grouped
    ... def command(name: str, drawn: Drawn) -> None:
    ...     print(name, drawn)
    >>> list(inspect.signature(command).parameters)
    ['name', 'resamples', 'seed']
    >>> command(name="a", seed=3)
    a Drawn(resamples=1000, seed=3)
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        hint = hints[parameter.name]
        if not is_dataclass(hint):
            parameters.append(parameter.replace(annotation=hint))
            continue
        groups[parameter.name] = hint
        annotations = get_type_hints(hint, include_extras=True)
        for field in fields(hint):
            default = inspect.Parameter.empty if field.default is MISSING else field.default
            parameters.append(
                inspect.Parameter(
                    field.name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=default,
                    annotation=annotations[field.name],
                )
            )

    @functools.wraps(command)
    def expanded(**values: Any) -> None:
        for name, group in groups.items():
            options = {f.name: values.pop(f.name) for f in fields(group) if f.name in values}
            values[name] = group(**options)
        command(**values)

    keyword_only = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters]
    expanded.__signature__ = inspect.Signature(keyword_only)  # type: ignore[attr-defined]
    expanded.__annotations__ = {p.name: p.annotation for p in parameters}
    return expanded
