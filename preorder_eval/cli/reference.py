"""`preorder-eval reference …`: make and look after reference sets.

The other commands of this group stand in files of their own, `reference_*.py`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from preorder_eval.cli import (
    reference_agreement,
    reference_check,
    reference_edit,
    reference_show,
    reference_stats,
)
from preorder_eval.formats.alignment import AUTO, Direction, format_names
from preorder_eval.visible import quantity

app = typer.Typer(
    help="Make, edit, check and show reference sets.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
app.command("agreement")(reference_agreement.command)
app.command("check")(reference_check.command)
app.command("edit")(reference_edit.command)
app.command("show")(reference_show.command)
app.command("stats")(reference_stats.command)


@app.command("build")
def build(
    out: Annotated[Path, typer.Option(help="New folder.")],
    alignment: Annotated[
        Path | None,
        typer.Option(help="Word alignments; without, they are to be made by `reference edit`."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option(help="Source sentences, tokenised, or CoNLL-U with gold trees.")
    ] = None,
    target: Annotated[Path | None, typer.Option(help="Translations, tokenised or CoNLL-U.")] = None,
    parallel: Annotated[
        Path | None,
        typer.Option(help="Both sides in one file instead, `source ||| target` on each line."),
    ] = None,
    alignment_format: Annotated[
        str,
        typer.Option(
            help="How --alignment is written; auto goes by its content.",
            metavar="|".join([AUTO, *format_names()]),
        ),
    ] = "auto",
    base: Annotated[
        int | None,
        typer.Option(min=0, max=1, help="What positions in --alignment count from [as usual]."),
    ] = None,
    direction: Annotated[
        Direction, typer.Option(help="Which side comes first in --alignment.")
    ] = "source-target",
    name: Annotated[str | None, typer.Option(help="Name in the datasheet [the folder's].")] = None,
    source_language: Annotated[
        str | None, typer.Option(help="Such as en [the ending of --source].")
    ] = None,
    target_language: Annotated[
        str | None, typer.Option(help="Such as ja [the ending of --target].")
    ] = None,
) -> None:
    """Make a reference folder from text and alignments in any format.

    \b
    Examples:
      preorder-eval reference build --source s.en --target s.ja --alignment s.align --out my-set
      preorder-eval reference build --source gold.conllu --source-language en --target s.ja \\
        --alignment s.wpt --direction target-source --out my-set
      preorder-eval reference build --parallel s.en-ja --source-language en \\
        --target-language ja --alignment s.align --out my-set
      preorder-eval reference build --source s.en --target s.ja --out my-set
    """
    from preorder_eval.formats.reference_set import (
        format_reference,
        reference_from_files,
        reference_from_parallel,
    )
    from preorder_eval.formats.writing import refuse_existing, write_folder

    refuse_existing(out)
    texts = [file for file in (source, target) if file is not None]
    if len(texts) != (2 if parallel is None else 0):
        raise typer.BadParameter("give either --parallel or both --source and --target")
    if alignment is None:
        for option, unusual in {
            "alignment-format": alignment_format != AUTO,
            "base": base is not None,
            "direction": direction != "source-target",
        }.items():
            if unusual:
                raise typer.BadParameter(f"--{option} goes with --alignment")
    languages = (
        _language("source", source_language, source),
        _language("target", target_language, target),
    )
    title = name or out.name
    if parallel is not None:
        reference = reference_from_parallel(
            parallel, alignment, name=title, form=alignment_format, base=base, direction=direction
        )
    else:
        reference = reference_from_files(
            texts[0],
            alignment,
            texts[1],
            name=title,
            form=alignment_format,
            base=base,
            direction=direction,
        )
    write_folder(out, format_reference(reference, *languages))
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
        raise typer.BadParameter(f"name the language such as en: --{side}-language")
    return language
