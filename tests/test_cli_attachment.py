import json

import numpy as np
import pytest

from preorder_eval.data.retokenize import retokenized
from preorder_eval.formats.conllu import write_conllu
from preorder_eval.formats.nbest import format_nbest
from preorder_eval.resources import bundled

pytestmark = pytest.mark.slow  # parses


@pytest.fixture
def files(gold, parser, tmp_path):
    few = gold.take(np.arange(40))
    write_conllu(tmp_path / "gold.conllu", few)
    (tmp_path / "lists.conllu").write_text(format_nbest(parser.parse(few.sentences, n=3)))
    return tmp_path


@pytest.fixture
def alignment(bundled_reference, files):
    path = bundled("reference_data") / "en-ja" / "en-ja.align"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    (files / "few.align").write_text("".join(lines[:40]), encoding="utf-8")
    return files / "few.align"


def test_a_table_of_files_and_parsers(run, files):
    gold = files / "gold.conllu"
    code, out, err = run("attachment", gold, files / "lists.conllu", gold, "--parser", "en-web")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["score", str(files / "lists.conllu"), str(gold), "en-web"]
    assert [line.split()[0] for line in lines[1:6]] == ["UAS", "LAS", "LAS", "UPOS", "XPOS"]
    assert lines[2].split()[4:7] == ["1.0000", "[1.0000,", "1.0000]"]
    assert lines[7].startswith("40 sentences, ")
    assert "share of words" in out


def test_trees_on_other_words(run, files, gold):
    cut = [" ".join(words).replace("'s", "' s").split() for words in gold.sentences[:40]]
    write_conllu(files / "cut.conllu", retokenized(gold.take(np.arange(40)), cut).trees)
    code, out, err = run("attachment", files / "gold.conllu", files / "cut.conllu")
    assert (code, "are cut otherwise" in err) == (0, True)
    assert "F1 over the words of both" in out


def test_reordering_beside_it(run, files, alignment, bundled_reference):
    arguments = ["--alignment", alignment, "--rules", "en-ja", "--parser", "en-web"]
    code, out, err = run("attachment", files / "gold.conllu", *arguments, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert [row["name"] for row in found["trees"]] == ["en-web", "gold"]
    source = ["--trees", files / "gold.conllu", "--alignment", alignment, "--rules", "en-ja"]
    evaluated = json.loads(run("evaluate", *source, "--json")[1])["systems"][0]["scores"]
    for metric, interval in evaluated.items():
        value = found["trees"][1]["scores"][metric]
        assert value["value"] == interval["value"]
        assert value["low"] == interval["low"]


def test_tsv(run, files):
    code, out, _ = run("attachment", files / "gold.conllu", files / "gold.conllu", "--tsv")
    assert code == 0
    header, row = (line.split("\t") for line in out.splitlines())
    assert header[:4] == ["trees", "UAS", "UAS low", "UAS high"]
    assert row[1:] == ["1.0"] * 15


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give a SYSTEM file or a --parser"),
        (["--parser", "en-web", "--rules", "en-ja"], "--alignment and --rules go together"),
        (["--parser", "en-web", "--json", "--tsv"], "choose one of --json and --tsv"),
        (["none.conllu"], "none.conllu: cannot be read"),
        (["--parser", "en-wbe"], "unknown parser 'en-wbe'"),
        (
            ["two.conllu"],
            "two.conllu: 2 trees for 40 sentences; sentence 3, token 1",
        ),
    ],
)
def test_bad_input_is_one_line(run, files, gold, monkeypatch, arguments, message):
    monkeypatch.chdir(files)
    write_conllu(files / "two.conllu", gold.take(np.arange(2)))
    code, out, err = run("attachment", "gold.conllu", *arguments)
    assert (code, out) == (2, "")
    assert message in err
