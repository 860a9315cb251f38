"""The report on outputs of translation systems: results with references."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from preorder_eval.analysis.output_analysis import source_texts
from preorder_eval.analysis.output_words import OutputWords
from preorder_eval.errors import PreorderEvalError
from preorder_eval.meta_evaluation.evaluation import MetaEvaluation
from preorder_eval.reporting.opening import opening
from preorder_eval.reporting.output_data import length_data, output_data, word_data
from preorder_eval.reporting.page import Page, Section, render
from preorder_eval.reporting.people import people_values, pictures
from preorder_eval.reporting.provenance import facts
from preorder_eval.results.comparison import joined, shared_metrics
from preorder_eval.results.result import Result
from preorder_eval.results.systems import Progress, no_progress
from preorder_eval.visible import quantity


def build_output_report(
    runs: Sequence[Result],
    people: MetaEvaluation | None = None,
    source: str | Path | None = None,
    training: str | Path | None = None,
    tagger: str = "",
    progress: Progress = no_progress,
) -> str:
    """The page of results over the same references; all systems are compared with the first.

    `people` is how well their metrics agree with people.
    `source` is a file with the source, where no run has it, and `training` a text by which words
    are frequent, by default the references; `tagger` tags the words, which else have the tags of
    the runs, if any.
    Raises PreorderEvalError where references differ or no metric is shared, and FormatError where
    a run folder's scores are not those of its outputs.
    """
    count = sum(len(run.systems) for run in runs)
    result = joined(runs, shared_metrics(runs)).with_sampling(
        against="first" if count > 1 else "none"
    )
    names = result.systems
    data = opening(result, [len(run.systems) for run in runs])
    data |= output_data(result, source_texts(result, source))
    words = None
    if result.inputs.references:
        words = OutputWords(result, training=training, tagger=tagger, progress=progress)
        data |= {"outputs": word_data(words), **length_data(words)}
    elif training is not None or tagger:
        raise PreorderEvalError("words are right or wrong beside references; there are none")
    return render(
        Page(
            title=quantity(len(names), "system") if len(names) > 1 else names[0],
            lead=f"{quantity(len(result), 'sentence')}, "
            f"by {quantity(len(result.metrics), 'metric')}",
            sections=[
                Section("summary", "Summary", "outputs.html.jinja"),
                *([Section("people", "Metrics and people", "people.html.jinja")] if people else []),
                *([Section("words", "Words", "words.html.jinja")] if words is not None else []),
                Section("sentences", "Sentences", "sentences.html.jinja"),
            ],
            pictures=list(pictures(people).values()) if people is not None else (),
            data=data,
            values={
                "result": result,
                "metric_names": [metric["short"] for metric in data["metrics"]],
                "best": [_best(result, number) for number in range(len(result.metrics))],
                "test": result.sampling.test,
                "first": names[0],
                "runs": [facts(run.recorded) for run in runs if run.folder is not None],
                "counted": "" if words is None else words.counted,
                **({} if people is None else people_values(people)),
            },
        )
    )


def _best(result: Result, metric: int) -> int:
    """The number of the system that is best by a metric."""
    sign = 1 if result.metrics[metric].higher_is_better else -1
    return max(range(len(result.systems)), key=lambda s: sign * result.intervals[s][metric].value)
