"""How far rules could get, and what limits a score: the rules, the parser, or trees as such.

Better rules could reach the best score of any reordering of the parser's trees. If gold trees allow
a higher score, a better parser could add the difference. The rest cannot be reached by rules that
keep subtrees whole.

The score is Kendall's τ, because for τ every head can be ordered by itself if the reference is
known. The links decide which of two items of a head should come first: the order in which fewer
pairs of their words are inverted. The gain of inverting a pair of items is computed as if no other
items moved. The FRS that is shown is that of the orders with the best τ; other orders may have a
higher FRS.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.analysis.trees_and_orders import Reference, RuleInputs, Trees
from preorder_eval.base.arrays import Bools, Floats
from preorder_eval.base.errors import PreorderEvalError, UnknownNameError
from preorder_eval.base.progress import Progress, no_progress
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.tables import Caveat, Column, Shown, Table, figure
from preorder_eval.base.visible import first_few, quantity
from preorder_eval.evaluation.notes import converted_notes
from preorder_eval.evaluation.systems import Rules
from preorder_eval.metrics import order_metric, short_names
from preorder_eval.metrics.orders.fuzzy import Fuzzy
from preorder_eval.metrics.orders.order import Kendall, OrderMetric, same_lengths
from preorder_eval.orders.orders import Alternatives, Orders, ReferenceOrder, ReferenceOrders
from preorder_eval.references.objective import objective
from preorder_eval.rules.conditions import HEAD
from preorder_eval.rules.pair_costs import fewest_inversions, pair_costs
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.rules.trace import Step, TracedItem
from preorder_eval.trees.treebank import Tree, Treebank

_ROUNDING = 1e-9
_TOP = 15  # pairs of items that text shows
_WON_BY = {
    "rules": "other rules on these trees",
    "parser": "the gold trees",
    "impossible": "no order of whole subtrees",
}


@dataclass(frozen=True, eq=False)
class Limit:
    """The best score that any reordering of some trees can have: from `low` to `high`.

    `low` is the corpus value of `orders`, the best that were found. No reordering has a value above
    `high`. `proven` bool[S] is true for the sentences of which no other order can be better, and
    for those that are not scored. `most` float64[S] is a value that no reordering of the sentence
    exceeds, NaN if it is not scored.
    """

    orders: Orders
    low: float
    high: float
    proven: Bools
    most: Floats

    @property
    def not_proven(self) -> list[int]:
        """The 1-based numbers of the sentences for which another order may be better."""
        return (np.flatnonzero(~self.proven) + 1).tolist()

    @property
    def out_of_reach(self) -> list[int]:
        """The 1-based numbers of the sentences whose reference order no reordering reaches."""
        return (np.flatnonzero(self.most < 1 - _ROUNDING) + 1).tolist()

    def __str__(self) -> str:
        """Return the value, or both ends where they differ."""
        return " to ".join(dict.fromkeys([figure(self.low), figure(self.high)]))


@dataclass(frozen=True)
class Shortfall:
    """A part of the distance between the score and 1.

    `cause` is `rules`, `parser` or `impossible`. `low` and `high` are differences of scores, and
    the same if the limits at both ends are proven. The parser's part can be negative. `frs` is the
    part by FRS.
    """

    cause: str
    low: float
    high: float
    frs: float


@dataclass(frozen=True)
class ItemPair:
    """Two kinds of items of heads of one category, of which the first comes out before the second.

    - `head` is the category. `first` and `second` are HEAD, or a label with < for a child that
      stood before its head in the source, > for one after it. If both are of the same kind, they
      end in 1 and 2, by their places in the source.
    - `times` counts how often the first came out before the second and the links decide between the
      two orders: `right` times rightly, `wrong` times wrongly; the remaining times both orders are
      equally good.
    - `gain` is the increase of the score if they were inverted in all these heads.
    - `sentences` are the 1-based numbers of the sentences in which they stand wrongly.
    """

    head: str
    first: str
    second: str
    times: int
    right: int
    wrong: int
    gain: float
    sentences: list[int]


@dataclass(frozen=True, eq=False)
class Oracle(Shown):
    """The score of a rule set, and how far reordering could get.

    - `value` is the score, and `trees` the limit of the trees that the rules reorder.
    - `gold` is the limit of the gold trees; None if there are none, or they are the same.
      `value_on_gold` is the score of the rules on the gold trees; None also if the rules cannot
      read them.
    - `frs` has the FRS of the rules, of the best orders of `trees` and, if there are any, of
      `gold`; `source_frs` is that of the source order.
    - `pairs` are the kinds of items of which one comes before the other, the highest gain first, by
      the metric `pair_metric`.
    """

    rules: RuleSet
    inputs: RuleInputs
    metric: str
    value: float
    value_on_gold: float | None
    trees: Limit
    gold: Limit | None
    frs: list[float]
    pairs: list[ItemPair]
    pair_metric: str
    source_frs: float

    @property
    def verdict(self) -> str:
        [name], _ = short_names([self.metric])
        now, best = map(figure, self.frs[:2])
        score = f"{name} {figure(self.value)} (FRS {now})"
        score += f", with the best rules {self.trees} (FRS {best})"
        return self.inputs.verdict(self.rules, score)

    @property
    def own_warnings(self) -> Sequence[Caveat]:
        return self.inputs.learned

    def shortfalls(self) -> list[Shortfall]:
        """Return the parts of the distance from the score to 1: two, or three with gold trees."""
        trees, last = self.trees, self.gold or self.trees
        frs = np.diff([*self.frs, 1]).tolist()
        parts = [Shortfall("rules", trees.low - self.value, trees.high - self.value, frs[0])]
        if self.gold is not None:
            low, high = self.gold.low - trees.high, self.gold.high - trees.low
            parts.append(Shortfall("parser", low, high, frs[1]))
        return [*parts, Shortfall("impossible", 1 - last.high, 1 - last.low, frs[-1])]

    def steps(self) -> list[tuple[str, float]]:
        """Return the steps of FRS from 0 to 1: the source order, these rules, and the shortfalls.

        >>> steps = oracle("en-ko", "gold", "en-ko").steps()
        >>> [name for name, _ in steps]
        ['source order', 'these rules', 'rules', 'impossible']
        >>> round(sum(frs for _, frs in steps), 9)
        1.0
        """
        gained = self.frs[0] - self.source_frs
        first = [("source order", self.source_frs), ("these rules", gained)]
        return [*first, *((part.cause, part.frs) for part in self.shortfalls())]

    @property
    def _limits(self) -> dict[str, Limit]:
        """The limits that are known, by the name of the trees."""
        return {"trees": self.trees} | ({} if self.gold is None else {"gold": self.gold})

    def tables(self) -> list[Table]:
        columns = [Column(name, format=".3f") for name in self._limits]
        best = [of.most.tolist() for of in self._limits.values()]
        rows = [[s, *(most[s - 1] for most in best)] for s in self.trees.out_of_reach]
        parts = list(map(Column, ("cause", "low", "high", "frs")))
        return [
            Table.of("parts", parts, self.shortfalls()),
            Table.of("pairs", _PAIR_COLUMNS, self.pairs),
            Table("out_of_reach", [Column("sentence"), *columns], rows),
        ]

    def _facts(self) -> dict[str, Any]:
        return {
            **self.inputs.facts(self.rules),
            "metric": self.metric,
            "value": self.value,
            "value_on_gold": self.value_on_gold,
            "frs": self.frs,
            "source_frs": self.source_frs,
            "oracle": {
                what: {"low": of.low, "high": of.high, "not_proven": of.not_proven}
                for what, of in self._limits.items()
            },
            "pair_metric": self.pair_metric,
        }

    def view(self, whole: bool = False) -> list[Table]:
        lacking = (1 - self.value) or 1
        limits = [figure(self.value), *map(str, self._limits.values()), "1"]
        rows = [
            [
                part.cause,
                *limits[n : n + 2],
                _span(100 * part.low, 100 * part.high, ".2f"),
                _span(100 * part.low / lacking, 100 * part.high / lacking, ".0f") + "%",
                _number(100 * part.frs, ".2f"),
                _WON_BY[part.cause],
            ]
            for n, part in enumerate(self.shortfalls())
        ]
        columns = list(map(Column, ("part", "from", "to", "points", "share", "FRS", "gained by")))
        _, pairs, beyond = self.tables()
        pairs = pairs.where(pair.gain > 0 for pair in self.pairs)
        pairs = pairs.select(
            *("points", "times", "right", "wrong", "head", "first", "second", "examples"),
            notes=[f"points: gain in {self.pair_metric} if only this pair were inverted"],
        )
        parts = Table("parts", columns, rows, notes=self._notes())
        if not whole:
            return [parts, pairs.head(_TOP)]
        title = "Sentences whose reference order no rules can reach, with the best τ"
        return [parts, pairs, *[replace(beyond, title=title)] * bool(beyond.rows)]

    def _notes(self) -> list[str]:
        [name], signature = short_names([self.metric])
        notes = [f"{signature}; points of 0.01 {name}; FRS: points of FRS, for the same orders"]
        notes.append("the oracle orders every head separately and sees the reference")
        counts = [len(of.out_of_reach) for of in self._limits.values()]
        with_gold = f"; with gold trees, of {counts[1]}" if len(counts) > 1 else ""
        beyond = quantity(counts[0], "sentence") + with_gold
        notes.append(f"no rules can reach the reference order of {beyond}")
        notes += [caveat.text for caveat in self.inputs.learned]
        notes += converted_notes([self.inputs.made_by])
        if self.value_on_gold is not None:
            notes.append(
                f"with gold trees, the same rules score {figure(self.value_on_gold)}; a gap that "
                "either rules or trees could close counts as the rules'"
            )
        kinds = {"trees": "the parser's" if self.gold else "the given", "gold": "gold"}
        unproven = [
            f"{len(of.not_proven)} with {kinds[what]} trees"
            for what, of in self._limits.items()
            if of.not_proven
        ]
        if unproven:
            some = ", ".join(unproven)
            notes.append(f"some best orders are not proven ({some}), so limits are ranges")
        by_cause = {part.cause: part for part in self.shortfalls()}
        if by_cause["rules"].high < 0:
            notes.append(
                "the rules score above the oracle, because they leave sentences with crossing "
                "arcs unchanged if no rule fits, although that splits subtrees"
            )
        if "parser" in by_cause and by_cause["parser"].low < 0:
            sure = "is" if by_cause["parser"].high < 0 else "may be"
            notes.append(
                f"the parser's part {sure} negative: its trees reorder better than gold trees"
            )
        return [*notes, "a pair that is wrong in few sentences may be right in other text"]


_PAIR_COLUMNS = [
    *map(Column, ("head", "first", "second", "times", "right", "wrong", "gain")),
    Column("points", format=".3f", only="people", of=lambda pair: 100 * pair.gain),
    Column("sentences"),
    Column(
        "examples", "wrong in sentences", only="people", of=lambda pair: first_few(pair.sentences)
    ),
]


def _span(low: float, high: float, form: str) -> str:
    """Return a range in words; one number if both ends are printed alike."""
    return " to ".join(dict.fromkeys([_number(low, form), _number(high, form)]))


def _number(value: float, form: str) -> str:
    """Return a formatted number, zero without a sign."""
    return format(round(value, int(form[-2])) + 0.0, form)


def oracle(
    rules: Rules,
    trees: Trees,
    reference: Reference | None = None,
    metric: str | OrderMetric | None = None,
    *,
    cache: bool = True,
    progress: Progress = no_progress,
) -> Oracle:
    """Find how far rules could get on some trees, and what stands in their way.

    Parameters: `rules` a rule set, by name or path or in memory; `trees` of the sentences, or a
    parser, by name or path, that makes them (`gold` for the reference's own); `reference` a
    reference set, or reference orders; `metric` kendall with its options, by default as in
    `evaluate` (`objective`). Without `cache` everything is parsed anew. Raises PreorderEvalError
    for trees that the rules cannot read, for another metric, and if no sentence has a link.

    >>> import preorder_eval as pe
    >>> pe.oracle("en-ko", "gold", "en-ko").verdict  # doctest: +ELLIPSIS
    'gold/en-ko on en-ko/dev: τ 0.9..., with the best rules 0.99...; 150 sentences'
    """
    # What is quick to fail comes first: parsing is not.
    rules = load_rules(rules)
    by = order_metric(metric) if isinstance(metric, str) else metric
    if not isinstance(by, Kendall | None):
        raise UnknownNameError("metric of the oracle", by.name, [Kendall.name])
    inputs = RuleInputs.of(rules, trees, reference, None, cache=cache, progress=progress)
    treebank, references = inputs.trees, inputs.references
    by = by or objective(references).tau
    if isinstance(references, Alternatives) and by.references == "first":
        references = references.firsts
    if isinstance(references, Alternatives) and (references.counts > 1).any():
        for setting, unknown, known in (
            ("references", "mean", "best"),
            ("average", "pooled", "sentence"),
        ):
            if getattr(by, setting) == unknown:
                raise PreorderEvalError(
                    f"with several reference orders per sentence, there is no oracle for {by}; "
                    f"set {setting}={known}"
                )

    orders = rules.reorder(treebank)
    treebank = rules.fit(treebank).treebank  # what is lifted is ordered at its new head
    value = by.score(orders, references).corpus
    by_pairs = Kendall(average=by.average, unaligned=by.unaligned)
    nearest = by.chosen(orders, references, None)
    pairs = item_pairs(treebank, orders, nearest, by_pairs, getattr(treebank, rules.tags))
    of_gold, on_gold, gold = None, None, inputs.gold
    if gold is not None and (gold.heads != inputs.trees.heads).any():
        # Gold trees may be of another scheme than the parser's, which these rules are for.
        with suppress(PreorderEvalError):
            on_gold = by.score(rules.reorder(gold), references).corpus
            gold = rules.fit(gold).treebank
        of_gold = limit(gold, references, by)
    of_trees = limit(treebank, references, by)
    fuzzy = Fuzzy(unaligned=by.unaligned, average=by.average, references=by.references)
    source = Orders.unchanged(treebank.offsets)
    compared = [source, orders, of_trees.orders, *([of_gold.orders] if of_gold else [])]
    source_frs, *frs = (fuzzy.score(each, references, inputs.words).corpus for each in compared)
    best = value, on_gold, of_trees, of_gold, frs
    return Oracle(rules, inputs, str(by), *best, pairs, str(by_pairs), source_frs)


def limit(treebank: Treebank, references: ReferenceOrders | Alternatives, metric: Kendall) -> Limit:
    """Find the best order of every tree that keeps its subtrees whole.

    If a sentence has several reference orders, the one counts that the tree can come closest to.
    The orders of all sentences are proven, except those in which a head has more than a dozen items
    whose best places contradict each other. Raises PreorderEvalError if lengths differ.
    """
    same_lengths(treebank.offsets, references.offsets, "references")
    several = references
    if isinstance(several, ReferenceOrders):
        several = Alternatives(several, np.arange(len(several)))
    trees, each = treebank.take(several.sentence), several.references
    nearest, least = fewest_inversions(trees, _counted(each, metric))
    orders = nearest.take(several.best(metric.finish(metric.statistics(nearest, each))))
    reached = metric.statistics(orders, references)

    _, worst = metric.counted_losses(nearest, each, None)
    possible = metric.of_losses(least, worst) * each.informative[:, None]
    possible = possible[several.best(metric.finish(possible))]
    gap = metric.finish(possible) - metric.finish(reached)
    low, high = (float(metric.finish(rows.sum(axis=0))) for rows in (reached, possible))
    proven = ~references.informative | (gap < _ROUNDING)
    most = np.where(references.informative, metric.finish(possible), np.nan)
    return Limit(orders, low, low if proven.all() else max(low, high), proven, most)


def _counted(references: ReferenceOrders, metric: Kendall) -> ReferenceOrders:
    """Return the references with every word marked as aligned that the metric counts.

    With `unaligned=attach` these are all words of the sentences that have a link.
    """
    if metric.unaligned == "drop":
        return references
    lengths = np.diff(references.offsets)
    return replace(references, aligned=np.repeat(references.informative, lengths))


def item_pairs(
    treebank: Treebank,
    orders: Orders,
    references: ReferenceOrders,
    metric: Kendall,
    categories: NameColumn,
) -> list[ItemPair]:
    """Count all pairs of kinds of items, sorted by how much turning them would gain.

    Parameters: the `orders` that are scored, `references` with one order for each sentence,
    `categories` of the heads, such as their tags. Sentences without links are left out.
    """
    # What one inversion less adds to the corpus score, in each sentence.
    _, worst = metric.counted_losses(orders, references, None)
    scored = references.informative
    if metric.average == "pooled":
        per_inversion = np.full(len(worst), 1 / max(worst[scored].sum(), 1))
    else:
        none = np.zeros(len(worst))
        per_inversion = np.divide(1, worst * max(scored.sum(), 1), out=none, where=worst > 0)

    costs = pair_costs(treebank, _counted(references, metric))
    turned = orders.places[costs.first] > orders.places[costs.second]
    inverted = np.where(turned, costs.turn - costs.keep, costs.keep - costs.turn)
    labels, tags = list(treebank.labels), list(categories)

    def kind(token: int, head: int) -> str:
        return HEAD if token == head else labels[token] + ("<" if token < head else ">")

    by_kinds: dict[tuple[str, str, str], list[tuple[int, float]]] = defaultdict(list)
    columns = (costs.block, costs.first, costs.second, turned, costs.sentence, inverted)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for head, one, other, is_turned, sentence, more in rows:
        kinds = [kind(one, head), kind(other, head)]
        if kinds[0] == kinds[1]:
            kinds = [kinds[0] + "1", kinds[1] + "2"]
        before, after = reversed(kinds) if is_turned else kinds
        by_kinds[tags[head], before, after].append((sentence, more))
    pairs = [
        ItemPair(
            *key,
            times=len(seen),
            right=sum(more < 0 for _, more in seen),
            wrong=sum(more > 0 for _, more in seen),
            gain=sum(more * float(per_inversion[sentence]) for sentence, more in seen),
            sentences=list(dict.fromkeys(sentence + 1 for sentence, more in seen if more > 0)),
        )
        for key, seen in by_kinds.items()
    ]
    return sorted(pairs, key=lambda p: (-round(p.gain, 12), p.head, p.first, p.second))


def nearer_items(
    tree: Tree, steps: Sequence[Step], reference: ReferenceOrder
) -> dict[int, tuple[TracedItem, ...]]:
    """Return a better order of the items of each head in a trace that could be ordered better.

    Better means fewer inversions compared with the reference order. Items that make no difference
    stand in source order.
    """
    treebank, references = Treebank.of([tree]), ReferenceOrders.of([reference])
    best = fewest_inversions(treebank, references)[0].places
    costs = pair_costs(treebank, references)

    def inversions(head: int, items: Sequence[TracedItem]) -> float:
        place = np.zeros(len(best), dtype=np.int64)
        place[[item.token for item in items]] = range(len(items))
        here = costs.block == head
        kept = place[costs.first[here]] < place[costs.second[here]]
        return float(np.where(kept, costs.keep[here], costs.turn[here]).sum())

    nearer = {}
    for step in steps:
        wanted = tuple(sorted(step.before, key=lambda item: best[item.token]))
        if inversions(step.head, wanted) < inversions(step.head, step.after):
            nearer[step.head] = wanted
    return nearer
