"""`preorder-eval reference check` and `show`."""

from __future__ import annotations

import json

import pytest

from preorder_eval.base.files.writing import write_folder
from preorder_eval.references.reference_build import format_reference
from preorder_eval.references.reference_folder import load_reference

CONLLU = """\
# sent_id = one
# phenomenon = statement
1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2\tchase\tchase\tVERB\tVBP\t_\t0\troot\t_\t_
3\tthe\tthe\tDET\tDT\t_\t4\tdet\t_\t_
4\tcats\tcat\tNOUN\tNNS\t_\t2\tobj\t_\t_

# sent_id = two
# phenomenon = imperative
1\tRun\trun\tVERB\tVB\t_\t0\troot\t_\t_
2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_

"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A reference folder that follows the guidelines."""
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "own"
    own.mkdir()
    (own / "source.conllu").write_text(CONLLU, encoding="utf-8")
    (own / "target.ja").write_text("犬 が 猫 を 追う\n走れ\n", encoding="utf-8")
    (own / "x.align").write_text("0-0 0-1 3-2 3-3 1-4\n0-0\n", encoding="utf-8")
    return own


def break_links(folder):
    (folder / "x.align").write_text("0-0 0-4 1-1\n\n", encoding="utf-8")


def test_a_clean_set(folder, run, good):
    found = json.loads(good("reference", "check", "own", "--resamples", "10", "--json"))
    assert found["findings"] == []
    [own] = found["references"]
    assert (own["sentences"], own["links"], own["gold_trees"]) == (2, 6, True)
    assert set(own["files"]) == {"source.conllu", "target.ja", "x.align"}
    assert "nothing to fix" in run("reference", "check", "own")[1]
    [figures] = found["groups"]
    assert (figures["links"], figures["crossing"]) == (6, 0.2)


def test_a_broken_set(folder, run):
    break_links(folder)
    code, out, _ = run("reference", "check", "own", "--json")
    found = json.loads(out)
    assert code == 1
    warnings = [(f["sentence_id"], f["check"], f["words"]) for f in found["findings"]]
    assert warnings == [
        ("one", "unaligned content words", ["cats"]),
        ("one", "separate target spans", ["Dogs"]),
        ("one", "unaligned target words", ["猫", "を"]),
        ("two", "no links", []),
    ]
    counts = {check["check"]: check["found"] for check in found["checks"]}
    assert (counts["unaligned target words"], counts["no links"]) == (2, 1)
    _, text, _ = run("reference", "check", "own")
    assert "4 warnings" in text
    assert "cats 3" in text
    tables = run("reference", "check", "own", "--tsv")[1].split("\n\n")
    assert tables[1].splitlines()[3].split("\t")[1:4] == ["1", "one", "unaligned target words"]
    _, out, _ = run("reference", "check", "own", "--structure-only", "--json")
    assert [f["check"] for f in json.loads(out)["findings"]] == ["no links"]
    (folder / "x.align").write_text("0-0\n0-0\n", encoding="utf-8")
    assert run("reference", "check", "own")[0] == 1
    assert run("reference", "check", "own", "--structure-only")[0] == 0


def test_show(folder, run, good, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    (folder / "source.conllu").write_text(CONLLU.replace("Dogs\t", "D\x1b[2J\t"), encoding="utf-8")
    out = good("reference", "show", "own", "--sentence", "1")
    assert out == run("reference", "show", "own", "--sentence", "one")[1]
    assert out == run("reference", "show", "own")[1]
    assert out.splitlines() == [
        "own, sentence 1 of 2, sent_id = one, phenomenon = statement",
        "source     D\\x1b[2J chase the cats",
        "reference  D\\x1b[2J the cats chase",
        "target     犬 が 猫 を 追う",
        "links      D\\x1b[2J 0: 犬 が, chase 1: 追う, cats 3: 猫 を",
    ]
    for name in ("0", "3", "three", "-1"):
        code, out, errors = run("reference", "show", "own", "--sentence", name)
        assert (code, out) == (2, "")
        assert "give a number from 1 to 2 or a sent_id" in errors


@pytest.mark.slow
def test_blind_sheets_are_annotated_and_compared(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(
        "reference", "build", "--blind", "en-ko/test", "--sentences", "40", "--out", "sheets"
    )
    assert code == 0
    assert out.startswith("sheets: 40 sentences to translate and link, as ")
    assert "/GUIDELINES.md" in out
    assert out.endswith(": preorder-eval reference edit sheets\n")
    sheets, known = load_reference("sheets"), load_reference("en-ko/test")
    numbers = {tree.sentence_id: n for n, tree in enumerate(known.trees)}
    known = known.take([numbers[tree.sentence_id] for tree in sheets.trees], "known")
    assert sheets.name == "sheets"  # it has no parts
    assert sheets.source == known.source
    assert "who made" not in run("reference", "show", "sheets")[1]
    code, _, err = run("reference", "check", "en-ko/test", "--against", "sheets")
    assert (code, err.count("\n")) == (2, 1)
    # What somebody links is compared with the set.
    lines = [" ".join(words) for words in known.target[:1]] + ["…"] * 39
    (tmp_path / "sheets" / "target.ko").write_text("\n".join(lines) + "\n", encoding="utf-8")
    links = " ".join(f"{s}-{t}" for s, t in known.alignments[0])
    (tmp_path / "sheets" / "en-ko.align").write_text(links + "\n" * 40)
    shown = ("--resamples", "10", "--json")
    write_folder(tmp_path / "known", format_reference(known, "en", "ko"))
    table = run("reference", "check", "known/test", "--against", "sheets", *shown)[1]
    assert json.loads(table)["agreement"][0]["value"] == 1
    assert json.loads(table)["left_out"] == {"first": 39, "second": 39}
    every = run("reference", "build", "--blind", "en-ko/test", "--sentences", "999", "--out", "all")
    assert every[1].startswith("all: 122 sentences to")


def test_show_without_a_translation_or_without_links(folder, run):
    (folder / "target.ja").unlink()
    (folder / "x.align").write_text("0-0 3-2 1-4\n\n", encoding="utf-8")
    code, out, _ = run("reference", "show", "own")
    assert code == 0
    assert "target" not in out
    assert out.splitlines()[-1] == "links      Dogs 0: 0, chase 1: 4, cats 3: 2"
    code, out, _ = run("reference", "show", "own", "--sentence", "2")
    assert code == 0
    assert out.splitlines()[-1] == "links      none"
