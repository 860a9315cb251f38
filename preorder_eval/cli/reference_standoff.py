"""`preorder-eval reference export`, and `build` for annotation that stands off from its text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import click

from preorder_eval.cli.command import Option
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.formats.reference_files import datasheet_entry
from preorder_eval.formats.reference_folder import exported
from preorder_eval.formats.standoff import STANDOFF, TREEBANKS, join, treebank_files
from preorder_eval.formats.writing import write_folder
from preorder_eval.resources import bundled_names
from preorder_eval.visible import quantity, visible


def standoff_sets(like: str) -> dict[str, Path]:
    """Return the folders of the known sets whose names end so, as `ewt`, and that stand off."""
    folders = bundled_names("reference_data").items()
    of_kind = {name: path for name, path in folders if name.endswith(f"-{like}")}
    sets = {name: path for name, path in of_kind.items() if (path / STANDOFF).is_file()}
    if not sets:
        raise UnknownNameError("corpus of bundled annotation", like, families())
    return sets


def families() -> list[str]:
    """Return the endings of the names of bundled sets that stand off, for `--like`."""
    folders = bundled_names("reference_data").items()
    return sorted({n.rpartition("-")[2] for n, path in folders if (path / STANDOFF).is_file()})


def build_joined(out: Path, sets: dict[str, Path], sources: Sequence[Path]) -> None:
    """Join sets with treebanks, write each into its folder, and print what was left out."""
    files = treebank_files(sources)
    if not files:
        raise click.UsageError(f"name treebanks: SOURCE…, or the variable {TREEBANKS}")
    joined = {name: join(folder, files, name, "all") for name, folder in sets.items()}
    texts: dict[str, str] = {}
    for name, each in joined.items():
        if not each.sentences:
            raise PreorderEvalError(f"{name}: no sentence found: {each.left_out}")
        folder = "" if len(sets) == 1 and name == out.name else f"{name}/"
        texts |= {folder + file: text for file, text in each.files.items()}
    write_folder(out, texts)
    for name, each in joined.items():
        parts = [f"{part or 'sentences'} {count}" for part, count in each.sentences.items()]
        made_on = datasheet_entry(sets[name], "Made on").rstrip(".")
        lines = [", ".join(parts), each.left_out, made_on and f"made on {made_on}"]
        print(visible(f"{name}: " + "; ".join(filter(None, lines))))


def export(
    standoff: Annotated[str, Option("Set with gold trees.", metavar="NAME|DIR")],
    out: Annotated[Path, Option("New folder.", metavar="DIR")],
) -> None:
    """Write the annotation of a set without its sentences and trees.

    Whoever has the text joins both again by `reference build --standoff`. Each sentence is found by
    its sent_id, and a hash shows if its tokens are the same.

    Examples:
      preorder-eval reference export --standoff my-set --out my-set-standoff
      preorder-eval reference build --standoff my-set-standoff text.conllu \\
        --out again
    """
    files = exported(standoff)
    write_folder(out, files)
    count = quantity(files[STANDOFF].count("\n"), "sentence")
    print(visible(f"{out}: {count} without their text; complete {out}/DATASHEET.md"))
