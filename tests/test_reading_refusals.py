"""Files that metrics do not need, need and do not have, or cannot have together are refused."""

import re

import pytest
from score_files import (
    ALL,
    HYP,
    HYP_TAG_FILES,
    LINK_FILES,
    NEEDED,
    REF,
    REF_LINK_FILES,
    REF_TAG_FILES,
    SOURCE,
    input_files,
    metrics,
    write_files,
)

from preorder_eval.cli.metric_files import option
from preorder_eval.errors import PreorderEvalError
from preorder_eval.results.reading import InputFiles


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files()


def refused(files, *signatures):
    """What is said against files, by a library that knows no options and by the command line."""
    said = []
    for call in (str, option):
        own = InputFiles(**{**vars(files), "call": call})
        with pytest.raises(PreorderEvalError) as caught:
            own.check(metrics(*signatures))
        with pytest.raises(PreorderEvalError) as again:
            own.read(metrics(*signatures))
        said.append(str(caught.value))
        assert str(again.value) == said[-1]
        assert "\n" not in said[-1]
    assert "--" not in said[0]
    return said


@pytest.mark.parametrize(
    ("signature", "name"), [(s, name) for s, needed in NEEDED.items() for name in needed]
)
def test_each_input_that_is_missing_is_named(signature, name):
    given = {key: own for key, own in NEEDED[signature].items() if key != name}
    by_name, by_option = refused(input_files(given), signature)
    short = signature.partition("(")[0]
    assert by_name.startswith(f"metric {short}")
    assert by_name.partition(" needs ")[2].startswith(name)
    assert by_option.partition(" needs ")[2].startswith(option(name))


@pytest.mark.parametrize(
    ("signature", "name"),
    [(s, name) for s, own in NEEDED.items() for name in ALL if name not in {*own, "source"}],
)
def test_each_input_that_is_too_much_is_refused(signature, name):
    by_name, by_option = refused(input_files({**NEEDED[signature], name: ALL[name]}), signature)
    assert by_name == f"{name}: none of the metrics needs it"
    assert by_option == f"{option(name)}: none of the metrics needs it"


@pytest.mark.parametrize(
    ("signature", "name"),
    [(s, name) for s, needed in NEEDED.items() for name in needed if name != "ref"],
)
def test_there_is_one_for_each(signature, name):
    needed = NEEDED[signature]
    of = {"h": ("hyp", HYP), "r": ("ref", needed.get("ref")), "s": ("source", [0])}[name[0]]
    files = [*needed[name], needed[name][0]]
    by_name, by_option = refused(input_files({**needed, name: files}), signature)
    assert by_name == (
        f"{len(files)} {name}, but {len(of[1])} {of[0]}; give one for each, in the same order"
    )
    assert by_option.startswith(f"{len(files)} {option(name)}, but {len(of[1])} --{of[0]}; ")


MIX = "hlepor(mix=1:9)"
TAGS = {**HYP_TAG_FILES, **REF_TAG_FILES}
LINKED = {**SOURCE, **REF_LINK_FILES}


@pytest.mark.parametrize(
    ("given", "options", "signature", "message"),
    [
        ({}, {}, MIX, "metric MIX needs --input hyp_tags=FILE and --input ref_tags=FILE, or "
         "--tagger"),
        ({}, {}, "lrscore", "metric lrscore needs --source and --input hyp_alignment=FILE and "
         "--input ref_alignment=FILE; or --source and --align agree"),
        (TAGS, {"tagger": "en-web"}, MIX, "choose one of --tagger and --input hyp_tags=FILE"),
        (LINKED, {"align": "ibm1"}, "lrscore",
         "choose one of --align and --input ref_alignment=FILE"),
        ({}, {"tagger": "en-web"}, "wer", "--tagger: none of the metrics needs it"),
        ({}, {"align": "ibm1"}, "wer", "--align: none of the metrics needs it"),
        (SOURCE, {"align": "ibm1"}, "wer", "--align: none of the metrics needs it"),
        (LINK_FILES, {"settings": {"source": {"tokenize": "char"}}}, "lrscore",
         "tokenize of the source goes with --align"),
        ({}, {"tagger": "en-web"}, "ebleu", "metric ebleu needs --input source_tags=FILE, "
         "or taggers"),
        ({}, {"tagger": "en-web", "source_tagger": "en-web"}, "hppr", "metric hppr needs --source"),
        ({}, {"tagger": "en-web"}, "hlepor(mix=1:9,tokenize=char)",
         "--tagger tags the words between spaces; leave out tokenize"),
        (LINK_FILES, {}, "lrscore(tokenize=13a)",
         "metric lrscore: tokenize=13a would split words that are aligned"),
        ({"hyp_sure": HYP}, {}, "wer", "unknown input 'hyp_sure'"),
    ],
)  # fmt: skip
def test_what_does_not_go_together(given, options, signature, message):
    """A library calls them by names, and the command line by options."""
    needs_references = signature not in ("ebleu", "hppr")
    given = {**({"ref": REF} if needs_references else {}), **given}
    by_name, by_option = refused(input_files(given, **options), signature)
    message = message.replace("MIX", "hlepor")
    assert plain(message) in plain(by_option)
    named = re.sub(r"--input (\w+)=FILE", r"\1", message)
    named = re.sub(r"--([a-z-]+)", lambda found: found[1].replace("-", "_"), named)
    assert plain(named) in plain(by_name)


def plain(text):
    """A text without the parameters of a metric."""
    return re.sub(r"\(.*?\)", "", text)
