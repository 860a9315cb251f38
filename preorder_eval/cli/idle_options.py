"""Options that would have no effect beside the others, which every command refuses.

Somebody who gives an option means something by it, and would believe it done. Options whose sense
depends on more than the command line, as on what a run folder holds, are looked at by the commands.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

# By command and option, the options of which one must be given too: a name, or a name and a value.
_ALIGNED = {"alignment_format": "alignment", "source": "alignment"}
_JUDGED = {
    **dict.fromkeys(("system_column", "line_column", "score_column", "judge_column"), "scores"),
    **dict.fromkeys(("line_base", "without"), "scores rankings"),
}
_INPUTS = {
    "base": "hyp_alignment ref_alignment hyp_ref_alignment",
    "direction": "hyp_alignment ref_alignment hyp_ref_alignment",
    "map_tags": "hyp_tags ref_tags tagger",
    "map_source_tags": "source_tags source_tagger",
    "trust": "tagger source_tagger",
}
_NEEDED: dict[str, dict[str, str]] = {
    "analyse": {"trust": "tagger"},
    "attachment": {"alignment_format": "alignment", "no_cache": "parser", "trust": "parser"},
    "evaluate": {
        **_ALIGNED,
        **dict.fromkeys(("target", "base", "direction", "links"), "alignment"),
        "raw": "source",
        "test": "significance",
        "attach_null": "compat=lader",
        "combine_blocks": "compat=lader",
    },
    "meta": {**_JUDGED, **_INPUTS},
    "report": {**_JUDGED, "trust": "tagger"},
    "reproduce metrics": {**_JUDGED, **_INPUTS},
    "rules ablate": _ALIGNED,
    "rules learn": _ALIGNED,
    "rules oracle": _ALIGNED,
    "rules show": dict.fromkeys(("reference", "parser", "trust"), "sentence"),
    "score": _INPUTS,
    "select": _ALIGNED,
    "train": {"weight": "train", "evaluate_every": "dev config"},
    "tune": {**_JUDGED, **_INPUTS},
    "watch": {**_ALIGNED, "port": "report"},
}
# By command and option, the options beside which it says nothing.
_SILENT: dict[str, dict[str, str]] = {
    "compare": {"sentences": "tsv"},
    # A peer's own lines are printed, and nothing else.
    "evaluate": dict.fromkeys(
        ("json", "tsv", "out", "significance", "power", "metric", "resamples", "seed"), "compat"
    ),
    "reorder": dict.fromkeys(("source", "raw", "parser", "jobs", "no_cache", "trust"), "trees"),
    "reproduce parsers": dict.fromkeys(("select", "evaluate"), "folds"),
    "score": {"verbose": "json tsv form=markdown form=latex", "language": "tokenize"},
    "meta": {"whole": "json tsv", "language": "tokenize"},
    "select": dict.fromkeys(("n", "trust", "jobs"), "nbest"),
    "tune": {"language": "tokenize"},
}
# What is said of parsing where nothing is parsed.
_OF_PARSING = ("no_cache", "trust")
_GOLD = "gold"
# By option of `analyse`, the table that it is for.
_OF_TABLE = {
    "gold": "errors",
    "training": "frequency",
    "source": "sentences",
    "tagger": "upos",
}
# Options of which a value given again says nothing more.
_DISTINCT = ("metric", "by", "parser", "gate", "without", "also", "run")


def idle_option(command: str, given: Mapping[str, Any], called: Mapping[str, str]) -> str | None:
    """What is wrong with an option that has no effect beside what else is given, if one has none.

    Parameters: `given` the values of what stands on the command line, and `called` what options are
    called there.

    >>> idle_option("watch", {"port": "8000"}, {"port": "--port", "report": "--report"})
    '--port goes with --report'
    """
    for option, needed in _NEEDED.get(command, {}).items():
        others = needed.split()
        if option in given and not any(_is_given(other, given) for other in others):
            return f"{called[option]} goes with {_listed(others, called)}"
    for option, beside in _SILENT.get(command, {}).items():
        others = [other for other in beside.split() if _is_given(other, given)]
        if option in given and others:
            return f"{called[option]} has no effect beside {_listed(others, called)}"
    for option in filter(given.__contains__, _OF_PARSING):
        if _parses_nothing(given):
            return f"{called[option]} has no effect, as nothing is parsed"
    for option, table in _OF_TABLE.items() if command == "analyse" else ():
        if option in given and table not in given.get("by", [table]):
            return f"{called[option]} goes with --by {table}"
    for option in _DISTINCT:
        values = given.get(option)
        again = [v for v in values if values.count(v) > 1] if isinstance(values, list) else []
        if again:
            return f"{called[option]} {again[0]} is given twice, but counts once"
    return None


def _parses_nothing(given: Mapping[str, Any]) -> bool:
    """Whether the command line names no parser, and something that takes its place."""
    parsers = given.get("parser", [])
    if parsers:
        named = [parsers] if isinstance(parsers, str) else parsers
        return all(name.rpartition("=")[2] == _GOLD for name in named)
    ordered = "orders" in given or "system_alignment" in given
    return "trees" in given or (ordered and "rules" not in given)


def _is_given(written: str, given: Mapping[str, Any]) -> bool:
    name, equals, value = written.partition("=")
    return name in given and (not equals or given[name] == value)


def _listed(written: Collection[str], called: Mapping[str, str]) -> str:
    """Options as they stand on the command line."""
    names = [one.partition("=") for one in written]
    return " or ".join(f"{called[name]} {value}".strip() for name, _, value in names)
