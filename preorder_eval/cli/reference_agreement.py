"""`preorder-eval reference agreement`: how well two annotations agree."""

from __future__ import annotations

from typing import Annotated

from preorder_eval.cli.command import Argument
from preorder_eval.cli.options import Printed, Resamples, Seed


def command(
    first: Annotated[str, Argument(help="Bundled reference set or folder.", metavar="NAME|DIR")],
    second: Annotated[
        str, Argument(help="Another annotation of its sentences.", metavar="NAME|DIR")
    ],
    printed: Printed,
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
      preorder-eval reference agreement en-ja@1 en-ja
      preorder-eval reference agreement my-set her-set --tsv > agreement.tsv
    """
    from preorder_eval.analysis.reference.agreement import reference_agreement

    printed.print(reference_agreement(first, second, resamples=resamples, seed=seed))
