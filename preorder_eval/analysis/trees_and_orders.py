"""Inputs of rule analyses: trees, and reference orders of their sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.progress import Progress
from preorder_eval.base.stats.legends import few_drawn
from preorder_eval.base.stats.unit import EACH_SENTENCE, Unit
from preorder_eval.base.tables import Caveat
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.evaluate import reference_of
from preorder_eval.evaluation.overlap import learned, seen
from preorder_eval.evaluation.parsed import named_trees
from preorder_eval.evaluation.system_warnings import warn_of_rules
from preorder_eval.evaluation.systems import System
from preorder_eval.evaluation.verdict.caveats import of_learning
from preorder_eval.orders.orders import Alternatives, ReferenceOrders, SourceWords
from preorder_eval.parsers.parser import Parser
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.treebank import Treebank, document_names

Trees = str | Path | Parser | Treebank
Reference = str | Path | ReferenceSet | ReferenceOrders | Alternatives


@dataclass(frozen=True, eq=False)
class RuleInputs:
    """The trees that rules reorder, and the reference orders that they are scored against.

    `name` is that of the reference set, empty if it has none; `made_by` identifies what made the
    trees. `words` are the source words and `gold` the gold trees, None if there are none. `unit` is
    the unit that tests resample, and `learned` states which part of the text parser and rules
    learned from.
    """

    trees: Treebank
    references: ReferenceOrders | Alternatives
    words: SourceWords | None
    gold: Treebank | None
    name: str
    made_by: Mapping[str, Any]
    unit: Unit = EACH_SENTENCE
    learned: Sequence[Caveat] = ()

    @property
    def parser(self) -> str:
        """The name of the parser that made the trees, empty if it has none."""
        return str(self.made_by["name"])

    @classmethod
    def of(
        cls,
        rules: RuleSet,
        trees: Trees,
        reference: Reference | None,
        words: SourceWords | None,
        *,
        cache: bool,
        progress: Progress,
    ) -> RuleInputs:
        """Read the reference and parse its sentences, unless `trees` are given.

        Warns of rules for other languages.
        """
        if reference is None or isinstance(reference, str | Path):
            reference = reference_of(reference, [rules])
        name, gold, documents = "", None, tuple[str, ...]()
        if isinstance(reference, ReferenceSet):
            warn_of_rules(rules, reference)
            name, gold, words = reference.name, reference.trees, reference.words
            references, documents = reference.allowed, tuple(reference.documents)
        else:
            references = reference
        if not references.informative.any():
            raise PreorderEvalError("no sentence has a link, nothing can be scored")
        parsed = named_trees(trees, reference, rules, cache=cache, progress=progress)
        unit = Unit.of_names(documents or document_names(parsed.trees.comments))
        told = list[Caveat]()
        if isinstance(reference, ReferenceSet):
            told = learned_by(reference, parsed.identity, rules)
        return cls(parsed.trees, references, words, gold, name, parsed.identity, unit, told)

    @property
    def warnings(self) -> list[Caveat]:
        """The warnings of values with intervals: few units, and what was learned from the text."""
        units = self.unit.count(self.references.informative)
        return [*few_drawn(self.unit, units), *self.learned]

    def facts(self, rules: RuleSet) -> dict[str, Any]:
        """Describe the scored input: names, and the number of sentences with a link."""
        scored = self.references.informative
        return {
            "reference": self.name,
            "parser": self.parser,
            "rules": rules.name,
            "sentences": int(scored.sum()),
            "left_out": int((~scored).sum()),
            **self.unit.facts(),
        }

    def verdict(self, rules: RuleSet, score: str) -> str:
        """Return the score of rules in a sentence."""
        facts = self.facts(rules)
        source = f"{self.parser}/{rules.name} on {self.name}" if self.name else rules.name
        left_out = f", {facts['left_out']} left out" if facts["left_out"] else ""
        return f"{source}: {score}; {quantity(facts['sentences'], 'sentence')}{left_out}"


def learned_by(
    reference: ReferenceSet, parser: Mapping[str, Any] | None, rules: RuleSet
) -> list[Caveat]:
    """Warn of rules, or a parser (given by its identity), that learned from a reference set.

    >>> import preorder_eval as pe
    >>> learned_by(pe.load_reference("en-ja"), None, pe.load_rules("en-ja"))[0].text
    'rule set en-ja was tuned on 300 of these sentences'
    """
    made_by: dict[str, Any] = {"rules": {"name": rules.name, "tuned_on": list(rules.tuned_on)}}
    made_by |= {"parser": parser} if parser else {}
    system = System(rules.name, made_by=made_by)
    return of_learning(seen([system], reference), learned(system, reference.name))
