"""`preorder-eval analyse` of runs of outputs."""

import json

import pytest

TEXTS = {
    "ref.en": "the cat sat on the mat\nhe reads a book\nyes\n",
    "one.en": "the cat lay on the mat\nhe reads books\nyes\n",
    "two.en": "the mat sat on the cat\nhe reads a book\nno\n",
    "src.de": "die katze sass auf der matte\ner liest ein buch\nja\n",
    "train.en": "the the\nhe\n",
}


@pytest.fixture
def folder(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    made = ("--hyp", "one.en", "--hyp", "two.en", "--ref", "ref.en", "--metric", "wer")
    assert run("score", *made, "--metric", "ribes", "--resamples", 20, "--out", "run")[0] == 0
    return tmp_path / "run"


def test_text(run, folder):
    code, out, err = run("analyse", "run", "--least", 1, "--source", "src.de")
    assert (code, err) == (0, "")
    first, *tables = out.split("\n\n")
    assert first.startswith("run  one and two, 3 sentences, words between spaces; preorder-eval")
    assert [table.split("\n")[0] for table in tables if table.endswith(":") or ":\n" in table] == [
        "By how often a word occurs in the references:",
        "By number of words of the reference, wer:",
        "What one has right more often than two:",
        "What two has right more often than one:",
        "Sentences on which two is better by wer:",
        "Sentences on which two is worse by wer:",
    ]
    assert (
        "2  -0.5000  (0.5000 → 0.0000)\n"
        "  source     er liest ein buch\n"
        "  reference  he reads a book\n"
        "  one        he reads books\n"
        "  two        he reads a book"
    ) in out
    rows = [line.split() for line in tables[2].split("\n")[2:]]
    assert ["yes", "1", "1", "0", "0.667", "3"] in rows


def test_json_and_tsv(run, folder):
    options = ("analyse", "run", "--by", "frequency", "--training", "train.en", "--least", 1)
    said = json.loads(run(*options, "--json")[1])
    assert [row["references"] for row in said["words"] if row["group"] == "2"] == [2, 2]
    header, *rows = [line.split("\t") for line in run(*options, "--tsv")[1].splitlines()]
    assert header == list(said["words"][0])
    assert len(rows) == len(said["words"])
    assert run(*options, "--json") == run(*options, "--json")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--gold", "g.conllu"], "--gold is for orders; run has outputs"),
        (["--by", "label"], "unknown table 'label'; known: frequency, length"),
        (["--by", "upos"], "no table by upos for run: the run has no tags"),
        (["--system", "three"], "unknown system of run 'three'"),
        (["--source", "two.txt"], "two.txt"),
        (["--training", "none.en"], "none.en"),
        (["--tokenize", "words"], "unknown tokenizer 'words'"),
        (["--by", "length", "--least", 2], "--least has no effect on --by length"),
    ],
)
def test_what_cannot_be_is_one_line(run, folder, arguments, complaint):
    code, out, err = run("analyse", "run", *arguments)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--source", "src.de"], "--source is for outputs; orders has orders"),
        (["--training", "src.de"], "--training is for outputs"),
        (["--tokenize", "13a"], "--tokenize is for outputs"),
        (["--by", "sentences", "--least", 2], "--least has no effect on --by sentences"),
        (["--system", "one", "--system", "one"], "one --system at a time; orders has orders"),
    ],
)
def test_orders_take_other_options(run, folder, arguments, complaint):
    (folder.parent / "one.order").write_text("0 1 2 3 4 5\n0 1 2\n0\n")
    (folder.parent / "s.align").write_text("0-0 1-1\n0-0 1-2\n0-0\n")
    own = ("--source", "one.en", "--alignment", "s.align", "--orders", "one.order")
    assert run("evaluate", *own, "--resamples", 5, "--out", "orders")[0] == 0
    code, _, err = run("analyse", "orders", *arguments)
    assert code == 2
    assert complaint in err
