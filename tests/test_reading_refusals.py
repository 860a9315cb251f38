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

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.evaluation.reading import option


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files()


def refused(files, *signatures):
    """What is said against files, before they are read and then."""
    with pytest.raises(PreorderEvalError) as caught:
        files.check(metrics(*signatures))
    with pytest.raises(PreorderEvalError) as again:
        files.read(metrics(*signatures))
    assert str(again.value) == str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("signature", "name"), [(s, name) for s, needed in NEEDED.items() for name in needed]
)
def test_each_input_that_is_missing_is_named(signature, name):
    given = {key: own for key, own in NEEDED[signature].items() if key != name}
    told, _, lacking = refused(input_files(given), signature).partition(" needs ")
    assert told.startswith(f"metric {signature.partition('(')[0]}")
    assert lacking.startswith(option(name))


@pytest.mark.parametrize(
    ("signature", "name"),
    [(s, name) for s, own in NEEDED.items() for name in ALL if name not in {*own, "source"}],
)
def test_each_input_that_is_too_much_is_refused(signature, name):
    told = refused(input_files({**NEEDED[signature], name: ALL[name]}), signature)
    assert told == f"{option(name)}: none of the metrics needs it"


@pytest.mark.parametrize(
    ("signature", "name"),
    [(s, name) for s, needed in NEEDED.items() for name in needed if name != "ref"],
)
def test_there_is_one_for_each(signature, name):
    needed = NEEDED[signature]
    of = {"h": ("hyp", HYP), "r": ("ref", needed.get("ref")), "s": ("source", [0])}[name[0]]
    files = [*needed[name], needed[name][0]]
    assert refused(input_files({**needed, name: files}), signature) == (
        f"{len(files)} {option(name)}, but {len(of[1])} --{of[0]}; give one for each, in the same "
        "order"
    )


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
        (TAGS, {"tagger": "en-web"}, MIX, "give only one of --tagger and --input hyp_tags=FILE"),
        (LINKED, {"align": "ibm1"}, "lrscore",
         "give only one of --align and --input ref_alignment=FILE"),
        ({}, {"tagger": "en-web"}, "wer", "--tagger: none of the metrics needs it"),
        ({}, {"align": "ibm1"}, "wer", "--align: none of the metrics needs it"),
        (SOURCE, {"align": "ibm1"}, "wer", "--align: none of the metrics needs it"),
        (LINK_FILES, {"settings": {"source": {"tokenize": "char"}}}, "lrscore",
         "tokenize of the source needs --align"),
        ({}, {"tagger": "en-web"}, "ebleu", "metric ebleu needs --input source_tags=FILE, "
         "or taggers"),
        ({}, {"tagger": "en-web", "source_tagger": "en-web"}, "hppr", "metric hppr needs --source"),
        ({}, {"tagger": "en-web"}, "hlepor(mix=1:9,tokenize=char)",
         "--tagger tags the words between spaces; omit tokenize"),
        (LINK_FILES, {}, "lrscore(tokenize=13a)",
         "metric lrscore: tokenize=13a would split words that are aligned"),
        ({"hyp_sure": HYP}, {}, "wer", "unknown input 'hyp_sure'"),
    ],
)  # fmt: skip
def test_what_does_not_go_together(given, options, signature, message):
    needs_references = signature not in ("ebleu", "hppr")
    given = {**({"ref": REF} if needs_references else {}), **given}
    told = refused(input_files(given, **options), signature)
    assert plain(message.replace("MIX", "hlepor")) in plain(told)


def plain(text):
    """A text without the parameters of a metric."""
    return re.sub(r"\(.*?\)", "", text)
