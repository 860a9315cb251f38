"""A rule set as a table, and its trace on a sentence."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import click

from preorder_eval.analysis.oracle import nearer_items
from preorder_eval.base.tables import Column, Shown, Table
from preorder_eval.base.text.text_files import split_tokens
from preorder_eval.cli.shared.crossing import crossing
from preorder_eval.cli.shared.options import Described
from preorder_eval.evaluation.evaluate import reference_of
from preorder_eval.evaluation.parsed import Parsed, trees_for
from preorder_eval.evaluation.system_warnings import warn_of_rules
from preorder_eval.orders.orders import ReferenceOrder
from preorder_eval.parsers.load_parser import find_parser
from preorder_eval.parsers.parser import split_options
from preorder_eval.parsers.tree_file import is_tree_file
from preorder_eval.references.objective import nearest_reference
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.conditions import CONDITIONS, Slot
from preorder_eval.rules.rule import Rule
from preorder_eval.rules.rule_files import RuleFile
from preorder_eval.rules.rule_set import FROM_TREEBANK, RuleSet
from preorder_eval.rules.trace import Step, TracedItem, trace
from preorder_eval.rules.words import unmarked
from preorder_eval.trees.treebank import Tree, Treebank

_KEYS = ["name", "description", "source", "target", "scheme", "tags", "default"]
_LISTED = list(map(Column, ["name", "source", "target", "scheme", "description"]))
_HOW = {"first": "before", "keep": "kept with", "reverse": "reversed with"}
_DEEPEST = 8  # steps further down are not indented any more


def for_languages(rules: RuleSet, pair: str) -> RuleSet:
    """Return the rules for another pair of languages, without worked examples.

    If the source language differs, marked words lose the mark, because its stems differ.
    """
    languages = re.fullmatch(r"([a-z]{2,3})-([a-z]{2,3})", pair)
    if languages is None:
        raise click.UsageError(f"--new {pair!r} is not a pair of languages, such as en-hi")
    source, target = languages.groups()
    description = f"copied from {rules.name}"
    if source != rules.source:
        rules = replace(rules, rules=tuple(rule.with_slots(_unmarked) for rule in rules.rules))
    return replace(
        rules, name=pair, source=source, target=target, description=description, examples=()
    )


def _unmarked(slot: Slot) -> Slot:
    words: dict[str, Any] = {
        declared.name: tuple(map(unmarked, getattr(slot, declared.name)))
        for declared in CONDITIONS.values()
        if declared.metadata["kind"] == "word"
    }
    return replace(slot, **words)


def traced(rules: RuleSet, sentence: str, reference: str | None, parser: str) -> Trace:
    """Trace the rules on a sentence, with its reference order if one is known."""
    data = None if reference is None else reference_of(reference, [rules])
    if data is None and sentence.isdigit():  # nobody traces a sentence that is a number alone
        data = reference_of(None, [rules])
    tree = _tree(sentence, data, parser, rules)
    steps = trace(rules, tree)
    [order] = rules.reorder(Treebank.of([tree]))
    if data is None:
        return Trace(rules, tree, steps, order)
    number = data.find(sentence)
    nearest = nearest_reference(data, number, order)
    [lifted] = rules.fit(Treebank.of([tree])).treebank
    return Trace(
        rules,
        tree,
        steps,
        order,
        len(data.orders_of(number)),
        nearest,
        None if data.target is None else data.target[number],
        {} if nearest is None else nearer_items(lifted, steps, nearest),
    )


@dataclass(frozen=True)
class RuleSets(Shown):
    """The rule sets that are bundled or installed."""

    files: Sequence[RuleFile]

    def tables(self) -> list[Table]:
        return [Table.of("rules", _LISTED, self.files)]

    def view(self, whole: bool = False) -> list[Table]:
        """Return the rule sets; those learned from treebanks stand apart, with their treebanks."""
        [listed] = self.tables()
        at = listed.at("description")
        learned = [row for row in listed.rows if str(row[at]).startswith(FROM_TREEBANK)]
        treebanks = [[*row[:at], str(row[at]).partition(": ")[2]] for row in learned]
        title = "From a treebank of the target language, not checked by a speaker"
        others = [row for row in listed.rows if row not in learned]
        apart = replace(listed, rows=treebanks, title=title)
        return [replace(listed, rows=others), *([apart] if learned else [])]


@dataclass(frozen=True)
class ShownRules(Described):
    """A rule set: what it is for, and a table of slots or pairs for each rule.

    `written` has for each slot or pair of each rule the file and line where it stands.
    """

    rules: RuleSet
    written: Sequence[Sequence[str]]

    @property
    def verdict(self) -> str:
        """What the rules are for, and what they do with a head that no rule fits."""
        rules = self.rules
        keeps = "keeps its source order" if rules.default == "keep" else "is inverted"
        return (
            f"{rules.name}: {rules.description or 'no description'}\n"
            f"{rules.source} to {rules.target}; trees of scheme {rules.scheme}, {rules.tags} tags; "
            f"a head without a rule {keeps}"
        )

    def text(self) -> str:
        return "\n\n".join([self.verdict, *(table.text() for table in self.tables())])

    def tables(self) -> list[Table]:
        return [
            (_pairs if rule.pairs else _slots)(rule, written)
            for rule, written in zip(self.rules.rules, self.written, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        facts = {key: getattr(self.rules, key) for key in _KEYS}
        each = zip(self.rules.rules, self.written, strict=True)
        listed = [{**asdict(rule), "from": written} for rule, written in each]
        return {**facts, "rules": listed, **self._warnings()}


def _tree(sentence: str, data: ReferenceSet | None, parser: str, rules: RuleSet) -> Tree:
    """Return the tree of a sentence that was typed in, or that is in a reference set."""
    if data is None:
        if parser == "gold":
            raise click.UsageError("--parser gold needs --reference")
        words = split_tokens(sentence, "--sentence", 1)
    else:
        warn_of_rules(rules, data)
        number = data.find(sentence)
        if parser == "gold" or is_tree_file(split_options(parser)[0]):
            return Parsed.by(parser, data).trees_for(rules)[number]
        words = data.source[number]
    return trees_for(find_parser(parser), [words], rules)[0]


def _heading(rule: Rule) -> str:
    name = f"{rule.name}: " if rule.name else ""
    under = f" attached by {', '.join(rule.labels)}" if rule.labels else ""
    return f"{name}{', '.join(rule.heads)}{under}"


def _pairs(rule: Rule, written: Sequence[str]) -> Table:
    """Return a row for each pair."""
    rows = [
        [n, pair.first.short, _HOW[pair.order], pair.second.short, where]
        for n, (pair, where) in enumerate(zip(rule.pairs, written, strict=True), 1)
    ]
    columns = [Column("number", ""), Column("first"), Column("order", "")]
    columns += [Column("second"), Column("from")]
    return Table("pairs", columns, rows, title=_heading(rule))


def _slots(rule: Rule, written: Sequence[str]) -> Table:
    """Return a row for each slot, with a column for each condition that a slot has."""
    slots = rule.slots or rule.lift
    conditions = [{key: ", ".join(map(str, of)) for key, of in s.conditions()} for s in slots]
    keys = list(dict.fromkeys(key for slot in conditions for key in slot))
    keys.sort(key=["side", "tag", "word", *keys].index)
    names = [*keys, *["order"] * any(slot.reverse for slot in slots), "from"]
    rows = []
    each = zip(slots, conditions, written, strict=True)
    for number, (slot, known, where) in enumerate(each, 1):
        known |= {"order": "reversed" * slot.reverse, "from": where}
        rows.append([number, ", ".join(slot.labels), *(known.get(name, "") for name in names)])
    columns = [Column("number", ""), Column("label"), *map(Column, names)]
    title = _heading(rule) + "; lifted from it to its head" * bool(rule.lift)
    return Table("slots", columns, rows, title=title)


@dataclass(frozen=True)
class Trace(Described):
    """The reordering of a sentence, head by head, with the reference order.

    `nearest` is the nearest of that many reference `orders` (0 without a reference set); None if
    the sentence has no links. `better` has for some heads their items in an order that is nearer to
    it.
    """

    rules: RuleSet
    tree: Tree
    steps: Sequence[Step]
    order: Sequence[int]
    orders: int = 0
    nearest: ReferenceOrder | None = None
    translation: list[str] | None = None
    better: Mapping[int, tuple[TracedItem, ...]] = field(default_factory=dict)

    def _sentences(self) -> dict[str, str]:
        words = self.tree.words
        rows = {"source": " ".join(words), "result": " ".join(words[i] for i in self.order)}
        if self.orders:
            nearest = "no links" if self.nearest is None else self.nearest.braces(words)
            several = f"   (the nearest of {self.orders})" if self.orders > 1 else ""
            rows["reference"] = nearest + several
        if self.translation is not None:
            rows["translation"] = " ".join(self.translation)
        return rows

    def text(self) -> str:
        width = len("translation" if self.orders else "source")
        source, *others = (f"{name:{width}}  {text}" for name, text in self._sentences().items())
        parts = [source, *map(self._step, self.steps)]
        if not self.steps:
            done = "keeps its source order" if self.rules.default == "keep" else "is inverted"
            parts.append(f"no rule fits any head that has children: the sentence {done}")
        room = shutil.get_terminal_size().columns
        parts += [drawn] if (drawn := crossing(self.tree.words, self.order, room)) else []
        return "\n\n".join([*parts, "\n".join(others)])

    def _step(self, step: Step) -> str:
        """Return a head, its items before and after, one a line, and the better order."""
        tree = self.tree

        def text(item: TracedItem) -> str:
            along = f" (+{item.size - 1})" if item.size > 1 else ""
            return tree.words[item.token] + along + ", lifted" * item.lifted

        head = f"{tree.words[step.head]} ({tree.upos[step.head]}, {tree.labels[step.head]})"
        moved = "" if step.changed else ", no change"
        lines = [f"{head}: {step.rule_name or 'no rule'}{moved}"]
        lines.append("  before  " + " | ".join(map(text, step.before)))
        if step.rule is not None:
            rows = [[text(item), item.slot_name] for item in step.after]
            after = Table("after", [Column("item", ""), Column("slot", "")], rows).text()
            lines.append("  after   " + after.replace("\n", "\n" + " " * 10))
        if step.head in self.better:
            lines.append("  better  " + " | ".join(map(text, self.better[step.head])))
        return textwrap.indent("\n".join(lines), "  " * min(step.depth, _DEEPEST))

    def tables(self) -> list[Table]:
        words = self.tree.words
        rows = [
            [words[s.head], s.rule_name, " ".join(words[item.token] for item in s.after)]
            for s in self.steps
        ]
        return [Table("steps", [Column("head"), Column("rule"), Column("order")], rows)]

    def view(self, whole: bool = False) -> list[Table]:
        """Return the sentence in each order and its translation, and the steps."""
        rows = [[name, text] for name, text in self._sentences().items()]
        return [Table("sentences", [Column("name", ""), Column("text", "")], rows), *self.tables()]

    def to_dict(self) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "rules": self.rules.name,
            "words": self.tree.words,
            "order": self.order,
        }
        steps = [asdict(step) for step in self.steps]
        if self.orders:
            facts |= {"reference": self.nearest, "translation": self.translation}
            for step in steps:
                better = self.better.get(step["head"])
                step["better"] = better and [item.token for item in better]
        return {**facts, "steps": steps, **self._warnings()}
