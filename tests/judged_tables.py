"""Metrics and human scores made of tables of systems by segments."""

from dataclasses import replace

import numpy as np

from preorder_eval.judgments.human_scores import HumanScores
from preorder_eval.judgments.metric_scores import MetricScores


def mean_metric(name, scores, higher_is_better=True):
    """A metric whose corpus score is the mean of its sentence scores."""
    return replace(MetricScores.mean(name, scores), higher_is_better=higher_is_better)


def scored_by(*tables):
    """Scores of several judges, each of a table, NaN for none."""
    rows = [
        (system, segment, table[system, segment], judge)
        for judge, table in enumerate(tables)
        for system, segment in np.argwhere(~np.isnan(table))
    ]
    system, segment, score, judge = map(np.array, zip(*rows, strict=True))
    names = tuple(f"s{r}" for r in range(len(tables[0])))
    return HumanScores(names, tables[0].shape[1], system, segment, score, judge)
