"""Rule sets written as rule files (`rules_toml` tells what these hold)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.reordering.rules import Example, Pair, Rule, Slot


def format_rules(rules: RuleSet, notes: Mapping[Pair, str] | None = None) -> str:
    """The text of a rule file that reads back as the same rules; `notes` are remarks on pairs.

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
        lines += ["", *_rule(rule, notes or {})]
    for example in rules.examples:
        lines += ["", *_example(example, rules.tags)]
    return "\n".join([*lines, ""])


def _rule(rule: Rule, notes: Mapping[Pair, str]) -> Iterator[str]:
    yield "[[rule]]"
    yield f"head = {_one_or_listed(rule.heads)}"
    if rule.labels:
        yield f"label = {_one_or_listed(rule.labels)}"
    if rule.pairs:
        yield "scores = [" if rule.scored else "pairs = ["
        for pair in rule.pairs:
            if pair.score is not None:
                yield f"  [{_item(pair.first)}, {_item(pair.second)}, {pair.score!r}],"
                continue
            note = f"  # {notes[pair]}" if pair in notes else ""
            order = "" if pair.order == "first" else f", {_quoted(pair.order)}"
            yield f"  [{_item(pair.first)}, {_item(pair.second)}{order}],{note}"
    else:
        yield "order = ["
        for slot in rule.slots:
            yield f"  {_item(slot)},"
    yield "]"


def _item(slot: Slot) -> str:
    """A slot, or one side of a pair: its short form where it has one."""
    conditions = {key for key, _ in slot.conditions()}
    short = len(slot.labels) == 1 and conditions <= {"side"} and not slot.reverse
    return _quoted(slot.short) if short else _table(slot)


def _table(slot: Slot) -> str:
    told = [f"label = {_one_or_listed(slot.labels)}"]
    told += [f"{key} = {_one_or_listed(values)}" for key, values in slot.conditions()]
    if slot.reverse:
        told.append("reverse = true")
    return f"{{ {', '.join(told)} }}"


def _example(example: Example, tags: Literal["upos", "xpos"]) -> Iterator[str]:
    tree = example.treebank[0]
    tokens = zip(tree.words, getattr(tree, tags), tree.heads, tree.labels, strict=True)
    yield "[[example]]"
    yield "tree = ["
    for word, tag, head, label in tokens:
        yield f"  {_quoted(f'{word} {tag} {head + 1} {label}')},"
    yield "]"
    yield f"order = {_quoted(example.expected)}"


def _one_or_listed(values: Sequence[str | int]) -> str:
    return _value(values[0]) if len(values) == 1 else _listed(values)


def _listed(values: Sequence[str | int]) -> str:
    return f"[{', '.join(map(_value, values))}]"


def _value(value: str | int) -> str:
    return str(value) if isinstance(value, int) else _quoted(value)


def _quoted(text: str) -> str:
    """A basic string of TOML, which escapes as JSON does, and also the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
