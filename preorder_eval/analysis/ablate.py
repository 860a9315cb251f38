"""The contribution of every rule and every slot of a rule set: the score with it minus without it.

A part that hurts contributes less than 0. Every part is tested by itself
(`base.stats.significance`). If there are hundreds of parts, some are significant by chance, so
confirm on held-out sentences.

Only the sentences in which a part applies are reordered again, and only those whose order changes
are scored again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.analysis.trees_and_orders import Reference, RuleInputs, Trees
from preorder_eval.base.arrays import Longs, sums
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.progress import Progress, no_progress
from preorder_eval.base.stats.significance import TRIALS_PER_RESAMPLE, Difference, compare_systems
from preorder_eval.base.tables import Caveat, Column, Shown, Table, ends, figure
from preorder_eval.evaluation.decision import DecidedDifference, by_holm
from preorder_eval.evaluation.notes import converted_notes, interval_by, marks_legend
from preorder_eval.evaluation.systems import Rules
from preorder_eval.metrics import order_metric, short_names
from preorder_eval.metrics.orders.order import OrderMetric
from preorder_eval.orders.orders import Orders, SourceWords
from preorder_eval.references.objective import objective
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.treebank import Treebank, single_trees


@dataclass(frozen=True)
class Contribution:
    """A rule, or a slot or pair of a rule, and what it contributes to the score.

    - `rule` and `slot` are numbers, counted from 0; `slot` is None for the whole rule.
    - `rule_name` has the rule's heads. `called` is the rule's name, or its heads if it has no name.
    - `applied` counts the heads with children that the rule ordered, or the children that came into
      the slot. For a pair, it counts the children that fit one side of it, if another item fits the
      other side.
    - `changed` are the 1-based numbers of the sentences whose order differs without the part.
    - `without` is the corpus value without the part, and `difference` the value with it minus that.
    """

    rule: int
    slot: int | None
    called: str
    rule_name: str
    slot_name: str
    applied: int
    changed: list[int]
    without: float
    difference: Difference


@dataclass(frozen=True, eq=False)
class Ablation(Shown):
    """The parts of a rule set, the most harmful first; `value` is the score with all of them."""

    rules: RuleSet
    inputs: RuleInputs
    metric: str
    value: float
    parts: list[Contribution]
    resamples: int
    seed: int

    @property
    def verdict(self) -> str:
        """The score, and how many parts help or hurt, corrected for their number (Holm)."""
        [name], _ = short_names([self.metric])
        corrected = by_holm([DecidedDifference(part.difference) for part in self.parts])
        found = [each.decision.direction for each in corrected]
        hurt = [part for part, direction in zip(self.parts, found, strict=True) if direction < 0]
        scored = self.inputs.verdict(self.rules, f"{name} {figure(self.value)}")
        kind = "rules" if self._whole else "rules and slots"
        helping = f"{found.count(1)} of {len(self.parts)} {kind} help significantly"
        if not hurt:
            return f"{scored}. {helping}, none hurt significantly (Holm-corrected)."
        worst = " ".join(filter(None, (hurt[0].called, hurt[0].slot_name)))
        return (
            f"{scored}. {helping}, {len(hurt)} hurt significantly (Holm-corrected), {worst} "
            "most of all."
        )

    @property
    def own_warnings(self) -> Sequence[Caveat]:
        return self.inputs.warnings

    def tables(self) -> list[Table]:
        return [Table.of("parts", _COLUMNS, self.parts)]

    def view(self, whole: bool = False) -> list[Table]:
        changed = [whole or bool(part.changed) for part in self.parts]
        unit, scored = self.inputs.unit, self.inputs.references.informative
        units = unit.count(scored)
        notes = [f"contribution = with minus without{interval_by(unit.drawn)}"]
        notes += [caveat.text for caveat in self.own_warnings]
        notes += converted_notes([self.inputs.made_by])
        notes += marks_legend("randomization", self.resamples, self.seed, units=units).splitlines()
        if not all(changed):
            idle = changed.count(False)
            others = "rules and slots change" if idle > 1 else "rule or slot changes"
            notes.insert(0, f"{idle} further {others} no sentence")
        [parts] = self.tables()
        shown = ["contribution", "without", "applied", "changed", "name"]
        if not self._whole:
            shown.append("children")
        return [replace(parts.where(changed).select(*shown), notes=notes)]

    @property
    def _whole(self) -> bool:
        return all(part.slot is None for part in self.parts)

    def _facts(self) -> dict[str, Any]:
        return {
            **self.inputs.facts(self.rules),
            "metric": self.metric,
            "value": self.value,
            "randomization": {"trials": TRIALS_PER_RESAMPLE * self.resamples, "seed": self.seed},
        }


_COLUMNS = [
    Column("rule", of=lambda part: part.rule + 1),
    Column("name", "rule", only="people", of="called", label=True),
    Column("heads", only="data", of="rule_name", label=True),
    Column("slot", of=lambda part: None if part.slot is None else part.slot + 1),
    Column(
        "children",
        "slot",
        of=lambda part: None if part.slot is None else part.slot_name,
        wrap=True,
        none="(the whole rule)",
    ),
    Column("applied"),
    Column("changed", of=lambda part: len(part.changed)),
    Column("without", format=".3f"),
    Column(
        "contribution",
        "contribution [95% CI]",
        "+.3f",
        interval=True,
        fields=("contribution", "low_95", "high_95"),
        mark="significance",
        of=lambda part: ends(part.difference.at_95),
    ),
    Column("significance", only="data", of="difference.mark"),
    Column("p", format="p", of="difference.p"),
    Column("changed_sentences", only="json", of="changed"),
]


def ablate(
    rules: Rules,
    trees: Trees,
    reference: Reference | None = None,
    metric: str | OrderMetric | None = None,
    words: SourceWords | None = None,
    *,
    whole: bool = False,
    resamples: int = 1000,
    seed: int = 0,
    cache: bool = True,
    progress: Progress = no_progress,
) -> Ablation:
    """Leave out every rule and every slot in turn, or `whole` rules only.

    Parameters: `rules` a rule set, by name or path or in memory; `trees` of the sentences, or a
    parser, by name or path, that makes them (`gold` for the reference's own); `reference` a
    reference set, or reference orders, then with `words` as for the metric's `score`; `metric` by
    default FRS as `evaluate` has it (`objective`).
    Without `cache` everything is parsed anew. Raises PreorderEvalError for a rule set without
    rules, for trees that the rules cannot read, and where no sentence has a link.

    >>> import preorder_eval as pe
    >>> best = pe.ablate("head-final-reverse-after", "gold", "en-ja").parts[-1]
    >>> best.rule_name, best.slot_name, best.difference.mark
    ('*', 'punct after', '+**')
    """
    # What is quick to fail comes first: parsing is not.
    rules = load_rules(rules)
    by = order_metric(metric) if isinstance(metric, str) else metric
    if not rules.rules:
        raise PreorderEvalError(f"rule set {rules.name!r} has no rules to remove")
    inputs = RuleInputs.of(rules, trees, reference, words, cache=cache, progress=progress)
    by = by or objective(inputs.references).first

    orders = rules.reorder_unchecked(inputs.trees)
    scores = by.score(orders, inputs.references, inputs.words)
    # The second one is for all parts without which nothing changes.
    statistics, removed = [scores.statistics, scores.statistics], []
    parts = rules.removable(whole=whole)
    with progress("removing rules", len(parts)) as advance:
        tried = _without(rules, inputs.trees, orders, parts)
        for (rule, slot), (applied, at, without) in zip(parts, tried, strict=True):
            if at.size:
                words_there = inputs.words and inputs.words.take(at)
                rows = scores.statistics.copy()
                rows[at] = by.statistics(without, inputs.references.take(at), words_there)
                statistics.append(rows)
            number = len(statistics) - 1 if at.size else 1
            removed.append((number, rule, slot, applied, (at + 1).tolist()))
            if advance:
                advance(1)

    scored = inputs.references.informative
    measurement = inputs.unit.measurement(np.stack(statistics)[:, scored], by.finish, scored)
    [pairs] = compare_systems(
        [measurement],
        higher_is_better=[by.higher_is_better],
        pairs=[(number, 0) for number in range(1, len(statistics))],
        resamples=resamples,
        seed=seed,
    )
    contributions = [
        Contribution(
            rule,
            slot,
            rules.rules[rule].name or str(rules.rules[rule]),
            str(rules.rules[rule]),
            "" if slot is None else str(rules.rules[rule].parts[slot]),
            applied,
            sentences,
            float(measurement.values[number]),
            pairs[number - 1].difference,
        )
        for number, rule, slot, applied, sentences in removed
    ]
    contributions.sort(key=lambda part: round(part.difference.value, 9))
    value = float(measurement.values[0])
    return Ablation(rules, inputs, str(by), value, contributions, resamples, seed)


def _without(
    rules: RuleSet, trees: Treebank, orders: Orders, parts: Sequence[tuple[int, int | None]]
) -> Iterator[tuple[int, Longs, Orders]]:
    """Yield for every rule or slot how often it applies, and the orders that omitting it changes.

    Changed orders come with the numbers of their sentences.
    """
    fit, single = rules.fit(trees), single_trees(trees) is trees
    for rule, slot in parts:
        applies = fit.applied(rule, slot)
        at = np.flatnonzero(sums(applies, trees.offsets))
        if not at.size:
            yield 0, at, orders.take(at)
            continue
        if single and fit.can_be_without(rule):
            without = rules.ordered(fit.without(rule, slot)).take(at)
        else:
            without = rules.without(rule, slot).reorder_unchecked(trees.take(at))
        moved = sums(without.positions != orders.take(at).positions, without.offsets)
        changed = np.flatnonzero(moved)
        yield int(applies.sum()), at[changed], without.take(changed)
