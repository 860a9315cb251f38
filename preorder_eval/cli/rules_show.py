"""`preorder-eval rules show`: a rule set as a table, or what it does to a sentence."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.options import JsonForText, Trust, choose_one
from preorder_eval.cli.reference_options import ParserOption, ReferenceOption
from preorder_eval.resources import DEFAULT_PARSER, DEFAULT_REFERENCE

if TYPE_CHECKING:
    from preorder_eval.data.orders import ReferenceOrder
    from preorder_eval.data.reference_set import ReferenceSet
    from preorder_eval.data.treebank import Tree
    from preorder_eval.reordering.rule_set import RuleSet
    from preorder_eval.reordering.rules import Rule
    from preorder_eval.reordering.trace import Item, Step

_KEYS = ["name", "description", "source", "target", "scheme", "tags", "default"]
_HOW = {"first": "before", "keep": "kept with", "reverse": "turned with"}
_DEEPEST = 8  # steps further down are not indented any more


def command(
    rules: Annotated[
        str, typer.Argument(help="Bundled rule set or rule file.", metavar="NAME|FILE")
    ],
    sentence: Annotated[
        str | None,
        typer.Option(
            help="Trace what the rules do to this tokenised sentence, or to the reference's of "
            "this number, from 1, or with --reference of this sent_id.",
            metavar="TEXT|N|ID",
        ),
    ] = None,
    reference: ReferenceOption = None,
    parser: ParserOption = None,
    trust: Trust = False,
    json: JsonForText = False,
    toml: Annotated[
        bool, typer.Option("--toml", help="Print the rule file itself, to be copied and edited.")
    ] = False,
) -> None:
    """Print a rule set as a table, or the trace of a sentence.

    The trace goes through the heads that have children, from the root down: which rule fired, the
    head and its children before, and how they come out, each with its slot. A child moves with all
    the words below it; (+2) stands for two of them. With --reference the reference order and the
    translation stand below, and at each head whose items could stand nearer to that order, how.

    \b
    Examples:
      preorder-eval rules show en-ja
      preorder-eval rules show en-ja --toml > my-rules.toml
      preorder-eval rules show my-rules.toml --sentence "She reads books in Tokyo ."
      preorder-eval rules show en-ja --reference en-ja --sentence 12 --parser gold
    """
    from dataclasses import asdict

    from preorder_eval.data.treebank import Treebank
    from preorder_eval.formats.reference_folder import load_reference
    from preorder_eval.formats.rules import load_rules, rules_text
    from preorder_eval.formats.tables import format_json
    from preorder_eval.reordering.trace import trace
    from preorder_eval.results.pairings import warn_of_default

    choose_one(json=json, toml=toml)
    rule_set = load_rules(rules)
    if toml:
        if sentence is not None or reference is not None or parser is not None:
            raise typer.BadParameter("--toml prints the rules, and traces no --sentence")
        print(rules_text(rules), end="")
        return
    if sentence is None:
        if json:
            facts = {key: getattr(rule_set, key) for key in _KEYS}
            rule_facts = [asdict(rule) for rule in rule_set.rules]
            print(format_json({**facts, "rules": rule_facts}), end="")
        else:
            _print(_table(rule_set))
        return
    data = None if reference is None else load_reference(reference)
    if data is None and sentence.isdigit():  # nobody traces a sentence that is a number alone
        data = load_reference(DEFAULT_REFERENCE)
        warn_of_default(rule_set, data)
    tree = _tree(sentence, data, parser or DEFAULT_PARSER, rule_set)
    steps = trace(rule_set, tree)
    [order] = rule_set.reorder(Treebank.of([tree]))
    right = None if data is None else _right(data, data.find(sentence), tree, steps, order)
    if json:
        facts = {"rules": rule_set.name, "words": tree.words, "order": order}
        listed = [asdict(step) for step in steps]
        if right is not None:
            facts |= {"reference": right.order, "translation": right.translation}
            for step in listed:
                better = right.better.get(step["head"])
                step["better"] = better and [item.token for item in better]
        print(format_json({**facts, "steps": listed}), end="")
    else:
        _print(_trace(rule_set, tree, steps, order, right))


@dataclass(frozen=True)
class _Right:
    """What would have been right: the nearest reference order, if any, of so many, and its words.

    `better` are the items of heads in an order that comes nearer to it.
    """

    order: ReferenceOrder | None
    orders: int
    translation: list[str] | None
    better: dict[int, tuple[Item, ...]]


def _right(
    data: ReferenceSet, number: int, tree: Tree, steps: Sequence[Step], order: Sequence[int]
) -> _Right:
    from preorder_eval.analysis.rules.oracle import nearer_items
    from preorder_eval.results.nearest import nearest_reference

    nearest = nearest_reference(data, number, order)
    return _Right(
        nearest,
        len(data.orders_of(number)),
        None if data.target is None else data.target[number],
        {} if nearest is None else nearer_items(tree, steps, nearest),
    )


def _tree(sentence: str, data: ReferenceSet | None, parser: str, rules: RuleSet) -> Tree:
    """The tree of a sentence that is typed in, or is one of a reference set's."""
    from preorder_eval.formats.text import split_tokens
    from preorder_eval.parsers.loading import find_parser
    from preorder_eval.parsers.tree_file import is_tree_file
    from preorder_eval.results.pairings import warn_of_rules
    from preorder_eval.results.systems import Parsed

    if data is None:
        if parser == "gold":
            raise typer.BadParameter("--parser gold goes with --reference")
        words = split_tokens(sentence, "--sentence", 1)
    else:
        warn_of_rules(rules, data)
        number = data.find(sentence)
        if parser == "gold" or is_tree_file(parser):
            return Parsed.by(parser, data).trees[number]
        words = data.source[number]
    return find_parser(parser).parse([words])[0]


def _print(text: str) -> None:
    from preorder_eval.visible import visible

    print("\n".join(map(visible, text.split("\n"))))


def _table(rules: RuleSet) -> str:
    """The rule set's head and a table of slots for each rule."""
    from preorder_eval.formats.text_table import format_table

    keeps = "keeps its source order" if rules.default == "keep" else "is turned around"
    parts = [
        f"{rules.name}: {rules.description or 'no description'}\n"
        f"{rules.source} to {rules.target}; trees of scheme {rules.scheme}, {rules.tags} tags; "
        f"a head without a rule {keeps}"
    ]
    for rule in rules.rules:
        under = f" attached by {', '.join(rule.labels)}" if rule.labels else ""
        header, rows = _pairs(rule) if rule.pairs else _slots(rule)
        parts.append(f"{', '.join(rule.heads)}{under}\n{format_table(header, rows)}")
    return "\n\n".join(parts)


def _pairs(rule: Rule) -> tuple[list[str], list[list[str]]]:
    """A row for each pair."""
    rows = [
        [str(n), pair.first.short, _HOW[pair.order], pair.second.short]
        for n, pair in enumerate(rule.pairs, 1)
    ]
    return ["", "first", "", "second"], rows


def _slots(rule: Rule) -> tuple[list[str], list[list[str]]]:
    """A row for each slot, and a column for each condition that one of them has."""
    conditions = [{key: ", ".join(map(str, of)) for key, of in s.conditions()} for s in rule.slots]
    keys = list(dict.fromkeys(key for slot in conditions for key in slot))
    keys.sort(key=["side", "tag", "word", *keys].index)
    reverses = any(slot.reverse for slot in rule.slots)
    rows = [
        [
            str(number),
            ", ".join(slot.labels),
            *(told.get(key, "") for key in keys),
            *["reversed" * slot.reverse] * reverses,
        ]
        for number, (slot, told) in enumerate(zip(rule.slots, conditions, strict=True), 1)
    ]
    return ["", "label", *keys, *["order"] * reverses], rows


def _trace(
    rules: RuleSet, tree: Tree, steps: list[Step], order: list[int], right: _Right | None
) -> str:
    """The sentence before and after, between them every step, and below what would be right."""
    width = len("source") if right is None else len("translation")
    better = {} if right is None else right.better
    parts = [f"{'source':{width}}  " + " ".join(tree.words)]
    parts += [_step(step, tree, better.get(step.head)) for step in steps]
    if not steps:
        done = "stays as it is" if rules.default == "keep" else "is turned around"
        parts.append(f"no rule fits a head that has children: the sentence {done}")
    rows = {"result": " ".join(tree.words[i] for i in order)}
    if right is not None:
        nearest = "no links" if right.order is None else right.order.braces(tree.words)
        several = f"   (the nearest of {right.orders})" if right.orders > 1 else ""
        rows["reference"] = nearest + several
        if right.translation is not None:
            rows["translation"] = " ".join(right.translation)
    parts.append("\n".join(f"{name:{width}}  {text}" for name, text in rows.items()))
    return "\n\n".join(parts)


def _step(step: Step, tree: Tree, better: Sequence[Item] | None) -> str:
    """A head, its items before, a line for each as it comes out, and how they would be better."""
    from preorder_eval.formats.text_table import format_table

    def text(item: Item) -> str:
        along = f" (+{item.size - 1})" if item.size > 1 else ""
        return tree.words[item.token] + along

    head = f"{tree.words[step.head]} ({tree.upos[step.head]}, {tree.labels[step.head]})"
    heading = f"{head}: {step.rule_name or 'no rule'}{'' if step.changed else ', nothing moves'}"
    lines = [heading, "  before  " + " | ".join(map(text, step.before))]
    if step.rule is not None:
        first, *rest = [[text(item), item.slot_name] for item in step.after]
        table = format_table(first, rest).split("\n")
        lines += [("  after   " if n == 0 else " " * 10) + row for n, row in enumerate(table)]
    if better is not None:
        lines.append("  better  " + " | ".join(map(text, better)))
    return textwrap.indent("\n".join(lines), "  " * min(step.depth, _DEEPEST))
