"""Training: spaCy's loop, our corpora, what a parser keeps of case, and the model card."""

import io
import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import spacy
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as spacy_train
from test_truecase import with_meta

from preorder_eval.analysis.attachment import attachment
from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.base.ragged import NameColumn
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.learning import train as training
from preorder_eval.learning.corpus import treebank_corpus
from preorder_eval.learning.learn_rules import learn_rules
from preorder_eval.learning.recipe import TrainingSettings
from preorder_eval.learning.train import resumed_pipeline, set_case, training_config
from preorder_eval.parsers.load_parser import find_parser, load_parser
from preorder_eval.parsers.pipelines import LEARNED_FILE
from preorder_eval.parsers.products import TrainingOps, multiply_by
from preorder_eval.parsers.truecase import pipeline_truecaser
from preorder_eval.trees.conllu import read_conllu, write_conllu
from preorder_eval.trees.treebank import Tree, Treebank

CONFIG = training._CONFIG
SHORT = {"steps": 5, "evaluate_every": 2, "seed": 1, "lower": 0.3}


@pytest.fixture(autouse=True)
def small_config(monkeypatch, tmp_path_factory):
    """A network so small that the tests are quick."""
    text = CONFIG.read_text()
    for large, small in (('"en"', '"xx"'), ("width = 96", "width = 8"), ("depth = 4", "depth = 1")):
        text = text.replace(large, small)
    path = tmp_path_factory.mktemp("config") / "small.cfg"
    path.write_text(re.sub(r"rows = .*", "rows = [50, 50, 50, 50]", text))
    monkeypatch.setattr(training, "_CONFIG", path)


@pytest.fixture
def treebank(gold, tmp_path):
    path = tmp_path / "train.conllu"
    write_conllu(path, Treebank.of([gold[i] for i in range(0, len(gold), 20)]))
    return path


@pytest.fixture
def untagged(treebank, tmp_path):
    """The same trees without tags, as selected parses may be."""
    trees = read_conllu(treebank)
    empty = NameColumn.of(["_"] * len(trees.words))
    path = tmp_path / "untagged.conllu"
    write_conllu(path, replace(trees, upos=empty, xpos=empty))
    return path


def train(treebank, out, *others, **options):
    """Train shortly on one file or several."""
    options = {"log": io.StringIO(), **SHORT, **options}
    return training.train([treebank, *others], treebank, out, **options)


def weights(folder):
    return {file.relative_to(folder): file.read_bytes() for file in folder.rglob("model")}


# Whole trainings.


@pytest.mark.slow
def test_a_trained_parser_has_learned_and_comes_with_a_card(gold, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "_CONFIG", CONFIG)
    path = tmp_path / "train.conllu"
    write_conllu(path, Treebank.of([gold[i] for i in range(0, len(gold), 10)]))
    named = {"data": "bundled trees", "licence": "CC BY 4.0"}
    card = training.train(
        [path], path, tmp_path / "small", log=io.StringIO(), steps=70, seed=1, **named
    )
    trees = read_conllu(path)
    scores = attachment(trees, load_parser(tmp_path / "small").parse(trees.sentences))
    assert scores.uas > 0.45
    assert (tmp_path / "small" / "README.md").read_text() == card
    assert f"| {100 * scores.uas:.1f} | {100 * scores.las:.1f} |" in card
    assert "train.conllu: 30 sentences" in card
    assert "| data | bundled trees |" in card
    assert str(tmp_path) not in (tmp_path / "small" / "config.cfg").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("beam", [None, 2])
def test_the_same_data_and_seed_give_the_weights_of_spacys_own_loop(treebank, tmp_path, beam):
    config = training_config([treebank], treebank, TrainingSettings(**SHORT, beam=beam))
    if beam:
        config["components"]["parser"] |= {"factory": "beam_parser", "beam_width": beam}
    (tmp_path / "spacy").mkdir()
    nlp = init_nlp(config)
    multiply_by(nlp, TrainingOps)  # by BLIS, the last digits would differ
    spacy_train(nlp, tmp_path / "spacy", stdout=io.StringIO(), stderr=io.StringIO())
    for keep in ("best", "last"):
        train(treebank, tmp_path / keep, beam=beam, keep=keep)
        assert weights(tmp_path / keep) == weights(tmp_path / "spacy" / f"model-{keep}")


@pytest.mark.slow
def test_training_goes_on_from_a_parser_greedy_and_with_a_beam(treebank, untagged, tmp_path):
    start = {"steps": 1, "learn_rate": 0.0003}
    train(treebank, tmp_path / "greedy", resume="en-web", **start)
    further = {"resume": tmp_path / "greedy", "beam": 2, "weights": (1, 3)}
    card = train(treebank, tmp_path / "beam", untagged, **start, **further)
    assert "words, 3 times in each epoch; SHA" in card
    sha256 = load_parser(tmp_path / "greedy").identity.sha256
    assert f"| continues from | greedy 1.0.0; SHA-256 `{sha256}` |" in card
    assert "parser (beam 2)" in card
    rows = ["as it is, beam 2", "as it is, greedy"]
    rows += [f"in lower case, truecased, {way}" for way in ("beam 2", "greedy")]
    assert re.findall(r"^\| (.*?) \| [\d.]+ \|", card, re.MULTILINE) == rows
    old, new = (load_parser(name).loaded_anew() for name in ("en-web", tmp_path / "beam"))
    assert new.get_pipe("parser").labels == old.get_pipe("parser").labels
    new.update([next(iter(treebank_corpus([treebank])(new)))])  # as its config says


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:parser .* is for xx")
def test_a_parser_knows_what_it_has_learned_from_and_scores_on_it_say_so(
    treebank, bundled_reference, tmp_path
):
    """Also what the parser has that it went on from, and whatever the case."""
    known = bundled_reference.take(range(0, 300, 20), "known")
    others = bundled_reference.take(range(1, 300, 20), "others")
    further = tmp_path / "further.conllu"
    write_conllu(further, others.trees)
    train(treebank, tmp_path / "first")
    train(further, tmp_path / "second", resume=tmp_path / "first")
    first, second = (load_parser(tmp_path / name) for name in ("first", "second"))
    upper = [[word.upper() for word in words] for words in known.source]
    learned = [first.learned_from(text) for text in (known.source, upper, others.source)]
    assert learned == [15, 15, 0]
    assert second.learned_from([*known.source, *others.source]) == 30
    assert load_parser("en-web").learned_from(known.source) == 0

    verdict = evaluate(others, parsers=[second], rules=["none"]).verdict
    assert "second was trained or selected on these sentences" in verdict
    assert "trained" not in evaluate(others, parsers=[first], rules=["none"]).verdict
    with pytest.warns(UserWarning, match="second was trained on 15 of these 15 sentences"):
        learn_rules(tmp_path / "second", others, folds=2, cache=False)
    (tmp_path / "first" / LEARNED_FILE).write_bytes(b"x")
    with pytest.raises(PreorderEvalError, match="has no hashes of sentences"):
        load_parser(tmp_path / "first").learned_from(known.source)


@pytest.mark.slow
def test_tags_that_are_missing_are_not_learned(untagged, tmp_path):
    train(untagged, tmp_path / "m", steps=1, resume="en-web")
    losses = json.loads((tmp_path / "m" / "meta.json").read_text())["performance"]
    assert losses["tagger_loss"] == losses["morphologizer_loss"] == 0
    assert losses["parser_loss"] > 0
    # A new pipeline leaves the taggers out.
    card = train(untagged, tmp_path / "new", steps=1)
    assert "tok2vec, parser.\n" in card
    assert "| – | – |" in card


# What is refused.


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\ta\n\n", r"bad\.conllu:1: .*2 fields instead of 10"),
        (None, r"bad\.conllu: UPOS 'noun' is not one of Universal"),
    ],
)
def test_bad_treebanks_are_named_and_nothing_is_written(treebank, tmp_path, text, message):
    bad = tmp_path / "bad.conllu"
    bad.write_text(text or treebank.read_text().replace("\tNOUN\t", "\tnoun\t"))
    for files, dev in (([treebank], bad), ([bad], treebank)):
        with pytest.raises(FormatError, match=message):
            training.train(files, dev, tmp_path / "small", **SHORT)
    assert {path.name for path in tmp_path.iterdir()} == {"train.conllu", "bad.conllu"}


def test_a_treebank_that_is_too_small_is_one_line(run, tmp_path):
    few = tmp_path / "few.conllu"
    row = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n".format
    few.write_text(f"{row(1, 'She', 'PRON', 2, 'nsubj')}{row(2, 'reads', 'VERB', 0, 'root')}\n")
    command = ("train", "--train", few, "--dev", few, "--out", tmp_path / "m", "--steps", "2")
    code, out, err = run(*command)
    assert (code, out, err.count("\n"), "too few words" in err) == (2, "", 1, True)
    assert not (tmp_path / "m").exists()


def test_what_cannot_be_begun_is_refused(treebank, tmp_path):
    with pytest.raises(PreorderEvalError, match="2 weights for 1 training files"):
        train(treebank, tmp_path / "m", weights=(1, 2))
    with pytest.raises(PreorderEvalError, match="needs files to train on"):
        training.train([], treebank, tmp_path / "m")
    (tmp_path / "m").write_text("mine")
    with pytest.raises(FormatError, match="exists"):
        train(treebank, tmp_path / "m")


@pytest.mark.slow
def test_a_beam_parser_made_of_a_greedy_one_has_its_labels_and_weights(treebank, gold):
    settings = TrainingSettings(resume="en-web", beam=4)
    config = training_config([treebank], treebank, settings)
    parser = load_parser("en-web")
    before = parser.parse(gold.sentences[:20])
    nlp = resumed_pipeline(parser, config, settings)
    assert nlp.config["components"]["parser"]["factory"] == "beam_parser"
    assert nlp.get_pipe("parser").cfg["beam_width"] == 4
    nlp.get_pipe("parser").cfg["beam_width"] = 1
    after = find_parser(nlp).parse(gold.sentences[:20])
    assert after.heads.tolist() == before.heads.tolist()
    assert list(after.labels) == list(before.labels)


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (ValueError("[E1031] none"), PreorderEvalError, "^too few words to train on: .* 10 times"),
        (ValueError(f"[E024] {'no ' * 99}"), PreorderEvalError, r"files: \[E024\] .{187,192} …$"),
        (ValueError("none [E024]"), ValueError, "^none"),
        (FormatError("[E1] ours"), FormatError, r"^\[E1\] ours$"),
    ],
)
def test_errors_of_spacy_are_one_line_and_others_stay(error, kind, message):
    with pytest.raises(kind, match=message) as caught, training.data_errors():
        raise error
    assert type(caught.value) is kind


# Settings, log and card.


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, (0.15, 0.0, 0, 8500, 500, 250, 0.002)),
        ({"lower": 1, "seed": 7, "steps": 9}, (1, 1, 7, 9, 9, 250, 0.002)),
        ({"lower": 0, "steps": 99, "evaluate_every": 98}, (0, 0.0, 0, 99, 98, 250, 0.002)),
        ({"resume": "en-web", "steps": 99, "learn_rate": 0.5}, (0.15, 0.0, 0, 99, 99, 4, 0.5)),
    ],
)
def test_settings_reach_spacys_config(settings, expected):
    config = training_config([Path("a"), Path("b")], Path("d"), TrainingSettings(**settings))
    # A number: `nlp.update` of a loaded pipeline reads this section without variables.
    assert config["training"]["optimizer"]["learn_rate"]["total_steps"] == expected[3]
    config = config.interpolate()
    trained, (train, dev) = config["training"], (config["corpora"][n] for n in ("train", "dev"))
    rate = trained["optimizer"]["learn_rate"]
    steps = trained["max_steps"], trained["eval_frequency"]
    found = train["lower"], dev.get("lower", 0.0), trained["seed"], *steps
    assert (*found, rate["warmup_steps"], rate["initial_rate"]) == expected
    assert (train["path"], dev["path"]) == (["a", "b"], "d")


def test_the_log_of_a_training_tells_the_time_left():
    nlp, out = SimpleNamespace(config={"training": {"max_steps": 250}}), io.StringIO()
    step, _ = training.updates_log()(nlp, io.StringIO(), out)
    for info in ({"step": 0, "seconds": 9}, None, {"step": 100, "seconds": 50}):
        step(info and info | {"other_scores": {"dep_las": 0.25, "pos_acc": 0.5}})
    assert [line.split() for line in out.getvalue().splitlines()] == [
        ["updates", "LAS", "UAS", "UPOS", "XPOS", "left"],
        ["0", "0.250", "0.500"],
        ["100", "0.250", "0.500", "1:15"],
    ]
    assert {len(line.rstrip()) for line in out.getvalue().splitlines()} == {43, 29}


def test_what_a_card_says_of_a_training(gold, treebank, tmp_path):
    few = gold.take(np.arange(5))
    assert training._accuracy(few, few) == "100.0 | 100.0 | 100.0 | 100.0 | 100.0"
    nothing = NameColumn.same("_", len(few.words))
    other = replace(few, upos=nothing, labels=NameColumn.same("punct", len(few.words)))
    scores = attachment(few, other)
    las = f"{100 * scores.las:.1f} | {100 * scores.las_full:.1f}"
    assert training._accuracy(few, other) == f"100.0 | {las} | – | 100.0"
    words = f"15 sentences, {len(read_conllu(treebank).words):,} words"
    used = training._used(treebank, read_conllu(treebank), 1)
    assert used.startswith(f"train.conllu: {words}; SHA-256 `")
    assert ", 2 times in each epoch; " in training._used(treebank, read_conllu(treebank), 2)
    settings = TrainingSettings(
        weights=(1, 3), evaluate_every=5, data="EWT", resume=tmp_path / "start", keep="last"
    )
    files = [tmp_path / "a b", tmp_path / "c"]
    assert training._command(files, tmp_path / "d", tmp_path / "m", settings) == (
        "preorder-eval train --train 'a b' --train c --weight 1 --weight 3 --dev d --out m "
        "--evaluate-every 5 --resume start --keep last --data-name EWT"
    )
    nlp = spacy.blank("xx", meta={"sources": [{"name": "old"}]})
    training._describe(nlp, "m", files, tmp_path / "d", settings)
    assert [source["name"] for source in nlp.meta["sources"]] == ["old", "EWT"]
    assert nlp.config["paths"]["train"] == ["a b", "c"]
    training._describe(nlp, "m", files[1:], tmp_path / "d", TrainingSettings(lower=1))
    assert nlp.meta["sources"] == [{"name": "c", "license": ""}]
    assert (nlp.config["paths"]["train"], nlp.meta["lower_case"]) == ("c", True)


# Corpora.


@pytest.fixture
def files(tmp_path):
    trees = {
        "a": Tree(["Dogs", "bark"], [1, -1], ["nsubj", "root"], ["NOUN", "VERB"], ["NNS", "VBP"]),
        "b": Tree(["Go", "!"], [-1, 0], ["root", "punct"], ["_", "_"], ["_", "_"]),
        "c": Tree(["New", "\u3000"], [-1, 0], ["root", "dep"], ["X", "X"], ["ODD", "NN"]),
        "d": Tree(["in", "kyoto"], [1, -1], ["case", "root"], ["ADP", "PROPN"], ["IN", "NNP"]),
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


@pytest.mark.slow
def test_sentences_are_seen_as_they_will_be_parsed(files):
    nlp = load_parser("en-web").nlp
    lower, both = files["d"], [files["d"], files["a"]]
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


@pytest.mark.slow
def test_tags_new_to_a_trained_tagger_are_forgotten(files):
    nlp = load_parser("en-web").loaded_anew()
    [example] = treebank_corpus(files["c"], known_tags=True)(nlp)
    assert [token.tag_ for token in example.reference] == ["", "NN"]
    [example] = treebank_corpus(files["c"])(nlp)
    assert [token.tag_ for token in example.reference] == ["ODD", "NN"]
    nlp.update([example], exclude=["tagger"])  # white space as a token does not confuse spaCy


# Case.


def flat(*sentences):
    """Flat trees over some sentences."""
    return Treebank.of(
        [
            Tree(words, [-1, *[0] * (len(words) - 1)], *[["_"] * len(words)] * 3)
            for words in map(str.split, sentences)
        ]
    )


MIXED = flat("We saw Kyoto and Nara", "we saw nara", "WE SAW NARA")


@pytest.fixture
def caseless(tmp_path):
    return with_meta(tmp_path / "caseless", truecase=None)


def test_a_new_parser_learns_the_case_of_its_treebanks():
    nlp = spacy.blank("en")
    assert set_case(nlp, None, [MIXED, flat("In Uji")], None, lower=False) == "auto"
    assert pipeline_truecaser(nlp, "auto").words == ["and", "Kyoto", "Nara", "saw", "Uji"]
    assert nlp.meta["truecase"] == "auto"


@pytest.mark.slow
@pytest.mark.parametrize("truecase", ["auto", "always"])
def test_a_parser_that_goes_on_learning_keeps_its_words_and_sees_text_so(truecase):
    parser = load_parser(f"en-web(truecase={truecase})")
    nlp = parser.loaded_anew()
    reader = {"@readers": "preorder_eval.treebank.v1"}
    nlp.config["corpora"] = {"train": dict(reader), "own": {"@readers": "spacy.Corpus.v1"}}
    known = parser.truecaser.words
    assert set_case(nlp, parser, [MIXED], None, lower=False) == truecase
    assert pipeline_truecaser(nlp, truecase).words == known
    assert nlp.meta["truecase"] == truecase
    assert nlp.config["corpora"]["train"] == reader | {"truecase": truecase}
    assert "truecase" not in nlp.config["corpora"]["own"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "text", "options", "expected"),
    [
        (None, MIXED, {"lower": True}, ""),
        (None, flat("we saw nara"), {}, ""),
        (None, MIXED, {"wanted": "always"}, "always"),
        (None, MIXED, {"wanted": "never"}, ""),
        ("en-web", MIXED, {"wanted": "always"}, "always"),
        ("en-web", MIXED, {"wanted": "never"}, ""),
        ("en-web(truecase=never)", MIXED, {}, ""),
        ("caseless", MIXED, {}, "auto"),
        ("caseless(truecase=never)", MIXED, {}, ""),
    ],
)
def test_how_a_parser_truecases(before, text, options, expected, caseless):
    start = load_parser(before.replace("caseless", str(caseless))) if before else None
    nlp = start.loaded_anew() if start else spacy.blank("en")
    options = {"wanted": None, "lower": False, **options}
    assert set_case(nlp, start, [text], **options) == expected
    assert nlp.meta.get("truecase", "") == expected
    assert ("truecase" in nlp.vocab.lookups) is bool(expected)
