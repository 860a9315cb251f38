"""Rule sets: which items their conditions fit, the orders that they give, and their parts."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import slow
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import pair_rules, rule_sets, trees

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.resources import bundled_names
from preorder_eval.base.text.stems import stemmer_of
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.rules.conditions import HEAD, OTHER, Slot
from preorder_eval.rules.items import Items
from preorder_eval.rules.rule import Rule
from preorder_eval.rules.rule_files import rules_path
from preorder_eval.rules.rule_reading import failing_examples, load_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.rules.words import Vocabulary
from preorder_eval.trees.conllu import parse_conllu
from preorder_eval.trees.schemes import LABELS, base_label, understood
from preorder_eval.trees.treebank import Tree, Treebank


@pytest.mark.parametrize(
    "examples", [10, pytest.param(150, marks=pytest.mark.slow, id="very many")]
)
def test_the_engine_agrees_with_recursion(examples):
    @settings(max_examples=examples)
    @given(rule_sets(), st.lists(trees(), min_size=1, max_size=3))
    def agrees(rules, trees):
        orders = rules.reorder(Treebank.of(trees))
        assert list(orders) == [slow.reorder(rules, tree) for tree in trees]

    agrees()


@given(st.lists(strategies.trees(), min_size=1, max_size=3))
def test_no_rules_and_reverse(trees):
    treebank = Treebank.of(trees)
    straight = [list(range(len(tree))) for tree in trees]
    assert list(load_rules("none").reorder(treebank)) == straight
    assert list(load_rules("reverse").reorder(treebank)) == [order[::-1] for order in straight]


@pytest.mark.parametrize("name", ["en-ja", "none", "reverse"])
def test_no_trees_have_no_orders(name):
    assert list(load_rules(name).reorder(Treebank.of([]))) == []


@pytest.mark.parametrize("name", bundled_names("rules"))
def test_every_rule_file_has_worked_examples(name):
    rules = load_rules(name)
    assert rules.examples or name in ("none", "reverse") or name.endswith("-ud")
    assert failing_examples(rules) == []


@pytest.mark.parametrize("name", ["en-ar", "en-de", "en-fr", "en-hi", "en-ja", "en-ko", "en-tr"])
def test_lists_hold_all_forms_of_their_verbs_and_nouns(name):
    """By the mark; or, where a stem reaches too far (*even*, *evening*), both forms of a noun."""
    auxiliaries = {"be", "being", "have", "having", "get", "gets", "getting"}
    lists = tomllib.loads(rules_path(name).read_text("utf-8"))["words"]
    for words in ({*words} - auxiliaries for words in lists.values()):
        marked = {word[1:] for word in words if word.startswith("~")}
        unmarked = {word for word in words if not word.startswith("~")}
        stems = Counter(map(stemmer_of("en"), [*unmarked, *marked]))
        several = {word for word in unmarked | marked if stems[stemmer_of("en")(word)] > 1}
        assert not several & marked
        singular = {word for word in several if word + "s" in several}
        assert several == singular | {word + "s" for word in singular}


@pytest.mark.parametrize("name", ["en-ja", "reverse"])
def test_how_many_trees_are_reordered_at_once_makes_no_difference(name, gold, monkeypatch):
    rules, trees = load_rules(name), gold.take(np.arange(60))
    monkeypatch.setattr("preorder_eval.rules.rule_set._AT_ONCE", 100)
    assert list(rules.reorder(trees)) == list(rules.reorder_unchecked(trees))


def test_a_chain_of_5000_tokens():
    size = 5000
    labels, tags = ["root"] + ["obj"] * (size - 1), ["VERB"] * size
    chain = Treebank.of([Tree(["w"] * size, list(range(-1, size - 1)), labels, tags, tags)])
    assert load_rules("head-final-reverse-after").reorder(chain)[0] == list(range(size))[::-1]


@pytest.mark.parametrize(
    ("labels", "tag", "message"),
    [
        (["root", "prep", "pobj"], "X", "'ud'.* 'prep', 'pobj'; they look like 'clearnlp'"),
        (["root", "comp:obj", "subj"], "X", "they look like 'sud'"),
        (["TOP", "left", "right"], "X", "labels such as 'TOP', 'left', 'right'$"),
        (["root", "advmod", "obj"], "_", "uses UPOS tags, but the trees have none"),
    ],
)
def test_trees_that_rules_are_not_for_are_refused(labels, tag, message):
    tree = Tree(["a", "b", "c"], [-1, 0, 1], labels, [tag] * 3, ["NN"] * 3)
    with pytest.raises(PreorderEvalError, match=message):
        load_rules("en-ja").reorder(Treebank.of([tree]))


@given(st.lists(strategies.trees(), min_size=1, max_size=3), strategies.slots("obl"))
def test_children_fit_as_one_by_one(trees, slot):
    fitting = slot.fitting(Items(Treebank.of(trees), "upos", "en"))
    by_one = [
        head >= 0 and slow.fits(slot, tree, tree.upos, token, head)
        for tree in trees
        for token, head in enumerate(tree.heads)
    ]
    assert sorted(fitting.tolist()) == np.flatnonzero(by_one).tolist()


@given(strategies.trees(), strategies.slots(HEAD))
def test_heads_fit_as_one_by_one(tree, slot):
    slot = replace(slot, side=None)
    fitting = slot.fitting(Items(Treebank.of([tree]), "upos", "en", as_heads=True))
    assert fitting.tolist() == [
        token for token in range(len(tree)) if slow.fits(slot, tree, tree.upos, token, token)
    ]


@pytest.mark.parametrize("few", [0, 1 << 20], ids=["by head", "one by one"])
def test_children_of_certain_heads_fit_as_one_by_one_also_when_they_are_lifted(
    few, gold, monkeypatch
):
    monkeypatch.setattr("preorder_eval.rules.items._FEW", few)
    treebank = gold.take(np.arange(25)).with_own_heads()
    items = Items(treebank, "upos", "en")
    words = ("~have", "~say", "~be", "~day")
    for lifted in ("nsubj", "det", "case"):
        for labels in (("obl", "nmod"), ("case",), ("det", "punct"), (OTHER,)):
            for side in (None, "before", "after"):
                slot = Slot(labels, side=side, head_words=words)
                by_one = [
                    head >= 0 and slow.fits(slot, tree, tree.upos, token, head)
                    for tree in treebank
                    for token, head in enumerate(tree.heads)
                ]
                assert sorted(slot.fitting(items).tolist()) == np.flatnonzero(by_one).tolist()
        above = treebank.heads[treebank.parents]
        tokens = np.flatnonzero(treebank.labels.where(lifted.__eq__) & (above >= 0))
        assert len(tokens)
        treebank.rehang(tokens, above[tokens])
        items.rehung(tokens)


TO_GO_HELPS = """\
1\tTo\tto\tPART\tTO\t_\t2\tmark\t_\t_
2\tgo\tgo\tVERB\tVB\tVerbForm=Inf|Voice=Act\t3\tcsubj\t_\t_
3\thelps\thelp\tVERB\tVBZ\tVerbForm=Fin\t0\troot\t_\t_

"""


@pytest.mark.parametrize(
    ("label", "conditions", "fits"),
    [
        ("csubj", {"feats": ("VerbForm=Inf",)}, [1]),
        ("csubj", {"feats": ("VerbForm=Fin",)}, []),
        ("mark", {"head_feats": ("VerbForm=Inf",)}, [0]),
        ("csubj", {"with_words": ("to",)}, [1]),
        ("csubj", {"with_words": ("to",), "with_labels": ("mark",)}, [1]),
        ("csubj", {"with_words": ("go",)}, []),
        ("csubj", {"with_words": ("to",), "with_labels": ("case",)}, []),
        ("mark", {"above_with_words": ("go",)}, [0]),
        ("mark", {"above_with_words": ("to",)}, []),
        ("csubj", {"above_with_words": ("go",)}, []),
    ],
)
def test_features_are_those_of_the_child_and_words_those_below_it(label, conditions, fits):
    items = Items(parse_conllu(TO_GO_HELPS, "x"), "upos")
    assert Slot((label,), **conditions).fitting(items).tolist() == fits


SOME = (rule_sets() | pair_rules()).filter(lambda rules: rules.rules)


@pytest.mark.slow
@given(SOME, trees(7))
def test_only_what_fires_can_change_an_order(rules, tree):
    treebank = Treebank.of([tree])
    fit = rules.fit(treebank)
    orders = rules.reorder(treebank)
    for rule, place in rules.removable():
        others = rules.without(rule, place).reorder(treebank)
        assert fit.applied(rule, place).any() or others[0] == orders[0]


@pytest.mark.slow
@given(SOME, st.data())
def test_what_is_left_is_all_but_the_part(rules, data):
    rule, place = data.draw(st.sampled_from(rules.removable()))
    left = rules.without(rule, place).rules
    parts = rules.rules[rule].parts
    if place is None or len(parts) == 1:
        assert left == rules.rules[:rule] + rules.rules[rule + 1 :]
    else:
        assert left[rule].parts == parts[:place] + parts[place + 1 :]
        assert len(left) == len(rules.rules)


def parts_left_out(rules, treebank):
    """The fits without each part that can be left out, and each part."""
    fit = rules.fit(treebank)
    for rule, place in rules.removable():
        if fit.can_be_without(rule):
            yield fit.without(rule, place), (rule, place)


@given(SOME, trees(7))
def test_a_fit_without_a_part_is_that_of_the_rules_without_it(rules, tree):
    treebank = Treebank.of([tree])
    for fit, part in parts_left_out(rules, treebank):
        refitted = rules.without(*part).reorder_unchecked(treebank)
        assert np.array_equal(rules.ordered(fit).positions, refitted.positions), part


@pytest.mark.slow
@pytest.mark.parametrize("name", bundled_names("rules"))
def test_a_fit_without_any_part_of_a_bundled_set_is_that_of_the_rules_without_it(name, gold):
    """Two of three parts apply nowhere in these trees; without one, all stays as it is."""
    rules, treebank = load_rules(name), gold.take(np.arange(0, len(gold), 3))
    if rules.rules and rules.scheme == "ud":
        whole = rules.fit(treebank)
        orders = rules.ordered(whole).positions
        for fit, part in parts_left_out(rules, treebank):
            expected = orders
            if whole.applied(*part).any():
                expected = rules.without(*part).reorder_unchecked(treebank).positions
            assert np.array_equal(rules.ordered(fit).positions, expected), part


def test_children_of_a_slot_and_heads_of_a_rule(gold):
    rules = load_rules("en-ja")
    fit = rules.fit(gold)
    clause = [rule.name for rule in rules.rules].index("clause")
    heads = fit.applied(clause, None)
    slot = rules.rules[clause].parts.index(Slot(("punct",), side="before"))
    children = fit.applied(clause, slot)
    assert np.isin(gold.parents[children], np.flatnonzero(heads)).all()
    assert heads.sum() > 100
    assert children.sum() > 10


@pytest.mark.parametrize(
    ("label", "scheme", "expected"),
    [
        ("nsubj", "ud", True),
        ("nmod:mine", "ud", True),
        ("dobj", "ud", False),
        ("case", "clearnlp", False),
        ("comp:obj@x", "sud", True),
    ],
)
def test_labels_belong_to_schemes(label, scheme, expected):
    assert understood(label, scheme) is expected


def test_every_universal_relation_is_known():
    """The 37 relations of Universal Dependencies version 2, universaldependencies.org/u/dep."""
    assert len({base_label(label) for label in LABELS["ud"]}) == 37


@pytest.mark.parametrize("scheme", ["ud", "clearnlp"])
def test_no_part_of_a_text_is_taken_for_another_scheme(scheme):
    """Labels decide for a call: trees whose labels the scheme has pass, however few they are."""
    rules = RuleSet("mine", scheme, (Rule(("X",), (Slot(("OTHER",)), Slot(("HEAD",)))),))
    for label in sorted(LABELS[scheme]):
        tree = Tree([*"ab"], [-1, 0], [label, label], ["X", "X"], ["X", "X"])
        rules.check(Treebank.of([tree]))


@pytest.mark.parametrize(("language", "step"), [("en", 1), ("de", 40)])
def test_a_stem_finds_all_words_that_have_it(language, step):
    irregular = ["dying", "lying", "skies", "ties", "eying", "possibility", "'tis", "hopefully"]
    names = sorted({*load_reference("en-ja").trees.words.names, *irregular})
    stem_of, stems = stemmer_of(language), {}
    for code, name in enumerate(names):
        stems.setdefault(stem_of(name.lower()), []).append(code)
    known = Vocabulary(names, language)
    for word in [name.lower() for name in names if name[0].isalpha()][::step]:
        assert sorted(known.codes([f"~{word}"])) == stems[stem_of(word)]


def test_a_slot_of_another_process_is_equal_and_has_the_same_hash():
    # as strings have other hashes there
    dumped = subprocess.run(
        [
            sys.executable,
            "-c",
            "import pickle, sys; from preorder_eval.rules.conditions import Slot\n"
            "slot = Slot(('obl',)); hash(slot); sys.stdout.buffer.write(pickle.dumps(slot))",
        ],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        check=True,
    ).stdout
    assert {pickle.loads(dumped), Slot(("obl",))} == {Slot(("obl",))}  # noqa: S301
