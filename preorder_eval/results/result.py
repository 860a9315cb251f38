"""The result of scoring: systems × metrics × sentences, for orders and for outputs alike.

`preorder_eval.results.scoring` makes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.errors import PreorderEvalError, require_between
from preorder_eval.metrics.base import Metric, Scores
from preorder_eval.metrics.order import Kendall
from preorder_eval.results import notes
from preorder_eval.results.annotators import Firmness
from preorder_eval.results.conclusion import of_two
from preorder_eval.results.defaults import of_kind, shown_reference
from preorder_eval.results.inputs import Inputs
from preorder_eval.results.plots import interval_plot
from preorder_eval.results.sampling import Sampling, judged, number_of
from preorder_eval.results.summary import Summary
from preorder_eval.results.system_warnings import seen
from preorder_eval.stats.measurement import Measurement, grouped
from preorder_eval.tables import Column, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame


@dataclass(frozen=True, eq=False, kw_only=True)
class Result(Summary):
    """Systems scored on the same sentences by the same metrics.

    `scores` are those of each system by each metric, on all sentences. `folder` is the run folder
    that it was read from, if any, and `recorded` its `run.json`.

    >>> from preorder_eval.results.scoring import score
    >>> result = score({"base": ["a b", "c"], "new": ["a b", "d"]}, ["a b", "d"], ["wer"])
    >>> result.value("base"), result.value("new"), result.sentence_scores("base").tolist()
    (0.3333333333333333, 0.0, [0.0, 1.0])
    """

    inputs: Inputs
    _scores: Sequence[Sequence[Scores]]
    _folder: Path | None = None
    _recorded: Mapping[str, Any] = field(default_factory=dict)

    def _notes(self, whole: bool) -> list[str]:
        details = notes.details(self.inputs, self.metrics, self._scores) if whole else []
        return [*super()._notes(whole), *details]

    def _by_tau(self, first: int, second: int) -> str:
        reference = self.inputs.reference
        if reference is None:
            return super()._by_tau(first, second)
        both = replace(self.inputs, systems=tuple(self._made[n] for n in (first, second)))
        tau = of_kind(Kendall, self.metrics, reference)
        scores = [[tau.score_system(both.of(n))] for n in (0, 1)]
        sampling = replace(self._sampling, against="all", baseline="")
        by_tau = make_result(both, [tau], scores, sampling)
        return of_two(by_tau, 0, 1, *(self._labels[n] for n in (first, second)))

    @property
    def name(self) -> str:
        """The name: its run folder, or its reference set.

        >>> from preorder_eval.results.scoring import score
        >>> score({"mt": ["a b"]}, ["a c"], ["wer"]).name
        'outputs'
        """
        if self._folder is not None:
            return str(self._folder)
        return "outputs" if self.inputs.reference is None else self.inputs.reference.name

    def _counted(self, metric: int) -> Bools:
        """Return which sentences the metric of that number scores; bool[S]."""
        counted: Bools = ~np.isnan(self._scores[0][metric].sentence)
        return counted

    def sentence_scores(self, system: str, metric: str | Metric | int = 0) -> Floats:
        """Return the scores of a system's sentences, float64[S], NaN for those left out.

        >>> from preorder_eval.results.scoring import score
        >>> score({"mt": ["a b", "c"]}, ["a c", "c"], ["wer"]).sentence_scores("mt").tolist()
        [0.5, 0.0]
        """
        return self._of_sentences(self._system_number(system), self._metric_number(metric))

    def _sentence(self, sentence: str | int) -> Table:
        inputs, source = self.inputs, self.inputs.ordered
        if isinstance(sentence, str) and source is None:
            return super()._sentence(sentence)
        if source is None or isinstance(sentence, int):
            require_between("sentence", int(sentence), 1, len(self))
        s = int(sentence) - 1 if source is None else source.find(str(sentence))
        columns = [Column("name", str(s + 1), label=True)]
        for name, metric in zip(self._metric_names, self.metrics, strict=True):
            columns.append(Column(name, format=f".{metric.decimals}f", none=""))
        rows = [["ref.", text.sentences[s]] for text in inputs.references]
        if source is not None:
            rows = [["source", " ".join(source.source[s])]]
        table = [[name, *[None] * len(self.metrics), text] for name, text in rows]
        for number, label in enumerate(self._labels):
            scores = [of_metric.sentence[s] for of_metric in self._scores[number]]
            table.append([label, *scores, self._output(number, s)])
        orders = None if source is None else inputs.orders(len(self._labels) - 1)
        if source is not None and orders is not None:
            right, _ = shown_reference(source, s, orders[s])
            table += [["reference", *[None] * len(self.metrics), right]] * bool(right)
        return Table("sentence", [*columns, Column("text", wrap=True)], table)

    def _output(self, system: int, s: int) -> str:
        """Return what a system makes of a sentence."""
        outputs, source = self.inputs.systems[system].hyp, self.inputs.ordered
        orders = None if source is None else self.inputs.orders(system)
        if outputs is None and source is not None and orders is not None:
            return " ".join(source.source[s][i] for i in orders[s])
        return (outputs or [""] * len(self))[s]

    def sentences(self) -> DataFrame:
        """Return every sentence with its scores; takes pandas to be installed.

        A row for each sentence and system has the sentence's number (`id`), its `text` (source, or
        references of outputs) and the `system`. Then come its `order` and the `output` in that, or
        its output alone. Scores stand under the metrics' names for people, NaN where left out.

        >>> from preorder_eval.results.scoring import score
        >>> score({"mt": ["a b", "c"]}, ["a b", "d"], ["wer"]).sentences()
           id text system output  WER
        0   1  a b     mt    a b  0.0
        1   2    d     mt      c  1.0
        """
        source, rows = self.inputs.ordered, list[list[Any]]()
        references = zip(*(text.sentences for text in self.inputs.references), strict=True)
        texts = list(map(" | ".join, references))
        if source is not None:
            texts = list(map(" ".join, source.source))
        for number, system in enumerate(self.systems):
            orders = self.inputs.orders(number) if source is not None else None
            scores = [of_metric.sentence for of_metric in self._scores[number]]
            for s, text in enumerate(texts):
                row = [s + 1, text, system]
                row += [list(orders[s])] if orders is not None else []
                rows.append([*row, self._output(number, s), *(of[s] for of in scores)])
        ordered = ["order"] * (source is not None)
        names = ["id", "text", "system", *ordered, "output", *self._metric_names]
        return Table("sentences", [Column(name) for name in names], rows).to_pandas()

    def plot(self, metric: str | Metric | int = 0) -> Axes:
        """Draw every system's value with its 95% interval; returns matplotlib's axes.

        Takes the extra `plot` to be installed. `axes.figure.savefig("systems.svg")` keeps the plot.
        """
        number = self._metric_number(metric)
        intervals = [of_system[number] for of_system in self._intervals]
        return interval_plot(self._labels, intervals, self._metric_names[number])

    def chosen(self, systems: Sequence[str]) -> Result:
        """Return the result of the systems of these names alone. Raises UnknownNameError.

        >>> from preorder_eval.results.scoring import score
        >>> score({"mt": ["a b"], "nmt": ["a c"]}, ["a c"], ["wer"]).chosen(["nmt"]).systems
        ['nmt']
        """
        whose = f" of {self.name}"
        systems = [self.systems[number_of(name, self.systems, whose)] for name in systems]
        against = self._sampling.against if len(systems) > 1 else "none"
        baseline = self._sampling.baseline if self._sampling.baseline in systems else ""
        scores = [self._scores[self.systems.index(name)] for name in systems]
        sampling = replace(self._sampling, against=against, baseline=baseline)
        chosen = make_result(self.inputs.chosen(systems), self.metrics, scores, sampling)
        return replace(chosen, _folder=self._folder, _recorded=self._recorded)

    def _named(self, systems: Sequence[str]) -> Result:
        """Return the same result with other names of the systems."""
        made = [system.named(name) for system, name in zip(self._made, systems, strict=True)]
        return replace(self, _made=made, inputs=replace(self.inputs, systems=tuple(made)))

    def with_sampling(self, sampling: Sampling | None = None, **changes: Any) -> Result:
        """Draw intervals and differences again, with another sampling.

        >>> from preorder_eval.results.scoring import score
        >>> score({"mt": ["a b"]}, ["a c"], ["wer"]).with_sampling(resamples=10).value("mt")
        0.5
        """
        sampling = replace(sampling or self._sampling, **changes)
        again = make_result(self.inputs, self.metrics, self._scores, sampling)
        return replace(again, _folder=self._folder, _recorded=self._recorded)


def make_result(
    inputs: Inputs,
    metrics: Sequence[Metric],
    scores: Sequence[Sequence[Scores]],
    sampling: Sampling | None = None,
) -> Result:
    """Draw intervals and differences for scores of each system by each metric.

    Raises PreorderEvalError without a metric, if no sentence is scored, and if all pairs of
    a single system are to be compared.
    """
    sampling = sampling or Sampling()
    if not metrics:
        raise PreorderEvalError("give at least one metric")
    counted = [~np.isnan(of_metric.sentence) for of_metric in scores[0]]
    name = "" if inputs.ordered is None else inputs.ordered.name
    measurements = [
        measured(metric, [row[m].statistics for row in scores], counted[m], name, inputs.documents)
        for m, metric in enumerate(metrics)
    ]
    source, left_out = inputs.ordered, list[int]()
    if source is not None and any("orders" in metric.needs for metric in metrics):
        left_out = (np.flatnonzero(~source.informative) + 1).tolist()
    scored = list(map(np.ndarray.tobytes, counted))
    reference = inputs.reference
    known = inputs.systems, metrics, measurements, scored, sampling
    compared = judged(*known, of_orders=reference is not None)
    return Result(
        _about=inputs.facts(),
        _made=inputs.systems,
        _size=len(inputs),
        _left_out=left_out,
        metrics=tuple(metrics),
        _measurements=measurements,
        **compared,
        _cut_short=[
            [by.cut_short(s.statistics) for by, s in zip(metrics, row, strict=True)]
            for row in scores
        ],
        _title=notes.size_note(inputs, metrics),
        _remarks=notes.remarks(inputs, metrics),
        _seen={}
        if reference is None
        else dict(found for s in inputs.systems for found in seen(s, reference).items()),
        _firmness=_firmness(inputs, metrics[0], [row[0] for row in scores], compared["_sampling"]),
        inputs=inputs,
        _scores=scores,
    )


def _firmness(
    inputs: Inputs, metric: Metric, scores: Sequence[Scores], sampling: Sampling
) -> Firmness | None:
    """Compare systems by each annotator too, on the sentences that all have, if there are two."""
    reference = inputs.reference
    if reference is None or not reference.annotators or sampling.against == "none":
        return None
    sets = {"adjudicated": replace(reference, annotators={}), **reference.annotators}
    common = np.logical_and.reduce([data.informative for data in sets.values()])
    competing = [system for system in inputs.systems if not system.ceiling] or inputs.systems
    if len(competing) < 2 or not common.any():
        return None
    results = {}
    for who, data in sets.items():
        own = replace(inputs, reference=data)
        numbers = range(len(inputs.systems))
        by = (
            scores
            if data is sets["adjudicated"]
            else [metric.score_system(own.of(n)) for n in numbers]
        )
        kept = [[replace(one, sentence=np.where(common, one.sentence, np.nan))] for one in by]
        results[who] = make_result(own, [metric], kept, replace(sampling, against="all"))
    main = results["adjudicated"]
    others = sorted({*main._standing.entrants} - {main._best})
    pairs = [(other, main._best) for other in others]
    return Firmness(
        [(main._labels[a], main._labels[b]) for a, b in pairs],
        {
            who: [d for a, b in pairs if (d := each.difference(a, b))]
            for who, each in results.items()
        },
        int(common.sum()),
        main._metric_names[0],
        metric.decimals,
    )


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
