"""`preorder-eval init`: a project file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from preorder_eval.cli.command import Argument
from preorder_eval.formats.project_file import begin_project
from preorder_eval.visible import visible


def command(
    folder: Annotated[Path, Argument("Folder of the project.", metavar="[FOLDER]")] = Path(),
) -> None:
    """Write a project file, preorder.toml.

    Commands in its folder and all folders below take options from it that are not given. `evaluate`
    without options scores everything that it names and keeps every run as runs/2026-11-21-1,
    for `compare` and `report`. An existing file is never overwritten.

    Examples:
      preorder-eval init
      preorder-eval init my-project
    """
    written = begin_project(folder)
    print(visible(f"{written}: written; look through it, then: preorder-eval evaluate"))
