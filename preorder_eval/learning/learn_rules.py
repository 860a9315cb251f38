"""Rules learned from reference orders, and their scores on held-out sentences.

How significant an exception must be cannot be decided on the sentences that the rules are fitted
to. So several thresholds are tried in k folds: each fold is held out and reordered by rules learned
from the other folds. The threshold with the best score on the held-out folds is taken. As it is the
best of a few, its score is a little too good; on the other hand, the rules learned from all
sentences are a little better than those of the folds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.analysis.trees_and_orders import Reference, Trees, learned_by
from preorder_eval.base.arrays import Bools, Longs
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.progress import Progress, no_progress
from preorder_eval.base.stats.legends import few_drawn
from preorder_eval.base.stats.significance import compare_systems
from preorder_eval.base.stats.unit import Unit
from preorder_eval.base.tables import Caveat, Column, Shown, Table, ends
from preorder_eval.base.visible import first_few, quantity
from preorder_eval.evaluation.evaluate import reference_of
from preorder_eval.evaluation.notes import converted_notes, interval_by
from preorder_eval.evaluation.pair import MetricComparison
from preorder_eval.evaluation.parsed import named_trees
from preorder_eval.evaluation.systems import Rules
from preorder_eval.evaluation.verdict.caveats import decided_by_few
from preorder_eval.evaluation.verdict.wording import of_two
from preorder_eval.learning.rule_decisions import Instances, LearnedPair, learn_pairs
from preorder_eval.metrics import order_metric, short_names
from preorder_eval.metrics.base import Scores
from preorder_eval.metrics.orders.order import OrderMetric
from preorder_eval.orders.orders import Alternatives, Orders, ReferenceOrders, SourceWords
from preorder_eval.references.objective import objective
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.from_treebank.treebank_rules import TreebankRules, rules_from_treebank
from preorder_eval.rules.pair_costs import pair_costs
from preorder_eval.rules.rule import Rule
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.rules.rule_set import LEARNED_FROM, RuleSet
from preorder_eval.rules.rule_writing import format_rules
from preorder_eval.trees.schemes import in_scheme, likely_scheme
from preorder_eval.trees.treebank import Treebank, document_names

Z_SCORES = (None, 2.5, 2.0, 1.6, 1.3)
_TOP = 20  # exceptions that text shows


@dataclass(frozen=True)
class Trial:
    """A threshold tried: the number of pairs learned from all sentences, and the held-out scores.

    `z` is the least z-score of an exception, None without exceptions. `values` are the corpus
    scores by each metric, with every sentence reordered by rules that were learned from the other
    folds.
    """

    z: float | None
    pairs: int
    values: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class LearnedRules(Shown):
    """A rule set that was learned.

    - `rules` are the rules, and `learned` has the evidence for each pair of the first rule.
    - `scores` compares by each metric the rules to start from with the learned rules on held-out
      sentences. The first metric chose the threshold `z` among `trials`.
    - `sentences` is the number of sentences with a link.
    """

    rules: RuleSet
    learned: list[LearnedPair]
    scores: list[MetricComparison]
    _fitted: list[float]
    trials: list[Trial]
    z: float | None
    sentences: int
    _folds: int
    _seed: int
    _start: str
    _reference: str
    _made_by: Mapping[str, Any]
    _unit: Unit
    _learned: Sequence[Caveat] = ()

    @property
    def verdict(self) -> str:
        """Whether the rules are better than those to start from, on held-out sentences."""
        lead, pair = self.scores[0], (self._start or "no rules", self.rules.name)
        better = of_two(*pair, "orders", lead)
        few = decided_by_few(lead)
        exceptions = sum(one.exception for one in self.learned)
        pairs = f"{quantity(len(self.learned), 'pair')}, {quantity(exceptions, 'exception')} among"
        source = f" of {self._reference}" if self._reference else ""
        told = f"{better} (held out).{f' {few}.' * bool(few)} {pairs} them"
        return f"{told}, from {self.sentences} sentences{source}."

    @property
    def own_warnings(self) -> list[Caveat]:
        few = decided_by_few(self.scores[0])
        return [*([Caveat("few_units", f"{few}.")] if few else []), *self._below]

    @property
    def _below(self) -> list[Caveat]:
        """The warnings that stand below the table."""
        return [*few_drawn(self._unit, *self.scores[0].units), *self._learned]

    def tables(self) -> list[Table]:
        scores = [
            [one.metric, one.name, *one.values, ends(gain.at_95), gain.mark, gain.p, fitted]
            for one, fitted in zip(self.scores, self._fitted, strict=True)
            for gain in [one.difference]
        ]
        trials = [[trial.z, trial.pairs, *trial.values] for trial in self.trials]
        tried = [Column("z", "least z", ".1f", none="no exceptions"), Column("pairs")]
        tried += [Column(("held_out", one.metric), format=".3f") for one in self.scores]
        return [
            Table("scores", _SCORES, scores, only="json"),
            Table("trials", tried, trials, only="json"),
            Table.of("pairs", _PAIRS, self.learned),
        ]

    def view(self, whole: bool = False) -> list[Table]:
        scores, trials, _ = self.tables()
        notes = [
            f"held out: {self._folds} folds, each reordered with rules learned from the others"
            + interval_by(self._unit.drawn, interval=False),
            "fitted: on the training sentences, and therefore too high",
            *(caveat.text for caveat in self._below),
            *converted_notes([self._made_by]),
        ]
        strict = "no exceptions" if self.z is None else f"exceptions with z of at least {self.z}"
        kept = [f"{strict}, chosen by {self.scores[0].metric} on held-out folds"]
        tables = [replace(scores, notes=notes)]
        listed = sorted((one for one in self.learned if one.exception), key=lambda one: -one.z)
        if listed:
            shown = ("z", "wanted", "unwanted", "pair", "examples")
            exceptions = Table.of("pairs", _PAIRS, listed)
            exceptions = exceptions.select(*shown, title="Exceptions", notes=kept)
            tables.append(exceptions if whole else exceptions.head(_TOP))
        return [*tables, trials] if whole else tables

    def _facts(self) -> dict[str, Any]:
        return {
            "reference": self._reference,
            "parser": self._made_by["name"],
            "rules": self.rules.name,
            "start": self._start,
            "sentences": self.sentences,
            "folds": self._folds,
            "seed": self._seed,
            "z": self.z,
        }

    def toml(self) -> str:
        """Return the rule file, every pair with the counts for it and against it."""
        notes = {
            ("", one.pair): f"{one.wanted} : {one.unwanted}{', exception' * one.exception}"
            for one in self.learned
        }
        return format_rules(self.rules, notes)


_SCORES = [
    Column("metric", only="data"),
    Column("name", "metric", label=True, only="people"),
    Column("before", format=".3f"),
    Column("held_out", "held out", ".3f"),
    Column(
        "gain",
        "gain [95% CI]",
        "+.3f",
        interval=True,
        fields=("gain", "low_95", "high_95"),
        mark="significance",
    ),
    Column("significance", only="data"),
    Column("p", format="p"),
    Column("fitted", format=".3f"),
]
_PAIRS = [
    Column("pair", of=lambda one: str(one.pair), label=True),
    Column("exception", format="exception"),
    Column("wanted", "for"),
    Column("unwanted", "against"),
    Column("z", format=".1f"),
    Column("sentences"),
    Column("examples", "sentences", only="people", of=lambda one: first_few(one.sentences)),
]


def learn_rules(
    trees: Trees | None = None,
    reference: Reference | None = None,
    *,
    treebank: str | Path | Treebank | None = None,
    source_treebank: str | Path | Treebank | None = None,
    start: Rules = "none",
    metrics: Sequence[str | OrderMetric] = (),
    words: bool = True,
    folds: int = 5,
    seed: int = 0,
    name: str = "learned",
    cache: bool = True,
    progress: Progress = no_progress,
) -> LearnedRules | TreebankRules:
    """Learn which kinds of items of a head turn, from aligned sentences or from a treebank.

    With `treebank`, trees of the target language in UD labels, no aligned sentence is needed: pairs
    turn where source and target prefer opposite orders and translations would probably follow. The
    counts of English are shipped; `source_treebank` has trees of another source language. A name
    such as en-sv names the languages. All other parameters are for aligned sentences.

    Parameters: `trees` of the sentences, or a parser, by name or path, that makes them (`gold` for
    the reference's own); `reference` a reference set, or reference orders; `start` rules that the
    learned pairs correct, for example those of a treebank; `metrics`, by default the `objective` of
    these sentences, of which the first chooses how significant exceptions must be; without `words`
    no condition names a word; `folds` of neighbouring sentences, or of whole documents where
    these are known and not fewer, at least 2. Lifts of the start stay as they are. Raises
    PreorderEvalError for fewer sentences with a link than folds, trees that the start cannot read,
    and a treebank whose labels are not UD's.

    >>> import preorder_eval as pe
    >>> learned = pe.learn_rules("gold", "en-ja-standard", words=False, folds=2)
    >>> learned.trials[0].z, learned.trials[0].pairs == len(learned.learned)
    (None, False)
    """
    if treebank is not None:
        return rules_from_treebank(treebank, source_treebank, name=name)
    if trees is None:
        raise PreorderEvalError("give trees with a reference, or a treebank of the target language")
    start = load_rules(start)
    named_metrics = [order_metric(m) if isinstance(m, str) else m for m in metrics]
    if reference is None or isinstance(reference, str | Path):
        reference = reference_of(reference, [start])
    references = reference.allowed if isinstance(reference, ReferenceSet) else reference
    linked = _enough(references, folds)
    by = named_metrics or [*objective(references)]
    parsed = named_trees(trees, reference, start, cache=cache, progress=progress)
    start, lifting, treebank = _lifted(start, parsed.trees)
    before = start.reorder(treebank)
    named = _described(start, name, treebank, reference)
    named_labels = replace(treebank, labels=in_scheme(treebank.labels, named.scheme))
    instances = Instances.of(named_labels, pair_costs(treebank, references), before, words=words)
    documents = reference.documents if isinstance(reference, ReferenceSet) else ()
    documents = documents or document_names(parsed.trees.comments)
    fold = _folds(len(treebank), folds, documents)
    held_out = _held_out_orders(named, instances, treebank, fold, progress)
    source_words = SourceWords.of(treebank.sentences)

    def scores(orders: Orders) -> list[Scores]:
        return [metric.score(orders, references, source_words) for metric in by]

    learned = [_learn(named, instances, z) for z in Z_SCORES]
    of_held_out = list(map(scores, held_out))
    trials = [
        Trial(z, len(pairs), tuple(score.corpus for score in of_each))
        for z, (_, pairs), of_each in zip(Z_SCORES, learned, of_held_out, strict=True)
    ]
    sign = 1 if by[0].higher_is_better else -1
    best = max(range(len(trials)), key=lambda n: sign * trials[n].values[0])
    rules, pairs = learned[best]
    unit = Unit.of_names(documents)
    return LearnedRules(
        replace(rules, rules=(*lifting, *rules.rules)),
        pairs,
        _gains(by, scores(before), of_held_out[best], references.informative, unit, seed),
        [score.corpus for score in scores(rules.reorder_unchecked(treebank))],
        trials,
        trials[best].z,
        linked,
        folds,
        seed,
        start.name,
        reference.name if isinstance(reference, ReferenceSet) else "",
        parsed.identity,
        unit,
        learned_by(reference, parsed.identity, start)
        if isinstance(reference, ReferenceSet)
        else (),
    )


def _enough(references: ReferenceOrders | Alternatives, folds: int) -> int:
    """Return how many sentences have a link. Raises PreorderEvalError if folds would be empty."""
    linked = int(references.informative.sum())
    if not 2 <= folds <= linked:
        raise PreorderEvalError(
            f"{folds} folds of {linked} sentences with a link: give at least 2 folds, and at "
            "most as many as sentences"
        )
    return linked


def _lifted(start: RuleSet, trees: Treebank) -> tuple[RuleSet, tuple[Rule, ...], Treebank]:
    """Return the rules that do not lift, the rules that lift, and the trees after the lifts."""
    lifting = tuple(rule for rule in start.rules if rule.lift)
    if not lifting:
        return start, (), trees
    # What is lifted is learned from where it hangs then.
    treebank = start.fit(trees).treebank
    return replace(start, rules=tuple(r for r in start.rules if not r.lift)), lifting, treebank


def _gains(
    by: Sequence[OrderMetric],
    before: Sequence[Scores],
    after: Sequence[Scores],
    scored: Bools,
    unit: Unit,
    seed: int,
) -> list[MetricComparison]:
    """Compare the orders of the start with those on held-out sentences, by each metric."""
    measurements = [
        unit.measurement(
            np.stack([one.statistics, other.statistics])[:, scored], metric.finish, scored
        )
        for one, other, metric in zip(before, after, by, strict=True)
    ]
    compared = compare_systems(
        measurements, higher_is_better=[metric.higher_is_better for metric in by], seed=seed
    )
    names, _ = short_names(list(map(str, by)))
    return [
        MetricComparison(
            pair.difference,
            metric,
            name,
            (float(measurement.values[0]), other.corpus),
            units=(unit.count(scored), unit.name),
        )
        for metric, name, measurement, other, [pair] in zip(
            by, names, measurements, after, compared, strict=True
        )
    ]


def _described(start: RuleSet, name: str, trees: Treebank, reference: Reference) -> RuleSet:
    """Return the rules to start from, with name, languages and description of the learned ones."""
    scheme = start.scheme if start.rules else likely_scheme(trees.labels, start.scheme)[0]
    named = replace(start, name=name, scheme=scheme, examples=())
    if not isinstance(reference, ReferenceSet):
        return named
    if "-" in reference.languages:
        source, target = reference.languages.split("-", 1)
        named = replace(named, source=source, target=target)
    from_rules = f", starting from {start.name}" if start.rules else ""
    description = f"{LEARNED_FROM}{reference.name}{from_rules}"
    tuned_on = tuple(dict.fromkeys([*start.tuned_on, reference.name]))
    return replace(named, description=description, tuned_on=tuned_on)


def _folds(sentences: int, folds: int, documents: Sequence[str] = ()) -> Longs:
    """Return the fold of each sentence: neighbours are in one, and so are whole documents.

    Where fewer documents than folds are known, sentences of one may be in two.

    >>> _folds(5, 2).tolist(), _folds(5, 2, ["a", "a", "a", "b", "c"]).tolist()
    ([0, 0, 0, 1, 1], [0, 0, 0, 0, 1])
    """
    number = {name: n for n, name in enumerate(dict.fromkeys(documents))}
    if len(number) < folds:
        return np.arange(sentences) * folds // sentences
    of = np.array([number[name] for name in documents], dtype=np.int64)
    fold: Longs = of * folds // len(number)
    return fold


def _held_out_orders(
    start: RuleSet, instances: Instances, treebank: Treebank, fold: Longs, progress: Progress
) -> list[Orders]:
    """Return for each of Z_SCORES the orders by rules that were learned from the other folds."""
    folds = int(fold.max()) + 1
    positions = np.empty((len(Z_SCORES), len(treebank.words)), dtype=np.int32)
    with progress("learning", len(Z_SCORES) * folds) as advance:
        for row, z in zip(positions, Z_SCORES, strict=True):
            for part in range(folds):
                held_out = fold == part
                rules, _ = _learn(start, instances, z, ~held_out[instances.sentence])
                orders = rules.reorder_unchecked(treebank.take(np.flatnonzero(held_out)))
                row[np.repeat(held_out, treebank.lengths)] = orders.positions
                if advance:
                    advance(1)
    return [Orders(treebank.offsets, row) for row in positions]


def _learn(
    start: RuleSet, instances: Instances, z: float | None, chosen: Bools | None = None
) -> tuple[RuleSet, list[LearnedPair]]:
    """Learn corrections of rules, with exceptions from a minimum z-score, and their evidence."""
    # What rules decide already turns only where that is as significant as an exception.
    least = (z or Z_SCORES[1] or 0.0) if start.rules else 0.0
    learned = learn_pairs(instances, z, chosen, least=least)
    pairs = tuple(one.pair for one in learned)
    if not pairs:
        return start, learned
    # The first pair that fits decides: what is learned goes before the pairs to start from.
    rules = [replace(r, pairs=(*pairs, *r.pairs)) if r.pairs else r for r in start.rules]
    return replace(start, rules=(Rule(("*",), pairs=pairs), *rules)), learned
