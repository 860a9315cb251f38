"""Scores of metrics for the same outputs of several systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Bools, Floats
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.stats.measurement import Finish
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.inputs import Inputs, first_difference
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.score import score_inputs
from preorder_eval.judgments.correlation import divided
from preorder_eval.metrics.base import Metric, Scores
from preorder_eval.metrics.needs import missing
from preorder_eval.metrics.registry import short_names


@dataclass(frozen=True, eq=False)
class MetricScores:
    """The scores of a metric for R systems on S segments: additive statistics, float64[R, S, k].

    `finish` turns sums of them into values. `metric` is the signature. `reference` names what it
    compares with, if the same metric is there with several references. `corpus` float64[R] are the
    corpus scores, if they are given and do not come from the statistics. `finish_sentences` is
    given if single segments are scored in another way than all together. A metric that cannot read
    the texts is not `readable`: it has values, but takes part in no ranking.
    """

    metric: str
    statistics: Floats
    finish: Finish
    higher_is_better: bool = True
    reference: str = ""
    corpus: Floats | None = None
    finish_sentences: Finish | None = None
    readable: bool = True

    def __repr__(self) -> str:
        return f"<MetricScores {self.label}: {quantity(len(self.statistics), 'system')}>"

    @classmethod
    def of(cls, metric: Metric, scores: Sequence[Scores]) -> MetricScores:
        """Make them from the scores of each system."""
        statistics = np.stack([of_system.statistics for of_system in scores])
        finish, of_single = metric.finish, metric.finish_sentences
        better = metric.higher_is_better
        return cls(str(metric), statistics, finish, better, finish_sentences=of_single)

    @classmethod
    def mean(cls, metric: str, scores: Floats, corpus: Floats | None = None) -> MetricScores:
        """Make them from scores of segments, float64[R, S]; a system has their mean."""
        return cls(
            metric, np.stack([scores, np.ones_like(scores)], axis=-1), quotient, corpus=corpus
        )

    @property
    def label(self) -> str:
        """The signature, with the reference where there are several."""
        return _by(self.metric, self.reference)

    @property
    def sign(self) -> int:
        """The sign by which scores are multiplied so that higher is better."""
        return 1 if self.higher_is_better else -1

    def of_systems(self, numbers: Sequence[int]) -> MetricScores:
        """Return the scores of some systems alone, by number."""
        corpus = None if self.corpus is None else self.corpus[numbers]
        return replace(self, statistics=self.statistics[numbers], corpus=corpus)

    def on(self, segments: Bools) -> MetricScores:
        """Return the scores of some segments alone, bool[S]."""
        return replace(self, statistics=self.statistics[:, segments])

    def segment_scores(self) -> Floats:
        """Compute the score of each segment; float64[R, S]."""
        return (self.finish_sentences or self.finish)(self.statistics)

    def system_scores(self) -> Floats:
        """Compute the corpus score of each system; float64[R]."""
        if self.corpus is not None:
            return self.corpus
        return self.finish(self.statistics.sum(axis=1))


def quotient(statistics: Floats) -> Floats:
    """Divide sums of scores by the numbers of scores, as in `Judgments.system_statistics`."""
    return divided(statistics[..., 0], statistics[..., 1])


def of_readable(values: Floats, metrics: Sequence[MetricScores]) -> Floats:
    """Return the values of metrics that take part in rankings, float64[M]; NaN for the others."""
    return np.where([metric.readable for metric in metrics], values, np.nan)


def turned_segments(metrics: Sequence[MetricScores]) -> Floats:
    """Return the scores of segments, negated if lower is better; float64[M, R, S]."""
    return np.stack([metric.sign * metric.segment_scores() for metric in metrics])


def turned_systems(metrics: Sequence[MetricScores]) -> Floats:
    """Return the scores of systems, negated if lower is better; float64[M, R]."""
    return np.stack([metric.sign * metric.system_scores() for metric in metrics])


def short_labels(metrics: Sequence[MetricScores]) -> tuple[list[str], str]:
    """Return names of metrics for tables, and their signatures by these names (`short_names`)."""
    names, signatures = short_names([scores.metric for scores in metrics])
    labels = [_by(name, m.reference) for name, m in zip(names, metrics, strict=True)]
    return labels, signatures


def common_labels(metrics: Sequence[Sequence[MetricScores]]) -> tuple[list[str], list[str]]:
    """Return signatures of the metrics of several language pairs, and names for tables.

    Settings that differ are left out. Raises PreorderEvalError if the pairs do not have the same
    metrics.
    """
    plain = [[_by(m.metric.partition("(")[0], m.reference) for m in of_text] for of_text in metrics]
    for names in plain[1:]:
        if names != plain[0]:
            other = ", ".join(sorted(set(names) ^ set(plain[0]))) or "another order"
            raise PreorderEvalError(f"the language pairs do not have the same metrics: {other}")

    def common(labels: Iterable[list[str]]) -> list[str]:
        each = zip(plain[0], *labels, strict=True)
        return [same[0] if len(set(same)) == 1 else name for name, *same in each]

    signatures = common([m.label for m in of_text] for of_text in metrics)
    return signatures, common(short_labels(of_text)[0] for of_text in metrics)


def _by(name: str, reference: str) -> str:
    return f"{name} by {reference}" if reference else name


def scores_of_all(results: Mapping[str, Result]) -> tuple[list[MetricScores], Bools]:
    """Return the scores of the same systems by all metrics, and the sentences that they are of.

    `results` are of different references, by the references' names. The sentences, bool[S], are
    those that all metrics score. A metric that has the same scores by every reference is there
    once.

    >>> import preorder_eval as pe
    >>> result = pe.score({"mt": ["a b c", "c"]}, ["a b c", "b c"], ["wer"])
    >>> [scores], counted = scores_of_all({"": result})
    >>> scores.segment_scores().tolist(), counted.tolist()
    ([[0.0, 0.5]], [True, True])
    """
    counted = np.all(
        [result.counted(m) for result in results.values() for m in range(len(result.metrics))],
        axis=0,
    )
    by_metric: dict[Metric, list[MetricScores]] = {}
    for reference, result in results.items():
        for m, (metric, *of_systems) in enumerate(zip(result.metrics, *result.scores, strict=True)):
            scores = MetricScores.of(metric, of_systems).on(counted)
            scores = replace(scores, reference=reference, readable=m not in result.estimates.unread)
            by_metric.setdefault(metric, []).append(scores)
    scores_by_all: list[MetricScores] = []
    for metric, alike in by_metric.items():
        first, *others = alike
        same = "orders" not in metric.needs or len(alike) == len(results)
        same &= all(np.array_equal(first.statistics, other.statistics) for other in others)
        scores_by_all += [replace(first, reference="")] if same else alike
    return scores_by_all, counted


def by_reference(results: Sequence[Result], metrics: Sequence[Metric] = ()) -> dict[str, Result]:
    """Return one result for each reference, by the references' names.

    Results over the same references, such as those of orders and of outputs, become one, in which a
    system is the same in all. `metrics` are by default all that the results have; of those given,
    each reference has the ones that its inputs allow. Raises PreorderEvalError if the source
    differs, or if a system has other orders, outputs, links or tags in another result. Raises
    FormatError if the scores of a run folder are not those of its contents.
    """
    if len(results) == 1 and not metrics:
        return {"": results[0]}
    for result in results:
        _check_source(results[0], result)
    _check_systems(results)
    groups: list[list[Result]] = []
    for result in results:
        for group in groups:
            if not any(other.inputs.difference(result.inputs) for other in group):
                group.append(result)
                break
        else:
            groups.append([result])
    inputs = [reduce(Inputs.joined, (result.inputs for result in group)) for group in groups]
    for metric in metrics:
        if all(missing(metric.needs, one.names) for one in inputs):
            inputs[0].require([metric])
    names = [_references(one) for one in inputs] if len(groups) > 1 else [""]
    if len(set(names)) < len(names):
        firsts = enumerate((group[0] for group in groups), 1)
        names = [one.name if one.folder else f"reference {number}" for number, one in firsts]
    scored = {}
    for name, one, group in zip(names, inputs, groups, strict=True):
        own = dict.fromkeys(metric for result in group for metric in result.metrics)
        chosen = [m for m in metrics if not missing(m.needs, one.names)] if metrics else list(own)
        if chosen:
            scored[name] = score_inputs(one, chosen, group[0].sampling)
    return scored


def _references(inputs: Inputs) -> str:
    """Return the name of the references that systems are compared with."""
    if inputs.reference is not None:
        return inputs.reference.name
    return "+".join(text.name for text in inputs.references)


def _check_systems(results: Sequence[Result]) -> None:
    """Raise PreorderEvalError where a system has other orders, outputs, links or tags elsewhere."""
    known: dict[tuple[str, str], Any] = {}
    for result in results:
        for system in result.inputs.systems:
            given = {"orders": system.orders, "hyp": system.hyp, **system.inputs}
            for name, value in given.items():
                if value is None:
                    continue
                first = known.setdefault((system.name, name), value)
                if first is not value and first_difference(value, first) is not None:
                    raise PreorderEvalError(
                        f"two systems are called {system.name}; leave out a run"
                    )


def _check_source(one: Result, other: Result) -> None:
    """Raise PreorderEvalError unless two results are over the same source."""
    difference = ""
    if len(one) != len(other):
        difference = f"number of sentences, {len(one)} and {len(other)}"
    elif one.inputs.ordered is not None and other.inputs.ordered is not None:
        sentence = first_difference(one.inputs.ordered.source, other.inputs.ordered.source)
        difference = f"source of sentence {sentence}" if sentence is not None else ""
    if difference:
        raise PreorderEvalError(
            f"{one.name} and {other.name} differ in the {difference}; take runs over the same text"
        )
