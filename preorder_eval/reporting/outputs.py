"""The report on outputs of translation systems: results with references."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from preorder_eval.analysis.output_analysis import source_texts
from preorder_eval.analysis.output_words import OutputWords
from preorder_eval.errors import PreorderEvalError
from preorder_eval.meta_evaluation.result import MetaEvaluation
from preorder_eval.metrics.shared.short_names import short_names
from preorder_eval.reporting.opening import opening
from preorder_eval.reporting.output_data import output_data, word_data
from preorder_eval.reporting.page import Page, Section, render
from preorder_eval.reporting.provenance import facts
from preorder_eval.results.result import Result
from preorder_eval.results.systems import Progress, no_progress
from preorder_eval.results.together import shared_metrics, together
from preorder_eval.stats.bootstrap import Bootstrap


def build_output_report(
    runs: Sequence[Result],
    people: MetaEvaluation | None = None,
    pictures: Sequence[str] = (),
    source: str | Path | None = None,
    training: str | Path | None = None,
    tagger: str = "",
    progress: Progress = no_progress,
) -> str:
    """The page of results over the same references; all systems are compared with the first.

    `people` is how well their metrics agree with people, and `pictures` are plots of that as SVG.
    `source` is a file with the source, where no run has it, and `training` a text by which words
    are frequent, by default the references; `tagger` tags the words, which else have the tags of
    the runs, if any.
    Raises PreorderEvalError where references differ or no metric is shared, and FormatError where
    a run folder's scores are not those of its outputs.
    """
    for run in runs:
        run.scores  # noqa: B018  # which must be those of what a folder holds
    count = sum(len(run.systems) for run in runs)
    joined = together(runs, shared_metrics(runs))
    result = joined.with_sampling(against="first" if count > 1 else "none")
    names = result.systems
    data = opening(result, [len(run.systems) for run in runs])
    data |= output_data(result, source_texts(result, source))
    has_words = bool(result.inputs.references)
    if has_words:
        data |= word_data(OutputWords(result, training=training, tagger=tagger, progress=progress))
    elif training is not None or tagger:
        raise PreorderEvalError("words are right or wrong beside references; there are none")
    return render(
        Page(
            title=f"{len(names)} systems" if len(names) > 1 else names[0],
            lead=f"{len(result)} sentences, by {len(result.metrics)} metrics",
            sections=[
                Section("summary", "Summary", "outputs.html.jinja"),
                *([Section("people", "Metrics and people", "people.html.jinja")] if people else []),
                *([Section("words", "Words", "words.html.jinja")] if has_words else []),
                Section("sentences", "Sentences", "sentences.html.jinja"),
            ],
            pictures=pictures,
            data=data,
            values={
                "result": result,
                "metric_names": [metric["short"] for metric in data["metrics"]],
                "best": [_best(result, number) for number in range(len(result.metrics))],
                "test": result.sampling.test,
                "first": names[0],
                "runs": [facts(run.stored.summary) for run in runs if run.stored is not None],
                "counted": "the references" if training is None else Path(training).name,
                "people": people,
                "judged_metrics": [] if people is None else _names(people),
                "levels": [] if people is None else _levels(people),
            },
        )
    )


def _best(result: Result, metric: int) -> int:
    """The number of the system that is best by a metric."""
    sign = 1 if result.metrics[metric].higher_is_better else -1
    return max(range(len(result.systems)), key=lambda s: sign * result.intervals[s][metric].value)


def _names(people: MetaEvaluation) -> list[str]:
    """Short names of the metrics that are held against people."""
    names, _ = short_names([metric.metric for metric in people.metrics])
    return names


def _levels(people: MetaEvaluation) -> list[tuple[str, list[tuple[str, Bootstrap]]]]:
    """The statistics by their level, that which sorts the metrics first."""
    levels: dict[str, list[tuple[str, Bootstrap]]] = {people.by.partition(".")[0]: []}
    for name, values in people.statistics.items():
        level, _, coefficient = name.partition(".")
        levels.setdefault(level, []).append((coefficient, values))
    return list(levels.items())
