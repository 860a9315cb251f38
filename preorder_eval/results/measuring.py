"""Measuring: the statistics of systems on the sentences that a metric scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.base import Metric
from preorder_eval.stats.measurement import Measurement, grouped


def measured(
    metric: Metric,
    of_systems: Sequence[Floats],
    counted: Bools,
    reference: str,
    documents: Sequence[str] = (),
) -> Measurement:
    """Return the statistics of all systems on the sentences that a metric scores."""
    if not counted.any():
        name = reference and f"{reference}: "
        raise PreorderEvalError(f"{name}no sentence has a link, nothing can be scored")
    if not counted.all():
        of_systems = [statistics[counted] for statistics in of_systems]
    # What there may be millions of is not copied without need.
    statistics = np.stack(of_systems) if len(of_systems) > 1 else of_systems[0][None]
    if documents:
        statistics = by_document(statistics, documents, counted)
    return grouped(Measurement(statistics, metric.finish))


def by_document(statistics: Floats, documents: Sequence[str], counted: Bools) -> Floats:
    """Return statistics of sentences, float64[R, S, k], summed over documents: float64[R, D, k].

    `counted` bool[T] says which of the sentences that `documents` names these S are.
    """
    known = [name for name, kept in zip(documents, counted, strict=True) if kept]
    number = {name: i for i, name in enumerate(dict.fromkeys(known))}
    sums = np.zeros((len(number), len(statistics), statistics.shape[2]))
    np.add.at(sums, np.array([number[name] for name in known]), statistics.swapaxes(0, 1))
    return sums.swapaxes(0, 1)
