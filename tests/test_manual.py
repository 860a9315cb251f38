"""The pages of the manual: that all are there, and that every command names one."""

import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from preorder_eval.cli import app
from preorder_eval.errors import UnknownNameError
from preorder_eval.manual import CONTENTS, manual_page, page_names, page_of

FOLDER = Path(__file__).parents[1] / "preorder_eval" / "manual"


def test_the_contents_have_every_page():
    assert sorted([CONTENTS, *page_names()]) == sorted(file.stem for file in FOLDER.glob("*.md"))


@pytest.mark.parametrize("name", page_names())
def test_a_page_begins_with_its_title(name):
    page = manual_page(name)
    assert page.text.startswith(f"# {page.title}\n")
    assert "\n<!--" not in page.text


def test_an_unknown_page_gets_the_nearest():
    with pytest.raises(UnknownNameError, match=r"'metrcs' \(did you mean 'metrics'\?\)"):
        manual_page("metrcs")
    with pytest.raises(UnknownNameError):
        manual_page("../../README")


def commands(group, name=""):
    for key, command in group.commands.items():
        yield f"{name} {key}".strip(), command
        if hasattr(command, "commands"):
            yield from commands(command, f"{name} {key}".strip())


def test_every_command_names_its_page():
    found = dict(commands(typer.main.get_command(app)))
    assert len(found) > 30
    for name, command in found.items():
        assert page_of(name) in (CONTENTS, *page_names())
        assert command.epilog == f"Manual: preorder-eval manual {page_of(name)}", name


def test_help_shows_it():
    command = [sys.executable, "-m", "preorder_eval", "rules", "learn", "--help"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.rstrip().endswith("Manual: preorder-eval manual lab")
