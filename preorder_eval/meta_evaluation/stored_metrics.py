"""Meta-evaluation of a test set of mt-metrics-eval: its metrics, human scores and outputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from preorder_eval.formats.mt_metrics_eval import EvalSet, StoredMetric
from preorder_eval.meta_evaluation.evaluation import meta, unfit_of
from preorder_eval.meta_evaluation.meta_result import MetaEvaluation
from preorder_eval.meta_evaluation.scores import MetricScores, scores_of_all
from preorder_eval.meta_evaluation.statistic import Conventions
from preorder_eval.metrics.given import GivenScores
from preorder_eval.results.result import Result

_FREE = re.compile(r"[^\w.+-]")  # cannot stand in a signature

# What scores the outputs of some systems, by name, against a reference.
Score = Callable[[dict[str, Path], Path], Result]


def meta_of_stored(
    eval_set: EvalSet,
    human: str = "",
    reference: str = "",
    *,
    without: Sequence[str] = (),
    score: Score | None = None,
    conventions: Conventions = Conventions(),
    **options: Any,
) -> MetaEvaluation:
    """Find out which of the stored metrics agree with people.

    Parameters: `human` is the name of a human score, `reference` that of the metrics' reference,
    both by default as in the metrics tasks. Systems `without` are left out; `score` scores outputs
    by further metrics; the others are those of `meta`. Metrics without scores of segments
    are left out, and scores are compared as they are stored, to the last digit, as mt-metrics-eval
    does. Raises FormatError and UnknownNameError for what is not there, or not as mt-metrics-eval
    has it, and what `meta` raises.
    """
    human, reference = human or eval_set.standard_score, reference or eval_set.standard_reference
    judgments = eval_set.judgments(human, reference, without)
    stored = eval_set.stored_metrics(judgments.systems, reference)
    metrics, warnings = list(map(_scores, stored)), list[str]()
    if score is not None:
        outputs = {name: eval_set.outputs[name] for name in judgments.systems}
        of_outputs = score(outputs, eval_set.references[reference])
        scored, counted = scores_of_all({"": of_outputs})
        warnings = unfit_of([of_outputs])
        metrics = [metric.on(counted) for metric in metrics] + scored
        judgments = judgments.on(counted)
    exact = replace(conventions, exact=True)
    result = meta(metrics, judgments, conventions=exact, **options)
    notes = [f"human score {human}, reference {reference}"]
    notes += [
        f"{metric.name} has no scores of {', '.join(metric.filled)}: 0, as in mt-metrics-eval"
        for metric in stored
        if metric.filled
    ]
    return replace(result, notes=[*notes, *result.notes, *warnings])


def _scores(metric: StoredMetric) -> MetricScores:
    signature = str(GivenScores(of=_FREE.sub("_", metric.name)))
    return MetricScores.mean(signature, metric.segments, metric.systems)
