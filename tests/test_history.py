"""Scores over runs."""

from dataclasses import replace

import pytest
from small_orders import FAIR, GOOD, POOR, evaluated, reference

from preorder_eval.errors import UnknownNameError
from preorder_eval.results.history import read_history
from preorder_eval.results.run import write_run, write_runs


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Three runs: `mine` gets better, and `other` is in the first and the last."""
    folder = tmp_path_factory.mktemp("runs")
    write_run(evaluated({"mine": POOR, "other": FAIR}), folder / "run-2")
    write_run(evaluated({"mine": FAIR}), folder / "run-9")
    write_run(evaluated({"mine": GOOD, "other": POOR}), folder / "run-10")
    (folder / "notes").mkdir()
    return folder


def values(systems):
    return evaluated(systems).value(next(iter(systems)), "kendall")


def test_runs_come_in_the_order_of_their_numbers_with_their_changes(runs):
    history = read_history(runs).of(metrics=["kendall"])
    assert [(entry.run, entry.system) for entry in history.entries] == [
        *[("run-2", "mine"), ("run-2", "other"), ("run-9", "mine")],
        *[("run-10", "mine"), ("run-10", "other")],
    ]
    scored = [entry.value for entry in history.entries]
    assert scored == [values({"a": orders}) for orders in (POOR, FAIR, FAIR, GOOD, POOR)]
    changes = [entry.change for entry in history.entries]
    expected = [scored[2] - scored[0], scored[3] - scored[2], scored[4] - scored[1]]
    assert changes == [None, None, *map(pytest.approx, expected)]
    assert {entry.sentences for entry in history.entries} == {29}
    assert history.changed == ()


def test_parts_can_be_chosen_by_their_names(runs):
    history = read_history(runs)
    assert len(history.of(["other"]).entries) == 4
    assert len(history.of(["other"], ["kendall"], ["small"]).entries) == 2
    with pytest.raises(UnknownNameError, match=r"unknown system of the runs 'othr' \(did you mean"):
        history.of(["othr"])


def test_runs_on_several_references_and_other_files(tmp_path):
    def run(files, names=("a", "b")):
        made = [replace(reference(), name=name, hashes={"s": files}) for name in names]
        return [evaluated({"mine": GOOD}, data, ["kendall"]) for data in made]

    write_runs(run("1"), tmp_path / "1")
    write_runs(run("1", ["a/dev", "b"]), tmp_path / "2")
    write_runs(run("2"), tmp_path / "3")
    history = read_history(tmp_path)
    assert [(entry.run, entry.reference) for entry in history.entries] == [
        *[("1", "a"), ("1", "b"), ("2", "a/dev"), ("2", "b"), ("3", "a"), ("3", "b")]
    ]
    assert [entry.change for entry in history.entries] == [None, None, None, 0, None, None]
    assert history.changed == (("a", "3"), ("b", "3"))
