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

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Bools, Floats, Longs, within
from preorder_eval.data.nbest import NBest
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Column, comment_value
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.conllu import format_conllu
from preorder_eval.metrics.shared.base import OrderMetric, parse_signature
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.stats.measurement import TIE


@dataclass(frozen=True)
class Filter:
    """Which of the selected parses are worth learning from.

    `only_changed` leaves out the sentences whose 1-best was selected: they are those where no parse
    of the list reorders better. `margin` is by how much the selected reordering must score above
    the 1-best's.
    """

    only_changed: bool = False
    margin: float = 0.0


@dataclass(frozen=True)
class SelectionCounts:
    """What selection came to, as sums that add up over parts of a corpus.

    `sentences` were looked at, and `left_out` of them had no link and were not scored; `parses` and
    `reorderings` are the parses and the different reorderings of those scored. `replaced` counts
    the sentences for which another parse than the 1-best was selected, `kept` those that passed
    the filter. `first`, `selected` and `average` sum, over sentences, the score of the 1-best, that
    of the selected parse and the mean score of the list.

    >>> both = SelectionCounts(sentences=2, selected=0.5) + SelectionCounts(1, 1, selected=0.25)
    >>> both.scored, both.mean(both.selected)
    (2, 0.375)
    """

    sentences: int = 0
    left_out: int = 0
    parses: int = 0
    reorderings: int = 0
    replaced: int = 0
    kept: int = 0
    first: float = 0.0
    selected: float = 0.0
    average: float = 0.0

    def __add__(self, other: SelectionCounts) -> SelectionCounts:
        names = [field.name for field in fields(self)]
        return SelectionCounts(*(getattr(self, name) + getattr(other, name) for name in names))

    @property
    def scored(self) -> int:
        """The sentences with a link."""
        return self.sentences - self.left_out

    def mean(self, total: float) -> float | None:
        """A sum per scored sentence, None without any."""
        return total / self.scored if self.scored else None

    def summary(self) -> dict[str, Any]:
        """Counts and means as plain values; `margin` is selected minus 1-best where replaced."""
        counts = {name: value for name, value in asdict(self).items() if isinstance(value, int)}
        gained = self.selected - self.first
        return counts | {
            "mean_1best": self.mean(self.first),
            "mean_selected": self.mean(self.selected),
            "mean_list": self.mean(self.average),
            "mean_margin": gained / self.replaced if self.replaced else None,
        }


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
        given = self.nbest.trees.comments[chosen] if self.nbest.trees.comments else ()
        named = comment_value(given, "sent_id") is not None
        score, name = self.nbest.scores[chosen], parse_signature(self.metric)[0]
        return (
            *([] if named else [f"# sent_id = {first + sentence}"]),
            *(line for line in given if not line.startswith(("# parse =", "# score ="))),
            f"# parse = {self.ranks[sentence]}",
            *([] if np.isnan(score) else [f"# score = {score:.6g}"]),
            f"# {name} = {self.best[sentence]:.6f}",
            f"# {name}_of_parse_1 = {self.first[sentence]:.6f}",
        )


def select(
    nbest: NBest,
    rules: RuleSet,
    references: ReferenceOrders,
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
            f"n-best lists of {len(nbest)} sentences, references of {len(references)}"
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


def select_part(
    nbest: NBest, data: ReferenceSet, rules: RuleSet, metric: OrderMetric, first: int = 1
) -> Selection:
    """Choose the parses of the sentences of `data`; errors count them from `first`.

    Raises PreorderEvalError where the trees are not of these sentences.
    """
    for number, (own, words) in enumerate(zip(nbest.lists(), data.source, strict=False), first):
        if nbest.trees[own[0]].words != words:
            raise PreorderEvalError(
                f"sentence {number}: the parses have other words than {data.name}"
            )
    return select(nbest, rules, data.references, metric, data.words)


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
