"""Human references scored by metrics of outputs: each as an output against the others.

So Lin & Och (2004, section 5) estimate what humans reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics import short_names
from preorder_eval.metrics.base import Metric
from preorder_eval.metrics.lexical import LexicalMetric
from preorder_eval.results.sampling import Sampling
from preorder_eval.stats.bootstrap import Interval, bootstrap
from preorder_eval.stats.measurement import Measurement
from preorder_eval.tables import Column, Table, ends


def human_table(
    metrics: Sequence[Metric], references: Sequence[Sequence[str]], sampling: Sampling
) -> Table:
    """Return by each metric of outputs the mean value of references against all others.

    Metrics that need more than outputs and references are left out. Raises PreorderEvalError for
    a single reference, and for a sentence that lacks one.
    """
    if len(references) < 2:
        raise PreorderEvalError("humans are scored against each other; give several references")
    streams = [list(stream) for stream in references]
    for number, texts in enumerate(zip(*streams, strict=True), 1):
        if not all(text.strip() for text in texts):
            raise PreorderEvalError(
                f"sentence {number} lacks a reference; humans are scored where all translated"
            )
    turns = [
        Segments.of(stream, streams[:number] + streams[number + 1 :])
        for number, stream in enumerate(streams)
    ]
    scored = [m for m in metrics if isinstance(m, LexicalMetric) and m.needs == ("hyp", "ref")]
    names, _ = short_names(list(map(str, scored)))
    rows: list[list[object]] = [
        [str(metric), name, metric.decimals, ends(_interval(metric, turns, sampling))]
        for metric, name in zip(scored, names, strict=True)
    ]
    fields = ("human", "low", "high")
    columns = [
        Column("metric", only="data"),
        Column("name", "metric", only="people"),
        Column("decimals", only="hidden"),
        Column("human", format=".3f", interval=True, fields=fields, decimals="decimals"),
    ]
    notes = ["human: each reference against the others, mean"]
    if any("jackknife=true" not in str(metric) for metric, *_ in rows):
        notes.append("systems have one reference more, but with jackknife=true")
    return Table("human", columns, rows, notes=notes)


def _interval(metric: LexicalMetric, turns: Sequence[Segments], sampling: Sampling) -> Interval:
    """Return the mean over the turns, each with all other references at once."""
    changes: dict[str, Any] = {"jackknife": False} if hasattr(metric, "jackknife") else {}
    alone = replace(metric, **changes)
    statistics = np.concatenate([alone.statistics(turn) for turn in turns], axis=1)

    def mean(sums: Floats) -> Floats:
        values = alone.finish(sums.reshape(*sums.shape[:-1], len(turns), -1))
        average: Floats = values.mean(axis=-1)
        return average

    measurement = Measurement(statistics[None], mean)
    [drawn] = bootstrap([measurement], resamples=sampling.resamples, seed=sampling.seed)
    return drawn.interval(0)
