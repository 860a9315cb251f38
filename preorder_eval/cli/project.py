"""What commands take from the project file of the folder that they run in (`preorder.toml`)."""

from __future__ import annotations

import logging
import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from preorder_eval.resources import PROJECT_FILE

if TYPE_CHECKING:
    from preorder_eval.formats.project_file import Project

_LOG = logging.getLogger(__name__)


class _Taken(NamedTuple):
    """The key whose value is an option's default.

    It is not where one of the options `unless` is given, which take its place, or without one of
    `needs`, without which it would have no effect. Some commands know no trees of references.
    """

    key: str
    unless: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    gold: bool = True


_REFERENCE = _Taken("references", unless=("alignment",))
_JUDGED = {"parser": _Taken("parsers", unless=("trees",)), "reference": _REFERENCE}
_RULES = _Taken("rules")
_TAKEN: dict[str, dict[str, _Taken]] = {
    "attachment": {
        "parser": _Taken("parsers", unless=("system",), gold=False),
        "rules": _Taken("rules", needs=("alignment",)),
    },
    "compare": {"gate": _Taken("gates")},
    "evaluate": {
        "parser": _Taken("parsers", unless=("trees", "orders", "system_alignment")),
        "rules": _Taken("rules", unless=("orders", "system_alignment")),
        "reference": _REFERENCE,
        "metric": _Taken("metrics", unless=("compat",)),
    },
    "parse": {"parser": _Taken("parsers", gold=False)},
    "reorder": {"parser": _Taken("parsers", unless=("trees",), gold=False), "rules": _RULES},
    "rules ablate": {**_JUDGED, "rules": _RULES},
    "rules learn": _JUDGED,
    "rules oracle": {**_JUDGED, "rules": _RULES},
    "rules show": {"parser": _Taken("parsers", needs=("sentence",), gold=False)},
    "select": {
        "parser": _Taken("parsers", unless=("nbest",), gold=False),
        "rules": _RULES,
        "reference": _REFERENCE,
    },
    "self-train": {
        "parser": _Taken("parsers", gold=False),
        "rules": _RULES,
        "reference": _Taken("references", unless=("evaluate_alignment",)),
    },
    "watch": {**_JUDGED, "rules": _RULES},
}


def project() -> Project | None:
    """The project of the folder that the command runs in, or of the nearest one above."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / PROJECT_FILE).is_file():
            # What reads it is imported by those alone who have one.
            from preorder_eval.formats.project_file import load_project

            return load_project(Path(os.path.relpath(folder / PROJECT_FILE, here)))
    return None


def defaults(command: str, given: Collection[str], several: Collection[str]) -> dict[str, Any]:
    """What the project says for the options of a command, by their names.

    Parameters: `given` the options of the command line, which come first, and `several` those that
    may be repeated; others take the first of several names. Raises FormatError for a file that is
    no project file.
    """
    wanted = {name: taken for name, taken in _TAKEN.get(command, {}).items() if name not in given}
    found = project() if wanted else None
    if found is None:
        return {}
    chosen: dict[str, Any] = {}
    for option, taken in wanted.items():
        names = [n for n in found.names(taken.key) if taken.gold or n != "gold"]
        displaced = any(other in given for other in taken.unless)
        idle = taken.needs and not any(other in given for other in taken.needs)
        if names and not displaced and not idle:
            names = names if option in several else names[:1]
            chosen[option] = names if option in several else names[0]
            _LOG.info("--%s %s, from %s", option, ", ".join(names), found.path)
    return chosen
