"""The notebook of the manual runs, and plots show what the result holds."""

from __future__ import annotations

from importlib import resources

import numpy as np
import pytest

import preorder_eval as pe

pytestmark = pytest.mark.slow  # takes the extra `dev`


def test_the_notebook_runs(monkeypatch):
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    file = resources.files("preorder_eval") / "manual" / "notebook.ipynb"
    notebook = nbformat.reads(file.read_text("utf-8"), as_version=4)
    NotebookClient(notebook, timeout=120).execute()
    shown = [
        {kind for output in cell.outputs for kind in output.get("data", {})}
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    assert ["text/html" in kinds for kinds in shown] == [True, True, True, False, False, True]
    assert [n for n, kinds in enumerate(shown) if "image/png" in kinds] == [3, 4]


@pytest.fixture
def result(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    outputs = {"base": ["a b", "c", "e"], "new": ["a b", "d", "f"]}
    return pe.score(outputs, ["a b", "d", "e"], ["wer"], resamples=50)


def test_a_plot_has_every_system_with_its_value_and_interval(result):
    axes = result.plot("wer")
    assert [label.get_text() for label in axes.get_yticklabels()] == result.labels
    line, _, [bars] = axes.containers[0]
    assert line.get_xdata().tolist() == [result.value(name) for name in result.systems]
    ends = [[end[0] for end in segment] for segment in bars.get_segments()]
    assert np.allclose(ends, [[i.low, i.high] for [i] in result.intervals])


def test_gains_of_sentences_are_up_for_what_is_better(result):
    """Where a metric is an error rate, too."""
    axes = pe.compare(result).plot()
    assert axes.get_xlabel() == "sentences: 1 better, 1 worse"
    assert axes.get_title() == "base → new"
