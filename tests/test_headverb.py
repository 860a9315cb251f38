"""The simplified verbal rule of Talbot et al. (2011, section 4.1) as it is printed.

advcl, nsubj, prep, [other children], dobj, prt, aux, neg, HEADVERB, mark, ref, compl: for trees
with Stanford's labels and heads by Penn tags. The paper does not say where punctuation goes; here
it stays on its side of the verb.
"""

import pytest

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.rules.rule_reading import failing_examples, parse_rules
from preorder_eval.trees.treebank import Tree, Treebank

RULE = """
name = "headverb"
scheme = "clearnlp"
tags = "xpos"

[[rule]]
head = ["VB", "VBD", "VBG", "VBN", "VBP", "VBZ"]
order = [
  { label = "punct", side = "before" },
  "advcl", "nsubj", "prep", "OTHER", "dobj", "prt", "aux", "neg", "HEAD", "mark", "ref", "compl",
  { label = "punct", side = "after" },
]

[[example]]
tree = [
  "I PRP 4 nsubj", "will MD 4 aux", "not RB 4 neg", "buy VB 0 root", "the DT 6 det",
  "book NN 4 dobj", "if IN 9 mark", "it PRP 9 nsubj", "rains VBZ 4 advcl", ". . 4 punct",
]
order = "it rains if I the book will not buy ."

[[example]]
tree = ["He PRP 2 nsubj", "gave VBD 0 root", "up RP 2 prt", "in IN 2 prep", "May NNP 4 pobj"]
order = "He in May up gave"

[[example]]
tree = [
  "She PRP 2 nsubj", "said VBD 0 root", "that IN 5 compl", "he PRP 5 nsubj", "came VBD 2 ccomp",
]
order = "She he came that said"
"""


def test_the_rule_as_printed_orders_its_examples():
    rules = parse_rules(RULE, "headverb.toml")
    assert failing_examples(rules) == []
    assert rules.scheme == "clearnlp"


def test_other_children_stand_between_prepositions_and_objects():
    """A particle before its verb, an indirect object, and a noun as head, which has no rule."""
    tree = Tree(
        words=["Yesterday", "Mary", "quickly", "gave", "John", "the", "book", "of", "Tom"],
        heads=[3, 3, 3, -1, 3, 6, 3, 6, 7],
        labels=["tmod", "nsubj", "advmod", "root", "iobj", "det", "dobj", "prep", "pobj"],
        upos=["X"] * 9,
        xpos=["NN", "NNP", "RB", "VBD", "NNP", "DT", "NN", "IN", "NNP"],
    )
    rules = parse_rules(RULE, "headverb.toml")
    order = rules.reorder(Treebank.of([tree]))[0]
    assert (
        " ".join(tree.words[i] for i in order) == "Mary Yesterday quickly John the book of Tom gave"
    )


def test_trees_of_universal_dependencies_are_refused():
    tree = Tree(["Dogs", "eat", "it"], [1, -1, 1], ["nsubj", "root", "obj"], ["X"] * 3, ["NN"] * 3)
    with pytest.raises(PreorderEvalError, match="obj"):
        parse_rules(RULE, "headverb.toml").reorder(Treebank.of([tree]))
