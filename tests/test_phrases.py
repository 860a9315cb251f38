"""The phrases that the words of a dependency tree stand in."""

from published import HAN_FIGURE_7_2

from preorder_eval.data.tags import phrase_categories
from preorder_eval.data.treebank import Tree


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


def test_adjectives_alone_and_with_dependents():
    tree = "very/ADV/2/advmod old/ADJ/3/amod man/NOUN/0/root"
    assert categories(tree) == "AVP AJP NP"
    assert categories("old/ADJ/2/amod man/NOUN/0/root") == "NP NP"


def test_clauses_conjunctions_and_punctuation():
    tree = (
        "if/SCONJ/3/mark he/PRON/3/nsubj sleeps/VERB/5/advcl ,/PUNCT/3/punct wait/VERB/0/root "
        "and/CCONJ/7/cc see/VERB/5/conj"
    )
    assert categories(tree) == "S NP VP S VP VP VP"


def test_a_word_of_no_phrase_is_x():
    assert categories("oh/INTJ/0/root") == "X"
