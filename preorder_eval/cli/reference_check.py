"""`preorder-eval reference check`: what is wrong with reference sets, and how much they reorder."""

from __future__ import annotations

from typing import Annotated

import click

from preorder_eval.analysis.reference.agreement import reference_agreement
from preorder_eval.analysis.reference.check import check_references
from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.options import REFERENCE, Printed, Resamples, Seed


def command(
    references: Annotated[
        tuple[str, ...],
        REFERENCE,
        Argument("Bundled reference sets or folders.", metavar="NAME|DIR…"),
    ],
    structure_only: Annotated[
        bool,
        Option("Leave out the guidelines, which usual translations do not follow."),
    ] = False,
    by: Annotated[
        str | None,
        Option(
            "Figures for each value of this comment of source.conllu, such as phenomenon.",
            metavar="KEY",
            beside="against",
        ),
    ] = None,
    against: Annotated[
        str | None,
        Option(
            "Show how well another annotation of the same sentences agrees instead.",
            metavar="NAME|DIR",
            beside="structure_only",
        ),
    ] = None,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    *,
    printed: Printed,
) -> None:
    """Check reference sets and show their figures.

    The guidelines: every word but articles and punctuation is linked, no source word to separate
    target spans, every target word is linked, and all translations are of one kind, made to be
    aligned or standard. What may be right is counted for information, and listed by --tsv and
    --json: subtrees of the gold tree that the reference order tears apart, phrases ordered or words
    linked otherwise than nearly all of their like in the set, and free blocks that are marked, or
    are not, against the list of the language. Positions count from 0. Exit code: 0 if nothing is
    wrong, 1 with warnings.

    Figures are the scores of leaving the source order as it is, and how much there is to reorder.
    Aligned: share of the source tokens that have a link. Ties: groups of words whose order is
    free. Crossing: share of the pairs of links of a sentence that cross. Monotone: share of the
    sentences whose reference order can be the source order.

    With --against sentences are paired by sent_id. Links: F1 of the links, each a source position
    and a target word. Words: F1 of the words of the two translations, as links to other words
    cannot agree. FRS and Kendall's τ: the order of either annotation compared with all that the
    other one allows, mean of both ways.

    Examples:
      preorder-eval reference check en-ja en-ko en-tr
      preorder-eval reference check my-set --tsv > warnings.tsv
      preorder-eval reference check en-ja --by phenomenon
      preorder-eval reference check en-ko --against en-ko-second
    """
    if against is not None:
        if len(references) > 1:
            raise click.UsageError("--against takes one reference set to compare with")
        [first] = references
        printed.print(reference_agreement(first, against, resamples=resamples, seed=seed))
        return
    checked = check_references(
        references, structure_only=structure_only, by=by, resamples=resamples, seed=seed
    )
    printed.print(checked)
    if not checked.is_clean:
        raise click.exceptions.Exit(1)
