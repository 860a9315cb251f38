"""A study of word order and ratings, as Talbot et al. (2011) made theirs.

Systems with their orders and outputs are scored against references of several kinds, and compared
with human ratings. The paper's tables 1 and 2 are mean ratings and reference orders of a sentence.
Tables 3 to 5 are significant differences by ratings and by metrics, and how far they agree. Tables
6 and 7 correlate metrics with ratings over outputs, 7 by the kind of reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from preorder_eval.alignment import automatic_notes
from preorder_eval.data.alignments import Link
from preorder_eval.data.arrays import Floats
from preorder_eval.data.judgments import HumanScores
from preorder_eval.meta_evaluation.judges import agreement_table, judge_agreement
from preorder_eval.meta_evaluation.permutation import p_values
from preorder_eval.meta_evaluation.scores import MetricScores, quotient, scores_of_all, short_labels
from preorder_eval.meta_evaluation.statistic import resample, statistic
from preorder_eval.metrics import OrderMetric, short_names
from preorder_eval.results.joining import joined
from preorder_eval.results.notes import marks_legend
from preorder_eval.results.rankings import Rankings, disagreement
from preorder_eval.results.result import Result
from preorder_eval.results.run_writing import versions
from preorder_eval.stats.bootstrap import Bootstrap, bootstrap
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import TRIALS_PER_RESAMPLE, compare_systems
from preorder_eval.tables import Column, Shown, Table, ends
from preorder_eval.visible import quantity

STATISTICS = ("segment.pearson", "segment.spearman")
RATINGS = "ratings"
_UNALIGNED = {
    "attach": "unaligned words stand beside their neighbours for all references, as in the paper",
    "drop": "unaligned words are dropped for all references alike",
}


@dataclass(frozen=True, eq=False)
class Correlations:
    """The agreement of M metrics with ratings of outputs, over the sentences that all score.

    `statistics` has the values of each statistic, float64[M], with those of resamples, and `p`,
    float64[M, M], the two-sided p-values of their differences.
    """

    metrics: Sequence[MetricScores]
    segments: int
    statistics: dict[str, Bootstrap]
    p: dict[str, Floats]


@dataclass(frozen=True, eq=False)
class Study(Shown):
    """Systems scored against references of several kinds, with people's ratings if there are any.

    `results` has a result for each kind of reference, all of the same systems. Metrics of outputs
    are in the first, and in others that have translations of their own. `means` are the mean
    ratings with resampled values. `marks` has for the ratings and each metric the marks of all
    pairs of systems, 0-1, 0-2, …, 1-2, …, the second against the first. They are one-sided at 95
    and 90% by the paired bootstrap (Koehn 2004). `about` is the study file's description.
    """

    name: str
    results: Mapping[str, Result]
    ratings: HumanScores | None
    means: Bootstrap | None
    marks: Mapping[str, Sequence[str]]
    correlations: Correlations | None
    about: str = ""

    @classmethod
    def of(
        cls,
        name: str,
        results: Mapping[str, Result],
        ratings: HumanScores | None = None,
        about: str = "",
    ) -> Study:
        """Compute what ratings and metrics come to, resampled as the results are."""
        result = next(iter(results.values()))
        sampling = result.sampling
        drawn: dict[str, Any] = {"resamples": sampling.resamples, "seed": sampling.seed}
        means, marks, correlations = None, dict[str, Sequence[str]](), None
        if ratings is not None:
            rated = Measurement(ratings.system_statistics(), quotient)
            [means] = bootstrap([rated], **drawn)
            [pairs] = compare_systems([rated], higher_is_better=[True], test="koehn", **drawn)
            marks[RATINGS] = [pair.difference.mark for pair in pairs]
            correlations = _correlate(results, ratings, **drawn)
        for metric, of_pairs in zip(result.metrics, result.pairs, strict=True):
            marks[str(metric)] = [pair.difference.mark for pair in of_pairs]
        return cls(name, results, ratings, means, marks, correlations, about)

    @property
    def result(self) -> Result:
        """The scores by the first kind of reference, with those of outputs."""
        return next(iter(self.results.values()))

    @property
    def verdict(self) -> str:
        """Return the study's description, and which references rank the systems differently."""
        about = f"{self.name}: {self.about}" if self.about else ""
        return "\n".join(filter(None, [about, disagreement(self.results)]))

    def tables(self) -> list[Table]:
        """Return the tables that the study has, with the signatures of metrics."""
        return self._tables(short=False)

    def _view(self, whole: bool = False) -> list[Table]:
        """Return the tables with short names of metrics, in the order of the paper."""
        *tables, last = self._tables(short=True)
        return [*tables, replace(last, notes=[*last.notes, *self._method()])]

    def _method(self) -> list[str]:
        """Return how everything was resampled and tested, as notes below all tables."""
        sampling = self.result.sampling
        lines = [f"[95% CI, {sampling.resamples} bootstrap resamples, seed {sampling.seed}]"]
        lines.append(marks_legend("koehn", sampling.resamples, sampling.seed))
        if self.correlations:
            lines.append("p of differences of correlations: two-sided, by swapping the")
            lines.append("standardised scores of two metrics sentence by sentence")
        for kind, result in self.results.items():
            lines += [f"{kind}: {note}" for note in automatic_notes(result.inputs.aligner)]
        of_orders = [by for by in self.result.metrics if isinstance(by, OrderMetric)]
        ways = {by.unaligned: _UNALIGNED[by.unaligned] for by in of_orders}
        conventions = [f"{text} (unaligned={way})" for way, text in ways.items()]
        return [*lines, *conventions, *([self.about] if self.about else [])]

    @property
    def for_paper(self) -> str:
        """Describe how everything was scored and tested, with signatures, seeds and versions."""
        sampling = self.result.sampling
        trials = TRIALS_PER_RESAMPLE * sampling.resamples
        names, signatures = short_names([str(metric) for metric in self.result.metrics])
        sentences = [
            f"{quantity(len(self.result.systems), 'system')} are scored on "
            f"{quantity(len(self.result), 'sentence')} by {', '.join(names)} ({signatures}).",
            f"Brackets are 95% intervals of {sampling.resamples:,} bootstrap resamples of the "
            "sentences.",
            "Systems are compared by paired bootstrap resampling (Koehn, 2004), one-sided: ** and "
            "* mark differences that hold in 95% and 90% of the resamples.",
        ]
        if self.correlations is not None:
            sentences.append(
                f"Correlations with ratings are over the outputs of "
                f"{quantity(self.correlations.segments, 'sentence')}; their differences are tested "
                f"by two-sided randomization with {trials:,} trials, which swap the standardised "
                "scores of two metrics sentence by sentence (PERM-INPUTS; Deutsch et al., 2021)."
            )
        used = ", ".join(f"{name} {version}" for name, version in versions().items())
        sentences += [f"Note: {self.about}."] if self.about else []
        return " ".join([*sentences, f"All seeds are {sampling.seed}; {used}."])

    def _facts(self) -> dict[str, Any]:
        return {"study": self.name, "about": self.about, "result": self.result.to_dict()}

    def _agreeing(self, signature: str) -> int:
        """Return on how many pairs of systems a metric has the mark that ratings have."""
        pairs = zip(self.marks[RATINGS], self.marks[signature], strict=True)
        return sum(mark == of_ratings for of_ratings, mark in pairs)

    def _tables(self, short: bool) -> list[Table]:
        """Return the tables, with short names of metrics or their signatures."""
        signatures = [str(metric) for metric in self.result.metrics]
        short_forms, note = short_names(signatures)
        names = short_forms if short else signatures
        tables = [] if self.means is None else [self._rating_table(self.means)]
        if self.ratings is not None and (agreement := judge_agreement(self.ratings)):
            tables.append(agreement_table(agreement))
        tables += [self._examples(), replace(self._scores(names), notes=[note])]
        if len(self.results) > 1 and len(self.result.systems) > 2:
            tables.append(Rankings.of(self.results).tables()[1])
        tables.append(self._significance(names))
        if self.correlations is not None:
            metrics = self.correlations.metrics
            labels, note = short_labels(metrics)
            labels = labels if short else [scores.metric for scores in metrics]
            table = self._correlation_table(self.correlations, labels)
            tables.append(replace(table, notes=[*table.notes, note]))
        return tables

    def _rating_table(self, means: Bootstrap) -> Table:
        """Return the mean rating of every system."""
        columns = [Column("system", label=True)]
        fields = ("rating", "low", "high")
        columns.append(Column("rating", None, " .3f", interval=True, fields=fields))
        rows = [
            [name, ends(means.interval(number))] for number, name in enumerate(self.result.systems)
        ]
        return Table("ratings", columns, rows, title="Mean ratings (Table 1)")

    def _examples(self) -> Table:
        """Return the reference orders of a sentence by all kinds of references.

        It is the first that is in different orders by them, if one is.
        """
        references = {kind: result.inputs.reference for kind, result in self.results.items()}
        sets = {kind: data for kind, data in references.items() if data is not None}
        informative = np.flatnonzero(np.all([data.informative for data in sets.values()], axis=0))
        orders = {
            s: [data.orders_of(s)[0].braces(data.source[s]) for data in sets.values()]
            for s in informative.tolist()
        }
        different = (s for s, of_kinds in orders.items() if len(set(of_kinds)) > 1)
        chosen = next(different, next(iter(orders), None))
        columns = [
            Column("reference", label=True, once=True),
            Column("what", ""),
            Column("text", "", wrap=True),
        ]
        if chosen is None:
            return Table("examples", columns, [], title="No sentence is linked by all (Table 2)")
        rows = []
        for (kind, data), order in zip(sets.items(), orders[chosen], strict=True):
            translations = [text.sentences for text in self.results[kind].inputs.references]
            target = translations[0][chosen].split(" ") if translations else None
            target = data.target[chosen] if data.target else target
            texts = {
                "source": " ".join(data.source[chosen]),
                "reordering": order,
                "translation": " ".join(target) if target else None,
                "alignment": by_target_words(data.alignments[chosen], target),
            }
            rows += [[kind, what, text] for what, text in texts.items() if text is not None]
        title = f"Reference orders of sentence {chosen + 1} (Table 2)"
        return Table("examples", columns, rows, title=title)

    def _scores(self, names: Sequence[str]) -> Table:
        """Return a row for each kind of reference and system."""
        columns = [
            Column("reference", label=True, once=True),
            Column("aligned", format=".1%", once=True),
            Column("system", label=True),
            Column("sentences"),
            Column("left_out", "left out"),
        ]
        columns += [Column(("scores", name), name, ".3f", interval=True) for name in names]
        rows = []
        for kind, result in self.results.items():
            reference = result.inputs.reference
            aligned = None if reference is None else float(reference.references.aligned.mean())
            left_out = len(result.left_out)
            for system, intervals in zip(result.systems, result.intervals, strict=True):
                of_metric = dict(zip(result.metrics, intervals, strict=True))
                cells = [ends(of_metric.get(metric)) for metric in self.result.metrics]
                rows.append([kind, aligned, system, len(result) - left_out, left_out, *cells])
        return Table("scores", columns, rows, title="Scores by the kind of reference")

    def _significance(self, names: Sequence[str]) -> Table:
        """Return the marks of all pairs of systems, and on how many a metric has the ratings'."""
        columns = [Column("row", label=True), Column("column", label=True)]
        columns += [Column(RATINGS)] if RATINGS in self.marks else []
        columns += [Column(name) for name in names]
        pairs = combinations(self.result.systems, 2)
        rows = [[*pair, *marks] for pair, *marks in zip(pairs, *self.marks.values(), strict=True)]
        notes = []
        if RATINGS in self.marks:
            metrics = zip(names, self.result.metrics, strict=True)
            agreeing = ", ".join(f"{name} {self._agreeing(str(by))}" for name, by in metrics)
            notes.append(f"pairs of {len(rows)} with the mark of the ratings: {agreeing}")
        title = "The column's system against the row's (Tables 3 to 5)"
        return Table("significance", columns, rows, title, notes)

    def _correlation_table(self, correlations: Correlations, labels: Sequence[str]) -> Table:
        """Return the metrics by these labels."""
        columns = [Column("metric", label=True), Column("reference", only="data")]
        for name in STATISTICS:
            heading = name.partition(".")[2].capitalize()
            columns += [Column(name, heading, " .3f", interval=True)]
            columns += [Column(f"{name} p", "p", "p", none="")]
        rows = []
        for number, label in enumerate(labels):
            row: list[object] = [label, correlations.metrics[number].reference]
            for name in STATISTICS:
                row.append(ends(correlations.statistics[name].interval(number)))
                row.append(correlations.p[name][number, 0] if number else None)
            rows.append(row)
        title = f"Correlation with ratings of outputs of {correlations.segments} sentences"
        notes = ["p: of the difference from the first metric"]
        return Table("correlations", columns, rows, f"{title} (Tables 6 and 7)", notes)


def by_target_words(links: Sequence[Link], target: Sequence[str] | None) -> str:
    """Write links as Talbot et al. do: for each target word the source words, `7_8,,0`."""
    size = len(target) if target else max((j for _, j in links), default=-1) + 1
    sources = [sorted(i for i, j in links if j == place) for place in range(size)]
    return ",".join("_".join(map(str, places)) for places in sources)


def _correlate(
    results: Mapping[str, Result], ratings: HumanScores, resamples: int, seed: int
) -> Correlations:
    scores, counted = scores_of_all(results)
    judgments = ratings.on(counted)
    chosen = [statistic(name, judgments) for name in STATISTICS]
    drawn = resample(scores, judgments, chosen, resamples=resamples, seed=seed)
    return Correlations(
        scores,
        judgments.segments,
        dict(zip(STATISTICS, drawn, strict=True)),
        {
            str(each): p_values(each, scores, judgments, sampled, resamples=resamples, seed=seed)
            for each, sampled in zip(chosen, drawn, strict=True)
        },
    )


def pooled(studies: Sequence[Study]) -> Study | None:
    """Return a study of all systems of several; None where their sentences or metrics differ.

    A system of the same name in two of them is two systems: its ratings depend on what judges saw
    beside it.
    """
    first = studies[0]
    rated = [study.ratings for study in studies if study.ratings is not None]
    if len(rated) < len(studies) or not all(_alike(first, other) for other in studies[1:]):
        return None
    results = {
        kind: joined([study.results[kind] for study in studies], result.metrics)
        for kind, result in first.results.items()
    }
    systems = next(iter(results.values())).systems
    first_system = np.cumsum([0, *(len(each.systems) for each in rated)])
    first_judge = np.cumsum([0, *(int(each.judge.max()) + 1 for each in rated)])
    ratings = HumanScores(
        tuple(systems),
        rated[0].segments,
        np.concatenate([r.system + n for r, n in zip(rated, first_system, strict=False)]),
        np.concatenate([r.segment for r in rated]),
        np.concatenate([r.score for r in rated]),
        np.concatenate([r.judge + n for r, n in zip(rated, first_judge, strict=False)]),
    )
    return Study.of(" and ".join(study.name for study in studies), results, ratings)


def _alike(one: Study, other: Study) -> bool:
    """Return whether two studies have the same metrics and kinds of references of a text."""
    return list(one.results) == list(other.results) and all(
        result.metrics == other.results[kind].metrics
        and not result.inputs.difference(other.results[kind].inputs)
        for kind, result in one.results.items()
    )
