"""Comparison of two systems: the difference, its significance, and the sentences that differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.errors import PreorderEvalError, argument
from preorder_eval.base.stats import Test
from preorder_eval.base.tables import Caveat, Column, Shown, Table, figure
from preorder_eval.base.version import __version__
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation import notes
from preorder_eval.evaluation.joining import check_same, joined
from preorder_eval.evaluation.pair import MetricComparison, compared
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.result_tables import difference_cells, difference_columns
from preorder_eval.evaluation.systems import listed
from preorder_eval.evaluation.verdict import wording
from preorder_eval.evaluation.verdict.answer import verdict_on_two
from preorder_eval.evaluation.verdict.caveats import learned_from
from preorder_eval.evaluation.verdict.verdict import Verdict, subject
from preorder_eval.evaluation.words_or_order import WordsOrOrder, words_or_order
from preorder_eval.metrics import metric, short_names
from preorder_eval.metrics.base import Metric
from preorder_eval.metrics.orders.order import OrderMetric
from preorder_eval.references.objective import shown_reference

TextFacts = tuple[str, str, str] | tuple[str, str, str, str | None, str | None]


@dataclass(frozen=True)
class Moved:
    """A sentence whose score differs between two systems, as text.

    `source` is the source sentence, or for outputs the references; `first` and `second` are what
    the two systems made of it. `reference` is the reference order that is nearest to the second,
    with ties in braces, and `translation` the translation that it comes from; None if there is
    none.
    """

    number: int
    change: float
    first_score: float
    second_score: float
    source: str
    first: str
    second: str
    reference: str | None = None
    translation: str | None = None

    def view(self, labels: tuple[str, str, str], decimals: int = 3) -> Table:
        """Return the sentence for people, a row for each text."""
        texts = [self.source, self.first, self.second, self.reference, self.translation]
        rows = [
            [label, text]
            for label, text in zip((*labels, "reference", "translation"), texts, strict=True)
            if text is not None
        ]
        form = f".{decimals}f"
        scores = (figure(score, form) for score in (self.first_score, self.second_score))
        title = f"{self.number}  {figure(self.change, f'+{form}')}  ({' → '.join(scores)})"
        columns = [Column("label", "", label=True), Column("text", "", wrap=True)]
        return Table("sentence", columns, rows, title)


@dataclass(frozen=True)
class MovedSentences(Shown):
    """The sentences that gained and those that lost most by a metric, the largest change first.

    `labels` are what the three rows of a sentence are called.

    >>> moved = Moved(12, 0.25, 0.5, 0.75, "he saw it", "he saw it", "he it saw")
    >>> MovedSentences("fuzzy", [moved], [], ("source", "none", "en-ja"))
    Sentences whose FRS changed most
    <BLANKLINE>
    12  +0.250  (0.500 → 0.750)
    source  he saw it
    none    he saw it
    en-ja   he it saw
    """

    metric: str
    gained: Sequence[Moved]
    lost: Sequence[Moved]
    labels: tuple[str, str, str]

    @classmethod
    def of(
        cls,
        compared: MetricComparison,
        most: int,
        texts: Callable[[int], TextFacts],
        labels: tuple[str, str, str],
    ) -> MovedSentences:
        """Take up to `most` sentences that gained, and as many that lost.

        Parameters: `texts` returns the texts of a sentence, given its number from 0. Equal changes
        stay in the order of the corpus.
        """
        change = compared.gain if compared.by.higher_is_better else -compared.gain
        scores = np.column_stack([change, compared.first, compared.second])

        def largest(gain: Floats) -> list[Moved]:
            # Equal changes may differ in the last digits.
            ranked = np.argsort(-gain.round(6), kind="stable")[:most].tolist()
            return [Moved(s + 1, *scores[s].tolist(), *texts(s)) for s in ranked if gain[s] > 0]

        return cls(compared.metric, largest(compared.gain), largest(-compared.gain), labels)

    def _facts(self) -> dict[str, Any]:
        return {"metric": self.metric}

    def tables(self) -> list[Table]:
        columns = [Column(field.name) for field in fields(Moved)]
        return [
            Table.of(key, columns, sentences, only="json")
            for key, sentences in (("gained", self.gained), ("lost", self.lost))
        ]

    def view(self, whole: bool = False) -> list[Table]:
        """Return a table for each sentence, as many as the longer list has, below a heading."""
        [name], _ = short_names([self.metric])
        if not (self.gained or self.lost):
            return [Table("none", [], [], f"No sentence changed in {name}")]
        moved = sorted([*self.gained, *self.lost], key=lambda each: -round(abs(each.change), 6))
        decimals = metric(self.metric).decimals
        most = max(len(self.gained), len(self.lost))
        heading = Table("moved", [], [], f"Sentences whose {name} changed most")
        return [heading, *(each.view(self.labels, decimals) for each in moved[:most])]


@dataclass(frozen=True, eq=False)
class Comparison(Shown):
    """Two systems compared by every metric.

    `both` is a result of just these two. `runs` are the names of the results that they come from,
    and `names` their names there. `most` is the number of sentences to show that changed most.
    `caveats` are known beside the scores, such as that there was one training run only; `further`
    are more tables.

    >>> import preorder_eval as pe
    >>> result = pe.score({"base": ["a b", "c"], "new": ["a b", "d"]}, ["a b", "d"], ["wer"])
    >>> comparison = pe.compare(result)
    >>> comparison.metrics[0].values, comparison.metrics[0].better
    ((0.3333333333333333, 0.0), 1)
    """

    both: Result
    runs: tuple[str, str]
    names: tuple[str, str]
    metrics: Sequence[MetricComparison]
    most: int = 10
    caveats: tuple[Caveat, ...] = ()
    further: Sequence[Table] = ()

    @property
    def lead(self) -> MetricComparison:
        """The comparison by the leading metric: the first metric that can read the texts."""
        return self.metrics[self.both.lead]

    @property
    def of_orders(self) -> bool:
        """Whether the leading metric is of orders; otherwise outputs are compared."""
        return "orders" in self.lead.by.needs

    @property
    def scored(self) -> int:
        """The number of sentences compared by the leading metric."""
        return int(np.count_nonzero(~np.isnan(self.lead.first)))

    @property
    def left_out(self) -> int:
        """The number of sentences that carry no information."""
        return len(self.both) - self.scored

    @property
    def found(self) -> Verdict:
        """The verdict as data, made anew each time, as in `Result`."""
        found = verdict_on_two(self.both, 0, 1, self.told_apart())
        return replace(found, caveats=(*found.caveats, *self.caveats))

    @cached_property
    def parts(self) -> WordsOrOrder | None:
        """Whether outputs differ in words or in order; None if orders are compared."""
        return None if self.of_orders else words_or_order(self.both, self.told_apart())

    @property
    def verdict(self) -> str:
        if self.parts is None:
            return wording.text(self.found)
        return f"{wording.text(self.found, caveats=1)} {self.parts.sentence}"

    @property
    def for_paper(self) -> str:
        return wording.for_paper(self.both, self.found, self.told_apart())

    @property
    def own_warnings(self) -> list[Caveat]:
        return notes.own_warnings(self.both, self.found, self.both.unfit)

    def told_apart(self) -> tuple[str, str]:
        """Return names of the two systems; the names of their runs if their own are equal."""
        named = self.both.labels if self.names[0] != self.names[1] else self.runs
        first, second = named
        return ("A", "B") if first == second else (first, second)

    def sentences(self, most: int = 10) -> MovedSentences:
        """Return up to `most` sentences that gained and lost most by the leading metric.

        >>> import preorder_eval as pe
        >>> result = pe.score({"base": ["a b"], "new": ["a d"]}, ["a d"], ["wer"])
        >>> pe.compare(result).sentences().gained[0].change
        -0.5
        """
        labels = ("source" if self.of_orders else "reference", *self.names)
        return MovedSentences.of(self.lead, most, self._texts, labels)

    def _texts(self, sentence: int) -> TextFacts:
        """Return the source, what both systems made of it, the reference order and translation."""
        inputs = self.both.inputs
        if self.of_orders and inputs.ordered is not None:
            words = inputs.ordered.source[sentence]
            orders = [inputs.of(number).orders[sentence] for number in (0, 1)]
            first, second = (" ".join(words[i] for i in order) for order in orders)
            of_orders = (by for by in self.both.metrics if isinstance(by, OrderMetric))
            right = shown_reference(inputs.ordered, sentence, orders[1], next(of_orders, None))
            return " ".join(words), first, second, *right
        references = " | ".join(text.sentences[sentence] for text in inputs.references)
        first, second = ((system.hyp or [""] * len(inputs))[sentence] for system in inputs.systems)
        return references, first, second

    def _facts(self) -> dict[str, Any]:
        about = self.both.about
        return {
            "first": {"run": self.runs[0], "system": self.names[0]},
            "second": {"run": self.runs[1], "system": self.names[1]},
            "reference": about.get("reference", about.get("references")),
            "sentences": self.scored,
            "left_out": self.left_out,
            **self.both.unit.facts(),
            "significance": self.both.sampling.facts(),
            "verdict": self.found.facts(),
            **({"words_or_order": self.parts.facts()} if self.parts else {}),
            "moved": {"metric": self.lead.metric},
        }

    def tables(self) -> list[Table]:
        columns = [
            Column("metric", only="data"),
            Column("name", "metric", label=True, only="people"),
            Column("decimals", only="hidden"),
            Column("first", "A", ".3f", decimals="decimals"),
            Column("second", "B", ".3f", decimals="decimals"),
            *difference_columns(heading="B - A", decimals="decimals"),
            *(Column(name) for name in ("better", "worse")),
            Column("same", only="data"),
        ]
        rows = [
            [
                *(compared.metric, compared.name, compared.by.decimals, *compared.values),
                *difference_cells(compared.difference),
                *(compared.better, compared.worse, compared.same),
            ]
            for compared in self.metrics
        ]
        moved = self.sentences(self.most)
        return [
            Table("metrics", columns, rows),
            *([self.parts.table] if self.parts else []),
            *self.further,
            *(replace(table, key=("moved", str(table.key))) for table in moved.tables()),
        ]

    def view(self, whole: bool = False) -> list[Table]:
        rows = list(zip("AB", self.runs, self.names, strict=True))
        systems = Table("systems", [Column(key, "") for key in ("letter", "run", "name")], rows)
        sampling, units = self.both.sampling, self.both.units()[0]
        legend = notes.marks_legend(sampling.test, sampling.resamples, sampling.seed, whole, units)
        left_out = f", {self.left_out} skipped" if self.left_out else ""
        _, signatures = short_names([compared.metric for compared in self.metrics])
        lines = [
            f"{quantity(self.scored, 'sentence')}{left_out}; {signatures}; preorder-eval "
            f"{__version__}",
            f"B - A{notes.interval_by(self.both.unit.drawn)}: {legend}",
            *notes.lower_is_better(self.both.metrics, [by.name for by in self.metrics]),
            *(caveat.text for caveat in notes.warnings_below(self.both)),
            *self.both.remarks,
            *(f"warning: {caveat.text}" for caveat in self.both.unfit),
            *(caveat.text for caveat in learned_from(self.both, self.found)),
            *wording.unsaid(self.found, caveats=1 if self.parts else 2),
        ]
        shown = [systems, replace(self.tables()[0], notes=lines)]
        if self.parts is not None:
            shown.append(self.parts.table)
        shown += self.further
        if not self.most:
            return shown
        moved = self.sentences(self.most)
        *views, last = replace(moved, labels=(moved.labels[0], "A", "B")).view()
        more = self.lead.better + self.lead.worse - len(views)
        if more:
            note = f"{more} more sentence{'s' * (more > 1)} changed; to see them, use "
            last = replace(last, notes=[f"{note}{argument('sentences=N')} or a report"])
        return [*shown, *views, last]


def compare(
    first: Result,
    second: Result | None = None,
    systems: str | Sequence[str] = (),
    metrics: str | Metric | Sequence[str | Metric] = (),
    *,
    sentences: int = 3,
    resamples: int | None = None,
    seed: int | None = None,
    test: Test | None = None,
) -> Comparison:
    """Compare two systems of one result, or of two over the same sentences.

    Parameters: `systems` the first system and the second. If there are two results, one name stands
    for both. No names are needed if two results have a single system each, or a single result has
    two. `metrics` are by default those that both results have, and `sentences` is how many
    sentences that changed most are shown. `resamples`, `seed` and `test` are by default those of
    the first result.

    Raises PreorderEvalError if sentences differ, if it is not clear which systems are meant
    (it names them), and if no metric is shared.

    >>> import preorder_eval as pe
    >>> before, after = (pe.score({"mt": [text]}, ["a b"], ["wer"]) for text in ("a", "a b"))
    >>> pe.compare(before, after).metrics[0].difference.value
    -0.5
    """
    names = _chosen(first, second, listed(systems))
    other = second or first
    if other is not first:
        check_same(first, other)
    chosen = tuple(metric(m) if isinstance(m, str) else m for m in listed(metrics))
    shared = tuple(m for m in first.metrics if m in other.metrics)
    if not (chosen or shared):
        raise PreorderEvalError(
            f"{first.name} and {other.name} share no metric; name one to compare by "
            f"({argument('metrics=…', '--metric')})"
        )
    one, two = first.chosen([names[0]]), other.chosen([names[1]])
    for result in (one, two):
        result.inputs.require(chosen, f", which {result.name} does not hold; score with it first")
    asked = {"resamples": resamples, "seed": seed, "test": test}
    changes: dict[str, Any] = {name: of for name, of in asked.items() if of is not None}
    sampling = replace(first.sampling, against="all", baseline="", **changes)
    both = joined([one, two], chosen or shared, sampling)
    by_metric = [compared(both, 0, 1, m) for m in range(len(both.metrics))]
    return Comparison(both, (first.name, other.name), names, by_metric, sentences)


def _chosen(first: Result, second: Result | None, names: Sequence[str]) -> tuple[str, str]:
    """Return the names of the two systems to compare."""
    if len(names) > 2:
        raise PreorderEvalError(f"{len(names)} systems are named; only two can be compared")
    if len(names) == 2 or (names and second is not None):
        return names[0], names[-1]
    results = [first] if second is None else [first, second]
    every = [name for result in results for name in result.systems]
    if not names and len(every) == 2:
        return every[0], every[1]
    listed = "; ".join(f"{result.name} has {', '.join(result.systems)}" for result in results)
    two = argument("systems=[A, B]", "--system A --system B")
    raise PreorderEvalError(f"name two systems ({two}): {listed}")


def opposed(comparisons: Mapping[str, Comparison]) -> str:
    """Return a sentence if the second system is better by one reference and worse by another.

    Parameters: `comparisons` of the same two systems, by the names of the references. At least one
    of the differences by the first metric must be significant; if others are not, the sentence says
    that the references may disagree. It is empty if there is nothing to say.
    """
    shown = {name: each.lead.decision.direction for name, each in comparisons.items()}
    signs: dict[bool, list[str]] = {True: [], False: []}
    for name, each in comparisons.items():
        difference = each.lead.difference
        if difference.value:
            sure = "" if shown[name] else " (not significantly)"
            signs[(difference.value > 0) == difference.higher_is_better].append(f"{name}{sure}")
    if not all(signs.values()) or not any(shown.values()):
        return ""
    second = next(iter(comparisons.values())).told_apart()[1]
    better, worse = (", ".join(signs[kind]) for kind in (True, False))
    verb = "disagree" if all(shown.values()) else "may disagree"
    return f"The references {verb}: {subject(second)} is better on {better}, worse on {worse}."
