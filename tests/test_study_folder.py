"""Folders of studies, which are read as they were written."""

import json

import pytest
from preorder_eval.papers.study_folder import write_studies
from preorder_eval.papers.study_reading import read_studies

from preorder_eval.errors import FormatError
from preorder_eval.formats.writing import write_folder
from preorder_eval.papers.study import Study
from preorder_eval.papers.study_example import example_files
from preorder_eval.papers.study_tables import summary
from preorder_eval.results.run import read_run


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studies") / "example"
    write_folder(folder, example_files())
    return Study.read(folder / "parsers.toml", resamples=10, seed=3)


def test_what_is_read_says_the_same(study, tmp_path):
    study.write(tmp_path / "out")
    again = Study.read(tmp_path / "out")
    first, second = (summary(each) for each in (study, again))
    first.pop("result"), second.pop("result")
    assert first == second
    run = read_run(tmp_path / "out/runs/standard/manual")
    assert run.systems == study.result.systems


def test_a_folder_for_each_language_pair(study, tmp_path):
    pairs = [
        Study(study.name, study.results, study.ratings, study.gold, study.parses, pair)
        for pair in ("en-ja", "en-ko")
    ]
    write_studies(pairs, tmp_path / "out")
    assert [each.pair for each in read_studies(tmp_path / "out")] == ["en-ja", "en-ko"]
    assert Study.read(tmp_path / "out/en-ko").label == "parsers en-ko"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kinds": ["../../x"]}, "leads out of the folder"),
        ({"kinds": [], "pairs": ["."]}, "pairs 0: string should match pattern"),
        ({"kinds": []}, "has no kinds of references"),
        ({"kinds": ["other"]}, "runs/other"),
        ({"ratings": "yes"}, "ratings: input should be a valid boolean"),
    ],
)
def test_what_was_changed_is_refused(study, tmp_path, change, message):
    study.write(tmp_path / "out")
    file = tmp_path / "out/study.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(FormatError, match=message):
        Study.read(tmp_path / "out")
