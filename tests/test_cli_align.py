"""`preorder-eval align`."""

from __future__ import annotations

import pytest

from preorder_eval.alignment.ibm1 import align

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
    code, out, errors = run("align", "s.en", "s.de", "--symmetrize", "intersection")
    assert (code, errors) == (0, "")
    assert out == "0-0 1-1\n0-0 1-1\n0-0 1-1\n"


@pytest.mark.parametrize(
    "how", ["none", "inverse", "intersection", "union", "grow-diag", "grow-diag-final"]
)
def test_every_symmetrization(folder, run, how):
    code, out, _ = run("align", "s.en", "s.de", "--symmetrize", how, "--iterations", "2")
    source, target = ([s.split() for s in text.splitlines()] for text in (SOURCE, TARGET))
    links = align(source, target, iterations=2, how=how)
    assert code == 0
    assert out.splitlines() == [
        " ".join(f"{s}-{t}" for s, t in links[i]) for i in range(len(source))
    ]


def test_more_text_to_learn_from(folder, run):
    _, out, _ = run("align", "t.en", "t.ja", "--symmetrize", "none")
    assert out == "0-0 0-1\n"
    more = ["--train-source", "more.en", "--train-target", "more.ja"]
    _, out, _ = run("align", "t.en", "t.ja", "--symmetrize", "none", *more)
    assert out == "0-1 1-0\n"
    _, twice, _ = run("align", "t.en", "t.ja", "--symmetrize", "none", *more, *more)
    assert twice == out


def test_out_is_read_back_by_reference_build(folder, run):
    code, out, _ = run("align", "s.en", "s.de", "--out", "s.align")
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
        (["s.en", "s.de", "--symmetrize", "all"], "grow-diag-final"),
        (["s.en", "s.de", "--aligner", "hmm"], "unknown aligner 'hmm'; known: ibm1"),
        (["s.en", "s.de", "--iterations", "0"], "iterations"),
        (["s.en", "s.de", "--out", "nowhere/x.align"], "cannot be written"),
    ],
)
def test_bad_input(folder, run, arguments, message):
    code, out, errors = run("align", *arguments)
    assert (code, out) == (2, "")
    assert message in errors
