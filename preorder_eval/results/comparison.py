"""Two systems compared: by how much they differ, how surely, and on which sentences.

The differences are those of the second system minus the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.tables import Table, known
from preorder_eval.metrics import metric
from preorder_eval.metrics.base import Metric
from preorder_eval.results.moved import Moved, MovedSentences
from preorder_eval.results.nearest import shown_reference
from preorder_eval.results.result import Result, Sampling
from preorder_eval.results.summary import difference_cells, significance
from preorder_eval.results.together import check_same, together
from preorder_eval.stats import Test
from preorder_eval.stats.measurement import TIE
from preorder_eval.stats.significance import Difference, detectable

Texts = tuple[str, str, str] | tuple[str, str, str, str | None, str | None]


@dataclass(frozen=True, eq=False)
class MetricComparison:
    """What one metric says: both values, their difference, and both scores of every sentence.

    `first` and `second` are float64[S], NaN for a sentence that is left out.
    """

    metric: str
    values: tuple[float, float]
    difference: Difference
    first: Floats
    second: Floats

    @property
    def change(self) -> Floats:
        """Second score minus first of every sentence, 0 where it is left out; float64[S]."""
        change = np.nan_to_num(self.second - self.first)
        return np.where(np.abs(change) > TIE, change, 0.0)

    @property
    def gain(self) -> Floats:
        """By how much the second system is better on every sentence; float64[S]."""
        return self.change if self.difference.higher_is_better else -self.change

    @property
    def better(self) -> int:
        """The sentences on which the second system is better."""
        return int(np.count_nonzero(self.gain > 0))

    @property
    def worse(self) -> int:
        """The sentences on which the second system is worse."""
        return int(np.count_nonzero(self.gain < 0))

    @property
    def same(self) -> int:
        """The scored sentences on which the two are equal."""
        return int(np.count_nonzero(~np.isnan(self.first))) - self.better - self.worse

    def moved(self, most: int, texts: Callable[[int], Texts]) -> tuple[list[Moved], list[Moved]]:
        """Up to `most` sentences that gained and lost most, the largest change first.

        `texts` gives a sentence as it was given, and as either system made it, and the reference
        order with its translation. Equal changes come in the order of the corpus.
        """

        def shown(gain: Floats) -> list[Moved]:
            ranked = np.argsort(-gain, kind="stable")[:most].tolist()
            return [self._moved(s, texts(s)) for s in ranked if gain[s] > 0]

        return shown(self.gain), shown(-self.gain)

    def _moved(self, sentence: int, texts: Texts) -> Moved:
        first, second = float(self.first[sentence]), float(self.second[sentence])
        return Moved(sentence + 1, float(self.change[sentence]), first, second, *texts)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two systems compared by every metric.

    `both` has the two as its only systems; `runs` are the names of the results that they are of,
    and `names` their own.

    >>> from preorder_eval.results.evaluation import score
    >>> result = score({"base": ["a b", "c"], "new": ["a b", "d"]}, ["a b", "d"], ["wer"])
    >>> comparison = result.compare("base", "new")
    >>> comparison.metrics[0].values, comparison.metrics[0].better
    ((0.3333333333333333, 0.0), 1)
    """

    both: Result
    runs: tuple[str, str]
    names: tuple[str, str]

    @cached_property
    def metrics(self) -> list[MetricComparison]:
        """What each metric says."""
        comparisons = []
        for m, signature in enumerate(map(str, self.both.metrics)):
            first, second = (scores[m].sentence for scores in self.both.scores)
            values = self.both.measurements[m].values
            [pair] = self.both.pairs[m]
            comparisons.append(
                MetricComparison(
                    signature,
                    (float(values[0]), float(values[1])),
                    pair.difference,
                    first,
                    second,
                )
            )
        return comparisons

    def __repr__(self) -> str:
        from preorder_eval.results.text import metrics_table

        return metrics_table(self)

    def _repr_html_(self) -> str:
        from preorder_eval.results.text import html_table

        return html_table(self)

    @property
    def of_orders(self) -> bool:
        """Whether what is shown are orders of the source, by the first metric; else outputs."""
        return "orders" in self.both.metrics[0].needs

    @property
    def informative(self) -> Bools:
        """Which sentences are scored by the first metric; bool[S]."""
        return self.both.counted(0)

    @property
    def scored(self) -> int:
        """The number of sentences compared."""
        return int(np.count_nonzero(self.informative))

    @property
    def left_out(self) -> int:
        """The number of sentences that carry no information."""
        return len(self.both) - self.scored

    def sentences(self, most: int = 10, metric: int = 0) -> MovedSentences:
        """Up to `most` sentences that gained and lost most by a metric, the largest change first.

        Equal changes come in the order of the corpus.
        """
        gained, lost = self.metrics[metric].moved(most, self._texts)
        labels = ("source" if self.of_orders else "reference", *self.names)
        return MovedSentences(self.metrics[metric].metric, gained, lost, labels)

    def _texts(self, sentence: int) -> Texts:
        """A sentence as it was given, as either system made it, and what would be right."""
        inputs = self.both.inputs
        if self.of_orders and inputs.ordered is not None:
            words = inputs.ordered.source[sentence]
            orders = [inputs.of(number).orders[sentence] for number in (0, 1)]
            first, second = (" ".join(words[i] for i in order) for order in orders)
            right = shown_reference(inputs.ordered, sentence, orders[1])
            return " ".join(words), first, second, *right
        references = " | ".join(text.sentences[sentence] for text in inputs.references)
        first, second = ((system.hyp or [""] * len(inputs))[sentence] for system in inputs.systems)
        return references, first, second

    def detectable(self, metric: int) -> float:
        """The smallest true difference that these sentences show with a chance of 80 %."""
        sampling = self.both.sampling
        return detectable(
            self.both.measurements[metric],
            0,
            1,
            resamples=sampling.resamples,
            seed=sampling.seed,
        )

    def summary(self, most: int = 20) -> dict[str, Any]:
        """Everything as plain values, with up to `most` sentences gained and lost."""
        header, rows = self.table()
        moved = self.sentences(most)
        tested = {key: value for key, value in significance(self.both).items() if key != "pairs"}
        reference = self.both.summary()
        return {
            "first": {"run": self.runs[0], "system": self.names[0]},
            "second": {"run": self.runs[1], "system": self.names[1]},
            "reference": reference.get("reference", reference.get("references")),
            "sentences": self.scored,
            "left_out": self.left_out,
            "significance": tested,
            "metrics": [dict(zip(header, cells, strict=True)) for cells in rows],
            "moved": {
                "metric": moved.metric,
                "gained": [asdict(sentence) for sentence in moved.gained],
                "lost": [asdict(sentence) for sentence in moved.lost],
            },
        }

    def table(self) -> Table:
        """Header and a row for each metric as plain values, for TSV."""
        header = ["metric", "first", "second", "difference", "low_95", "high_95", "low_90"]
        header += ["high_90", "significance", "p", "better", "worse", "same"]
        rows: list[list[object]] = []
        for compared in self.metrics:
            counts = [compared.better, compared.worse, compared.same]
            values = map(known, compared.values)
            rows.append([compared.metric, *values, *difference_cells(compared.difference), *counts])
        return header, rows


def compare(
    first: Result,
    second: Result | None = None,
    systems: Sequence[str] = (),
    metrics: Sequence[str | Metric] = (),
    *,
    resamples: int | None = None,
    seed: int | None = None,
    test: Test | None = None,
) -> Comparison:
    """Compare two systems of one result, or of two over the same sentences.

    Parameters: `systems` the first system and the second; one name stands for both where there are
    two results, and none is needed where these have a single system each, or the one has two.
    `metrics` are by default those that both results have. `resamples`, `seed` and `test` are by
    default those of the first result.

    Raises PreorderEvalError where sentences differ, where it is not clear which systems are meant
    (it names them), where no metric is shared, and FormatError where a run folder's scores are not
    those of what it holds.

    >>> from preorder_eval.results.evaluation import score
    >>> before, after = (score({"mt": [text]}, ["a b"], ["wer"]) for text in ("a", "a b"))
    >>> compare(before, after).metrics[0].difference.value
    -0.5
    """
    names = _chosen(first, second, systems)
    other = second or first
    if other is not first:
        check_same(first, other)
    chosen = tuple(metric(m) if isinstance(m, str) else m for m in metrics)
    shared = tuple(m for m in first.metrics if m in other.metrics)
    if not (chosen or shared):
        raise PreorderEvalError(
            f"{first.name} and {other.name} share no metric; name one to compare by (--metric)"
        )
    one, two = first.chosen([names[0]]), other.chosen([names[1]])
    usual = first.sampling
    sampling = Sampling(
        usual.resamples if resamples is None else resamples,
        usual.seed if seed is None else seed,
        usual.test if test is None else test,
        against="all",
    )
    for result in (one, two):
        result.inputs.require(chosen, f", which {result.name} does not hold; score with it first")
    # Scores that folders hold must be those of what they hold, whatever they are compared by.
    for result in (one, two):
        if result.stored is not None:
            result.scores  # noqa: B018
    return Comparison(
        together([one, two], chosen or shared, sampling), (first.name, other.name), names
    )


def _chosen(first: Result, second: Result | None, names: Sequence[str]) -> tuple[str, str]:
    """The names of the two systems to compare."""
    if len(names) > 2:
        raise PreorderEvalError(f"{len(names)} systems named; two can be compared")
    if len(names) == 2 or (len(names) == 1 and second is not None):
        return names[0], names[-1]
    if second is not None and len(first.systems) == len(second.systems) == 1:
        return first.systems[0], second.systems[0]
    if second is None and not names and len(first.systems) == 2:
        return first.systems[0], first.systems[1]
    results = [first, *([] if second is None else [second])]
    listed = "; ".join(f"{result.name} has {', '.join(result.systems)}" for result in results)
    raise PreorderEvalError(f"name the systems to compare (--system): {listed}")
