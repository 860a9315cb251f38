"""`preorder-eval meta` from the command line."""

import json
from pathlib import Path

import pytest
from judged_news import FILES, SIZE, write_news


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_news()


QUICK = [*FILES, "--metric", "wer", "--metric", "ribes", "--metric", "precision"]


def test_a_protocol_is_its_statistic_and_margin(run, files):
    named = run("meta", *QUICK, "--protocol", "wmt20-darr", "--json")
    spelled = run("meta", *QUICK, "--by", "pairs.wmt12", "--margin", 25, "--json")
    assert named == spelled
    assert json.loads(named[1])["margin"] == 25
    code, out, err = run("meta", *QUICK, "--protocol", "wmt20-darr", "--margin", 3)
    assert (code, out) == (2, "")
    assert "--protocol has no effect beside --margin" in err
    code, out, err = run("meta", *QUICK, "--protocol", "wmt99")
    assert (code, out) == (2, "")
    assert "wmt20-darr" in err


@pytest.mark.slow
def test_language_pairs_have_a_column_each(run, files):
    """The values are those of each pair by itself, and their mean."""
    header, *rows = Path("human.tsv").read_text().splitlines()
    for pair, kept in (("cs-en", rows), ("de-en", rows[:60])):
        Path(f"{pair}.tsv").write_text("\n".join([header, *kept]) + "\n")
    rest = ["--hyp", "out", "--ref", "ref.en", "--resamples", 20, "--metric", "wer",
            "--metric", "ribes"]  # fmt: skip
    own = ["meta", *rest, "--pair", "cs-en", "--pair", "de-en", "--human", "{pair}.tsv"]
    said = json.loads(run(*own, "--json")[1])
    by_metric = {row["metric"]: row for row in said["mean"]["pairs.consistency"]}
    for pair in ("cs-en", "de-en"):
        alone = json.loads(run("meta", *rest, "--human", f"{pair}.tsv", "--json")[1])
        assert said["pairs"][pair] == alone
        for metric in alone["metrics"]:
            value = metric["statistics"]["pairs.consistency"]["value"]
            assert by_metric[metric["metric"]][pair] == pytest.approx(value)
    for row in by_metric.values():
        assert row["mean"] == pytest.approx((row["cs-en"] + row["de-en"]) / 2)
        assert row["low"] <= row["mean"] <= row["high"]
    header = run(*own, "--tsv")[1].splitlines()[0].split("\t")
    assert header[2:] == ["cs-en", "de-en", "mean", "low", "high"]
    assert "de-en: Systems by humans\n" in run(*own, "--all")[1]


def test_judges_are_compared_and_quality_is_estimated(run, files):
    _, out, _ = run("meta", *QUICK, "--column", "judge=judge", "--quality-estimation", "--json")
    result = json.loads(out)
    assert [own["judges"] for own in result["agreement"]] == [
        "different judges",
        "the same judge",
        "two judges each (Cohen)",
    ]
    assert result["metrics"][0]["delta_avg"] > 0


def test_rankings(run, files):
    header = "srcIndex,judgeId,system1Id,system1rank,system2Id,system2rank,system3Id,system3rank\n"
    rows = [f"{s},ann,good,1,fair,2,bad,3\n" for s in range(1, SIZE + 1)]
    Path("ranks.csv").write_text(header + "".join(rows))
    arguments = [*QUICK[:4], "--rankings", "ranks.csv", *QUICK[6:]]
    code, out, err = run("meta", *arguments, "--hyp", "ref.en")
    assert code == 0
    assert "Over all judged outputs" not in out
    assert err == "preorder-eval: note: output ref.en is not judged; it is skipped\n"


@pytest.mark.slow
def test_runs_of_outputs_say_the_same_as_the_outputs(run, files):
    hyps = [part for name in files if "out/" in name for part in ("--hyp", name)]
    run("score", *hyps, "--ref", "ref.en", "--metric", "ribes", "--metric", "wer", "--out", "run")
    of_run = run("meta", "--run", "run", "--human", "human.tsv", "--resamples", 50, "--tsv")
    assert of_run[0] == 0
    direct = run("meta", *FILES, "--metric", "ribes", "--metric", "wer", "--tsv")
    assert of_run == direct  # the run has news.good and others, which are judged as good


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--metric", "hppr"],
            "metric hppr needs --input source_tags=FILE and --input hyp_tags=FILE",
        ),
        (
            ["--metric", "hlepor(mix=1:1)"],
            "needs --input hyp_tags=FILE and --input ref_tags=FILE, or --tagger",
        ),
        (
            ["--metric", "fuzzy"],
            "metric fuzzy needs --source and --input hyp_alignment=FILE and --input",
        ),
        (
            ["--input", "hyp_tags=tags"],
            "judged system good has no file for --input hyp_tags=FILE (tags); name",
        ),
        (
            ["--score-column", "raw"],
            "unknown column of human.tsv 'raw'; known: judge, line, score, system, z; name it "
            "with --score-column NAME",
        ),
        (
            ["--column", "line=segment"],
            "unknown column of human.tsv 'segment'; known: judge, line, score, system, z; name "
            "it with --column line=NAME",
        ),
        (["--column", "score=z"], "document=NAME and judge=NAME, not score=z; see"),
        (["--hyp", "no/*.en"], "no/*.en: no such file"),
        (["--hyp", "elsewhere.good.en"], "judged system good has 2 outputs"),
        (["--line-base", 1], "human.tsv:2: segment 0, but there are 40, counted from 1"),
        (["--run", "run"], "--run takes --metric and the options of judgments alone"),
    ],
)
def test_one_line_says_what_is_wrong(run, files, arguments, message):
    Path("elsewhere.good.en").write_text(Path("ref.en").read_text())
    code, out, err = run("meta", *QUICK, *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


def test_a_judged_system_without_output(run, files):
    Path("out/news.poor.en").unlink()
    code, three, err = run("meta", *QUICK)
    assert code == 0
    note = "preorder-eval: note: judged system poor is not among the outputs; it is skipped\n"
    assert err == note
    assert run("meta", *QUICK, "--without", "poor") == (0, three, "")
    Path("out/news.bad.en").unlink()
    for name in ("good", "fair"):
        Path(f"out/news.{name}.en").rename(f"out/{name}-other.en")
    code, _, err = run("meta", *QUICK)
    assert code == 2
    assert "judged system good has no output (fair-other.en, good-other.en)" in err
