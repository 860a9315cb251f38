"""The report on orders: systems that reorder, side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from preorder_eval.analysis.orders.overview import Overview
from preorder_eval.analysis.output_words import OutputWords
from preorder_eval.data.arrays import Floats
from preorder_eval.meta_evaluation.evaluation import MetaEvaluation
from preorder_eval.reporting.opening import opening
from preorder_eval.reporting.order_data import order_data
from preorder_eval.reporting.page import Page, Section, render
from preorder_eval.reporting.people import people_values, pictures
from preorder_eval.reporting.provenance import facts
from preorder_eval.visible import quantity

_BINS = 20


def build_report(
    overview: Overview,
    sizes: Sequence[int] = (),
    words: OutputWords | None = None,
    people: MetaEvaluation | None = None,
) -> str:
    """The page of an overview; the same bytes for the same results.

    `sizes` says how many systems each run has, where there are several runs; `words` are those of
    the systems' outputs, where they have any, and `people` how well metrics agree with people.

    >>> from preorder_eval.analysis.orders.overview import overview
    >>> from preorder_eval.results.scoring import evaluate
    >>> result = evaluate("en-ko", parsers=["gold"], rules=["none"], metrics=["fuzzy"])
    >>> "<h1><bdi>en-ko: gold/none</bdi></h1>" in build_report(overview(result))
    True
    """
    result = overview.result
    names, sentences = result.systems, len(result)
    systems = quantity(len(names), "system") if len(names) > 1 else names[0]
    sections = [
        Section("summary", "Summary", "summary.html.jinja"),
        Section("scores", "Scores", "scores.html.jinja"),
        Section("errors", "Errors", "errors.html.jinja"),
        Section("rules", "Rules", "rules.html.jinja"),
        Section("sentences", "Sentences", "sentences.html.jinja"),
    ]
    if words is not None:
        sections.insert(4, Section("words", "Outputs", "words.html.jinja"))
    if not any(system.ablation for system in overview.systems):
        del sections[3]
    if people is not None:
        sections.insert(1, Section("people", "Metrics and people", "people.html.jinja"))
    histograms = [_histogram(scores[0].sentence) for scores in result.scores]
    left_out = result.left_out
    data = opening(result, sizes or [len(names)]) | order_data(overview, words)
    metric_names = [metric["short"] for metric in data["metrics"]]
    return render(
        Page(
            title=f"{overview.reference.name}: {systems}",
            lead=f"{quantity(sentences, 'sentence')}, by {' and '.join(metric_names)}",
            sections=sections,
            data=data,
            pictures=list(pictures(people).values()) if people is not None else (),
            values={
                "result": result,
                "counted": "" if words is None else words.counted,
                **({} if people is None else people_values(people)),
                "overview": overview,
                "metric_names": metric_names,
                "runs": [facts(run) for run in overview.runs],
                "left_out": left_out,
                "scored": sentences - len(left_out),
                "histograms": histograms,
                "most_in_bin": max(map(max, histograms)),
            },
        )
    )


def _histogram(scores: Floats) -> list[int]:
    """How many sentences have a score in each of the bins between 0 and 1."""
    counts, _ = np.histogram(scores[~np.isnan(scores)], bins=_BINS, range=(0, 1))
    return [int(count) for count in counts]
