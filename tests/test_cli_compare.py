"""`preorder-eval compare` from the command line, on runs made from order files."""

import json

import pytest

SIZE = 20


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines))
    return path


@pytest.fixture
def runs(tmp_path, run, monkeypatch):
    """Run folders `before` and `after` of one system each, and `both` of the two."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "s.en", [f"one{s} two three four" for s in range(SIZE)])
    write(tmp_path / "s.align", ["0-0 1-1 2-2 3-3"] * SIZE)
    write(tmp_path / "good.order", ["0 1 2 3"] * (SIZE - 1) + ["3 2 1 0"])
    write(tmp_path / "poor.order", ["0 2 1 3"] * (SIZE - 2) + ["0 1 2 3"] * 2)
    own = ["evaluate", "--source", "s.en", "--alignment", "s.align", "--resamples", 10]
    for out, orders in (
        ("before", ["--orders", "good.order"]),
        ("after", ["--orders", "poor.order"]),
        ("both", ["--orders", "good.order", "--orders", "poor.order"]),
    ):
        assert run(*own, *orders, "--out", out)[0] == 0
    return tmp_path


def test_two_runs_are_compared(run, runs):
    code, out, err = run("compare", "before", "after", "--sentences", 2)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == ["A  before  good", "B  after  poor"]
    header, fuzzy, kendall = lines[3:6]
    assert header.split()[:4] == ["metric", "A", "B", "B"]
    # Good: 19 sentences right, one reversed. Poor: 18 with all three joints lost, two right.
    assert fuzzy.split()[:4] == ["fuzzy(match=word)", "0.9500", "0.1000", "-0.8500"]
    mark, p, *counts = fuzzy.split()[-5:]
    assert (mark, counts) == ("-**", ["1", "18", "1"])
    assert float(p) < 0.001
    assert kendall.split()[:4] == ["kendall", "0.9500", "0.8500", "-0.1000"]
    gained = lines.index("Gained most by fuzzy(match=word):")
    assert lines[gained + 2 : gained + 7] == [
        "20  +1.0000  (0.0000 → 1.0000)",
        "  source     one19 two three four",
        "  A          four three two one19",
        "  B          one19 two three four",
        "  reference  one19 two three four",
    ]
    lost = lines.index("Lost most by fuzzy(match=word):")
    assert [line for line in lines[lost:] if "→" in line] == [
        "1  -1.0000  (1.0000 → 0.0000)",
        "2  -1.0000  (1.0000 → 0.0000)",
    ]


def test_two_systems_of_one_run_give_the_same_numbers(run, runs):
    _, one, _ = run("compare", "both", "--system", "good", "--system", "poor", "--json")
    _, two, _ = run("compare", "before", "after", "--json")
    _, unnamed, _ = run("compare", "both", "--json")
    one, two = json.loads(one), json.loads(two)
    assert one == json.loads(unnamed)
    assert one["first"] == {"run": "both", "system": "good"}
    assert two["first"] == {"run": "before", "system": "good"}
    for key in ("metrics", "moved", "sentences", "significance"):
        assert one[key] == two[key]
    assert len(two["moved"]["lost"]) == 18
    assert two["moved"]["lost"][0]["second"] == "one0 three two four"


def test_tsv_has_a_row_for_each_metric(run, runs):
    _, out, _ = run("compare", "before", "after", "--tsv", "--metric", "kendall(average=pooled)")
    header, row = (line.split("\t") for line in out.splitlines())
    cells = dict(zip(header, row, strict=True))
    assert cells["metric"] == "kendall(average=pooled)"
    assert float(cells["difference"]) == pytest.approx(-0.1)
    assert (cells["better"], cells["worse"], cells["same"]) == ("1", "18", "1")
    assert float(cells["low_95"]) <= float(cells["low_90"]) < -0.1 < float(cells["high_90"])


def test_without_a_change_no_sentence_is_shown(run, runs):
    code, out, _ = run("compare", "before", "before", "--gate", "fuzzy:0")
    assert code == 0
    assert "most by" not in out
    assert out.splitlines()[4].split()[-5:] == ["0", "1.0000", "0", "0", "20"]


def test_a_gate_that_fails_exits_with_1_and_says_why(run, runs):
    code, out, err = run("compare", "before", "after", "--gate", "fuzzy:-0.005")
    assert code == 1
    assert out.startswith("A  before")
    [line] = err.splitlines()
    assert line.startswith(
        "preorder-eval: gate fuzzy:-0.005 failed: fuzzy(match=word) fell by 0.8500, 95 % interval ["
    )
    code, _, err = run("compare", "before", "after", "--gate", "fuzzy:0", "--gate", "fuzzy:-0.1")
    assert (code, len(err.splitlines())) == (1, 2)
    code, _, err = run("compare", "before", "after", "--gate", "fuzzy:-0.99")
    assert (code, err) == (0, "")
    code, _, err = run("compare", "after", "before", "--gate", "fuzzy:-0.99")
    assert (code, err) == (0, "")


def test_a_gate_that_passes_says_how_little_it_sees(run, runs):
    code, _, err = run("compare", "after", "before", "--gate", "fuzzy:-0.005")
    assert code == 0
    [line] = err.splitlines()
    assert line.startswith(
        "preorder-eval: gate fuzzy:-0.005: with 20 sentences it sees falls of 0."
    )


@pytest.mark.parametrize("test", ["randomization", "koehn"])
def test_the_test_can_be_chosen_and_is_told(run, runs, test):
    _, out, _ = run("compare", "before", "after", "--test", test)
    assert {"randomization": "random half-samples", "koehn": "Koehn 2004"}[test] in out
    _, out, _ = run("compare", "before", "after", "--test", test, "--json", "--resamples", 20)
    result = json.loads(out)
    samples = {"randomization": 200, "koehn": 20}[test]
    assert result["significance"] == {
        "test": test, "against": "all", "samples": samples, "seed": 0,
    }  # fmt: skip
    assert (result["metrics"][0]["p"] is None) == (test == "koehn")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["before", "after", "--gate", "fuzzy:much"], "gate 'fuzzy:much' is not METRIC:NUMBER"),
        (["before", "after", "--gate", "fuzy:-0.1"], "unknown metric 'fuzy' (did you mean"),
        (["before", "after", "--gate", "hamming:-0.1"], "unknown metric of a gate 'hamming'"),
        (["before", "after", "--metric", "fuzy"], "unknown metric 'fuzy'"),
        (["before", "nowhere"], "nowhere: no such folder"),
        (["before"], "name the systems to compare (--system): before has good"),
        (["both", "--system", "good"], "(--system): both has good, poor"),
        (["both", "after"], "both has good, poor; after has poor"),
        (["before", "after", "--system", "god"], "unknown system of before 'god' (did you mean"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(run, runs, arguments, message):
    code, out, err = run("compare", *arguments)
    assert (code, out) == (2, "")
    [line] = err.splitlines()
    assert message in line


def test_a_folder_that_was_changed_is_refused(run, runs):
    path = runs / "after" / "scores.tsv"
    path.write_text(path.read_text().replace("0 2 1 3", "2 0 1 3", 1))
    code, out, err = run("compare", "before", "after")
    assert (code, out) == (2, "")
    assert "after/scores.tsv:2: poor, sentence 1: fuzzy(match=word) is 0.0000" in err


def test_json_and_tsv_exclude_each_other(run, runs):
    code, _, err = run("compare", "before", "after", "--json", "--tsv")
    assert code == 2
    assert "choose one of --json and --tsv" in err


RULES = 'name = "mine"\nscheme = "ud"\ndefault = "{}"\n'


@pytest.mark.slow
def test_two_rule_files_are_compared_on_the_references(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "v1.toml", [RULES.format("keep")])
    write(tmp_path / "v2.toml", [RULES.format("reverse")])
    options = ["--parser", "gold", "--metric", "kendall", "--resamples", 10]
    code, out, _ = run("compare", "v1.toml", "b=v2.toml", *options)
    assert code == 0
    heads = [line.split() for line in out.splitlines() if line[:3] in ("A  ", "B  ")]
    assert heads == [
        *[["A", "en-ja-web/dev", "gold/v1"], ["B", "en-ja-web/dev", "gold/b"]],
        *[["A", "en-ja", "gold/v1"], ["B", "en-ja", "gold/b"]],
    ]
    both = json.loads(run("compare", "v1.toml", "v2.toml", *options, "--json")[1])["comparisons"]
    one = ["--reference", "en-ja"]
    alone = json.loads(run("compare", "v1.toml", "v2.toml", *options, *one, "--json")[1])
    assert both[1] == alone
    for rules, side in (("none", "first"), ("reverse", "second")):
        system = ["--parser", "gold", "--rules", rules, "--metric", "kendall", *one, "--json"]
        [evaluated] = json.loads(run("evaluate", *system)[1])["systems"]
        assert alone["metrics"][0][side] == evaluated["scores"]["kendall"]["value"]


def test_gates_hold_on_every_reference(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "v2.toml", [RULES.format("reverse")])
    gate = ["--parser", "gold", "--resamples", 100, "--gate", "kendall:-0.01"]
    code, out, err = run("compare", "none", "v2.toml", *gate, "--tsv")
    assert code == 1
    references = [table.splitlines()[1].split("\t")[0] for table in out.split("\n\n")]
    assert references == ["en-ja-web/dev", "en-ja"]
    assert err.count("gate kendall:-0.01 failed") == 2


@pytest.mark.parametrize(
    "arguments",
    [["v1.toml"], ["v1.toml", "v2.toml", "--system", "a"], ["before", "after", "--parser", "gold"]],
)
def test_options_of_the_other_kind_are_refused(run, runs, arguments):
    code, out, err = run("compare", *arguments)
    assert (code, out) == (2, "")
    assert "rule files" in err


@pytest.mark.slow
def test_runs_on_several_references_are_compared_on_those_that_both_have(
    run, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    own = ["evaluate", "--parser", "gold", "--metric", "kendall", "--resamples", 10]
    both = ["--reference", "en-ko", "--reference", "en-tr"]
    assert run(*own, *both, "--rules", "none", "--out", "a")[0] == 0
    more = [*both, "--reference", "en-hi"]
    assert run(*own, *more, "--rules", "reverse", "--out", "b")[0] == 0
    code, out, err = run("compare", "a", "b", "--tsv")
    assert code == 0
    assert err == "preorder-eval: note: only one of the runs is on en-hi; left out\n"
    tables = [table.splitlines()[1].split("\t") for table in out.split("\n\n")]
    assert [row[0] for row in tables] == ["en-ko", "en-tr"]
    alone = run("compare", "a/en-tr", "b/en-tr", "--tsv")[1].splitlines()[1].split("\t")
    assert tables[1][1:] == alone
