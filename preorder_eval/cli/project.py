"""What commands take from the project file of the folder that they run in (`preorder.toml`)."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from preorder_eval.resources import PROJECT_FILE

if TYPE_CHECKING:
    from preorder_eval.formats.project_file import Project

_LOG = logging.getLogger(__name__)


_Given = Mapping[str, Any]


def _always(given: _Given) -> bool:
    return True


def _with(option: str) -> Callable[[_Given], bool]:
    """Where an option is given without which this one would have no effect."""
    return lambda given: option in given


def _without(*options: str) -> Callable[[_Given], bool]:
    """Where none of the options is given that take the place of this one."""
    return lambda given: not any(option in given for option in options)


def _of_rule_files(given: _Given) -> bool:
    """Whether two rule files are compared, and not two runs."""
    return is_rule_file(given.get("run_a", ""))


class _Taken(NamedTuple):
    """The key whose value is an option's default, `when` it has an effect beside what is given.

    Some commands know no `gold` trees of a reference.
    """

    key: str
    when: Callable[[_Given], bool] = _always
    gold: bool = True


_REFERENCE = _Taken("references", _without("alignment"))
_JUDGED = {"parser": _Taken("parsers", _without("trees")), "reference": _REFERENCE}
_RULES = _Taken("rules")
_TAKEN: dict[str, dict[str, _Taken]] = {
    "attachment": {
        "parser": _Taken("parsers", _without("system"), gold=False),
        "rules": _Taken("rules", _with("alignment")),
    },
    "compare": {
        "gate": _Taken("gates"),
        "parser": _Taken("parsers", _of_rule_files),
        "reference": _Taken("references", _of_rule_files),
    },
    "evaluate": {
        "parser": _Taken("parsers", _without("trees", "orders", "system_alignment")),
        "rules": _Taken("rules", _without("orders", "system_alignment")),
        "reference": _REFERENCE,
        "metric": _Taken("metrics", _without("compat")),
    },
    "parse": {"parser": _Taken("parsers", gold=False)},
    "reorder": {"parser": _Taken("parsers", _without("trees"), gold=False), "rules": _RULES},
    "rules ablate": {**_JUDGED, "rules": _RULES},
    "rules learn": _JUDGED,
    "rules oracle": {**_JUDGED, "rules": _RULES},
    "rules show": {"parser": _Taken("parsers", _with("sentence"), gold=False)},
    "select": {
        "parser": _Taken("parsers", _without("nbest"), gold=False),
        "rules": _RULES,
        "reference": _REFERENCE,
    },
    "self-train": {
        "parser": _Taken("parsers", gold=False),
        "rules": _RULES,
        "reference": _Taken("references", _without("evaluate_alignment")),
    },
    "watch": {**_JUDGED, "rules": _RULES},
}


def is_rule_file(name: object) -> bool:
    """Whether an argument that may be a run is a rule file, also as `label=file`."""
    return str(name).endswith(".toml")


def project() -> Project | None:
    """The project of the folder that the command runs in, or of the nearest one above."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / PROJECT_FILE).is_file():
            # What reads it is imported by those alone who have one.
            from preorder_eval.formats.project_file import load_project

            return load_project(Path(os.path.relpath(folder / PROJECT_FILE, here)))
    return None


def defaults(command: str, given: _Given, several: Collection[str]) -> dict[str, Any]:
    """What the project says for the options of a command, by their names.

    Parameters: `given` what stands on the command line, which comes first, and `several` the
    options that may be repeated; others take the first of several names. Raises FormatError for a
    file that is no project file.
    """
    wanted = {name: taken for name, taken in _TAKEN.get(command, {}).items() if name not in given}
    found = project() if wanted else None
    if found is None:
        return {}
    chosen: dict[str, Any] = {}
    for option, taken in wanted.items():
        names = [n for n in found.names(taken.key) if taken.gold or n != "gold"]
        if names and taken.when(given):
            names = names if option in several else names[:1]
            chosen[option] = names if option in several else names[0]
            _LOG.info("--%s %s, from %s", option, ", ".join(names), found.path)
    return chosen
