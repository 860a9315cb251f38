"""Reference folders made of published gold alignments, and divided."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from preorder_eval.references.reference_build import blind_sheets
from preorder_eval.references.reference_folder import load_reference

TREE = """\
# sent_id = {0}
1\t{1}\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\t{2}\t_\tVERB\t_\t_\t0\troot\t_\t_

"""
FILES = {
    # Of parallel UD: ids of words, X for no word, targets in any order.
    "en.conllu": TREE.format("n1", "dogs", "bark") + TREE.format("n2", "he", "ran"),
    "target.conllu": TREE.format("n1", "inu", "hoeru") + TREE.format("n2", "kare", "hashitta"),
    "alignment.json": '[\n {"2": ["2", "1"], "X": ["2"], "1": ["X"]},\n {"1": ["1"]}\n]\n',
    # Of the KFTT: the target first.
    "english-dev.txt": "dogs bark\nhe ran home\n",
    "japanese-dev.txt": "inu ga hoeru\nkare hashitta\n",
    "align-dev.txt": "0-0 1-0 2-1\n\n",
    # Of awesome-align: from 1, with possible links; languages by the endings.
    "s.de": "ja gut\nnein\n",
    "s.en": "yes well\nno\n",
    "deen.gold": "1-1 2p2\n1-1\n",
}


def sides(source: str, target: str, alignment: str) -> list[str]:
    return ["--source", source, "--target", target, "--alignment", alignment]


PUD = [*sides("en.conllu", "target.conllu", "alignment.json"), "--source-language", "en"]
PUD += ["--target-language", "ja"]
KFTT = [*sides("english-dev.txt", "japanese-dev.txt", "align-dev.txt")]
KFTT += ["--source-language", "en", "--target-language", "ja", "--direction", "target-source"]
DEEN = [*sides("s.de", "s.en", "deen.gold"), "--base", "1"]
ENDE = [*sides("s.en", "s.de", "deen.gold"), "--base", "1", "--direction", "target-source"]


@pytest.fixture
def build(tmp_path, monkeypatch, run):
    """Run `reference build` in a folder with published files."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return lambda *options: run("reference", "build", *options)


@pytest.mark.parametrize(
    ("options", "source", "links", "languages", "numbers"),
    [
        (PUD, ["dogs", "bark"], "1-0 1-1\n0-0\n", "en-ja", "2, 4, 2 (50.0%), 4, 3, 0"),
        (KFTT, ["dogs", "bark"], "0-0 0-1 1-2\n\n", "en-ja", "2, 5, 2 (40.0%), 5, 3, 1"),
        (DEEN, ["ja", "gut"], "0-0 1p1\n0-0\n", "de-en", "2, 3, 3 (100.0%), 3, 3, 0, 1"),
        (ENDE, ["yes", "well"], "0-0 1p1\n0-0\n", "en-de", "2, 3, 3 (100.0%), 3, 3, 0, 1"),
    ],
)
def test_files_are_read_as_they_are_published(build, options, source, links, languages, numbers):
    code, out, err = build(*options, "--out", "new")
    assert (code, err) == (0, "")
    assert out.startswith("new: 2 sentences, ")
    data = load_reference("new")
    assert (list(data.source[0]), data.languages) == (source, languages)
    assert Path(f"new/{languages}.align").read_text(encoding="utf-8") == links
    table = re.findall(r"(?m)^\| [A-Z].* \| (.*) \|$", Path("new/DATASHEET.md").read_text("utf-8"))
    assert ", ".join(table) == numbers


def test_sentences_are_divided_in_order(build, tmp_path):
    assert build(*PUD, "--split", "dev=1,test", "--out", "new")[0] == 0
    assert (tmp_path / "new" / "sentences.tsv").read_text() == "1\tdev\n2\ttest\n"
    assert load_reference("new").source == [["dogs", "bark"]]
    assert load_reference("new/test").source == [["he", "ran"]]
    assert len(load_reference("new/all")) == 2
    assert build(*KFTT, "--split", "test=1", "--out", "fewer")[0] == 0
    assert len(load_reference("fewer/test")) == len(load_reference("fewer/all")) == 1


WRONG = [
    ([*KFTT[:4], *KFTT[-6:]], "--direction needs --alignment"),
    ([*KFTT[2:]], "give both --source and --target"),
    ([*KFTT[:-2]], "align-dev.txt:1: link 2-1: source position 2, but the source sentence has 2"),
    ([*PUD[:4], "--alignment", "align-dev.txt", *PUD[-4:]], "align-dev.txt:1: link 2-1: source"),
    ([*KFTT, "--split", "dev=3,test"], "split dev cannot have 3 of 2 sentences left"),
    ([*KFTT, "--split", "dev=2,test"], "split test cannot have nothing left"),
    ([*KFTT, "--split", "dev,test"], "split 'dev,test' is not written as dev=400,"),
    ([*KFTT, "--split", "dev=1,dev"], "split dev is given twice"),
    ([*KFTT, "--split", "all"], "split 'all' is not written as"),
    (["--blind", "en-ja", "--split", "dev"], "--split has no effect with --blind"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_what_is_wrong_is_said_in_one_line(build, tmp_path, options, message):
    code, out, err = build(*options, "--out", "new")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert not (tmp_path / "new").exists()


def test_lists_of_a_folder_must_fit_it(build, tmp_path, run):
    assert build(*KFTT, "--split", "dev=1,test", "--out", "new")[0] == 0
    listed = tmp_path / "new" / "sentences.tsv"
    for text, message in (
        ("1\tdev\n", "2: 1 line, but the source has 2 sentences"),
        ("1\tdev\n1\ttest\n", "2: sentence '1' twice"),
        ("dev\n", "1: no sentence with its split"),
    ):
        listed.write_text(text)
        code, _, err = run("reference", "check", "new")
        assert (code, err.count("\n")) == (2, 1)
        assert f"new/sentences.tsv:{message}" in err


def test_blind_sheets_are_spread_evenly_over_the_longer_sentences():
    reference = load_reference("en-ko/test")
    longer = [words for words in reference.source if len(words) >= 6]
    places = [longer.index(words) for words in blind_sheets(reference, 7, "sheets").source]
    assert places[0] == 0
    assert set(np.diff([*places, len(longer)])) <= {len(longer) // 7, len(longer) // 7 + 1}
