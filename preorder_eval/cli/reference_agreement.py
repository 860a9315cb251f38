"""`preorder-eval reference agreement`: how well two annotations agree."""

from __future__ import annotations

from typing import Annotated

from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.options import Printed, Resamples, Seed


def command(
    first: Annotated[str, Argument(help="Bundled reference set or folder.", metavar="NAME|DIR")],
    second: Annotated[
        str, Argument(help="Another annotation of its sentences.", metavar="NAME|DIR")
    ],
    printed: Printed,
    worst: Annotated[
        int, Option(low=0, help="How many of the least agreeing sentences to show.")
    ] = 5,
    resamples: Resamples = 1000,
    seed: Seed = 0,
) -> None:
    """Show how well two annotations agree.

    Sentences are paired by sent_id. Links: F1 of the links, each a source position and a target
    word. Words: F1 of the words of the two translations, as links to other words cannot agree. FRS
    and Kendall's τ: the order of either annotation held against all that the other one allows, mean
    of both ways.

    Examples:
      preorder-eval reference agreement en-ko en-ko-second
      preorder-eval reference agreement en-ja@1 en-ja --worst 20
      preorder-eval reference agreement my-set her-set --tsv > agreement.tsv
    """
    from preorder_eval.analysis.reference_agreement import reference_agreement

    agreement = reference_agreement(first, second, resamples=resamples, seed=seed)
    printed.show(
        agreement.summary,
        lambda: [agreement.table(), agreement.sentence_table()],
        lambda: agreement.text(worst),
    )
