"""`reproduce talbot`: the tables of Talbot et al. (2011), from the example from start to end."""

import json

import pytest
from preorder_eval.papers.tables.talbot import EXPERIMENTS, TABLE_6, TABLE_7, experiment_of

pytestmark = pytest.mark.slow  # runs whole studies


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    from preorder_eval.formats.writing import write_folder
    from preorder_eval.papers.study_example import example_files

    folder = tmp_path_factory.mktemp("studies") / "example"
    write_folder(folder, example_files())
    return folder


def test_what_the_paper_prints():
    """Its text: FRS agrees with ratings on all pairs of parsers, BLEU on none at 95 %."""
    parsers, rules = EXPERIMENTS
    assert all(parsers.by_fuzzy[pair] == mark for pair, mark in parsers.by_ratings.items())
    assert "+**" not in parsers.by_bleu.values()
    assert sum(mark != rules.by_ratings[p] for p, mark in rules.by_bleu.items()) == 3
    assert len(rules.by_fuzzy) == len(parsers.by_fuzzy) == 10
    assert TABLE_6["fuzzy"][1:] == TABLE_7["alignment-oriented/manual"]
    assert experiment_of(["P5R5", "other"]) is None


def test_from_init_to_the_paper(run, tmp_path, monkeypatch):
    """The worked example: made, run, shown, and laid out as in the paper."""
    monkeypatch.chdir(tmp_path)
    code, out, err = run("study", "init", "mine")
    assert (code, err) == (0, "")
    assert "simulated" in out
    code, said, err = run(
        "study", "run", "mine/rules.toml", "--resamples", 20, "--out", "runs/rules"
    )
    assert (code, err) == (0, "")
    assert run("study", "show", "runs/rules") == (0, said, "")
    code, out, err = run(
        "reproduce", "talbot", "mine/parsers.toml", "runs/rules", "--resamples", 20
    )
    assert (code, err) == (0, "")
    code, _, err = run("reproduce", "talbot", "runs/rules", "--seed", 1)
    assert code == 2
    assert "are for study files" in err
    tables = out.split("\n\n")
    numbers = [table.partition(".")[0].removeprefix("Table ") for table in tables[:-1]]
    assert "".join(numbers) == "1133445566677788", "6 and 7 are of both together, too"
    rows = [line.split() for line in tables[0].splitlines()[2:]]
    assert [row[0] for row in rows] == [f"P{n}R5" for n in range(1, 6)]
    assert [row[-4] for row in rows] == ["2.173", "2.320", "2.410", "2.453", "2.501"]
    assert "as in Table 3: " in tables[4]
    assert "(paper: 9 of 9)" in tables[4]


def test_other_forms(run, example):
    own = ["reproduce", "talbot", example / "rules.toml", "--resamples", 5]
    said = json.loads(run(*own, "--json")[1])
    assert [table["title"][:7] for table in said["tables"]] == [
        f"Table {n}" for n in (1, 3, 4, 5, 6, 7, 8)
    ]
    assert said["studies"][0]["ratings"][0]["system"] == "P5R1"
    assert run(*own, "--format", "latex")[1].count(r"\begin{tabular}") == 7
    assert run(*own, "--format", "markdown")[1].count("|:---|") == 7
    assert len(run(*own, "--tsv")[1].split("\n\n")) == 7
    code, _, err = run(*own, "--format", "latex", "--json")
    assert code == 2
    assert "leave out --json" in err


def test_what_a_study_lacks_is_said(run, example):
    lines = (example / "rules.toml").read_text().split("[ratings]")[0].splitlines()
    kept = [line for line in lines if not line.startswith(("output", "translations", "treebank"))]
    kept = [line.replace('"P5', '"mine') for line in kept]
    (example / "orders.toml").write_text("\n".join(kept))
    code, out, _ = run("reproduce", "talbot", example / "orders.toml", "--resamples", 5)
    assert code == 0
    assert out.count("not made: the study has no ratings") == 4
    assert "not made: the study has no bleu among its metrics" in out
    assert "not made: the study has no treebank" in out
    assert "paper:" not in out, "none of the paper's systems"


def test_several_language_pairs_have_a_column_each(run, example):
    text = (example / "rules.toml").read_text()
    (example / "pairs.toml").write_text('pairs = ["en-ja", "en-ko"]\n' + text)
    own = ["study", "run", example / "pairs.toml", "--resamples", 5]
    code, out, err = run(*own)
    assert (code, err) == (0, "")
    tables = out.split("\n\n")
    assert tables[0].startswith("en-ja: Mean ratings (Table 1):")
    means = next(table for table in tables if table.startswith("Mean ratings:"))
    header, first, *_ = (line.split() for line in means.splitlines()[1:])
    assert header == ["system", "en-ja", "en-ko", "mean"]
    assert first[1] == first[2] == first[3], "the same text twice"
    assert [pair["pair"] for pair in json.loads(run(*own, "--json")[1])["pairs"]] == [
        "en-ja",
        "en-ko",
    ]


def test_bad_input_is_one_line(run, example, tmp_path):
    for arguments, message in [
        (["study", "show", example / "rules.toml"], "a study file is run by `study run`"),
        (["study", "run", example], "a study that was run is shown by `study show`"),
        (["study", "show", tmp_path], "study.json: cannot be read"),
        (["study", "init", example], "exists already"),
        (["reproduce", "talbot", tmp_path / "no.toml"], "no.toml: cannot be read"),
    ]:
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert message in err
        assert err.count("\n") == 1
