"""Rule files in TOML.

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

A rule for all heads can instead have `scores`, pairs with a number: all that fit two items, the
first of which stands before the second, add up to what speaks for turning them round, and the order
with the highest sum comes out. That is how learned orderers are saved (see `rules
learn --statistical`); it is not written by hand.

Rule sets written as rule files (`rules_toml` tells what these hold).
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.formats.files import decode_text, labelled, read_bytes, text_hash
from preorder_eval.formats.rule_file import RuleFile, keys_of
from preorder_eval.formats.toml import line_of, parse_toml
from preorder_eval.plugins import Named, named
from preorder_eval.reordering.conditions import Slot
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.reordering.rules import Example, Pair, Rule
from preorder_eval.resources import bundled_names

_LOG = logging.getLogger(__name__)


def load_rules(name: str | Path) -> RuleSet:
    """A rule set by the name of a bundled or installed one, or by the path of a rule file.

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
    """The names of all rule sets, the bundled ones first."""
    return list(_named_rules())


def rules_path(name: str | Path) -> Path:
    """The file that a rule set's name or path stands for."""
    found = _find(name)
    if isinstance(found, RuleSet):
        raise PreorderEvalError(f"rule set {name} was made by a package and has no file")
    return found


def rules_text(name: str | Path) -> str:
    """The text of the rule file that a rule set's name or path stands for."""
    return _written(name)[0]


def rules_hash(name: str | Path) -> str:
    """The SHA-256 of a rule file, which identifies it in results."""
    return text_hash(rules_text(name))


def _named_rules() -> dict[str, Named]:
    return named("rules", bundled_names("rules"))


def _find(name: str | Path) -> Path | RuleSet:
    """The file that a rule set's name or path stands for, or what another package made."""
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
    """A rule set as the text of a rule file, and what errors call that."""
    found = _find(name)
    if isinstance(found, RuleSet):
        return format_rules(found), f"rule set {name}"
    return decode_text(read_bytes(found), str(found)), str(found)


def parse_rules(text: str, file: str) -> RuleSet:
    """A rule set from the text of a rule file; `file` is what errors call it."""
    parsed = parse_toml(RuleFile, text, file, keys_of)
    try:
        return parsed.rule_set()
    except FormatError:
        raise
    except PreorderEvalError as error:
        raise FormatError(str(error), file=file, line=line_of(str(error), text)) from error


def failing_examples(rules: RuleSet) -> list[str]:
    """What the rule set makes of those of its own examples that come out differently."""
    failures = []
    for number, example in enumerate(rules.examples, 1):
        order = rules.reorder(example.treebank)[0]
        result = " ".join(example.treebank.words[i] for i in order)
        if result != example.expected:
            failures.append(f"example {number} gives {result!r} instead of {example.expected!r}")
    return failures


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
