"""`preorder-eval meta`: which metric agrees with human judgments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

import click

from preorder_eval.base.errors import UnknownNameError
from preorder_eval.base.tables import Shown
from preorder_eval.cli.command import Option
from preorder_eval.cli.shared.judgment_options import (
    HYP,
    PAIR,
    JudgmentFiles,
    for_pair,
    judged_inputs,
    judged_runs,
    names_pairs,
)
from preorder_eval.cli.shared.metric_files import REF, MetricInputs
from preorder_eval.cli.shared.options import Jobs, Metrics, Printed, Resamples, Seed
from preorder_eval.cli.terminal import progress
from preorder_eval.evaluation.other_scores import by_metric, given_metric
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.sampling import UNDRAWN
from preorder_eval.evaluation.score import score_inputs
from preorder_eval.judgments.human_scores import Judgments
from preorder_eval.judgments.meta import meta, meta_of_stored
from preorder_eval.judgments.meta_result import MetaEvaluation
from preorder_eval.judgments.mt_metrics_eval import EvalSet
from preorder_eval.judgments.paper_tables import (
    PaperResult,
    by_pair,
    by_score,
    correlate,
    filled,
    fit_lrscores,
    row_metrics,
)
from preorder_eval.judgments.printed_tables import PRINTED_TABLES
from preorder_eval.judgments.segment_correlation import Constant
from preorder_eval.judgments.side_by_side import SideBySide
from preorder_eval.judgments.statistic import DEFAULT, Conventions, Protocol
from preorder_eval.judgments.statistic import protocol as find_protocol
from preorder_eval.metrics import Metric
from preorder_eval.metrics.needs import LINKED, MADE_OF
from preorder_eval.metrics.outputs.lepor import PAIRS
from preorder_eval.orders.aligners import DEFAULT_ALIGNER
from preorder_eval.references.objective import OUTPUT_METRICS


@dataclass(frozen=True)
class Systems:
    """Options of the systems that are judged."""

    GROUP: ClassVar[str] = "Systems"

    hyp: Annotated[tuple[str, ...], HYP] = ()
    ref: Annotated[tuple[Path, ...], REF] = ()
    run: Annotated[
        tuple[Path, ...],
        Option(
            "Run folder of score or evaluate, instead of outputs. Repeatable: orders and "
            "outputs with the same name are one system.",
            metavar="DIR",
            distinct=True,
        ),
    ] = ()
    pair: Annotated[tuple[str, ...], PAIR] = ()
    mt_metrics_eval: Annotated[
        Path | None,
        Option(
            "Folder TEST_SET/LP of mt-metrics-eval, such as wmt22/ja-en, instead of outputs and "
            "judgments: its metrics, or more with --metric; --ref names another reference.",
            metavar="DIR",
            beside="hyp run human rankings table",
        ),
    ] = None


@dataclass(frozen=True)
class Task:
    """Options of statistics, their conventions and tests."""

    GROUP: ClassVar[str] = "Scores and tests"

    by: Annotated[str, Option("Statistic to sort and test by.", metavar="STATISTIC")] = DEFAULT
    protocol: Annotated[
        str | None,
        Option(
            "Statistics, conventions and test of a metrics task: wmt12, wmt13, wmt14, wmt17-darr, "
            "wmt20-darr, wmt22, wmt23, wmt24, and wmt22-segment to wmt24-segment.",
            metavar="NAME",
            beside="by margin constant",
        ),
    ] = None
    margin: Annotated[
        float, Option("Pairs whose human scores differ by less are ties (25 in WMT's daRR).", low=0)
    ] = 0.0
    constant: Annotated[
        Constant,
        Option(
            "Treatment of a segment for which a metric gives all outputs the same score: "
            "correlation zero, or dropped for this metric, as in mt-metrics-eval."
        ),
    ] = "zero"
    quality_estimation: Annotated[bool, Option("Add DeltaAvg over segments.")] = False
    resamples: Resamples = 1000
    seed: Seed = 0

    def options(self) -> dict[str, Any]:
        """Return the options of `meta`."""
        task = Protocol((self.by,), Conventions(self.margin, self.constant))
        if self.protocol is not None:
            task = find_protocol(self.protocol)
        return {
            "by": task.statistics,
            "conventions": task.conventions,
            "level": task.level,
            "quality_estimation": self.quality_estimation,
            "resamples": self.resamples,
            "seed": self.seed,
        }


def command(
    *,
    systems: Systems,
    judged_by: JudgmentFiles,
    metric: Annotated[
        Metrics,
        Option(
            "Metric with its options, such as 'ribes(alpha=0.2)'. Repeatable; a run uses its "
            "own metrics.",
            shown="the twelve of `score`",
        ),
    ] = (),
    given: MetricInputs,
    task: Task,
    table: Annotated[
        str | None,
        Option(
            "Print the table of a paper, with its rows and numbers: rouge-1 (Lin & Och 2004), "
            "ribes-1 to ribes-3 (Isozaki et al. 2010), lrscore-2 (Birch & Osborne 2010), "
            "lepor-5-2, 5-4, 6-2 to 6-7 and 7-3 (Han 2014).",
            metavar="NAME",
            group="Scores and tests",
            beside="metric run mt_metrics_eval by protocol margin constant quality_estimation "
            "whole",
        ),
    ] = None,
    whole: Annotated[
        bool,
        Option(
            "Print all statistics of all metrics, and the human scores of systems.",
            name="--all",
            group="Output",
            beside="json tsv",
        ),
    ] = False,
    jobs: Jobs,
    printed: Printed,
) -> None:
    """Statistics are named level.coefficient, such as system.pearson. The levels system, core
    (systems without outliers), segment, within-system and within-segment have pearson, spearman
    and kendall; the level pairs has accuracy and consistency. There are also system.accuracy,
    system.spa and within-segment.acc_eq. Metrics in one group do not differ significantly.

    --table prints the rows of a paper in their order, with its numbers beside yours; --pair then
    also selects the parameters tuned for the languages (Han 2014, Table 5-3).

    Examples:
      preorder-eval meta --hyp 'outputs/*.en' --ref ref.en --human human.tsv
      preorder-eval meta --hyp outputs/ --ref ref.en --rankings judged.csv \\
        --metric ribes --metric bleu
      preorder-eval meta --run runs/base --human human.tsv --score-column z
      preorder-eval meta --mt-metrics-eval wmt23/en-de --protocol wmt23
      preorder-eval meta --table ribes-1 --hyp outputs/ --ref ref.en --human h.tsv
    """
    several = names_pairs(systems.pair, systems, judged_by, given)
    if not several and len(systems.pair) > (table is not None):
        raise click.UsageError("--pair replaces {pair} in file names, but no name has it")
    if len(judged_by.score_column) > 1 and several:
        raise click.UsageError("several --score-column and several --pair cannot be combined")
    each = {"": judged_by}
    if len(judged_by.score_column) > 1:
        each = {name: replace(judged_by, score_column=(name,)) for name in judged_by.score_column}
    options, results = {**task.options(), "jobs": jobs}, dict[str, Any]()
    for name in systems.pair or ("",):
        for column, of_column in each.items():
            of, judged, files = for_pair((systems, of_column, given), name)
            if table is not None:
                # Nothing was tuned for other languages, of which a table may have some.
                tuned_for = name if name in PAIRS or not several else ""
                drawn = {"resamples": task.resamples, "seed": task.seed}
                result: Any = _paper_table(table, of, judged, files, pair=tuned_for, **drawn)
            elif of.mt_metrics_eval is not None:
                result = _stored(of.mt_metrics_eval, of.ref, judged, files, metric, options)
            else:
                scored, judgments, measures = _judged(of, judged, files, metric, jobs)
                with progress("comparing metrics", None):
                    result = meta(scored, judgments, measures, **options)
            results[name or column] = result
    combine = _combining(table, several=several, pairs=bool(systems.pair), scores=len(each))
    printed.print(combine(results) if combine else next(iter(results.values())), whole)


def _combining(
    table: str | None, *, several: bool, pairs: bool, scores: int
) -> Callable[[dict[str, Any]], Shown] | None:
    """Return the function that combines several language pairs or human scores, if any."""
    if table is not None:
        return by_pair if several else by_score if scores > 1 else None
    if pairs:
        return SideBySide.of_pairs
    return SideBySide.of_scores if scores > 1 else None


def _stored(
    folder: Path,
    ref: Sequence[Path],
    judged_by: JudgmentFiles,
    given: MetricInputs,
    metric: Sequence[str],
    options: dict[str, Any],
) -> MetaEvaluation:
    """Evaluate the metrics of a test set of mt-metrics-eval, and those that were asked for."""
    if len(ref) > 1:
        raise click.UsageError("--mt-metrics-eval takes one --ref")
    measures = given.metrics(metric)

    def score(outputs: dict[str, Path], reference: Path) -> Result:
        files = given.files(list(outputs.values()), [reference], list(outputs))
        return score_inputs(files.read(measures, list(outputs), progress), measures, UNDRAWN)

    return meta_of_stored(
        EvalSet.of(folder),
        "".join(judged_by.score_column),
        str(ref[0]) if ref else "",
        without=judged_by.without,
        score=score if measures else None,
        **options,
    )


def _judged(
    systems: Systems,
    judged_by: JudgmentFiles,
    given: MetricInputs,
    metric: Sequence[str],
    jobs: int,
) -> tuple[Sequence[Result], Judgments, list[Metric]]:
    """Results, the judgments of their systems, and the metrics that were asked for."""
    hyp, ref = systems.hyp, systems.ref
    if systems.run:
        if hyp or ref or replace(given, language=None) != MetricInputs():
            raise click.UsageError(
                "--run can be combined with --metric and the options of judgments only"
            )
        results, judgments = judged_runs(systems.run, judged_by)
        return results, judgments, given.metrics(metric) if metric else []
    if not hyp:
        raise click.UsageError("give outputs with --hyp, or runs with --run")
    measures = given.metrics(metric or OUTPUT_METRICS)
    more = {*given.inputs.more}
    of_links = any({*MADE_OF.get(n, (n,))} & LINKED for m in measures for n in m.needs)
    if of_links and "source" in more and not given.align and LINKED.isdisjoint(more):
        given = replace(given, align=DEFAULT_ALIGNER)
    inputs, judgments = judged_inputs(hyp, ref, judged_by, given, measures)
    with progress("scoring", len(inputs.systems)) as advance:
        scored = score_inputs(inputs, measures, UNDRAWN, jobs=jobs, advance=advance)
    return [scored], judgments, []  # by all that was asked for


def _paper_table(
    name: str,
    systems: Systems,
    judged_by: JudgmentFiles,
    given: MetricInputs,
    *,
    pair: str,
    **drawn: Any,
) -> PaperResult:
    """Make a table of a paper for the outputs of one language pair."""
    if name not in PRINTED_TABLES:
        raise UnknownNameError("table", name, PRINTED_TABLES)
    hyp, ref = systems.hyp, systems.ref
    if not hyp or not ref:
        raise click.UsageError("give outputs with --hyp and references with --ref")
    table, fitted = PRINTED_TABLES[name], name == "lrscore-2"
    if fitted and "hyp_alignment" not in given.inputs.more:
        given = replace(given, align=given.align or DEFAULT_ALIGNER)
    split: dict[str, Any] = {"tokenize": given.tokenizer, "lower": given.lower}
    if fitted:
        measures = {row.metric: m for row in table.rows for m in given.metrics([row.metric])}
    else:
        tags = {*given.inputs.more, *given.inputs.made}
        table = filled(table, [given_metric(*of) for of in by_metric(given.scores).items()])
        measures = row_metrics(table, **split, pair=pair, tags=tags)
        if "hlepor" in measures and not any("hyp_tags" in by.needs for by in measures.values()):
            others = [each for each in given.input if "_tags" not in each.partition("=")[0]]
            given = replace(given, input=tuple(others), tagger=())  # tags are for other pairs
    inputs, judgments = judged_inputs(hyp, ref, judged_by, given, list(measures.values()))
    with progress("scoring", len(inputs.systems)) as advance:
        if fitted:
            return fit_lrscores(table, inputs, judgments, **split, **drawn)
        return correlate(table, inputs, judgments, measures=measures, advance=advance, **drawn)
