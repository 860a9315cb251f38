"""Default metrics of a reference and of outputs, and the reference order nearest to an order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from preorder_eval.metrics.base import Metric
from preorder_eval.metrics.orders.fuzzy import Fuzzy
from preorder_eval.metrics.orders.order import Kendall, OrderMetric
from preorder_eval.orders.orders import (
    Alternatives,
    Orders,
    ReferenceOrder,
    ReferenceOrders,
    SourceWords,
)
from preorder_eval.references.reference_set import ReferenceSet

ANY = "any"  # the language of rules that are for every one
SOURCE_ORDER = "none"  # the rule set that leaves the source as it is
_ENOUGH_LINKED = 0.9
# What is quick and widely known, each kind once.
OUTPUT_METRICS: tuple[str, ...] = ("bleu", "chrf", "ribes", "nkt", "rouge_l", "hlepor", "meteor")
OUTPUT_METRICS += ("nist", "ter", "wer", "per", "fmeasure")
Of = TypeVar("Of", bound=OrderMetric)


class Objective(NamedTuple):
    """The two metrics that reorderings are scored by: FRS and τ, the one that leads first."""

    first: OrderMetric
    second: OrderMetric

    @property
    def tau(self) -> Kendall:
        """Kendall's τ, which can be either of the two metrics."""
        return next(metric for metric in self if isinstance(metric, Kendall))


def objective(reference: ReferenceSet | ReferenceOrders | Alternatives) -> Objective:
    """Return the default metrics of a reference: FRS and Kendall's τ.

    All code that scores, compares, analyses, learns or selects uses this function. An unaligned
    word stands beside its neighbour in the reference order (Talbot et al. 2011, 3.1). That is meant
    for texts that link all words but articles and punctuation. Where less than 90% of the words
    have a link it rewards leaving the source as it is, and unaligned words are left out instead.
    They are left out, too, if an aligner made the links. In that case τ is the first metric: FRS
    counts neighbours, and where few words have links, these are seldom neighbours.

    >>> import preorder_eval as pe
    >>> links = pe.Alignments.of([[(0, 0)]])
    >>> [str(by) for by in objective(ReferenceSet("mine", [["a"]], links))]
    ['fuzzy(match=word)', 'kendall']
    >>> [str(by) for by in objective(ReferenceSet("mine", [["a", "b"]], links))]
    ['fuzzy(match=word,unaligned=drop)', 'kendall(unaligned=drop)']
    """
    return objective_at(reference.coverage, automatic=bool(reference.aligner))


def objective_at(coverage: float, *, automatic: bool = False) -> Objective:
    """Return the objective where this share of the source words has a link."""
    if automatic or not enough_linked(coverage):
        frs, tau = Fuzzy(unaligned="drop"), Kendall(unaligned="drop")
        return Objective(tau, frs) if automatic else Objective(frs, tau)
    return Objective(Fuzzy(), Kendall())


def enough_linked(coverage: float) -> bool:
    """Return whether 90% of the source words, rounded to whole percent, have a link."""
    return round(coverage, 2) >= _ENOUGH_LINKED


def of_kind(kind: type[Of], metrics: Iterable[Metric], reference: ReferenceSet) -> Of:
    """Return the first metric of a kind among those that a reference was scored by.

    If there is none, make a metric of this kind. It treats unaligned words and several reference
    orders as the first metric of orders does, or, without such a metric, as the `objective` does.
    """
    of_orders = [metric for metric in metrics if isinstance(metric, OrderMetric)]
    first = [*of_orders, *objective(reference)][0]
    like = kind(unaligned=first.unaligned, references=first.references, average=first.average)
    return next((metric for metric in of_orders if isinstance(metric, kind)), like)


def nearest_reference(
    reference: ReferenceSet, sentence: int, order: Sequence[int], by: OrderMetric | None = None
) -> ReferenceOrder | None:
    """Return the reference order of a sentence that is closest to an order, by a metric.

    Parameters: `sentence` its number from 0; `by` the metric, by default the first of the
    reference's `objective`. Returns None if the sentence has no link.

    >>> import preorder_eval as pe
    >>> en_ja = pe.load_reference("en-ja")
    >>> [order.braces(en_ja.source[0]) for order in en_ja.orders_of(0)]
    ['tourists Where bicycles cheaply rent can ?', 'tourists Where cheaply bicycles rent can ?']
    >>> nearest_reference(en_ja, 0, [2, 0, 5, 4, 3, 1, 6]).braces(en_ja.source[0])
    'tourists Where cheaply bicycles rent can ?'
    """
    by, words = by or objective(reference).first, SourceWords.of([reference.source[sentence]])
    allowed = reference.allowed.take(np.array([sentence]))
    nearest = by.chosen(Orders.of([order]), allowed, words)[0]
    return nearest if any(nearest.aligned) else None


def shown_reference(
    reference: ReferenceSet, sentence: int, order: Sequence[int], by: OrderMetric | None = None
) -> tuple[str | None, str | None]:
    """Return the nearest reference order of a sentence as text, and its translation.

    Either is None if there is none.
    """
    words, nearest = reference.source[sentence], nearest_reference(reference, sentence, order, by)
    target = "" if reference.target is None else " ".join(reference.target[sentence])
    return (None if nearest is None else nearest.braces(words)), target or None
