"""`preorder-eval reference build`: a reference folder from text and word alignments."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import click

from preorder_eval.cli.command import Option
from preorder_eval.cli.options import ALIGNMENT, BASE, DIRECTION, REFERENCE, AlignmentFormat
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.formats.alignment import Direction
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.reference_set import (
    blind_sheets,
    format_reference,
    reference_from_files,
    reference_from_parallel,
)
from preorder_eval.formats.writing import refuse_existing, write_folder
from preorder_eval.visible import quantity


def command(
    out: Annotated[Path, Option("New folder.", metavar="DIR")],
    blind: Annotated[
        str | None,
        REFERENCE,
        Option(
            "Take sentences of this set without its translations and links, to annotate them anew.",
            shown="",
            beside="alignment source target parallel source_language target_language",
        ),
    ] = None,
    sentences: Annotated[
        int, Option("Sentences to take, evenly.", low=1, needs="blind", metavar="N")
    ] = 100,
    alignment: Annotated[
        Path | None,
        ALIGNMENT,
        Option("Word alignments; without, they are to be made by `reference edit`."),
    ] = None,
    source: Annotated[
        Path | None, Option("Source sentences, tokenised, or CoNLL-U with gold trees.")
    ] = None,
    target: Annotated[Path | None, Option("Translations, tokenised or CoNLL-U.")] = None,
    parallel: Annotated[
        Path | None,
        Option("Both sides in one file instead, `source ||| target` on each line."),
    ] = None,
    alignment_format: AlignmentFormat = "auto",
    base: Annotated[int | None, BASE] = None,
    direction: Annotated[Direction, DIRECTION] = "source-target",
    name: Annotated[
        str | None, Option("Name in the datasheet.", shown="the folder's", metavar="NAME")
    ] = None,
    source_language: Annotated[
        str | None, Option("Such as en.", shown="the ending of --source", metavar="CODE")
    ] = None,
    target_language: Annotated[
        str | None, Option("Such as ja.", shown="the ending of --target", metavar="CODE")
    ] = None,
) -> None:
    """Make a reference folder of text and links.

    Examples:
      preorder-eval reference build --source s.en --target s.ja --alignment s.align \\
        --out my-set
      preorder-eval reference build --source gold.conllu --source-language en \\
        --target s.ja --alignment s.wpt --direction target-source --out my-set
      preorder-eval reference build --parallel s.en-ja --source-language en \\
        --target-language ja --alignment s.align --out my-set
      preorder-eval reference build --source s.en --target s.ja --out my-set
      preorder-eval reference build --blind en-ko/test --sentences 40 --out sheets
    """
    refuse_existing(out)
    if blind is not None:
        sheets = blind_sheets(load_reference(blind), sentences, name or out.name)
        _write(out, sheets, *sheets.languages.partition("-")[::2])
        return
    texts = [file for file in (source, target) if file is not None]
    if len(texts) != (2 if parallel is None else 0):
        raise click.UsageError("give either --parallel or both --source and --target, or --blind")
    languages = (
        _language("source", source_language, source),
        _language("target", target_language, target),
    )
    how: dict[str, Any] = {
        "name": name or out.name,
        "form": alignment_format,
        "base": base,
        "direction": direction,
    }
    if parallel is not None:
        reference = reference_from_parallel(parallel, alignment, **how)
    else:
        reference = reference_from_files(texts[0], alignment, texts[1], **how)
    _write(out, reference, *languages)


def _write(out: Path, reference: ReferenceSet, source: str, target: str) -> None:
    """Write the folder, and print what it holds."""
    write_folder(out, format_reference(reference, source, target))
    informative = int(reference.informative.sum())
    counts = [
        quantity(len(reference), "sentence"),
        quantity(len(reference.alignments.source), "link"),
        quantity(len(reference) - informative, "sentence without links"),
    ]
    print(f"{out}: {', '.join(counts)}; complete {out}/DATASHEET.md")


def _language(side: str, given: str | None, file: Path | None) -> str:
    """A side's language: as given, or the two-letter ending of its file."""
    language = given or ("" if file is None else file.suffix[1:])
    pattern = r"[a-z]{2}" if given is None else r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*"
    if not re.fullmatch(pattern, language):
        raise click.UsageError(f"name the language such as en: --{side}-language")
    return language
