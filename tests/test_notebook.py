"""The notebook of the manual runs."""

from __future__ import annotations

from importlib import resources

import pytest

pytestmark = pytest.mark.slow  # takes the extra `dev`


def test_the_notebook_runs():
    import nbformat
    from nbclient import NotebookClient

    file = resources.files("preorder_eval") / "manual" / "notebook.ipynb"
    notebook = nbformat.reads(file.read_text("utf-8"), as_version=4)
    NotebookClient(notebook, timeout=120).execute()
    shown = [
        {kind for output in cell.outputs for kind in output.get("data", {})}
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    tables = [True, False, True, True, False]
    assert ["text/html" in kinds for kinds in shown] == tables
    assert ["image/svg+xml" in kinds for kinds in shown] == [not table for table in tables]
