"""Annotation that stands off from its text: exported, joined again, and read by name."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from treebanks import FOUND, needs_treebanks

from preorder_eval.base import resources
from preorder_eval.base.errors import FormatError, InputWarning, PreorderEvalError, UnknownNameError
from preorder_eval.base.resources import bundled
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.references.standoff import STANDOFF, TREEBANKS, token_hash

EN_KO = bundled("reference_data") / "en-ko"
SHEET = "# en-xx-own: own\n\n**Version.** 2.1, with a layer.\n\n**Made on.** Our Treebank 1.0.\n"


def tree(name, words):
    rows = [f"{n}\t{w}\t_\tX\t_\t_\t{n - 1}\tdep\t_\t_" for n, w in enumerate(words.split(), 1)]
    rows[0] = rows[0].replace("dep", "root")
    return "\n".join([f"# sent_id = {name}", *rows, "", ""])


TREES = [tree("a", "We rest"), tree("b", "They eat fish"), tree("c", "Go home")]
ROWS = [("c", "Go home", "test"), ("a", "We rest", "dev"), ("b", "They eat fish", "dev")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A stand-off folder `en-xx-own`, whose sentences stand in another order than in the trees."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(TREEBANKS, raising=False)
    rows = [f"{name}\t{token_hash(words.split())}\t{part}\n" for name, words, part in ROWS]
    files = {
        STANDOFF: "".join(rows),
        "target.xx": "u v\nw x\ny z q\n",
        "en-xx.align": "0-1 1-0\n0-0 1-1\n0-0 1-2 2-1\n",
        "en-xx.free": "0|1\n\n\n",
        "en-xx.exceptions": "b\t0|1\twhy not\n",
        "target.second.xx": "\nw x\n\n",
        "en-xx.second.align": "\n0-1 1-0\n\n",
        "DATASHEET.md": SHEET,
    }
    (tmp_path / "en-xx-own").mkdir()
    for name, text in files.items():
        (tmp_path / "en-xx-own" / name).write_text(text)
    (tmp_path / "trees.conllu").write_text("".join(TREES))
    return tmp_path / "en-xx-own"


def build(run, *arguments):
    return run("reference", "build", "--standoff", "en-xx-own", *arguments, "--out", "new")


def test_a_folder_is_joined_whole(folder, run):
    code, out, errors = build(run, "trees.conllu")
    assert (code, errors) == (0, "")
    assert out == "new: test 1, dev 2; made on Our Treebank 1.0\n"
    data = load_reference("new/all")
    assert [data.source, data.version] == [
        [["Go", "home"], ["We", "rest"], ["They", "eat", "fish"]],
        "2.1",
    ]
    assert [tree.comments[-1] for tree in data.trees] == [f"# split = {row[2]}" for row in ROWS]
    assert data.exceptions == [[], [], [((0, 0), (1, 1))]]
    assert load_reference("new@second").target == [["w", "x"]]
    assert run("reference", "check", "new/all", "--quiet")[0] == 0


def test_sentences_without_splits_are_counted(folder, run):
    Path("s.conllu").write_text("".join(TREES))
    Path("t.ja").write_text("x\n" * len(TREES))
    Path("s.align").write_text("0-0\n" * len(TREES))
    built = ["--source", "s.conllu", "--target", "t.ja", "--alignment", "s.align"]
    languages = ["--source-language", "en", "--target-language", "ja"]
    assert run("reference", "build", *built, *languages, "--out", "set")[0] == 0
    assert run("reference", "export", "--standoff", "set", "--out", "apart")[0] == 0
    _, out, _ = run("reference", "build", "--standoff", "apart", "s.conllu", "--out", "new")
    assert out == f"new: {len(TREES)} sentences\n"


def test_what_differs_or_is_missing_is_left_out_counted_and_named(folder, run):
    (folder.parent / "other.conllu").write_text(TREES[0] + TREES[1].replace("fish", "meat"))
    code, out, errors = build(run, "other.conllu")
    assert (code, errors) == (0, "")
    assert out == (
        "new: dev 1; 2 of 3 sentences skipped: 1 with other tokens (b), 1 not found (c); made on "
        "Our Treebank 1.0\n"
    )
    assert load_reference("new").target == [["w", "x"]]
    assert not (folder.parent / "new" / "en-xx.exceptions").exists()


def test_of_two_releases_the_one_that_fits_counts(folder, run):
    (folder.parent / "old").mkdir()
    (folder.parent / "old" / "old.conllu").write_text("".join(TREES).replace("fish", "meat"))
    assert "skipped" not in build(run, "old", "trees.conllu")[1]


def test_treebanks_are_named_once(folder, monkeypatch, run):
    monkeypatch.setenv(TREEBANKS, "trees.conllu")
    assert load_reference("en-xx-own/test").source == [["Go", "home"]]
    assert load_reference("en-xx-own@second").name == "en-xx-own@second/dev"
    assert build(run)[0] == 0
    # By name a set is what `build` would write.
    joined, built = load_reference("en-xx-own/all"), load_reference("new/all")
    assert (joined.hashes, joined.target) == (built.hashes, built.target)
    with pytest.raises(UnknownNameError, match="unknown split of en-xx-own 'tset'"):
        load_reference("en-xx-own/tset")


def test_a_part_that_is_not_there_does_not_disturb_the_others(folder, monkeypatch):
    (folder.parent / "trees.conllu").write_text("".join(TREES[:2]))
    monkeypatch.setenv(TREEBANKS, "trees.conllu")
    assert len(load_reference("en-xx-own")) == 2
    with pytest.raises(PreorderEvalError, match=r"Our Treebank 1\.0.*1 not found \(c\).*PREORDER"):
        load_reference("en-xx-own/test")
    with pytest.warns(InputWarning, match=r"1 of 3 sentences skipped: 1 not found \(c\)"):
        assert len(load_reference("en-xx-own/all")) == 2


def test_without_treebanks_one_line_says_how_to_name_them(folder, run):
    code, out, errors = run("evaluate", "--reference", "en-xx-own")
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert TREEBANKS in errors
    assert "own (Our Treebank 1.0) is not included in the annotation" in errors
    assert TREEBANKS in build(run)[2]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (STANDOFF, "a\t0123\tdev\n", "standoff.tsv:1: no sentence with its hash"),
        (STANDOFF, f"a\t{16 * '0'}\t\n" * 2, "standoff.tsv:2: sentence 'a' twice"),
        ("target.xx", "u v\n", "target.xx:2: 1 line, but standoff.tsv has 3 sentences"),
        ("en-xx.align", "0-1\n0-0\n0-0 9-1\n", "en-xx.align: link 9-1"),
    ],
)
def test_what_is_wrong_is_named_in_the_folder_itself(folder, monkeypatch, name, text, message):
    monkeypatch.setenv(TREEBANKS, "trees.conllu")
    (folder / name).write_text(text)
    with pytest.raises(FormatError, match=re.escape(message)):
        load_reference("en-xx-own/all")


def test_a_link_that_leads_out_is_not_read(folder, run):
    (folder / "target.xx").unlink()
    (folder / "target.xx").symlink_to(folder.parent / "trees.conllu")
    assert "leads out of the folder" in build(run, "trees.conllu")[2]


@pytest.mark.slow
def test_a_bundled_set_is_exported_and_joined_again(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    assert run("reference", "export", "--standoff", "en-ko", "--out", "off")[0] == 0
    assert not any(file.name.startswith("source") for file in (tmp_path / "off").iterdir())
    arguments = ["--standoff", "off", EN_KO / "source.conllu", "--out", "en-ko"]
    assert run("reference", "build", *arguments)[0] == 0
    for file in EN_KO.iterdir():
        again = tmp_path / "en-ko" / file.name
        if file.name != "source.conllu":  # which has no lemmas then
            assert again.read_bytes() == file.read_bytes()
    assert list(load_reference("en-ko/all").trees) == list(
        load_reference(f"{again.parent}/all").trees
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("export --standoff en-ko/test --out x", "can be exported, with its layers; give en-ko"),
        ("export --standoff en-xx-own --out x", "its text is not included"),
        ("edit en-xx-own", "its text is not included"),
        ("export --standoff plain --out x", "plain: its sentences have no ids"),
        ("build --standoff en-xx-own nowhere.conllu --out x", "nowhere.conllu"),
        ("build --standoff en-xx-own nothing --out x", "nothing: has no CoNLL-U file"),
        ("build --source s.en --target s.ja trees.conllu --out x", "needs --standoff"),
    ],
)  # fmt: skip
def test_what_is_refused(folder, run, arguments, message):
    (folder.parent / "nothing").mkdir()
    (folder.parent / "plain").mkdir()
    (folder.parent / "plain" / "source.txt").write_text("u v\n")
    (folder.parent / "plain" / "target.xx").write_text("u v\n")
    (folder.parent / "plain" / "en-xx.align").write_text("0-0\n")
    code, out, errors = run("reference", *arguments.split())
    assert (code, out) == (2, "")
    assert message in errors
    assert not (folder.parent / "x").exists()


def test_all_sets_of_a_corpus_are_built_at_once(folder, monkeypatch, run):
    package = folder.parent / "package"
    inside = package / "bundled"
    inside.mkdir(parents=True)
    (inside / "rules").symlink_to(bundled("rules"))
    (inside / "reference_data").mkdir()
    (package / "parsers").mkdir()
    (package / "parsers/bundled").symlink_to(bundled("parsers/bundled"))
    for name in ("en-xx-own", "en-yy-own"):
        shutil.copytree(folder, inside / "reference_data" / name)
    monkeypatch.setattr(resources, "_PACKAGE", package)
    code, out, errors = run("reference", "build", "--like", "own", "trees.conllu", "--out", "all")
    assert (code, errors, out.count("\n")) == (0, "", 2)
    assert len(load_reference("all/en-yy-own/test")) == 1
    assert (
        "unknown corpus of bundled annotation 'ewn' (did you mean"
        in run("reference", "build", "--like", "ewn", "--out", "x")[2]
    )


BUNDLED = sorted(file.parent.name for file in bundled("reference_data").glob(f"*/{STANDOFF}"))


@pytest.mark.slow
@needs_treebanks
@pytest.mark.parametrize("name", BUNDLED or [None])
def test_bundled_sets_are_joined_without_loss(name, monkeypatch):
    monkeypatch.setenv(TREEBANKS, ":".join(map(str, FOUND)))
    if name is not None:  # InputWarning of a sentence left out is an error here
        assert load_reference(f"{name}/all").informative.all()


@pytest.mark.parametrize(
    ("begin", "expected"),
    [
        (("", "one", "", "two"), ("two", "sentence a", "one")),
        (("", "", "", ""), ()),
        (("", "", "one", ""), ("one", "sentence a", "one")),
    ],
)
def test_joined_sentences_keep_the_documents_of_the_treebank(folder, run, begin, expected):
    """The comment stood on the first sentence of a document, which may not be in the set."""
    trees = [TREES[0], tree("z", "Hello there"), *TREES[1:]]
    texts = (f"# newdoc id = {d}\n" * bool(d) + t for d, t in zip(begin, trees, strict=True))
    (folder.parent / "documents.conllu").write_text("".join(texts))
    assert build(run, "documents.conllu")[0] == 0
    assert load_reference("new/all").documents == expected


def test_a_sentence_of_a_treebank_without_documents_is_in_none_of_another(folder, run):
    (folder.parent / "plain.conllu").write_text("".join(TREES[:2]))
    (folder.parent / "one.conllu").write_text(f"# newdoc id = one\n{TREES[2]}")
    assert build(run, "plain.conllu", "one.conllu")[0] == 0
    assert load_reference("new/all").documents == ("one", "sentence a", "sentence b")
