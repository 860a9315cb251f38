"""Rule files in TOML, read and checked.

    name = "en-ja"
    scheme = "ud"             # the trees' annotation scheme: ud, sud or clearnlp

    [[rule]]
    head = ["VERB", "AUX"]
    order = ["advcl", { label = "obl", reverse = true }, "OTHER", "HEAD", "aux", "punct"]

The manual's page `rules` describes all keys, named lists, files that extend others, slots, pairs
and their conditions.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from preorder_eval.base.arrays import offsets_of
from preorder_eval.base.errors import UnknownNameError
from preorder_eval.base.files.files import labelled, labelled_path, stem, text_hash
from preorder_eval.base.files.schema import (
    Gathered,
    KeyPath,
    Names,
    PlaceError,
    Toml,
    Within,
    located,
    read_as,
)
from preorder_eval.base.resources import bundled
from preorder_eval.base.text.stems import STEMMERS, has_stemmer
from preorder_eval.base.text.text_files import whole_number
from preorder_eval.rules.conditions import CONDITIONS, HEAD, OTHER, Slot
from preorder_eval.rules.items import sided
from preorder_eval.rules.rule import Example, Pair, Rule
from preorder_eval.rules.rule_files import (
    RuleFile,
    WrittenExample,
    WrittenRule,
    WrittenWeight,
    read_rule_file,
    rules_text,
)
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.rules.rule_writing import LIST, format_rules
from preorder_eval.rules.words import unmarked
from preorder_eval.trees.schemes import LABELS, SAME, UPOS, XPOS
from preorder_eval.trees.treebank import Tree, Treebank, broken_trees, tree_defect

_LOG = logging.getLogger(__name__)
_SIZES = Within(1, 1_000_000_000)  # words that move together: more than any sentence has


def load_rules(rules: str | Path | RuleSet) -> RuleSet:
    """Load a rule set by the name of a bundled or installed one, or by the path of a rule file.

    In `label=path` the label is its name. Installed are those of other packages
    (`preorder_eval.base.plugins`). Raises UnknownNameError for an unknown name, with the known
    ones. Raises FormatError for a file that is not a rule file, with the wrong key and its legal
    values.

    >>> import preorder_eval as pe
    >>> pe.load_rules("none").rules
    ()
    """
    if isinstance(rules, RuleSet):
        return rules
    label, _ = labelled(rules)
    toml = rules_text(rules)
    ours = Path(toml.file).parent == bundled("rules")
    parsed = (_parse_bundled if ours else parse_rules)(toml.text, toml.file)
    _LOG.info("rules %s from %s", label or parsed.name, toml.file)
    return parsed if label is None else replace(parsed, name=label)


def load_rule_sets(rules: Sequence[str | Path | RuleSet]) -> list[RuleSet]:
    """Load rule sets that are scored together; files of one name within are called by their files.

    Parameters: `rules` each as for `load_rules`, with its errors.
    """
    loaded = list(map(load_rules, rules))
    names = [rule_set.name for rule_set in loaded]
    for number, given in enumerate(rules):
        is_file = not isinstance(given, RuleSet) and str(given).endswith(".toml")
        if is_file and names.count(names[number]) > 1:
            label, path = labelled_path(str(given))
            loaded[number] = replace(loaded[number], name=label or stem(path))
    return loaded


def rules_hash(rules: str | Path | RuleSet) -> str:
    """Return a SHA-256 of the effect of a rule set.

    It does not depend on names, descriptions and examples, nor on how the rules are spread over
    files and lists.

    >>> rules_hash("en-ja") == rules_hash(replace(load_rules("en-ja"), name="mine"))
    True
    """
    loaded = load_rules(rules)
    unnamed = tuple(replace(rule, name="") for rule in loaded.rules)
    bare = replace(loaded, rules=unnamed, name="", description="", examples=(), tuned_on=())
    return text_hash(format_rules(bare))


def failing_examples(rules: RuleSet) -> list[str]:
    """Return a line for each of a rule set's own examples that its rules get wrong."""
    if not rules.examples:
        return []
    failures = []
    orders = rules.reorder(Treebank.of([example.tree for example in rules.examples]))
    for number, (example, order) in enumerate(zip(rules.examples, orders, strict=True), 1):
        result = " ".join(example.tree.words[i] for i in order)
        if result != example.expected:
            failures.append(f"example {number} gives {result!r} instead of {example.expected!r}")
    return failures


def parse_rules(text: str, file: str | Path) -> RuleSet:
    """Read a rule set from the text of a rule file; `file` is what errors call it."""
    toml = Toml(text, file)
    read = read_rule_file(toml)
    try:
        return _rule_set(read.rules)
    except PlaceError as error:
        raise located(error, read.find, toml.file) from error


@lru_cache(maxsize=64)
def _parse_bundled(text: str, file: str | Path) -> RuleSet:
    """Read a bundled rule file, once in a process because reports and tools load it repeatedly.

    Other files may extend files that have changed since.
    """
    return parse_rules(text, file)


def where_written(name: str | Path) -> list[list[str]]:
    """Return `FILE:LINE` of every slot or pair, for every rule of a rule set."""
    read = read_rule_file(rules_text(name))
    places = []
    for n, rule in enumerate(read.rules.rule):
        at = ("rule", n)
        listed = [place for _, place in _listed(rule, read.rules, at)]
        places.append(listed or [(*at, "pairs", k) for k in range(len(rule.pairs or ()))])
    return [[read.shown(place) for place in listed] for listed in places]


def _rule_set(read: RuleFile) -> RuleSet:
    """Make the rule set; raise PlaceError for rules that make no sense."""
    gathered, rules, examples = Gathered(), [], []
    seen: dict[tuple[str, str, bool], str] = {}
    for key, name in read.lists:
        with gathered:
            if not LIST.fullmatch(f"${name}"):
                message = (
                    f"{name!r} is not a valid name of a list; use a letter, then letters, digits"
                )
                raise PlaceError(f"{message}, _ and -", key, name)
            for k, word in enumerate(read.words[name] if key == "words" else ()):
                if LIST.fullmatch(word) and not word.startswith("$$"):
                    message = (
                        f"list {name}: a list of words cannot contain another list, such "
                        f"as {word!r}"
                    )
                    raise PlaceError(f"{message}; ${word} is the word", key, name, k)
    for n, table in enumerate(read.rule):
        with gathered:
            rules.append(_rule(n, table, read, seen))
    for n, example in enumerate(read.example):
        with gathered:
            examples.append(_example(n, example))
    gathered.raise_all()
    _check_trees(examples)
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
    n: int, table: WrittenRule, read: RuleFile, seen: dict[tuple[str, str, bool], str]
) -> Rule:
    """Make a rule; `seen` has the names or numbers of those before it, by what their heads are."""
    place, number, gathered = ("rule", n), table.name or str(n + 1), Gathered()
    called = f"rule {number} ({', '.join(table.head)})"
    if not table.head:
        if table.name and read.extends:
            others = [rule.name for rule in read.rule if rule.head and rule.name]
            _check_known(table.name, others, f"rule of {read.extends}:", (*place, "name"))
        raise PlaceError(f"key rule {n + 1} head is missing; add head = …", *place)
    pairs: list[Pair] = []
    slots: list[Slot] = []
    lift: list[Slot] = []
    for k, tag in enumerate(table.head):
        with gathered:
            _check_tag(tag, read, f"category in {called}:", (*place, "head", k))
    for k, label in enumerate(table.label):
        with gathered:
            _check_label(label, read, f"head label in {called}:", (*place, "label", k))
    for tag, label in itertools.product(table.head, table.label or [""]):
        key = tag, label, table.pairs is None
        with gathered:
            if key in seen and not table.lift:
                heads = f"{tag} heads" + (f" attached by {label}" if label else "")
                replaceable = read.extends and seen[key] in [rule.name for rule in read.rule]
                hint = f'; name = "{seen[key]}" replaces it' if replaceable else ""
                raise PlaceError(f"{called}: {heads} already have rule {seen[key]}{hint}", *place)
            if not table.lift:
                seen[key] = number
    with gathered:
        if [table.order, table.weights, table.pairs, table.lift].count(None) != 3:
            raise PlaceError(
                f"{called}: give exactly one of order, weights, pairs and lift", *place
            )
        slots = [] if table.pairs or table.lift else _slots(table, read, called, place)
    for k, pair in enumerate(table.pairs or ()):
        with gathered:
            pairs.append(_pair(pair, read, called, (*place, "pairs", k)))
    for one, at in _listed(table, read, place) if table.lift else ():
        with gathered:
            lift.append(_slot(one, read, called, at))
            if HEAD in lift[-1].labels or lift[-1].reverse:
                raise PlaceError(f"{called}: lift cannot have reverse", *at)
    gathered.raise_all()
    return Rule(table.head, tuple(slots), table.label, tuple(pairs), table.name, tuple(lift))


def _slots(table: WrittenRule, read: RuleFile, called: str, place: KeyPath) -> list[Slot]:
    """Make the slots of a rule, checked against each other."""
    gathered = Gathered()
    for k, weight in enumerate(table.weights or ()):
        with gathered:
            at = (*place, "weights", k)
            _check_label(weight.label, read, f"label in {called}:", at, HEAD, OTHER)
    gathered.raise_all()
    slots: list[Slot] = []
    in_same_places: dict[object, list[Slot]] = {}  # others have no child in common
    for one, at in _listed(table, read, place, called):
        with gathered:
            slot = _slot(one, read, called if at[0] == "rule" else f"list {at[1]}", at)
            conditions = {key for key, _ in slot.conditions()}
            if HEAD in slot.labels and conditions:
                raise PlaceError(f"{called}: the HEAD slot cannot have conditions", *at)
            if OTHER in slot.labels and conditions - {"side"}:
                raise PlaceError(f"{called}: the OTHER slot can only have the condition side", *at)
            alike = in_same_places.setdefault((slot.side, slot.surroundings), [])
            for label in (
                label for other in alike for label in slot.shared_labels(other, read.source)
            ):
                raise PlaceError(f"{called}: {label} is in two slots", *at)
            slots.append(slot)
            alike.append(slot)
    gathered.raise_all()
    labels = [label for slot in slots for label in slot.labels]
    sides = {slot.side for slot in slots if OTHER in slot.labels}
    defect = ""
    if labels.count(HEAD) != 1:
        defect = f"{labels.count(HEAD)} HEAD slots; give one for the head"
    elif None not in sides and sides != {"before", "after"}:
        defect = "no OTHER slot for all other children"
    elif "punct" not in labels:
        defect = "no slot for punct"
    if defect:
        raise PlaceError(f"{called}: {defect}", *place)
    return slots


def _listed(
    table: WrittenRule, read: RuleFile, place: KeyPath, called: str = ""
) -> Iterator[tuple[Any, KeyPath]]:
    """Yield the slots of a rule, those of lists among them, each with its place."""
    if table.weights is not None:
        yield from ((slot, (*place, "weights")) for slot in _weighted(table.weights, called, place))
    key = "lift" if table.lift else "order"
    for k, slot in enumerate(table.lift or table.order or ()):
        at = (*place, key, k)
        if isinstance(slot, str) and LIST.fullmatch(slot):
            name = slot[1:]
            _check_known(name, read.slots, f"list of slots in {called}:", at)
            yield from ((one, ("slots", name, i)) for i, one in enumerate(read.slots[name]))
        else:
            yield slot, at


def _pair(value: Any, read: RuleFile, called: str, place: KeyPath) -> Pair:
    if not isinstance(value, list) or len(value) not in (2, 3):
        message = 'a pair has two kinds of items, and optionally "reverse" or "keep"'
        raise PlaceError(f"{called}: {message}", *place)
    order: Any = value[2] if len(value) == 3 else "first"
    if order not in ("first", "reverse", "keep"):
        message = (
            f"the third item of a pair must be 'first', 'reverse' or 'keep', not {order!r:.60}"
        )
        raise PlaceError(f"{called}: {message}", *place, 2)
    first, second = (_slot(value[k], read, called, (*place, k)) for k in (0, 1))
    defect = ""
    if first.reverse or second.reverse:
        defect = "pairs cannot have reverse"
    elif any(HEAD in slot.labels and slot.side for slot in (first, second)):
        defect = "HEAD cannot have a side"
    elif HEAD in first.labels and HEAD in second.labels:
        defect = "HEAD cannot be paired with itself"
    elif first == second and order == "first":
        defect = f'{first.short} cannot come before itself; add "reverse" or "keep"'
    if defect:
        raise PlaceError(f"{called}: {defect}", *place)
    return Pair(first, second, order)


def _slot(value: Any, read: RuleFile, called: str, place: KeyPath) -> Slot:
    """Make a slot, or one side of a pair, of its short or long form, and check it."""
    table = {"label": value} if isinstance(value, str) else value
    if isinstance(table, dict) and isinstance(table.get("label"), str) and "side" not in table:
        labels, sides = zip(*map(sided, table["label"].split("|")), strict=True)
        if {*sides[:-1]} not in (set(), {None}, {sides[-1]}):
            message = f"the labels of a slot must have the same side, unlike {table['label']!r:.60}"
            raise PlaceError(f"{called}: {message}; write a slot for each side", *place)
        table = table | {"label": labels, "side": sides[-1]}
    slot = read_as(Slot, table, place)
    for k, label in enumerate(slot.labels):
        _check_label(label, read, f"label in {called}:", (*place, "label", k), HEAD, OTHER)
    if len(table) == 1 or table.keys() == {"label", "side"}:  # as most slots
        return slot
    words: dict[str, Any] = {}
    for key, values in slot.conditions():
        what, kind = f"{key} in {called}, {list(slot.labels)}:", CONDITIONS[key].metadata["kind"]
        if kind == "word":
            what = f"list of words in {called}, {list(slot.labels)}:"
            words[CONDITIONS[key].name] = _words(cast(Names, values), read, what, (*place, key))
            continue
        for k, one in enumerate(values):
            at = (*place, key, k)
            if kind == "label":
                _check_label(str(one), read, what, at)
            elif kind == "sided label":
                _check_label(sided(str(one))[0], read, what, at)
            elif kind == "tag":
                _check_tag(str(one), read, what, at)
            elif kind == "feature" and not all(str(one).partition("=")):
                raise PlaceError(f"{called}: {key} {one!r} does not have the form Name=Value", *at)
            elif kind == "number":
                _SIZES.check(one, (*place, key))
    return replace(slot, **words) if words else slot


def _words(given: Names, read: RuleFile, what: str, place: KeyPath) -> Names:
    """Return words in lower case, those of lists among them."""
    words: list[str] = []
    for k, word in enumerate(given):
        name, of_list = LIST.fullmatch(word), [word]
        if name is not None and not word.startswith("$$"):
            _check_known(name[1], read.words, what, (*place, k))
            of_list = list(read.words[name[1]])
        for one in of_list:
            if unmarked(one) != one and not has_stemmer(read.source):
                message = (
                    f"{what.partition(' in ')[2]} {one!r} stands for all words of a stem, but "
                    f"source = {read.source!r} has no stemmer; set source to one of "
                )
                raise PlaceError(f"{message}{', '.join(STEMMERS)}, or list the words", *place, k)
        words += of_list
    escaped = {word for word in words if word.startswith("$") and LIST.fullmatch(word)}
    return tuple((word[1:] if word in escaped else word).lower() for word in words)


def _check_tag(tag: str, read: RuleFile, what: str, place: KeyPath) -> None:
    legal = UPOS if read.tags == "upos" else XPOS
    if tag in legal:
        return
    if read.tags == "xpos" and tag.endswith("*") and any(t.startswith(tag[:-1]) for t in legal):
        return
    _check_known(tag, [*legal, "*"], what, place)


def _check_label(label: str, read: RuleFile, what: str, place: KeyPath, *slots: str) -> None:
    """Raise PlaceError for a label that the scheme does not have, unless it names a slot."""
    if label in LABELS[read.scheme] or label in slots:
        return
    others = [scheme for scheme, labels in LABELS.items() if label in labels]
    if others:
        same = SAME[read.scheme].get(label)
        defect = f"{what} {label!r} is a label of {' and '.join(others)}, not of {read.scheme}"
        write = f"{same!r}, or " if same else ""
        raise PlaceError(f'{defect}; write {write}scheme = "{others[0]}"', *place)
    _check_known(label, [*LABELS[read.scheme], *slots], what, place)


def _check_known(name: str, known: Collection[str], what: str, place: KeyPath) -> None:
    if name not in known:
        several = name.split("|")
        if len(several) > 1 and all(part in known for part in several):
            listed = ", ".join(f'"{part}"' for part in several)
            raise PlaceError(f"{what} {name!r} are several; write a list: [{listed}]", *place)
        raise PlaceError(str(UnknownNameError(what, name, known)), *place)


def _weighted(
    weights: Sequence[WrittenWeight], called: str, place: KeyPath
) -> list[dict[str, Any]]:
    """Return the slots of a weighted rule: labels of equal weight share a slot.

    Children that are not named weigh 0 (Xu et al. 2009), and so does a head that is not named.
    """
    named = {weight.label for weight in weights}
    zeros = [WrittenWeight(label, 0.0) for label in (HEAD, OTHER) if label not in named]
    by_weight: dict[float, list[WrittenWeight]] = {}
    for weight in [*weights, *zeros]:
        by_weight.setdefault(weight.weight, []).append(weight)
    slots = []
    for _, members in sorted(by_weight.items(), reverse=True):
        directions = {member.order for member in members if member not in zeros}
        labels = [member.label for member in members]
        if len(directions) > 1:
            defect = f"{', '.join(labels)} have the same weight, but one is NORMAL and one REVERSE"
            raise PlaceError(f"{called}: {defect}", *place, "weights")
        slots.append({"label": labels, "reverse": directions == {"REVERSE"}})
    return slots


def _example(number: int, table: WrittenExample) -> Example:
    called, place = f"example {number + 1}", ("example", number)
    rows = [token.split(" ") for token in table.tree]
    for k, row in enumerate(rows):
        if len(row) != 4 or whole_number(row[2]) is None:
            defect = f"token {' '.join(row)!r} is not 'word TAG head label'"
            raise PlaceError(f"{called}: {defect}", *place, "tree", k)
    words, tags, heads, labels = (list(part) for part in zip(*rows, strict=True))
    if sorted(table.order.split(" ")) != sorted(words):
        defect = "order does not contain exactly the words of the tree"
        raise PlaceError(f"{called}: {defect}", *place, "order")
    tree = Tree(words, [int(head) - 1 for head in heads], labels, tags, tags)
    return Example(tree, table.order)


def _check_trees(examples: Sequence[Example]) -> None:
    """Raise PlaceError for the examples whose heads form no tree."""
    heads = [example.tree.heads for example in examples]
    flat = np.array([*itertools.chain(*heads)], dtype=np.int32)
    gathered = Gathered()
    for number in np.flatnonzero(broken_trees(flat, offsets_of(map(len, heads)))).tolist():
        with gathered:
            defect = tree_defect(examples[number].tree.heads)
            raise PlaceError(f"example {number + 1}: {defect}", "example", number, "tree")
    gathered.raise_all()
