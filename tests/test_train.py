import io
import json
import pathlib
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as spacy_train

from preorder_eval.analysis.attachment import attachment
from preorder_eval.data.ragged import Column
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.conllu import read_conllu, write_conllu
from preorder_eval.parsers.loading import load_parser
from preorder_eval.training import pipelines
from preorder_eval.training.pipelines import resumed_pipeline, training_config
from preorder_eval.training.train import TrainingSettings, train_parser

pytestmark = pytest.mark.slow  # trains

CONFIG = pipelines._CONFIG
SHORT = TrainingSettings(steps=5, evaluate_every=2, seed=1, lower=0.3)
OWN_CONFIG = """
[nlp]
lang = "xx"
pipeline = ["tok2vec", "parser"]
[components]
[components.tok2vec]
factory = "tok2vec"
[components.tok2vec.model]
@architectures = "spacy.HashEmbedCNN.v2"
width = 8
depth = 1
embed_size = 50
window_size = 1
maxout_pieces = 2
subword_features = true
pretrained_vectors = null
[components.parser]
factory = "parser"
[components.parser.model]
@architectures = "spacy.TransitionBasedParser.v2"
state_type = "parser"
extra_state_tokens = false
hidden_width = 16
maxout_pieces = 2
[components.parser.model.tok2vec]
@architectures = "spacy.Tok2VecListener.v1"
width = 8
[training]
max_steps = 3
max_epochs = 2
eval_frequency = 2
"""


@pytest.fixture(autouse=True)
def small_config(monkeypatch, tmp_path_factory):
    """A network so small that the tests are quick."""
    text = CONFIG.read_text()
    for large, small in (('"en"', '"xx"'), ("width = 96", "width = 8"), ("depth = 4", "depth = 1")):
        text = text.replace(large, small)
    path = tmp_path_factory.mktemp("config") / "small.cfg"
    path.write_text(re.sub(r"rows = .*", "rows = [50, 50, 50, 50]", text))
    monkeypatch.setattr(pipelines, "_CONFIG", path)


@pytest.fixture
def treebank(gold, tmp_path):
    path = tmp_path / "train.conllu"
    write_conllu(path, Treebank.of([gold[i] for i in range(0, len(gold), 20)]))
    return path


@pytest.fixture
def untagged(treebank, tmp_path):
    """The same trees without tags, as selected parses may be."""
    trees = read_conllu(treebank)
    empty = Column.of(["_"] * len(trees.words))
    path = tmp_path / "untagged.conllu"
    write_conllu(path, replace(trees, upos=empty, xpos=empty))
    return path


def train(treebank, out, settings=SHORT, **others):
    return train_parser([treebank], treebank, out, settings, log=io.StringIO(), **others)


def contents(folder):
    return {f.relative_to(folder): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def weights(folder):
    return {name: data for name, data in contents(folder).items() if name.name == "model"}


class InterruptionError(Exception):
    pass


def interrupt_after(steps):
    """What to give as `advance` in order to interrupt a training."""
    taken = 0

    def advance(count):
        nonlocal taken
        taken += count
        if taken > steps:
            raise InterruptionError

    return advance


@pytest.mark.parametrize(("lower", "insensitive"), [(1.0, True), (0.3, False)])
def test_a_parser_that_learned_in_lower_case_only_is_case_insensitive(
    treebank, tmp_path, lower, insensitive
):
    train(treebank, tmp_path / "out", replace(SHORT, lower=lower))
    meta = json.loads((tmp_path / "out/meta.json").read_text())
    assert meta["lower_case"] is insensitive
    # And one that is not knows the case of words.
    assert load_parser(tmp_path / "out").identity.truecase == ("" if insensitive else "auto")


@pytest.mark.slow
def test_a_trained_parser_has_learned_and_comes_with_a_card(gold, tmp_path, monkeypatch):
    monkeypatch.setattr(pipelines, "_CONFIG", CONFIG)
    path = tmp_path / "train.conllu"
    write_conllu(path, Treebank.of([gold[i] for i in range(0, len(gold), 5)]))
    settings = TrainingSettings(steps=100, seed=1, data="bundled trees", licence="CC BY 4.0")
    card = train(path, tmp_path / "small", settings)
    trees = read_conllu(path)
    scores = attachment(trees, load_parser(tmp_path / "small").parse(trees.sentences))
    assert scores.uas > 0.6
    assert (tmp_path / "small" / "README.md").read_text() == card
    assert f"| {100 * scores.uas:.1f} | {100 * scores.las:.1f} |" in card
    assert "train.conllu: 60 sentences" in card
    assert "| data | bundled trees |" in card
    assert str(tmp_path) not in (tmp_path / "small" / "config.cfg").read_text()


@pytest.mark.parametrize("beam", [None, pytest.param(2, marks=pytest.mark.slow)])
def test_weights_are_bit_by_bit_those_of_spacys_own_loop(treebank, tmp_path, beam):
    settings = replace(SHORT, beam=beam)
    config = training_config([treebank], treebank, settings)
    if beam:
        config["components"]["parser"] |= {"factory": "beam_parser", "beam_width": beam}
    (tmp_path / "spacy").mkdir()
    spacy_train(init_nlp(config), tmp_path / "spacy", stdout=io.StringIO())
    train(treebank, tmp_path / "ours", settings)
    assert weights(tmp_path / "ours") == weights(tmp_path / "spacy" / "model-best")


@pytest.mark.parametrize("beam", [2, pytest.param(None, marks=pytest.mark.slow)])
def test_an_interrupted_training_goes_on_to_the_same_bytes(treebank, tmp_path, beam):
    settings = replace(SHORT, beam=beam, keep="last")
    train(treebank, tmp_path / "a" / "model", settings)
    out = tmp_path / "b" / "model"
    for steps in (1, 4):
        with pytest.raises(InterruptionError):
            train(treebank, out, settings, advance=interrupt_after(steps))
        assert not out.exists()
    log = io.StringIO()
    train_parser([treebank], treebank, out, settings, log=log)
    assert log.getvalue().startswith("going on after step 4\nstep 5 of 5,")
    assert contents(out) == contents(tmp_path / "a" / "model")
    assert [path.name for path in out.parent.iterdir()] == ["model"]


@pytest.mark.slow
def test_with_keep_last_the_last_weights_are_kept(treebank, tmp_path):
    for keep in ("last", "best"):
        card = train(treebank, tmp_path / keep, replace(SHORT, keep=keep, learn_rate=10.0))
        assert ("| weights | last, after step 5 |" in card) == (keep == "last")
    assert weights(tmp_path / "last") != weights(tmp_path / "best")


def test_the_checkpoint_of_another_training_is_refused(treebank, tmp_path):
    with pytest.raises(InterruptionError):
        train(treebank, tmp_path / "m", advance=interrupt_after(3))
    with pytest.raises(FormatError, match=r"other seed: 1 instead of 2; repeat its command, or"):
        train(treebank, tmp_path / "m", replace(SHORT, seed=2))
    trees = read_conllu(treebank)
    write_conllu(treebank, Treebank.of([trees[i] for i in range(5)]))
    with pytest.raises(FormatError, match=r"\.m\.training.*: an interrupted training with other"):
        train(treebank, tmp_path / "m")
    (tmp_path / ".m.training" / "checkpoint.npz").write_bytes(b"PK")
    with pytest.raises(FormatError, match="a damaged checkpoint; "):
        train(treebank, tmp_path / "m")
    assert not (tmp_path / "m").exists()


@pytest.mark.slow
def test_a_training_killed_when_it_had_ended_is_tidied_up(treebank, tmp_path):
    with pytest.raises(InterruptionError):
        train(treebank, tmp_path / "m", advance=interrupt_after(3))
    left = contents(tmp_path / ".m.training")
    card = train(treebank, tmp_path / "m")
    (tmp_path / ".m.training").mkdir()
    for name, data in left.items():
        (tmp_path / ".m.training" / name).write_bytes(data)
    assert train(treebank, tmp_path / "m") == card
    assert not (tmp_path / ".m.training").exists()
    with pytest.raises(FormatError, match="exists already"):
        train(treebank, tmp_path / "m")


def test_a_beam_parser_made_of_a_greedy_one_has_its_labels_and_weights(treebank, gold):
    settings = TrainingSettings(resume="en-web", beam=4)
    config = training_config([treebank], treebank, settings)
    parser = load_parser("en-web")
    before = parser.parse(gold.sentences[:20])
    nlp = resumed_pipeline(parser, config, settings)
    assert nlp.config["components"]["parser"]["factory"] == "beam_parser"
    assert nlp.get_pipe("parser").cfg["beam_width"] == 4
    nlp.get_pipe("parser").cfg["beam_width"] = 1
    after = parser.parse(gold.sentences[:20])
    assert after.heads.tolist() == before.heads.tolist()
    assert list(after.labels) == list(before.labels)


@pytest.mark.slow
def test_training_goes_on_from_a_parser_greedy_and_with_a_beam(treebank, untagged, tmp_path):
    start = replace(SHORT, steps=1, resume="en-web", learn_rate=0.0003, dropout=0.1)
    train(treebank, tmp_path / "greedy", start)
    resumed = replace(start, resume=tmp_path / "greedy", beam=2, weights=(1, 3))
    files = [treebank, untagged]
    words = len(read_conllu(treebank).words)
    card = train_parser(files, treebank, tmp_path / "beam", resumed, log=io.StringIO())
    assert f"untagged.conllu: 15 sentences, {words} words, 3 times in each epoch; SHA" in card
    sha256 = load_parser(tmp_path / "greedy").identity.sha256
    assert f"| goes on from | greedy 1.0.0; SHA-256 `{sha256}` |" in card
    assert "--weight 1 --weight 3" in card
    assert "parser (beam 2)" in card
    assert "| as it is, beam 2 |" in card
    assert "| as it is, greedy |" in card
    old, new = (load_parser(name).nlp for name in ("en-web", tmp_path / "beam"))
    assert new.get_pipe("parser").labels == old.get_pipe("parser").labels


def test_tags_that_are_missing_are_not_learned(untagged, tmp_path):
    train(untagged, tmp_path / "m", replace(SHORT, steps=1, resume="en-web"))
    losses = json.loads((tmp_path / "m" / "meta.json").read_text())["performance"]
    assert losses["tagger_loss"] == losses["morphologizer_loss"] == 0
    assert losses["parser_loss"] > 0


def test_taggers_are_left_out_where_there_is_nothing_to_learn(untagged, tmp_path):
    card = train(untagged, tmp_path / "m", replace(SHORT, steps=1))
    assert "tok2vec, parser.\n" in card
    assert "| – | – |" in card


def test_ones_own_config_is_used(treebank, tmp_path):
    config = tmp_path / "own.cfg"
    config.write_text(OWN_CONFIG)
    settings = TrainingSettings(config=config, seed=3, beam=2)
    card = train(treebank, tmp_path / "own", settings)
    assert "tok2vec, parser (beam 2)." in card
    assert "| spaCy config | own.cfg; SHA-256" in card
    written = (tmp_path / "own" / "config.cfg").read_text()
    assert "hidden_width = 16" in written
    assert "preorder_eval.treebank.v1" in written
    # The config may name its data itself.
    config.write_text(f'{OWN_CONFIG}\n[paths]\ntrain = "{treebank}"\ndev = "{treebank}"\n')
    named = train_parser([], None, tmp_path / "named", settings, log=io.StringIO())
    assert "| training data 1 | train.conllu: 15 sentences" in named
    assert weights(tmp_path / "named") == weights(tmp_path / "own")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[nlp]", "[nlp", r"own\.cfg: spaCy cannot train by this config: "),
        ("Tok2VecListener.v1", "Tok2VecListener.v7", "Could not find function"),
        ("max_steps = 3", "max_steps = many", "spaCy cannot train by this config"),
        ('["tok2vec", "parser"]', '["tok2vec"]', "no parser that could learn: tok2vec"),
        ('v1"\nwidth = 8', 'v1"\nwidth = 9', "spaCy cannot train by this config"),
    ],
)
def test_what_is_wrong_with_ones_own_config_is_said(treebank, tmp_path, old, new, message):
    config = tmp_path / "own.cfg"
    config.write_text(OWN_CONFIG.replace(old, new))
    with pytest.raises(PreorderEvalError, match=message) as caught:
        train(treebank, tmp_path / "own", TrainingSettings(config=config))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "own").exists()


def test_bad_treebanks_are_named_and_nothing_is_written(treebank, tmp_path):
    bad = tmp_path / "bad.conllu"
    bad.write_text("1\ta\n\n")
    with pytest.raises(FormatError, match=r"bad\.conllu:1: .*2 fields instead of 10"):
        train_parser([treebank], bad, tmp_path / "small", SHORT)
    bad.write_text(treebank.read_text().replace("\tNOUN\t", "\tnoun\t"))
    with pytest.raises(FormatError, match=r"bad\.conllu: UPOS 'noun' is not one of Universal"):
        train_parser([bad], treebank, tmp_path / "small", SHORT)
    assert {path.name for path in tmp_path.iterdir()} == {"train.conllu", "bad.conllu"}


def test_weights_and_files_must_go_together(treebank, tmp_path):
    with pytest.raises(PreorderEvalError, match="2 weights for 1 training files"):
        train(treebank, tmp_path / "m", replace(SHORT, weights=(1, 2)))


@pytest.mark.parametrize(("call", "name"), [("unlink", "checkpoint.npz"), ("rmdir", ".m.training")])
def test_tidying_up_that_was_interrupted_is_done_by_the_next_start(
    treebank, tmp_path, monkeypatch, call, name
):
    """Whichever of its last calls was the last one."""

    def interrupted(path, *arguments, **options):
        if path.name == name:
            raise InterruptionError
        return whole(path, *arguments, **options)

    whole = getattr(pathlib.Path, call)
    with monkeypatch.context() as patch:
        patch.setattr(pathlib.Path, call, interrupted)
        with pytest.raises(InterruptionError):
            train(treebank, tmp_path / "m")
    assert {path.name for path in tmp_path.iterdir()} == {"train.conllu", "m", ".m.training"}
    log = io.StringIO()
    card = train_parser([treebank], treebank, tmp_path / "m", SHORT, log=log)
    assert log.getvalue() == "the training had finished\n"
    assert card == (tmp_path / "m" / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in tmp_path.iterdir()} == {"train.conllu", "m"}
    with pytest.raises(FormatError, match="exists already"):
        train(treebank, tmp_path / "m")


@pytest.mark.slow
def test_kill_9_at_any_moment_loses_nothing(treebank, tmp_path):
    options = ["--train", treebank, "--dev", treebank, "--steps", "40", "--evaluate-every", "4"]
    command = [sys.executable, "-m", "preorder_eval", "train", *map(str, options), "--out"]
    subprocess.run([*command, str(tmp_path / "a" / "m")], check=True, capture_output=True)
    chance = random.Random(1)
    again = [*command, str(tmp_path / "b" / "m")]
    for evaluations in (1, 2, 1, 3):
        with subprocess.Popen(again, stderr=subprocess.PIPE, text=True) as process:
            for _ in range(evaluations):
                next(line for line in process.stderr if line.startswith("step "))
            time.sleep(chance.uniform(0, 0.1))
            process.kill()
        assert process.returncode == -signal.SIGKILL
    subprocess.run(again, check=True, capture_output=True)
    assert contents(tmp_path / "a" / "m") == contents(tmp_path / "b" / "m")
    assert [path.name for path in (tmp_path / "b").iterdir()] == ["m"]
