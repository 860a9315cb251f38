"""What every rule and every slot of a rule set is worth: the score without it.

`reordering.removal` has what can be left out, and what the others do then. A part is worth the
score with it minus the score without it, so that a part that hurts has a negative worth. Mark,
interval and p are those of `stats.significance`. Every part is tested by itself: of hundreds of
parts some will be marked by chance, and what is mended because of a mark wants to be confirmed on
other sentences.

Only the sentences in which a part fired are reordered again, and only those whose order changes
are scored again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.data.alternatives import Alternatives
from preorder_eval.data.arrays import Bools, sums
from preorder_eval.data.orders import Orders, ReferenceOrders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.source_words import SourceWords
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.rules import load_rules
from preorder_eval.formats.tables import known
from preorder_eval.metrics import order_metric
from preorder_eval.metrics.shared.base import OrderMetric
from preorder_eval.parsers.base import Parser
from preorder_eval.reordering.removal import fired, removable, rules_without
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.resources import DEFAULT_REFERENCE, RULES_OBJECTIVE
from preorder_eval.results.pairings import warn_of_rules
from preorder_eval.results.systems import Progress, Rules, named_trees, no_progress
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import Difference, compare_systems
from preorder_eval.stats.subsets import TRIALS_PER_RESAMPLE


@dataclass(frozen=True)
class Part:
    """A rule, or a slot or pair of one, and what it is worth.

    `rule` and `slot` are numbers, counted from 0, `slot` None for the whole rule; the names are
    what tables call them. `fired` counts the heads with children that the rule laid out, or the
    children that came into the slot or fit the pair, where another item fits its other side.
    `changed` are the 1-based numbers of the sentences whose order is another one without it, and
    `gains` by how much the score of each is higher with it, NaN where a sentence is not scored.
    `without` is the corpus value without it, `worth` the value with it minus that.
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
    """The parts of a rule set, what hurts most first; `value` is the score with all of them.

    `reference` and `parser` are the names of the reference set and of what made the trees, empty
    where they have none.
    """

    rules: RuleSet
    metric: str
    value: float
    parts: list[Part]
    sentences: int
    left_out: int
    resamples: int
    seed: int
    reference: str = ""
    parser: str = ""

    def __repr__(self) -> str:
        score = f"{self.metric} {self.value:.4f}"
        return f"<Ablation of {self.rules.name}: {len(self.parts)} parts, {score}>"

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
        named = {"reference": self.reference, "parser": self.parser}
        return {
            **{what: name for what, name in named.items() if name},
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
    rules: Rules,
    trees: str | Path | Parser | Treebank,
    reference: str | Path | ReferenceSet | ReferenceOrders | Alternatives = DEFAULT_REFERENCE,
    metric: str | OrderMetric = RULES_OBJECTIVE,
    words: SourceWords | None = None,
    *,
    whole: bool = False,
    resamples: int = 1000,
    seed: int = 0,
    cache: bool = True,
    progress: Progress = no_progress,
) -> Ablation:
    """Leave out every rule and every slot in turn, or none but `whole` rules.

    Parameters: `rules` a rule set, by name or path or in memory; `trees` of the sentences, or a
    parser, by name or path, that makes them (`gold` for the reference's own); `reference` a
    reference set, or reference orders, then with `words` as for the metric's `score`. `metric`
    leaves words without links out by default: where they are many, they make good rules look bad.
    Without `cache` everything is parsed anew. Raises PreorderEvalError for a rule set without
    rules, for trees that the rules cannot read, and where no sentence has a link.

    >>> best = ablate("head-final-reverse-after", "gold", "en-ja").parts[-1]
    >>> best.rule_name, best.slot_name, best.worth.mark
    ('*', '', '+**')
    """
    # What is quick to fail comes first: parsing is not.
    rules = rules if isinstance(rules, RuleSet) else load_rules(rules)
    metric = order_metric(metric) if isinstance(metric, str) else metric
    if not rules.rules:
        raise PreorderEvalError(f"rule set {rules.name!r} has no rules to leave out")
    if not isinstance(reference, ReferenceSet | ReferenceOrders | Alternatives):
        reference = load_reference(reference)
    name = ""
    if isinstance(reference, ReferenceSet):
        warn_of_rules(rules, reference)
        name, references, words = reference.name, reference.allowed, reference.words
    else:
        references = reference
    if not references.informative.any():
        raise PreorderEvalError("no sentence has a link, nothing can be scored")
    parser, treebank = named_trees(trees, reference, cache=cache, progress=progress)
    left_out = removable(rules, whole=whole)
    with progress("leaving out", len(left_out)) as advance:
        ablation = _ablate(
            rules, left_out, treebank, references, metric, words, resamples, seed, advance
        )
    return replace(ablation, reference=name, parser=parser)


def _ablate(
    rules: RuleSet,
    left_out: Sequence[tuple[int, int | None]],
    treebank: Treebank,
    references: ReferenceOrders | Alternatives,
    metric: OrderMetric,
    words: SourceWords | None,
    resamples: int,
    seed: int,
    advance: Callable[[int], None] | None,
) -> Ablation:
    fit = rules.fit(treebank)
    orders = rules.reorder_unchecked(treebank)
    scores = metric.score(orders, references, words)
    alternatives, removed = [scores.statistics], []
    for rule, slot in left_out:
        fires = fired(treebank, rules, fit, rule, slot)
        at = np.flatnonzero(sums(fires, treebank.offsets))
        without = rules_without(rules, rule, slot).reorder_unchecked(treebank.take(at))
        changed = np.flatnonzero(_differing(without, orders.take(at)))
        at = at[changed]
        statistics = scores.statistics.copy()
        if at.size:
            statistics[at] = metric.statistics(
                without.take(changed), references.take(at), words and words.take(at)
            )
        alternatives.append(statistics)
        gains = scores.sentence[at] - metric.finish(statistics[at])
        removed.append((rule, slot, int(fires.sum()), at + 1, gains))
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
    for pair, (rule, slot, fired_on, at, gains) in zip(pairs, removed, strict=True):
        named = rules.rules[rule]
        parts.append(
            Part(
                rule,
                slot,
                str(named),
                "" if slot is None else str(named.parts[slot]),
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


def _differing(first: Orders, second: Orders) -> Bools:
    """Which sentences two systems order differently; bool[S]."""
    return sums(first.positions != second.positions, first.offsets) > 0
