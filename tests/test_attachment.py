import pytest

from preorder_eval.analysis.attachment import attachment
from preorder_eval.errors import PreorderEvalError
from preorder_eval.treebank import Tree, Treebank


def test_shares_of_words():
    gold = Tree(
        ["He", "saw", "her", "yesterday"], [1, -1, 1, 1],
        ["nsubj", "root", "obj", "obl:tmod"], ["PRON", "VERB", "PRON", "NOUN"], list("abcd"),
    )  # fmt: skip
    system = Tree(
        ["He", "saw", "her", "yesterday"], [1, -1, 3, 1],
        ["obj", "root", "obj", "obl"], ["PRON", "VERB", "DET", "NOUN"], list("abcd"),
    )  # fmt: skip
    scores = attachment(Treebank.of([gold]), Treebank.of([system]))
    assert (scores.uas, scores.las, scores.las_full) == (0.75, 0.5, 0.25)
    assert (scores.upos, scores.xpos) == (0.75, 1.0)


def test_other_sentences_are_refused():
    one, two = (Treebank.of([Tree([w], [-1], ["root"], ["X"], ["_"])]) for w in "ab")
    with pytest.raises(PreorderEvalError, match="not of the same sentences"):
        attachment(one, two)
