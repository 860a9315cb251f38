"""`preorder-eval meta`: which metric agrees with people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from preorder_eval.cli.command import Option
from preorder_eval.cli.inputs import LanguageInputs
from preorder_eval.cli.judgments import (
    HYP,
    PAIR,
    REF,
    JudgmentFiles,
    for_pair,
    judged_outputs,
    judged_runs,
    names_pairs,
)
from preorder_eval.cli.options import Jobs, Printed, Resamples, Seed

if TYPE_CHECKING:
    from preorder_eval.data.judgments import Judgments
    from preorder_eval.meta_evaluation.evaluation import MetaEvaluation
    from preorder_eval.metrics.base import Metric
    from preorder_eval.results.result import Result


_BY = "pairs.consistency"  # the statistic that sorts and is tested


def command(
    hyp: Annotated[tuple[str, ...], HYP] = (),
    ref: Annotated[tuple[Path, ...], REF] = (),
    run: Annotated[
        tuple[Path, ...],
        Option(
            help="Instead of outputs, a run folder of `score` or `evaluate`. Repeatable: of runs "
            "of both a system's orders and outputs come together by its name.",
            metavar="DIR",
            group="Systems",
        ),
    ] = (),
    *,
    people: JudgmentFiles,
    metric: Annotated[
        tuple[str, ...],
        Option(
            help="Metric with its options, such as 'ribes(alpha=0.2)'. Repeatable; by default all "
            "metrics that need no more than references, but ter; of a run, its metrics.",
            metavar="SIGNATURE",
            group="Scores and tests",
        ),
    ] = (),
    given: LanguageInputs,
    pair: Annotated[tuple[str, ...], PAIR] = (),
    by: Annotated[
        str,
        Option(
            help="Statistic that sorts the table and is tested.",
            metavar="STATISTIC",
            group="Scores and tests",
        ),
    ] = _BY,
    protocol: Annotated[
        str | None,
        Option(
            help="Statistic and margin of a metrics task instead of --by and --margin: wmt12, "
            "wmt13, wmt14, wmt17-darr, wmt20-darr, wmt23-segment, wmt24-system, wmt24-segment.",
            metavar="NAME",
        ),
    ] = None,
    margin: Annotated[
        float,
        Option(
            low=0,
            help="Pairs whose human scores differ by less are ties (25 of raw scores in WMT's "
            "daRR, which keeps those that differ by just 25).",
            group="Scores and tests",
        ),
    ] = 0.0,
    quality_estimation: Annotated[
        bool,
        Option(
            name="--quality-estimation",
            help="Add DeltaAvg, MAE and RMSE over segments.",
            group="Scores and tests",
        ),
    ] = False,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    svg_dir: Annotated[
        Path | None,
        Option(
            help="New folder for pictures: each metric against people, and metrics against each "
            "other.",
            metavar="DIR",
            group="Output",
        ),
    ] = None,
    whole: Annotated[
        bool,
        Option(
            name="--all",
            help="Print all statistics with intervals of all metrics, and people's ratings of "
            "systems, not what fits a screen.",
        ),
    ] = False,
    jobs: Jobs,
    printed: Printed,
) -> None:
    """Find out which metrics agree with human judgments.

    Statistics are called level.coefficient. Levels are system and core (scores of systems; core
    without outliers) with pearson, spearman, kendall and accuracy, and system with spa (soft
    pairwise accuracy); segment (all judged outputs), within-system and within-segment with
    pearson, spearman, kendall and acc_eq (pairs, with calibrated ties of metrics; for segment and
    within-system only with --by, as it takes minutes on large data); and pairs (of outputs of a
    segment) with consistency, wmt12, wmt13 and wmt14.

    Metrics whose --by does not differ significantly are in the same group: by approximate
    randomization over segments, for system.pearson by Williams' test, and for other statistics
    over systems, and for means over language pairs, by the paired bootstrap.

    Runs on different references of the same source stand side by side, as a metric of orders by
    manual and by automatic alignments.

    Examples:
      preorder-eval meta --hyp 'outputs/*.en' --ref ref.en --scores human.tsv
      preorder-eval meta --hyp outputs/ --ref ref.en --rankings judged.csv --metric ribes \\
        --metric bleu
      preorder-eval meta --run runs/base --scores human.tsv --score-column z --by core.pearson
      preorder-eval meta --pair cs-en --pair de-en --hyp 'wmt/{pair}' --ref wmt/ref.{pair} \\
        --scores wmt/{pair}.tsv --all
    """
    from preorder_eval.formats.writing import refuse_existing
    from preorder_eval.meta_evaluation.evaluation import meta
    from preorder_eval.meta_evaluation.language_pairs import LanguagePairs
    from preorder_eval.meta_evaluation.statistic import protocol as find_protocol

    if protocol is not None:
        if margin or by != _BY:
            raise click.UsageError("--protocol says what --by and --margin are")
        named = find_protocol(protocol)
        by, margin = named.statistic, named.margin
    if svg_dir is not None:
        refuse_existing(svg_dir)
    pairs = list(pair)
    if not names_pairs(pairs, hyp, ref, run, people, given) and pairs:
        raise click.UsageError("--pair stands for {pair} in the name of a file, but none has it")
    results = {}
    for name in pairs or [""]:
        scored, judgments, measures = _judged(
            for_pair(hyp, name),
            for_pair(ref, name),
            for_pair(run, name),
            for_pair(people, name),
            metric,
            for_pair(given, name),
        )
        results[name] = meta(
            scored,
            judgments,
            measures,
            by=by,
            margin=margin,
            quality_estimation=quality_estimation,
            resamples=resamples,
            seed=seed,
            jobs=jobs,
        )
    if svg_dir is not None:
        _write_pictures(svg_dir, results)
    printed.print(LanguagePairs.of(results) if pairs else results[""], whole)


def _judged(
    hyp: Sequence[str],
    ref: Sequence[Path],
    run: Sequence[Path],
    people: JudgmentFiles,
    metric: Sequence[str],
    given: LanguageInputs,
) -> tuple[Sequence[Result], Judgments, list[Metric]]:
    """Results, the judgments of their systems, and the metrics that were asked for."""

    from preorder_eval.cli.terminal import progress
    from preorder_eval.data.tokenization import language_of
    from preorder_eval.results.scoring import score_inputs

    if run:
        if hyp or ref or replace(given, language=None) != LanguageInputs():
            raise click.UsageError("--run takes --metric and the options of judgments alone")
        results, judgments = judged_runs(run, people)
        texts = [text.sentences for result in results for text in result.inputs.references[:1]]
        said = given.split_language(metric, [])
        return (
            results,
            judgments,
            given.metrics(metric or [], said or (language_of(texts[0]) if texts else "")),
        )
    if not hyp:
        raise click.UsageError("give --hyp, the outputs, or --run")
    names = metric or default_metrics()
    measures = given.metrics(names, given.split_language(names, ref))
    if given.source and not (given.align or given.hyp_alignment or given.ref_alignment):
        given = replace(given, align="ibm1")
    matched, judgments = judged_outputs(hyp, ref or [], people)
    systems = list(matched)
    files = given.files(list(matched.values()), ref or [], systems)
    inputs = files.read(measures, systems, progress)
    return [score_inputs(inputs, measures)], judgments, measures


def default_metrics() -> list[str]:
    """All metrics of outputs that need no more than references, but TER, which takes minutes."""
    from preorder_eval.metrics import output_metrics

    return [name for name in output_metrics() if name != "ter"]


def _write_pictures(folder: Path, results: Mapping[str, MetaEvaluation]) -> None:
    """The pictures, of several language pairs in a folder each."""
    from preorder_eval.formats.writing import write_folder
    from preorder_eval.reporting.people import pictures

    files = {}
    for pair, result in results.items():
        for name, text in pictures(result).items():
            files[f"{pair}/{name}" if pair else name] = text
    write_folder(folder, files)
