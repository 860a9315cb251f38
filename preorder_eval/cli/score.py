"""`preorder-eval score`: the outputs of translation systems against references."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import click

from preorder_eval.base.files.writing import place_held
from preorder_eval.cli.command import Option
from preorder_eval.cli.shared.metric_files import REF, MetricInputs, output_files
from preorder_eval.cli.shared.options import (
    OUT_RUN,
    Metrics,
    Overwrite,
    Printed,
    Tested,
    as_recorded,
)
from preorder_eval.cli.terminal import progress
from preorder_eval.evaluation.inputs import warn_of_outputs, with_documents
from preorder_eval.evaluation.runs.run_writing import write_run
from preorder_eval.evaluation.sampling import Sampling
from preorder_eval.evaluation.score import score_inputs
from preorder_eval.references.objective import OUTPUT_METRICS

_USUAL = "Options"  # what nearly everybody needs stands first


@dataclass(frozen=True)
class Scored(Tested):
    """Options of scores, intervals and tests."""

    documents: Annotated[
        Path | None,
        Option(
            "File with the document name of every sentence, one per line: intervals and tests "
            "resample documents."
        ),
    ] = None


def command(
    hyp: Annotated[
        tuple[str, ...],
        Option(
            "Outputs, one sentence per line and one file per system: a file, also as "
            "LABEL=FILE, a quoted pattern, a folder, or - for standard input. Repeatable.",
            group=_USUAL,
            metavar="FILE|GLOB|DIR",
        ),
    ],
    ref: Annotated[tuple[Path, ...], REF, Option(group=_USUAL)] = (),
    metric: Annotated[
        Metrics,
        Option(
            "Metric with its options, such as 'ribes(alpha=0.2)' or LR-KB4. Repeatable; twelve by "
            "default.",
            group=_USUAL,
        ),
    ] = (),
    *,
    given: MetricInputs,
    tested: Scored,
    printed: Printed,
    matrix: Annotated[
        bool, Option("Print a matrix of systems and metrics.", group="Output", beside="json tsv")
    ] = False,
    out: Annotated[Path | None, OUT_RUN, Option(group=_USUAL)] = None,
    overwrite: Overwrite = False,
) -> None:
    """The second of two outputs is compared with the first. If there are more, each is compared
    with the best one, or with --against NAME. Metrics of orders, such as fuzzy, derive the orders
    from the alignments, so that both kinds of metrics share a table.

    Examples:
      preorder-eval score --hyp out.en --ref ref.en
      preorder-eval score --hyp base.en --hyp new.en --ref ref1.en --ref ref2.en
      preorder-eval score --hyp out.ja --ref ref.ja --tokenize char --metric ribes
      preorder-eval score --hyp out.en --ref ref.en --metric hlepor --format latex
      preorder-eval score --hyp out.en --ref ref.en --scores COMET=comet.json
    """
    if out is not None:
        click.get_current_context().with_resource(place_held(out, overwrite=overwrite))
    usual = () if given.scores and not ref else OUTPUT_METRICS
    metrics = given.metrics(metric or usual)
    outputs = output_files(hyp)
    if tested.test == "koehn" and len(outputs) == 1:
        raise click.UsageError("--test needs several --hyp")
    inputs = given.files(outputs, ref).read(metrics, progress=progress)
    warn_of_outputs(inputs)
    if tested.documents is not None:
        inputs = with_documents(inputs, tested.documents)
    result = score_inputs(inputs, metrics, Sampling(**tested.sampling()))
    result = replace(result, matrix=matrix or printed.form != "text")
    if out is not None:
        write_run(result, out, as_recorded(), overwrite=overwrite)
    printed.print(result)
