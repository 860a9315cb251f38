import re

import pytest
from published import CONLL_2018, CONLL_2018_OTHER_WORDS

from preorder_eval.analysis.attachment import attachment, attachment_intervals
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.trees.conllu import parse_conllu
from preorder_eval.trees.retokenize import retokenized
from preorder_eval.trees.treebank import Tree, Treebank


def altered(gold):
    """The gold trees with every so manieth word made wrong in a way that keeps trees whole."""
    trees = []
    for tree in gold:
        root = tree.heads.index(-1)
        heads = [root if i % 7 == 3 and head >= 0 else head for i, head in enumerate(tree.heads)]
        labels = [
            "dep" if i % 11 == 4 else label.split(":")[0] if i % 3 == 1 else label
            for i, label in enumerate(tree.labels)
        ]
        upos = ["X" if i % 5 == 2 else tag for i, tag in enumerate(tree.upos)]
        xpos = ["X" if i % 13 == 6 else tag for i, tag in enumerate(tree.xpos)]
        trees.append(Tree(tree.words, heads, labels, upos, xpos))
    return Treebank.of(trees)


def test_against_the_evaluation_of_the_shared_task():
    """What udeval of udtools prints for the same files, as F1 in per cent."""
    gold = load_reference("en-ja").trees
    scores = attachment(gold, altered(gold))
    printed = [f"{100 * x:.2f}" for x in (scores.uas, scores.las, scores.upos, scores.xpos)]
    assert printed == CONLL_2018


def test_against_counting_word_by_word(gold):
    system = altered(gold)
    counts = dict.fromkeys(("UAS", "LAS", "LAS with subtypes", "UPOS", "XPOS"), 0)
    for one, other in zip(gold, system, strict=True):
        for i in range(len(one)):
            head = one.heads[i] == other.heads[i]
            universal = one.labels[i].split(":")[0] == other.labels[i].split(":")[0]
            counts["UAS"] += head
            counts["LAS"] += head and universal
            counts["LAS with subtypes"] += head and one.labels[i] == other.labels[i]
            counts["UPOS"] += one.upos[i] == other.upos[i]
            counts["XPOS"] += one.xpos[i] == other.xpos[i]
    found = attachment_intervals(gold, system, resamples=100)
    expected = {name: count / len(gold.words) for name, count in counts.items()}
    assert {name: i.value for name, i in found.items()} == pytest.approx(expected)
    assert all(i.low < i.value < i.high for i in found.values())
    assert attachment_intervals(gold, system, resamples=100) == found


def cut_otherwise(sentences):
    """Long words in two, full stops and question marks on the word before."""
    return [
        re.sub(r" ([.?]) ", r"\1 ", re.sub(r"(\w{5})(\w{3,})", r"\1 \2", f"{' '.join(s)} ")).split()
        for s in sentences
    ]


def test_other_words_against_another_evaluation_of_the_shared_task():
    """What udapi's eval.Conll18 (after util.ResegmentGold) prints as F1 for the same files."""
    gold = load_reference("en-ja").trees
    system = retokenized(altered(gold), cut_otherwise(gold.sentences))[0]
    assert len(system.words) != len(gold.words)
    scores = attachment(gold, system)
    printed = [f"{100 * x:.2f}" for x in (scores.uas, scores.las, scores.upos, scores.xpos)]
    assert printed == CONLL_2018_OTHER_WORDS
    intervals = attachment_intervals(gold, system, resamples=10)
    assert intervals["UAS"].value == pytest.approx(scores.uas)


def test_sentences_that_are_cut_elsewhere():
    gold = Tree(["a", "b", "c"], [1, -1, 1], ["x", "root", "x"], ["X"] * 3, ["_"] * 3)
    parts = [
        Tree(["a", "b"], [1, -1], ["x", "root"], ["X"] * 2, ["_"] * 2),
        Tree(["c"], [-1], ["root"], ["X"], ["_"]),
    ]
    scores = attachment(Treebank.of([gold]), Treebank.of(parts))
    assert (scores.uas, scores.upos) == (2 / 3, 1)


FRENCH = """\
1\tJe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tvais\t_\tVERB\t_\t_\t0\troot\t_\t_
3-4\tau\t_\t_\t_\t_\t_\t_\t_\t_
3\tà\t_\tADP\t_\t_\t5\tcase\t_\t_
4\tle\t_\tDET\t_\t_\t5\tdet\t_\t_
5\tmarché\t_\tNOUN\t_\t_\t2\tobl\t_\t_

"""
UNSPLIT = """\
1\tJe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tvais\t_\tVERB\t_\t_\t0\troot\t_\t_
3\tau\t_\tADP\t_\t_\t4\tcase\t_\t_
4\tmarché\t_\tNOUN\t_\t_\t2\tobl\t_\t_

"""


def test_words_of_multiword_tokens():
    """As udapi's eval.Conll18 counts: 3 of 5 and of 4 words are the same, with their heads."""
    gold, system = parse_conllu(FRENCH), parse_conllu(UNSPLIT)
    assert attachment(gold, system).las == pytest.approx(2 * 3 / (5 + 4))
    assert attachment(gold, gold).las == 1
    apart = parse_conllu(FRENCH.replace("3-4\tau" + "\t_" * 8 + "\n", ""))
    assert attachment(gold, apart).las == 1
    with pytest.raises(PreorderEvalError, match="have different texts"):
        attachment(apart, system)
