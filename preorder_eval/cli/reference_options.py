"""The options that choose what a command scores against, and where its trees come from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from preorder_eval.formats.alignment import AUTO, format_names

if TYPE_CHECKING:
    from preorder_eval.data.reference_set import ReferenceSet
    from preorder_eval.data.treebank import Treebank

ParserOption = Annotated[
    str | None,
    typer.Option(
        help="Bundled parser, path or name of a spaCy pipeline, or `gold` for the reference's "
        "own trees [en-web].",
        metavar="NAME|PATH",
    ),
]
TreesOption = Annotated[
    Path | None,
    typer.Option(help="CoNLL-U file with any parser's trees of the source.", metavar="FILE"),
]
ReferenceOption = Annotated[
    str | None,
    typer.Option(help="Bundled reference set or reference folder [en-ja].", metavar="NAME|DIR"),
]
SourceOption = Annotated[
    Path | None, typer.Option(help="Own source sentences, tokenised, one a line.")
]
AlignmentOption = Annotated[
    Path | None, typer.Option(help="Own word alignments, such as Pharaoh's (0-0 1-2).")
]
AlignmentFormatOption = Annotated[
    str,
    typer.Option(help="How --alignment is written.", metavar="|".join([AUTO, *format_names()])),
]


def chosen_reference(
    reference: str | None,
    source: Path | None,
    alignment: Path | None,
    trees: Path | None,
    **reading: Any,
) -> ReferenceSet:
    """The reference set of the options; `reading` is how `reference_from_files` reads files."""
    from preorder_eval.formats.reference_set import load_reference, reference_from_files
    from preorder_eval.resources import DEFAULT_REFERENCE

    if alignment is None:
        if source is not None or reading.get("target") is not None:
            raise typer.BadParameter("--source and --target go with --alignment")
        return load_reference(reference or DEFAULT_REFERENCE)
    if reference is not None:
        raise typer.BadParameter("give either --reference or --alignment")
    sentences = source or trees
    if sentences is None:
        raise typer.BadParameter("--alignment needs --source or --trees")
    return reference_from_files(sentences, alignment, name=alignment.stem, **reading)


def chosen_trees(
    parser: str | None, trees: Path | None, data: ReferenceSet, cache: bool = True
) -> tuple[str, Treebank]:
    """The trees of a reference set by the options, and what made them."""
    from preorder_eval.cli.progress import progress
    from preorder_eval.resources import DEFAULT_PARSER
    from preorder_eval.results.systems import Parsed

    if parser is not None and trees is not None:
        raise typer.BadParameter("give either --parser or --trees")
    parsed = Parsed.by(parser or trees or DEFAULT_PARSER, data, cache=cache, progress=progress)
    return parsed.name, parsed.trees
