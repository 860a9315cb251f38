"""Products of matrices by numpy: the same trees, whatever is parsed together, by any threads."""

from __future__ import annotations

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from thinc.api import NumpyOps

from preorder_eval.base.resources import bundled
from preorder_eval.parsers import products
from preorder_eval.parsers.load_parser import find_parser, load_parser
from preorder_eval.parsers.products import SentenceOps, TrainingOps
from preorder_eval.parsers.to_docs import document
from preorder_eval.trees.conllu import read_conllu

CONSTRUCTIONS = bundled("reference_data") / "constructions" / "source.conllu"
THREADS = products._threads()
pytestmark = pytest.mark.skipif(THREADS is None, reason="numpy's products are not by OpenBLAS")


@pytest.fixture(scope="module")
def sentences():
    return [["Stop"], *read_conllu(CONSTRUCTIONS).sentences[::20]]


@pytest.fixture(scope="module")
def threads():
    """Sets the threads that OpenBLAS has, and says how many it has."""
    get, let = THREADS
    before = get()
    yield lambda wanted=None: let(wanted) if wanted else get()
    let(before)


def vectors(parser, sentences):
    """What a parser's first layers make of the words of each sentence, bit by bit."""
    docs = [document(parser.nlp.vocab, words) for words in sentences]
    return [rows.tobytes() for rows in parser.nlp.get_pipe("tok2vec").predict(docs)]


def all_ops(nlp):
    return {
        type(n.ops) for _, part in nlp.pipeline if hasattr(part, "model") for n in part.model.walk()
    }


def test_trees_are_those_of_thinc(sentences):
    ours = load_parser("en-web")
    plain = find_parser(ours.loaded_anew())
    for _, component in plain.nlp.components:
        for node in component.model.walk():
            node.ops = NumpyOps()
    assert vectors(ours, sentences) != vectors(plain, sentences)  # not the same additions
    assert list(ours.parse(sentences)) == list(plain.parse(sentences))


def test_no_words_are_left_to_thinc(parser, sentences, monkeypatch):
    """BLIS would take its time: it multiplies what stands between sentences alone."""
    rows = []
    plain = NumpyOps.gemm
    monkeypatch.setattr(
        NumpyOps, "gemm", lambda ops, x, *a, **b: rows.append(len(x)) or plain(ops, x, *a, **b)
    )
    parser.parse(sentences[:20])
    assert set(rows) == {21 * 6}


@pytest.fixture(scope="module")
def together(parser, sentences):
    return vectors(parser, sentences)


@given(data=st.data())
def test_vectors_do_not_depend_on_the_other_sentences(parser, sentences, together, data):
    numbers = st.integers(0, len(sentences) - 1)
    some = data.draw(st.lists(numbers, min_size=1, max_size=9))
    assert vectors(parser, [sentences[i] for i in some]) == [together[i] for i in some]


def test_vectors_do_not_depend_on_threads(parser, sentences, threads):
    threads(1)
    expected = vectors(parser, sentences)
    threads(3)
    assert vectors(parser, sentences) == expected
    assert threads() == 3


def test_a_trained_batch_is_multiplied_by_one_thread(threads, monkeypatch):
    """On some processors three threads add as one does, so bits alone would not tell."""
    used = []
    plain = NumpyOps.gemm
    monkeypatch.setattr(NumpyOps, "gemm", lambda *a, **b: used.append(threads()) or plain(*a, **b))
    x, y = np.eye(3, dtype=np.float32), np.arange(9, dtype=np.float32).reshape(3, 3)
    threads(3)
    assert TrainingOps().gemm(x, y, trans2=True).tolist() == y.T.tolist()
    assert (used, threads()) == ([1], 3)


def test_a_trained_batch_gives_no_alarm():
    infinite, zero = np.full((1, 1), np.inf, np.float32), np.zeros((1, 1), np.float32)
    assert np.isnan(TrainingOps().gemm(infinite, zero))


def test_threads_come_back_after_an_error(threads):
    threads(3)
    with pytest.raises(ValueError, match="shapes"):
        TrainingOps().gemm(np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))
    assert threads() == 3


def test_others_keep_their_products(parser):
    """Neither what users load themselves nor other people's pipelines are changed."""
    folder = bundled("parsers/bundled") / "en-web"
    assert all_ops(parser.nlp) == {SentenceOps}
    plain = spacy.load(folder)
    assert SentenceOps not in all_ops(plain)
    assert parser.nlp.config.to_str() == plain.config.to_str()
    without = {"exclude": ["vocab"]}  # which has all words that were parsed
    assert parser.nlp.tokenizer.to_bytes(**without) == plain.tokenizer.to_bytes(**without)


def test_without_openblas_nothing_changes(monkeypatch):
    monkeypatch.setattr(products, "_threads", lambda: None)
    assert SentenceOps not in all_ops(load_parser("en-web").loaded_anew())
