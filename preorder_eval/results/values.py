"""Values of systems by metrics, with intervals and differences, and how they are looked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from preorder_eval import __version__
from preorder_eval.data.arrays import Floats
from preorder_eval.data.metric_needs import LINKED
from preorder_eval.data.reference_set import NO_LINKS
from preorder_eval.errors import UnknownNameError, argument
from preorder_eval.metrics import metric as parse_metric
from preorder_eval.metrics import parse_signature, short_names, written_out
from preorder_eval.metrics.base import Metric, Scores
from preorder_eval.results import verdicts
from preorder_eval.results.annotators import Firmness
from preorder_eval.results.sampling import Sampling, Standing, number_of
from preorder_eval.results.system_warnings import learned
from preorder_eval.results.systems import System
from preorder_eval.stats.bootstrap import Interval
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import ComparedPair, Difference
from preorder_eval.tables import Column, Shown, Table

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False, kw_only=True)
class Values(Shown):
    """Values of systems by metrics, with their intervals and differences, without the sentences.

    Names with an underscore are the package's own. `_about` is what systems are compared with, for
    JSON, and `_made` are the systems, by what made them. `_left_out` are the 1-based numbers of the
    sentences without a link, which no metric of orders scores. `_measurements` hold for each metric
    the statistics of all systems on the sentences that it scores. They are summed over documents
    where these are known, and over groups of sentences where they are many. `_intervals` are the
    values of each system by each metric with their 95% bootstrap interval, `_pairs` by each metric
    the pairs of systems compared. `_seen` counts the sentences that parsers and rule sets learned
    from. `_cut_short` counts for each system and metric the sentences not searched to the end.
    `_firmness` tells whether the verdict holds by each annotator. `_scores` are those of all
    sentences, if they are here. `_title` and `_remarks` stand above and below the table, `_further`
    tables below that. In a `_matrix` metrics of outputs stand beside each other.
    """

    _about: Mapping[str, Any]
    _made: Sequence[System]
    _size: int
    _left_out: Sequence[int]
    metrics: tuple[Metric, ...]
    _measurements: Sequence[Measurement]
    _intervals: Sequence[Sequence[Interval]]
    _pairs: Sequence[Sequence[ComparedPair]]
    _cut_short: Sequence[Sequence[int]]
    _sampling: Sampling
    _title: str
    _remarks: Sequence[str] = ()
    _seen: Mapping[str, int] = field(default_factory=dict)
    _matrix: bool = False
    _further: Sequence[Table] = ()
    _firmness: Firmness | None = None
    _scores: Sequence[Sequence[Scores]] = ()

    def __len__(self) -> int:
        return self._size

    @property
    def systems(self) -> list[str]:
        """The names of the systems.

        >>> from preorder_eval.results.scoring import score
        >>> score({"mt": ["a b"]}, ["a c"], ["wer"]).systems
        ['mt']
        """
        return [system.name for system in self._made]

    @property
    def _labels(self) -> list[str]:
        """The names of the systems without a parser that all share, as the title has it."""
        alike = len(self._parsers) == 1 < len(self._made)
        named = [system.rules if alike and system.rules else system.name for system in self._made]
        return named if len(set(named)) == len(named) else self.systems

    @property
    def _parsers(self) -> set[str]:
        """The names of the parsers; the source order has none."""
        return {system.parser for system in self._made} - {""}

    @property
    def _metric_names(self) -> list[str]:
        """The names of the metrics for people."""
        return short_names(list(map(str, self.metrics)))[0]

    @cached_property
    def _standing(self) -> Standing:
        """The ranking of the systems by the first metric."""
        return self._standing_by(0)

    def _standing_by(self, m: int) -> Standing:
        named, of_orders = self._sampling.baseline, self._of_orders
        return Standing.of(self._made, self.metrics[m], self._measurements[m], of_orders, named)

    @property
    def _best(self) -> int:
        """The number of the system that is best by the first metric."""
        return self._standing.best

    @property
    def _baseline(self) -> int:
        """The number of the system that rows are compared with."""
        return self._standing.baseline

    @property
    def _of_orders(self) -> bool:
        """Return whether systems are compared with a reference set."""
        return "reference" in self._about

    @property
    def _versus(self) -> bool:
        """Return whether rows have differences from the baseline."""
        return self._sampling.against != "none" and len(self._standing.entrants) > 1

    def value(self, system: str, metric: str | Metric | int = 0) -> float:
        """Return the value of a system by a metric: its name for people, its name or signature.

        >>> from preorder_eval.results.scoring import score
        >>> score({"mt": ["a b"]}, ["a c"], ["wer"]).value("mt", "WER")
        0.5
        """
        return self.interval(system, metric).value

    def interval(self, system: str, metric: str | Metric | int = 0) -> Interval:
        """Return the value of a system by a metric with its 95% bootstrap interval.

        >>> from preorder_eval.results.scoring import score
        >>> score({"mt": ["a b", "c"]}, ["a c", "c"], ["wer"]).interval("mt").high
        0.5
        """
        return self._intervals[self._system_number(system)][self._metric_number(metric)]

    def to_pandas(self, key: str | None = None, *, wide: bool = False) -> DataFrame:
        """Return a row for each system and metric; `wide` for a row for each system.

        With a `key` it is the table of that key. Takes pandas to be installed.

        >>> from preorder_eval.results.scoring import score
        >>> score({"mt": ["a b", "c"]}, ["a c", "c"], ["wer"]).to_pandas().round(2)
          system metric  value  low  high
        0     mt    WER   0.33  0.0   0.5
        """
        if wide or key is not None:
            return super().to_pandas(key)
        columns = [Column("system"), Column("metric"), *map(Column, ("value", "low", "high"))]
        rows = [
            [system, metric, interval.value, interval.low, interval.high]
            for system, intervals in zip(self.systems, self._intervals, strict=True)
            for metric, interval in zip(self._metric_names, intervals, strict=True)
        ]
        return Table("values", columns, rows).to_pandas()

    def _system_number(self, name: str | int) -> int:
        """Return the number of a system, by its name or as tables have it.

        Raises UnknownNameError, with the names there are.
        """
        return name if isinstance(name, int) else number_of(name, self.systems, " of the result")

    def _metric_number(self, metric: str | Metric | int) -> int:
        """Return the number of a metric, by its signature, its name or its name for people.

        That is the metric with these parameters and the defaults of others, or the only one with
        these. Raises UnknownNameError, with the metrics there are.
        """
        if isinstance(metric, int):
            return metric
        written = str(metric)
        if written in self._metric_names:
            return self._metric_names.index(written)
        parsed = parse_metric(written)
        for m, other in enumerate(self.metrics):
            if parsed.splitting(other.tokenize) == other:
                return m
        _, parameters = parse_signature(written_out(written))
        alike = [
            m
            for m, other in enumerate(self.metrics)
            if other.name == parsed.name
            and all(getattr(other, key) == getattr(parsed, key) for key in parameters)
        ]
        if len(alike) != 1:
            known = dict.fromkeys([*self._metric_names, *map(str, self.metrics)])
            raise UnknownNameError("metric of the result", written, known)
        return alike[0]

    def difference(
        self, first: str | int, second: str | int, metric: str | Metric | int = 0
    ) -> Difference | None:
        """Return the second system minus the first; None if they were not compared.

        >>> from preorder_eval.results.scoring import score
        >>> outputs = {"base": ["a b"], "new": ["a c"]}
        >>> score(outputs, ["a c"], ["wer"], significance=True).difference("base", "new").value
        -0.5
        """
        first, second = self._system_number(first), self._system_number(second)
        for pair in self._pairs[self._metric_number(metric)]:
            if (pair.first, pair.second) == (first, second):
                return pair.difference
            if (pair.second, pair.first) == (first, second):
                return pair.difference.reversed()
        return None

    def _from_baseline(self, system: int, metric: int) -> Difference | None:
        return self.difference(self._baseline, system, metric)

    def _of_sentences(self, system: int, metric: int) -> Floats:
        """Return the scores of sentences, by numbers; none, if they stay where they are."""
        return self._scores[system][metric].sentence if self._scores else verdicts.NO_SENTENCES

    @cached_property
    def _learned(self) -> dict[str, list[str]]:
        """The parsers and rule sets that learned from another split of the text, and from which."""
        name = str(self._about.get("reference", {}).get("name", ""))
        found = (learned(system, name) for system in self._made)
        return {maker: sets for each in found for maker, sets in each.items()}

    @property
    def _scored(self) -> int:
        """The number of sentences that metrics of orders score."""
        return self._size - len(self._left_out)

    def _by_tau(self, first: int, second: int) -> str:
        """Return what τ finds between two systems that were not scored by it."""
        return f"τ was not scored: add {argument('metrics=kendall', '--metric kendall')}."

    def _facts(self) -> dict[str, Any]:
        sampling = self._sampling
        facts = {
            **self._about,
            "sentences": self._size,
            "metrics": [str(metric) for metric in self.metrics],
            "bootstrap": {"level": 0.95, "resamples": sampling.resamples, "seed": sampling.seed},
            "left_out": {NO_LINKS: list(self._left_out)} if self._left_out else {},
            "signatures": {str(m): m.signature(**self._circumstances(m)) for m in self.metrics},
        }
        if signatures := self._sacrebleu():
            facts["sacrebleu"] = signatures
        if self._firmness:
            facts["annotators"] = self._firmness.facts()
        if sampling.against != "none":
            compared = {"differences_from": self.systems[self._baseline]}
            facts["significance"] = sampling.facts() | compared
        return facts

    def _circumstances(self, metric: Metric) -> dict[str, Any]:
        """Return the number of references, the maker of a metric's links, and the version."""
        needs, facts = {*metric.needs}, dict[str, Any]()
        reference = self._about.get("reference", {})
        if {"ref", "reference_orders"} & needs:
            counts = self._reference_counts()
            several = f"{min(counts)}-{max(counts)}" if len(counts) > 1 else counts[0]
            facts["refs"] = reference.get("orders") or several
        linked = needs & {*LINKED, "orders", "reference_orders"}
        aligner = self._about.get("inputs", {}).get("align")
        if aligner and linked:
            settings = [f"{k}={v}" for k, v in aligner.items() if k != "aligner" and v]
            facts["align"] = f"{aligner['aligner']}({','.join(settings)})"
        elif linked and reference.get("aligner"):
            facts["align"] = reference["aligner"]
        return {**facts, "version": __version__}

    def _reference_counts(self) -> list[int]:
        return list(map(int, self._about.get("sentences_with_references", {"0": 0})))

    def _sacrebleu(self) -> dict[str, str]:
        """Return what sacrebleu prints for its metrics among these, by our signature."""
        counts = self._reference_counts()
        references = counts[0] if len(counts) == 1 else -1  # by which sacrebleu writes nrefs:var
        signatures = {str(m): m.sacrebleu_signature(references) for m in self.metrics}
        return {name: signature for name, signature in signatures.items() if signature}
