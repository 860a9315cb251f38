"""`preorder-eval align`: automatic word alignments of parallel text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.alignment import aligner as find_aligner
from preorder_eval.alignment import aligner_names
from preorder_eval.alignment.symmetrization import Symmetrization

if TYPE_CHECKING:
    from preorder_eval.formats.text import Pairs


def command(
    source: Annotated[Path, typer.Argument(help="Tokenised sentences, one a line.")],
    target: Annotated[Path, typer.Argument(help="Their translations, one a line.")],
    aligner: Annotated[
        str,
        typer.Option(
            "--aligner",
            "--model",
            help="ibm1 is IBM Model 1; other packages may bring more.",
            metavar="|".join(aligner_names()),
        ),
    ] = "ibm1",
    iterations: Annotated[int, typer.Option(min=1, help="Rounds of expectation maximization.")] = 5,
    symmetrize: Annotated[
        Symmetrization,
        typer.Option(
            help="none: each target word has at most one source word; inverse: each source word "
            "at most one target word; the others combine the two."
        ),
    ] = "grow-diag",
    train_source: Annotated[
        list[Path] | None,
        typer.Option(help="More parallel text to learn from. Repeatable, with --train-target."),
    ] = None,
    train_target: Annotated[
        list[Path] | None, typer.Option(help="The translation of each --train-source.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the links to this file instead of printing them.")
    ] = None,
) -> None:
    """Align parallel text; prints links in Pharaoh format, 0-based.

    The aligner learns from the text itself: for good links it needs tens of thousands of sentence
    pairs, which --train-source and --train-target can add.

    \b
    Examples:
      preorder-eval align s.en s.ja --symmetrize intersection > s.align
      preorder-eval align s.en s.ja --train-source big.en --train-target big.ja --out s.align
    """
    from preorder_eval.alignment.ibm1 import directions
    from preorder_eval.cli.progress import progress
    from preorder_eval.formats.alignment import Bitext, format_alignment
    from preorder_eval.formats.text import read_pairs
    from preorder_eval.formats.writing import write_text

    align = find_aligner(aligner)
    extra = read_extra(train_source, train_target)
    sides = read_pairs([source], [target])
    with progress(f"learning {aligner}", iterations * directions(symmetrize)) as advance:
        links = align(*sides, iterations=iterations, how=symmetrize, extra=extra, advance=advance)
    text = format_alignment(Bitext(links))
    if out is None:
        print(text, end="")
    else:
        write_text(out, text)


def read_extra(sources: list[Path] | None, targets: list[Path] | None) -> Pairs:
    """The sentence pairs of all files of --train-source and --train-target."""
    from preorder_eval.formats.text import read_pairs

    if len(sources or []) != len(targets or []):
        raise typer.BadParameter("give as many --train-target as --train-source")
    return read_pairs(sources or [], targets or [])
