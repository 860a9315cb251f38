"""Metrics in the style of Hugging Face's `evaluate`."""

from pathlib import Path

import numpy as np
import pytest

import preorder_eval as pe
from preorder_eval import hub
from preorder_eval.errors import PreorderEvalError, UnknownNameError

PREDICTIONS = [[1, 2, 3, 4, 0], [0, 1, 2]]
REFERENCES = [[0, 1, 2, 3, 4], [0, 2, 1]]
GROUPS = [[[i] for i in order] for order in REFERENCES]


@pytest.mark.parametrize(("kind", "name"), [(hub.Fuzzy, "fuzzy"), (hub.Kendall, "kendall")])
def test_scores_are_those_of_the_metric(kind, name):
    expected = pe.metric(name).score(PREDICTIONS, GROUPS).corpus
    for references in (REFERENCES, GROUPS, [np.array(order) for order in REFERENCES]):
        computed = kind().compute(predictions=PREDICTIONS, references=references)
        assert computed == {name: pytest.approx(expected)}
        assert type(computed[name]) is float


def test_parameters_and_words():
    two, orders = [["a", "a"]], {"predictions": [[1, 0]], "references": [[0, 1]]}
    assert hub.Fuzzy().compute(**orders, words=two) == {"fuzzy": 1.0}
    assert hub.Fuzzy(match="position").compute(**orders, words=two) == {"fuzzy": 0.0}
    pooled = hub.Kendall(average="pooled", root=False)
    assert pooled.compute(predictions=PREDICTIONS, references=REFERENCES) == {
        "kendall": pytest.approx(1 - 5 / 13)
    }
    with pytest.raises(UnknownNameError, match="parameter of fuzzy 'beta'"):
        hub.Fuzzy(beta=1)


def test_ribes_takes_one_reference_or_several():
    predictions, references = ["he ate the red fish", "a b"], ["The fish he ate", "a b"]
    expected = pe.metric("ribes").score(predictions, references).corpus
    ribes = hub.Ribes()
    assert ribes.compute(predictions=predictions, references=references) == {"ribes": expected}
    several = [["x y", "The fish he ate"], ["a b", "b a"]]
    assert ribes.compute(predictions=predictions, references=several) == {"ribes": expected}
    with pytest.raises(PreorderEvalError, match="the same number of references"):
        ribes.compute(predictions=predictions, references=[["a"], ["a", "b"]])


def test_what_does_not_fit_is_refused():
    for metric in (hub.Fuzzy(), hub.Ribes()):
        with pytest.raises(PreorderEvalError, match="1 predictions, but 0 references"):
            metric.compute(predictions=[[0]], references=[])
        with pytest.raises(PreorderEvalError, match="no predictions"):
            metric.compute(predictions=[], references=[])
    with pytest.raises(PreorderEvalError, match="unknown module 'bleu'"):
        hub.folder("bleu")


@pytest.mark.parametrize("kind", [hub.Fuzzy, hub.Kendall, hub.Ribes])
def test_the_modules_are_what_evaluate_loads(kind, tmp_path):
    folder = Path(hub.folder(kind.name))
    assert (folder / f"{folder.name}.py").is_file()
    evaluate = pytest.importorskip("evaluate")
    module = evaluate.load(str(folder), cache_dir=str(tmp_path))
    given = {"predictions": PREDICTIONS, "references": REFERENCES}
    if kind is hub.Ribes:
        given = {"predictions": ["a b c"], "references": ["a c b"]}
    assert module.compute(**given) == kind().compute(**given)
