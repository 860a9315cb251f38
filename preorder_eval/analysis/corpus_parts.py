"""The parts of a corpus by what kind of sentence it is, and every system's score on each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from preorder_eval.data.ragged import Column
from preorder_eval.results.result import Result
from preorder_eval.stats.bootstrap import Interval, bootstrap
from preorder_eval.stats.measurement import Measurement


@dataclass(frozen=True)
class CorpusPart:
    """A part of the corpus: its sentences, and every system's score by one metric."""

    name: str
    sentences: int
    scores: list[Interval]


def corpus_parts(
    result: Result, metric: int, groups: Column, *, ordered: bool = False
) -> list[CorpusPart]:
    """The parts by a group for every sentence, those without a scored sentence left out.

    Groups without an order of their own come with the lowest score of the best system first.

    >>> from preorder_eval.results.evaluation import score
    >>> result = score({"mt": ["a", "b c", "d"]}, ["a", "b d", "d"], ["wer"])
    >>> [part] = corpus_parts(result, 0, Column.of(["all"] * 3))
    >>> part.sentences, part.scores[0].value
    (3, 0.25)
    """
    sampling, by = result.sampling, result.metrics[metric]
    scores = [of_system[metric] for of_system in result.scores]
    scored = ~np.isnan(scores[0].sentence)
    statistics = np.stack([own.statistics for own in scores])
    parts = []
    for number, name in enumerate(groups.names):
        chosen = scored & (groups.codes == number)
        if chosen.any():
            measurement = Measurement(statistics[:, chosen], by.finish)
            [sampled] = bootstrap([measurement], resamples=sampling.resamples, seed=sampling.seed)
            intervals = [sampled.interval(s) for s in range(len(statistics))]
            parts.append(CorpusPart(name, int(chosen.sum()), intervals))
    if ordered:
        return parts
    better = 1 if by.higher_is_better else -1
    values = [better * of_system[metric].value for of_system in result.intervals]
    best = values.index(max(values))
    return sorted(parts, key=lambda part: better * part.scores[best].value)
