"""Rule sets written as rule files (`rules_toml` tells what these hold)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Literal

from preorder_eval.reordering.rule_set import Example, Rule, RuleSet, Slot


def format_rules(rules: RuleSet) -> str:
    """The text of a rule file that reads back as the same rules.

    >>> print(format_rules(RuleSet("mine", "ud", (Rule(("ADP",), (Slot(("HEAD",)),)),))), end="")
    name = "mine"
    scheme = "ud"
    <BLANKLINE>
    [[rule]]
    head = ["ADP"]
    order = [
      { label = ["HEAD"] },
    ]
    """
    usual = RuleSet(rules.name, rules.scheme)
    keys = ("description", "source", "target", "tags", "default")
    lines = [f"name = {_quoted(rules.name)}", f"scheme = {_quoted(rules.scheme)}"]
    told = [key for key in keys if getattr(rules, key) != getattr(usual, key)]
    lines += [f"{key} = {_quoted(getattr(rules, key))}" for key in told]
    for rule in rules.rules:
        lines += ["", *_rule(rule)]
    for example in rules.examples:
        lines += ["", *_example(example, rules.tags)]
    return "\n".join([*lines, ""])


def _rule(rule: Rule) -> Iterator[str]:
    yield "[[rule]]"
    yield f"head = {_listed(rule.heads)}"
    if rule.labels:
        yield f"label = {_listed(rule.labels)}"
    yield "order = ["
    for slot in rule.slots:
        yield f"  {{ {', '.join(_conditions(slot))} }},"
    yield "]"


def _conditions(slot: Slot) -> Iterator[str]:
    yield f"label = {_listed(slot.labels)}"
    if slot.side:
        yield f"side = {_quoted(slot.side)}"
    for key, names in (("tag", slot.tags), ("word", slot.words)):
        if names:
            yield f"{key} = {_listed(names)}"
    if slot.reverse:
        yield "reverse = true"


def _example(example: Example, tags: Literal["upos", "xpos"]) -> Iterator[str]:
    tree = example.treebank[0]
    tokens = zip(tree.words, getattr(tree, tags), tree.heads, tree.labels, strict=True)
    yield "[[example]]"
    yield "tree = ["
    for word, tag, head, label in tokens:
        yield f"  {_quoted(f'{word} {tag} {head + 1} {label}')},"
    yield "]"
    yield f"order = {_quoted(example.expected)}"


def _listed(names: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, names))}]"


def _quoted(text: str) -> str:
    """A basic string of TOML, which escapes as JSON does, and also the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
