"""The result of scoring: systems × metrics × sentences, for orders and for outputs alike.

`preorder_eval.evaluation.score` makes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.plot import Panel, Plot, plot_panels
from preorder_eval.base.tables import Caveat, Column, Shown, Table
from preorder_eval.evaluation import notes, result_tables
from preorder_eval.evaluation.inputs import Inputs
from preorder_eval.evaluation.sampling import Estimates, Sampling, measured, number_of
from preorder_eval.evaluation.values import Values
from preorder_eval.evaluation.verdict import wording
from preorder_eval.evaluation.verdict.answer import verdict_of
from preorder_eval.evaluation.verdict.verdict import Verdict
from preorder_eval.metrics.base import Metric, Scores
from preorder_eval.references.reference_set import NO_LINKS

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False, kw_only=True)
class Result(Values, Shown):
    """Systems scored on the same sentences by the same metrics, and how that is shown.

    `unfit` are warnings that metrics do not fit the texts, and `further` are tables that come after
    its own. If `matrix` is set, outputs are shown with a column for each metric.

    >>> import preorder_eval as pe
    >>> result = pe.score({"base": ["a b", "c"], "new": ["a b", "d"]}, ["a b", "d"], ["wer"])
    >>> result.value("base"), result.value("new"), result.sentence_scores("base").tolist()
    (0.3333333333333333, 0.0, [0.0, 1.0])
    """

    unfit: Sequence[Caveat] = ()
    further: Sequence[Table] = ()
    matrix: bool = False

    @cached_property
    def title(self) -> str:
        """The title of the table, which names the references."""
        return notes.size_note(self.inputs, self.metrics)

    @cached_property
    def remarks(self) -> list[str]:
        """Notes on the inputs, which stand below the table."""
        return notes.remarks(self.inputs, self.metrics)

    @property
    def found(self) -> Verdict:
        """The verdict as data.

        It is made anew each time, because the numbers in its caveats have the decimals that are
        asked for.
        """
        return verdict_of(self)

    @property
    def verdict(self) -> str:
        return wording.text(self.found)

    @property
    def for_paper(self) -> str:
        return wording.for_paper(self, self.found, self.labels)

    @property
    def own_warnings(self) -> list[Caveat]:
        return notes.own_warnings(self, self.found, self.unfit)

    @property
    def below(self) -> list[str]:
        """The notes below the table: remarks, and the caveats that the verdict omits."""
        of_texts = [f"warning: {caveat.text}" for caveat in self.unfit]
        first = [caveat.text for caveat in notes.warnings_below(self)]
        return [*first, *self.remarks, *of_texts, *wording.unsaid(self.found)]

    def tables(self) -> list[Table]:
        return [*result_tables.tables(self), *self.further]

    def view(self, whole: bool = False) -> list[Table]:
        lines = notes.system_notes(self, self.below, whole, self.matrix)
        first, *others = result_tables.view(self, whole, self.matrix)
        first = replace(first, title=self.title + (first.title or ""), notes=lines)
        return [first, *others, *self.further]

    @property
    def scores_alone(self) -> Table:
        rows = [[one.corpus for one in scores] for scores in self.scores]
        columns = [Column(f"{n}", format=f".{m.decimals}f") for n, m in enumerate(self.metrics)]
        return Table("scores", columns, rows)

    def _facts(self) -> dict[str, Any]:
        sampling = self.sampling
        facts = {
            **self.about,
            "sentences": len(self),
            "metrics": [str(metric) for metric in self.metrics],
            "bootstrap": {"level": 0.95, "resamples": sampling.resamples, "seed": sampling.seed},
            "left_out": {NO_LINKS: list(self.left_out)} if self.left_out else {},
            "signatures": {str(m): m.signature(**self.circumstances(m)) for m in self.metrics},
        }
        if self.sacrebleu:
            facts["sacrebleu"] = self.sacrebleu
        if sampling.against != "none":
            compared = {"differences_from": self.systems[self.baseline]}
            facts["significance"] = sampling.facts() | compared
        return facts | {"verdict": self.found.facts()}

    @property
    def name(self) -> str:
        """The name: its run folder, or its reference set.

        >>> import preorder_eval as pe
        >>> pe.score({"mt": ["a b"]}, ["a c"], ["wer"]).name
        'outputs'
        """
        return str(self.folder or self.reference_name or "outputs")

    def to_pandas(self, key: str | None = None, *, wide: bool = False) -> DataFrame:
        """Return a row for each system and metric; `wide` for a row for each system.

        With a `key` it is the table of that key. Takes pandas to be installed.

        >>> import preorder_eval as pe
        >>> pe.score({"mt": ["a b", "c"] * 3}, ["a c", "c"] * 3, ["wer"]).to_pandas().round(2)
          system metric  value  low  high
        0     mt    WER   0.33  0.0   0.5
        """
        if wide or key is not None:
            return Shown.to_pandas(self, key)
        columns = [Column("system"), Column("metric"), *map(Column, ("value", "low", "high"))]
        rows = [
            [system, metric, interval.value, interval.low, interval.high]
            for system, intervals in zip(self.systems, self.intervals, strict=True)
            for metric, interval in zip(self.metric_names, intervals, strict=True)
        ]
        return Table("values", columns, rows).to_pandas()

    def plot(self, metrics: Sequence[str | Metric | int] = ()) -> Plot:
        """Draw the systems' scores with their 95% intervals, a panel for each metric.

        Parameters: `metrics` those to draw, all by default. Takes matplotlib to be installed, the
        extra `plot`.

        >>> import preorder_eval as pe
        >>> pe.score({"mt": ["a b"], "new": ["a c"]}, ["a c"], ["wer", "bleu"]).plot(["wer"])
        <Plot: 1 panel>
        """
        numbers = list(map(self.metric_number, metrics)) or range(len(self.metrics))
        panels = [
            Panel(
                self.metric_names[m] + " ↓" * (not self.metrics[m].higher_is_better),
                [intervals[m] for intervals in self.intervals],
                self.metrics[m].decimals,
            )
            for m in numbers
        ]
        return plot_panels(self.systems, panels)

    def sentence_scores(self, system: str, metric: str | Metric | int = 0) -> Floats:
        """Return the scores of a system's sentences, float64[S], NaN for those left out.

        >>> import preorder_eval as pe
        >>> pe.score({"mt": ["a b", "c"]}, ["a c", "c"], ["wer"]).sentence_scores("mt").tolist()
        [0.5, 0.0]
        """
        return self.of_sentences(self.system_number(system), self.metric_number(metric))

    def _output(self, system: int, s: int) -> str:
        """Return a system's output for a sentence, or its reordered source."""
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

        >>> import preorder_eval as pe
        >>> pe.score({"mt": ["a b", "c"]}, ["a b", "d"], ["wer"]).sentences()
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
            scores = [of_metric.sentence for of_metric in self.scores[number]]
            for s, text in enumerate(texts):
                row = [s + 1, text, system]
                row += [list(orders[s])] if orders is not None else []
                rows.append([*row, self._output(number, s), *(of[s] for of in scores)])
        ordered = ["order"] * (source is not None)
        names = ["id", "text", "system", *ordered, "output", *self.metric_names]
        return Table("sentences", [Column(name) for name in names], rows).to_pandas()

    def chosen(self, systems: Sequence[str]) -> Result:
        """Return the result with these systems only, by name. Raises UnknownNameError.

        >>> import preorder_eval as pe
        >>> pe.score({"mt": ["a b"], "nmt": ["a c"]}, ["a c"], ["wer"]).chosen(["nmt"]).systems
        ['nmt']
        """
        whose = f" of {self.name}"
        systems = [self.systems[number_of(name, self.systems, whose)] for name in systems]
        against = self.sampling.against if len(systems) > 1 else "none"
        baseline = self.sampling.baseline if self.sampling.baseline in systems else ""
        scores = [self.scores[self.systems.index(name)] for name in systems]
        sampling = replace(self.sampling, against=against, baseline=baseline)
        chosen = make_result(self.inputs.chosen(systems), self.metrics, scores, sampling)
        return replace(chosen, **self._origin)

    def named(self, systems: Sequence[str]) -> Result:
        """Return the same result with other names of the systems, in their order."""
        made = [system.named(name) for system, name in zip(self.made, systems, strict=True)]
        return replace(self, inputs=replace(self.inputs, systems=tuple(made)))

    def with_sampling(self, sampling: Sampling | None = None, **changes: Any) -> Result:
        """Draw intervals and differences again, with another sampling.

        >>> import preorder_eval as pe
        >>> pe.score({"mt": ["a b"]}, ["a c"], ["wer"]).with_sampling(resamples=10).value("mt")
        0.5
        """
        sampling = replace(sampling or self.sampling, **changes)
        again = make_result(self.inputs, self.metrics, self.scores, sampling)
        return replace(again, **self._origin)

    @property
    def _origin(self) -> dict[str, Any]:
        """The result's origin and input warnings, which parts of the result keep."""
        return {
            "folder": self.folder,
            "recorded": self.recorded,
            "input_warnings": self.input_warnings,
        }


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
        measured(metric, [row[m].statistics for row in scores], counted[m], name, inputs.unit)
        for m, metric in enumerate(metrics)
    ]
    scored = list(map(np.ndarray.tobytes, counted))
    unfit = notes.unfit(inputs, metrics, [[s.statistics for s in row] for row in scores])
    estimates = Estimates.of(inputs, metrics, measurements, scored, sampling, unfit.unread)
    return Result(
        inputs=inputs,
        metrics=tuple(metrics),
        scores=scores,
        measurements=measurements,
        estimates=estimates,
        unfit=unfit.caveats,
    )
