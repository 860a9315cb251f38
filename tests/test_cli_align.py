"""`preorder-eval align`: links made of parallel text, and links in another format."""

from __future__ import annotations

from pathlib import Path

import pytest

from preorder_eval.orders.align import align

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
    code, out, errors = run("align", "s.en", "s.de", "--aligner", "ibm1", "--force")
    assert code == 0
    assert "note: links by ibm1(pairs=3): differences are underestimated, and FRS is not" in errors
    assert out == "0-0 1-1\n0-0 1-1\n0-0 1-1\n"
    assert run("--quiet", "align", "s.en", "s.de", "--aligner", "ibm1", "--force") == (0, out, "")


@pytest.mark.filterwarnings("ignore::preorder_eval.base.errors.InputWarning")
def test_agree_is_the_default_and_few_pairs_have_to_be_forced(folder, run):
    code, out, errors = run("align", "s.en", "s.de")
    assert (code, out) == (2, "")
    assert "3 sentence pairs are too few to train on: links from" in errors
    code, out, errors = run("align", "s.en", "s.de", "--force")
    source, target = ([s.split() for s in text.splitlines()] for text in (SOURCE, TARGET))
    links = align(source, target, "agree(force=true)")
    assert code == 0
    assert out.splitlines() == [
        " ".join(f"{s}-{t}" for s, t in links[i]) for i in range(len(source))
    ]
    assert "automatic links are unreliable: they were trained on 3 sentence pairs" in errors


def test_more_text_to_learn_from(folder, run):
    more = ["--train-source", "more.en", "--train-target", "more.ja"]
    one = ["align", "t.en", "t.ja", "--aligner", "ibm1", "--force"]
    assert run(*one)[1] == "0-0\n"
    assert run(*one, *more)[1] == run(*one, *more, *more)[1] == "0-1 1-0\n"


@pytest.mark.parametrize("out", ["", ".", "/", "folder"])
def test_a_folder_is_no_file_to_write(run, tmp_path, monkeypatch, out):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("s.align").write_text("0-0\n")
    code, printed, err = run("align", "s.align", "--from", "pharaoh", "--out", out)
    assert (code, printed, err.count("\n")) == (2, "", 1)
    assert sorted(path.name for path in Path().iterdir()) == ["folder", "s.align"]


def test_links_by_people_are_not_marked_as_automatic_and_none_the_other_way(run, tmp_path):
    links, aligner = tmp_path / "s.align", tmp_path / "s.aligner"
    aligner.write_text("agree\n")
    (tmp_path / "l.align").write_text("0-0\n")
    assert run("align", tmp_path / "l.align", "--from", "pharaoh", "--out", links)[0] == 0
    assert (links.read_text(), aligner.exists()) == ("0-0\n", False)


A3 = "# Sentence pair (1) source length 2 target length 2 alignment score : 0.1\nneko akai \n"
A3 += "NULL ({ }) red ({ 2 }) cat ({ 1 }) \n"


def test_links_of_giza_are_converted_and_evaluated_as_made_by_a_program(folder, run):
    (folder / "en-ja.A3.final").write_text(A3)
    convert = ["align", "en-ja.A3.final", "--source", "t.en", "--target", "t.ja"]
    for form in ("giza", "auto"):
        assert run(*convert, "--from", form, "--out", "t.align")[0] == 0
        assert (folder / "t.align").read_text() == "0-1 1-0\n"
        assert (folder / "t.aligner").read_text() == "giza++\n"
    turned = ["--source", "t.ja", "--target", "t.en", "--direction", "target-source"]
    assert run(*convert[:2], "--from", "giza", *turned)[1] == "0-1 1-0\n"
    links = ["--source", "t.en", "--alignment", "en-ja.A3.final", "--alignment-format", "giza"]
    (folder / "t.order").write_text("1 0\n")
    code, out, _ = run("evaluate", *links, "--orders", "t.order", "--resamples", "10")
    assert (code, out.split(":")[0]) == (0, "Links by giza++")
