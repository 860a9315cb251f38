"""What every rule and every slot of a rule set is worth: the score without it.

Without a slot, as if its line were deleted from the rule file, its children go to the slot that
fits them next, in the end OTHER. A slot that names HEAD or OTHER cannot go, because a rule needs
both. Without a rule its heads fall under the rule that fits them next, and if there is none do
what the rule set's default says.

A part is worth the score with it minus the score without it, so that a part that hurts has a
negative worth. Mark, interval and p are those of `stats.significance`. Every part is tested by
itself: of hundreds of parts some will be marked by chance, and what is mended because of a mark
wants to be confirmed on other sentences.

Only the sentences in which a part fired are reordered again, and only those whose order changes
are scored again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.data.arrays import Bools, sums
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.tables import known
from preorder_eval.metrics.shared.base import OrderMetric
from preorder_eval.reordering.rule_set import HEAD, OTHER, Fit, RuleSet
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import Difference, compare_systems
from preorder_eval.stats.subsets import TRIALS_PER_RESAMPLE


@dataclass(frozen=True)
class Part:
    """A rule, or a slot of one, and what it is worth.

    `rule` and `slot` are numbers, counted from 0, `slot` None for the whole rule; the names are
    what tables call them. `fired` counts the heads with children that the rule laid out, or the
    children that came into the slot. `changed` are the 1-based numbers of the sentences whose
    order is another one without it, and `gains` by how much the score of each is higher with it,
    NaN where a sentence is not scored. `without` is the corpus value without it, `worth` the value
    with it minus that.
    """

    rule: int
    slot: int | None
    rule_name: str
    slot_name: str
    fired: int
    changed: list[int]
    gains: list[float]
    without: float
    worth: Difference


@dataclass(frozen=True, eq=False)
class Ablation:
    """The parts of a rule set, what hurts most first; `value` is the score with all of them."""

    rules: RuleSet
    metric: str
    value: float
    parts: list[Part]
    sentences: int
    left_out: int
    resamples: int
    seed: int

    def table(self) -> tuple[list[str], list[list[object]]]:
        """Header and a row for each part as plain values; rules and slots counted from 1."""
        header = ["rule", "heads", "slot", "children", "fired", "changed", "without", "worth"]
        header += ["low_95", "high_95", "significance", "p"]
        rows: list[list[object]] = []
        for part in self.parts:
            slot = (None, None) if part.slot is None else (part.slot + 1, part.slot_name)
            counts = (part.fired, len(part.changed))
            ends = (known(part.worth.at_95.low), known(part.worth.at_95.high))
            values = (part.without, part.worth.value, *ends, part.worth.mark, part.worth.p)
            rows.append([part.rule + 1, part.rule_name, *slot, *counts, *values])
        return header, rows

    def summary(self) -> dict[str, Any]:
        """What `--json` prints: the table, and the numbers of the sentences that changed."""
        header, rows = self.table()
        return {
            "rules": self.rules.name,
            "metric": self.metric,
            "value": self.value,
            "sentences": self.sentences,
            "left_out": self.left_out,
            "randomization": {"trials": TRIALS_PER_RESAMPLE * self.resamples, "seed": self.seed},
            "parts": [
                {**dict(zip(header, cells, strict=True)), "changed_sentences": part.changed}
                for cells, part in zip(rows, self.parts, strict=True)
            ],
        }


def ablate(
    rules: RuleSet,
    treebank: Treebank,
    references: ReferenceOrders,
    metric: OrderMetric,
    words: SourceWords | None = None,
    *,
    resamples: int = 1000,
    seed: int = 0,
    advance: Callable[[int], None] | None = None,
) -> Ablation:
    """Leave out every rule and every slot in turn.

    Parameters: `references` and `words` of the sentences of the trees, words as for the metric's
    `score`; `advance` is told how many more parts are done. Raises PreorderEvalError for a rule set
    without rules, for trees that the rules cannot read, and where no sentence has a link.

    >>> from preorder_eval.formats.reference_set import load_reference
    >>> from preorder_eval.formats.rules_toml import load_rules
    >>> from preorder_eval.metrics import order_metric
    >>> reference, metric = load_reference("en-ja"), order_metric("fuzzy")
    >>> rules = load_rules("head-final-reverse-after")
    >>> result = ablate(rules, reference.trees, reference.references, metric)
    >>> best = result.parts[-1]
    >>> best.rule_name, best.slot_name, best.worth.mark
    ('*', 'punct after', '+**')
    """
    if not rules.rules:
        raise PreorderEvalError(f"rule set {rules.name!r} has no rules to leave out")
    if not references.informative.any():
        raise PreorderEvalError("no sentence has a link, nothing can be scored")
    fit = rules.fit(treebank)
    orders = rules.reorder_unchecked(treebank)
    scores = metric.score(orders, references, words)
    alternatives, found = [scores.statistics], []
    for rule, slot in removable(rules):
        fired = _fired(treebank, fit, rule, slot)
        at = np.flatnonzero(sums(fired, treebank.offsets))
        without = _without(rules, rule, slot).reorder_unchecked(treebank.take(at))
        changed = np.flatnonzero(_differing(without, orders.take(at)))
        at = at[changed]
        statistics = scores.statistics.copy()
        if at.size:
            statistics[at] = metric.statistics(
                without.take(changed), references.take(at), words and words.take(at)
            )
        alternatives.append(statistics)
        gains = scores.sentence[at] - metric.finish(statistics[at])
        found.append((rule, slot, int(fired.sum()), at + 1, gains))
        if advance:
            advance(1)

    scored = references.informative
    measurement = Measurement(np.stack(alternatives)[:, scored], metric.finish)
    [pairs] = compare_systems(
        [measurement],
        higher_is_better=[metric.higher_is_better],
        pairs=[(number, 0) for number in range(1, len(alternatives))],
        resamples=resamples,
        seed=seed,
    )
    parts = []
    for pair, (rule, slot, fired_on, at, gains) in zip(pairs, found, strict=True):
        named = rules.rules[rule]
        parts.append(
            Part(
                rule,
                slot,
                str(named),
                "" if slot is None else str(named.slots[slot]),
                fired_on,
                at.tolist(),
                gains.tolist(),
                float(measurement.values[pair.first]),
                pair.difference,
            )
        )
    parts.sort(key=lambda part: round(part.worth.value, 9))
    return Ablation(
        rules,
        str(metric),
        float(measurement.values[0]),
        parts,
        int(scored.sum()),
        int((~scored).sum()),
        resamples,
        seed,
    )


def removable(rules: RuleSet) -> list[tuple[int, int | None]]:
    """What can be left out: the numbers of every rule and slot, None for a whole rule.

    >>> from preorder_eval.formats.rules_toml import load_rules
    >>> removable(load_rules("head-final-reverse-after"))[:2]
    [(0, None), (0, 0)]
    """
    return [
        (number, place)
        for number, rule in enumerate(rules.rules)
        for place in (None, *range(len(rule.slots)))
        if place is None or not {HEAD, OTHER} & set(rule.slots[place].labels)
    ]


def _fired(treebank: Treebank, fit: Fit, number: int, place: int | None) -> Bools:
    """The heads that a rule laid out, or the children that came into a slot of it; bool[N]."""
    children: Bools = fit.above == number
    if place is not None:
        children &= fit.slot == place
        return children
    heads = np.zeros_like(children)
    heads[treebank.parents[children]] = True
    return heads


def _without(rules: RuleSet, number: int, place: int | None) -> RuleSet:
    """The rule set without a rule, or without a slot of it."""
    left = list(rules.rules)
    rule = left.pop(number)
    if place is not None:
        slots = rule.slots[:place] + rule.slots[place + 1 :]
        left.insert(number, replace(rule, slots=slots))
    return replace(rules, rules=tuple(left))


def _differing(first: Orders, second: Orders) -> Bools:
    """Which sentences two systems order differently; bool[S]."""
    return sums(first.positions != second.positions, first.offsets) > 0
