"""Values of systems by metrics, with intervals and differences: verdict and tables.

A `Summary` has no sentences, as those of a corpus on a cluster stay where they are;
`preorder_eval.results.result` adds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from preorder_eval import __version__
from preorder_eval.data.arrays import Floats
from preorder_eval.data.metric_needs import LINKED
from preorder_eval.data.reference_set import NO_LINKS
from preorder_eval.errors import UnknownNameError, argument
from preorder_eval.metrics import metric as parse_metric
from preorder_eval.metrics import parse_signature, short_names, written_out
from preorder_eval.metrics.base import Metric, Scores
from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.metrics.order import Kendall
from preorder_eval.results import notes, verdicts
from preorder_eval.results.annotators import Firmness
from preorder_eval.results.defaults import SOURCE_ORDER
from preorder_eval.results.sampling import Sampling, Standing, number_of
from preorder_eval.results.system_warnings import learned
from preorder_eval.results.systems import System
from preorder_eval.stats.bootstrap import Interval
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import ComparedPair, Difference
from preorder_eval.tables import Column, Key, Shown, Table, ends, figure, signed
from preorder_eval.visible import quantity

if TYPE_CHECKING:
    from pandas import DataFrame

LEARNED = "†"
_SHORT = 14  # letters of a name in a heading


@dataclass(frozen=True, eq=False, kw_only=True)
class Summary(Shown):
    """Values of systems by metrics, with their intervals and differences, without the sentences.

    `about` is what systems are compared with, for JSON, and `made` are the systems, by what made
    them. `left_out` are the 1-based numbers of the sentences without a link, which no metric of
    orders scores. `measurements` have for each metric the statistics of all systems on the
    sentences that it scores, summed over documents where these are known and over groups of
    sentences where they are many. `intervals` are the values of each system by each metric with
    their 95% bootstrap interval, and `pairs` by each metric the pairs of systems compared.
    `seen` counts the sentences that parsers and rule sets were trained or tuned on. `cut_short`
    counts for each system and metric the sentences that were not searched to the end.
    `firmness` tells whether the verdict holds by each annotator, of a set annotated twice.
    `scores` are those of each system by each metric on all sentences, if these are here.
    `title` and `remarks` stand above and below the table, and `further` tables below that. In a
    `matrix` metrics of outputs stand beside each other, as those of orders do.
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
        """How the systems stand to each other by the first metric."""
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
        """Whether systems are compared with a reference set."""
        return "reference" in self._about

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

    @property
    def verdict(self) -> str:
        parts, sentences, two = list[str](), list[str](), self._two if self._versus else None
        if two:
            parts = [self._of_these(*two, *(self._labels[n] for n in two))[:-1], *self._over_none()]
        elif self._versus:
            parts = [self._of_several()]
        parts += self._ceiling()
        if parts:
            sentences.append(f"{'; '.join(parts)}.")
        rival = self._rival() if self._versus else None
        pair = two or (rival and (rival[0], self._best))
        sentences += self._of_parsers(*pair) if pair else []
        sentences += [self._firmness.sentence] if self._firmness else []
        return " ".join([*sentences, *self._seen_before()])

    def _seen_before(self) -> list[str]:
        """Return a sentence for what was trained or tuned on the text scored."""
        reference = str(self._about.get("reference", {}).get("name", ""))
        return verdicts.seen_before(self._seen, self._size, reference, self._learned)

    @cached_property
    def _learned(self) -> dict[str, list[str]]:
        """The parsers and rule sets that learned from another split of the text, and from which."""
        name = str(self._about.get("reference", {}).get("name", ""))
        found = (learned(system, name) for system in self._made)
        return {maker: sets for each in found for maker, sets in each.items()}

    @property
    def for_paper(self) -> str:
        first, others = self._baseline, sorted({*self._standing.entrants} - {self._baseline})
        return self._reported([(first, n) for n in others], self._labels) if self._versus else ""

    def _reported(self, pairs: Sequence[tuple[int, int]], names: Sequence[str]) -> str:
        """Return how the second of pairs of systems differ from the first, for a paper."""
        compared = [(names[a], names[b], self._compared(a, b, 0)) for a, b in pairs]
        texts = quantity(self._size - len(self._left_out), "sentence")
        if self._of_orders:
            texts += f" of {self._about['reference']['name']}"
        trials = self._sampling.facts()["samples"]
        return verdicts.for_paper(compared, texts, trials)

    @property
    def _two(self) -> tuple[int, int] | None:
        """The two systems whose comparison is the question, from the first to the second, if any.

        They are the only ones, or the only ones that reorder.
        """
        standing, one = self._standing, self._baseline
        others = [n for n in standing.entrants if n != one]
        if self._of_orders and one != standing.source_order != standing.best:
            others = [n for n in others if n != standing.source_order] or others
        return (one, others[0]) if len(others) == 1 else None

    def _over_none(self) -> list[str]:
        """Return by how much the best exceeds the source order, where others are compared first."""
        source = self._standing.source_order
        gain = None if source is None else self.difference(source, self._best)
        if gain is None or source == self._baseline:
            return []
        change = signed(gain.value, f"+.{self.metrics[0].decimals}f")
        return [f"{change} over {SOURCE_ORDER} ({verdicts.certainty(gain)})"]

    def _ceiling(self) -> list[str]:
        """Return what gold trees reach, with the rules of the best system if they have these."""
        gold = [n for n in range(len(self._made)) if n not in self._standing.entrants]
        rules, form = self._made[self._best].rules, f".{self.metrics[0].decimals}f"
        values = [figure(of_system[0].value, form) for of_system in self._intervals]
        alike = [values[n] for n in gold if self._made[n].rules == rules]
        reached = alike or [f"{values[n]} by {self._made[n].rules}" for n in gold]
        told = f"{self._labels[self._best]}: {self._metric_names[0]} {values[self._best]}"
        ceiling = [f"gold trees: {', '.join(dict.fromkeys(reached))}"] if gold else []
        return [told] * bool(gold and not self._versus) + ceiling

    def _of_parsers(self, first: int, second: int) -> list[str]:
        """Return what τ has to add where FRS alone tells two parsers apart."""
        parsers = {self._made[n].parser for n in (first, second)} - {""}
        difference = self.difference(first, second)
        if len(parsers) < 2 or not isinstance(self.metrics[0], Fuzzy) or difference is None:
            return []
        marks = [
            other.mark
            for m, by in enumerate(self.metrics)
            if isinstance(by, Kendall) and (other := self.difference(first, second, m))
        ]
        if difference.mark == "0" or difference.mark[0] in {mark[0] for mark in marks}:
            return []
        told = [] if marks else [self._by_tau(first, second)]
        return [*told, "τ ranks parsers more steadily than FRS: see manual metrics."]

    def _by_tau(self, first: int, second: int) -> str:
        """Return what τ finds between two systems that were not scored by it."""
        return f"τ was not scored: add {argument('metrics=kendall', '--metric kendall')}."

    def _of_these(self, first: int, second: int, one: str, other: str) -> str:
        """Return whether the second of two systems, by number, is better; called so."""
        compared = [self._compared(first, second, m) for m in range(len(self.metrics))]
        scored = self._size - len(self._left_out)
        return verdicts.of_two(one, other, self._verb, compared, scored)

    @property
    def _verb(self) -> str:
        return "orders" if "orders" in self.metrics[0].needs else "scores"

    def _compared(self, first: int, second: int, metric: int) -> verdicts.MetricComparison:
        """Return two systems that were compared, by their numbers and that of a metric."""
        one, other = (self._intervals[number][metric].value for number in (first, second))
        difference = self.difference(first, second, metric)
        if difference is None:
            raise ValueError(f"{self.systems[first]} and {self.systems[second]} were not compared")
        scores = (self._of_sentences(number, metric) for number in (first, second))
        by, name = self.metrics[metric], self._metric_names[metric]
        return verdicts.MetricComparison.of(by, name, (one, other), difference, *scores)

    def _of_sentences(self, system: int, metric: int) -> Floats:
        """Return the scores of sentences, by numbers; none, if they stay where they are."""
        return self._scores[system][metric].sentence if self._scores else verdicts.NO_SENTENCES

    def _rival(self) -> tuple[int, str] | None:
        """Return what the best of several exceeds, and its name; None if nothing had to be."""
        named, second = self._sampling.baseline, self._standing.second
        if self._best in (self._standing.source_order, self._baseline if named else None):
            return None
        if named:
            return self._baseline, self._labels[self._baseline]
        return second, f"{self._labels[second]}, the second"

    def _of_several(self) -> str:
        standing, best = self._standing, self._best
        differences = {n: self.difference(best, n) for n in standing.entrants if n != best}
        sentence = verdicts.of_several(
            self._labels,
            self._verb,
            (self._metric_names[0], self.metrics[0]),
            [of_system[0].value for of_system in self._intervals],
            best,
            self._rival(),
            {number: pair for number, pair in differences.items() if pair is not None},
        )
        others: dict[str, list[str]] = {}
        for m, name in enumerate(self._metric_names):
            other = self._standing_by(m).best
            if other != best:
                others.setdefault(self._labels[other], []).append(name)
        more = (f"; best by {', '.join(by)}: {name}" for name, by in others.items())
        return f"{sentence}{self._others_agree()}{''.join(more)}"

    def _others_agree(self) -> str:
        """Return what the other metrics of orders say of the best and its rival."""
        rival = self._rival()
        first = self.difference(rival[0], self._best) if self._of_orders and rival else None
        if rival is None or first is None:
            return ""
        found = {n: self.difference(rival[0], self._best, n) for n in range(1, len(self.metrics))}
        others = {self._metric_names[n]: other for n, other in found.items() if other is not None}
        return verdicts.others_agree(first.mark, others)

    def _facts(self) -> dict[str, Any]:
        sampling = self._sampling
        facts = {
            **self._about,
            "sentences": self._size,
            "metrics": [str(metric) for metric in self.metrics],
            "bootstrap": {"level": 0.95, "resamples": sampling.resamples, "seed": sampling.seed},
            "left_out": {NO_LINKS: list(self._left_out)} if self._left_out else {},
        }
        facts["signatures"] = {
            str(metric): metric.signature(**self._circumstances(metric)) for metric in self.metrics
        }
        signatures = self._sacrebleu()
        if signatures:
            facts["sacrebleu"] = signatures
        if self._firmness:
            facts["annotators"] = self._firmness.facts()
        if sampling.against != "none":
            compared = {"differences_from": self.systems[self._baseline]}
            facts["significance"] = sampling.facts() | compared
        return facts

    def _circumstances(self, metric: Metric) -> dict[str, Any]:
        """Return the number of references, who made the links of a metric of these, and version."""
        needs, facts = {*metric.needs}, dict[str, Any]()
        if {"ref", "reference_orders"} & needs:
            orders, counts = (
                self._about.get("reference", {}).get("orders"),
                self._reference_counts(),
            )
            several = f"{min(counts)}-{max(counts)}" if len(counts) > 1 else counts[0]
            facts["refs"] = orders or several
        linked = needs & {*LINKED, "orders", "reference_orders"}
        aligner = self._about.get("inputs", {}).get("align")
        if aligner and linked:
            settings = [f"{k}={v}" for k, v in aligner.items() if k != "aligner" and v]
            facts["align"] = f"{aligner['aligner']}({','.join(settings)})"
        elif linked and self._about.get("reference", {}).get("aligner"):
            facts["align"] = self._about["reference"]["aligner"]
        return {**facts, "version": __version__}

    def _reference_counts(self) -> list[int]:
        return list(map(int, self._about.get("sentences_with_references", {"0": 0})))

    def _sacrebleu(self) -> dict[str, str]:
        """Return what sacrebleu prints for its metrics among these, by our signature."""
        counts = self._reference_counts()
        references = counts[0] if len(counts) == 1 else -1  # by which sacrebleu writes nrefs:var
        signatures = {
            str(metric): metric.sacrebleu_signature(references) for metric in self.metrics
        }
        return {name: signature for name, signature in signatures.items() if signature}

    def tables(self) -> list[Table]:
        tables = [self._systems()]
        if self._sampling.against == "all":
            tables.append(self._pairs_table())
        return [*tables, *self._further]

    @property
    def _versus(self) -> bool:
        """Whether rows have differences from the baseline."""
        return self._sampling.against != "none" and len(self._standing.entrants) > 1

    def _systems(self) -> Table:
        """Return a row for each system, with its difference from the baseline if compared."""
        of_orders, versus = self._of_orders, self._versus
        left_out = len(self._left_out)
        columns = [
            Column("system", label=True, only="json" if of_orders else ""),
            Column("parser", label=True, only="" if of_orders else "json"),
            Column("rules", label=True, only="" if of_orders else "json"),
            Column("made_by", only="json"),
            Column("sentences"),
            Column("left_out", only="" if of_orders else "json"),
        ]
        rows: list[list[object]] = [
            [s.name, s.parser, s.rules, dict(s.made_by), self._size - left_out, left_out]
            for s in self._made
        ]
        for m, metric in enumerate(self.metrics):
            within, form = ("scores", str(metric)), f".{metric.decimals}f"
            columns.append(Column(within, self._metric_names[m], form, interval=True))
            columns.append(Column((*within, "score"), self._metric_names[m], form, only="hidden"))
            columns.append(Column((*within, "cut_short"), only="json", sparse=True))
            if versus:
                heading = self._versus_heading(self._metric_names[m])
                columns += difference_columns(*within, heading=heading, form=f"+{form}")
            details: dict[str, Any] = {}
            for number, row in enumerate(rows):
                interval = self._intervals[number][m]
                row += [ends(interval), interval.value, self._cut_short[number][m] or None]
                row += difference_cells(self._from_baseline(number, m)) if versus else []
                details = metric.details(self._measurements[m].statistics[number].sum(axis=0))
                row += details.values()
            columns += [Column((*within, name), only="json") for name in details]
        return Table("systems", columns, rows)

    def _from_baseline(self, system: int, metric: int) -> Difference | None:
        return self.difference(self._baseline, system, metric)

    def _versus_heading(self, metric: str = "") -> str:
        """Return the heading of differences; of a long name it tells its place alone."""
        name = self._labels[self._baseline]
        places = {self._standing.second: "second", self._best: "best"}
        short = places.get(self._baseline, "first" if self._baseline == 0 else "baseline")
        return f"{metric} vs. {name if len(name) <= _SHORT else short}".strip()

    def _pairs_table(self) -> Table:
        """Return a row for each pair of systems that was compared, by every metric."""
        columns = [*pair_columns("from", "to"), *difference_columns(decimals="decimals")]
        columns.append(Column("p_holm", "p (Holm)", "p"))
        rows = [
            [*names, *difference_cells(pair.difference), pair.p_holm]
            for names, pair in self._named_pairs()
        ]
        return Table(("significance", "pairs"), columns, rows)

    def _named_pairs(self) -> Iterator[tuple[list[object], ComparedPair]]:
        """Yield the pairs that were compared, each with the cells of `pair_columns`."""
        for m, metric in enumerate(self.metrics):
            for pair in self._pairs[m]:
                both = pair.first, pair.second
                cells = [str(metric), *(self.systems[number] for number in both)]
                cells += [self._metric_names[m], *(self._labels[number] for number in both)]
                yield [*cells, metric.decimals], pair

    def _view(self, whole: bool = False) -> list[Table]:
        """Return the tables for people, with notes; `whole` adds all intervals and differences."""
        shown = self._by_system(whole) if self._of_orders or self._matrix else self._by_metric()
        title = self._title
        if len({system.parser for system in self._made if system.rules} - {""}) == 1:
            system = next(system for system in self._made if system.rules and system.parser)
            title += f"; parser {system.parser}{self._learned_mark('parser', system)}"
        views = [replace(shown, title=title, notes=self._notes(whole))]
        if self._sampling.against == "all":
            note = "each pair is judged by itself; p (Holm) is corrected for all pairs of a metric"
            views.append(replace(self._pairs_table(), title="All pairs of systems", notes=[note]))
        return [*views, *self._further]

    def _by_system(self, whole: bool) -> Table:
        """Return a row for each system; in a matrix marks stand beside the scores."""
        systems, versus = self._systems(), self._versus
        rows = list(map(list, systems.rows))
        for number, (system, row) in enumerate(zip(self._made, rows, strict=True)):
            marks = {what: self._learned_mark(what, system) for what in ("parser", "rules")}
            ceiling = " (ceiling)" * (number not in self._standing.entrants)
            for column, mark in {**marks, "system": max(marks.values())}.items():
                row[systems.at(column)] += mark + ceiling * (column != "rules")
        systems = replace(systems, rows=rows)
        scores: list[Key] = [("scores", str(metric)) for metric in self.metrics]
        names: list[Key] = ["parser", "rules"] if len(self._parsers) > 1 else ["rules"]
        if not self._of_orders or not any(systems.cells("rules")):
            names = ["system"]
        if self._matrix:
            for key in scores if versus else ():
                systems = systems.change(key, mark=(*key, "significance"))
            return systems.select(*names, *scores)
        if whole:
            more = [(*key, name) for key in scores for name in ("difference", "p")]
            return systems.select(*names, *scores, *(more if versus else ()))
        if not versus:
            return systems.select(*names, *scores)
        difference = (*scores[0], "difference")
        systems = systems.change(difference, heading=f"{self._versus_heading()} [95%]")
        return systems.select(*names, *((*key, "score") for key in scores), difference)

    def _learned_mark(self, what: str, system: System) -> str:
        """Return the mark of a parser or rule set that learned from the text scored."""
        maker = f"{what} {getattr(system, what)}"
        return LEARNED * (maker in self._learned or maker in self._seen)

    def _by_metric(self) -> Table:
        """Return the systems one below the other for each metric."""
        versus, columns = self._versus, [Column("metric", label=True, once=True)]
        columns += [Column("system", label=True), Column("decimals", only="hidden")]
        columns.append(Column("score", format=".3f", interval=not versus, decimals="decimals"))
        columns += difference_columns(heading=self._versus_heading(), decimals="decimals") * versus
        rows = []
        for m, metric in enumerate(self.metrics):
            for number, name in enumerate(self.systems):
                interval = self._intervals[number][m]
                row = [self._metric_names[m], name, metric.decimals]
                row.append(interval.value if versus else ends(interval))
                rows.append(row + difference_cells(self._from_baseline(number, m)) * versus)
        return Table("systems", columns, rows)

    def _notes(self, whole: bool) -> list[str]:
        """Return what there is to know of the table of systems."""
        sampling, metrics = self._sampling, self.metrics
        _, signatures = short_names(list(map(str, metrics)))
        circumstances = {k: v for m in metrics for k, v in self._circumstances(m).items()}
        about = [f"{key}: {value}" for key, value in circumstances.items() if key != "version"]
        lines = ["; ".join([signatures, *about, f"preorder-eval {__version__}"])]
        documents = self._about.get("documents")
        texts = f" of {documents} documents" if documents else ""
        if whole or not self._versus:
            drawn = f"{sampling.resamples} bootstrap resamples{texts}, seed {sampling.seed}"
            lines.append(f"score [95% interval from {drawn}]")
        if self._versus:
            legend = notes.marks_legend(sampling.test, sampling.resamples, sampling.seed, whole)
            first = self._labels[self._baseline]
            lines.append(f"difference from {first} [95% interval]{texts}: {legend}")
            compared = (self._from_baseline(n, 0) for n in range(len(self.systems)))
            least = max((d.detectable for d in compared if d is not None), default=0.0)
            if whole and least > 0:
                shown = f"{self._metric_names[0]} {least:.{metrics[0].decimals}f}"
                lines.append(f"detectable (in 80% of such samples): {shown}")
        if self._learned or self._seen:
            lines.append(f"{LEARNED} trained or tuned on these sentences or others of this set")
        lines += [
            *notes.lower_is_better(metrics, self._metric_names),
            *(
                f"{name}: long or repetitive, {cut} of {len(self) * len(self.systems)} "
                "outputs were not searched to the end; their scores may be too pessimistic"
                for name, *cuts in zip(self._metric_names, *self._cut_short, strict=True)
                if (cut := sum(cuts))
            ),
            *notes.few_sentences(self._size - len(self._left_out)),
            *self._remarks,
            *notes.left_out_notes(metrics, self._left_out),
        ]
        if whole:
            lines += [f"{ours}: {theirs}" for ours, theirs in self._sacrebleu().items()]
        return lines


def pair_columns(first: str, second: str) -> list[Column]:
    """Return the columns of a metric and two systems: names for programs, then for people."""
    return [
        *(Column(key, only="data") for key in ("metric", "row", "column")),
        Column("by", "metric", label=True, once=True, only="people"),
        Column("first", first, label=True, once=True, only="people"),
        Column("second", second, label=True, only="people"),
        Column("decimals", only="hidden"),
    ]


def difference_columns(
    *within: str, heading: str = "difference", form: str = "+.3f", decimals: Key = ()
) -> list[Column]:
    """Return the columns of a difference: its value with intervals, its mark and p."""

    def key(name: str) -> Key:
        return (*within, name) if within else name

    only: Literal["json", "data"] = "json" if within else "data"
    more: dict[str, Any] = {"sparse": bool(within)}
    fields = ("difference", "low_95", "high_95")
    return [
        Column(
            key("difference"),
            f"{heading} [95%]",
            form,
            interval=True,
            fields=fields,
            mark=key("significance"),
            decimals=decimals,
            none="",
            **more,
        ),
        Column(key("low_90"), only=only, **more),
        Column(key("high_90"), only=only, **more),
        Column(key("significance"), only="data", **more),
        Column(key("p"), format="p", none="", **more),
        Column(key("detectable"), only=only, **more),
    ]


def difference_cells(difference: Difference | None) -> list[object]:
    """Return the cells of `difference_columns`."""
    if difference is None:
        return [None] * 6
    d = difference
    at_95 = d.value, d.at_95.low, d.at_95.high
    return [at_95, d.at_90.low, d.at_90.high, d.mark, d.p, d.detectable]
