"""`spacy train` selects the model that reorders best."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc, DocBin
from spacy.training import Example

import preorder_eval as pe
from preorder_eval.formats.rule_reading import load_rules
from preorder_eval.parsers.documents import document
from preorder_eval.resources import bundled
from preorder_eval.training.corpus import reference_corpus
from preorder_eval.training.fuzzy_scorer import fuzzy_scorer

pytestmark = pytest.mark.slow  # trains

CONFIG = Path(pe.__file__).parent / "training" / "select_by_fuzzy.cfg"


@pytest.fixture(scope="module")
def nlp():
    pipeline = pe.load_pipeline()
    scorer = {"@scorers": "preorder_eval.fuzzy_scorer.v1", "reference": "en-ja"}
    pipeline.add_pipe("preorder", config={"rules": "en-ja", "scorer": scorer})
    return pipeline


def test_the_score_is_that_of_evaluate(nlp):
    scores = nlp.evaluate(reference_corpus("en-ja")(nlp))
    result = pe.evaluate("en-ja", rules=["en-ja"], resamples=10)
    assert scores["fuzzy"] == pytest.approx(result.value("en-web/en-ja", 0))
    assert scores["kendall"] == pytest.approx(result.value("en-web/en-ja", 1))
    assert scores["dep_uas"] > 0.8


def test_sentences_that_are_not_in_the_reference_are_left_out(nlp):
    [inside, *_] = reference_corpus("en-ja")(nlp)
    outside = Example(nlp.make_doc("Nobody wrote this."), nlp.make_doc("Nobody wrote this."))
    assert nlp.evaluate([inside, outside])["fuzzy"] == nlp.evaluate([inside])["fuzzy"]
    assert nlp.evaluate([outside])["fuzzy"] is None


def write_reference(folder, sentences, links):
    folder.mkdir()
    (folder / "source.en").write_text("".join(f"{s}\n" for s in sentences))
    (folder / "en-ja.align").write_text("".join(f"{line}\n" for line in links))
    return str(folder)


def predicted(nlp, words, order):
    doc = Doc(nlp.vocab, words=words)
    doc._.preorder = order
    return Example(doc, document(nlp.vocab, words))


def test_other_tokens_are_aligned_by_characters(nlp, tmp_path):
    folder = write_reference(tmp_path / "set", ["I do n't go"], ["0-0 3-1 1-2 2-2"])
    score = fuzzy_scorer(folder)
    # Right order: I go do n't. The document has don't as one token, the reference as two.
    assert score([predicted(nlp, ["I", "don't", "go"], (0, 2, 1))])["fuzzy"] == 1
    assert score([predicted(nlp, ["I", "don't", "go"], (0, 1, 2))])["fuzzy"] == pytest.approx(1 / 3)
    # Here the document's tokens are smaller, and there is white space.
    smaller = predicted(nlp, ["I", "\n", "d", "o", "n't", "go"], (0, 5, 2, 3, 4))
    assert score([smaller])["fuzzy"] == 1


def test_a_sentence_that_the_reference_has_twice_has_both_its_orders(nlp, tmp_path):
    folder = write_reference(tmp_path / "set", ["a b", "a b"], ["0-0 1-1", "0-1 1-0"])
    examples = [predicted(nlp, ["a", "b"], order) for order in [(0, 1), (1, 0)]]
    assert fuzzy_scorer(folder)(examples)["fuzzy"] == 1
    assert fuzzy_scorer(folder)(examples[::-1])["fuzzy"] == 0


def test_a_reference_without_trees_is_a_corpus_too(nlp, tmp_path):
    folder = write_reference(tmp_path / "set", ["She reads books"], ["0-0 1-2 2-1"])
    [example] = reference_corpus(folder)(nlp)
    assert not example.reference.has_annotation("DEP")
    scorer = {"@scorers": "preorder_eval.fuzzy_scorer.v1", "reference": folder}
    pipeline = pe.load_pipeline()
    pipeline.add_pipe("preorder", config={"rules": "en-ja", "scorer": scorer})
    assert pipeline.evaluate([example])["fuzzy"] == 1


def spacy_command(*arguments):
    command = [sys.executable, "-m", "spacy", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.slow
def test_spacy_train_selects_by_fuzzy(tmp_path):
    """A hundred steps by the config file, then `spacy evaluate` of the best model."""
    printed = spacy_command(
        *("train", CONFIG, "--output", tmp_path / "models"),
        *("--paths.train", bundled("reference_data") / "en-ja" / "source.conllu"),
        *("--paths.reference", "contrast"),
        *("--training.max_steps", 100, "--training.eval_frequency", 50),
        *("--training.batcher.size", 100),
    )
    columns = next(line for line in printed.splitlines() if "FUZZY" in line).split()
    rows = [line.split() for line in printed.splitlines() if line.strip()[:1].isdigit()]
    # The names of the losses have a space in them.
    fuzzy = [float(row[columns.index("FUZZY") - columns.count("LOSS")]) / 100 for row in rows]
    assert [int(row[1]) for row in rows] == [0, 50, 100]

    best = spacy.load(tmp_path / "models" / "model-best")
    assert best.meta["performance"]["fuzzy"] == pytest.approx(max(fuzzy), abs=5e-5)
    assert max(fuzzy) > fuzzy[0]
    model = str(tmp_path / "models" / "model-best")
    parser = pe.load_parser(model)
    result = pe.evaluate("contrast", parsers=[parser], rules=["en-ja"], resamples=10)
    assert best.meta["performance"]["fuzzy"] == pytest.approx(result.value("model-best/en-ja"))

    reference = pe.load_reference("contrast")
    DocBin(docs=pe.to_docs(reference.trees, best)).to_disk(tmp_path / "contrast.spacy")
    data, scores = tmp_path / "contrast.spacy", tmp_path / "scores.json"
    spacy_command("evaluate", model, data, "--gold-preproc", "--output", scores)
    measured = json.loads(scores.read_bytes())["fuzzy"]
    assert measured == pytest.approx(max(fuzzy), abs=5e-5)


def test_the_config_names_the_rules_of_the_reference():
    config = spacy.util.load_config(CONFIG).interpolate()
    rules = load_rules(config["components"]["preorder"]["rules"])
    assert pe.load_reference(config["paths"]["reference"]).languages == rules.name
