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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from preorder_eval.data.ragged import Column
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.formats.files import labelled, read_decoded, text_hash
from preorder_eval.formats.schema import Names, Place, PlaceError, Within, parse_toml
from preorder_eval.formats.text import whole_number
from preorder_eval.plugins import Registry
from preorder_eval.reordering.conditions import HEAD, OTHER, Slot
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.reordering.rules import Example, Pair, Rule
from preorder_eval.reordering.schemes import LABELS, UPOS, XPOS
from preorder_eval.resources import bundled_names

_LOG = logging.getLogger(__name__)


def load_rules(name: str | Path) -> RuleSet:
    """Load a rule set by the name of a bundled or installed one, or by the path of a rule file.

    In `label=path` the label is its name. Installed are those of other packages
    (`preorder_eval.plugins`). Raises UnknownNameError for an unknown name (with the known ones) and
    FormatError for a file that is not a rule file, with the key that is wrong and its legal values.

    >>> load_rules("none").rules
    ()
    """
    label, _ = labelled(name)
    text, place = _written(name)
    rules = parse_rules(text, place)
    _LOG.info("rules %s from %s", label or rules.name, place)
    return rules if label is None else replace(rules, name=label)


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


# What stands in a rule file.

_Words = Annotated[int, Within(1, 1_000_000_000)]  # that move together: more than a sentence has


@dataclass(frozen=True)
class _SlotTable:
    label: Names
    side: Literal["before", "after"] | None = None
    tag: Names = field(default_factory=list)
    word: Names = field(default_factory=list)
    feats: Names = field(default_factory=list)
    head_tag: Names = field(default_factory=list)
    head_word: Names = field(default_factory=list)
    head_label: Names = field(default_factory=list)
    sibling: Names = field(default_factory=list)
    with_word: Names = field(default_factory=list)
    with_label: Names = field(default_factory=list)
    at_least: _Words | None = None
    at_most: _Words | None = None
    reverse: bool = False

    @staticmethod
    def unfolded(value: Any, place: Place) -> Any:
        if not isinstance(value, str):
            return value
        side = {"<": "before", ">": "after"}.get(value[-1:])
        return {"label": value[:-1], "side": side} if side else {"label": value}


@dataclass(frozen=True)
class _PairTable:
    first: _SlotTable
    second: _SlotTable
    order: Literal["first", "reverse", "keep"] = "first"

    @staticmethod
    def unfolded(value: Any, place: Place) -> Any:
        if not isinstance(value, list):
            return value
        if len(value) not in (2, 3):
            message = 'a pair is two kinds of items, and perhaps "reverse" or "keep"'
            raise PlaceError(message, *place)
        return dict(zip(("first", "second", "order"), value, strict=False))


@dataclass(frozen=True)
class _WeightTable:
    label: str
    weight: float
    order: Literal["NORMAL", "REVERSE"] = "NORMAL"


@dataclass(frozen=True)
class _RuleTable:
    head: Names
    label: Names = field(default_factory=list)
    order: list[_SlotTable] | None = None
    weights: list[_WeightTable] | None = None
    pairs: Annotated[list[_PairTable], Within(1)] | None = None


@dataclass(frozen=True)
class _ExampleTable:
    tree: Annotated[list[str], Within(1)]
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
    tuned_on: Names = field(default_factory=list)
    rule: list[_RuleTable] = field(default_factory=list)
    example: list[_ExampleTable] = field(default_factory=list)


def parse_rules(text: str, file: str) -> RuleSet:
    """Read a rule set from the text of a rule file; `file` is what errors call it."""
    return parse_toml(_RuleFile, text, file, _rule_set)


def _rule_set(read: _RuleFile) -> RuleSet:
    """Make the rule set; PlaceError for what makes no sense."""
    return RuleSet(
        name=read.name,
        scheme=read.scheme,
        rules=tuple(_rules(read)),
        description=read.description,
        source=read.source,
        target=read.target,
        tags=read.tags,
        default=read.default,
        tuned_on=tuple(read.tuned_on),
        examples=tuple(_example(n, example) for n, example in enumerate(read.example)),
    )


def _rules(read: _RuleFile) -> Iterator[Rule]:
    seen: dict[tuple[str, str, bool], int] = {}
    for n, table in enumerate(read.rule):
        place, called = ("rule", n), f"rule {n + 1} ({', '.join(table.head)})"
        for k, tag in enumerate(table.head):
            _check_tag(tag, read, f"category in {called}:", (*place, "head", k))
        for k, label in enumerate(table.label):
            legal = LABELS[read.scheme]
            _check_known(label, legal, f"head label in {called}:", (*place, "label", k))
        for tag, label in itertools.product(table.head, table.label or [""]):
            key = tag, label, table.pairs is None
            if key in seen:
                heads = f"{tag} heads" + (f" attached by {label}" if label else "")
                raise PlaceError(f"{called}: {heads} have rule {seen[key]} already", *place)
            seen[key] = n + 1
        if [table.order, table.weights, table.pairs].count(None) != 2:
            raise PlaceError(f"{called}: give one of order, weights and pairs", *place)
        yield Rule(
            tuple(table.head),
            tuple(_slots(table, read, called, place)),
            tuple(table.label),
            tuple(
                _pair(pair, read, called, (*place, "pairs", k))
                for k, pair in enumerate(table.pairs or [])
            ),
        )


def _slots(table: _RuleTable, read: _RuleFile, called: str, place: Place) -> list[Slot]:
    """Make the slots of a rule, checked against each other; none for one of pairs."""
    if table.pairs is not None:
        return []
    tables = table.order or []
    if table.weights is not None:
        tables = _weighted(table.weights, called, place)
    slots: list[Slot] = []
    for k, one in enumerate(tables):
        at = (*place, "order", k)
        slot = _slot(one, read, called, at)
        conditions = {key for key, _ in slot.conditions()}
        if HEAD in slot.labels and conditions:
            raise PlaceError(f"{called}: the HEAD slot takes no conditions", *at)
        if OTHER in slot.labels and conditions - {"side"}:
            raise PlaceError(f"{called}: the OTHER slot takes no condition but side", *at)
        for label in (label for other in slots for label in slot.shared_labels(other)):
            raise PlaceError(f"{called}: {label} is in two slots", *at)
        slots.append(slot)
    labels = [label for slot in slots for label in slot.labels]
    if labels.count(HEAD) != 1:
        defect = f"{labels.count(HEAD)} HEAD slots; one must say where the head goes"
        raise PlaceError(f"{called}: {defect}", *place)
    sides = {slot.side for slot in slots if OTHER in slot.labels}
    if None not in sides and sides != {"before", "after"}:
        defect = "no OTHER slot for the children that no slot names"
        raise PlaceError(f"{called}: {defect}", *place)
    if "punct" not in labels:
        raise PlaceError(f"{called}: no slot says where punct goes", *place)
    return slots


def _pair(table: _PairTable, read: _RuleFile, called: str, place: Place) -> Pair:
    first = _slot(table.first, read, called, (*place, 0))
    second = _slot(table.second, read, called, (*place, 1))
    for slot in (first, second):
        if slot.reverse:
            raise PlaceError(f"{called}: nothing in a pair can be reversed", *place)
        if HEAD in slot.labels and slot.side:
            raise PlaceError(f"{called}: HEAD is on no side of itself", *place)
    if HEAD in first.labels and HEAD in second.labels:
        defect = "a head is one item and cannot be paired with itself"
        raise PlaceError(f"{called}: {defect}", *place)
    if first == second and table.order == "first":
        defect = f'{first.short} cannot come before itself; add "reverse" or "keep"'
        raise PlaceError(f"{called}: {defect}", *place)
    return Pair(first, second, table.order)


def _slot(table: _SlotTable, read: _RuleFile, called: str, place: Place) -> Slot:
    """Make a slot, or one side of a pair, its labels and tags checked."""
    labels = LABELS[read.scheme]
    for k, label in enumerate(table.label):
        if label not in (HEAD, OTHER):
            legal = [*labels, HEAD, OTHER]
            _check_known(label, legal, f"label in {called}:", (*place, "label", k))
    for key in ("head_label", "sibling", "with_label"):
        for k, label in enumerate(getattr(table, key)):
            _check_known(label, labels, f"{key} in {called}, {table.label}:", (*place, key, k))
    for key in ("tag", "head_tag"):
        for k, tag in enumerate(getattr(table, key)):
            _check_tag(tag, read, f"{key} in {called}, {table.label}:", (*place, key, k))
    for k, feature in enumerate(table.feats):
        if not all(feature.partition("=")):
            defect = f"feats {feature!r} is not of the form Name=Value"
            raise PlaceError(f"{called}: {defect}", *place, "feats", k)
    return Slot(
        labels=tuple(table.label),
        side=table.side,
        tags=tuple(table.tag),
        words=_lower(table.word),
        reverse=table.reverse,
        feats=tuple(table.feats),
        head_tags=tuple(table.head_tag),
        head_words=_lower(table.head_word),
        head_labels=tuple(table.head_label),
        siblings=tuple(table.sibling),
        with_words=_lower(table.with_word),
        with_labels=tuple(table.with_label),
        at_least=table.at_least,
        at_most=table.at_most,
    )


def _lower(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.lower() for word in words)


def _check_tag(tag: str, read: _RuleFile, what: str, place: Place) -> None:
    legal = UPOS if read.tags == "upos" else XPOS
    if read.tags == "xpos" and tag.endswith("*") and any(t.startswith(tag[:-1]) for t in legal):
        return
    _check_known(tag, [*legal, "*"], what, place)


def _check_known(name: str, known: Collection[str], what: str, place: Place) -> None:
    if name not in known:
        raise PlaceError(str(UnknownNameError(what, name, known)), *place)


def _weighted(weights: Sequence[_WeightTable], called: str, place: Place) -> list[_SlotTable]:
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
        slots.append(_SlotTable(labels, reverse=directions == {"REVERSE"}))
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
