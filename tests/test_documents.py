"""Intervals and tests that draw documents."""

import numpy as np
import pytest

from preorder_eval.errors import FormatError
from preorder_eval.metrics import metric
from preorder_eval.results.inputs import DOCUMENTS, Inputs, Texts, with_documents
from preorder_eval.results.result import Result, Sampling, by_document
from preorder_eval.results.run import read_run, write_run
from preorder_eval.results.systems import System

SIZE, LENGTH = 20, 10  # documents, and sentences of each


@pytest.fixture
def inputs():
    """In some documents every sentence is wrong, in others none: sentences tell little new."""
    rng = np.random.default_rng(0)
    wrong = np.repeat(rng.random(SIZE) < 0.4, LENGTH)
    outputs = ["x b" if bad else "a b" for bad in wrong]
    better = ["a b" if number % 7 else line for number, line in enumerate(outputs)]
    systems = (System("old", hyp=outputs), System("new", hyp=better))
    return Inputs(systems, references=(Texts("ref", ["a b"] * SIZE * LENGTH),))


def documents(tmp_path):
    file = tmp_path / "documents"
    file.write_text("".join(f"d{number // LENGTH}\n" for number in range(SIZE * LENGTH)))
    return file


def test_values_stay_and_intervals_widen(inputs, tmp_path):
    chosen, sampling = (metric("wer"),), Sampling(against="first")
    alone = Result(inputs, chosen, sampling)
    grouped = Result(with_documents(inputs, documents(tmp_path)), chosen, sampling)
    for system in range(2):
        [one], [other] = alone.intervals[system], grouped.intervals[system]
        assert one.value == pytest.approx(other.value)
    width = [
        result.intervals[0][0].high - result.intervals[0][0].low for result in (alone, grouped)
    ]
    assert 2.5 < width[1] / width[0] < 4, "about the root of the sentences of a document"
    assert alone.difference(0, 1, 0).value == pytest.approx(grouped.difference(0, 1, 0).value)
    assert grouped.measurements[0].statistics.shape == (2, SIZE, 2)
    assert len(grouped.scores[0][0].sentence) == SIZE * LENGTH, "sentences keep their scores"


def test_a_run_folder_keeps_the_documents(inputs, tmp_path):
    result = Result(with_documents(inputs, documents(tmp_path)), (metric("wer"),))
    write_run(result, tmp_path / "run")
    again = read_run(tmp_path / "run")
    assert list(again.documents) == list(result.documents)
    assert again.intervals == result.intervals
    assert result.to_dict()["documents"] == SIZE


def test_documents_need_not_be_together():
    statistics = np.arange(8.0).reshape(1, 4, 2)
    sums = by_document(statistics, ["a", "b", "a", "b"], np.ones(4, dtype=bool))
    assert sums.tolist() == [[[0 + 4, 1 + 5], [2 + 6, 3 + 7]]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\nb\n", "2 lines, but there are 200 sentences"),
        ("a\n" * 199 + " \n", ":200: is empty"),
        ("a\n" * 200, "has one document alone"),
    ],
)
def test_files_that_do_not_fit(inputs, tmp_path, text, message):
    file = tmp_path / "documents"
    file.write_text(text)
    with pytest.raises(FormatError, match=message):
        with_documents(inputs, file)
    assert DOCUMENTS not in inputs.shared
