"""Rule files in TOML: found by name, read and checked, and written.

    name = "en-ja"
    scheme = "ud"             # the trees' annotation scheme: ud, sud or clearnlp
    source = "en"             # optional, as are target and description
    target = "ja"
    tags = "upos"             # or "xpos": what heads and `tag` conditions name
    default = "keep"          # or "reverse": what a head without a rule does
    tuned_on = ["en-ja-web/dev"]  # optional: reference sets that the rules were chosen by

    [[rule]]
    head = ["VERB", "AUX"]    # one tag or several; XPOS tags may end in *; "*" is any tag
    label = "acl:relcl"       # optional: only heads that are attached by this label (or these)
    order = ["advcl", { label = "obl", reverse = true }, "OTHER", "HEAD", "aux", "punct"]

    [[rule]]                  # the weighted form of Xu et al. (2009): larger weight first
    head = "ADP"
    weights = [{ label = "pobj", weight = 1 }, { label = "HEAD", weight = -1 }]

    [[rule]]                  # or pairs: the first that fits two items says which comes first
    head = "*"
    pairs = [["obj>", "HEAD"], [{ label = "advmod", side = "after", word = "not" }, "obl>"]]

    [[example]]
    tree = ["He PRON 2 nsubj", "eats VERB 0 root", "fish NOUN 2 obj"]
    order = "He fish eats"

What several rules have in common is written once, and used by its name after a dollar sign: a list
of words where words are, a list of slots in an `order`. A word that begins with `$` and a letter is
written with one `$` more. A file that `extends` another has all rules and lists of that one, and
puts its own in the place of those that have the same name:

    extends = "en-ja"         # a rule set's name, or a file beside this one

    [words]
    not = ["not", "n't"]

    [slots]
    endings = ["aux", { label = "advmod", word = "$not" }, "mark"]

    [[rule]]
    name = "clause"           # takes the place of en-ja's; without head and label it has that one's
    order = ["punct<", "OTHER", "HEAD", "$endings", "punct>"]

A slot is a label, or a table with `label` and conditions. A label can have a side, `"obl>"` for obl
behind its head and `"obl<"` for obl before it, and several are a list or joined, `"obl|advcl<"`.
Conditions are `side` ("before" or "after"), `tag`, `word` and `feats` (one or several, of the
child), `head_tag`, `head_word` and `head_label` (of its head), `sibling` (labels, also with a side,
one of which another child has), `with_word` and `with_label` (which a child of
its own has, as the preposition of an obl), `at_least` and `at_most` (words that move with the
child), and `reverse`. A label covers its subtypes (nmod covers nmod:poss) unless another slot
names the subtype. Of the slots that fit a child the one with most conditions takes it.

A rule with `pairs` says of two kinds of items, the head among them, which comes out first, or, with
a third word "reverse" or "keep", that they turn round or stay. What its pairs leave open the next
rule of pairs that fits the head may say, then the rule of slots that fits, then the default. Where
pairs go round in a circle, as few of them as possible are given up.
"""

from __future__ import annotations

import itertools
import json
import logging
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from preorder_eval.data.ragged import NameColumn
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.formats.files import labelled, read_decoded, text_hash
from preorder_eval.formats.schema import (
    Gathered,
    Names,
    Place,
    PlaceError,
    Toml,
    Within,
    checked,
    located,
)
from preorder_eval.formats.text import whole_number
from preorder_eval.plugins import Registry
from preorder_eval.reordering.conditions import HEAD, OTHER, Slot, sided
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.reordering.rules import Example, Pair, Rule
from preorder_eval.reordering.schemes import LABELS, SAME, UPOS, XPOS
from preorder_eval.resources import bundled_names

_LOG = logging.getLogger(__name__)
_INHERITED = ("scheme", "source", "target", "tags", "default")  # by a file from what it extends
_LIST = re.compile(r"\$+([^\W\d][\w-]*)")  # $name stands for a list, $$name for the word $name
_SIZES = Within(1, 1_000_000_000)  # words that move together: more than any sentence has


def load_rules(rules: str | Path | RuleSet) -> RuleSet:
    """Load a rule set by the name of a bundled or installed one, or by the path of a rule file.

    In `label=path` the label is its name. Installed are those of other packages
    (`preorder_eval.plugins`). Raises UnknownNameError for an unknown name (with the known ones) and
    FormatError for a file that is not a rule file, with the key that is wrong and its legal values.

    >>> load_rules("none").rules
    ()
    """
    if isinstance(rules, RuleSet):
        return rules
    label, _ = labelled(rules)
    text, place = _written(rules)
    parsed = parse_rules(text, place)
    _LOG.info("rules %s from %s", label or parsed.name, place)
    return parsed if label is None else replace(parsed, name=label)


def rule_names() -> list[str]:
    """Return the names of all rule sets, the bundled ones first."""
    return list(_named_rules())


def rules_path(name: str | Path) -> Path:
    """Return the file that a rule set's name or path stands for."""
    found = _find(name)
    if isinstance(found, RuleSet):
        raise PreorderEvalError(f"rule set {name} was made by a package and has no file")
    return found


def extended_files(file: Path) -> list[Path]:
    """Return the rule files that a rule file extends, one after the other."""
    bases = _read(Toml(read_decoded(file), str(file))).files[1:]
    return [Path(base.file) for base in bases if Path(base.file).is_file()]


def rules_text(name: str | Path) -> str:
    """Return the text of the rule file that a rule set's name or path stands for."""
    return _written(name)[0]


def rules_hash(rules: str | Path | RuleSet) -> str:
    """Return the SHA-256 of what a rule set does, whichever files, lists and names it is made of.

    >>> rules_hash("en-ja") == rules_hash(replace(load_rules("en-ja"), name="mine"))
    True
    """
    loaded = load_rules(rules)
    unnamed = tuple(replace(rule, name="") for rule in loaded.rules)
    bare = replace(loaded, rules=unnamed, name="", description="", examples=(), tuned_on=())
    return text_hash(format_rules(bare))


def _named_rules() -> Registry:
    return Registry("rules", bundled_names("rules"))


def _find(name: str | Path, folder: Path = Path()) -> Path | RuleSet:
    """Return the file that a rule set's name or path stands for, or what another package made."""
    _, name = labelled(name)
    known = _named_rules()
    if str(name) in known:
        entry = known[str(name)]
        made = entry.make()
        if isinstance(made, RuleSet):
            return made
        if isinstance(made, str | Path) and Path(made).is_file():
            return Path(made)
        raise entry.wrong("a RuleSet or the path of a rule file")
    path = folder / name
    if path.suffix == ".toml" or path.is_file():
        return path
    raise UnknownNameError("rule set", str(name), known, "; or the path of a .toml file")


def _written(name: str | Path, folder: Path = Path()) -> tuple[str, str]:
    """Return a rule set as the text of a rule file, and what errors call that."""
    found = _find(name, folder)
    if isinstance(found, RuleSet):
        return format_rules(found), f"rule set {name}"
    return read_decoded(found), str(found)


def failing_examples(rules: RuleSet) -> list[str]:
    """Return what the rule set makes of those of its own examples that come out differently."""
    failures = []
    for number, example in enumerate(rules.examples, 1):
        order = rules.reorder(example.treebank)[0]
        result = " ".join(example.treebank.words[i] for i in order)
        if result != example.expected:
            failures.append(f"example {number} gives {result!r} instead of {example.expected!r}")
    return failures


@dataclass(frozen=True)
class _WeightTable:
    label: str
    weight: float
    order: Literal["NORMAL", "REVERSE"] = "NORMAL"


@dataclass(frozen=True)
class _RuleTable:
    """A rule as it stands in a file; slots, and sides of pairs, in their short or long form."""

    head: Names = ()
    name: str = ""
    label: Names = ()
    order: tuple[Any, ...] | None = None
    weights: tuple[_WeightTable, ...] | None = None
    pairs: Annotated[tuple[Any, ...], Within(1)] | None = None


@dataclass(frozen=True)
class _ExampleTable:
    tree: Annotated[Names, Within(1)]
    order: str


@dataclass(frozen=True)
class _RuleFile:
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
    rule: tuple[_RuleTable, ...] = ()
    example: tuple[_ExampleTable, ...] = ()

    @property
    def lists(self) -> list[tuple[str, str]]:
        """The places of its named lists."""
        return [(key, name) for key in ("words", "slots") for name in getattr(self, key)]


def parse_rules(text: str, file: str) -> RuleSet:
    """Read a rule set from the text of a rule file; `file` is what errors call it."""
    toml = Toml(text, file)
    read = _read(toml)
    try:
        return _rule_set(read.rules)
    except PlaceError as error:
        raise located(error, read.find, toml.file) from error


def where_written(name: str | Path) -> list[list[str]]:
    """Return `FILE:LINE` of every slot or pair of every rule of a rule set."""
    read = _read(Toml(*_written(name)))
    places = []
    for n, rule in enumerate(read.rules.rule):
        at = ("rule", n)
        listed = [place for _, place in _listed(rule, read.rules, at)]
        places.append(listed or [(*at, "pairs", k) for k in range(len(rule.pairs or ()))])
    return [[read.shown(place) for place in listed] for listed in places]


@dataclass(frozen=True)
class _Read:
    """A rule file laid over those that it extends.

    `files` are itself and those; `written` is the file of each rule and list, with its place there.
    """

    files: tuple[Toml, ...]
    rules: _RuleFile
    written: Mapping[Place, tuple[Toml, Place]]

    def find(self, place: Place) -> tuple[Toml, Place]:
        """Return the file that something is written in, and its place there."""
        toml, beginning = self.written.get(place[:2], (self.files[0], place[:2]))
        return toml, (*beginning, *place[2:])

    def shown(self, place: Place) -> str:
        """Return where something is written as `FILE:LINE`."""
        toml, there = self.find(place)
        return f"{Path(toml.file).name}:{toml.line(there)}"


def _read(toml: Toml, above: tuple[Toml, ...] = ()) -> _Read:
    """Read a rule file with those that it extends; `above` are those that extend it."""
    table = toml.table()
    try:
        if "extends" in table:
            return _laid_over(_base(table["extends"], (*above, toml)), table, toml)
        return _Read((toml,), checked(_RuleFile, table), {})
    except PlaceError as error:
        raise located(error, lambda place: (toml, place)) from error


def _base(name: Any, above: tuple[Toml, ...]) -> _Read:
    """Read what the last of some files extends: a rule set's name, or a path from that file."""
    if not isinstance(name, str):
        raise PlaceError(f"key extends: must be a text, not {name!r:.60}", "extends")
    try:
        base = Toml(*_written(name, Path(above[-1].file).parent))
    except PreorderEvalError as error:
        raise PlaceError(str(error), "extends") from error
    chain = [Path(toml.file) for toml in (*above, base)]
    if chain[-1].resolve() in [file.resolve() for file in chain[:-1]]:
        circle = ", which extends ".join(file.name for file in chain)
        raise PlaceError(f"extends goes in a circle: {circle}", "extends")
    return _read(base, above)


def _laid_over(base: _Read, table: dict[str, Any], toml: Toml) -> _Read:
    """Lay a file over what it extends: its rules and lists replace those of the same name."""
    under = base.rules
    own = checked(_RuleFile, {key: getattr(under, key) for key in _INHERITED} | table)
    for key in ("scheme", "tags"):
        if getattr(own, key) != getattr(under, key):
            message = f"{key} is {getattr(under, key)!r} in {under.name}, which this file extends"
            raise PlaceError(f"{message}; leave {key} out", key)
    rules = list(under.rule)
    numbers = {rule.name: n for n, rule in enumerate(rules) if rule.name}
    written: dict[Place, tuple[Toml, Place]] = {
        ("rule", n): base.find(("rule", n)) for n in range(len(rules))
    }
    for n, rule in enumerate(own.rule):
        at = numbers.get(rule.name, len(rules))
        if at < len(rules) and not rule.head:
            rule = replace(rule, head=rules[at].head, label=rule.label or rules[at].label)
        rules[at : at + 1] = [rule]
        written["rule", at] = toml, ("rule", n)
    tuned_on = tuple(dict.fromkeys([*under.tuned_on, *own.tuned_on]))
    laid = replace(
        own,
        words=under.words | own.words,
        slots=under.slots | own.slots,
        rule=tuple(rules),
        tuned_on=tuned_on,
    )
    for place in laid.lists:
        written[place] = (toml, place) if place in own.lists else base.find(place)
    return _Read((toml, *base.files), laid, written)


def _rule_set(read: _RuleFile) -> RuleSet:
    """Make the rule set; PlaceError for what makes no sense."""
    gathered, rules, examples = Gathered(), [], []
    seen: dict[tuple[str, str, bool], str] = {}
    for place in read.lists:
        with gathered:
            if not _LIST.fullmatch(f"${place[1]}"):
                message = f"{place[1]!r} is no name for a list; take a letter, then letters, digits"
                raise PlaceError(f"{message}, _ and -", *place)
    for n, table in enumerate(read.rule):
        with gathered:
            rules.append(_rule(n, table, read, seen))
    for n, example in enumerate(read.example):
        with gathered:
            examples.append(_example(n, example))
    gathered.raise_all()
    return RuleSet(
        name=read.name,
        scheme=read.scheme,
        rules=tuple(rules),
        description=read.description,
        source=read.source,
        target=read.target,
        tags=read.tags,
        default=read.default,
        tuned_on=read.tuned_on,
        examples=tuple(examples),
    )


def _rule(
    n: int, table: _RuleTable, read: _RuleFile, seen: dict[tuple[str, str, bool], str]
) -> Rule:
    """Make a rule; `seen` has the names or numbers of those before it, by what their heads are."""
    place, number, gathered = ("rule", n), table.name or str(n + 1), Gathered()
    called = f"rule {number} ({', '.join(table.head)})"
    if not table.head:
        if table.name and read.extends:
            others = [rule.name for rule in read.rule if rule.head and rule.name]
            _check_known(table.name, others, f"rule of {read.extends}:", (*place, "name"))
        raise PlaceError(f"key rule {n + 1} head is missing; add head = …", *place)
    if table.name in [rule.name for rule in read.rule[:n] if rule.name]:
        raise PlaceError(f"{called}: there is a rule of this name already", *place, "name")
    pairs: list[Pair] = []
    slots: list[Slot] = []
    for k, tag in enumerate(table.head):
        with gathered:
            _check_tag(tag, read, f"category in {called}:", (*place, "head", k))
    for k, label in enumerate(table.label):
        with gathered:
            _check_label(label, read, f"head label in {called}:", (*place, "label", k))
    for tag, label in itertools.product(table.head, table.label or [""]):
        key = tag, label, table.pairs is None
        with gathered:
            if key in seen:
                heads = f"{tag} heads" + (f" attached by {label}" if label else "")
                hint = f'; name = "{seen[key]}" replaces it' if read.extends else ""
                raise PlaceError(f"{called}: {heads} have rule {seen[key]} already{hint}", *place)
            seen[key] = number
    with gathered:
        if [table.order, table.weights, table.pairs].count(None) != 2:
            raise PlaceError(f"{called}: give one of order, weights and pairs", *place)
        slots = [] if table.pairs else _slots(table, read, called, place)
    for k, pair in enumerate(table.pairs or ()):
        with gathered:
            pairs.append(_pair(pair, read, called, (*place, "pairs", k)))
    gathered.raise_all()
    return Rule(table.head, tuple(slots), table.label, tuple(pairs), table.name)


def _slots(table: _RuleTable, read: _RuleFile, called: str, place: Place) -> list[Slot]:
    """Make the slots of a rule, checked against each other."""
    gathered = Gathered()
    for k, weight in enumerate(table.weights or ()):
        with gathered:
            at = (*place, "weights", k)
            _check_label(weight.label, read, f"label in {called}:", at, HEAD, OTHER)
    gathered.raise_all()
    slots: list[Slot] = []
    for one, at in _listed(table, read, place, called):
        with gathered:
            slot = _slot(one, read, called if at[0] == "rule" else f"list {at[1]}", at)
            conditions = {key for key, _ in slot.conditions()}
            if HEAD in slot.labels and conditions:
                raise PlaceError(f"{called}: the HEAD slot takes no conditions", *at)
            if OTHER in slot.labels and conditions - {"side"}:
                raise PlaceError(f"{called}: the OTHER slot takes no condition but side", *at)
            for label in (label for other in slots for label in slot.shared_labels(other)):
                raise PlaceError(f"{called}: {label} is in two slots", *at)
            slots.append(slot)
    gathered.raise_all()
    labels = [label for slot in slots for label in slot.labels]
    sides = {slot.side for slot in slots if OTHER in slot.labels}
    defect = ""
    if labels.count(HEAD) != 1:
        defect = f"{labels.count(HEAD)} HEAD slots; one must say where the head goes"
    elif None not in sides and sides != {"before", "after"}:
        defect = "no OTHER slot for the children that no slot names"
    elif "punct" not in labels:
        defect = "no slot says where punct goes"
    if defect:
        raise PlaceError(f"{called}: {defect}", *place)
    return slots


def _listed(
    table: _RuleTable, read: _RuleFile, place: Place, called: str = ""
) -> Iterator[tuple[Any, Place]]:
    """Yield the slots of a rule, those of lists among them, each with its place."""
    if table.weights is not None:
        yield from ((slot, (*place, "weights")) for slot in _weighted(table.weights, called, place))
    for k, slot in enumerate(table.order or ()):
        at = (*place, "order", k)
        if isinstance(slot, str) and _LIST.fullmatch(slot):
            name = slot[1:]
            _check_known(name, read.slots, f"list of slots in {called}:", at)
            yield from ((one, ("slots", name, i)) for i, one in enumerate(read.slots[name]))
        else:
            yield slot, at


def _pair(value: Any, read: _RuleFile, called: str, place: Place) -> Pair:
    if not isinstance(value, list) or len(value) not in (2, 3):
        message = 'a pair is two kinds of items, and perhaps "reverse" or "keep"'
        raise PlaceError(f"{called}: {message}", *place)
    order: Any = value[2] if len(value) == 3 else "first"
    if order not in ("first", "reverse", "keep"):
        message = f"the third of a pair must be 'first', 'reverse' or 'keep', not {order!r:.60}"
        raise PlaceError(f"{called}: {message}", *place, 2)
    first, second = (_slot(value[k], read, called, (*place, k)) for k in (0, 1))
    defect = ""
    if first.reverse or second.reverse:
        defect = "nothing in a pair can be reversed"
    elif any(HEAD in slot.labels and slot.side for slot in (first, second)):
        defect = "HEAD is on no side of itself"
    elif HEAD in first.labels and HEAD in second.labels:
        defect = "a head is one item and cannot be paired with itself"
    elif first == second and order == "first":
        defect = f'{first.short} cannot come before itself; add "reverse" or "keep"'
    if defect:
        raise PlaceError(f"{called}: {defect}", *place)
    return Pair(first, second, order)


def _slot(value: Any, read: _RuleFile, called: str, place: Place) -> Slot:
    """Make a slot, or one side of a pair, of its short or long form, and check it."""
    table = {"label": value} if isinstance(value, str) else value
    if isinstance(table, dict) and isinstance(table.get("label"), str) and "side" not in table:
        labels, side = sided(table["label"])
        table = table | {"label": labels.split("|"), "side": side}
    slot = checked(Slot, table, place)
    for k, label in enumerate(slot.labels):
        _check_label(label, read, f"label in {called}:", (*place, "label", k), HEAD, OTHER)
    for key, values in slot.conditions():
        what = f"{key} in {called}, {list(slot.labels)}:"
        for k, one in enumerate(values):
            at = (*place, key, k)
            if key in ("head_label", "sibling", "with_label"):
                label = sided(str(one))[0] if key == "sibling" else str(one)
                _check_label(label, read, what, at)
            elif key in ("tag", "head_tag"):
                _check_tag(str(one), read, what, at)
            elif key == "feats" and not all(str(one).partition("=")):
                raise PlaceError(f"{called}: feats {one!r} is not of the form Name=Value", *at)
            elif key in ("at_least", "at_most"):
                _SIZES.check(one, (*place, key))
    what = f"list of words in {called}, {list(slot.labels)}:"
    return replace(
        slot,
        words=_words(slot.words, read, what, (*place, "word")),
        head_words=_words(slot.head_words, read, what, (*place, "head_word")),
        with_words=_words(slot.with_words, read, what, (*place, "with_word")),
    )


def _words(given: Names, read: _RuleFile, what: str, place: Place) -> Names:
    """Return words in lower case, those of lists among them."""
    words: list[str] = []
    for k, word in enumerate(given):
        name = _LIST.fullmatch(word)
        if name is None or word.startswith("$$"):
            words.append(word if name is None else word[1:])
        else:
            _check_known(name[1], read.words, what, (*place, k))
            words += read.words[name[1]]
    return tuple(map(str.lower, words))


def _check_tag(tag: str, read: _RuleFile, what: str, place: Place) -> None:
    legal = UPOS if read.tags == "upos" else XPOS
    if read.tags == "xpos" and tag.endswith("*") and any(t.startswith(tag[:-1]) for t in legal):
        return
    _check_known(tag, [*legal, "*"], what, place)


def _check_label(label: str, read: _RuleFile, what: str, place: Place, *slots: str) -> None:
    """Raise PlaceError for a label that the scheme does not have, unless it names a slot."""
    others = [scheme for scheme, labels in LABELS.items() if label in labels]
    if others and read.scheme not in others:
        same = SAME[read.scheme].get(label)
        defect = f"{what} {label!r} is a label of {' and '.join(others)}, not of {read.scheme}"
        write = f"{same!r}, or " if same else ""
        raise PlaceError(f'{defect}; write {write}scheme = "{others[0]}"', *place)
    _check_known(label, [*LABELS[read.scheme], *slots], what, place)


def _check_known(name: str, known: Collection[str], what: str, place: Place) -> None:
    if name not in known:
        raise PlaceError(str(UnknownNameError(what, name, known)), *place)


def _weighted(weights: Sequence[_WeightTable], called: str, place: Place) -> list[dict[str, Any]]:
    """Return the slots of a weighted rule: what weighs the same shares a slot.

    Children that are not named weigh 0 (Xu et al. 2009), and so does a head that is not named.
    """
    named = {weight.label for weight in weights}
    zeros = [_WeightTable(label, 0.0) for label in (HEAD, OTHER) if label not in named]
    by_weight: dict[float, list[_WeightTable]] = {}
    for weight in [*weights, *zeros]:
        by_weight.setdefault(weight.weight, []).append(weight)
    slots = []
    for _, members in sorted(by_weight.items(), reverse=True):
        directions = {member.order for member in members if member not in zeros}
        labels = [member.label for member in members]
        if len(directions) > 1:
            defect = f"{', '.join(labels)} weigh the same, but one is NORMAL and one REVERSE"
            raise PlaceError(f"{called}: {defect}", *place, "weights")
        slots.append({"label": labels, "reverse": directions == {"REVERSE"}})
    return slots


def _example(number: int, table: _ExampleTable) -> Example:
    called, place = f"example {number + 1}", ("example", number)
    rows = [token.split(" ") for token in table.tree]
    for k, row in enumerate(rows):
        if len(row) != 4 or whole_number(row[2]) is None:
            defect = f"token {' '.join(row)!r} is not 'word TAG head label'"
            raise PlaceError(f"{called}: {defect}", *place, "tree", k)
    words, tags, heads, labels = (list(part) for part in zip(*rows, strict=True))
    if sorted(table.order.split(" ")) != sorted(words):
        defect = "order does not hold the words of the tree"
        raise PlaceError(f"{called}: {defect}", *place, "order")
    try:
        treebank = Treebank(
            np.array([0, len(rows)]),
            NameColumn.of(words),
            np.array([int(h) - 1 for h in heads], dtype=np.int32),
            NameColumn.of(labels),
            NameColumn.of(tags),
            NameColumn.of(tags),
        )
    except PreorderEvalError as error:
        raise PlaceError(f"{called}: {error}", *place, "tree") from error
    return Example(treebank, table.order)


def format_rules(rules: RuleSet, notes: Mapping[Pair, str] | None = None) -> str:
    """Write a rule file that reads back as the same rules; `notes` are remarks on pairs.

    >>> print(format_rules(RuleSet("mine", "ud", (Rule(("ADP",), (Slot(("HEAD",)),)),))), end="")
    name = "mine"
    scheme = "ud"
    <BLANKLINE>
    [[rule]]
    head = "ADP"
    order = [
      "HEAD",
    ]
    """
    usual = RuleSet(rules.name, rules.scheme)
    keys = ("description", "source", "target", "tags", "default")
    lines = [f"name = {_quoted(rules.name)}", f"scheme = {_quoted(rules.scheme)}"]
    told = [key for key in keys if getattr(rules, key) != getattr(usual, key)]
    lines += [f"{key} = {_quoted(getattr(rules, key))}" for key in told]
    if rules.tuned_on:
        lines.append(f"tuned_on = {_one_or_listed(rules.tuned_on)}")
    for rule in rules.rules:
        lines += ["", *_rule_lines(rule, notes or {})]
    for example in rules.examples:
        lines += ["", *_example_lines(example, rules.tags)]
    return "\n".join([*lines, ""])


def _rule_lines(rule: Rule, notes: Mapping[Pair, str]) -> Iterator[str]:
    yield "[[rule]]"
    if rule.name:
        yield f"name = {_quoted(rule.name)}"
    yield f"head = {_one_or_listed(rule.heads)}"
    if rule.labels:
        yield f"label = {_one_or_listed(rule.labels)}"
    yield "pairs = [" if rule.pairs else "order = ["
    for pair in rule.pairs:
        note = f"  # {notes[pair]}" if pair in notes else ""
        order = "" if pair.order == "first" else f", {_quoted(pair.order)}"
        yield f"  [{_item(pair.first)}, {_item(pair.second)}{order}],{note}"
    for slot in rule.slots:
        yield f"  {_item(slot)},"
    yield "]"


def _item(slot: Slot) -> str:
    """Write a slot, or one side of a pair, in its short form where it has one."""
    told = [f"label = {_quoted(slot.kind)}"]
    for key, values in slot.conditions():
        if key != "side":
            escaped = [f"${one}" if _LIST.fullmatch(str(one)) else one for one in values]
            told.append(f"{key} = {_one_or_listed(escaped)}")
    if slot.reverse:
        told.append("reverse = true")
    return f"{{ {', '.join(told)} }}" if told[1:] else _quoted(slot.kind)


def _example_lines(example: Example, tags: Literal["upos", "xpos"]) -> Iterator[str]:
    tree = example.treebank[0]
    tokens = zip(tree.words, getattr(tree, tags), tree.heads, tree.labels, strict=True)
    yield "[[example]]"
    yield "tree = ["
    for word, tag, head, label in tokens:
        yield f"  {_quoted(f'{word} {tag} {head + 1} {label}')},"
    yield "]"
    yield f"order = {_quoted(example.expected)}"


def _one_or_listed(values: Sequence[str | int]) -> str:
    written = [str(value) if isinstance(value, int) else _quoted(value) for value in values]
    return written[0] if len(written) == 1 else f"[{', '.join(written)}]"


def _quoted(text: str) -> str:
    """Write a basic string of TOML, which escapes as JSON does, and also the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
