"""Targeted self-training's choice of parses (Katz-Brown et al. 2011; Talbot et al. 2011, 4.1).

A parser is to learn from its own parses, but from those that are good for reordering: of the n-best
list of every sentence with a reference order the parse whose reordering scores highest, the
higher-ranked one on a tie. The list's own best is as much as any choice from it can reach, so what
is selected is also the list's *oracle*; how far that lies above the 1-best is the room that
self-training has.

A list of 64 parses has only about ten different reorderings. All parses of the corpus are reordered
at once, and every different reordering of a sentence is scored once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Bools, Floats, Longs, described, within
from preorder_eval.data.nbest import NBest
from preorder_eval.data.orders import Alternatives, Orders, ReferenceOrders, SourceWords
from preorder_eval.data.ragged import Column
from preorder_eval.data.treebank import comment_value
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.conllu import format_conllu
from preorder_eval.metrics.base import parse_signature
from preorder_eval.metrics.order import OrderMetric
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.stats.measurement import TIE
from preorder_eval.training.selection_counts import Filter, SelectionCounts
from preorder_eval.visible import quantity


@dataclass(frozen=True, eq=False)
class Selection:
    """The parse selected for every sentence of an n-best list.

    `chosen` int64[S] are numbers of trees, of the 1-best where a sentence has no link; `first`,
    `best` and `average` float64[S] the scores of the 1-best, of the chosen parse and the mean of
    the list, NaN without a link; `reorderings` int64[S] how many different ones each list holds.
    """

    nbest: NBest
    metric: str
    chosen: Longs
    first: Floats
    best: Floats
    average: Floats
    reorderings: Longs

    def __repr__(self) -> str:
        return described(
            "Selection", sentence=len(self.chosen), replacement=int(self.replaced.sum())
        )

    @property
    def ranks(self) -> Longs:
        """The rank of every chosen parse in its list, 1 for the 1-best; int64[S]."""
        return self.chosen - self.nbest.offsets[:-1] + 1

    @property
    def informative(self) -> Bools:
        """Which sentences have a link; bool[S]."""
        return ~np.isnan(self.first)

    @property
    def replaced(self) -> Bools:
        """Where another parse than the 1-best, and so another reordering, was chosen; bool[S]."""
        return self.ranks > 1

    def kept(self, wanted: Filter) -> Bools:
        """Which sentences have a link and pass the filter; bool[S]."""
        enough = self.informative & (self.best - self.first >= wanted.margin - TIE)
        return enough & self.replaced if wanted.only_changed else enough

    def counts(self, wanted: Filter) -> SelectionCounts:
        """What the selection came to."""
        scored = self.informative
        return SelectionCounts(
            sentences=len(scored),
            left_out=int(np.count_nonzero(~scored)),
            parses=int(self.nbest.sizes[scored].sum()),
            reorderings=int(self.reorderings[scored].sum()),
            replaced=int(np.count_nonzero(self.replaced)),
            kept=int(np.count_nonzero(self.kept(wanted))),
            first=float(self.first[scored].sum()),
            selected=float(self.best[scored].sum()),
            average=float(self.average[scored].sum()),
        )

    def conllu(self, wanted: Filter, *, tags: bool = False, first: int = 1) -> str:
        """The selected parses that pass the filter as CoNLL-U; empty where none does.

        Their comments say which sentence each is (its number, counted from `first`, if it has no
        id), its rank in the list, its score there, and its and the 1-best's by the metric.
        Without `tags` the tags are left blank: nothing vouches for the parser's own, and it is
        not to learn them.
        """
        kept = np.flatnonzero(self.kept(wanted))
        if not kept.size:
            return ""
        trees = self.nbest.trees.take(self.chosen[kept])
        comments = [self._comments(s, first) for s in kept.tolist()]
        if tags:
            return format_conllu(replace(trees, comments=comments))
        blank = Column(np.zeros(len(trees.words), dtype=np.int32), ("_",))
        return format_conllu(replace(trees, comments=comments, upos=blank, xpos=blank))

    def _comments(self, sentence: int, first: int) -> tuple[str, ...]:
        chosen = int(self.chosen[sentence])
        comments = self.nbest.trees.comments[chosen] if self.nbest.trees.comments else ()
        named = comment_value(comments, "sent_id") is not None
        score, name = self.nbest.scores[chosen], parse_signature(self.metric)[0]
        return (
            *([] if named else [f"# sent_id = {first + sentence}"]),
            *(line for line in comments if not line.startswith(("# parse =", "# score ="))),
            f"# parse = {self.ranks[sentence]}",
            *([] if np.isnan(score) else [f"# score = {score:.6g}"]),
            f"# {name} = {self.best[sentence]:.6f}",
            f"# {name}_of_parse_1 = {self.first[sentence]:.6f}",
        )


def best_parses(
    nbest: NBest,
    rules: RuleSet,
    references: ReferenceOrders | Alternatives,
    metric: OrderMetric,
    words: SourceWords | None = None,
) -> Selection:
    """Choose for every sentence the parse whose reordering scores highest.

    Parameters: `references` and `words` of the sentences of the lists, words as for the metric's
    `score`. Raises PreorderEvalError where they are not of the same sentences, and for trees that
    the rules cannot read.
    """
    if len(nbest) != len(references):
        raise PreorderEvalError(
            f"n-best lists of {quantity(len(nbest), 'sentence')}, references of {len(references)}"
        )
    orders = rules.reorder(nbest.trees)
    sentence, starts = nbest.sentence_of, nbest.offsets[:-1]
    distinct, of_parse = distinct_orders(orders, sentence)
    of_distinct = sentence[distinct]
    scores = metric.score(
        orders.take(distinct), references.take(of_distinct), words and words.take(of_distinct)
    ).sentence[of_parse]
    best = np.maximum.reduceat(scores, starts)

    chosen = starts.copy()
    as_good = np.flatnonzero(scores >= best[sentence] - TIE)  # NaN is never as good
    highest = as_good[np.unique(sentence[as_good], return_index=True)[1]]
    chosen[sentence[highest]] = highest
    return Selection(
        nbest,
        str(metric),
        chosen,
        scores[starts],
        scores[chosen],
        np.add.reduceat(scores, starts) / nbest.sizes,
        np.bincount(of_distinct, minlength=len(nbest)),
    )


def distinct_orders(orders: Orders, group: Longs) -> tuple[Longs, Longs]:
    """The different orders of each group, where `group` int64[P], rising, tells each order's.

    Returns the number of the first order of each kind, int64[D], rising, and for each of the P
    orders which of the kinds it is.

    >>> kinds, of_order = distinct_orders(Orders.of([[0, 1], [1, 0], [0, 1]]), np.array([0, 0, 0]))
    >>> kinds.tolist(), of_order.tolist()
    ([0, 1], [0, 1, 0])
    """
    # Two orders of a list with the same 64 bits by chance: less likely than a fault of the machine.
    place = within(orders.offsets).astype(np.uint64)
    mixed = _mix(place << np.uint64(32) | orders.positions.astype(np.uint64))
    total = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(mixed)])
    key = total[orders.offsets[1:]] - total[orders.offsets[:-1]]
    key = _mix(key + _mix(group.astype(np.uint64)))
    _, first, of_order = np.unique(key, return_index=True, return_inverse=True)
    in_order = np.argsort(first)
    rank = np.empty_like(in_order)
    rank[in_order] = np.arange(len(in_order))
    return first[in_order], rank[of_order]


def _mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scatter numbers over all 64 bits (the finalizer of splitmix64, Steele et al. 2014)."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
