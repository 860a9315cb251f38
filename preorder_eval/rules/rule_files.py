"""Rule files found by name, with their keys checked, and merged with the files they extend.

Whether rules and slots make sense is checked in `rule_reading`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from preorder_eval.base.errors import PreorderEvalError, UnknownNameError
from preorder_eval.base.files.files import labelled, read_decoded
from preorder_eval.base.files.schema import (
    KeyPath,
    Names,
    PlaceError,
    Toml,
    Within,
    located,
    read_as,
)
from preorder_eval.base.files.writing import path_inside
from preorder_eval.base.plugins import Registry
from preorder_eval.base.resources import bundled_names
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.rules.rule_writing import format_rules

_INHERITED = ("scheme", "source", "target", "tags", "default")  # by a file from what it extends


def rule_names() -> list[str]:
    """Return the names of all rule sets, the bundled ones first."""
    return list(_named_rules())


def rules_path(name: str | Path) -> Path:
    """Return the path of a rule set's file, given by name or path."""
    source = _find(name)
    if isinstance(source, RuleSet):
        raise PreorderEvalError(f"rule set {name} is provided by a package and has no file")
    return source


def extended_files(file: Path) -> list[Path]:
    """Return the rule files that a rule file extends, directly or indirectly, the nearest first."""
    bases = read_rule_file(rules_text(file)).files[1:]
    return [Path(base.file) for base in bases if Path(base.file).is_file()]


def _named_rules() -> Registry:
    return Registry("rules", bundled_names("rules"))


def _find(name: str | Path, folder: Path | None = None) -> Path | RuleSet:
    """Return the file of a rule set by its name or path, or the rule set of another package.

    A path from a `folder` may not lead out of it.
    """
    _, name = labelled(name)
    known = _named_rules()
    if str(name) in known:
        entry = known[str(name)]
        loaded = entry.make()
        if isinstance(loaded, RuleSet):
            return loaded
        if isinstance(loaded, str | Path) and Path(loaded).is_file():
            return Path(loaded)
        raise entry.wrong("a RuleSet or the path of a rule file")
    path = Path(name) if folder is None else path_inside(folder, str(name))
    if path.suffix == ".toml" or path.is_file():
        return path
    raise UnknownNameError("rule set", str(name), known, "; or the path of a .toml file")


def rules_text(name: str | Path, folder: Path | None = None) -> Toml:
    """Return the text of a rule set's file, given by its name or path.

    With a `folder` a path is relative to it, and must not lead out of it. A rule set that another
    package made is written as a file. Raises UnknownNameError for an unknown name, and FormatError
    for a file that cannot be read.
    """
    source = _find(name, folder)
    if isinstance(source, RuleSet):
        return Toml(format_rules(source), f"rule set {name}")
    return Toml(read_decoded(source), str(source))


@dataclass(frozen=True)
class WrittenWeight:
    """A label's weight in a rule of the weighted form."""

    label: str
    weight: float
    order: Literal["NORMAL", "REVERSE"] = "NORMAL"


@dataclass(frozen=True)
class WrittenRule:
    """A rule as it stands in a file; slots, and sides of pairs, in their short or long form."""

    head: Names = ()
    name: str = ""
    label: Names = ()
    order: tuple[Any, ...] | None = None
    weights: tuple[WrittenWeight, ...] | None = None
    pairs: Annotated[tuple[Any, ...], Within(1)] | None = None
    lift: Annotated[tuple[Any, ...], Within(1)] | None = None


@dataclass(frozen=True)
class WrittenExample:
    """A worked example as it stands in a file."""

    tree: Annotated[Names, Within(1)]
    order: str


@dataclass(frozen=True)
class RuleFile:
    """The keys of a rule file, merged with those of the files that it extends."""

    name: str
    scheme: Literal["ud", "sud", "clearnlp"]
    extends: str = ""
    description: str = ""
    source: str = "any"
    target: str = "any"
    tags: Literal["upos", "xpos"] = "upos"
    default: Literal["keep", "reverse"] = "keep"
    tuned_on: Names = ()
    words: dict[str, Annotated[Names, Within(1)]] = field(default_factory=dict)
    slots: dict[str, Annotated[tuple[Any, ...], Within(1)]] = field(default_factory=dict)
    rule: tuple[WrittenRule, ...] = ()
    example: tuple[WrittenExample, ...] = ()

    @property
    def lists(self) -> list[tuple[str, str]]:
        """The places of its named lists, such as ("words", "months")."""
        return [(key, name) for key in ("words", "slots") for name in getattr(self, key)]


@dataclass(frozen=True)
class ReadFile:
    """A rule file merged with those that it extends.

    `files` has the file itself first, then those. `written` maps the place of each rule and list to
    the file that contains it and the place in that file.
    """

    files: tuple[Toml, ...]
    rules: RuleFile
    written: Mapping[KeyPath, tuple[Toml, KeyPath]]

    def find(self, place: KeyPath) -> tuple[Toml, KeyPath]:
        """Return the file that contains a place of the merged file, and the place in that file."""
        toml, beginning = self.written.get(place[:2], (self.files[0], place[:2]))
        return toml, (*beginning, *place[2:])

    def shown(self, place: KeyPath) -> str:
        """Return the place of an entry, as `FILE:LINE`."""
        toml, there = self.find(place)
        return f"{Path(toml.file).name}:{toml.line(there)}"


def read_rule_file(toml: Toml, above: tuple[Toml, ...] = ()) -> ReadFile:
    """Read a rule file and those that it extends; `above` are the files that extend it."""
    table = toml.table()
    try:
        if "extends" in table:
            return _laid_over(_base(table["extends"], (*above, toml)), table, toml)
        return ReadFile((toml,), _checked(table), {})
    except PlaceError as error:
        raise located(error, lambda place: (toml, place)) from error


def _checked(table: dict[str, Any]) -> RuleFile:
    """Return the keys of a file; PlaceError if they do not fit, or two rules have one name."""
    file = read_as(RuleFile, table)
    names = [rule.name for rule in file.rule]
    for n, name in enumerate(names):
        if name and name in names[:n]:
            raise PlaceError(f"rule {name}: there is already a rule with this name", "rule", n)
    return file


def _base(name: Any, above: tuple[Toml, ...]) -> ReadFile:
    """Read the rule file that the last file of `above` extends, given by name or relative path."""
    if not isinstance(name, str):
        raise PlaceError(f"key extends: must be a text, not {name!r:.60}", "extends")
    try:
        base = rules_text(name, Path(above[-1].file).parent)
    except PreorderEvalError as error:
        raise PlaceError(str(error), "extends") from error
    chain = [Path(toml.file) for toml in (*above, base)]
    if chain[-1].resolve() in [file.resolve() for file in chain[:-1]]:
        circle = ", which extends ".join(file.name for file in chain)
        raise PlaceError(f"extends forms a cycle: {circle}", "extends")
    return read_rule_file(base, above)


def _laid_over(base: ReadFile, table: dict[str, Any], toml: Toml) -> ReadFile:
    """Merge a file with the file it extends: its rules and lists replace those of equal name."""
    under = base.rules
    over = _checked({key: getattr(under, key) for key in _INHERITED} | table)
    for key in ("scheme", "tags"):
        if getattr(over, key) != getattr(under, key):
            message = f"{key} is {getattr(under, key)!r} in {under.name}, which this file extends"
            raise PlaceError(f"{message}; remove {key}", key)
    for key, name in over.lists:
        if name not in getattr(under, key) and f"${name}" not in toml.text:  # replaces nothing
            known = getattr(under, key)
            message = str(UnknownNameError(f"list of {key} in {under.name}:", name, known))
            raise PlaceError(message, key, name)
    rules = list(under.rule)
    numbers = {rule.name: n for n, rule in enumerate(rules) if rule.name}
    written: dict[KeyPath, tuple[Toml, KeyPath]] = {
        ("rule", n): base.find(("rule", n)) for n in range(len(rules))
    }
    for n, rule in enumerate(over.rule):
        at = numbers.get(rule.name, len(rules))
        if at < len(rules) and not rule.head:
            rule = replace(rule, head=rules[at].head, label=rule.label or rules[at].label)
        rules[at : at + 1] = [rule]
        written["rule", at] = toml, ("rule", n)
    tuned_on = tuple(dict.fromkeys([*under.tuned_on, *over.tuned_on]))
    laid = replace(
        over,
        words=under.words | over.words,
        slots=under.slots | over.slots,
        rule=tuple(rules),
        tuned_on=tuned_on,
    )
    for place in laid.lists:
        written[place] = (toml, place) if place in over.lists else base.find(place)
    return ReadFile((toml, *base.files), laid, written)
