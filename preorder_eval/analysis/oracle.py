"""What limits the score of a rule set: the rules, the parser, or that trees are reordered at all.

The best score that any reordering of the parser's trees has is what better rules could reach; the
best of the gold trees is what a better parser could add; what is left no rule that keeps subtrees
whole can win.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from preorder_eval.analysis.item_pairs import ItemPair, item_pairs
from preorder_eval.analysis.tree_limit import Limit, check_metric, limit
from preorder_eval.data.alternatives import Alternatives
from preorder_eval.data.orders import ReferenceOrders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.source_words import SourceWords
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.rules import load_rules
from preorder_eval.formats.tables import Table
from preorder_eval.metrics import order_metric
from preorder_eval.metrics.kendall import Kendall
from preorder_eval.metrics.shared.base import OrderMetric
from preorder_eval.parsers.base import Parser
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.resources import DEFAULT_REFERENCE
from preorder_eval.results.pairings import warn_of_rules
from preorder_eval.results.systems import Progress, Rules, named_trees, no_progress

OBJECTIVE = "kendall(unaligned=drop)"


@dataclass(frozen=True)
class Part:
    """A part of the distance between the score and 1, as a difference of scores.

    `name` is `rules`, `parser` or `impossible`; the difference is from `low` to `high`, the same
    where the limits at both its ends are proven. That of the parser is negative where its trees
    can be reordered better than the gold trees.
    """

    name: str
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Oracle:
    """The score of a rule set, and how far reordering can get.

    `value` is the score, `trees` the limit of the trees that the rules reorder and `gold` that of
    the gold trees, None where there are none or they are the same; `value_on_gold` is what the
    rules score on those, None also where they cannot read them. `pairs` are the kinds of items
    that the rules put one before the other, what turning gains most first, counted by
    `pair_metric`. `reference` and `parser` are names, empty where they have none.
    """

    rules: RuleSet
    metric: str
    value: float
    trees: Limit
    gold: Limit | None
    pairs: list[ItemPair]
    pair_metric: str
    sentences: int
    left_out: int
    value_on_gold: float | None = None
    reference: str = ""
    parser: str = ""

    def __repr__(self) -> str:
        return (
            f"<Oracle of {self.rules.name}: {self.metric} {self.value:.4f}, at most {self.trees}>"
        )

    @property
    def parts(self) -> list[Part]:
        """What the score lacks to 1, in two parts or three, from what is nearest at hand."""
        trees, last = self.trees, self.gold or self.trees
        parts = [Part("rules", trees.low - self.value, trees.high - self.value)]
        if self.gold is not None:
            low, high = self.gold.low - trees.high, self.gold.high - trees.low
            parts.append(Part("parser", low, high))
        return [*parts, Part("impossible", 1 - last.high, 1 - last.low)]

    def tables(self) -> list[Table]:
        """The parts and the pairs of items, each with header and rows of plain values."""
        parts = [list(asdict(part).values()) for part in self.parts]
        header = ["head", "first", "second", "times", "right", "wrong", "gain", "sentences"]
        pairs = [
            [*(getattr(pair, name) for name in header[:-1]), ",".join(map(str, pair.sentences))]
            for pair in self.pairs
        ]
        return [(["part", "low", "high"], parts), (header, pairs)]

    def summary(self) -> dict[str, Any]:
        """What `--json` prints: the scores, the parts, and all pairs with their sentences."""
        named = {"reference": self.reference, "parser": self.parser}
        limits = {"trees": self.trees, "gold": self.gold}
        return {
            **{what: name for what, name in named.items() if name},
            "rules": self.rules.name,
            "metric": self.metric,
            "sentences": self.sentences,
            "left_out": self.left_out,
            "value": self.value,
            "value_on_gold": self.value_on_gold,
            "oracle": {what: self._limit(of) for what, of in limits.items() if of is not None},
            "parts": [asdict(part) for part in self.parts],
            "pair_metric": self.pair_metric,
            "pairs": [asdict(pair) for pair in self.pairs],
        }

    def _limit(self, of: Limit) -> Mapping[str, Any]:
        return {"low": of.low, "high": of.high, "not_proven": of.not_proven}


def oracle(
    rules: Rules,
    trees: str | Path | Parser | Treebank,
    reference: str | Path | ReferenceSet | ReferenceOrders | Alternatives = DEFAULT_REFERENCE,
    metric: str | OrderMetric = OBJECTIVE,
    words: SourceWords | None = None,
    *,
    jobs: int = 1,
    cache: bool = True,
    progress: Progress = no_progress,
) -> Oracle:
    """Find how far rules could get on some trees, and what stands in their way.

    Parameters: `rules` a rule set, by name or path or in memory; `trees` of the sentences, or a
    parser, by name or path, that makes them (`gold` for the reference's own); `reference` a
    reference set, or reference orders, then with `words` as for the metric's `score`; `metric`
    kendall or fuzzy; `jobs` how many processes share the work. Without `cache` everything is
    parsed anew. Raises PreorderEvalError for trees
    that the rules cannot read, another metric, and where no sentence has a link.

    >>> oracle("en-ko", "gold", "en-ko")
    <Oracle of en-ko: kendall(unaligned=drop) 0.9629, at most 0.9987>
    """
    # What is quick to fail comes first: parsing is not.
    rules = rules if isinstance(rules, RuleSet) else load_rules(rules)
    metric = order_metric(metric) if isinstance(metric, str) else metric
    if not isinstance(reference, ReferenceSet | ReferenceOrders | Alternatives):
        reference = load_reference(reference)
    name, gold = "", None
    if isinstance(reference, ReferenceSet):
        warn_of_rules(rules, reference)
        name, references, words = reference.name, reference.allowed, reference.words
        gold = reference.trees
    else:
        references = reference
    check_metric(metric, references)
    if not references.informative.any():
        raise PreorderEvalError("no sentence has a link, nothing can be scored")
    parser, treebank = named_trees(trees, reference, cache=cache, progress=progress)

    orders = rules.reorder(treebank)
    scores = metric.score(orders, references, words)
    by_pairs = Kendall(average=metric.average, unaligned=metric.unaligned)
    pairs = item_pairs(
        treebank,
        orders,
        metric.chosen(orders, references, words),
        by_pairs,
        getattr(treebank, rules.tags),
    )
    of_trees = limit(treebank, references, metric, words, jobs=jobs, progress=progress)
    of_gold, on_gold = None, None
    if gold is not None and (gold.heads != treebank.heads).any():
        of_gold = limit(gold, references, metric, words, jobs=jobs, progress=progress)
        # Gold trees may be of another scheme than the parser's, which these rules are for.
        with suppress(PreorderEvalError):
            on_gold = metric.score(rules.reorder(gold), references, words).corpus
    scored = int(references.informative.sum())
    return Oracle(
        rules,
        str(metric),
        scores.corpus,
        of_trees,
        of_gold,
        pairs,
        str(by_pairs),
        scored,
        len(references.informative) - scored,
        on_gold,
        name,
        parser,
    )
