"""`preorder-eval convert`."""

from __future__ import annotations

import pytest

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
def folder(tmp_path, monkeypatch):
    """A folder with text and the same alignments in all formats."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.en").write_text("a b\nc d\ne f\n", encoding="utf-8")
    (tmp_path / "s.ja").write_text("u v\nw\u3000 x\ny z\n", encoding="utf-8")
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("to", TEXTS)
@pytest.mark.parametrize("form", TEXTS)
def test_every_format_into_every_other(folder, run, form, to):
    code, out, errors = run(
        "convert", form, "out", "--to", to, "--source", "s.en", "--target", "s.ja"
    )
    marks = {"naacl", "pharaoh"}
    expected = TEXTS[to] if form in marks else TEXTS[to].replace("P", "S").replace("p", "-")
    if to == "giza":
        expected = GIZA
    assert (code, out) == (0, "")
    assert (folder / "out").read_text(encoding="utf-8") == expected
    lost = form in marks and to not in marks
    assert errors == (f"note: {to} has no marks; 1 possible links look sure\n" if lost else "")


def test_what_the_file_tells_need_not_be_given(folder, run):
    assert run("convert", "giza", "-", "--to", "lader")[1] == LADER
    assert run("convert", "lader", "-", "--to", "talbot")[1] == TALBOT
    assert run("convert", "pharaoh", "-", "--to", "talbot", "--target", "s.ja")[1] == TALBOT


def test_base_and_direction_of_both_files(folder, run):
    _, out, _ = run("convert", "pharaoh", "-", "--to", "pharaoh", "--to-base", "1")
    assert out == "1-2 2p1\n\n2-2\n"
    options = ["--to-base", "1", "--to-direction", "target-source"]
    _, out, _ = run("convert", "lader", "turned", "--to", "pharaoh", *options)
    assert (folder / "turned").read_text() == "2-1 1-2\n\n2-2\n"
    options = ["--base", "1", "--direction", "target-source", "--from", "pharaoh"]
    _, out, _ = run("convert", "turned", "-", "--to", "pharaoh", *options)
    assert out == "0-1 1-0\n\n1-1\n"


def test_possible_links_can_be_left_out(folder, run):
    code, out, errors = run("convert", "pharaoh", "-", "--to", "pharaoh", "--links", "sure")
    assert (code, out, errors) == (0, "0-1\n\n1-1\n", "")


def test_standard_input_and_gold_trees(folder, run):
    (folder / "s.conllu").write_text("1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n")
    options = ["--to", "naacl", "--source", "s.conllu"]
    assert run("convert", "-", "-", *options, stdin=b"0-3\n")[1] == "1 1 4 S\n"


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
def test_errors_are_one_line_and_nothing_is_written(folder, run, arguments, message):
    (folder / "one").write_text("a\n")
    code, out, errors = run("convert", arguments[0], "new", *arguments[1:])
    assert (code, out) == (2, "")
    assert errors.startswith("preorder-eval: ")
    assert message in errors
    assert errors.count("\n") == 1
    assert not (folder / "new").exists()
