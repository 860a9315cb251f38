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


def test_what_is_wrong_is_counted(run, folder):
    options = ["--gold", "gold.conllu", "--least", 1]
    code, out, err = run("analyse", folder, *options, "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["system"], found["score"]) == ("parsed/verb-final", 0.5)
    groups = {(row["by"], row["name"]): row for row in found["groups"]}
    # He | eats | fish | . : the halves of three broken adjacencies, in one of two sentences.
    for word in ("eats", "fish", ".", "he"):
        assert (groups["word", word]["count"], groups["word", word]["wrong"]) == (2, 1)
    [error] = found["parser_errors"]["confusions"]
    assert (error["gold"], error["parsed"], error["cost"]) == ("obj", "discourse", 0.5)
    text = run("analyse", folder, *options)[1]
    assert "  reference  He fish eats ." in text
    options = ["--least", 1, "--by", "label"]
    _, out, _ = run("analyse", folder, *options, "--json")
    assert {row["by"] for row in json.loads(out)["groups"]} == {"label"}
    tables = run("analyse", folder, *options, "--tsv")[1].split("\n\n")
    assert len(tables[0].splitlines()) == 1 + len(json.loads(out)["groups"])
