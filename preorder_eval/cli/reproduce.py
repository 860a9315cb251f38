"""`preorder-eval reproduce …`: designs of the papers on the bundled data or one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from preorder_eval.alignment.symmetrization import Symmetrization
from preorder_eval.cli.command import Option
from preorder_eval.cli.options import Printed, Resamples, Trust
from preorder_eval.stats import MOST_SEED


def references(
    rules: Annotated[
        tuple[str, ...],
        Option(
            help="Bundled rule set or rule file. Repeatable; none and en-ja by default.",
            metavar="NAME|FILE",
            group="Systems",
        ),
    ] = (),
    parser: Annotated[
        str,
        Option(
            help="Bundled parser, path or name of a spaCy pipeline, or `gold`.",
            metavar="NAME|PATH",
            group="Systems",
        ),
    ] = "en-web",
    oriented: Annotated[
        str, Option(help="Alignment-oriented reference set.", metavar="NAME|DIR")
    ] = "en-ja",
    standard: Annotated[
        str,
        Option(help="Standard translations of some of its sentences.", metavar="NAME|DIR"),
    ] = "en-ja-standard",
    symmetrize: Annotated[
        Symmetrization,
        Option(help="How automatic alignments combine the directions of Model 1."),
    ] = "none",
    iterations: Annotated[
        int, Option(low=1, help="Rounds of expectation maximization of Model 1.")
    ] = 5,
    train_source: Annotated[
        tuple[Path, ...],
        Option(help="More parallel text for Model 1. Repeatable, with --train-target."),
    ] = (),
    train_target: Annotated[
        tuple[Path, ...], Option(help="The translation of each --train-source.")
    ] = (),
    resamples: Resamples = 1000,
    seed: Annotated[
        int, Option(low=0, high=MOST_SEED, help="Seed of the bootstrap.", group="Scores and tests")
    ] = 0,
    trust: Trust = False,
    *,
    printed: Printed,
) -> None:
    """Score on four kinds of reference.

    Alignment-oriented and standard translations of the same sentences, aligned by hand and by IBM
    Model 1. The paper correlates the scores with human ratings; here the scores stand side by
    side. As in Table 2 of the paper, automatic links give each target word one source word at most
    (--symmetrize none). Model 1 learns from the pairs of both sets and from --train-source: the few
    hundred bundled pairs alone make poor references, on which leaving all words where they are may
    score best.

    Examples:
      preorder-eval reproduce references
      preorder-eval reproduce references --parser gold --rules en-ja --symmetrize intersection
    """
    from preorder_eval.cli.align import read_extra
    from preorder_eval.cli.terminal import progress
    from preorder_eval.papers.references_experiment import score_kinds

    result = score_kinds(
        oriented,
        standard,
        parser=parser,
        rules=rules or ["none", "en-ja"],
        how=symmetrize,
        iterations=iterations,
        extra=read_extra(train_source, train_target),
        resamples=resamples,
        seed=seed,
        progress=progress,
    )
    printed.show(result.summary, lambda: [result.table()], lambda: str(result))
