"""Values of systems by metrics, with intervals and differences, and how they are looked up.

These are facts alone. Tables, notes and verdicts read them, and `preorder_eval.evaluation.result`
puts both together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Bools, Floats
from preorder_eval.base.errors import UnknownNameError, require_between
from preorder_eval.base.stats.bootstrap import Interval
from preorder_eval.base.stats.measurement import DRAWN_TOGETHER, Measurement
from preorder_eval.base.stats.significance import ComparedPair, Difference
from preorder_eval.base.stats.unit import Unit
from preorder_eval.base.version import __version__
from preorder_eval.evaluation.inputs import Inputs
from preorder_eval.evaluation.overlap import learned, seen
from preorder_eval.evaluation.sampling import (
    Estimates,
    Sampling,
    Standing,
    between,
    lead_of,
    number_of,
)
from preorder_eval.evaluation.systems import System
from preorder_eval.metrics import metric as parse_metric
from preorder_eval.metrics import parse_signature, short_names, written_out
from preorder_eval.metrics.base import Metric, Scores
from preorder_eval.metrics.needs import LINKED


@dataclass(frozen=True, eq=False, kw_only=True)
class Values:
    """Systems scored on the same sentences by the same metrics: values, intervals, differences.

    - `inputs` are what was scored, `scores` those of each system by each metric on all sentences.
    - `measurements` has for each metric the statistics of all systems on the sentences that it
      scores. They are summed over documents if these are known, and over groups of sentences if
      there are very many sentences.
    - `estimates` are the intervals and the differences of pairs of systems, computed by resampling
      them.
    - `folder` is the run folder that the result was read from, and `recorded` its `run.json`.
    """

    inputs: Inputs
    metrics: tuple[Metric, ...]
    scores: Sequence[Sequence[Scores]]
    measurements: Sequence[Measurement]
    estimates: Estimates
    folder: Path | None = None
    recorded: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def sampling(self) -> Sampling:
        """How intervals and differences were drawn."""
        return self.estimates.sampling

    @property
    def intervals(self) -> Sequence[Sequence[Interval]]:
        """The value of each system by each metric, with its 95% bootstrap interval."""
        return self.estimates.intervals

    @property
    def pairs(self) -> Sequence[Sequence[ComparedPair]]:
        """By each metric the pairs of systems that were compared."""
        return self.estimates.pairs

    @property
    def made(self) -> Sequence[System]:
        """The systems, with what they were made by."""
        return self.inputs.systems

    @cached_property
    def about(self) -> Mapping[str, Any]:
        """What the systems are compared with, for JSON."""
        return self.inputs.facts()

    @cached_property
    def left_out(self) -> list[int]:
        """The 1-based numbers of the sentences without a link, which no metric of orders scores."""
        source = self.inputs.ordered
        if source is None or not any("orders" in metric.needs for metric in self.metrics):
            return []
        numbers: list[int] = (np.flatnonzero(~source.informative) + 1).tolist()
        return numbers

    @cached_property
    def cut_short(self) -> list[list[int]]:
        """The number of sentences with an incomplete search, for each system and metric."""
        return [
            [by.cut_short(of.statistics) for by, of in zip(self.metrics, row, strict=True)]
            for row in self.scores
        ]

    @cached_property
    def seen(self) -> Mapping[str, int]:
        """How many of the sentences parsers and rule sets learned from."""
        reference = self.inputs.reference
        return {} if reference is None else seen(self.made, reference)

    @property
    def systems(self) -> list[str]:
        """The names of the systems.

        >>> import preorder_eval as pe
        >>> pe.score({"mt": ["a b"]}, ["a c"], ["wer"]).systems
        ['mt']
        """
        return [system.name for system in self.made]

    @property
    def labels(self) -> list[str]:
        """The names of the systems for tables.

        If all have the same parser, that stands in the title, and they are called by their rules.
        """
        alike = len(self.parsers) == 1 < len(self.made)
        named = [system.rules if alike and system.rules else system.name for system in self.made]
        return named if len(set(named)) == len(named) else self.systems

    @property
    def parsers(self) -> set[str]:
        """The names of the parsers; the source order has none."""
        return {system.parser for system in self.made} - {""}

    @cached_property
    def metric_names(self) -> list[str]:
        """The names of the metrics for people."""
        return short_names(list(map(str, self.metrics)))[0]

    @property
    def readable(self) -> list[int]:
        """The numbers of the metrics that can read the texts."""
        return [m for m in range(len(self.metrics)) if m not in self.estimates.unread]

    @property
    def lead(self) -> int:
        """The number of the leading metric: the first that can read the texts."""
        return lead_of(self.metrics, self.estimates.unread)

    @cached_property
    def standing(self) -> Standing:
        """The ranking of the systems by the leading metric."""
        return self.standing_by(self.lead)

    def standing_by(self, m: int) -> Standing:
        named, of_orders = self.sampling.baseline, self.of_orders
        return Standing.of(self.made, self.metrics[m], self.measurements[m], of_orders, named)

    @property
    def best(self) -> int:
        """The number of the system that is best by the leading metric."""
        return self.standing.best

    @property
    def baseline(self) -> int:
        """The number of the system that rows are compared with."""
        return self.standing.baseline

    @property
    def of_orders(self) -> bool:
        """Return whether systems are compared with a reference set."""
        return "reference" in self.about

    @property
    def versus(self) -> bool:
        """Return whether each row has its difference from the baseline."""
        return self.sampling.against != "none" and len(self.standing.entrants) > 1

    def value(self, system: str, metric: str | Metric | int = 0) -> float:
        """Return the value of a system by a metric: its name for people, its name or signature.

        >>> import preorder_eval as pe
        >>> pe.score({"mt": ["a b"]}, ["a c"], ["wer"]).value("mt", "WER")
        0.5
        """
        return self.interval(system, metric).value

    def interval(self, system: str, metric: str | Metric | int = 0) -> Interval:
        """Return the value of a system by a metric with its 95% bootstrap interval.

        >>> import preorder_eval as pe
        >>> pe.score({"mt": ["a b", "c"] * 3}, ["a c", "c"] * 3, ["wer"]).interval("mt").high
        0.5
        """
        return self.intervals[self.system_number(system)][self.metric_number(metric)]

    def system_number(self, name: str | int) -> int:
        """Return the number of a system, by its name; a number is returned as it is.

        Raises UnknownNameError, with the names there are.
        """
        if isinstance(name, int):
            require_between(
                "the number of a system", name, -len(self.systems), len(self.systems) - 1
            )
            return name
        return number_of(name, self.systems, " of the result")

    def metric_number(self, metric: str | Metric | int) -> int:
        """Return the number of a metric, by its signature or its name for people, such as `FRS`.

        A name such as `fuzzy` finds the metric with the default parameters, or else the only one of
        that name; parameters that are written must be the same. Raises UnknownNameError, with the
        metrics there are.
        """
        if isinstance(metric, int):
            require_between(
                "the number of a metric", metric, -len(self.metrics), len(self.metrics) - 1
            )
            return metric
        written = str(metric)
        if written in self.metric_names:
            return self.metric_names.index(written)
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
            known = dict.fromkeys([*self.metric_names, *map(str, self.metrics)])
            raise UnknownNameError("metric of the result", written, known)
        return alike[0]

    def difference(
        self, first: str | int, second: str | int, metric: str | Metric | int = 0
    ) -> Difference | None:
        """Return the second system minus the first; None if they were not compared.

        >>> import preorder_eval as pe
        >>> outputs = {"base": ["a b"], "new": ["a c"]}
        >>> pe.score(outputs, ["a c"], ["wer"], significance=True).difference("base", "new").value
        -0.5
        """
        pairs = self.pairs[self.metric_number(metric)]
        return between(pairs, self.system_number(first), self.system_number(second))

    def from_baseline(self, system: int, metric: int) -> Difference | None:
        return self.difference(self.baseline, system, metric)

    def of_sentences(self, system: int, metric: int) -> Floats:
        """Return the scores of a system's sentences by a metric, each given by its number."""
        return self.scores[system][metric].sentence

    def counted(self, metric: int) -> Bools:
        """Return which sentences the metric of that number scores; bool[S]."""
        counted: Bools = ~np.isnan(self.scores[0][metric].sentence)
        return counted

    @property
    def unit(self) -> Unit:
        """The unit that intervals and tests resample."""
        return self.inputs.unit

    def units(self, metric: int = 0) -> tuple[int, str]:
        """Return the number and the name of the units that a test swaps between two systems.

        They are sentences, or documents if these are known, or groups of sentences if there are
        very many sentences.
        """
        count = int(self.measurements[metric].statistics.shape[1])
        many = len(self) if self.unit.of is None else self.unit.documents
        return count, self.unit.name if many <= DRAWN_TOGETHER else "group"

    @property
    def reference_name(self) -> str:
        """The name of the reference set, empty where outputs are scored."""
        return str(self.about.get("reference", {}).get("name", ""))

    @property
    def aligner(self) -> str:
        """The aligner that made the links, empty where people did."""
        made_by = self.about.get("inputs", {}).get("align", {}).get("aligner", "")
        return str(self.about.get("reference", {}).get("aligner") or made_by)

    @cached_property
    def learned(self) -> dict[str, list[str]]:
        """Parsers and rule sets that learned from another split of the text, with those splits."""
        found = (learned(system, self.reference_name) for system in self.made)
        return {maker: sets for each in found for maker, sets in each.items()}

    def circumstances(self, metric: Metric) -> dict[str, Any]:
        """Return the entries of a metric's signature that are no parameters.

        That is the number of references, who made the links, and the version.
        """
        needs, facts = {*metric.needs}, dict[str, Any]()
        reference = self.about.get("reference", {})
        if {"ref", "reference_orders"} & needs:
            counts = self._reference_counts
            several = f"{min(counts)}-{max(counts)}" if len(counts) > 1 else counts[0]
            facts["refs"] = reference.get("orders") or several
        linked = needs & {*LINKED, "orders", "reference_orders"}
        aligner = self.about.get("inputs", {}).get("align")
        if aligner and linked:
            settings = [f"{k}={v}" for k, v in aligner.items() if k != "aligner" and v]
            facts["align"] = f"{aligner['aligner']}({','.join(settings)})"
        elif linked and reference.get("aligner"):
            facts["align"] = reference["aligner"]
        return {**facts, "version": __version__}

    @property
    def sacrebleu(self) -> dict[str, str]:
        """sacrebleu's own signatures of the metrics that it has too, by our signatures."""
        counts = self._reference_counts
        references = counts[0] if len(counts) == 1 else -1  # by which sacrebleu writes nrefs:var
        signatures = {str(m): m.sacrebleu_signature(references) for m in self.metrics}
        return {name: signature for name, signature in signatures.items() if signature}

    @property
    def _reference_counts(self) -> list[int]:
        return list(map(int, self.about.get("sentences_with_references", {"0": 0})))

    @property
    def scored(self) -> int:
        """The number of sentences that metrics of orders score."""
        return len(self) - len(self.left_out)
