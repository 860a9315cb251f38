"""`preorder-eval reference check`: what a reference set leaves to be wished for."""

from __future__ import annotations

from pathlib import Path
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
    corpus: Annotated[
        Path | None,
        typer.Option(
            help="CoNLL-U of the kind of text that the sets are to stand for: shares of sentence "
            "lengths and of features of genre must be like its own, within a factor of 1.5.",
            metavar="FILE",
        ),
    ] = None,
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

    Exit code: 0 if there is nothing to mend, 1 with warnings or with shares that are far from the
    corpus's, 2 for files that cannot be read.

    \b
    Examples:
      preorder-eval reference check en-ja en-ko en-tr
      preorder-eval reference check my-set --tsv > warnings.tsv
      preorder-eval reference check news-set --structure-only
      preorder-eval reference check en-ja-web/all --corpus en_ewt-ud-train.conllu
    """
    from preorder_eval.analysis.checked_reference import (
        check_references,
        counts_table,
        findings_table,
        profiles_table,
        profiles_text,
    )
    from preorder_eval.formats.conllu import read_conllu
    from preorder_eval.formats.text_table import format_table

    held = None if corpus is None else read_conllu(corpus)
    checked = check_references(references, structure_only=structure_only, corpus=held)
    tables = [counts_table if quiet else findings_table, *([profiles_table] if corpus else [])]

    def text() -> str:
        lines = [] if quiet else [line for reference in checked for line in reference.lines()]
        header, rows = counts_table(checked)
        table = format_table(header, [list(map(str, row)) for row in rows])
        parts = [*lines, *([""] if lines else []), *map(repr, checked), "", table]
        return "\n".join([*parts, *(["", profiles_text(checked)] if corpus else [])])

    printed.show(
        lambda: {"references": [one.summary(findings=not quiet) for one in checked]},
        lambda: [table(checked) for table in tables],
        text,
    )
    if not all(reference.is_clean for reference in checked):
        raise typer.Exit(1)
