"""What trained parsers know of case; trainings that write it are in test_train."""

import json
import shutil

import pytest
import spacy

from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.parsers.loading import load_parser
from preorder_eval.parsers.truecase import pipeline_truecaser as truecaser
from preorder_eval.resources import bundled_names
from preorder_eval.training.casing import set_case

pytestmark = pytest.mark.slow  # trains


def treebank(*sentences):
    """Flat trees over some sentences."""
    return Treebank.of(
        [
            Tree(words, [-1, *[0] * (len(words) - 1)], *[["_"] * len(words)] * 3)
            for words in map(str.split, sentences)
        ]
    )


MIXED = treebank("We saw Kyoto and Nara", "we saw nara", "WE SAW NARA")


@pytest.fixture
def start():
    """Makes the bundled parser, told how to truecase."""
    return lambda truecase="": load_parser(f"en-web{truecase and f'(truecase={truecase})'}")


@pytest.fixture
def caseless(tmp_path):
    folder = shutil.copytree(bundled_names("parsers/bundled")["en-web"], tmp_path / "caseless")
    meta = json.loads((folder / "meta.json").read_text())
    del meta["truecase"]
    (folder / "meta.json").write_text(json.dumps(meta))
    return folder


def test_a_new_parser_learns_the_case_of_its_treebanks():
    nlp = spacy.blank("en")
    assert set_case(nlp, None, [MIXED, treebank("In Uji")], None, lower=False) == "auto"
    assert truecaser(nlp, "auto").words == ["and", "Kyoto", "Nara", "saw", "Uji"]
    assert nlp.meta["truecase"] == "auto"


@pytest.mark.parametrize(("trees", "lower"), [(MIXED, True), (treebank("we saw nara"), False)])
def test_nothing_is_known_without_case(trees, lower):
    nlp = spacy.blank("en")
    assert set_case(nlp, None, [trees], None, lower=lower) == ""
    assert "truecase" not in nlp.meta
    assert "truecase" not in nlp.vocab.lookups


@pytest.mark.parametrize("truecase", ["auto", "always"])
def test_who_goes_on_learning_keeps_what_it_knows_and_sees_text_so(start, truecase):
    parser = start(truecase)
    nlp = parser.nlp
    reader = {"@readers": "preorder_eval.treebank.v1"}
    nlp.config["corpora"] = {"train": dict(reader), "own": {"@readers": "spacy.Corpus.v1"}}
    known = parser.truecaser.words
    assert set_case(nlp, parser, [MIXED], None, lower=False) == truecase
    assert truecaser(nlp, truecase).words == known
    assert nlp.meta["truecase"] == truecase
    assert nlp.config["corpora"]["train"] == reader | {"truecase": truecase}
    assert "truecase" not in nlp.config["corpora"]["own"]


def test_who_is_told_not_to_truecase_forgets(start, tmp_path):
    parser = start("never")
    assert set_case(parser.nlp, parser, [MIXED], None, lower=False) == ""
    parser.nlp.to_disk(tmp_path / "further")
    assert load_parser(tmp_path / "further").identity.truecase == ""


def test_who_knew_nothing_learns_unless_told_not_to(caseless):
    for name, expected in ((str(caseless), "auto"), (f"{caseless}(truecase=never)", "")):
        parser = load_parser(name)
        assert set_case(parser.nlp, parser, [MIXED], None, lower=False) == expected


@pytest.mark.parametrize(("wanted", "known"), [("always", True), ("never", False)])
def test_a_training_may_say_how_its_parser_truecases(start, wanted, known):
    for before in (None, start()):
        nlp = before.nlp if before else spacy.blank("en")
        assert set_case(nlp, before, [MIXED], wanted, lower=False) == (wanted if known else "")
        assert ("truecase" in nlp.vocab.lookups) is known


def test_the_bundled_parser_knows_its_treebank(start):
    words = start().truecaser.words
    assert len(words) == len({word.lower() for word in words}) == 14842
    assert {"President", "the", "NATO", "IBM", "Bush", "american"} & set(words) == {
        "the", "NATO", "IBM", "Bush", "President",
    }  # fmt: skip
