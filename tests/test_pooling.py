"""Two experiments on the same sentences as one study."""

import numpy as np
import pytest
from preorder_eval.papers.pooling import pooled

from preorder_eval.formats.writing import write_folder
from preorder_eval.papers.study import Study
from preorder_eval.papers.study_example import example_files


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studies") / "example"
    write_folder(folder, example_files())
    return folder


def test_all_outputs_of_both(folder):
    """The correlation is that over the scores and ratings of all ten systems' outputs."""
    studies = [Study.read(folder / f"{name}.toml", resamples=5) for name in ("parsers", "rules")]
    both = pooled(studies)
    assert both.label == "parsers and rules"
    names = both.result.systems
    assert len(names) == 10
    assert sum(name.endswith("P5R5") for name in names) == 2, "with other ratings in each"
    assert both.ratings.judges == 6
    for number, scores in enumerate(both.correlations.metrics):
        apart = [study.correlations.metrics[number] for study in studies]
        assert {scores.label} == {each.label for each in apart}
        segments = np.concatenate([each.segments for each in apart])
        people = np.concatenate([study.ratings.means for study in studies])
        expected = np.corrcoef(segments.ravel(), people.ravel())[0, 1]
        found = both.correlations.statistics["segment.pearson"].values[number]
        assert found == pytest.approx(expected)


def test_other_metrics_or_sentences(folder):
    text = (folder / "rules.toml").read_text()
    (folder / "ulam.toml").write_text('metrics = ["ulam"]\n' + text)
    rules, ulam = (Study.read(folder / f"{n}.toml", resamples=5) for n in ("rules", "ulam"))
    assert pooled([rules, ulam]) is None
    (folder / "unrated.toml").write_text(text.partition("[ratings]")[0])
    assert pooled([rules, Study.read(folder / "unrated.toml", resamples=5)]) is None
