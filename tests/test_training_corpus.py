from collections import Counter

import pytest
import spacy

from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.formats.conllu import write_conllu
from preorder_eval.parsers.loading import load_parser
from preorder_eval.training.corpus import treebank_corpus


@pytest.fixture
def files(tmp_path):
    trees = {
        "a": Tree(["Dogs", "bark"], [1, -1], ["nsubj", "root"], ["NOUN", "VERB"], ["NNS", "VBP"]),
        "b": Tree(["Go", "!"], [-1, 0], ["root", "punct"], ["_", "_"], ["_", "_"]),
        "c": Tree(["New", "\u3000"], [-1, 0], ["root", "dep"], ["X", "X"], ["ODD", "NN"]),
    }
    for name, tree in trees.items():
        write_conllu(tmp_path / name, Treebank.of([tree]))
    return {name: str(tmp_path / name) for name in trees}


def texts(corpus, nlp):
    return [[token.text for token in example.reference] for example in corpus(nlp)]


def test_files_are_used_as_often_as_their_weights_say(files):
    nlp = spacy.blank("xx")
    corpus = treebank_corpus([files["a"], files["b"]], weights=[1, 3], seed=1, shuffle=True)
    assert Counter(map(tuple, texts(corpus, nlp))) == {("Dogs", "bark"): 1, ("Go", "!"): 3}
    assert texts(treebank_corpus(files["a"]), nlp) == [["Dogs", "bark"]]


def test_the_share_in_lower_case_is_drawn_for_each_copy(files):
    nlp = spacy.blank("xx")
    corpus = treebank_corpus([files["a"]], weights=[1000], lower=0.3)
    counts = Counter(words[0] for words in texts(corpus, nlp))
    assert set(counts) == {"Dogs", "dogs"}
    assert 250 < counts["dogs"] < 350
    assert set(map(tuple, texts(treebank_corpus(files["a"], lower=1), nlp))) == {("dogs", "bark")}


def test_sentences_are_seen_as_they_will_be_parsed(files, tmp_path):
    nlp = load_parser("en-web").nlp
    tree = Tree(["in", "kyoto"], [1, -1], ["case", "root"], ["ADP", "PROPN"], ["IN", "NNP"])
    write_conllu(tmp_path / "lower", Treebank.of([tree]))
    lower, both = str(tmp_path / "lower"), [str(tmp_path / "lower"), files["a"]]
    assert texts(treebank_corpus(both), nlp) == [["in", "kyoto"], ["Dogs", "bark"]]
    assert texts(treebank_corpus(both, truecase="auto"), nlp) == [["in", "Kyoto"], ["Dogs", "bark"]]
    # What is to be in lower case in training stays so.
    assert texts(treebank_corpus(lower, truecase="auto", lower=1), nlp) == [["in", "kyoto"]]
    [example] = treebank_corpus(lower, truecase="always")(nlp)
    assert [token.text for token in example.predicted] == ["in", "Kyoto"]
    assert [token.tag_ for token in example.reference] == ["IN", "NNP"]


def test_missing_tags_are_no_annotation(files):
    [example] = treebank_corpus(files["b"])(spacy.blank("xx"))
    gold = example.reference
    assert not gold.has_annotation("TAG")
    assert not gold.has_annotation("POS")
    assert [(token.head.i, token.dep_) for token in gold] == [(0, "ROOT"), (0, "punct")]
    assert [token.is_sent_start for token in example.predicted] == [True, False]


def test_tags_new_to_a_trained_tagger_are_forgotten(files):
    nlp = load_parser("en-web").nlp
    [example] = treebank_corpus(files["c"], known_tags=True)(nlp)
    assert [token.tag_ for token in example.reference] == ["", "NN"]
    [example] = treebank_corpus(files["c"])(nlp)
    assert [token.tag_ for token in example.reference] == ["ODD", "NN"]
    nlp.update([example], exclude=["tagger"])  # white space as a token does not confuse spaCy
