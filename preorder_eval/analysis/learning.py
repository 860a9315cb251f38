"""Learn a rule set from reference orders, and estimate what it is worth on other sentences.

How clear an exception must be is not for the sentences to say that the rules are fitted to: every
gate is tried in k parts, each left out in turn and reordered by rules that are learned from the
others, and the gate that scores best on the parts left out is taken. (So its estimate is the best
of a few, and by that a little too good; the rules of all sentences are a little better than those
of its parts.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from preorder_eval.analysis.learned_rules import LearnedRules, Trial
from preorder_eval.analysis.pair_costs import pair_costs
from preorder_eval.analysis.pair_evidence import Evidence
from preorder_eval.analysis.rule_learning import Gate, Learned, learn_pairs
from preorder_eval.analysis.statistical import learn_scores
from preorder_eval.data.alternatives import Alternatives
from preorder_eval.data.arrays import Bools, Ints, Longs
from preorder_eval.data.orders import Orders, ReferenceOrders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.source_words import SourceWords
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.rules import load_rules
from preorder_eval.metrics import order_metric
from preorder_eval.metrics.shared.base import OrderMetric, Scores
from preorder_eval.parsers.base import Parser
from preorder_eval.processes import Processes
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.reordering.rules import Rule
from preorder_eval.resources import DEFAULT_REFERENCE
from preorder_eval.results.systems import Parsed, Progress, Rules, named_trees, no_progress
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import compare_systems

METRICS = ("kendall(unaligned=drop)", "fuzzy(unaligned=drop)")
CLARITIES = (None, 2.5, 2.0, 1.6, 1.3)
_ENOUGH = 100_000  # voices, about what takes as long as to start a process
STRENGTH = 6.0  # of the penalty on scores; 3 and 12 differ by less than .001 on KFTT


def learn_rules(
    trees: str | Path | Parser | Treebank,
    reference: str | Path | ReferenceSet | ReferenceOrders | Alternatives = DEFAULT_REFERENCE,
    *,
    also: Sequence[str | Path | ReferenceSet] = (),
    start: Rules = "none",
    metrics: Sequence[str | OrderMetric] = METRICS,
    words: bool = True,
    statistical: bool = False,
    folds: int = 5,
    seed: int = 0,
    name: str = "learned",
    jobs: int = 1,
    cache: bool = True,
    progress: Progress = no_progress,
) -> LearnedRules:
    """Learn which kinds of items of a head turn round, and under which conditions.

    Parameters: `trees` of the sentences, or a parser, by name or path, that makes them (`gold` for
    the reference's own); `reference` a reference set, or reference orders; `also` further reference
    sets to learn from, with their gold trees where they have some, else parsed as the first;
    `start` rules of slots that the learned pairs correct; `metrics`, of which the first chooses how
    strict the gate is; without `words` no condition names a word; `statistical` for a model of very
    many scores instead of rules that can be read; `folds` parts of neighbouring sentences, at
    least 2; `jobs` how many processes share the work.
    Raises PreorderEvalError where there are fewer sentences with a link than parts, for trees that
    the start cannot read, and for a start with rules of pairs.

    >>> learn_rules("gold", "en-tr", words=False, folds=2)  # doctest: +ELLIPSIS
    <LearnedRules learned: ... pairs, kendall(unaligned=drop) 0.9... on sentences left out>
    """
    start = start if isinstance(start, RuleSet) else load_rules(start)
    if any(rule.pairs for rule in start.rules):
        raise PreorderEvalError(f"rule set {start.name!r} has rules of pairs; start from slots")
    chosen_metrics = [order_metric(m) if isinstance(m, str) else m for m in metrics]
    if not isinstance(reference, ReferenceSet | ReferenceOrders | Alternatives):
        reference = load_reference(reference)
    references = reference.allowed if isinstance(reference, ReferenceSet) else reference
    linked = int(references.informative.sum())
    if not 2 <= folds <= linked:
        raise PreorderEvalError(
            f"{folds} parts of {linked} sentences with a link: give from 2 to as many parts"
        )
    names = [reference.name] if isinstance(reference, ReferenceSet) else []
    parser, treebank = named_trees(trees, reference, cache=cache, progress=progress)
    fold = _folds(len(treebank), folds)
    for further in [r if isinstance(r, ReferenceSet) else load_reference(r) for r in also]:
        more = further.trees
        if more is None:
            if isinstance(trees, Treebank):
                raise PreorderEvalError(f"{further.name} has no gold trees; give a parser for it")
            more = Parsed.by(trees, further, cache=cache, progress=progress).trees
        treebank = Treebank.of([*treebank, *more])
        references = _joined(references, further.allowed)
        fold = np.concatenate([fold, _folds(len(more), folds)])
        names.append(further.name)
    source_words = SourceWords.of(treebank.sentences)
    text = _Text(treebank, references, source_words, chosen_metrics, fold)
    if isinstance(reference, ReferenceSet) and "-" in reference.languages:
        source, target = reference.languages.split("-", 1)
        start = replace(start, source=source, target=target)
    if names:
        from_rules = f", starting from {start.name}" if start.rules else ""
        description = f"learned from {' and '.join(names)}{from_rules}"
        tuned_on = (*start.tuned_on, *names)
        start = replace(start, description=description, tuned_on=tuned_on)
    learner = _Learner(start, name, statistical)
    learned = _learn(text, learner, words, folds, seed, jobs, progress)
    return replace(learned, reference=" and ".join(names), parser=parser)


def _folds(sentences: int, folds: int) -> Longs:
    """For every sentence the part that it belongs to, neighbours together; int64[S]."""
    return np.arange(sentences) * folds // sentences


def _joined(
    first: ReferenceOrders | Alternatives, second: ReferenceOrders | Alternatives
) -> Alternatives:
    """The reference orders of the sentences of both."""
    several = [
        [list(r.references) for r in map(part.take, np.arange(len(part))[:, None])]
        if isinstance(part, Alternatives)
        else [[order] for order in part]
        for part in (first, second)
    ]
    return Alternatives.of([*several[0], *several[1]])


@dataclass(frozen=True, eq=False)
class _Text:
    """Sentences to learn from, and how orders of them are scored."""

    trees: Treebank
    references: ReferenceOrders | Alternatives
    words: SourceWords
    metrics: Sequence[OrderMetric]
    fold: Longs

    def scores(self, orders: Orders) -> list[Scores]:
        return [metric.score(orders, self.references, self.words) for metric in self.metrics]


@dataclass(frozen=True)
class _Learner:
    """What is learned: corrections of the start, as pairs that can be read or as scores."""

    start: RuleSet
    name: str
    statistical: bool

    @property
    def clarities(self) -> Sequence[float | None]:
        return (None,) if self.statistical else CLARITIES

    def learn(
        self, evidence: Evidence, clarity: float | None, heard: Bools | None = None
    ) -> tuple[RuleSet, list[Learned]]:
        """The rules, and what their pairs rest on if they can be read."""
        learned: list[Learned] = []
        if self.statistical:
            pairs = learn_scores(evidence, STRENGTH, heard)
        else:
            # What rules say already turns round only where that is as clear as an exception.
            general = (clarity or CLARITIES[1] or 0.0) if self.start.rules else 0.0
            learned = learn_pairs(evidence, Gate(clarity, general=general), heard)
            pairs = tuple(one.pair for one in learned)
        rule = (Rule(("*",), pairs=pairs),) if pairs else ()
        rules = (*rule, *self.start.rules)
        return replace(self.start, name=self.name, rules=rules, examples=()), learned


@dataclass(frozen=True, eq=False)
class _Parts:
    """What is learned from all sentences, or from those outside of a part of them."""

    text: _Text
    learner: _Learner
    evidence: Evidence

    def learn(self, clarity: float | None) -> tuple[RuleSet, list[Learned]]:
        return self.learner.learn(self.evidence, clarity)

    def left_out(self, task: tuple[float | None, int]) -> Ints:
        """Where a part's words come out by rules that are learned from the others, all in turn."""
        clarity, part = task
        heard = self.text.fold[self.evidence.sentence] != part
        rules, _ = self.learner.learn(self.evidence, clarity, heard)
        trees = self.text.trees.take(np.flatnonzero(self.text.fold == part))
        return rules.reorder_unchecked(trees).positions


def _learn(
    text: _Text,
    learner: _Learner,
    words: bool,
    folds: int,
    seed: int,
    jobs: int,
    progress: Progress,
) -> LearnedRules:
    before = learner.start.reorder(text.trees)
    costs = pair_costs(text.trees, text.references)
    evidence = Evidence.of(text.trees, costs, before, words=words)

    tasks = [(clarity, part) for clarity in learner.clarities for part in range(folds)]
    jobs = jobs if len(evidence.voice) >= _ENOUGH else 1
    together = Processes(jobs, _Parts, text, learner, evidence)
    positions = np.empty((len(learner.clarities), len(text.trees.words)), dtype=np.int32)
    fold = np.repeat(text.fold, text.trees.lengths)
    with progress("learning", len(tasks)) as advance:
        for task, found in zip(tasks, together.map(_Parts.left_out, tasks), strict=True):
            clarity, part = task
            positions[learner.clarities.index(clarity), fold == part] = found
            if advance:
                advance(1)
    of_all = together.map(_Parts.learn, learner.clarities)
    trials = [
        (clarity, *made, text.scores(Orders(text.trees.offsets, of_each)))
        for clarity, made, of_each in zip(learner.clarities, of_all, positions, strict=True)
    ]

    higher = text.metrics[0].higher_is_better
    clarity, rules, learned, of_left_out = max(
        trials, key=lambda trial: trial[3][0].corpus * (1 if higher else -1)
    )
    fitted = text.scores(rules.reorder_unchecked(text.trees))
    scored = text.references.informative
    measurements = [
        Measurement(np.stack([b.statistics, a.statistics])[:, scored], metric.finish)
        for b, a, metric in zip(text.scores(before), of_left_out, text.metrics, strict=True)
    ]
    compared = compare_systems(
        measurements, higher_is_better=[m.higher_is_better for m in text.metrics], seed=seed
    )
    return LearnedRules(
        rules,
        learned,
        tuple(map(str, text.metrics)),
        [
            Trial(tried, len(made.rules[0].pairs) if made.rules else 0, _corpus(scores))
            for tried, made, _, scores in trials
        ],
        clarity,
        tuple(float(measurement.values[0]) for measurement in measurements),
        _corpus(fitted),
        [pair.difference for [pair] in compared],
        int(scored.sum()),
        folds,
        seed,
        learner.start.name,
    )


def _corpus(scores: Sequence[Scores]) -> tuple[float, ...]:
    return tuple(score.corpus for score in scores)
