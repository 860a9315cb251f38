"""Lines of tags, and the phrases of dependency trees."""

from __future__ import annotations

import pytest
from published import HAN_FIGURE_7_2

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.trees.tags import (
    format_tagged,
    is_tree,
    parts_of_speech,
    phrase_categories,
    phrases,
    tagged_words,
)
from preorder_eval.trees.treebank import Tree

# Figure 7-1 of Han (2014), the English tree.
FIGURE_7_1 = """( (S (NP (PRP It)) (VP (VBZ is) (ADJP (JJ important)) (S (VP (TO to) (VP (VB think)
(PP (IN about) (NP (NP (DT the) (JJ graphic) (NN part)) (PP (IN of) (NP (NN styling))))))))) (. .)))
"""


def test_the_phrases_of_the_thesis_are_those_of_its_tree():
    assert " ".join(phrases(FIGURE_7_1)) == HAN_FIGURE_7_2["english-penn-2"][0]
    assert " ".join(parts_of_speech(FIGURE_7_1)) == "PRP VBZ JJ TO VB IN DT JJ NN IN NN ."


def test_functions_and_traces_do_not_count():
    line = "(S (NP-SBJ=1 (-NONE- *)) (VP (VB Go) (ADVP-DIR (RB home))))"
    assert tagged_words(line) == [("VB", "VP"), ("RB", "ADVP")]


@pytest.mark.parametrize(
    "line", ["PRON VERB NOUN", "", "  NN ", "( NN )", "-LRB- NN -RRB-", ". :", "NN ( (S"]
)
def test_a_line_without_trees_has_a_tag_for_every_word(line):
    assert not is_tree(line)
    assert parts_of_speech(line) == phrases(line) == line.split()


def test_a_word_without_a_phrase_stands_for_its_own():
    assert tagged_words("(NN dog)") == [("NN", "NN")]


def test_what_is_written_is_read_back():
    words = [("PRP", "NP"), ("VBZ", "VP"), (".", "S")]
    assert tagged_words(format_tagged(words)) == words


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("(S (NP (PRP It))", "1 brackets of a tree are not closed"),
        ("(S (NP (PRP It)))) x", "outside the brackets"),
        ("(NP (PRP It) dog cat)", "is not a tag with its word"),
        ("(NP dog (PRP It))", "'dog' is between the brackets"),
    ],
)
def test_broken_trees(line, message):
    with pytest.raises(PreorderEvalError, match=message):
        tagged_words(line)


def categories(text):
    """Of a tree whose words are written as form/UPOS/head/label, heads from 1."""
    rows = [word.split("/") for word in text.split()]
    words, upos, heads, labels = zip(*rows, strict=True)
    places = [int(head) - 1 for head in heads]
    tree = Tree(list(words), places, list(labels), list(upos), ["_"] * len(words))
    return " ".join(phrase_categories(tree))


def test_the_sentence_of_the_thesis_has_the_phrases_of_its_constituents():
    tree = (
        "It/PRON/3/expl is/AUX/3/cop important/ADJ/0/root to/PART/5/mark think/VERB/3/csubj "
        "about/ADP/9/case the/DET/9/det graphic/ADJ/9/amod part/NOUN/5/obl of/ADP/11/case "
        "styling/NOUN/9/nmod ./PUNCT/3/punct"
    )
    assert categories(tree) == HAN_FIGURE_7_2["english-penn-2"][1]


@pytest.mark.parametrize(
    ("tree", "phrases"),
    [
        ("very/ADV/2/advmod old/ADJ/3/amod man/NOUN/0/root", "AVP AJP NP"),
        ("old/ADJ/2/amod man/NOUN/0/root", "NP NP"),
        (
            "if/SCONJ/3/mark he/PRON/3/nsubj sleeps/VERB/5/advcl ,/PUNCT/3/punct "
            "wait/VERB/0/root and/CCONJ/7/cc see/VERB/5/conj",
            "S NP VP S VP VP VP",
        ),
        ("go/VERB/0/root !/PUNCT/1/punct", "VP S"),
        # Punctuation within a phrase, and behind a noun that is the root.
        ("he/PRON/2/nsubj saw/VERB/0/root cats/NOUN/2/obj (/PUNCT/3/punct", "NP VP NP NP"),
        ("cats/NOUN/0/root !/PUNCT/1/punct", "NP S"),
        ("oh/INTJ/0/root", "X"),
    ],
)
def test_other_phrases(tree, phrases):
    assert categories(tree) == phrases
