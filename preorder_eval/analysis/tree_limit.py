"""How well any reordering of given trees can score if it keeps every subtree whole.

Every block of every sentence is ordered by itself, with the reference before one's eyes: what
rules can reach at most, whatever they look at.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import numpy as np

from preorder_eval.analysis.fewest_breaks import fewest_breaks
from preorder_eval.analysis.fewest_inversions import fewest_inversions
from preorder_eval.data.alternatives import Alternatives
from preorder_eval.data.arrays import Bools, Floats, Ints, Longs
from preorder_eval.data.orders import Orders, ReferenceOrders
from preorder_eval.data.source_words import SourceWords
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.metrics.kendall import Kendall
from preorder_eval.metrics.shared.base import OrderMetric, same_lengths
from preorder_eval.processes import Processes
from preorder_eval.results.systems import Progress, no_progress

_ROUNDING = 1e-9
_TOGETHER = 32  # sentences in one piece of work


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


def counted(references: ReferenceOrders, metric: OrderMetric) -> ReferenceOrders:
    """The references with a link for every word that counts, none where a sentence has none.

    >>> from preorder_eval.data.orders import ReferenceOrder
    >>> references = ReferenceOrders.of([ReferenceOrder([[0], [1]], [True, False])])
    >>> counted(references, Kendall()).aligned.tolist()
    [True, True]
    """
    if metric.unaligned == "drop":
        return references
    lengths = np.diff(references.offsets)
    return replace(references, aligned=np.repeat(references.informative, lengths))


def limit(
    treebank: Treebank,
    references: ReferenceOrders | Alternatives,
    metric: OrderMetric,
    words: SourceWords | None,
    *,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> Limit:
    """Find the best order of every tree.

    Parameters: `metric` kendall or fuzzy; `words` as for its `score`; `jobs` how many processes
    share the work. Of several reference orders
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
    trees = treebank.take(several.sentence)
    choices, least = _candidates(trees, several.references, metric, of_each, jobs, progress)

    def scores_of(orders: Orders) -> Floats:
        return metric.finish(metric.statistics(orders, several.references, of_each))

    best = np.argmax(np.nan_to_num([scores_of(orders) for orders in choices]), axis=0)
    nearest = Orders.of(choices[n][s] for s, n in enumerate(best.tolist()))
    orders = nearest.take(several.best(scores_of(nearest)))
    reached = metric.statistics(orders, references, words)

    _, worst = metric.counted_losses(nearest, several.references, of_each)
    possible = metric.of_losses(least, worst) * several.references.informative[:, None]
    possible = possible[several.best(metric.finish(possible))]
    gap = metric.finish(possible) - metric.finish(reached)
    low, high = (float(metric.finish(rows.sum(axis=0))) for rows in (reached, possible))
    proven = ~references.informative | (gap < _ROUNDING)
    return Limit(str(metric), orders, low, low if proven.all() else max(low, high), proven)


def _candidates(
    treebank: Treebank,
    references: ReferenceOrders,
    metric: OrderMetric,
    words: SourceWords | None,
    jobs: int,
    progress: Progress,
) -> tuple[list[Orders], Floats]:
    """Orders of which one may be the best by a metric, and the least that any order loses."""
    size = len(treebank)
    pieces = [np.arange(start, min(start + _TOGETHER, size)) for start in range(0, size, _TOGETHER)]
    together = Processes(jobs, _Search, treebank, counted(references, metric), metric, words)
    made = []
    with progress("ordering trees", size) as advance:
        for piece, found in zip(pieces, together.map(_Search.candidates, pieces), strict=True):
            made.append(found)
            if advance:
                advance(len(piece))
    positions = np.concatenate([of_each for of_each, _ in made], axis=1)
    least = np.concatenate([losses for _, losses in made])
    return [Orders(treebank.offsets, of_all) for of_all in positions], least


@dataclass(frozen=True, eq=False)
class _Search:
    """Trees whose best orders by a metric are looked for."""

    treebank: Treebank
    references: ReferenceOrders
    metric: OrderMetric
    words: SourceWords | None

    def candidates(self, sentences: Longs) -> tuple[Ints, Floats]:
        """Positions int32[candidates, tokens] of some sentences, and what each loses at least."""
        treebank, references = self.treebank.take(sentences), self.references.take(sentences)
        by_pairs, least = fewest_inversions(treebank, references)
        if isinstance(self.metric, Kendall):
            return by_pairs.positions[None], least
        words = self.words
        by_word = isinstance(self.metric, Fuzzy) and self.metric.match == "word"
        codes_of_all = words.take(sentences).words.codes if words is not None and by_word else None
        by_rank, by_words = [], []
        for s, (start, stop) in enumerate(itertools.pairwise(treebank.offsets.tolist())):
            heads, here = treebank.heads[start:stop].tolist(), slice(start, stop)
            ranks, linked = references.ranks[here], references.aligned[here]
            order, least[s] = fewest_breaks(heads, ranks, linked)
            by_rank.append(order)
            if codes_of_all is not None:
                codes = codes_of_all[here]
                if len(np.unique(codes[linked])) < linked.sum():
                    order, least[s] = fewest_breaks(heads, ranks, linked, codes)
                by_words.append(order)
        choices = [by_pairs, *(Orders.of(orders) for orders in (by_rank, by_words) if orders)]
        return np.stack([orders.positions for orders in choices]), least
