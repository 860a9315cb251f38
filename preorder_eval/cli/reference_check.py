"""`preorder-eval reference check`: reference sets checked, with their figures."""

from __future__ import annotations

from typing import Annotated

import click

from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.shared.options import Printed, References, Resamples, Seed
from preorder_eval.references.reference_agreement import reference_agreement
from preorder_eval.references.reference_check import reference_check


def check(
    references: Annotated[
        References, Argument("Bundled reference sets or folders.", metavar="NAME|DIR…")
    ],
    structure_only: Annotated[
        bool, Option("Skip the guidelines, which ordinary translations do not follow.")
    ] = False,
    against: Annotated[
        str | None,
        Option(
            "Measure the agreement with another annotation of the same sentences instead.",
            metavar="NAME|DIR",
            beside="structure_only",
        ),
    ] = None,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    *,
    printed: Printed,
) -> None:
    """The guidelines: every source word except articles and punctuation has a link, no source word
    is linked to separate target spans, every target word has a link, and all translations follow
    one style. --tsv and --json also list findings that may be correct, such as subtrees that the
    reference order splits. Positions count from 0. The exit code is 1 if something must be fixed.

    Aligned: share of source words with a link. Ties: groups of words whose order is free. Crossing:
    share of pairs of links that cross. Monotone: share of sentences that can keep the source order.
    --against pairs sentences by sent_id, and averages both directions.

    Examples:
      preorder-eval reference check en-ja en-ko en-tr
      preorder-eval reference check my-set --tsv > warnings.tsv
      preorder-eval reference check en-ko --against en-ko@second
    """
    if against is not None:
        if len(references) > 1:
            raise click.UsageError("--against takes one reference set")
        [first] = references
        printed.print(reference_agreement(first, against, resamples=resamples, seed=seed))
        return
    checked = reference_check(
        references, structure_only=structure_only, resamples=resamples, seed=seed
    )
    printed.print(checked)
    if not checked.is_clean:
        raise click.exceptions.Exit(1)
