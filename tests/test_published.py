"""Published gold alignments: layouts, splits, and the same set again by ids and checksums."""

from __future__ import annotations

from pathlib import Path

import pytest

from preorder_eval.formats.alignment import FORMATS
from preorder_eval.formats.public_corpora import layouts
from preorder_eval.formats.reference_folder import load_reference

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
    "align-dev.txt": "0-0 1-0 2-1\n1-1\n",
    # Of the shared tasks: 0 is no word.
    "test.e": "<s snum=0001> hear , hear ! </s>\n<s snum=0002>yes</s>\n",
    "test.f": "<s snum=1> bravo ! </s>\n<s snum=2> oui </s>\n",
    "test.wa": "0001 1 1 S\n0001 3 1 P\n0001 2 0\n0001 4 2\n0002 1 1 S\n",
    # Of awesome-align: from 1, with possible links; here German first.
    "deen.src-tgt": "ja gut ||| yes well\nnein ||| no\n",
    "deen.gold": "1-1 2p2\n1-1\n",
    # Of XL-WA.
    "dev.tsv": "He runs .\tCorre .\t0-0 1-0 2-1\nNo .\tNo .\t\n",
}


def sides(source: str, target: str, alignment: str) -> list[str]:
    return ["--source", source, "--target", target, "--alignment", alignment]


PUD = ["--like", "pud", *sides("en.conllu", "target.conllu", "alignment.json")]
PUD += ["--target-language", "ja"]
KFTT = ["--like", "kftt", *sides("english-dev.txt", "japanese-dev.txt", "align-dev.txt")]
NAACL = ["--like", "naacl", *sides("test.e", "test.f", "test.wa")]
NAACL += ["--source-language", "en", "--target-language", "fr"]
DEEN = ["--like", "awesome-align", "--parallel", "deen.src-tgt", "--alignment", "deen.gold"]
DEEN += ["--source-language", "de", "--target-language", "en"]
XL_WA = ["--like", "xl-wa", "--parallel", "dev.tsv", "--target-language", "es"]


@pytest.fixture
def build(tmp_path, monkeypatch, run):
    """Run `reference build` in a folder with published files."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return lambda *options: run("reference", "build", *options)


@pytest.mark.parametrize(
    ("options", "source", "links", "languages"),
    [
        (PUD, ["dogs", "bark"], "1-0 1-1\n0-0\n", "en-ja"),
        (KFTT, ["dogs", "bark"], "0-0 0-1 1-2\n1-1\n", "en-ja"),
        (NAACL, ["hear", ",", "hear", "!"], "0-0 2p0 3-1\n0-0\n", "en-fr"),
        (DEEN, ["ja", "gut"], "0-0 1p1\n0-0\n", "de-en"),
        (XL_WA, ["He", "runs", "."], "0-0 1-0 2-1\n\n", "en-es"),
    ],
)
def test_files_are_read_as_they_are_published(build, options, source, links, languages):
    code, out, err = build(*options, "--out", "new")
    assert (code, err) == (0, "")
    assert out.startswith("new: 2 sentences, ")
    data = load_reference("new")
    assert (list(data.source[0]), data.languages) == (source, languages)
    assert Path(f"new/{languages}.align").read_text(encoding="utf-8") == links


def test_every_layout_is_tried_and_names_a_format():
    tried = {options[1] for options in (PUD, KFTT, NAACL, DEEN, XL_WA)}
    assert tried == set(layouts())
    assert all(each.links in ("auto", *FORMATS) for each in layouts().values())


def test_either_side_can_be_the_source(build):
    turned = [*DEEN[:6], "--direction", "target-source", "--source-language", "en"]
    assert build(*turned, "--target-language", "de", "--out", "new")[0] == 0
    data = load_reference("new")
    assert (list(data.source[0]), list(data.target[0])) == (["yes", "well"], ["ja", "gut"])


def test_a_direction_by_which_alone_all_fits_is_taken_with_a_warning(build, tmp_path):
    (tmp_path / "align-dev.txt").write_text("0-0 0-1 1-2\n1-1\n")
    code, _, err = build(*KFTT, "--out", "new")
    assert (code, err.count("\n")) == (0, 1)
    assert "align-dev.txt: read with direction source-target, by which alone all links fit" in err
    assert load_reference("new").alignments[0] == [(0, 0), (0, 1), (1, 2)]
    code, _, err = build(*KFTT, "--out", "other", "--base", "1")
    assert code == 2  # base 0 fits in one direction, and that is not what was asked for
    assert "align-dev.txt:1: link 0-0" in err


def test_a_layout_of_ones_own(build, tmp_path):
    (tmp_path / "mine.toml").write_text('text = "columns"\ndirection = "target-source"\n')
    options = ["--parallel", "dev.tsv", "--source-language", "es", "--target-language", "en"]
    assert build("--like", "mine.toml", *options, "--out", "new")[0] == 0
    assert list(load_reference("new").source[0]) == ["Corre", "."]
    (tmp_path / "mine.toml").write_text('text = "colums"\n')
    code, _, err = build("--like", "mine.toml", *options, "--out", "other")
    assert (code, err.count("\n")) == (2, 1)
    assert "mine.toml:1: key text: must be 'words', 'conllu', 'sgml', 'parallel' or" in err


def test_the_same_set_is_built_from_ids_and_checksums(build, tmp_path):
    assert build(*PUD, "--split", "dev=1,test", "--out", "new")[0] == 0
    new = tmp_path / "new"
    assert (new / "sentences.tsv").read_text() == "n1\tdev\nn2\ttest\n"
    assert "  alignment.json\n" in (new / "SHA256SUMS").read_text()
    assert load_reference("new").source == [["dogs", "bark"]]
    assert load_reference("new/test").source == [["he", "ran"]]
    assert len(load_reference("new/all")) == 2
    # Of a list, some sentences in another order.
    (new / "sentences.tsv").write_text("n2\ttest\n")
    assert build(*PUD, "--split", "new/sentences.tsv", "--out", "again")[0] == 0
    again = load_reference("again/test")
    assert (again.source, again.alignments[0]) == ([["he", "ran"]], [(0, 0)])
    assert (tmp_path / "again" / "SHA256SUMS").read_text() == (new / "SHA256SUMS").read_text()
    (tmp_path / "alignment.json").write_text('[{"1": ["1"]}, {"1": ["1"]}]')
    code, _, err = build(*PUD, "--split", "new/sentences.tsv", "--out", "third")
    assert (code, err.count("\n")) == (2, 1)
    assert "new/SHA256SUMS: alignment.json is another file: SHA-256 " in err
    assert not (tmp_path / "third").exists()


def test_files_of_one_name_are_told_apart_by_their_folders(build, tmp_path):
    for folder, name in (("en", "english-dev.txt"), ("ja", "japanese-dev.txt")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "dev.txt").write_text(FILES[name])
    options = ["--like", "kftt", *sides("en/dev.txt", "ja/dev.txt", "align-dev.txt")]
    assert build(*options, "--out", "new")[0] == 0
    sums = (tmp_path / "new" / "SHA256SUMS").read_text().splitlines()
    assert [line.split("  ")[1] for line in sums] == ["en/dev.txt", "ja/dev.txt", "align-dev.txt"]
    assert build(*options, "--split", "new/sentences.tsv", "--out", "again")[0] == 0


def test_a_text_without_ids_is_listed_by_numbers(build, tmp_path):
    assert build(*KFTT, "--split", "test=1", "--out", "new")[0] == 0
    assert (tmp_path / "new" / "sentences.tsv").read_text() == "1\ttest\n"
    assert len(load_reference("new/test")) == 1


WRONG = [
    ([*PUD[:4], *PUD[-2:]], "--like pud takes --source and --target"),
    ([*XL_WA, "--alignment", "deen.gold"], "--like xl-wa takes --parallel"),
    ([*KFTT[:-2]], "--like kftt takes --source and --target and --alignment"),
    (["--like", "kfft", *KFTT[2:]], "unknown layout 'kfft' (did you mean 'kftt'?)"),
    (["--like", "no.toml", *KFTT[2:]], "no.toml: cannot be read: No such file"),
    (["--like", "naacl", *KFTT[2:], *NAACL[-4:]], "english-dev.txt:1: no <s snum=1> … </s>"),
    (["--like", "xl-wa", "--parallel", "deen.src-tgt", *DEEN[-4:]], "1 column instead of"),
    (["--like", "pud", *KFTT[2:], *PUD[-2:]], "1 fields instead of 10"),
    ([*PUD[:-4], "--alignment", "align-dev.txt", *PUD[-2:]], "align-dev.txt:1: link 2-1: source"),
    ([*KFTT, "--split", "dev=3,test"], "split dev cannot have 3 of 2 sentences left"),
    ([*KFTT, "--split", "dev=2,test"], "split test cannot have nothing left"),
    ([*KFTT, "--split", "dev,test"], "split 'dev,test' is neither a file nor such as dev=400,"),
    ([*KFTT, "--split", "dev=1,dev"], "split dev is named twice"),
    ([*KFTT, "--split", "all"], "split 'all' is neither a file nor such as"),
    ([*KFTT, "--split", "lists/other.tsv"], "split 'lists/other.tsv' is neither a file nor"),
    ([*KFTT, "--split", "ids.tsv"], "ids.tsv:2: new has no sentence '7'"),
    ([*KFTT, "--split", "twice.tsv"], "twice.tsv:2: sentence '1' twice"),
    ([*KFTT, "--split", "align-dev.txt"], "align-dev.txt:1: no sentence with its split"),
    (["--blind", "en-ja", "--split", "dev"], "--split has no effect beside --blind"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_what_is_wrong_is_said_in_one_line(build, tmp_path, options, message):
    (tmp_path / "ids.tsv").write_text("1\tdev\n7\tdev\n")
    (tmp_path / "twice.tsv").write_text("1\tdev\n1\ttest\n")
    code, out, err = build(*options, "--out", "new")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("test.e", "<s snum=2> yes </s>\n", "test.e:1: snum=2 where 1 was expected"),
        ("test.e", "<s snum=1>  </s>\n", "test.e:1: a blank line"),
        ("test.f", "<s snum=1> a </s>\n", "test.f:2: 1 sentence, but test.e has 2 sentences"),
        ("test.wa", "1 9 1\n", "test.wa:1: link 9-1: source position 9, but the source sentence"),
    ],
)
def test_damaged_files_are_named_with_the_line(build, tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    code, _, err = build(*NAACL, "--out", "new")
    assert (code, err.count("\n")) == (2, 1)
    assert message in err


def test_lists_of_a_folder_must_fit_it(build, tmp_path, run):
    assert build(*KFTT, "--split", "dev=1,test", "--out", "new")[0] == 0
    (tmp_path / "new" / "sentences.tsv").write_text("1\tdev\n")
    code, _, err = run("reference", "check", "new")
    assert (code, err.count("\n")) == (2, 1)
    assert "new/sentences.tsv:2: 1 line, but the source has 2 sentences" in err
