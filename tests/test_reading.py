"""Inputs from files: read, made and checked against what metrics need."""

from pathlib import Path

import pytest
from score_files import (
    ALL,
    HYP_TAG_FILES,
    LINK_FILES,
    REF,
    REF_TAG_FILES,
    SOURCE,
    SOURCE_TAGS,
    TEXTS,
    input_files,
    links,
    metrics,
    write_files,
)

from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.base.text.tokenization import tokenizer, tokenizer_for
from preorder_eval.evaluation.reading import InputFiles
from preorder_eval.evaluation.score import score_inputs
from preorder_eval.orders.align import align
from preorder_eval.orders.alignments import Alignments


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files()


def test_everything_is_read_as_it_is():
    chosen = metrics("lrscore", "ebleu", "hlepor(mix=1:9)", "wer")
    inputs = input_files(ALL).read(chosen)
    assert [system.name for system in inputs.systems] == ["good", "poor"]
    for system in inputs.systems:
        name = system.name
        assert system.hyp == TEXTS[f"{name}.en"]
        assert system.inputs["hyp_tags"] == TEXTS[f"{name}.pos"]
        assert list(system.inputs["hyp_alignment"]) == list(links(f"{name}.align"))
        assert system.made_by["file"] == f"{name}.en"
        assert len(system.made_by["sha256"]) == 64
    assert [text.sentences for text in inputs.references] == [TEXTS["ref.en"], TEXTS["ref2.en"]]
    shared = inputs.shared
    assert shared["source"] == [["彼", "本", "読む"], ["犬", "走る"], []]
    assert shared["source_tags"] == TEXTS["src.pos"]
    assert shared["ref_tags"] == [TEXTS["ref.pos"], TEXTS["ref2.pos"]]
    assert list(map(list, shared["ref_alignment"])) == [
        list(links("ref.align")),
        list(links("ref2.align")),
    ]
    assert set(inputs.made_by) == {*LINK_FILES, *HYP_TAG_FILES, *REF_TAG_FILES, *SOURCE_TAGS}
    assert inputs.made_by["hyp_tags"][1]["file"] == "poor.pos"
    assert set(inputs.names) >= {*ALL, "hyp"}


def test_names_are_those_of_the_files_or_given():
    own = {"ref": REF[:1]}
    Path("old").mkdir()
    Path("old/good.en").write_text(Path("poor.en").read_text())
    read = InputFiles([Path("good.en"), Path("old/good.en")], REF[:1]).read(metrics("wer"))
    assert [system.name for system in read.systems] == ["good.en", "old/good.en"]
    read = input_files(own).read(metrics("wer"), ["A", "B"])
    assert [system.name for system in read.systems] == ["A", "B"]
    with pytest.raises(PreorderEvalError, match="2 systems are called A"):
        input_files(own).read(metrics("wer"), ["A", "A"])


@pytest.mark.parametrize("name", ["good.en", "poor.en", "ref.en", "src.pos", "poor.pos"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; at least one line"),
        ("a\nb\n", "2 sentences"),
        ("a b c\nd e\nf\ng\n", "4 sentences"),
        ("a b\rc\nd e\n\n", ":1: a carriage return inside"),
    ],
)
def test_files_that_do_not_fit_are_named(name, text, message):
    Path(name).write_bytes(text.encode())
    with pytest.raises(FormatError) as caught:
        input_files({"ref": REF, **HYP_TAG_FILES, **SOURCE_TAGS}).read(metrics("wer", "ebleu"))
    said = str(caught.value)
    assert message in said
    assert name in said


def test_links_are_checked_against_the_words():
    Path("poor.align").write_text("0-0\n0-5\n\n")
    with pytest.raises(FormatError, match=r"poor\.align:2: link 0-5: target position 5, but"):
        input_files({"ref": REF, **LINK_FILES}).read(metrics("lrscore"))
    Path("ref2.align").write_text("7-0\n\n\n")
    Path("poor.align").write_text("0-0\n\n\n")
    with pytest.raises(FormatError, match=r"ref2\.align:1: link 7-0: source position 7, but"):
        input_files({"ref": REF, **LINK_FILES}).read(metrics("lrscore"))


def test_there_is_a_tag_for_every_word_where_both_are_counted():
    given = {"ref": REF, **HYP_TAG_FILES, **REF_TAG_FILES}
    Path("ref2.pos").write_text("NOUN PRON\nNOUN VERB\nADV\n")
    message = r"ref2\.pos:1: 2 tags, but the sentence in ref2\.en has 3 words \(tokenize=none\); "
    with pytest.raises(FormatError, match=message):
        input_files(given).read(metrics("hlepor(mix=1:9)"))
    # Tags by themselves may be of anything, such as phrases.
    Path("good.pos").write_text("NP VP\nS\n\n")
    input_files(SOURCE_TAGS | HYP_TAG_FILES).read(metrics("hppr"))


def test_words_are_aligned_by_learning():
    steps = []

    class Progress:
        def __init__(self, label, total):
            steps.append((label, total))

        def __enter__(self):
            return lambda done: steps.append(done)

        def __exit__(self, *_):
            return None

    given = {"ref": REF, **SOURCE}
    read = input_files(given, align="ibm1(force=true)").read(metrics("lrscore"), progress=Progress)
    for system, text in zip(read.systems, ("good.en", "poor.en"), strict=True):
        found = system.inputs["hyp_alignment"]
        assert isinstance(found, Alignments)
        assert len(found) == len(TEXTS[text])
    assert [len(own) for own in read.shared["ref_alignment"]] == [3, 3]
    split = {"tokenize": "13a", "source_tokenize": tokenizer_for("ja")}
    assert read.made_by["align"] == {"aligner": "ibm1(force=true)", **split}
    assert steps[0][0] == "training ibm1(force=true)"
    assert sum(steps[1:]) == steps[0][1]
    # The words are those that the metric counts: characters here.
    how = {"tokenize": "char", "settings": {"source": {"tokenize": "char"}}}
    by_character = input_files(given, align="ibm1(force=true)", **how)
    read = by_character.read(metrics("lrscore(tokenize=char)", "kendall"))
    assert read.shared["source"][0] == list("彼本読む")
    split = tokenizer("char")
    words = [split(line) for text in read.references for line in text.sentences]
    links = align(read.shared["source"] * 2, words, "ibm1(force=true)")
    assert list(links) == [of for links in read.shared["ref_alignment"] for of in links]
    message = "metric lrscore: tokenize=13a, but words are aligned with char"
    with pytest.raises(PreorderEvalError, match=message):
        by_character.read(metrics("lrscore(tokenize=13a)", "lrscore"))


def test_a_metric_of_orders_takes_the_same_links_whatever_the_others_split():
    given = {"ref": REF[:1], **SOURCE}
    values = {
        score_inputs(input_files(given, align="ibm1(force=true)").read(chosen), ["kendall"]).value(
            "poor"
        )
        for chosen in (metrics("kendall"), metrics("kendall", "bleu(tokenize=char)", "lrscore"))
    }
    assert len(values) == 1


def test_an_aligner_and_a_tagger_that_there_are_not():
    with pytest.raises(PreorderEvalError, match="unknown aligner 'ibm9'"):
        input_files({"ref": REF, **SOURCE}, align="ibm9").read(metrics("lrscore"))
    with pytest.raises(PreorderEvalError, match="unknown parser 'en-wbe'"):
        input_files({"ref": REF}, tagger="en-wbe").read(metrics("hlepor(mix=1:9)"))
