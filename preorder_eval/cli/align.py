"""`preorder-eval align`: word alignments of parallel text, made by an aligner or converted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import click

from preorder_eval.base.files.destinations import check_output, require_file
from preorder_eval.base.files.writing import write_text
from preorder_eval.base.text.text_files import read_pairs
from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.shared.options import alignment_formats
from preorder_eval.cli.terminal import note, progress
from preorder_eval.orders.align import align, find_aligner
from preorder_eval.orders.aligners import ALIGNERS, DEFAULT_ALIGNER, STEPS, automatic_notes
from preorder_eval.orders.alignment_files import (
    Direction,
    WhichLinks,
    aligner_file,
    read_alignment_of,
)
from preorder_eval.orders.alignment_formats import format_alignments
from preorder_eval.orders.alignments import Alignments
from preorder_eval.references.reference_build import read_side

_MADE = Option(group="Aligner", beside="read_as")
_CONVERTED = Option(group="Conversion", needs="read_as")


def command(
    files: Annotated[
        tuple[Path, ...],
        Argument(
            "Tokenised sentences and their translations, one per line; with --from, an "
            "alignment file (- for standard input).",
            metavar="SOURCE TARGET | LINKS",
        ),
    ],
    aligner: Annotated[
        str,
        _MADE,
        Option(
            "agree: IBM Model 1, trained jointly in both directions; ibm1: IBM Model 1 in each "
            "direction, intersected.",
            metavar=lambda: "|".join(ALIGNERS),
        ),
    ] = DEFAULT_ALIGNER,
    force: Annotated[
        bool, _MADE, Option("Align fewer than 100 sentence pairs, too; their links are unreliable.")
    ] = False,
    train_source: Annotated[
        tuple[Path, ...],
        _MADE,
        Option("Source side of more parallel text to train on. Repeatable, with --train-target."),
    ] = (),
    train_target: Annotated[
        tuple[Path, ...], _MADE, Option("Target side of each --train-source.")
    ] = (),
    read_as: Annotated[
        str | None,
        Option(
            "Convert an alignment file in this format; auto detects the format.",
            name="--from",
            group="Conversion",
            metavar=alignment_formats,
        ),
    ] = None,
    source: Annotated[
        Path | None,
        _CONVERTED,
        Option("Source sentences, tokenised or CoNLL-U; links are checked against them."),
    ] = None,
    target: Annotated[
        Path | None,
        _CONVERTED,
        Option("Target sentences, tokenised or CoNLL-U; links are checked against them."),
    ] = None,
    base: Annotated[
        int | None,
        _CONVERTED,
        Option("Number of the first word position in the input.", low=0, high=1),
    ] = None,
    direction: Annotated[
        Direction, _CONVERTED, Option("Side that the input writes first.")
    ] = "source-target",
    links: Annotated[
        WhichLinks, _CONVERTED, Option("Keep all links, or only those not marked as possible.")
    ] = "all",
    out: Annotated[
        Path | None, Option("File to write.", group="Output", shown="standard output")
    ] = None,
) -> None:
    """The aligner `agree` trains on the text itself; it needs at least 200 sentence pairs, better
    300. FRS from its links is not comparable with FRS from manual links. --out s.align also writes
    the name of the aligner to s.aligner. Links in the format naacl need --source, which determines
    the number of sentences.

    Examples:
      preorder-eval align s.en s.ja --out s.align
      preorder-eval align s.en s.ja --train-source big.en --train-target big.ja
      preorder-eval align g.wpt --from naacl --source s.en --target s.fr > g.align
    """
    if len(files) != (2 if read_as is None else 1):
        raise click.UsageError("give SOURCE and TARGET to align, or --from and LINKS to convert")
    if out is not None:
        require_file(out)
        check_output(aligner_file(out), [*files, *train_source, *train_target, source, target])
    if read_as is None:
        alignments = _aligned(files, aligner, train_source, train_target, force=force)
    else:
        first, second = (None if side is None else read_side(side)[0] for side in (source, target))
        alignments = read_alignment_of(
            files[0], first, second, read_as, base=base, direction=direction, links=links
        )
    for line in automatic_notes(alignments.aligner):
        note(f"{line}; --out FILE also records the aligner" if out is None else line)
    if out is None:
        print(format_alignments(alignments), end="")
    else:
        _write(out, alignments)


def _aligned(
    files: Sequence[Path],
    aligner: str,
    train_source: Sequence[Path],
    train_target: Sequence[Path],
    *,
    force: bool,
) -> Alignments:
    """Align the sentences of two files, with more parallel text to learn from."""
    named = f"{aligner}(force=true)" if force else aligner
    find_aligner(named)  # before anything is read
    if len(train_source) != len(train_target):
        raise click.UsageError("give one --train-target for each --train-source")
    extra = read_pairs(train_source, train_target)
    sides = read_pairs(files[:1], files[1:])
    with progress(f"training {aligner}", STEPS) as advance:
        return align(*sides, named, extra=extra, advance=advance)


def _write(out: Path, alignments: Alignments) -> None:
    """Write links in Pharaoh's format, with the name of the aligner beside them."""
    if alignments.aligner:  # first: links by a program never stand as made by people
        write_text(aligner_file(out), f"{alignments.aligner}\n")
    write_text(out, format_alignments(alignments))
    if not alignments.aligner:
        aligner_file(out).unlink(missing_ok=True)
