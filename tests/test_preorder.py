"""The component `preorder` in pipelines of spaCy."""

import warnings

import pytest
import spacy
from spacy.tokens import DocBin

import preorder_eval as pe
from preorder_eval.base.errors import FormatError, InputWarning, PreorderEvalError, UnknownNameError
from preorder_eval.base.resources import bundled_names

TEXTS = ["She reads books in Tokyo.", "", " \n", "John's father didn't go.", "Stop!"]


@pytest.fixture(scope="module")
def nlp():
    pipeline = spacy.load("en_preorder_web")
    pipeline.add_pipe("sentencizer", first=True)
    pipeline.add_pipe("preorder", config={"rules": "en-ja"})
    return pipeline


@pytest.mark.slow
def test_orders_are_those_of_the_rules(bundled_reference, parser):
    """On the tokens of the reference set, which are tokenised already."""
    nlp = pe.load_pipeline()
    nlp.add_pipe("preorder", config={"rules": "en-ja"})
    sentences = bundled_reference.source[:60]
    expected = list(pe.load_rules("en-ja").reorder(parser.parse(sentences)))
    docs = nlp.pipe(
        spacy.tokens.Doc(nlp.vocab, words=words, sent_starts=[i == 0 for i in range(len(words))])
        for words in sentences
    )
    assert [list(doc._.preorder) for doc in docs] == expected


def test_text_and_spans(nlp):
    doc = nlp(TEXTS[0])
    assert doc._.preorder == (0, 4, 3, 2, 1, 5)
    assert doc._.preordered == "She Tokyo in books reads ."
    assert doc[2:5]._.preorder == (4, 3, 2)
    assert doc[2:5]._.preordered == "Tokyo in books"


def test_sentences_are_reordered_one_by_one(nlp):
    doc = nlp("She reads books.  He sings songs.")
    assert [sentence._.preordered for sentence in doc.sents] == [
        "She books reads .",
        "He songs sings .",
    ]
    assert doc._.preordered == "She books reads . He songs sings ."


@pytest.mark.slow
def test_ends_that_a_pipeline_does_not_find_are_warned_of():
    pipeline = spacy.load("en_preorder_web", exclude=["sentences"])
    pipeline.remove_pipe("sentences")
    pipeline.add_pipe("preorder", config={"rules": "en-ja"})
    with pytest.warns(InputWarning, match="sentencizer"):
        pipeline(TEXTS[4] + " " + TEXTS[0])
    pipeline(TEXTS[0])
    with warnings.catch_warnings(action="error"):
        pipeline(TEXTS[4] + " " + TEXTS[0])  # once is enough


def test_a_document_that_was_not_reordered_has_no_order(nlp):
    doc = nlp.make_doc("She reads.")
    assert doc._.preorder is doc._.preordered is doc[:1]._.preorder is doc[:1]._.preordered is None


@pytest.mark.slow
def test_pipes_of_several_processes_and_batches_agree(nlp):
    alone = [nlp(text)._.preordered for text in TEXTS]
    assert alone[0]
    assert alone[1] == alone[2] == ""
    assert [doc._.preordered for doc in nlp.pipe(TEXTS, batch_size=2)] == alone
    assert [doc._.preordered for doc in nlp.pipe(TEXTS, n_process=2)] == alone


def test_orders_are_kept_by_docbin(nlp):
    docs = list(nlp.pipe(TEXTS))
    stored = DocBin(store_user_data=True, docs=docs).to_bytes()
    read = list(DocBin().from_bytes(stored).get_docs(nlp.vocab))
    assert [doc._.preorder for doc in read] == [doc._.preorder for doc in docs]
    assert [doc._.preordered for doc in read] == [doc._.preordered for doc in docs]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["disk", "bytes"])
def test_a_stored_pipeline_has_its_rules(tmp_path, way):
    rules = tmp_path / "mine.toml"
    rules.write_text(bundled_names("rules")["en-ja"].read_text(encoding="utf-8"))
    nlp = pe.load_pipeline()
    nlp.add_pipe("preorder", config={"rules": str(rules)})
    if way == "disk":
        nlp.to_disk(tmp_path / "stored")
        rules.unlink()
        again = spacy.load(tmp_path / "stored")
    else:
        stored = nlp.to_bytes()
        rules.unlink()
        again = spacy.util.load_model_from_config(nlp.config, exclude=["preorder"])
        again.add_pipe("preorder", config={"rules": str(rules)})
        again.from_bytes(stored)
    assert again(TEXTS[0])._.preordered == nlp(TEXTS[0])._.preordered != TEXTS[0]


@pytest.mark.slow
def test_rules_that_are_not_there_are_named(tmp_path):
    nlp = pe.load_pipeline()
    with pytest.raises(UnknownNameError, match="unknown rule set 'en-jp'"):
        nlp.add_pipe("preorder", config={"rules": "en-jp"})
    nlp.add_pipe("preorder", config={"rules": str(tmp_path / "gone.toml")})
    with pytest.raises(FormatError, match=r"gone\.toml: cannot be read: No such file"):
        nlp("Go.")


def test_a_pipeline_without_a_parser_is_refused():
    nlp = spacy.blank("en")
    nlp.add_pipe("preorder", config={"rules": "en-ja"})
    with pytest.raises(PreorderEvalError, match="needs parsed documents; add a parser before it"):
        nlp("She reads books.")
