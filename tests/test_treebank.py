"""Treebanks, and those of spaCy's documents."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import slow
import spacy
import strategies
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin

import preorder_eval as pe
from preorder_eval.base.arrays import offsets_of
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.trees.conllu import parse_conllu
from preorder_eval.trees.treebank import Tree, Treebank, broken_trees, tree_defect


@given(st.lists(strategies.trees(), min_size=1, max_size=4), st.data())
def test_arrays_give_the_trees_back(trees, data):
    chosen = data.draw(st.lists(st.integers(0, len(trees) - 1)))
    first = data.draw(st.integers(0, len(trees)))
    last = data.draw(st.integers(first, len(trees)))
    treebank = Treebank.of(trees)
    assert list(treebank) == trees
    assert list(treebank.take(np.array(chosen, dtype=np.int64))) == [trees[i] for i in chosen]
    assert list(treebank.part(first, last)) == trees[first:last]
    sizes = [slow.subtree_size(tree, i) for tree in trees for i in range(len(tree))]
    assert treebank.subtree_sizes.tolist() == sizes


@given(st.lists(st.integers(-1, 5), min_size=1, max_size=6))
def test_broken_trees_agree_with_networkx(heads):
    in_range = all(head < len(heads) for head in heads)
    graph = nx.DiGraph([(head, i) for i, head in enumerate(heads)])
    # With the artificial root -1, a tree of n tokens is an arborescence whose root has one child.
    is_tree = in_range and nx.is_arborescence(graph) and heads.count(-1) == 1
    broken = broken_trees(np.array(heads, dtype=np.int32), offsets_of([len(heads)]))
    assert broken.tolist() == [not is_tree]
    assert (tree_defect(heads) is None) == is_tree


def test_a_treebank_refuses_what_is_no_tree():
    tree = Tree(["a", "b"], [1, 0], ["dep", "dep"], ["X", "X"], ["_", "_"])
    with pytest.raises(PreorderEvalError, match="sentence 2: no root"):
        Treebank.of([Tree(["a"], [-1], ["root"], ["X"], ["_"]), tree])


@pytest.fixture(scope="module")
def nlp():
    return pe.load_pipeline()


def parsed(nlp, words, heads, labels=None, **columns):
    labels = labels or ["ROOT" if i == head else "dep" for i, head in enumerate(heads)]
    return Doc(nlp.vocab, words=words, heads=heads, deps=labels, **columns)


@pytest.mark.slow
def test_gold_trees_come_back_from_documents(gold, nlp):
    docs = pe.to_docs(gold, nlp)
    read = pe.from_docs(docs)
    assert [tree.words for tree in read] == gold.sentences
    for column in ("heads", "labels", "upos", "xpos"):
        assert [getattr(t, column) for t in read] == [getattr(t, column) for t in gold]
    assert list(read.columns["lemma"]) == list(gold.columns["lemma"])
    stored = DocBin().from_bytes(DocBin(docs=docs).to_bytes()).get_docs(nlp.vocab)
    assert list(pe.from_docs(stored)) == list(read)


def test_what_conllu_says_of_spaces_and_features_is_kept(nlp):
    row = "{}\t{}\t{}\tVERB\tVB\tMood=Imp\t{}\t{}\t_\t{}"
    rows = [
        row.format(1, "Go", "go", 0, "root", "SpaceAfter=No|Gloss=x"),
        row.format(2, "home", "home", 1, "obj", "_"),
    ]
    [doc] = pe.to_docs(parse_conllu("\n".join(rows) + "\n\n"), nlp)
    assert doc.text == "Gohome "
    read = pe.from_docs([doc])
    assert list(read.columns["misc"]) == ["SpaceAfter=No", "_"]
    assert list(read.columns["feats"]) == ["Mood=Imp", "Mood=Imp"]


def test_a_document_gives_its_sentences(nlp):
    # Two sentences, each with a full stop; the second has white space before it.
    words = ["She", "reads", ".", "\n", "He", "sings", "."]
    labels = ["nsubj", "ROOT", "punct", "", "nsubj", "ROOT", "punct"]
    doc = parsed(nlp, words, [1, 1, 1, 1, 5, 5, 5], labels)
    assert pe.from_docs([doc]).sentences == [["She", "reads", "."], ["He", "sings", "."]]


def test_white_space_that_was_given_as_a_word_is_one(nlp):
    words = ["She", "reads", "\u3000", "\n", "\u00a0", "books"]
    doc = parsed(nlp, words, [1, 1, 5, 1, 5, 1])
    [tree] = pe.from_docs([doc])
    assert tree.words == ["She", "reads", "\u3000", "\u00a0", "books"]
    assert tree.heads == [1, -1, 4, 4, 1]
    [again] = pe.from_docs(pe.to_docs(pe.from_docs([doc]), nlp))
    assert (again.words, again.heads) == (tree.words, tree.heads)
    raw = nlp("She\u00a0reads \u3000 books")  # where it stands between words
    assert pe.from_docs([raw]).sentences == [["She", "reads", "books"]]


def test_words_below_white_space_hang_on_what_that_hangs_on(nlp):
    doc = parsed(nlp, ["a", " ", "b", "c"], [3, 3, 1, 3])
    assert pe.from_docs([doc])[0].heads == [2, 2, -1]
    root = parsed(nlp, [" ", "b", "c"], [0, 0, 0])
    assert pe.from_docs([root])[0].heads == [-1, 0]


def test_heads_beyond_the_end_of_a_sentence_are_roots(nlp):
    """A component may set borders that no tree respects."""
    doc = parsed(nlp, ["a", "b", "c", "."], [1, 1, 1, 1], pos=["X", "X", "X", "PUNCT"])
    doc.from_array(["SENT_START"], np.array([1, 0, 1, 0], dtype=np.uint64))
    first, second = pe.from_docs([doc])
    assert (first.heads, second.heads) == ([1, -1], [-1, 0])
    assert second.labels == ["root", "punct"]


def test_documents_that_have_no_trees_are_refused(nlp):
    unparsed = spacy.blank("en")("She reads.")
    good = parsed(nlp, ["Go"], [0])
    with pytest.raises(PreorderEvalError, match="document 2 has no dependency parse; run it"):
        pe.from_docs([good, unparsed])
    for text in ("", " \n"):
        with pytest.raises(PreorderEvalError, match="document 1 has no words; remove it"):
            pe.from_docs([nlp(text)])


def test_what_spacy_cannot_take_is_refused(nlp):
    row = "1\tGo\tgo\tFOO\tVB\t_\t0\troot\t_\t_\n\n"
    with pytest.raises(PreorderEvalError, match=r"'Go' cannot be a spaCy document: .*\"FOO\""):
        pe.to_docs(parse_conllu(row), nlp)


@pytest.mark.slow
def test_trees_of_documents_are_evaluated(bundled_reference, gold, nlp):
    trees = {"docs": pe.from_docs(pe.to_docs(gold, nlp))}
    result = pe.evaluate(bundled_reference, trees=trees, rules=["en-ja"], resamples=10)
    gold_result = pe.evaluate(bundled_reference, parsers=["gold"], rules=["en-ja"], resamples=10)
    assert result.value("docs/en-ja") == gold_result.value("gold/en-ja")
