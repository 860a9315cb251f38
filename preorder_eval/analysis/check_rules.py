"""Check of a rule set on constructions: short sentences with gold trees, ordered right or wrong.

Averages over a text hide faults of grammar that are rare in it. The bundled set `constructions` has
three sentences for each construction, and reference orders for several target languages. A sentence
is right if its linked words come out in an order that the reference allows. A construction is right
if all its sentences are. Comments `# construction = …` in the trees name it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.analysis.oracle import limit
from preorder_eval.analysis.trees_and_orders import learned_by
from preorder_eval.base.errors import PreorderEvalError, UnknownNameError, argument
from preorder_eval.base.resources import bundled_names
from preorder_eval.base.tables import Caveat, Column, Shown, Table
from preorder_eval.base.visible import quantity
from preorder_eval.metrics import order_metric
from preorder_eval.metrics.orders.order import Kendall
from preorder_eval.orders.orders import Orders
from preorder_eval.references.objective import ANY
from preorder_eval.references.reference_files import target_languages
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.rules.rule_reading import failing_examples
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.treebank import comment_value

CONSTRUCTIONS = "constructions"
EXACT, LINKED = order_metric("exact(unaligned=drop)"), Kendall(unaligned="drop")


@dataclass(frozen=True)
class Failure:
    """A sentence whose linked words come out in an order that the reference does not allow.

    If `needs_lift` is true, no order that keeps subtrees whole is allowed. Then only rules that
    lift a child to the head of its head can order the sentence rightly.
    """

    construction: str
    sentence: str
    order: str
    reference: str
    needs_lift: bool


@dataclass(frozen=True)
class Circle:
    """Contradictory pairs of rules: which is `given_up` for which `others`, and how often."""

    heads: int
    given_up: str
    others: str


@dataclass(frozen=True, eq=False)
class RuleCheck(Shown):
    """A valid rule set, and how it orders the constructions of its target language.

    `constructions` and `sentences` count those that are right, and all. If there are none for the
    target of the rules, `constructions` is None. `source_order` counts the constructions that are
    right without reordering. `failures` are the sentences that are wrong. `wrong_examples` has a
    line for each of the rule set's own examples that its rules get wrong. `own_warnings` state
    whether it was tuned on the constructions. `circles` are those that pairs of the rules form in
    the constructions, the most frequent first.
    """

    rules: RuleSet
    constructions: tuple[int, int] | None = None
    sentences: tuple[int, int] = (0, 0)
    source_order: int = 0
    failures: Sequence[Failure] = ()
    wrong_examples: Sequence[str] = ()
    own_warnings: Sequence[Caveat] = ()
    circles: Sequence[Circle] = ()

    @property
    def verdict(self) -> str:
        counts = quantity(len(self.rules.rules), "rule")
        examples = quantity(len(self.rules.examples), "example")
        text = f"Valid: {counts}, {examples}"
        if self.wrong_examples:
            text = f"Wrong: {counts}; {len(self.wrong_examples)} of {examples} wrong"
        if self.constructions is None:
            text += f"; {self._untried}"
        else:
            (right, of), (some, all_) = self.constructions, self.sentences
            text += f"; {right} of {of} constructions right ({some} of {all_} sentences)"
            text += f"; the source order gets {self.source_order} right"
        told = (f" {caveat.text[0].upper()}{caveat.text[1:]}." for caveat in self.own_warnings)
        return f"{text}.{''.join(told)}"

    @property
    def _untried(self) -> str:
        """The reason why no constructions were tried."""
        if self.rules.scheme != "ud":
            return (
                "no constructions were tried: their trees do not use the scheme "
                f"{self.rules.scheme}"
            )
        if self.rules.target == ANY:
            return "no constructions were tried: the rules have no target language"
        return f"no constructions are bundled for the target language {self.rules.target}"

    def _facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"rules": self.rules.name, "target": self.rules.target}
        facts |= {"number": len(self.rules.rules), "examples": len(self.rules.examples)}
        facts["wrong_examples"] = self.wrong_examples
        if self.constructions is not None:
            counts = {"constructions": self.constructions, "sentences": self.sentences}
            facts |= {key: {"right": each[0], "of": each[1]} for key, each in counts.items()}
            facts["constructions"]["source_order"] = self.source_order
        return facts

    def tables(self) -> list[Table]:
        circles = [self._circles()] if self.rules.scheme == "ud" else []
        if self.constructions is None:
            return circles
        columns = map(Column, ("construction", "sentence", "order", "reference", "needs_lift"))
        return [self._grouped(), Table.of("wrong", list(columns), self.failures), *circles]

    def _grouped(self) -> Table:
        """Return the constructions by the number of their sentences that are wrong."""
        wrong = Counter(failure.construction for failure in self.failures)
        rows = [
            [count, ", ".join(name for name in wrong if wrong[name] == count)]
            for count in sorted(set(wrong.values()), reverse=True)
        ]
        columns = [Column("wrong_sentences", "wrong of 3", none="")]
        return Table("grouped", [*columns, Column("constructions", wrap=True)], rows)

    def _circles(self) -> Table:
        columns = [Column("heads"), Column("given_up", "pair given up", wrap=True)]
        columns += [Column("others", "for the pairs", wrap=True)]
        title = "Circles: pairs that cannot all be satisfied under one head"
        return Table.of("circles", columns, self.circles, title=title)

    def view(self, whole: bool = False) -> list[Table]:
        circles = [self._circles()] if self.circles else []
        if not self.failures:
            return circles
        more = argument("show(whole=True)", "--verbose")
        notes = [
            f"{more} prints the sentences, with the order by the rules and the reference order"
        ]
        if lifted := sum(failure.needs_lift for failure in self.failures):
            notes.append(f"{lifted} of the wrong sentences can only be right if a child is lifted")
        if not whole:
            return [replace(self._grouped(), notes=notes), *circles]
        columns = [Column("construction", label=True, once=True), Column("by", label=True)]
        rows: list[list[object]] = [
            [failure.construction, by, text]
            for failure in self.failures
            for by, text in (("rules", failure.order), ("reference", failure.reference))
        ]
        return [self._grouped(), Table("wrong", [*columns, Column("order")], rows), *circles]


def check_rules(rules: RuleSet) -> RuleCheck:
    """Try rules on the constructions, if there are any for the target of the rules.

    The trees are in Universal Dependencies, so rules for another scheme are not tried.
    """
    wrong_examples = failing_examples(rules)
    if rules.scheme != "ud":
        return RuleCheck(rules, wrong_examples=wrong_examples)
    try:
        data, tried = load_reference(f"{CONSTRUCTIONS}@{rules.target}"), True
    except UnknownNameError:
        # Any target will do: the sentences are the same.
        known = target_languages(bundled_names("reference_data")[CONSTRUCTIONS])
        data, tried = load_reference(f"{CONSTRUCTIONS}@{known[0]}"), False
    if data.trees is None:
        raise PreorderEvalError(f"{data.name} has no gold trees")
    fit = rules.fit(data.trees)
    circles = [
        Circle(heads, str(given_up), "; ".join(map(str, others)))
        for (given_up, *others), heads in Counter(fit.circles()).most_common()
    ]
    if not tried:
        return RuleCheck(rules, wrong_examples=wrong_examples, circles=circles)
    orders, unchanged = rules.ordered(fit), Orders.unchanged(data.trees.offsets)
    wrong, wrong_before = (
        np.flatnonzero(EXACT.score(some, data.allowed).sentence != 1).tolist()
        for some in (orders, unchanged)
    )
    names = [comment_value(lines, "construction") or "" for lines in data.trees.comments]
    some = np.array(wrong, dtype=np.int64)
    needs_lift = limit(data.trees.take(some), data.allowed.take(some), LINKED).out_of_reach
    failures = []
    for number, s in enumerate(wrong, 1):
        words = data.source[s]
        order = " ".join(words[place] for place in orders[s])
        reference = data.references[s].braces(words)
        failures.append(Failure(names[s], " ".join(words), order, reference, number in needs_lift))
    many = len({*names})
    right, right_before = (many - len({names[s] for s in some}) for some in (wrong, wrong_before))
    sentences = len(data) - len(failures), len(data)
    counts = (right, many), sentences, right_before
    return RuleCheck(
        rules, *counts, failures, wrong_examples, learned_by(data, None, rules), circles
    )
