"""Data that the bundled English parser is trained on: own sentences, and sentences made of them."""

import importlib
import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import preorder_eval
from preorder_eval.parsers.load_parser import load_pipeline
from preorder_eval.trees.conllu import read_conllu

TRAINING = Path(preorder_eval.__file__).parent / "parsers/bundled/_training"
REFERENCES = Path(__file__).parents[1] / "reference_data"
VERBS = """be is are was were been being; have has have had had had having; do does do did did done
doing; see sees see saw saw seen seeing; buy buys buy bought bought bought buying; tell tells tell
told told told telling; give gives give gave gave given giving"""
TAGS = ("VB", "VBZ", "VBP", "VBD", "VBD", "VBN", "VBG")
SINGULAR = {"is", "was", "has", "does"}
PLURAL = {"are", "were", "have", "do"}


@pytest.fixture(scope="module")
def vary():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(TRAINING))
        yield importlib.import_module("vary")


@pytest.fixture(scope="module")
def trees(vary):
    """Every third everyday sentence: their words can be changed, so each test copies them."""
    return list(vary.english.sentences(TRAINING / "everyday.conllu"))[::3]


@pytest.fixture(scope="module")
def treebank(vary):
    rows = [row.split() for row in VERBS.split(";")]
    return [
        [vary.Word(w, row[0], "VERB", tag, "") for w, tag in zip(row, TAGS, strict=True)]
        for row in rows
    ]


@pytest.fixture(scope="module")
def made(vary, trees, treebank):
    return list(vary.varied(trees, treebank, set(), count=150, seed=0))


def texts(sentences):
    return [" ".join(word.form for word in words) for words in sentences]


def test_everyday_sentences_are_in_no_reference_set():
    own = {" ".join(tree.words).lower() for tree in read_conllu(TRAINING / "everyday.conllu")}
    for file in REFERENCES.rglob("source.conllu"):
        assert not own & {" ".join(tree.words).lower() for tree in read_conllu(file)}, file


def test_a_seed_makes_the_same_sentences_and_leaves_out_known_ones(vary, trees, treebank, made):
    assert texts(vary.varied(trees, treebank, set(), count=150, seed=0)) == texts(made)
    known = {text.lower() for text in texts(made)}
    others = {text.lower() for text in texts(vary.varied(trees, treebank, known, count=50, seed=0))}
    assert (len(known), len(others)) == (150, 50)
    assert not others & (known | {text.lower() for text in texts(trees)})


def test_made_sentences_are_trees_with_labels_of_the_given_ones(vary, trees, made, tmp_path):
    vary.english.written(made, tmp_path / "made.conllu")
    read = read_conllu(tmp_path / "made.conllu")  # which refuses circles and a second root
    assert len(read) == 150
    assert set(read.labels) <= {word.label for words in trees for word in words}
    for words in made:
        first = next(word for word in words if word.form != '"')
        assert (first.form[0].isupper(), words[-1].upos) == (True, "PUNCT")


def test_verbs_agree_with_their_subject_and_articles_with_the_word_behind(made):
    checked = 0
    for words in made:
        for noun in (w for w in words if w.label == "nsubj" and w.xpos in ("NN", "NNS")):
            group = [w for w in words if w.head is noun.head and w.label in ("aux", "cop")]
            joint = [w for w in words if w.head is noun and w.label == "conj"]
            if group and not joint:
                wrong = PLURAL if noun.xpos == "NN" else SINGULAR
                assert group[0].form.lower() not in wrong, texts([words])
                checked += 1
        for article in (w for w in words if w.label == "det" and w.xpos == "DT"):
            group = [
                w for w in words if w is article or (w.head, w.label) == (article.head, "amod")
            ]
            assert group[0] is article, texts([words])
        for article, behind in pairwise(words):
            if article.form.lower() in ("a", "an") and article.xpos == "DT":
                vowel = behind.form[0].lower() in "aeio" or behind.form in ("uncle", "hour")
                assert (article.form.lower() == "an") == vowel, texts([words])
    assert checked > 20


CLAUSES = """
1\tAnna\tAnna\tPROPN\tNNP\t_\t2\tnsubj\t_\t_
2\tbought\tbuy\tVERB\tVBD\t_\t0\troot\t_\t_
3\ta\ta\tDET\tDT\t_\t4\tdet\t_\t_
4\tlamp\tlamp\tNOUN\tNN\t_\t2\tobj\t_\t_
5\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

1\tAnna\tAnna\tPROPN\tNNP\t_\t2\tnsubj\t_\t_
2\ttravelled\ttravel\tVERB\tVBD\t_\t0\troot\t_\t_
3\twith\twith\tADP\tIN\t_\t5\tcase\t_\t_
4\ther\ther\tPRON\tPRP$\t_\t5\tnmod:poss\t_\t_
5\tbrother\tbrother\tNOUN\tNN\t_\t2\tobl\t_\t_
6\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_
"""


@pytest.fixture
def clauses(vary, tmp_path):
    (tmp_path / "clauses.conllu").write_text(CLAUSES.lstrip(), encoding="utf-8")
    return list(vary.english.sentences(tmp_path / "clauses.conllu"))


def test_another_verb_shares_the_object_of_a_clause_or_stands_alone_before_it(
    vary, trees, treebank, clauses
):
    varier, kinds = vary.Varier(trees, treebank, 0), set()
    for _ in range(40):
        words = varier.shared(vary.copied(clauses[0]))
        subject, first, cc, second, _, thing, dot = words
        shares = first.form == "bought"
        kinds.add(shares)
        assert (second.head, second.label, cc.head) == (first, "conj", second)
        assert (thing.head, thing.label) == (first if shares else second, "obj")
        assert (first.head, subject.head, dot.head) == (None, first, first)
    assert kinds == {True, False}


def test_a_verb_that_is_alone_in_its_frame_shares_no_object(vary, trees, treebank, clauses):
    varier = vary.Varier(trees, treebank, 0)
    varier.verbs = {frame: ["buy"] for frame in varier.verbs}
    made = [varier.shared(vary.copied(clauses[0])) for _ in range(40)]
    assert {words[3].form for words in made} == {"bought"}


def test_a_preposition_stays_behind_when_its_noun_is_asked_for(vary, trees, treebank, clauses):
    varier = vary.Varier(trees, treebank, 0)
    made = [varier.stranded(vary.copied(clauses[1])) for _ in range(20)]
    asked = {"Who did Anna travel with ?", "Which brother did Anna travel with ?"}
    assert set(texts(made)) == asked
    for words in made:
        noun = words[0] if words[0].form == "Who" else words[1]
        assert (words[-2].head, noun.label, noun.head.form) == (noun, "obl", "travel")
    assert varier.stranded(vary.copied(clauses[0])) is None
    bare = vary.copied(clauses[1])
    assert texts([varier.stranded(vary.without(bare, [bare[3]]))])[0] in asked


@pytest.mark.slow
def test_the_mean_of_parsers_has_their_mean_weights_and_knows_what_each_learned_from(
    monkeypatch, tmp_path
):
    monkeypatch.syspath_prepend(str(TRAINING))
    weights = []
    for factor, hashes in ((1, [1, 2]), (3, [2, 5])):
        folder = tmp_path / str(factor)
        shutil.copytree(TRAINING.parent / "en-web", folder)
        tagger = load_pipeline(str(folder), trust=True).get_pipe("tagger")
        output = tagger.model.get_ref("softmax")
        output.set_param("W", factor * output.get_param("W"))
        weights.append(output.get_param("W"))
        tagger.model.to_disk(folder / "tagger" / "model")
        np.save(folder / "learned.npy", np.array(hashes, dtype=np.uint32))
    given = ["mean.py", str(tmp_path / "1"), str(tmp_path / "3"), "--out", str(tmp_path / "mean")]
    monkeypatch.setattr("sys.argv", given)
    importlib.import_module("mean").main()
    made = load_pipeline(str(tmp_path / "mean"), trust=True).get_pipe("tagger")
    weight = made.model.get_ref("softmax").get_param("W")
    np.testing.assert_allclose(weight, sum(weights) / 2, rtol=1e-6)
    assert np.load(tmp_path / "mean" / "learned.npy").tolist() == [1, 2, 5]
