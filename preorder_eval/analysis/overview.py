"""The data of a report on orders: scores, parts of the corpus, and every system's errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from preorder_eval.analysis.ablate import Ablation, ablate
from preorder_eval.analysis.analyse import Analysis, analysis_of
from preorder_eval.analysis.misplaced import LENGTH, sentence_groupings
from preorder_eval.analysis.oracle import Oracle, oracle
from preorder_eval.analysis.sentences import CorpusPart, corpus_parts, gold_trees
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.result import Result
from preorder_eval.metrics.orders.order import Kendall, OrderMetric
from preorder_eval.references.objective import of_kind
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.matching import Fit
from preorder_eval.trees.treebank import Treebank


@dataclass(frozen=True, eq=False)
class SystemOverview:
    """The errors of a system's orders, and the effects of its rules and trees on them.

    `analysis` has the errors. `fit` has the rule and slot of every token, `ablation` what each rule
    contributes, and `limits` how far other rules could get. These three are None for orders that
    were not made by rules, and `limits` also if the oracle cannot be computed for the metric.
    """

    analysis: Analysis
    fit: Fit | None = None
    ablation: Ablation | None = None
    limits: Oracle | None = None


@dataclass(frozen=True, eq=False)
class Overview:
    """A result with all that a report shows of its orders.

    `reference` is the source with its links, and `gold` its gold trees. `parts` are the scores by
    `length` and, if there are any, by `phenomenon`; `runs` has the `run.json` of each run.
    """

    result: Result
    reference: ReferenceSet
    systems: list[SystemOverview]
    gold: Treebank | None
    parts: dict[str, list[CorpusPart]]
    runs: list[Mapping[str, Any]]

    def __repr__(self) -> str:
        return f"<Overview of {self.result.name}: {quantity(len(self.systems), 'system')}>"


def overview(result: Result, runs: Sequence[Mapping[str, Any]] = ()) -> Overview:
    """Compute an overview. Raises PreorderEvalError unless the first metric is of orders."""
    reference = result.inputs.ordered
    if reference is None or not isinstance(result.metrics[0], OrderMetric):
        raise PreorderEvalError(f"{result.name} has no orders scored by a metric of orders")
    gold = gold_trees(result)
    systems = [_system(result, reference, number, gold) for number in range(len(result.systems))]
    parts = {
        by: corpus_parts(result, [0], column, ordered=by == LENGTH)[0]
        for by, column in sentence_groupings(reference.words, gold).items()
    }
    return Overview(result, reference, systems, gold, parts, list(runs))


def _system(
    result: Result, reference: ReferenceSet, number: int, gold: Treebank | None
) -> SystemOverview:
    analysis, by = analysis_of(result, reference, number, gold), result.metrics[0]
    origin, sampling = analysis.made_from, result.sampling
    if origin is None or not origin.rules.rules or not isinstance(by, OrderMetric):
        return SystemOverview(analysis)
    # Without a name: whoever scored rules that are not for it was warned then.
    nameless = replace(reference, trees=gold, name="", languages="")
    drawn: Any = {"resamples": sampling.resamples, "seed": sampling.seed}
    # A reader of the page looks at rules first; slots are ten times as many, and `rules ablate`'s.
    ablation = ablate(origin.rules, origin.trees, nameless, by, whole=True, **drawn)
    limits = None
    with suppress(PreorderEvalError):  # there is none of some metrics with several references
        tau = of_kind(Kendall, result.metrics, reference)
        limits = oracle(origin.rules, origin.trees, nameless, tau)
    return SystemOverview(analysis, origin.rules.fit(origin.trees), ablation, limits)
