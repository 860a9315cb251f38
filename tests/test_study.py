"""Studies of orders, outputs, references and ratings: the paper's tables, from an example."""

import json
from pathlib import Path

import numpy as np
import pytest

from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.human_scores import read_human_scores
from preorder_eval.formats.study_file import read_study_file
from preorder_eval.papers.study import Study
from preorder_eval.papers.study_example import SENTENCES, example_files
from preorder_eval.results.result import Result


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("example")
    for name, text in example_files().items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def study(folder):
    return Study.read(folder / "study.toml", resamples=100)


def test_the_example_says_what_is_simulated(folder):
    text = (folder / "study.toml").read_text()
    assert "ratings in ratings.tsv and the outputs are SIMULATED" in text
    assert example_files() == example_files()
    words = [sorted(line.split()) for line in (folder / "reference.txt").read_text().splitlines()]
    for number in range(1, 6):
        outputs = (folder / f"R{number}.txt").read_text().splitlines()
        assert [sorted(line.split()) for line in outputs] == words, "the words of the reference"


def test_mean_ratings(study, folder):
    """Table 1: the mean over the sentences of their mean ratings."""
    people = read_human_scores(folder / "ratings.tsv", SENTENCES)
    for number, mean in enumerate(study.mean_ratings):
        assert mean.value == pytest.approx(people.means[number].mean())
        assert mean.low <= mean.value <= mean.high
    assert study.mean_ratings[4].low > study.mean_ratings[3].high, "R5 is best"


def test_correlation_over_outputs(study, folder):
    """Table 6 against numpy, over all outputs together."""
    people = study.ratings.means.ravel()
    evaluation = study.correlations["manual"]
    for number, scores in enumerate(evaluation.metrics):
        expected = np.corrcoef(scores.segments.ravel(), people)[0, 1]
        found = evaluation.statistics["segment.pearson"].values[number]
        assert found == pytest.approx(expected)
    names = [scores.metric for scores in evaluation.metrics]
    assert names[:3] == ["fuzzy(match=word)", "kendall", "kendall(root=true)"]
    assert names[3].startswith("bleu(")
    _, rows = study.correlations_table()
    by_rank = {row[1]: row[5] for row in rows if row[0] == "manual"}
    assert by_rank["kendall"] == pytest.approx(by_rank["kendall(root=true)"]), "the same ranks"


def test_kinds_of_references_have_the_same_systems(study):
    """Table 7: metrics of outputs do not change with the alignment, and stand in one table."""
    assert list(study.correlations) == ["manual", "automatic"]
    assert all(result.systems == study.result.systems for result in study.results.values())
    by_kind = {}
    for kind, metric, value, *_ in study.correlations_table()[1]:
        by_kind.setdefault(metric, {})[kind] = value
    assert set(by_kind["fuzzy(match=word)"]) == {"manual", "automatic"}
    assert by_kind["fuzzy(match=word)"]["manual"] > by_kind["fuzzy(match=word)"]["automatic"] + 0.3
    [bleu] = [name for name in by_kind if name.startswith("bleu")]
    assert set(by_kind[bleu]) == {"manual"}


def test_significance_and_how_far_it_agrees(study):
    """Tables 3 to 5: the marks of ratings are those of their means, and FRS has most of them."""
    header, rows = study.marks_table()
    assert header[:3] == ["row", "column", "ratings"]
    assert len(rows) == 10
    means = dict(zip(study.result.systems, study.mean_ratings, strict=True))
    for first, second, mark, *_ in rows:
        if mark != "0":
            assert (mark[0] == "+") == (means[second].value > means[first].value)
    same = sum(row[2] == row[3] for row in rows)
    assert study.agreeing("fuzzy(match=word)") == same >= 8


def test_without_ratings_and_outputs_orders_are_compared(folder, tmp_path):
    lines = (folder / "study.toml").read_text().split("[ratings]")[0].splitlines()
    kept = [line for line in lines if not line.startswith(("output", "translations"))]
    for name in ("source.en", "trees.conllu", "manual.align", "automatic.align"):
        (tmp_path / name).write_text((folder / name).read_text())
    (tmp_path / "study.toml").write_text("\n".join(kept))
    study = Study.read(tmp_path / "study.toml", resamples=20)
    assert study.ratings_table()[1] == study.correlations_table()[1] == []
    assert list(study.marks) == ["fuzzy(match=word)", "kendall", "kendall(root=true)"]
    with pytest.raises(PreorderEvalError, match="has no ratings"):
        study.mean_ratings  # noqa: B018


HEAD = 'name = "x"\nsource = "s"\n[[reference]]\nkind = "m"\nalignment = "a"\n'
TWO = '[[system]]\nname = "A"\norders = "o"\n[[system]]\nname = "B"\norders = "o"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "not TOML"),
        (HEAD, "system: field required"),
        (HEAD + TWO.replace("orders", "order"), "system 1 order: extra inputs are not permitted"),
        (HEAD + TWO.replace('"B"', '"A"'), "system A stands twice"),
        (HEAD + TWO + 'rules = "none"\n', "system 2: its order is of rules and orders"),
        (HEAD + TWO.replace('orders = "o"\n[', "["), "system 1: its order is of none"),
        (HEAD + TWO + 'parser = "gold"\n', "system 2: rules, parser and trees"),
        (HEAD + TWO + "[ratings]\nfile = 3\n", "ratings file: input should be a valid string"),
    ],
)
def test_study_files_that_make_no_sense(tmp_path, text, message):
    file = tmp_path / "study.toml"
    file.write_text(text)
    with pytest.raises(FormatError, match=message):
        read_study_file(file)


def test_from_the_command_line(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("study", "init", "mine")
    assert (code, err) == (0, "")
    assert "simulated" in out
    own = ["study", "run", "mine/study.toml", "--resamples", 20]
    code, out, err = run(*own, "--out", "run")
    assert (code, err) == (0, "")
    assert [part.partition(":")[0] for part in out.split("\n\n")[:5]] == [
        "Mean ratings (Table 1)",
        "Scores by the reference manual",
        "The column's system against the row's (Tables 3 to 5)",
        "Correlation with ratings of outputs, reference manual (Table 6)",
        "Correlation with ratings of outputs, reference automatic (Table 7)",
    ]
    assert Result.read("run").systems == ["R1", "R2", "R3", "R4", "R5"]
    said = json.loads(run(*own, "--json")[1])
    assert [row["system"] for row in said["ratings"]] == ["R1", "R2", "R3", "R4", "R5"]
    assert len(said["differences"]["manual"]) == 6
    assert len(run(*own, "--tsv")[1].split("\n\n")) == 3
    code, out, err = run("study", "init", "mine")
    assert (code, out) == (2, "")
    Path("mine/R1.txt").unlink()
    code, out, err = run(*own)
    assert (code, out) == (2, "")
    assert err.startswith("preorder-eval: mine/R1.txt: cannot be read")
