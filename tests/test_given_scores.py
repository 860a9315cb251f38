"""Scores of other programs: every form of their files, the metric that they are, every door."""

import json
from pathlib import Path

import numpy as np
import pytest

import preorder_eval as pe
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.evaluation.other_scores import given_metric
from preorder_eval.metrics import metric, short_names
from preorder_eval.metrics.given import GivenErrors, GivenScores
from preorder_eval.metrics.score_files import read_score_file

BASE, NEW = [0.5, 0.25, 0.75], [0.75, 0.5, 0.25]
SCORES = {"base": BASE, "new": NEW}
REF = ["he reads books", "dogs run fast", "it is well"]
OUTPUTS = {"base": ["books he reads", "run dogs", "it is"], "new": REF}


def rows(row):
    return [row(s, n, score) for s, scores in SCORES.items() for n, score in enumerate(scores)]


def comet(indent):
    """What `comet-score --to_json` writes."""
    systems = {
        f"out/{name}.en": [{"src": "", "mt": "x", "ref": "y", "COMET": s} for s in scores]
        for name, scores in SCORES.items()
    }
    return json.dumps(systems, indent=indent).split("\n")


FORMS = {
    "a column for each system": ["base\tnew", "0.5\t0.75", "0.25\t0.5", "0.75\t0.25"],
    "with numbers": ["line\tnew\tbase", "2\t0.25\t0.75", "0\t0.75\t0.5", "1\t0.5\t0.25"],
    "a row for each score": ["system\tsegment\tscore", *rows(lambda s, n, x: f"{s}\t{n}\t{x}")],
    "from 1": ["x\tsentence\tCOMET\tsystem", *rows(lambda s, n, x: f"-\t{n + 1}\t{x}\t{s}")],
    "mt-metrics-eval": rows(lambda s, n, x: f"{s} {x}"),
    "with tabs": rows(lambda s, n, x: f"{s}\t{x}"),
    "JSON lines": rows(lambda s, n, x: json.dumps({"system": s, "segment": n, "score": x})),
    "MetricX": rows(lambda s, n, x: json.dumps({"source": "", "system_id": s, "prediction": x})),
    "COMET": comet(4),
    "COMET in a line": comet(None),
    "numbers by system": json.dumps(SCORES, indent=2).split("\n"),
    "numbers in a line": [json.dumps(SCORES)],
    "with variance": rows(lambda s, n, x: f"{s}.en\tSegment {n}\tscore: {x}\tvariance: 0.01"),
    "COMET prints": [
        *rows(lambda s, n, x: f"{s}.en\tSegment {n}\tscore: {x:.4f}"),
        "base.en\tscore: 0.5000",
        "new.en\tscore: 0.5000",
    ],
}


@pytest.fixture(autouse=True)
def texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in {**OUTPUTS, "ref": REF}.items():
        write(f"{name}.en", lines)
    for name, scores in SCORES.items():
        write(f"{name}.txt", map(str, scores))
    write("wide.tsv", FORMS["a column for each system"])


def write(name, lines):
    Path(name).write_text("".join(f"{line}\n" for line in lines))


def numbers(lines):
    return {name: [float(line) for line in of_system] for name, of_system in lines.items()}


@pytest.mark.parametrize("lines", FORMS.values(), ids=FORMS)
def test_every_form_has_the_same_scores(lines):
    write("scores", lines)
    aliases = {name: [f"elsewhere/{name}.en", f"{name}.en"] for name in SCORES}
    assert numbers(read_score_file("scores", "COMET").of(aliases, 3)) == SCORES
    # Of another system's scores nothing is said if it is passed over.
    only = {"new": aliases["new"]}
    assert numbers(read_score_file("scores", "COMET").of(only, 3, {"base"})) == {"new": NEW}


def test_a_system_is_found_by_a_part_of_its_file_s_name():
    write("scores", [json.dumps({"Online-W": NEW, "Online-B": BASE})])
    files = {"output.Online-W.en": ["out/output.Online-W.en"], "x": []}
    found = read_score_file("scores").of(dict([*files.items()][:1]), 3, {"output.Online-B.en"})
    assert numbers(found) == {"output.Online-W.en": NEW}
    twice = {"a.Online-W.en": [], "b.Online-W.en": []}
    with pytest.raises(PreorderEvalError, match="Online-W, which is not one of the systems"):
        read_score_file("scores").of(twice, 3, {"Online-B"})


@pytest.mark.parametrize(("form", "higher"), [("COMET", True), ("MetricX", False)])
def test_what_a_program_writes_says_which_scores_are_better(form, higher):
    write("scores", FORMS[form])
    assert given_metric("X", [Path("scores")]).higher_is_better is higher
    assert given_metric("X(better=lower)", [Path("scores")]) == GivenErrors("X")
    assert given_metric("X(better=higher)", [Path("scores")]) == GivenScores("X")


WRONG = {  # the form, the line that is another, what it is (None: left out), and the message
    "NaN": (
        "a column for each system",
        3,
        "nan\t0.5",
        ":3: 'nan' for base, segment 2, is not a number of at most",
    ),
    "infinity": (
        "mt-metrics-eval",
        2,
        "base inf",
        ":2: 'inf' for base, segment 2, is not a number of at most",
    ),
    "None": (
        "mt-metrics-eval",
        5,
        "new None",
        ":5: 'None' for new, segment 2, is not a number of at most",
    ),
    "null": (
        "JSON lines",
        1,
        '{"system": "base", "segment": 0, "score": null}',
        ":1: None for base, segment 0, is not",
    ),
    "NaN in JSON": (
        "COMET",
        13,
        '            "COMET": NaN',
        ":13: nan for base, segment 2, is not a number of at most",
    ),
    "NaN in a line": (
        "numbers in a line",
        1,
        '{"base": [0.5, NaN, 0.5], "new": [0.5, 0.5, 0.5]}',
        ":1: nan for base, segment 2, is not a number of at most",
    ),
    "too few": (
        "a column for each system",
        4,
        None,
        ":3: 2 scores of base for 3 segments; missing",
    ),
    "one too few": ("mt-metrics-eval", 6, None, ":5: 2 scores of new for 3 segments; missing"),
    "one missing": (
        "from 1",
        3,
        None,
        ":3: 2 scores of base for 3 segments; missing for segment 2",
    ),
    "too many": ("mt-metrics-eval", 1, "base 1\nbase 1", ":4: segment 4 of base, but there are 3"),
    "none such": ("JSON lines", 3, '{"system": "base", "segment": 3, "score": 1}', ":3: segment 3"),
    "no number": ("from 1", 2, "-\tone\t0.5\tbase", ":2: 'one' is not a segment number"),
    "twice": ("from 1", 3, "-\t1\t0.5\tbase", ":3: a second score for base, segment 1"),
    "nobody": (
        "mt-metrics-eval",
        4,
        "newer 0.75",
        ":4: scores of newer, which is not one of the sys",
    ),
    "no system": (
        "MetricX",
        2,
        '{"prediction": 0.5}',
        ":2: a score without a system; name the systems",
    ),
    "no key": ("MetricX", 2, '{"system": "base"}', ":2: there is no 'COMET' and no 'score'"),
    "no JSON": ("MetricX", 2, "{", ":2: not a JSON object"),
    "a field less": ("with numbers", 2, "2\t0.25", ":2: 2 fields instead of 3"),
    "another form": (
        "COMET prints",
        2,
        "base 0.5",
        ":2: 'base 0.5' does not have the format of the lines",
    ),
    "only systems": (
        "COMET prints",
        1,
        "base.en\tscore: 0.5",
        ":1: has scores of systems only, not of",
    ),
    "no list": ("numbers in a line", 1, '{"base": 1, "new": [2]}', ": 0 scores of base for 3"),
    "no score": ("a row for each score", 1, "system\tsegment\tvalue", "unknown column of scores"),
}


@pytest.mark.parametrize(("form", "line", "other", "message"), WRONG.values(), ids=WRONG)
def test_what_does_not_fit_is_one_line_and_nothing_is_scored(run, form, line, other, message):
    lines = list(FORMS[form])
    lines[line - 1 : line] = [] if other is None else [other]
    write("scores", lines)
    hyp = ("--hyp", "base.en", "--hyp", "new.en")
    code, out, err = run("score", *hyp, "--ref", "ref.en", "--scores", "COMET=scores")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"scores{message}" in err or err.startswith(f"preorder-eval: {message}")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["COMET"], "'COMET' is not NAME=FILE"),
        (["A/B=wide.tsv"], "'A/B=wide.tsv' is not NAME=FILE"),
        (["COMET(higher=true)=wide.tsv"], "unknown setting of COMET 'higher'"),
        (["COMET(better=up)=wide.tsv"], "unknown value of better 'up'"),
        (
            ["COMET=base.txt"],
            "base.txt:1: a score without a system; name the systems, or give a file",
        ),
        (["COMET=base.txt"] * 3, "--scores COMET=base.txt can be given only once"),
        (["COMET=base.txt", "COMET=new.txt", "COMET=ref.en"], "3 files with scores of COMET for 2"),
        (["COMET=nowhere"], "nowhere: cannot be read"),
    ],
)
def test_options_that_make_no_sense(run, given, message):
    options = [part for one in given for part in ("--scores", one)]
    code, out, err = run("score", "--hyp", "base.en", "--hyp", "new.en", *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_a_metric_like_any_other(run, good):
    """Value, interval, significance, run folder, comparison, human judgments, report."""
    hyp = ("score", "--hyp", "base.en", "--hyp", "new.en", "--ref", "ref.en", "--metric", "bleu")
    each = ("--scores", "BLEURT=base.txt", "--scores", "BLEURT=new.txt")
    given = (*each, "--scores", "E.2(better=lower)=wide.tsv")
    result = json.loads(good(*hyp, *given, "--out", "run", "--json"))
    scores = {s["system"]: s["scores"] for s in result["systems"]}
    assert scores["base"]["scores(of=BLEURT)"]["value"] == 0.5
    assert scores["new"]["errors(of=E.2)"]["value"] == 0.5
    assert [file["file"] for file in result["inputs"]["hyp_scores_E.2"]] == ["wide.tsv"]
    # The run folder has them; what it says is checked like any other score.
    read = pe.read_run("run")
    assert read.sentence_scores("new", "BLEURT").tolist() == NEW
    assert read.value("new", "E.2") == 0.5
    assert run("compare", "run", "--metric", "errors(of=E.2)", "--tsv")[0] == 0
    Path("run/inputs/hyp_scores_BLEURT.1.txt").write_text("0.5\n0.25\n0.5\n")
    code, _, err = run("compare", "run")
    assert (code, "scores.tsv:4: base, sentence 3: scores(of=BLEURT) is 0.7500" in err) == (2, True)


@pytest.mark.slow
def test_runs_keep_the_scores(run, good):
    """`compare`, `meta --run` and `report` have them from there."""
    given = ("--scores", "COMET=wide.tsv", "--metric", "wer", "--out", "run")
    good("score", "--hyp", "base.en", "--hyp", "new.en", "--ref", "ref.en", *given)
    compared = json.loads(good("compare", "run", "--json"))["metrics"]
    assert [row["metric"] for row in compared][1:] == ["scores(of=COMET)"]
    assert (compared[1]["first"], compared[1]["second"]) == (np.mean(BASE), np.mean(NEW))
    human = [f"{s}\t{n}\t{n + (s == 'new')}" for s in SCORES for n in range(3)]
    write("human.tsv", ["system\tline\tscore", *human])
    out = good("meta", "--run", "run", "--human", "human.tsv", "--json")
    assert "scores(of=COMET)" in [row["metric"] for row in json.loads(out)["metrics"]]
    assert run("report", "run")[0] == 0
    assert "COMET" in Path("report.html").read_text()


def test_in_python():
    result = pe.score(
        OUTPUTS, REF, ["wer"], scores={"COMET": "wide.tsv", "E(better=lower)": SCORES}
    )
    assert [str(m) for m in result.metrics][1:] == ["scores(of=COMET)", "errors(of=E)"]
    assert result.sentence_scores("new", "E").tolist() == NEW
    alone = pe.score({"new": REF}, [], [], scores={"COMET": NEW})
    assert alone.value("new", "COMET") == 0.5
    for wrong, message in (
        ({"COMET": {"base": BASE}}, "scores of COMET are for base; the systems are base, new"),
        ({"COMET": BASE}, "scores of COMET are for base; the systems"),
        ({"COMET": {**SCORES, "new": [1, 2]}}, "new, hyp_scores_COMET: 2 sentences, but"),
        ({"COMET": {**SCORES, "new": [1, 2, np.nan]}}, "scores must be finite"),
        ({"COMET": {**SCORES, "new": [1, 2, -1e200]}}, "scores must be finite"),
        ({"COMET": {**SCORES, "new": [1, 2, "x"]}}, "scores of COMET must be numbers: could not"),
    ):
        with pytest.raises(PreorderEvalError, match=message):
            pe.score(OUTPUTS, REF, ["wer"], scores=wrong)


def test_the_signature_parses_back():
    for chosen in (GivenScores("COMET-22"), GivenErrors("a.b+c")):
        assert metric(str(chosen)) == chosen
        assert short_names([str(chosen)])[0] == [chosen.of]
    with pytest.raises(PreorderEvalError, match="is not a name made of letters"):
        GivenScores("a b")
