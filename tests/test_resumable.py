"""Folders of work that can be taken up again."""

from __future__ import annotations

import pytest

from preorder_eval.base.errors import FormatError
from preorder_eval.learning.resumable import once, resumable

SETTINGS = {"weight": 2, "data": {"a.align": "f00"}}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "work"


def test_work_goes_on_in_its_folder(folder):
    with resumable(folder, SETTINGS):
        once(folder / "deep" / "part", lambda: "done")
    with resumable(folder, dict(SETTINGS)):
        once(folder / "deep" / "part", lambda: 1 / 0)
    assert (folder / "deep" / "part").read_text() == "done"


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({**SETTINGS, "weight": 3}, "begun with weight 2, not 3; repeat them"),
        ({**SETTINGS, "data": {"b.align": "f00"}}, "begun with data a.align f00, not left out"),
        ({**SETTINGS, "rounds": 1}, "begun with rounds left out, not 1"),
    ],
)
def test_other_work_is_refused(folder, other, message):
    with resumable(folder, SETTINGS):
        pass
    with pytest.raises(FormatError, match=message), resumable(folder, other):
        pass


def test_a_folder_of_something_else_is_refused(folder):
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine")
    with pytest.raises(FormatError, match="work: already exists"), resumable(folder, SETTINGS):
        pass
    assert [path.name for path in folder.iterdir()] == ["thesis.txt"]
    (folder / "settings.json").write_text("{")
    with pytest.raises(FormatError, match="not JSON"), resumable(folder, SETTINGS):
        pass


def test_two_processes_do_not_work_in_one_folder(folder):
    with (
        resumable(folder, SETTINGS),
        pytest.raises(FormatError, match="another process is working in this folder"),
        resumable(folder, SETTINGS),
    ):
        pass
