"""`preorder-eval analyse` from the command line."""

import json

import pytest

WORDS = ["He", "eats", "fish", "."]


def conllu(labels, tags, heads, words=WORDS):
    rows = zip(range(1, 9), words, tags.split(), heads, labels.split(), strict=False)
    return "".join(f"{i}\t{w}\t_\t{t}\t_\t_\t{h}\t{label}\t_\t_\n" for i, w, t, h, label in rows)


@pytest.fixture
def folder(tmp_path, run, monkeypatch):
    """A run of a parser that takes an object for an adjunct, on twice the same sentence."""
    monkeypatch.chdir(tmp_path)
    right = conllu("nsubj root obj punct", "PRON VERB NOUN PUNCT", [2, 0, 2, 2])
    wrong = conllu("nsubj root discourse punct", "PRON VERB NOUN PUNCT", [2, 0, 2, 2])
    (tmp_path / "gold.conllu").write_text(f"{right}\n{right}\n")
    (tmp_path / "parsed.conllu").write_text(f"# score = -1\n{right}\n# score = -8\n{wrong}\n")
    (tmp_path / "s.align").write_text("0-0 1-2 2-1 3-3\n" * 2)
    (tmp_path / "verb-final.toml").write_text(
        'name = "verb-final"\nscheme = "ud"\n[[rule]]\nhead = "VERB"\n'
        'order = ["nsubj", "obj", "HEAD", "OTHER", "punct"]\n'
    )
    own = ["--trees", "parsed.conllu", "--alignment", "s.align", "--rules", "verb-final.toml"]
    assert run("evaluate", *own, "--resamples", 10, "--out", "run")[0] == 0
    return tmp_path / "run"


def test_tables(run, folder):
    code, out, err = run("analyse", folder, "--gold", "gold.conllu", "--least", 1)
    assert (code, err) == (0, "")
    first, *tables = out.split("\n\n")
    assert "parsed/verb-final  fuzzy(match=word) 0.5000, 2 sentences" in first
    assert "4 of 8 words wrongly placed (50.0%)" in first
    titles = [table.split("\n")[0] for table in tables]
    assert titles == [
        "By word, in lower case:",
        "By part of speech:",
        "By dependency label:",
        "By part of speech of the head:",
        "By sentence length in words:",
        "By parser's log-probability per word:",
        "Children on the wrong side of their head:",
        "Parser errors (gold trees score 1.0000 with the same rules, +0.5000):",
        "Worst sentences:",
    ]
    rows = [line.split() for line in tables[0].split("\n")[2:]]
    # He | eats | fish | . : the halves of three broken joints, of 3, in one of two sentences.
    assert [(row[0], row[1], row[2], row[-1]) for row in rows] == [
        ("eats", "2", "1", "2"),
        ("fish", "2", "1", "2"),
        (".", "2", "1", "2"),
        ("he", "2", "1", "2"),
    ]
    assert tables[-3].split("\n")[2].split() == [
        *("discourse", "after", "VERB", "1", "1", "0", "0", "1", "2"),
    ]
    assert tables[-2].split("\n")[2].split() == [
        *("label", "obj", "discourse", "1", "1", "0", "+0.5000", "+0.5000", "+0.5000", "2"),
    ]
    assert tables[-1].splitlines()[1:] == [
        "2  0.0000",
        "  source     He eats fish .",
        "  order      He eats fish .",
        "  reference  He fish eats .",
    ]


def test_json_and_tsv_hold_the_same(run, folder):
    options = ["--gold", "gold.conllu", "--by", "label", "--by", "errors", "--least", 1]
    code, out, err = run("analyse", folder, *options, "--json")
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert (result["system"], result["score"]) == ("parsed/verb-final", 0.5)
    assert list(result["groups"]) == ["label"]
    assert "worst" not in result
    code, out, err = run("analyse", folder, *options, "--tsv")
    assert (code, err) == (0, "")
    labels, errors = (
        [line.split("\t") for line in table.splitlines()] for table in out.split("\n\n")
    )
    assert [row[1] for row in labels[1:]] == [g["name"] for g in result["groups"]["label"]]
    assert [float(row[labels[0].index("cost")]) for row in labels[1:]] == [
        g["cost"] for g in result["groups"]["label"]
    ]
    assert errors[1][:3] == ["label", "obj", "discourse"]


def test_the_same_bytes_again(run, folder):
    assert run("analyse", folder, "--json") == run("analyse", folder, "--json")


def test_text_is_data(run, tmp_path):
    """Control characters of words reach neither the terminal nor the columns of a table."""
    (tmp_path / "s.conllu").write_text(
        conllu("root obj", "VERB NOUN", [0, 1], ["e\x1b[2J", "\u202e<b>\u200b"])
    )
    (tmp_path / "s.align").write_text("0-1 1-0\n")
    own = ["--trees", tmp_path / "s.conllu", "--alignment", tmp_path / "s.align"]
    assert run("evaluate", *own, "--rules", "none", "--out", tmp_path / "r")[0] == 0
    code, out, _ = run("analyse", tmp_path / "r", "--least", 1)
    assert code == 0
    assert not {"\x1b", "\u202e", "\u200b"} & set(out)
    assert "e\\x1b[2j" in out
    assert "order      e\\x1b[2J \\u202e<b>\\u200b" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing"], "missing: no such folder"),
        (["run", "--by", "lable"], "unknown table 'lable' (did you mean 'label'?)"),
        (["run", "--by", "phenomenon"], "there are no gold trees with comments"),
        (["run", "--by", "errors"], "gold trees to compare them with"),
        (["run", "--system", "parsed"], "unknown system of run 'parsed'"),
        (["run", "--gold", "s.align"], "s.align:1"),
        (["run", "--json", "--tsv"], "choose one of --json and --tsv"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(run, folder, arguments, message):
    code, out, err = run("analyse", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
