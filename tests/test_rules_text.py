"""Rule sets written as rule files."""

from dataclasses import replace

import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.formats.rules import (
    failing_examples,
    format_rules,
    load_rules,
    parse_rules,
    rule_names,
)
from preorder_eval.reordering.conditions import HEAD, Slot

# What TOML files may not hold as it stands, or at all: half of a surrogate pair.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def legal(rule):
    """A random rule as a file may hold it: punct has a slot, and a child is not in two."""
    slots = [replace(s, labels=(HEAD,)) if HEAD in s.labels else s for s in rule.slots]
    if not any("punct" in slot.labels for slot in slots):
        slots.append(Slot(("punct",)))
    return replace(rule, slots=tuple(slots))


@given(strategies.rule_sets(), texts, texts, st.sampled_from(["any", "en"]), st.lists(texts))
def test_written_rules_read_back_the_same(rules, name, description, source, tuned_on):
    written = replace(
        rules,
        rules=tuple(map(legal, rules.rules)),
        name=name,
        description=description,
        source=source,
        tuned_on=tuple(tuned_on),
    )
    assert parse_rules(format_rules(written), "x") == written


@given(strategies.pair_rules())
def test_written_pairs_read_back_the_same(drawn):
    rules = replace(drawn, rules=tuple(r if r.pairs else legal(r) for r in drawn.rules))
    assert parse_rules(format_rules(rules), "x") == rules


@pytest.mark.parametrize("name", rule_names())
def test_bundled_rules_and_their_examples_read_back(name):
    rules = load_rules(name)
    again = parse_rules(format_rules(rules), "x")
    assert again == rules
    assert failing_examples(again) == []
    for one, other in zip(again.examples, rules.examples, strict=True):
        assert list(one.treebank) == list(other.treebank)


def test_examples_have_the_tags_that_the_rules_go_by():
    text = (
        'name = "x"\nscheme = "ud"\ntags = "xpos"\n[[example]]\n'
        'tree = ["\\"go\\" VBP 0 root"]\norder = "\\"go\\""\n'
    )
    [example] = parse_rules(format_rules(parse_rules(text, "x")), "x").examples
    assert example.treebank[0].xpos == ["VBP"]
    assert example.expected == '"go"'
