"""Folders of spaCy pipelines that could run code of their makers are not loaded without a word."""

import json
import shutil
from pathlib import Path

import pytest
import spacy

from preorder_eval.errors import PreorderEvalError
from preorder_eval.parsers.loading import load_parser
from preorder_eval.resources import bundled_names

BUNDLED = bundled_names("parsers/bundled")["en-web"]
CALLED = []


@spacy.registry.misc("tests.a_strangers_function")
def a_strangers_function(command: str = ""):
    CALLED.append(command)
    return command


@spacy.registry.callbacks("tests.a_strangers_callback")
def a_strangers_callback():
    CALLED.append("callback")
    return lambda language: language


@pytest.fixture
def folder(tmp_path):
    """A pipeline that `train` has written."""
    shutil.copytree(BUNDLED, tmp_path / "mine")
    CALLED.clear()
    return tmp_path / "mine"


def change(folder, old, new):
    config = folder / "config.cfg"
    text = config.read_text()
    assert old in text
    config.write_text(text.replace(old, new, 1))


def test_what_was_trained_here_is_loaded(folder):
    assert load_parser(folder).parse([["Dogs", "bark"]])[0].heads == [1, -1]


def test_what_train_did_not_write_is_not_loaded(folder):
    change(folder, "preorder_eval.treebank.v1", "spacy.Corpus.v1")
    with pytest.raises(PreorderEvalError, match=r"mine: .*not written by preorder-eval train; wit"):
        load_parser(folder)
    assert load_parser(folder, trust=True).parse([["Dogs", "bark"]])[0].heads == [1, -1]
    # What `train` writes into its meta data is as good as its reader in the config.
    meta = json.loads((folder / "meta.json").read_text())
    (folder / "meta.json").write_text(json.dumps({**meta, "lower_case": False}))
    load_parser(folder)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        (
            "before_creation = null",
            'before_creation = {"@callbacks": "tests.a_strangers_callback"}',
            "@callbacks 'tests.a_strangers_callback'",
        ),
        (
            "before_creation = null",
            'before_creation = {"\\u0040callbacks": "tests.a_strangers_callback"}',
            "@callbacks 'tests.a_strangers_callback'",
        ),
        (
            '@architectures = "spacy.MaxoutWindowEncoder.v2"',
            '@misc = "tests.a_strangers_function"\ncommand = "rm"',
            "@misc 'tests.a_strangers_function'",
        ),
        (
            '@architectures = "spacy.MaxoutWindowEncoder.v2"',
            '@architectures = "nobody.knows.v1"',
            "@architectures 'nobody.knows.v1'",
        ),
        (
            '@scorers = "spacy.parser_scorer.v1"',
            '@readers = "srsly.read_json.v1"\npath = "/etc/passwd"',
            "@readers 'srsly.read_json.v1'",
        ),
        ('factory = "tagger"', 'factory = "entity_linker"', "factory 'entity_linker'"),
    ],
)
def test_a_function_that_is_not_spacys_is_not_called(folder, old, new, named):
    """Even where the folder says that `train` has written it."""
    change(folder, old, new)
    with pytest.raises(PreorderEvalError) as caught:
        load_parser(folder)
    assert f"{named}, which is not spaCy's own; with --trust" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert CALLED == []


def test_trusted_it_is_called(folder):
    change(
        folder,
        "before_creation = null",
        'before_creation = {"@callbacks": "tests.a_strangers_callback"}',
    )
    load_parser(folder, trust=True)
    assert CALLED == ["callback"]


def test_the_option_is_for_one_command(run, folder, monkeypatch):
    change(folder, "preorder_eval.treebank.v1", "spacy.Corpus.v1")
    monkeypatch.chdir(folder.parent)
    Path("s.en").write_text("Dogs bark\n")
    parse = ["parse", "--no-cache", "--source", "s.en", "--parser", "mine"]
    for arguments, code in ((parse, 2), ([*parse, "--trust"], 0), (parse, 2)):
        said = run(*arguments)
        assert said[0] == code
        assert ("--trust" in said[2]) == (code == 2)
        assert len(said[2].splitlines()) == (code == 2)
