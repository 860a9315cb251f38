"""What a metric is.

A metric is a frozen dataclass whose fields are its parameters. It turns every segment into a
row of statistics that add up over segments, and finishes sums of statistics into numbers; the
sentence score, the corpus score, the bootstrap and partitions on a cluster all come from the
same rows. Its printed form is its signature and parses back: `fuzzy(match=word)`.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, Literal, get_args, get_origin

import numpy as np

from preorder_eval.data.arrays import Floats, Longs, Offsets
from preorder_eval.data.inputs import SystemInputs
from preorder_eval.data.orders import (
    Alternatives,
    Orders,
    ReferenceOrders,
    SourceWords,
    aligned_only,
)
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.metrics.shared.signatures import parameter_types, signature
from preorder_eval.visible import quantity

_BLOCK = 1 << 17  # tokens
_ROWS = 1 << 16  # of statistics


@dataclass(frozen=True, eq=False)
class Scores:
    """A metric's result on a corpus.

    `statistics` float64[S, k], additive; `sentence` float64[S], NaN for a sentence that is left
    out because it carries no information; `corpus` the corpus value; `metric` the signature.
    """

    metric: str
    statistics: Floats
    sentence: Floats
    corpus: float

    def __repr__(self) -> str:
        return f"<Scores {self.metric}: {self.corpus:.4f} over {len(self.sentence):,} sentences>"


@dataclass(frozen=True)
class Metric(ABC):
    """A metric with its parameters. Subclasses add fields and say what they stand for."""

    name: ClassVar[str]
    paper: ClassVar[str]
    equation: ClassVar[str]
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    score: ClassVar[Callable[..., Scores]]  # what it takes, each kind of metric says itself

    @classmethod
    def required(cls) -> list[str]:
        """The parameters that have no default."""
        return [f.name for f in fields(cls) if f.default is MISSING]

    def __post_init__(self) -> None:
        for key, expected in parameter_types(type(self)).items():
            value = getattr(self, key)
            if get_origin(expected) is Literal and value not in get_args(expected):
                raise UnknownNameError(
                    f"value of {self.name}'s {key}", str(value), get_args(expected)
                )

    @property
    @abstractmethod
    def needs(self) -> tuple[str, ...]:
        """The names of the inputs that it takes; `preorder_eval.data.inputs` lists them."""

    @abstractmethod
    def statistics_of(self, inputs: SystemInputs) -> Floats:
        """Additive statistics of each sentence; float64[S, k]."""

    def score_system(self, inputs: SystemInputs) -> Scores:
        """Score one system; raises PreorderEvalError for an input that is missing or misfits."""
        return self.scores_of(self.statistics_of(inputs))

    @abstractmethod
    def finish(self, statistics: Floats) -> Floats:
        """Scores from (sums of) statistics: float64[…, k] to float64[…]; NaN from all zeros."""

    def cut_short(self, statistics: Floats) -> int:
        """In how many sentences, by their statistics float64[S, k], a search was not completed.

        Metrics that search among too many ways have a bound, beyond which they take what they
        have found; the score is then not quite that of the definition.
        """
        return 0

    def details(self, total: Floats) -> dict[str, Any]:
        """What is told beside a corpus value, from the sum of its statistics: nothing of most."""
        return {}

    def __str__(self) -> str:
        return signature(self)

    def scores_of(self, statistics: Floats) -> Scores:
        """The result from the statistics of all sentences, float64[S, k]."""
        total = self.finish(statistics.sum(axis=0))
        parts = range(0, max(len(statistics), 1), _ROWS)  # what is made on the way is not held
        sentence = np.concatenate([self.finish(statistics[i : i + _ROWS]) for i in parts])
        return Scores(str(self), statistics, sentence, float(total))


def quiet(default: Any, *, always: bool = False) -> Any:
    """A parameter that stands last in the signature, if it differs from its default or `always`."""
    return field(default=default, kw_only=True, metadata={"quiet": True, "always": always})


@dataclass(frozen=True)
class OrderMetric(Metric):
    """A metric that compares a system order with a reference order.

    Every order metric is a loss over the largest loss possible: a sentence's score is
    1 - loss / worst, and 1 where nothing can be lost. A metric that reports a function of that,
    such as `kendall(root=true)`, overrides `rescale`.

    Parameters: `average="sentence"` (mean of the sentence scores) or `"pooled"` (losses and worst
    losses summed over the corpus); `unaligned="attach"` (unaligned source words stand beside
    their neighbours as section 3.1 of Talbot et al. 2011 says) or `"drop"` (left out of both
    orders). Of several reference orders of a sentence `references="best"` takes the one with the
    highest score, the first on a tie, and `"mean"` the average over all.
    """

    average: Literal["sentence", "pooled"] = quiet("sentence")
    unaligned: Literal["attach", "drop"] = quiet("attach")
    references: Literal["best", "mean"] = quiet("best")

    @property
    def needs(self) -> tuple[str, ...]:
        return ("orders", "reference_orders")

    def statistics_of(self, inputs: SystemInputs) -> Floats:
        return self._checked(inputs.orders, inputs.reference_orders, inputs.words)

    @abstractmethod
    def losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Floats, Floats]:
        """Per sentence the loss and the largest loss possible, float64[S] each."""

    def statistics(
        self,
        orders: Orders,
        references: ReferenceOrders | Alternatives,
        words: SourceWords | None = None,
    ) -> Floats:
        """Additive statistics; zeros for a sentence without links.

        float64[S, 2], the scores and the sentences counted; if pooled float64[S, 3], what was
        kept, what could be lost, and the sentences counted.
        """
        if isinstance(references, Alternatives):
            return self._of_several(orders, references, words)
        parts = [
            self._part_statistics(
                orders.part(first, last),
                references.part(first, last),
                words and words.part(first, last),
            )
            for first, last in _blocks(orders.offsets)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, 2))

    def chosen(
        self, orders: Orders, references: ReferenceOrders | Alternatives, words: SourceWords | None
    ) -> ReferenceOrders:
        """Of several reference orders of each sentence that which it is scored against."""
        if not isinstance(references, Alternatives):
            return references
        return references.references.take(self.nearest(orders, references, words))

    def nearest(self, orders: Orders, references: Alternatives, words: SourceWords | None) -> Longs:
        """The number, among all reference orders, of that which each sentence is scored against."""
        return references.best(self.finish(self._of_each(orders, references, words)))

    def _of_each(self, orders: Orders, several: Alternatives, words: SourceWords | None) -> Floats:
        """The statistics by every reference order; float64[K, k]."""
        whose = several.sentence
        return self.statistics(
            orders.take(whose), several.references, None if words is None else words.take(whose)
        )

    def _of_several(
        self, orders: Orders, several: Alternatives, words: SourceWords | None
    ) -> Floats:
        """The statistics by the best reference order of each sentence, or their mean."""
        each = self._of_each(orders, several, words)
        if self.references == "best":
            best: Floats = each[several.best(self.finish(each))]
            return best
        total = np.add.reduceat(each, several.first)
        counted = np.add.reduceat(several.references.informative, several.first, dtype=np.int64)
        mean: Floats = total / np.maximum(counted, 1)[:, None]
        return mean

    def _part_statistics(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> Floats:
        rows = self.of_losses(*self.counted_losses(orders, references, words))
        return rows * references.informative[:, None]

    def counted_losses(
        self, orders: Orders, references: ReferenceOrders, words: SourceWords | None
    ) -> tuple[Floats, Floats]:
        """What `losses` says of the words that count."""
        if self.unaligned == "drop":
            orders, references, words = aligned_only(orders, references, words)
        return self.losses(orders, references, words)

    def of_losses(self, loss: Floats, worst: Floats) -> Floats:
        """The statistics of sentences that lose so much of so much; float64[S, k]."""
        sentences = np.ones_like(loss)
        if self.average == "sentence":
            lost = np.divide(loss, worst, out=np.zeros_like(loss), where=worst > 0)
            columns = [self.rescale(1 - lost), sentences]
        else:
            columns = [worst - loss, worst, sentences]
        return np.column_stack(columns)

    def rescale(self, score: Floats) -> Floats:
        """What the metric reports for 1 - loss / worst: of each sentence, or of pooled counts."""
        return score

    def finish(self, statistics: Floats) -> Floats:
        kept, possible, sentences = (statistics[..., column] for column in (0, 1, -1))
        # Pooled over one-word sentences alone, nothing could be lost.
        score = np.divide(kept, possible, out=np.ones_like(kept), where=possible > 0)
        if self.average == "pooled":
            score = self.rescale(score)
        return np.where(sentences > 0, score, np.nan)

    def score(
        self,
        orders: Orders | Iterable[Sequence[int]],
        references: ReferenceOrders | Alternatives | Iterable[Sequence[Iterable[int]]],
        words: SourceWords | Sequence[Sequence[str]] | None = None,
    ) -> Scores:
        """Score system orders against reference orders.

        Parameters: `orders` one permutation of source positions per sentence; `references` one
        sequence of groups of source positions per sentence, or `Alternatives`; `words` the source
        words, needed where words are matched as words (without them every token is its own word).

        Returns `Scores`; raises PreorderEvalError where lengths differ.
        """
        if not isinstance(orders, Orders):
            orders = Orders.of(orders)
        if not isinstance(references, ReferenceOrders | Alternatives):
            references = ReferenceOrders.of(references)
        if words is not None and not isinstance(words, SourceWords):
            words = SourceWords.of(words)
        return self.scores_of(self._checked(orders, references, words))

    def _checked(
        self, orders: Orders, references: ReferenceOrders | Alternatives, words: SourceWords | None
    ) -> Floats:
        """The statistics; PreorderEvalError where lengths differ."""
        same_lengths(orders.offsets, references.offsets, "references")
        if words is not None:
            same_lengths(orders.offsets, words.offsets, "words")
        return self.statistics(orders, references, words)


def _blocks(offsets: Offsets) -> list[tuple[int, int]]:
    """Cut a corpus into parts of about as many tokens as the processor's cache holds."""
    borders = np.searchsorted(offsets, np.arange(0, offsets[-1], _BLOCK), side="left").tolist()
    borders = sorted({*borders, len(offsets) - 1})
    return list(itertools.pairwise(borders))


def same_lengths(orders: Offsets, other: Longs, what: str) -> None:
    """Raise PreorderEvalError unless every order has as many tokens as its sentence elsewhere."""
    if len(orders) != len(other):
        raise PreorderEvalError(
            f"{quantity(len(orders) - 1, 'order')}, but {what} of "
            f"{quantity(len(other) - 1, 'sentence')}"
        )
    different = np.flatnonzero(np.diff(orders) != np.diff(other))
    if different.size:
        s = int(different[0])
        raise PreorderEvalError(
            f"sentence {s + 1}: the order has {orders[s + 1] - orders[s]} tokens, "
            f"the {what} {other[s + 1] - other[s]}"
        )
