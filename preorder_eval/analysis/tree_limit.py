"""How well any reordering of given trees can score if it keeps every subtree whole.

Every block of every sentence is ordered by itself, with the reference before one's eyes: what
rules can reach at most, whatever they look at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from preorder_eval.analysis.fewest_breaks import fewest_breaks
from preorder_eval.analysis.fewest_inversions import fewest_inversions
from preorder_eval.data.alternatives import Alternatives
from preorder_eval.data.arrays import Bools, Floats
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.metrics.kendall import Kendall
from preorder_eval.metrics.shared.base import OrderMetric, same_lengths
from preorder_eval.results.systems import Progress, no_progress

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Limit:
    """The best score of any reordering of some trees: that of `orders`, or a little more.

    `low` is the corpus value of `orders`, and no reordering has one above `high`; `proven` bool[S]
    tells for which sentences no other order can be better, also where a sentence is not scored.

    >>> from preorder_eval.data.treebank import Tree
    >>> from preorder_eval.metrics import order_metric
    >>> tree = Tree(["He", "eats"], [1, -1], ["nsubj", "root"], ["PRON", "VERB"], ["_"] * 2)
    >>> references = ReferenceOrders.of([[[1], [0]]])
    >>> limit(Treebank.of([tree]), references, order_metric("kendall"), None)
    <Limit kendall: 1.0000 over 1 sentence>
    """

    metric: str
    orders: Orders
    low: float
    high: float
    proven: Bools

    def __repr__(self) -> str:
        size = len(self.orders)
        return f"<Limit {self.metric}: {self} over {size:,} sentence{'' if size == 1 else 's'}>"

    @property
    def not_proven(self) -> list[int]:
        """The 1-based numbers of the sentences of which another order may be better."""
        return (np.flatnonzero(~self.proven) + 1).tolist()

    def __str__(self) -> str:
        """To four digits, the two ends where they differ."""
        ends = f"{self.low:.4f}", f"{self.high:.4f}"
        return ends[0] if ends[0] == ends[1] else "–".join(ends)


def check_metric(metric: OrderMetric, references: ReferenceOrders | Alternatives) -> None:
    """Raise PreorderEvalError for a metric whose best order is not known how to find."""
    if not isinstance(metric, Kendall | Fuzzy):
        raise UnknownNameError("metric of the oracle", metric.name, [Kendall.name, Fuzzy.name])
    if isinstance(references, Alternatives) and (references.counts > 1).any():
        settings = {"references": ("mean", "best"), "average": ("pooled", "sentence")}
        for setting, (unknown, known) in settings.items():
            if getattr(metric, setting) == unknown:
                raise PreorderEvalError(
                    f"with several reference orders of a sentence there is no oracle of {metric}; "
                    f"take {setting}={known}"
                )


def limit(
    treebank: Treebank,
    references: ReferenceOrders | Alternatives,
    metric: OrderMetric,
    words: SourceWords | None,
    progress: Progress = no_progress,
) -> Limit:
    """Find the best order of every tree.

    Parameters: `metric` kendall or fuzzy; `words` as for its `score`. Of several reference orders
    the one counts that the tree comes nearest to. By kendall all sentences are proven but those
    with more than a dozen items of a block in each other's way, by fuzzy those where ties and
    repeated words leave no doubt which joints are kept. Raises PreorderEvalError for another
    metric, and where lengths differ.
    """
    check_metric(metric, references)
    same_lengths(treebank.offsets, references.offsets, "references")
    several = references
    if isinstance(several, ReferenceOrders):
        several = Alternatives(several, np.arange(len(several)))
    of_each = None if words is None else words.take(several.sentence)
    with progress("looking for the best orders", len(several.sentence)) as advance:
        found, least = _found(treebank, several, metric, words, advance)

    def scores_of(orders: Orders) -> Floats:
        return metric.finish(metric.statistics(orders, several.references, of_each))

    choices = [Orders.of(orders) for orders in zip(*found, strict=True)]  # one of each sentence's
    best = np.argmax(np.nan_to_num([scores_of(orders) for orders in choices]), axis=0)
    nearest = Orders.of(orders[n] for orders, n in zip(found, best.tolist(), strict=True))
    orders = nearest.take(several.best(scores_of(nearest)))
    reached = metric.statistics(orders, references, words)

    _, worst = metric.counted_losses(nearest, several.references, of_each)
    possible = metric.of_losses(least, worst) * several.references.informative[:, None]
    possible = possible[several.best(metric.finish(possible))]
    gap = metric.finish(possible) - metric.finish(reached)
    low, high = (float(metric.finish(rows.sum(axis=0))) for rows in (reached, possible))
    proven = ~references.informative | (gap < _ROUNDING)
    return Limit(str(metric), orders, low, low if proven.all() else max(low, high), proven)


def _found(
    treebank: Treebank,
    several: Alternatives,
    metric: OrderMetric,
    words: SourceWords | None,
    advance: Callable[[int], None] | None,
) -> tuple[list[list[list[int]]], Floats]:
    """For every reference order some orders of its tree, and the least that any order loses.

    There are as many for each, so that the metric can tell which is the best.
    """
    references, least = several.references, np.zeros(len(several.sentence))
    found = []
    for number, s in enumerate(several.sentence.tolist()):
        here = slice(*treebank.offsets[s : s + 2])
        there = slice(*references.offsets[number : number + 2])
        heads, ranks = treebank.heads[here].tolist(), references.ranks[there]
        linked = references.aligned[there]
        if linked.any() and metric.unaligned == "attach":
            linked = np.ones_like(linked)
        order, inversions = fewest_inversions(heads, ranks, linked)
        orders = [order]
        if isinstance(metric, Kendall):
            least[number] = inversions
        else:
            order, least[number] = fewest_breaks(heads, ranks, linked)
            orders.append(order)
        if isinstance(metric, Fuzzy) and metric.match == "word" and words is not None:
            codes = words.words.codes[here]
            if len(np.unique(codes[linked])) < linked.sum():
                order, least[number] = fewest_breaks(heads, ranks, linked, codes)
            orders.append(order)
        found.append(orders)
        if advance:
            advance(1)
    return found, least
