"""Rules learned from orders that rules have made."""

from dataclasses import replace

import numpy as np
import pytest

from preorder_eval.base.arrays import offsets_of
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.ragged import NameColumn
from preorder_eval.learning.learn_rules import learn_rules
from preorder_eval.learning.rule_decisions import (
    Instances,
    LearnedCondition,
    common_words,
    learn_pairs,
)
from preorder_eval.metrics import order_metric
from preorder_eval.orders.orders import ReferenceOrders
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.rules.conditions import HEAD, Slot
from preorder_eval.rules.pair_costs import pair_costs
from preorder_eval.rules.rule import Rule
from preorder_eval.rules.rule_reading import load_rules, parse_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.schemes import SAME

TAU = order_metric("kendall(unaligned=drop)")
HEADER = 'name = "target"\nscheme = "ud"\n'
PAIRS = """
[[rule]]
head = "*"
pairs = [
  [{ label = "advmod", word = "not" }, "HEAD", "reverse"],
  ["obl>", "obl>", "reverse"],
  ["obj>", "HEAD"],
  ["nmod>", "HEAD"],
  ["HEAD", "case<"],
]
"""


HEAD_ITEM = Slot((HEAD,))
OBJ, SUBTYPE, OBL = (Slot((label,), side="after") for label in ("obj", "obj:lvc", "obl"))
IT, THEM, NOUN = (
    LearnedCondition(True, *of) for of in (("words", "it"), ("words", "us"), ("tags", "N"))
)
AFTER = HEAD_ITEM, OBJ
TURN, KEEP = ((1, AFTER, NOUN),), ((-1, AFTER, IT),)


@pytest.mark.parametrize(
    ("rows", "z", "expected"),
    [
        (TURN * 3, None, [("obj> before HEAD", 3, 0, 1.73, False)]),
        (TURN * 2, None, []),
        (TURN * 2 + ((-0.5, AFTER),), None, [("obj> before HEAD", 2, 1, 1.0, False)]),
        (((-1, AFTER),) * 3, 1.3, []),  # as it is
        (TURN * 7 + KEEP * 3, 1.7, [("HEAD and obj> word=it kept", 3, 0, 1.73, True),
                                    ("obj> before HEAD", 7, 3, 1.26, False)]),
        (TURN * 7 + KEEP * 3, 1.8, [("obj> before HEAD", 7, 3, 1.26, False)]),
        (TURN * 9 + KEEP * 2, 1.3, [("obj> before HEAD", 9, 2, 2.11, False)]),
        (TURN * 9 + ((-0.8, AFTER, IT),) * 3, 1.3, [("obj> before HEAD", 9, 3, 2.0, False)]),
        (KEEP * 9 + TURN * 3, 1.3, [("obj> tag=N before HEAD", 3, 0, 1.73, True)]),
        (TURN * 9 + KEEP * 3 + ((-1, AFTER, THEM),) * 4, 1.3,
         [("HEAD and obj> word=it|us kept", 7, 0, 2.65, True),
          ("obj> before HEAD", 9, 7, 0.5, False)]),
        (TURN * 3 + ((1, (HEAD_ITEM, OBL)),) * 4, None,
         [("obj|obl> before HEAD", 7, 0, 2.65, False)]),
        (((1, (OBJ, OBL)),) * 3 + ((1, (OBL, OBJ)),) * 3, None,
         [("obl> and obj> reversed", 6, 0, 2.45, False)]),
        (((1, (OBL, OBL)),) * 3, None, [("obl> and obl> reversed", 3, 0, 1.73, False)]),
        (TURN * 3 + ((-1, (HEAD_ITEM, SUBTYPE)),) * 3, None,
         [("HEAD and obj:lvc> kept", 3, 0, 1.73, False),
          ("obj> before HEAD", 3, 0, 1.73, False)]),
    ],
)  # fmt: skip
def test_what_instances_decide(rows, z, expected):
    """Rows: what an instance prefers, its kinds of items, the conditions that it fits."""
    kinds = list(dict.fromkeys(kinds for _, kinds, *_ in rows))
    conditions = list(dict.fromkeys(one for _, _, *fitting in rows for one in fitting))
    instances = Instances(
        np.array([preference for preference, *_ in rows], dtype=float),
        np.arange(len(rows)),
        kinds,
        np.array([kinds.index(of) for _, of, *_ in rows]),
        conditions,
        np.array([conditions.index(one) for _, _, *of in rows for one in of], dtype=np.int64),
        offsets_of(len(of) - 2 for of in rows),
    )
    learned = learn_pairs(instances, z)
    found = [
        (str(one.pair), one.wanted, one.unwanted, round(one.z, 2), one.exception) for one in learned
    ]
    assert found == expected
    assert all(len(one.sentences) == one.wanted for one in learned)


@pytest.fixture(scope="module")
def treebank():
    return load_reference("en-ja").trees.take(np.arange(120))


def as_references(rules: RuleSet, trees) -> ReferenceOrders:
    return ReferenceOrders.of([[i] for i in order] for order in rules.reorder(trees))


@pytest.mark.slow
def test_rules_that_made_the_references_are_found_again(treebank):
    target = parse_rules(HEADER + PAIRS, "target.toml")
    references = as_references(target, treebank)
    costs = pair_costs(treebank, references)
    learned = learn_pairs(Instances.of(treebank, costs), z=1.6)
    rules = RuleSet("learned", "ud", (Rule(("*",), pairs=tuple(one.pair for one in learned)),))
    score = TAU.score(rules.reorder(treebank), references).corpus
    assert score > 0.999  # what occurs fewer than three times is not learned
    said = {str(one.pair) for one in learned}
    assert "HEAD before case<" in said
    assert "obl> and obl> reversed" in said
    assert any("word=not" in pair for pair in said)
    for one in learned:
        assert one.wanted + one.unwanted >= 3
        assert len(one.sentences) <= one.wanted


@pytest.mark.slow
def test_conditions_name_common_words_alone(treebank):
    """Of children and of heads, and none without words."""
    costs = pair_costs(
        treebank, as_references(parse_rules(HEADER + PAIRS, "target.toml"), treebank)
    )
    common = common_words(treebank)
    named = {(one.field, one.value) for one in Instances.of(treebank, costs).conditions}
    words = {field: {v for f, v in named if f == field} for field in ("words", "head_words")}
    assert all(words.values())
    assert set.union(*words.values()) <= common
    bare = {one.field for one in Instances.of(treebank, costs, words=False).conditions}
    assert bare.isdisjoint(words)


@pytest.mark.slow
def test_instances_that_are_not_chosen_change_nothing(treebank):
    references = as_references(load_rules("en-ja"), treebank)
    instances = Instances.of(treebank, pair_costs(treebank, references))
    chosen = instances.sentence < 60
    half = np.arange(60)
    alone = treebank.take(half)
    costs = pair_costs(alone, references.take(half))
    some = learn_pairs(instances, 1.6, chosen)
    assert some == learn_pairs(Instances.of(alone, costs), 1.6)


@pytest.mark.slow
def test_pairs_correct_the_rules_that_they_start_from(treebank):
    start = load_rules("head-final-reverse-after")
    references = load_reference("en-ja").allowed.take(np.arange(120))
    result = learn_rules(treebank, references, start=start, metrics=[TAU], folds=2, words=False)
    assert result.rules.rules[-len(start.rules) :] == start.rules
    before = result.scores[0].values[0]
    assert before == pytest.approx(TAU.score(start.reorder(treebank), references).corpus)
    assert before < result._fitted[0]


@pytest.mark.slow
def test_the_estimate_is_that_of_rules_learned_without_the_sentences(treebank):
    references = as_references(load_rules("en-ja"), treebank)
    result = learn_rules(treebank, references, metrics=[TAU], folds=2, words=False)
    fold = np.arange(120) * 2 // 120
    instances = Instances.of(treebank, pair_costs(treebank, references), words=False)
    sentences = []
    for part in (0, 1):
        learned = learn_pairs(instances, result.z, fold[instances.sentence] != part)
        rules = RuleSet("x", "ud", (Rule(("*",), pairs=tuple(one.pair for one in learned)),))
        at = np.flatnonzero(fold == part)
        scores = TAU.score(rules.reorder(treebank.take(at)), references.take(at))
        sentences += scores.sentence.tolist()
    [score] = result.scores
    assert score.values[1] == pytest.approx(float(np.mean(sentences)))
    assert score.difference.value == pytest.approx(score.values[1] - score.values[0])
    assert max(trial.values[0] for trial in result.trials) == score.values[1]


@pytest.mark.slow
def test_the_file_holds_what_was_learned_with_what_speaks_for_it():
    result = learn_rules("gold", "en-de", folds=2, words=False, name="mine")
    again = parse_rules(result.toml(), "mine.toml")
    assert again == result.rules
    assert (again.source, again.target, again.name) == ("en", "de", "mine")
    first = next(line for line in result.toml().splitlines() if line.startswith("  ["))
    one = result.learned[0]
    assert f"# {one.wanted} : {one.unwanted}" in first


@pytest.mark.slow
@pytest.mark.parametrize(
    ("labels", "scheme"),
    [
        ({**SAME["clearnlp"], "obl": "pobj", "nmod": "prep", "case": "prep"}, "clearnlp"),
        ({"obj": "patient", "case": "case:adposition", "nmod:poss": "nmod:whose"}, "ud"),
    ],
)
def test_the_file_can_be_read_whatever_the_labels_of_the_trees(gold, labels, scheme):
    """Also labels of another scheme, as spaCy's English models have them, or of none."""
    names = tuple(labels.get(name, name) for name in gold.labels.names)
    trees = replace(gold, labels=NameColumn.of(NameColumn(gold.labels.codes, names)))
    learned = learn_rules(trees, "en-ja", folds=2)
    read = parse_rules(learned.toml(), "mine.toml")
    assert (read.scheme, len(read.rules)) == (scheme, 1)
    assert read.reorder(trees).positions.tolist() == learned.rules.reorder(trees).positions.tolist()


def test_what_cannot_be_learned_from_is_refused(treebank):
    references = as_references(load_rules("en-ja"), treebank)
    with pytest.raises(PreorderEvalError, match="121 folds of 120 sentences with a link"):
        learn_rules(treebank, references, folds=121)


@pytest.mark.slow
def test_lifts_of_the_start_stay(treebank):
    lifts = parse_rules(HEADER + '[[rule]]\nhead = "*"\nlift = ["case"]\n', "x")
    references = as_references(load_rules("en-ja"), treebank)
    learned = learn_rules(treebank, references, start=lifts, folds=2)
    assert learned.rules.rules[0].lift
    read = parse_rules(learned.toml(), "mine.toml")
    orders = [rules.reorder(treebank).positions.tolist() for rules in (read, learned.rules)]
    assert orders[0] == orders[1]


@pytest.mark.slow
def test_pairs_to_start_from_are_corrected(treebank):
    target = parse_rules(HEADER + PAIRS, "target.toml")
    start = parse_rules(
        HEADER + PAIRS.replace('["HEAD", "case<"]', '["case<", "HEAD"]'), "start.toml"
    )
    references = as_references(target, treebank)
    learned = learn_rules(treebank, references, start=start, metrics=[TAU], words=False, folds=2)
    [score] = learned.scores
    assert score.values[0] < 0.97 < score.values[1]
    assert all(pair in learned.rules.rules[-1].pairs for pair in start.rules[0].pairs)


@pytest.mark.slow
def test_other_text_gets_a_warning(run, tmp_path):
    out = tmp_path / "mine.toml"
    own = ("rules", "learn", "--reference", "en-tr", "--parser", "gold", "--folds", "2")
    assert run(*own, "--out", out)[0] == 0
    used = ("evaluate", "--parser", "gold", "--rules", out, "--resamples", "5", "--reference")
    _, _, err = run(*used, "en-hi")
    assert "rule set mine was learned from en-tr/dev; on other text" in err
    assert "on other text" not in run(*used, "en-tr")[2]
