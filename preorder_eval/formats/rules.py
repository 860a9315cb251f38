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

A slot is a label, or a table with `label` (one or several) and conditions: `side` ("before" or
"after" the head; `"obl>"` is short for obl after it, `"obl<"` for obl before it), `tag`, `word` and
`feats` (one or several, of the child), `head_tag`, `head_word` and `head_label` (of its head),
`sibling` (labels, one of which another child has), `with_word` and `with_label` (which a child of
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
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from preorder_eval.data.ragged import Column
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.formats.files import labelled, read_decoded, text_hash
from preorder_eval.formats.schema import (
    Gathered,
    Names,
    Place,
    PlaceError,
    Within,
    checked,
    parse_toml,
)
from preorder_eval.formats.text import whole_number
from preorder_eval.plugins import Registry
from preorder_eval.reordering.conditions import HEAD, OTHER, Slot
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.reordering.rules import Example, Pair, Rule
from preorder_eval.reordering.schemes import LABELS, SAME, UPOS, XPOS
from preorder_eval.resources import bundled_names

_LOG = logging.getLogger(__name__)
_SIZES = Within(1, 1_000_000_000)  # words that move together: more than any sentence has


def load_rules(name: str | Path) -> RuleSet:
    """Load a rule set by the name of a bundled or installed one, or by the path of a rule file.

    In `label=path` the label is its name. Installed are those of other packages
    (`preorder_eval.plugins`). Raises UnknownNameError for an unknown name (with the known ones) and
    FormatError for a file that is not a rule file, with the key that is wrong and its legal values.

    >>> load_rules("none").rules
    ()
    """
    return read_rules(name)[0]


def read_rules(rules: str | Path | RuleSet) -> tuple[RuleSet, str]:
    """Return a rule set, loaded as by `load_rules` unless it is one, with its rule file's text."""
    if isinstance(rules, RuleSet):
        return rules, format_rules(rules)
    label, _ = labelled(rules)
    text, place = _written(rules)
    parsed = parse_rules(text, place)
    _LOG.info("rules %s from %s", label or parsed.name, place)
    return (parsed if label is None else replace(parsed, name=label)), text


def rule_names() -> list[str]:
    """Return the names of all rule sets, the bundled ones first."""
    return list(_named_rules())


def rules_path(name: str | Path) -> Path:
    """Return the file that a rule set's name or path stands for."""
    found = _find(name)
    if isinstance(found, RuleSet):
        raise PreorderEvalError(f"rule set {name} was made by a package and has no file")
    return found


def rules_text(name: str | Path) -> str:
    """Return the text of the rule file that a rule set's name or path stands for."""
    return _written(name)[0]


def rules_hash(name: str | Path) -> str:
    """Return the SHA-256 of a rule file, which identifies it in results."""
    return text_hash(rules_text(name))


def _named_rules() -> Registry:
    return Registry("rules", bundled_names("rules"))


def _find(name: str | Path) -> Path | RuleSet:
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
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        return path
    raise UnknownNameError("rule set", str(name), known, "; or the path of a .toml file")


def _written(name: str | Path) -> tuple[str, str]:
    """Return a rule set as the text of a rule file, and what errors call that."""
    found = _find(name)
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

    head: Names
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
    description: str = ""
    source: str = "any"
    target: str = "any"
    tags: Literal["upos", "xpos"] = "upos"
    default: Literal["keep", "reverse"] = "keep"
    tuned_on: Names = ()
    rule: tuple[_RuleTable, ...] = ()
    example: tuple[_ExampleTable, ...] = ()


def parse_rules(text: str, file: str) -> RuleSet:
    """Read a rule set from the text of a rule file; `file` is what errors call it."""
    return parse_toml(_RuleFile, text, file, _rule_set)


def _rule_set(read: _RuleFile) -> RuleSet:
    """Make the rule set; PlaceError for what makes no sense."""
    gathered, rules, examples = Gathered(), [], []
    seen: dict[tuple[str, str, bool], int] = {}
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
    n: int, table: _RuleTable, read: _RuleFile, seen: dict[tuple[str, str, bool], int]
) -> Rule:
    """Make a rule; `seen` has the numbers of those before it, by what their heads are."""
    place, called, gathered = ("rule", n), f"rule {n + 1} ({', '.join(table.head)})", Gathered()
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
                raise PlaceError(f"{called}: {heads} have rule {seen[key]} already", *place)
            seen[key] = n + 1
    with gathered:
        if [table.order, table.weights, table.pairs].count(None) != 2:
            raise PlaceError(f"{called}: give one of order, weights and pairs", *place)
        slots = [] if table.pairs else _slots(table, read, called, place)
    for k, pair in enumerate(table.pairs or ()):
        with gathered:
            pairs.append(_pair(pair, read, called, (*place, "pairs", k)))
    gathered.raise_all()
    return Rule(table.head, tuple(slots), table.label, tuple(pairs))


def _slots(table: _RuleTable, read: _RuleFile, called: str, place: Place) -> list[Slot]:
    """Make the slots of a rule, checked against each other."""
    gathered = Gathered()
    for k, weight in enumerate(table.weights or ()):
        with gathered:
            at = (*place, "weights", k)
            _check_label(weight.label, read, f"label in {called}:", at, HEAD, OTHER)
    gathered.raise_all()
    listed: Sequence[Any] = table.order or ()
    if table.order is None:
        listed = _weighted(table.weights or (), called, place)
    slots: list[Slot] = []
    for k, one in enumerate(listed):
        at = (*place, "weights") if table.order is None else (*place, "order", k)
        with gathered:
            slot = _slot(one, read, called, at)
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
    if isinstance(value, str):
        side = {"<": "before", ">": "after"}.get(value[-1:])
        value = {"label": value[:-1], "side": side} if side else {"label": value}
    slot = checked(Slot, value, place)
    for k, label in enumerate(slot.labels):
        _check_label(label, read, f"label in {called}:", (*place, "label", k), HEAD, OTHER)
    for key, values in slot.conditions():
        what = f"{key} in {called}, {list(slot.labels)}:"
        for k, one in enumerate(values):
            at = (*place, key, k)
            if key in ("head_label", "sibling", "with_label"):
                _check_label(str(one), read, what, at)
            elif key in ("tag", "head_tag"):
                _check_tag(str(one), read, what, at)
            elif key == "feats" and not all(str(one).partition("=")):
                raise PlaceError(f"{called}: feats {one!r} is not of the form Name=Value", *at)
            elif key in ("at_least", "at_most"):
                _SIZES.check(one, (*place, key))
    words, head_words, with_words = (
        tuple(map(str.lower, some)) for some in (slot.words, slot.head_words, slot.with_words)
    )
    return replace(slot, words=words, head_words=head_words, with_words=with_words)


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
            Column.of(words),
            np.array([int(h) - 1 for h in heads], dtype=np.int32),
            Column.of(labels),
            Column.of(tags),
            Column.of(tags),
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
    conditions = dict(slot.conditions())
    if len(slot.labels) == 1 and {*conditions} <= {"side"} and not slot.reverse:
        return _quoted(slot.short)
    told = [f"label = {_one_or_listed(slot.labels)}"]
    told += [f"{key} = {_one_or_listed(values)}" for key, values in conditions.items()]
    if slot.reverse:
        told.append("reverse = true")
    return f"{{ {', '.join(told)} }}"


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
