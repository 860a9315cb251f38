"""All that a report on orders shows, computed: scores, parts of the corpus, every system's errors.

An overview is made from an evaluation in memory or from run folders over the same sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from preorder_eval.analysis.ablation import Ablation, ablate
from preorder_eval.analysis.breakdown import Breakdown, break_down
from preorder_eval.analysis.groupings import Grouping, groupings
from preorder_eval.analysis.joints import kept_by_reference, placement
from preorder_eval.analysis.parser_errors import ParserErrors, parser_errors
from preorder_eval.analysis.run_trees import gold_trees, parsed_trees, system_made_by
from preorder_eval.data.arrays import Bools
from preorder_eval.data.orders import SourceWords
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.rules_toml import load_rules
from preorder_eval.formats.run_folder import Run
from preorder_eval.metrics import order_metric
from preorder_eval.reordering.rule_set import Fit, RuleSet
from preorder_eval.results.comparison import check_scores
from preorder_eval.results.evaluation import Evaluation, Row, System, evaluate
from preorder_eval.results.sides import OrderSide
from preorder_eval.stats.bootstrap import Interval, bootstrap
from preorder_eval.stats.measurement import Measurement


@dataclass(frozen=True, eq=False)
class MadeFrom:
    """What a system's orders were made from, as far as it is known."""

    trees: Treebank | None = None
    rules: RuleSet | None = None


@dataclass(frozen=True, eq=False)
class SystemOverview:
    """A system with its errors.

    `kept` tells for every place of its orders whether the joint to the next is kept, bool[N];
    `fit` which rules and slots its tokens fall under; `breakdowns` where its words are wrongly
    placed; `errors` what its parser's errors cost and `ablation` what its rules are worth, None
    where there are no gold trees or no rules.
    """

    row: Row
    made_from: MadeFrom
    kept: Bools
    fit: Fit | None
    breakdowns: list[Breakdown]
    errors: ParserErrors | None
    ablation: Ablation | None


@dataclass(frozen=True)
class CorpusPart:
    """A part of the corpus: its sentences, and every system's score by the first metric."""

    name: str
    sentences: int
    scores: list[Interval]


@dataclass(frozen=True, eq=False)
class Overview:
    """An evaluation with all that a report says of it.

    `gold` are the gold trees, `parts` the scores by `length` and by `phenomenon`, as far as there
    are any; `runs` what `run.json` says of each run.
    """

    evaluation: Evaluation
    systems: list[SystemOverview]
    gold: Treebank | None
    parts: dict[str, list[CorpusPart]]
    runs: list[dict[str, Any]]


def overview(
    evaluation: Evaluation,
    made_from: Sequence[MadeFrom],
    gold: Treebank | None = None,
    runs: Sequence[dict[str, Any]] = (),
) -> Overview:
    """Compute an overview of an evaluation; `made_from` has an entry for each of its rows.

    >>> from preorder_eval.formats.reference_set import load_reference
    >>> from preorder_eval.data.orders import Orders
    >>> data = load_reference("en-ko")
    >>> orders = Orders.unchanged(data.references.offsets)
    >>> none = System("none", "", orders, {})
    >>> made = overview(evaluate(data, [none], [order_metric("fuzzy")]), [MadeFrom()], data.trees)
    >>> [part.name for part in made.parts["length"]][:2]
    ['6-10', '11-15']
    """
    reference = evaluation.reference
    words = SourceWords.of(reference.source)
    systems = [
        _system(evaluation, words, row, made, gold)
        for row, made in zip(evaluation.rows, made_from, strict=True)
    ]
    of_sentences = [g for g in groupings(words, None, gold) if g.by in ("length", "phenomenon")]
    of_sentences.sort(key=lambda grouping: grouping.by)
    parts = {grouping.by: _parts(evaluation, grouping) for grouping in of_sentences}
    return Overview(evaluation, systems, gold, parts, list(runs))


def _system(
    evaluation: Evaluation, words: SourceWords, row: Row, made: MadeFrom, gold: Treebank | None
) -> SystemOverview:
    references, orders = evaluation.reference.references, row.system.orders
    trees, rules = made.trees, made.rules
    placed = placement(orders, references, words)
    fit, errors, ablation = None, None, None
    if trees is not None and rules is not None and rules.rules:
        fit = rules.fit(trees)
        ablation = ablate(
            rules,
            trees,
            references,
            evaluation.metrics[0],
            words,
            resamples=evaluation.resamples,
            seed=evaluation.seed,
        )
        if gold is not None and _differ(trees, gold):
            errors = parser_errors(trees, gold, rules, references, words)
    return SystemOverview(
        row,
        made,
        kept_by_reference(orders, references, words),
        fit,
        [break_down(g, placed, references) for g in groupings(words, trees, gold)],
        errors,
        ablation,
    )


def _differ(trees: Treebank, gold: Treebank) -> bool:
    """Whether a parser's trees are not the gold trees themselves."""
    return bool((trees.heads != gold.heads).any()) or any(
        one.strings() != other.strings()
        for one, other in ((trees.labels, gold.labels), (trees.upos, gold.upos))
    )


def _parts(evaluation: Evaluation, grouping: Grouping) -> list[CorpusPart]:
    """The parts of the corpus by a grouping of whole sentences, without empty ones.

    Those without an order of their own come with the lowest score of the best system first.
    """
    references = evaluation.reference.references
    code = grouping.groups.codes[references.offsets[:-1]]
    metric = evaluation.metrics[0]
    statistics = np.stack([row.scores[0].statistics for row in evaluation.rows])
    parts = []
    for number, name in enumerate(grouping.groups.names):
        chosen = (code == number) & references.informative
        if chosen.any():
            measurement = Measurement(statistics[:, chosen], metric.finish)
            [sampled] = bootstrap(
                [measurement], resamples=evaluation.resamples, seed=evaluation.seed
            )
            scores = [sampled.interval(s) for s in range(len(evaluation.rows))]
            parts.append(CorpusPart(name, int(chosen.sum()), scores))
    if grouping.ordered:
        return parts
    best = max(range(len(statistics)), key=lambda s: evaluation.rows[s].intervals[0].value)
    return sorted(parts, key=lambda part: part.scores[best].value)


def overview_of_runs(runs: Sequence[Run]) -> Overview:
    """An overview of all systems of some runs over the same sentences.

    Systems of the same name in several runs are told apart by their run's folder. Raises
    PreorderEvalError where sentences differ or no metric is shared, and where a folder's scores
    are not those of its orders.
    """
    first = runs[0]
    metrics = [name for name in first.metrics if all(name in run.metrics for run in runs)]
    if not metrics:
        raise PreorderEvalError("the runs share no metric")
    for run in runs:
        for name in run.systems:
            side = OrderSide(run, name)
            OrderSide(first, next(iter(first.systems))).check_same(side)
            check_scores(side)
    names = [name for run in runs for name in run.systems]
    systems, made_from = [], []
    for run in runs:
        for name, own in run.systems.items():
            _, rules = system_made_by(run, name)
            label = name if names.count(name) == 1 else f"{run.folder.name}:{name}"
            systems.append(System(label, "", own.orders, {}))
            path = run.folder / "rules" / f"{rules}.toml"
            made_from.append(MadeFrom(parsed_trees(run, name), load_rules(path) if rules else None))
    gold = gold_trees(first)
    reference = ReferenceSet(
        str(first.summary.get("reference", {}).get("name", first.folder.name)),
        first.source,
        first.alignments,
        first.target,
        gold,
    )
    sampling = first.summary.get("bootstrap", {})
    evaluation = evaluate(
        reference,
        systems,
        [order_metric(name) for name in metrics],
        resamples=int(sampling.get("resamples", 1000)),
        seed=int(sampling.get("seed", 0)),
        significance=len(systems) > 1,
    )
    return overview(evaluation, made_from, gold, [run.summary for run in runs])
