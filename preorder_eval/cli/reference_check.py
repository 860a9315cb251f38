"""`preorder-eval reference check`: what a reference set leaves to be wished for."""

from __future__ import annotations

from typing import Annotated

import click

from preorder_eval.analysis.reference.check import check_references
from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.options import REFERENCE, Printed


def command(
    references: Annotated[
        tuple[str, ...],
        REFERENCE,
        Argument("Bundled reference sets or folders.", metavar="NAME|DIR…"),
    ],
    structure_only: Annotated[
        bool,
        Option("Leave out the guidelines, which translations made as usual do not follow."),
    ] = False,
    *,
    printed: Printed,
) -> None:
    """Check reference sets and show their figures.

    The guidelines: every word but articles and punctuation is linked, no source word to separate
    target stretches, and every target word is linked. What may be right is counted for information,
    and listed by --tsv and --json: subtrees of the gold tree that the reference order tears apart,
    and phrases ordered or words linked otherwise than nearly all of their like in the set.
    Positions count from 0.

    Exit code: 0 if there is nothing to mend, 1 with warnings, 2 for files that cannot be read.

    Examples:
      preorder-eval reference check en-ja en-ko en-tr
      preorder-eval reference check my-set --tsv > warnings.tsv
      preorder-eval reference check news-set --structure-only
    """
    checked = check_references(references, structure_only=structure_only)
    printed.print(checked)
    if not checked.is_clean:
        raise click.exceptions.Exit(1)
