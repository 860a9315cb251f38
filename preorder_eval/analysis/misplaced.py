"""Wrongly placed words, their costs, and their groups.

The fuzzy reordering score counts breaks: two neighbours in the system order that cannot be
neighbours in the reference order (Talbot et al. 2011, equation 1). A word is wrongly placed if
there is a break on its left or on its right. Each of the two words bears half of the break, so the
halves of all words add up to C - 1, the number of breaks; the ends of a sentence are no breaks.

A break costs its sentence 1 / (M - 1), and the corpus that divided by the number of sentences; if
the score is pooled, it costs 1 / Σ(M - 1). So the costs of all groups of a grouping add up to 1 -
FRS. Words that the metric leaves out (`unaligned=drop`) are in no group.

Neighbours in the source are looked at, too. Two of them are wrongly split if the system separated
them, but the reference keeps them adjacent, and wrongly kept in the opposite case. Here every token
is matched with itself, while the score matches words by form.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from preorder_eval.base.arrays import Bools, Floats, Ints, Longs, Offsets
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.stats.bootstrap import Interval, clustered_wilson
from preorder_eval.base.stats.unit import EACH_SENTENCE, Unit
from preorder_eval.metrics.orders.fuzzy import Fuzzy, kept_by_reference
from preorder_eval.orders.orders import Orders, ReferenceOrders, SourceWords, aligned_only
from preorder_eval.trees.treebank import Treebank, comment_value


@dataclass(frozen=True, eq=False)
class Placement:
    """How a system placed every source token of a corpus; arrays of N.

    - `counted`: whether the metric scores it. All that follows is 0 for other tokens.
    - `breaks`: the number of breaks beside it, 0 to 2; `cost`: what these cost the corpus, in FRS.
    - `inversions`: how many words stand on the wrong side of it.
    - `wrongly_split`, `wrongly_kept`: whether it is one of two such neighbours in the source.
    - `broken`: for every place of the system order, not for every token, whether a break follows
      it.
    """

    counted: Bools
    breaks: Longs
    cost: Floats
    inversions: Longs
    wrongly_split: Bools
    wrongly_kept: Bools
    broken: Bools

    @property
    def wrong(self) -> Bools:
        """Return whether each token is wrongly placed; bool[N]."""
        return self.breaks > 0


def placement(
    orders: Orders, references: ReferenceOrders, words: SourceWords | None, metric: Fuzzy
) -> Placement:
    """Find how a system's orders place every token.

    Breaks are those of the metric, inversions those of `kendall`, both exact with ties and over the
    words that the metric counts. Parameters: `references` one for each sentence.

    >>> references = ReferenceOrders.of([[[0], [2], [1], [3]]])
    >>> words = SourceWords.of([["he", "eats", "fish", "."]])
    >>> unchanged = placement(Orders.unchanged(references.offsets), references, words, Fuzzy())
    >>> unchanged.breaks.tolist(), unchanged.inversions.tolist()
    ([1, 2, 2, 1], [0, 1, 1, 0])
    """
    if metric.unaligned == "drop":
        linked, scored_alike = references.aligned, replace(metric, unaligned="attach")
        fewer = placement(*aligned_only(orders, references, words), scored_alike)
        spread: dict[str, NDArray[Any]] = {}
        for name, values in vars(fewer).items():  # all other words get 0
            spread[name] = np.zeros(len(linked), dtype=values.dtype)
            spread[name][linked[orders.tokens] if name == "broken" else linked] = values
        return Placement(**spread)
    place = np.empty(len(orders.tokens), dtype=np.int64)
    place[orders.tokens] = np.arange(len(place))
    followed = np.diff(place, append=-1) == 1  # by its neighbour in the source, in the system order
    kept = kept_by_reference(Orders.unchanged(orders.offsets), references, None)
    last = np.zeros(orders.offsets[-1], dtype=bool)  # of their sentence
    last[orders.offsets[1:][np.diff(orders.offsets) > 0] - 1] = True
    matched = words if metric.match == "word" else None
    broken = ~kept_by_reference(orders, references, matched) & ~last
    breaks = _beside(broken)[place]
    pairs, scored = np.maximum(orders.lengths - 1, 0), references.informative
    if metric.average == "pooled":
        of_a_break = scored / max(pairs[scored].sum(), 1)
    else:
        of_a_break = scored / np.maximum(pairs, 1) / max(scored.sum(), 1)
    return Placement(
        counted=np.repeat(scored, orders.lengths),
        breaks=breaks,
        cost=breaks / 2 * np.repeat(of_a_break, orders.lengths),
        inversions=inversions_of(references.ranks[orders.tokens], orders.offsets)[place],
        wrongly_split=_beside(kept & ~followed & ~last) > 0,
        wrongly_kept=_beside(followed & ~kept & ~last) > 0,
        broken=broken,
    )


def inversions_of(sequence: Ints, offsets: Offsets) -> Longs:
    """Count for every position the words of its sentence inverted relative to it; int64[N]."""
    counts = np.zeros(len(sequence), dtype=np.int64)
    for start, stop in pairwise(offsets.tolist()):
        ranks = sequence[start:stop]
        inverted = np.triu(ranks[:, None] > ranks)
        counts[start:stop] = inverted.sum(axis=0) + inverted.sum(axis=1)
    return counts


def _beside(pairs: Bools) -> Longs:
    """Return for every place how many of the pairs on its two sides are marked; int64[N]."""
    marked = pairs.astype(np.int64)
    marked[1:] += pairs[:-1]
    return marked


GROUPINGS = {
    "word": "word, in lower case",
    "upos": "part of speech",
    "label": "dependency label",
    "head": "part of speech of the head",
    "phenomenon": "phenomenon of the sentence",
    "length": "sentence length in words",
}
LENGTH = "length"  # the grouping whose groups keep their order
NO_VALUE = "(none)"
ROOT = "(root)"
_LONGEST = (5, 10, 15, 20, 30, 40, 60)  # words, of each bucket of lengths


def groupings(
    words: SourceWords, trees: Treebank | None, gold: Treebank | None
) -> dict[str, NameColumn]:
    """Return the group of every source token by each of GROUPINGS that can be made, in that order.

    If the orders were made from no `trees`, the gold trees take their place.
    """
    found = {"word": words.words.renamed(str.lower)}
    tree = trees if trees is not None else gold
    if tree is not None:
        names = (*tree.upos.names, ROOT)
        of_heads = np.where(tree.heads < 0, len(names) - 1, tree.upos.codes[tree.parents])
        found |= {"upos": tree.upos, "label": tree.labels, "head": NameColumn(of_heads, names)}
    for by, of in sentence_groupings(words, gold).items():
        found[by] = NameColumn(np.repeat(of.codes, np.diff(words.offsets)), of.names)
    return found


def sentence_groupings(words: SourceWords, gold: Treebank | None) -> dict[str, NameColumn]:
    """Return the group of every sentence: by phenomenon, if there are any, and by length.

    The phenomenon is the comment `# phenomenon = …` of the gold trees.
    """
    comments = () if gold is None else gold.comments
    phenomena = [comment_value(lines, "phenomenon") for lines in comments]
    named = NameColumn.of(value or NO_VALUE for value in phenomena)
    by_phenomenon = {"phenomenon": named} if any(phenomena) else {}
    return {**by_phenomenon, LENGTH: length_buckets(np.diff(words.offsets))}


def length_buckets(sizes: Longs) -> NameColumn:
    """Return for every sentence its bucket of lengths, such as `6-10`, by its number of words."""
    starts = [1, *(longest + 1 for longest in _LONGEST)]
    names = [f"{a}-{b}" for a, b in zip(starts, _LONGEST, strict=False)] + [f"{starts[-1]}+"]
    return NameColumn(np.searchsorted(_LONGEST, sizes).astype(np.int32), tuple(names))


@dataclass(frozen=True)
class Group:
    """The words of a group: how many there are, and how many are wrong.

    `share` is wrong / count, with its 95% interval. `cost` is the FRS that is lost, between 0 and
    1. `inversions` is the mean number of words on the wrong side of a word. `sentences` has the
    1-based numbers of the sentences with a wrong word of the group, those where the group costs
    most first.
    """

    name: str
    count: int
    wrong: int
    share: Interval
    cost: float
    inversions: float
    wrongly_split: int
    wrongly_kept: int
    sentences: list[int]


def break_down(
    groups: NameColumn,
    placed: Placement,
    offsets: Offsets,
    *,
    ordered: bool = False,
    unit: Unit = EACH_SENTENCE,
) -> list[Group]:
    """Return the groups of scored words, the most costly first unless they are `ordered`.

    The intervals of shares are those of words in clusters, which are sentences or documents.
    """
    size = len(offsets) - 1
    sentence = np.repeat(np.arange(size), np.diff(offsets))
    token = np.flatnonzero(placed.counted)
    # What is counted in a group and sentence together is a cluster.
    keys, cluster = np.unique(
        groups.codes[token].astype(np.int64) * size + sentence[token], return_inverse=True
    )
    rows, row = np.unique(keys // size, return_inverse=True)
    columns = (
        *(placed.counted, placed.wrong, placed.cost),
        *(placed.inversions, placed.wrongly_split, placed.wrongly_kept),
    )
    in_clusters = np.zeros((len(keys), len(columns)))
    np.add.at(in_clusters, cluster, np.stack(columns, axis=1)[token])
    in_rows = np.zeros((len(rows), len(columns)))
    np.add.at(in_rows, row, in_clusters)
    counts, wrong, costs = in_clusters.T[:3]
    of_row = keys // size * size
    drawn, unit_of = np.unique(of_row + unit.numbers(size)[keys % size], return_inverse=True)
    row_of = np.unique(drawn // size, return_inverse=True)[1]
    in_units = np.zeros((2, len(drawn)))
    np.add.at(in_units.T, unit_of, np.column_stack([wrong, counts]))
    ends = clustered_wilson(in_units[0], in_units[1], row_of, len(rows))

    costly = np.lexsort((keys, -costs, row))
    costly = costly[wrong[costly] > 0]
    first = np.searchsorted(row[costly], np.arange(len(rows) + 1))
    numbers = (keys % size + 1)[costly]
    listed = []
    for r, (code, sums) in enumerate(zip(rows.tolist(), in_rows.tolist(), strict=True)):
        count, wrongs, cost, inversions, split, kept = sums
        listed.append(
            Group(
                name=groups.names[code],
                count=int(count),
                wrong=int(wrongs),
                share=Interval(wrongs / count, *ends[r].tolist()),
                cost=cost,
                inversions=inversions / count,
                wrongly_split=int(split),
                wrongly_kept=int(kept),
                sentences=numbers[first[r] : first[r + 1]].tolist(),
            )
        )
    return listed if ordered else sorted(listed, key=lambda group: (-group.cost, group.name))


def all_words(placed: Placement, offsets: Offsets, unit: Unit = EACH_SENTENCE) -> Group:
    """Return all words as one group."""
    everything = NameColumn(np.zeros(len(placed.breaks), dtype=np.int32), ("all words",))
    [group] = break_down(everything, placed, offsets, unit=unit)
    return group
