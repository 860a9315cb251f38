"""`preorder-eval reference check`: what a reference set leaves to be wished for."""

from __future__ import annotations

from typing import Annotated

import typer

from preorder_eval.cli.option_groups import grouped
from preorder_eval.cli.options import Printed


@grouped
def command(
    references: Annotated[
        list[str],
        typer.Argument(help="Bundled reference sets or folders.", metavar="NAME|DIR…"),
    ],
    structure_only: Annotated[
        bool,
        typer.Option(
            "--structure-only",
            help="Leave out the guidelines, which translations made as usual do not follow.",
        ),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print the summary without the sentences.")
    ] = False,
    *,
    printed: Printed,
) -> None:
    """Check reference sets: their structure, and the guidelines for making alignments.

    The guidelines: every word but articles and punctuation is linked, no source word to separate
    target stretches, and every target word is linked. What may be right is counted for information,
    and listed by --tsv and --json: subtrees of the gold tree that the reference order tears apart,
    and phrases ordered or words linked otherwise than nearly all of their like in the set.
    Positions count from 0.

    Exit code: 0 if there is nothing to mend, 1 with warnings, 2 for files that cannot be read.

    \b
    Examples:
      preorder-eval reference check en-ja en-ko en-tr
      preorder-eval reference check my-set --tsv > warnings.tsv
      preorder-eval reference check news-set --structure-only
    """
    from preorder_eval.analysis.checked_reference import (
        check_references,
        counts_table,
        findings_table,
    )
    from preorder_eval.formats.text_table import format_table

    checked = check_references(references, structure_only=structure_only)
    tables = [counts_table if quiet else findings_table]

    def text() -> str:
        lines = [] if quiet else [line for reference in checked for line in reference.lines()]
        header, rows = counts_table(checked)
        table = format_table(header, [list(map(str, row)) for row in rows])
        return "\n".join([*lines, *([""] if lines else []), *map(repr, checked), "", table])

    printed.show(
        lambda: {"references": [one.summary(findings=not quiet) for one in checked]},
        lambda: [table(checked) for table in tables],
        text,
    )
    if not all(reference.is_clean for reference in checked):
        raise typer.Exit(1)
