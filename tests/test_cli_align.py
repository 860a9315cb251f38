"""`preorder-eval align`: links made of parallel text, and links in another format."""

from __future__ import annotations

import pytest

from preorder_eval.alignment import align

SOURCE = "the house\nthe book\na book\n"
TARGET = "das Haus\ndas Buch\nein Buch\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with small parallel texts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.en").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "s.de").write_text(TARGET, encoding="utf-8")
    (tmp_path / "t.en").write_text("red cat\n", encoding="utf-8")
    (tmp_path / "t.ja").write_text("neko akai\n", encoding="utf-8")
    (tmp_path / "more.en").write_text("cat\n" * 3, encoding="utf-8")
    (tmp_path / "more.ja").write_text("neko\n" * 3, encoding="utf-8")
    return tmp_path


def test_links_in_pharaoh_format(folder, run):
    code, out, errors = run("align", "s.en", "s.de", "--aligner", "ibm1")
    assert (code, errors) == (0, "")
    assert out == "0-0 1-1\n0-0 1-1\n0-0 1-1\n"


@pytest.mark.filterwarnings("ignore::preorder_eval.errors.InputWarning")
def test_agree_is_the_default_and_few_pairs_have_to_be_forced(folder, run):
    code, out, errors = run("align", "s.en", "s.de")
    assert (code, out) == (2, "")
    assert "3 sentence pairs are too few to learn links from" in errors
    code, out, errors = run("align", "s.en", "s.de", "--force")
    source, target = ([s.split() for s in text.splitlines()] for text in (SOURCE, TARGET))
    links = align(source, target, "agree(force=true)")
    assert code == 0
    assert out.splitlines() == [
        " ".join(f"{s}-{t}" for s, t in links[i]) for i in range(len(source))
    ]
    assert "automatic links are unsafe: they are learned from 3 sentence pairs" in errors


def test_more_text_to_learn_from(folder, run):
    more = ["--train-source", "more.en", "--train-target", "more.ja"]
    one = ["align", "t.en", "t.ja", "--aligner", "ibm1"]
    assert run(*one)[1] == "0-0\n"
    assert run(*one, *more)[1] == run(*one, *more, *more)[1] == "0-1 1-0\n"


def test_out_is_read_back_by_reference_build(folder, run):
    code, out, _ = run("align", "s.en", "s.de", "--aligner", "ibm1", "--out", "s.align")
    assert (code, out) == (0, "")
    code, _, _ = run(
        "reference", "build", "--source", "s.en", "--target", "s.de", "--alignment", "s.align",
        "--out", "set",
    )  # fmt: skip
    assert code == 0
    assert run("reference", "check", "set")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["s.en", "t.ja"], "t.ja:2: 1 sentence, but s.en has 3 sentences"),
        (["s.en", "nowhere"], "nowhere: cannot be read"),
        (["s.en", "s.de", "--train-source", "more.en"], "as many --train-target as"),
        (["s.en"], "give SOURCE and TARGET"),
        (["s.en", "--to", "lader"], "--to goes with --from"),
        (["s.en", "--from", "auto", "--aligner", "ibm1"], "--aligner has no effect beside --from"),
        (["s.en", "s.de", "--aligner", "hmm"], "unknown aligner 'hmm'; known: agree, ibm1"),
        (["s.en", "s.de", "--force", "--out", "nowhere/x.align"], "cannot be written"),
    ],
)
def test_bad_input(folder, run, arguments, message):
    code, out, errors = run("align", *arguments)
    assert (code, out) == (2, "")
    assert message in errors


# Links in another format.

PHARAOH = "0-1 1p0\n\n1-1\n"
NAACL = "1 1 2 S\n1 2 1 P\n3 2 2 S\n"
TALBOT = "1,0\n,\n,1\n"
LADER = "2-2 ||| 0-1 1-0\n2-2 |||\n2-2 ||| 1-1\n"
GIZA = """\
# Sentence pair (1) source length 2 target length 2 alignment score : 1
u v
NULL ({ }) a ({ 2 }) b ({ 1 })
# Sentence pair (2) source length 2 target length 2 alignment score : 1
w\u3000 x
NULL ({ 1 2 }) c ({ }) d ({ })
# Sentence pair (3) source length 2 target length 2 alignment score : 1
y z
NULL ({ 1 }) e ({ }) f ({ 2 })
"""
TEXTS = {"giza": GIZA, "lader": LADER, "naacl": NAACL, "pharaoh": PHARAOH, "talbot": TALBOT}


@pytest.fixture
def texts(tmp_path, monkeypatch):
    """A folder with text and the same alignments in all formats."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.en").write_text("a b\nc d\ne f\n", encoding="utf-8")
    (tmp_path / "s.ja").write_text("u v\nw\u3000 x\ny z\n", encoding="utf-8")
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("to", TEXTS)
@pytest.mark.parametrize("form", TEXTS)
def test_every_format_into_every_other(texts, run, form, to):
    command = ["align", form, "--from", "auto", "--to", to, "--out", "out"]
    command += ["--source", "s.en", "--target", "s.ja"]
    code, out, errors = run(*command)
    marks = {"naacl", "pharaoh"}
    expected = TEXTS[to] if form in marks else TEXTS[to].replace("P", "S").replace("p", "-")
    if to == "giza":
        expected = GIZA
    assert (code, out) == (0, "")
    assert (texts / "out").read_text(encoding="utf-8") == expected
    lost = form in marks and to not in marks
    assert ("possible links look sure (1)" in errors) == lost
    assert run("--quiet", *command) == (0, "", "")


def test_what_the_file_tells_need_not_be_given(texts, run):
    assert run("align", "giza", "--from", "auto", "--to", "lader")[1] == LADER
    assert run("align", "lader", "--from", "auto", "--to", "talbot")[1] == TALBOT
    assert (
        run("align", "pharaoh", "--from", "auto", "--to", "talbot", "--target", "s.ja")[1] == TALBOT
    )


def test_base_and_direction_of_both_files(texts, run):
    _, out, _ = run("align", "pharaoh", "--from", "auto", "--to", "pharaoh", "--to-base", "1")
    assert out == "1-2 2p1\n\n2-2\n"
    options = ["--to-base", "1", "--to-direction", "target-source"]
    _, out, _ = run("align", "lader", "--from", "auto", "--out", "turned", *options)
    assert (texts / "turned").read_text() == "2-1 1-2\n\n2-2\n"
    options = ["--base", "1", "--direction", "target-source", "--from", "pharaoh"]
    _, out, _ = run("align", "turned", *options)
    assert out == "0-1 1-0\n\n1-1\n"


def test_possible_links_can_be_left_out(texts, run):
    code, out, errors = run(
        "align", "pharaoh", "--from", "auto", "--to", "pharaoh", "--links", "sure"
    )
    assert (code, out, errors) == (0, "0-1\n\n1-1\n", "")


def test_standard_input_and_gold_trees(texts, run):
    (texts / "s.conllu").write_text("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    options = ["--to", "naacl", "--source", "s.conllu"]
    assert run("align", "-", "--from", "auto", *options, stdin=b"0-3\n")[1] == "1 1 4 S\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pharaoh", "--to", "lader"], "needs the lengths of the source sentences; name the text"),
        (
            ["lader", "--to", "giza"],
            "needs the words of the source sentences; name the text of the source",
        ),
        (
            ["pharaoh", "--to", "talbot"],
            "the lengths of the target sentences; name the text of the target",
        ),
        (["naacl", "--to", "pharaoh"], "naacl: does not tell the number of sentences"),
        (["s.en", "--to", "pharaoh"], "s.en:1: 'a b' is of no known alignment format"),
        (["missing", "--to", "pharaoh"], "missing: cannot be read: No such file"),
        (["talbot", "--to", "pharaoh", "--base", "1"], "positions in format talbot count from 0"),
        (
            ["pharaoh", "--to", "lader", "--source", "s.en", "--target", "one"],
            "3 source sentences, but 1 target sentences",
        ),
        (
            ["pharaoh", "--to", "naacl", "--source", "s.en", "--base", "1"],
            "pharaoh:1: link 0-1: source position 0; everything would fit with base 0",
        ),
    ],
)
def test_errors_of_links_are_one_line_and_nothing_is_written(texts, run, arguments, message):
    (texts / "one").write_text("a\n")
    code, out, errors = run("align", arguments[0], "--from", "auto", "--out", "new", *arguments[1:])
    assert (code, out) == (2, "")
    assert errors.startswith("preorder-eval: ")
    assert message in errors
    assert errors.count("\n") == 1
    assert not (texts / "new").exists()
