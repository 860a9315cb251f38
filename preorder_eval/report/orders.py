"""The report on orders: systems that reorder, side by side."""

from __future__ import annotations

import numpy as np

from preorder_eval.analysis.overview import Overview
from preorder_eval.data.arrays import Floats
from preorder_eval.report.order_data import order_data
from preorder_eval.report.page import Page, Section, render
from preorder_eval.report.provenance import facts

_BINS = 20


def build_report(overview: Overview) -> str:
    """The page of an overview; the same bytes for the same results.

    >>> from preorder_eval.analysis.overview import MadeFrom, overview
    >>> from preorder_eval.results.evaluation import System, evaluate
    >>> from preorder_eval.formats.reference_set import load_reference
    >>> from preorder_eval.metrics import order_metric
    >>> from preorder_eval.data.orders import Orders
    >>> data = load_reference("en-ko")
    >>> none = System("none", "", Orders.unchanged(data.references.offsets), {})
    >>> evaluation = evaluate(data, [none], [order_metric("fuzzy")])
    >>> page = build_report(overview(evaluation, [MadeFrom()], data.trees))
    >>> "<h1><bdi>en-ko: none</bdi></h1>" in page
    True
    """
    evaluation = overview.evaluation
    rows, sentences = evaluation.rows, len(evaluation.reference)
    systems = f"{len(rows)} systems" if len(rows) > 1 else rows[0].system.name
    metrics = " and ".join(str(metric) for metric in evaluation.metrics)
    sections = [
        Section("summary", "Summary", "summary.html.jinja"),
        Section("scores", "Scores", "scores.html.jinja"),
        Section("errors", "Errors", "errors.html.jinja"),
        Section("rules", "Rules", "rules.html.jinja"),
        Section("sentences", "Sentences", "sentences.html.jinja"),
    ]
    if not any(system.ablation for system in overview.systems):
        del sections[3]
    histograms = [_histogram(row.scores[0].sentence) for row in rows]
    left_out = evaluation.left_out
    return render(
        Page(
            title=f"{evaluation.reference.name}: {systems}",
            lead=f"{sentences} sentences, by {metrics}",
            sections=sections,
            data=order_data(overview),
            values={
                "overview": overview,
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
