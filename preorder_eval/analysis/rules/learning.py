"""Rules learned from reference orders, and what they are worth on held-out sentences.

How significant an exception must be cannot be chosen on the sentences that rules are fitted to.
So every threshold is tried in k folds, each held out in turn and reordered by rules that are
learned from the others, and the one that scores best on the folds held out is taken. (So its
estimate is the best of a few, and by that a little too good; the rules of all sentences are a
little better than those of its folds.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.analysis.rules.decisions import LearnedPair, Thresholds, learn_pairs
from preorder_eval.analysis.rules.inputs import Reference, Trees
from preorder_eval.analysis.rules.instances import Instances
from preorder_eval.analysis.rules.pair_costs import pair_costs
from preorder_eval.data.arrays import Bools, Ints, Longs
from preorder_eval.data.orders import Alternatives, Orders, ReferenceOrders, SourceWords
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.rules import format_rules, load_rules
from preorder_eval.metrics import order_metric
from preorder_eval.metrics.base import Scores
from preorder_eval.metrics.order import OrderMetric
from preorder_eval.processes import Processes
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.reordering.rules import Rule
from preorder_eval.resources import DEFAULT_REFERENCE
from preorder_eval.results.systems import Parsed, Progress, Rules, named_trees, no_progress
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import Difference, compare_systems
from preorder_eval.tables import Column, Shown, Table, ends
from preorder_eval.visible import quantity

METRICS = ("kendall(unaligned=drop)", "fuzzy(unaligned=drop)")
Z_SCORES = (None, 2.5, 2.0, 1.6, 1.3)
_ENOUGH = 100_000  # instances, about what takes as long as to start a process
_TOP = 20  # exceptions that text shows
_SENTENCES = 6  # of an exception that text shows


@dataclass(frozen=True)
class Trial:
    """A threshold tried: the pairs learned from all sentences, and the scores held out.

    `z` is the least z-score of an exception, None without exceptions. `values` are the corpus
    scores by each metric, every sentence reordered by rules that are learned from the other folds.
    """

    z: float | None
    pairs: int
    values: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class LearnedRules(Shown):
    """A rule set that was learned.

    `rules` with what each pair of its first rule rests on in `learned`; `metrics`, the first of
    which chose the threshold `z` among the `trials`; `before` and `fitted` the scores of the rules
    to start from and of those learned, on the sentences that they are learned from; `gains` by how
    much the sentences held out are better than before; `sentences` with a link, and `folds`.
    `start`, `reference` and `parser` are names, empty where they have none.
    """

    rules: RuleSet
    learned: list[LearnedPair]
    metrics: tuple[str, ...]
    trials: list[Trial]
    z: float | None
    before: tuple[float, ...]
    fitted: tuple[float, ...]
    gains: list[Difference]
    sentences: int
    folds: int
    seed: int
    start: str
    reference: str = ""
    parser: str = ""

    @property
    def held_out(self) -> tuple[float, ...]:
        """The scores on sentences held out, with the threshold that was chosen."""
        return next(trial.values for trial in self.trials if trial.z == self.z)

    @property
    def verdict(self) -> str:
        pairs, exceptions = (
            quantity(len(these), what)
            for these, what in (
                (self.learned, "pair"),
                ([one for one in self.learned if one.exception], "exception"),
            )
        )
        source = f" of {self.reference}" if self.reference else ""
        return (
            f"{self.rules.name}: {pairs}, {exceptions} among them, learned from {self.sentences} "
            f"sentences{source}; {self.metrics[0]} {self.held_out[0]:.4f} held out, "
            f"{self.before[0]:.4f} before"
        )

    def tables(self) -> list[Table]:
        values = zip(
            *(self.metrics, self.before, self.held_out, self.gains, self.fitted), strict=True
        )
        scores = [
            [metric, before, held_out, ends(gain.at_95), gain.mark, gain.p, fitted]
            for metric, before, held_out, gain, fitted in values
        ]
        trials = [[trial.z, trial.pairs, *trial.values] for trial in self.trials]
        tried = [Column("z", "least z", ".1f", none="no exceptions"), Column("pairs")]
        tried += [Column(("held_out", metric), format=".4f") for metric in self.metrics]
        return [
            Table("scores", _SCORES, scores, only="json"),
            Table("trials", tried, trials, only="json"),
            Table.of("pairs", _PAIRS, self.learned),
        ]

    def view(self, whole: bool = False) -> list[Table]:
        scores, trials, pairs = self.tables()
        shown = ("z", "wanted", "unwanted", "pair", "examples")
        exceptions = replace(pairs, rows=[r for r in pairs.rows if r[pairs.at("exception")]])
        at = pairs.at("z")
        exceptions = replace(exceptions, rows=sorted(exceptions.rows, key=lambda row: -row[at]))
        notes = [
            f"held out: {self.folds} folds, each reordered by rules learned from the others",
            "fitted: on the sentences learned from, so too good",
        ]
        strict = "no exceptions" if self.z is None else f"exceptions with z of at least {self.z}"
        kept = [f"{strict}, chosen by {self.metrics[0]} held out"]
        tables = [replace(scores, notes=notes)]
        if exceptions.rows:
            title = "Exceptions"
            top = len(exceptions.rows) if whole else _TOP
            tables.append(exceptions.select(*shown, title=title, notes=kept).head(top))
        return [*tables, trials] if whole else tables

    def facts(self) -> dict[str, Any]:
        return {
            "reference": self.reference,
            "parser": self.parser,
            "rules": self.rules.name,
            "start": self.start,
            "sentences": self.sentences,
            "folds": self.folds,
            "seed": self.seed,
            "z": self.z,
        }

    def toml(self) -> str:
        """Return the rule file, every pair with the counts for it and against it.

        >>> '["HEAD", "case<"]' in learn_rules("gold", "en-tr", words=False, folds=2).toml()
        True
        """
        notes = {
            one.pair: f"{one.wanted} : {one.unwanted}{', exception' * one.exception}"
            for one in self.learned
        }
        return format_rules(self.rules, notes)


_SCORES = [
    Column("metric", label=True),
    Column("before", format=".4f"),
    Column("held_out", "held out", ".4f"),
    Column(
        "gain",
        "gain [95% CI]",
        "+.4f",
        interval=True,
        fields=("gain", "low_95", "high_95"),
        mark="significance",
    ),
    Column("significance", only="data"),
    Column("p", format=".4f"),
    Column("fitted", format=".4f"),
]
_PAIRS = [
    Column("pair", of=lambda one: str(one.pair), label=True),
    Column("exception", format="exception"),
    Column("wanted", "for"),
    Column("unwanted", "against"),
    Column("z", format=".1f"),
    Column("sentences"),
    Column(
        "examples",
        "sentences",
        only="people",
        of=lambda one: (
            " ".join(map(str, one.sentences[:_SENTENCES]))
            + " …" * (len(one.sentences) > _SENTENCES)
        ),
    ),
]


def learn_rules(
    trees: Trees,
    reference: Reference = DEFAULT_REFERENCE,
    *,
    also: Sequence[str | Path | ReferenceSet] = (),
    start: Rules = "none",
    metrics: Sequence[str | OrderMetric] = METRICS,
    words: bool = True,
    folds: int = 5,
    seed: int = 0,
    name: str = "learned",
    jobs: int = 1,
    cache: bool = True,
    progress: Progress = no_progress,
) -> LearnedRules:
    """Learn which kinds of items of a head turn, and under which conditions.

    Parameters: `trees` of the sentences, or a parser, by name or path, that makes them (`gold` for
    the reference's own); `reference` a reference set, or reference orders; `also` further reference
    sets to learn from, with their gold trees where they have some, else parsed as the first;
    `start` rules of slots that the learned pairs correct; `metrics`, of which the first chooses how
    significant exceptions must be; without `words` no condition names a word; `folds` of
    neighbouring sentences, at least 2; `jobs` how many processes share the work.
    Raises PreorderEvalError where there are fewer sentences with a link than folds, for trees that
    the start cannot read, and for a start with rules of pairs.

    >>> learned = learn_rules("gold", "en-tr", words=False, folds=2)
    >>> learned.trials[0].z, learned.trials[0].pairs == len(learned.learned)
    (None, False)
    """
    start = start if isinstance(start, RuleSet) else load_rules(start)
    if any(rule.pairs for rule in start.rules):
        raise PreorderEvalError(f"rule set {start.name!r} has rules of pairs; start from slots")
    chosen_metrics = [order_metric(m) if isinstance(m, str) else m for m in metrics]
    reference = load_reference(reference) if isinstance(reference, str | Path) else reference
    references = reference.allowed if isinstance(reference, ReferenceSet) else reference
    linked = int(references.informative.sum())
    if not 2 <= folds <= linked:
        raise PreorderEvalError(
            f"{folds} folds of {linked} sentences with a link: give from 2 to as many folds"
        )
    parser, treebank = named_trees(trees, reference, cache=cache, progress=progress)
    names = [reference.name] if isinstance(reference, ReferenceSet) else []
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
    if isinstance(reference, ReferenceSet) and "-" in reference.languages:
        source, target = reference.languages.split("-", 1)
        start = replace(start, source=source, target=target)
    if names:
        from_rules = f", starting from {start.name}" if start.rules else ""
        description = f"learned from {' and '.join(names)}{from_rules}"
        start = replace(start, description=description, tuned_on=(*start.tuned_on, *names))

    before = start.reorder(treebank)
    instances = Instances.of(treebank, pair_costs(treebank, references), before, words=words)
    tasks = [(z, part) for z in Z_SCORES for part in range(folds)]
    jobs = jobs if len(instances) >= _ENOUGH else 1
    together = Processes(jobs, _Learner, treebank, instances, start, name, fold)
    positions = np.empty((len(Z_SCORES), len(treebank.words)), dtype=np.int32)
    of_tokens = np.repeat(fold, treebank.lengths)
    with progress("learning", len(tasks)) as advance:
        for (z, part), held_out in zip(tasks, together.map(_Learner.held_out, tasks), strict=True):
            positions[Z_SCORES.index(z), of_tokens == part] = held_out
            if advance:
                advance(1)
    source_words = SourceWords.of(treebank.sentences)

    def scores(orders: Orders) -> list[Scores]:
        return [metric.score(orders, references, source_words) for metric in chosen_metrics]

    of_all = list(together.map(_Learner.learn, Z_SCORES))
    of_held_out = [scores(Orders(treebank.offsets, of_each)) for of_each in positions]
    trials = [
        Trial(z, len(learned), _corpus(held_out))
        for z, (_, learned), held_out in zip(Z_SCORES, of_all, of_held_out, strict=True)
    ]
    sign = 1 if chosen_metrics[0].higher_is_better else -1
    best = max(range(len(trials)), key=lambda n: sign * trials[n].values[0])
    rules, learned = of_all[best]
    scored = references.informative
    measurements = [
        Measurement(np.stack([one.statistics, other.statistics])[:, scored], metric.finish)
        for one, other, metric in zip(
            scores(before), of_held_out[best], chosen_metrics, strict=True
        )
    ]
    compared = compare_systems(
        measurements, higher_is_better=[m.higher_is_better for m in chosen_metrics], seed=seed
    )
    return LearnedRules(
        rules,
        learned,
        tuple(map(str, chosen_metrics)),
        trials,
        trials[best].z,
        tuple(float(measurement.values[0]) for measurement in measurements),
        _corpus(scores(rules.reorder_unchecked(treebank))),
        [pair.difference for [pair] in compared],
        int(scored.sum()),
        folds,
        seed,
        start.name,
        " and ".join(names),
        parser,
    )


@dataclass(frozen=True, eq=False)
class _Learner:
    """Sentences in folds, their training instances, and the rules that learned pairs correct."""

    trees: Treebank
    instances: Instances
    start: RuleSet
    name: str
    fold: Longs

    def learn(
        self, z: float | None, chosen: Bools | None = None
    ) -> tuple[RuleSet, list[LearnedPair]]:
        """Learn rules from all instances, or the `chosen` ones, with exceptions from a z-score."""
        # What rules decide already turns only where that is as significant as an exception.
        general = (z or Z_SCORES[1] or 0.0) if self.start.rules else 0.0
        learned = learn_pairs(self.instances, Thresholds(z, general=general), chosen)
        pairs = tuple(one.pair for one in learned)
        rules = (*((Rule(("*",), pairs=pairs),) if pairs else ()), *self.start.rules)
        return replace(self.start, name=self.name, rules=rules, examples=()), learned

    def held_out(self, task: tuple[float | None, int]) -> Ints:
        """Return where a fold's words come out by rules that are learned from the others."""
        z, part = task
        rules, _ = self.learn(z, self.fold[self.instances.sentence] != part)
        trees = self.trees.take(np.flatnonzero(self.fold == part))
        return rules.reorder_unchecked(trees).positions


def _folds(sentences: int, folds: int) -> Longs:
    """For every sentence the fold that it belongs to, neighbours together; int64[S]."""
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


def _corpus(scores: Sequence[Scores]) -> tuple[float, ...]:
    return tuple(score.corpus for score in scores)
