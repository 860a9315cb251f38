"""`preorder-eval init`: a project file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from preorder_eval.visible import visible


def command(
    folder: Annotated[
        Path, typer.Argument(help="Folder of the project.", metavar="FOLDER")
    ] = Path(),
) -> None:
    """Write a preorder.toml: parsers, rules, references, metrics and gates of a project.

    In its folder and all below it commands take from it what they are not told. `evaluate` scores
    all of it and keeps every run, by itself, as runs/2026-11-21-1; `history` shows them. An older
    file is never overwritten.

    \b
    Examples:
      preorder-eval init
      preorder-eval init my-project
    """
    from preorder_eval.formats.project_file import begin_project

    written = begin_project(folder)
    print(visible(f"{written}: written; look through it, then: preorder-eval evaluate"))
