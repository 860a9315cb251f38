"""`preorder-eval tune`: a metric's parameters fitted to human judgments."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.shared.judgment_options import HYP, JudgmentFiles, judged_inputs
from preorder_eval.cli.shared.metric_files import REF, MetricInputs
from preorder_eval.cli.shared.options import SEED, Jobs, Printed, Resamples
from preorder_eval.cli.terminal import progress
from preorder_eval.judgments.statistic import DEFAULT
from preorder_eval.judgments.tune import tune
from preorder_eval.judgments.tuning_space import Space
from preorder_eval.metrics import shared_settings


@dataclass(frozen=True)
class Search:
    """Options of the search, called as `tune` calls them."""

    GROUP: ClassVar[str] = "Scores and tests"

    objective: Annotated[
        str, Option("Statistic of `meta` to maximise.", name="--by", metavar="STATISTIC")
    ] = DEFAULT
    margin: Annotated[float, Option("Pairs whose human scores differ by less are ties.", low=0)] = (
        0.0
    )
    starts: Annotated[int, Option("Starting points: the default and random ones.", low=1)] = 5
    folds: Annotated[int, Option("Folds of the cross-validation.", low=2)] = 10
    resamples: Resamples = 1000
    seed: Annotated[int, SEED, Option("Seed of folds, starts and resampling.")] = 0


def command(
    metric: Annotated[
        str,
        Argument(
            "Metric with ? for free parameters, such as 'lrscore(alpha=?)', or "
            "'hlepor(weights=?:?:1)' with weights in ratio.",
            metavar="SIGNATURE",
        ),
    ],
    hyp: Annotated[tuple[str, ...], HYP],
    ref: Annotated[tuple[Path, ...], REF] = (),
    *,
    judged_by: JudgmentFiles,
    given: MetricInputs,
    search: Search,
    jobs: Jobs,
    printed: Printed,
) -> None:
    """The held-out value comes from cross-validation over segments: expect this value of the fitted
    parameters on other text. Statistics over systems use the mean over the segments of a system.

    Examples:
      preorder-eval tune 'ribes(alpha=?)' --hyp 'out.*' --ref ref.en --human h.tsv
      preorder-eval tune 'LR-KB4(alpha=?)' --hyp outputs/ --ref ref.en \\
        --source src.ja --align agree --rankings judged.csv
      preorder-eval tune 'hlepor(weights=?)' --hyp outputs/ --ref ref.en \\
        --human human.tsv --by segment.pearson
    """
    space = Space.of(metric, **shared_settings(metric, given.tokenizer, given.lower))
    measure = space.metric(space.middle)
    inputs, judgments = judged_inputs(hyp, ref, judged_by, given, [measure])
    with progress("fitting", 1 + search.folds) as advance:
        printed.print(tune(space, inputs, judgments, **asdict(search), jobs=jobs, advance=advance))
