"""Rule sets written as rule files that read back as the same rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from preorder_eval.rules.conditions import Slot
from preorder_eval.rules.rule import Example, Pair, Rule
from preorder_eval.rules.rule_set import RuleSet

LIST = re.compile(r"\$+([^\W\d][\w-]*)")  # $name stands for a list, $$name for the word $name
_ENCODED = json.JSONEncoder(ensure_ascii=False).encode  # made once, not for each of many words

Notes = Mapping[tuple[str, Pair], str]


def format_rules(rules: RuleSet, notes: Notes | None = None) -> str:
    """Write a rule file that reads back as the same rules.

    `notes` are remarks on pairs, by the name of their rule.

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
    unusual = [key for key in keys if getattr(rules, key) != getattr(usual, key)]
    lines += [f"{key} = {_quoted(getattr(rules, key))}" for key in unusual]
    if rules.tuned_on:
        lines.append(f"tuned_on = {_one_or_listed(rules.tuned_on)}")
    for rule in rules.rules:
        lines += ["", *_rule_lines(rule, notes or {})]
    for example in rules.examples:
        lines += ["", *_example_lines(example, rules.tags)]
    return "\n".join([*lines, ""])


def _rule_lines(rule: Rule, notes: Notes) -> Iterator[str]:
    yield "[[rule]]"
    if rule.name:
        yield f"name = {_quoted(rule.name)}"
    yield f"head = {_one_or_listed(rule.heads)}"
    if rule.labels:
        yield f"label = {_one_or_listed(rule.labels)}"
    yield "pairs = [" if rule.pairs else "lift = [" if rule.lift else "order = ["
    for pair in rule.pairs:
        note = f"  # {notes[rule.name, pair]}" if (rule.name, pair) in notes else ""
        order = "" if pair.order == "first" else f", {_quoted(pair.order)}"
        yield f"  [{_item(pair.first)}, {_item(pair.second)}{order}],{note}"
    for slot in rule.slots or rule.lift:
        yield f"  {_item(slot)},"
    yield "]"


def _item(slot: Slot) -> str:
    """Write a slot, or one side of a pair, in its short form where it has one."""
    parts = [f"label = {_quoted(slot.kind)}"]
    for key, values in slot.conditions():
        if key != "side":
            escaped = [f"${one}" if LIST.fullmatch(str(one)) else one for one in values]
            parts.append(f"{key} = {_one_or_listed(escaped)}")
    if slot.reverse:
        parts.append("reverse = true")
    return f"{{ {', '.join(parts)} }}" if parts[1:] else _quoted(slot.kind)


def _example_lines(example: Example, tags: Literal["upos", "xpos"]) -> Iterator[str]:
    tree = example.tree
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
    return _ENCODED(text).replace("\x7f", "\\u007f")
