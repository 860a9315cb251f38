"""`spacy train` selects the model that reorders best."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

import preorder_eval as pe
from preorder_eval.base.resources import bundled
from preorder_eval.learning.spacy_scorer import fuzzy_scorer, reference_corpus
from preorder_eval.parsers.to_docs import document
from preorder_eval.rules.rule_reading import load_rules

CONFIG = Path(pe.__file__).parent / "learning" / "select_by_fuzzy.cfg"
HEAD_LAST = (
    'name = "head-last"\nscheme = "ud"\n[[rule]]\nhead = "*"\norder = ["OTHER", "HEAD", "punct"]\n'
)


@pytest.fixture
def rules(tmp_path):
    (tmp_path / "head-last.toml").write_text(HEAD_LAST)
    return str(tmp_path / "head-last.toml")


def write_reference(folder, sentences, links):
    folder.mkdir()
    (folder / "source.en").write_text("".join(f"{s}\n" for s in sentences))
    (folder / "en-ja.align").write_text("".join(f"{line}\n" for line in links))
    return str(folder)


def predicted(words, heads):
    """An example that a parser has hung on these heads; the root is its own head."""
    vocab = Vocab()
    deps = ["ROOT" if head == n else "dep" for n, head in enumerate(heads)]
    doc = Doc(vocab, words=words, heads=heads, deps=deps, pos=["X"] * len(words))
    return Example(doc, document(vocab, words))


def test_a_sentence_that_the_reference_has_twice_has_both_its_orders(tmp_path, rules):
    folder = write_reference(tmp_path / "set", ["eat fish", "eat fish"], ["0-1 1-0", "0-0 1-1"])
    turned, kept = (predicted(["eat", "fish"], [head, head]) for head in (0, 1))
    score = fuzzy_scorer(folder, rules)
    assert score([turned, kept])["fuzzy"] == 1
    assert score([kept, turned])["fuzzy"] == 0
    other = predicted(["nobody", "wrote", "this"], [1, 1, 1])
    assert score([other, turned, other])["fuzzy"] == 1
    assert score([other])["fuzzy"] is None
    assert {"dep_uas", "dep_las", "kendall"} <= score([turned]).keys()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::preorder_eval.base.errors.InputWarning")
@pytest.mark.parametrize("words", [["don't", "go"], ["do", "n't", "go"], ["do", "n't", "g", "o"]])
def test_documents_may_have_other_tokens_than_the_reference(tmp_path, rules, words):
    folder = write_reference(tmp_path / "set", ["do n't go"], ["0-1 1-2 2-0"])
    for root in (0, len(words) - 1):
        example = predicted(words, [root] * len(words))
        trees = {"parsed": pe.from_docs([example.predicted])}
        result = pe.evaluate(folder, trees=trees, rules=[rules], resamples=1)
        assert fuzzy_scorer(folder, rules)([example])["fuzzy"] == result.value("parsed/head-last")


def test_a_pipeline_loads_without_the_reference(tmp_path, rules):
    folder = write_reference(tmp_path / "set", ["eat fish"], ["0-1 1-0"])
    nlp = spacy.blank("xx")
    scorer = {"@scorers": "preorder_eval.fuzzy_scorer.v1", "reference": folder, "rules": rules}
    nlp.add_pipe("parser", config={"scorer": scorer}).add_label("dep")
    nlp.initialize()
    nlp.to_disk(tmp_path / "model")
    shutil.rmtree(folder)
    assert len(spacy.load(tmp_path / "model")("eat fish")) == 2


@pytest.mark.slow
@pytest.mark.parametrize(("trees", "rules"), [(True, "en-ko"), (False, "en-ja")])
def test_the_score_is_that_of_evaluate(tmp_path, trees, rules):
    reference = rules
    if not trees:
        reference = write_reference(tmp_path / "en-ja", ["She reads books"], ["0-0 1-2 2-1"])
    nlp = pe.load_pipeline()
    nlp.get_pipe("parser").scorer = fuzzy_scorer(reference, rules)
    examples = list(reference_corpus(reference)(nlp))
    scores = nlp.evaluate(examples)
    result = pe.evaluate(reference, rules=[rules], resamples=10)
    for number, metric in enumerate(result.metrics):
        assert scores[metric.name] == pytest.approx(result.value(f"en-web/{rules}", number))
    assert examples[0].reference.has_annotation("DEP") == trees
    assert (scores["dep_uas"] is not None) == trees


def spacy_command(*arguments):
    command = [sys.executable, "-m", "spacy", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.slow
def test_spacy_train_selects_by_fuzzy(tmp_path):
    """A hundred steps by the config file."""
    printed = spacy_command(
        *("train", CONFIG, "--output", tmp_path / "models"),
        *("--paths.train", bundled("reference_data") / "en-ja" / "source.conllu"),
        *("--paths.reference", "contrast@ja"),
        *("--training.max_steps", 100, "--training.eval_frequency", 50),
        *("--training.batcher.size", 100),
    )
    columns = next(line for line in printed.splitlines() if "FUZZY" in line).split()
    rows = [line.split() for line in printed.splitlines() if line.strip()[:1].isdigit()]
    # The names of the losses have a space in them.
    fuzzy = [float(row[columns.index("FUZZY") - columns.count("LOSS")]) / 100 for row in rows]
    assert [int(row[1]) for row in rows] == [0, 50, 100]
    assert max(fuzzy) > fuzzy[0]

    model = tmp_path / "models" / "model-best"
    kept = spacy.load(model).meta["performance"]["fuzzy"]
    assert kept == pytest.approx(max(fuzzy), abs=5e-5)
    parser = pe.load_parser(str(model))
    result = pe.evaluate("contrast@ja", parsers=[parser], rules=["en-ja"], resamples=10)
    assert kept == pytest.approx(result.value("model-best/en-ja"))


def test_the_config_names_the_rules_of_the_reference():
    config = spacy.util.load_config(CONFIG).interpolate()
    rules = load_rules(config["components"]["parser"]["scorer"]["rules"])
    assert pe.load_reference(config["paths"]["reference"]).languages == rules.name
