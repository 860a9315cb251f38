"""The report on results: of orders, of outputs, of both, and of human judgments of outputs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.analysis.analyse_outputs import OutputWords, output_words, source_texts
from preorder_eval.analysis.analyse_parsers import parsers_apart, with_constructions
from preorder_eval.analysis.overview import Overview, overview
from preorder_eval.analysis.parser_strips import parser_strips
from preorder_eval.analysis.report_data import (
    difference_data,
    length_data,
    nearest_data,
    order_data,
    output_data,
)
from preorder_eval.analysis.report_page import Section, render_report
from preorder_eval.analysis.words_plane import SIDE, words_plane
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.files.destinations import check_output, require_file
from preorder_eval.base.files.writing import write_text
from preorder_eval.base.pages.page import Json
from preorder_eval.base.tables.table import plain
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.joining import in_all, joined, shared_metrics
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.runs.run_folder import run_folders
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.sampling import Against
from preorder_eval.evaluation.systems import listed
from preorder_eval.evaluation.words_or_order import WordsOrOrder, words_and_order, words_or_order
from preorder_eval.judgments.human_scores import Judgments
from preorder_eval.judgments.meta import meta
from preorder_eval.judgments.meta_result import MetaEvaluation
from preorder_eval.judgments.metric_scores import by_reference
from preorder_eval.metrics.base import Metric
from preorder_eval.metrics.orders.order import OrderMetric
from preorder_eval.metrics.registry import short_names

_FEW = 2  # metrics that the head of the page names
_BINS = 20  # of the scores of sentences, from 0 to 1
_PEOPLE = Section("people", "Metrics and humans", "people.html.jinja")
_FACTS = ["versions", "reference", "references", "inputs", "bootstrap"]


def report(
    results: Result | str | Path | Sequence[Result | str | Path],
    file: str | Path,
    judgments: Judgments | None = None,
    *,
    source: str | Path | None = None,
) -> None:
    """Write results as one page that needs no network; an older file is replaced.

    Parameters: `results` in memory or run folders, over the same sentences, or the folder of a
    self-training, whose runs are the start and the rounds; `judgments` of the
    outputs' systems, to show how well the metrics agree with humans; `source` the outputs' source
    file. Raises PreorderEvalError if the
    results are of different sentences.

    >>> import preorder_eval as pe
    >>> from pathlib import Path
    >>> import tempfile
    >>> page = Path(tempfile.mkdtemp()) / "report.html"
    >>> pe.report(pe.score({"mt": ["a b"]}, ["b a"], ["wer"]), page)
    >>> "<bdi>mt</bdi>" in page.read_text()
    True
    """
    each = listed(results)
    folders = [one.folder if isinstance(one, Result) else one for one in each]
    check_output(file, [*folders, source])
    require_file(file)
    read = [
        run
        for one in each
        for run in ([one] if isinstance(one, Result) else map(read_run, run_folders(Path(one))))
    ]
    write_text(Path(file), build(read, judgments, source=source))


def build(
    results: Sequence[Result],
    judgments: Judgments | None = None,
    *,
    source: str | Path | None = None,
) -> str:
    """Return the page as HTML. Raises what `report` raises."""
    if not results:
        raise PreorderEvalError("give at least one result to report")
    of_orders = [result for result in results if result.inputs.reference is not None]
    first = results[0].name
    if of_orders and source is not None:
        raise PreorderEvalError(
            f"{first} is a run of evaluate; only runs of score take the source of outputs"
        )
    # Runs of score alone may have no references, which the report on them says.
    without_outputs = len(of_orders) == len(results) and not any(map(_has_outputs, results))
    if without_outputs and judgments is not None:
        raise PreorderEvalError(
            f"{first} is a run of evaluate; judgments of outputs go with runs of score"
        )
    people = None if judgments is None else meta(results, judgments)
    if not of_orders:
        return outputs_page(results, people, source)
    if len(of_orders) < len(results):
        result = orders_and_outputs(results)
    elif len(results) == 1 and results[0].folder is None:
        result = results[0]
    else:
        result = orders_of_runs(results)
    words = output_words(result) if _has_outputs(result) else None
    return orders_page(overview(result, _recorded(results)), words, people)


def orders_of_runs(runs: Sequence[Result]) -> Result:
    """Join the systems of runs of `evaluate` over the same sentences, by the metrics they share.

    Systems of the same name in several runs are told apart by their run's folder. Raises
    PreorderEvalError where sentences differ or no metric of orders is shared, and FormatError where
    a folder's scores are not those of what it holds.
    """
    return joined(runs, _orders_first(shared_metrics(runs)), against=_pairs_of(runs))


def orders_and_outputs(results: Sequence[Result]) -> Result:
    """Join the systems that have both orders and outputs, by all metrics, those of orders first.

    A system must have the same name in all results. Systems that lack orders or outputs are left
    out with a warning. Raises PreorderEvalError if no system has both, and if the references
    differ.
    """
    both = in_all(results)
    chosen = [[name for name in result.systems if name in both] for result in results]
    by_name = by_reference(
        [result.chosen(names) for result, names in zip(results, chosen, strict=True) if names]
    )
    if len(by_name) > 1:
        raise PreorderEvalError(
            f"the runs are on several references, {', '.join(by_name)}; write a report for each"
        )
    [result] = by_name.values()
    of_both = [result.chosen(both)]
    return joined(of_both, _orders_first(result.metrics), against=_pairs_of(of_both))


def _pairs_of(results: Sequence[Result]) -> Against:
    """Return which pairs of systems a page compares: all, as any two can be chosen as A and B."""
    return "all" if sum(len(result.systems) for result in results) > 1 else "none"


def _orders_first(metrics: Sequence[Metric]) -> list[Metric]:
    """Return the metrics, those of orders first; raises PreorderEvalError if there is none."""
    if not any(isinstance(metric, OrderMetric) for metric in metrics):
        raise PreorderEvalError("the runs share no metric of orders")
    return sorted(metrics, key=lambda metric: not isinstance(metric, OrderMetric))


def _recorded(results: Sequence[Result]) -> list[Mapping[str, Any]]:
    """Return the `run.json` of each result that is a run folder."""
    return [result.recorded for result in results if result.folder is not None]


def _has_outputs(result: Result) -> bool:
    inputs = result.inputs
    return bool(inputs.references) and all(system.hyp is not None for system in inputs.systems)


def orders_page(
    overview: Overview, words: OutputWords | None = None, people: MetaEvaluation | None = None
) -> str:
    """Return the page of an overview: systems that reorder, side by side.

    Parameters: `words` those of the systems' outputs, if there are any; `people` how well the
    metrics agree with human judgments.
    """
    result = overview.result
    sections = [Section("summary", "Summary", "summary.html.jinja")]
    sections += [_PEOPLE] if people else []
    sections += [Section(n, n.title(), f"{n}.html.jinja") for n in ("scores", "errors")]
    opening = _opening(result)
    two = _opened(result, opening)
    apart = two and parsers_apart(two, overview.gold)
    if two and apart:
        apart = with_constructions(apart, two)
        sections.append(
            Section("parsers", "Parser comparison", "parsers.html.jinja", apart.systems)
        )
    if any(system.ablation for system in overview.systems):
        sections.append(Section("rules", "Rules", "rules.html.jinja"))
    parts = _parts(two, two.systems, words) if two else None
    if two and parts:
        sections.append(Section("words", "Words or order", "words.html.jinja", two.systems))
    sections.append(Section("sentences", "Sentences", "sentences.html.jinja"))
    histograms = [
        np.histogram(scores[0].sentence, bins=_BINS, range=(0, 1))[0].tolist()
        for scores in result.scores
    ]
    return _rendered(
        result,
        opening | order_data(overview, words),
        overview.runs,
        people,
        sections=sections,
        title=f"{overview.reference.name}: {_systems(result)}",
        by=_metrics(result),
        parts=parts,
        **_plane(result, parts),
        has_outputs=words is not None,
        overview=overview,
        apart=apart,
        apart_strips=parser_strips(apart) if apart else [],
        left_out=result.left_out,
        scored=len(result) - len(result.left_out),
        histograms=histograms,
        most=(most := max(1, *map(max, histograms))),
        steps=_steps(most),
    )


def outputs_page(
    runs: Sequence[Result], people: MetaEvaluation | None = None, source: str | Path | None = None
) -> str:
    """Return the page of outputs with the same references.

    Parameters as for `report`; `people` is how well the metrics agree with human judgments. Raises
    PreorderEvalError if references differ or no metric is shared.
    """
    result = joined(runs, shared_metrics(runs), against=_pairs_of(runs))
    data = _opening(result) | output_data(result, source_texts(result, source))
    sections = [Section("summary", "Summary", "outputs.html.jinja")]
    sections += [_PEOPLE] if people else []
    words, two = None, _pair(result, data)
    if result.inputs.references:
        words = output_words(result)
        data |= {"nearest": nearest_data(words), **length_data(words)}
    parts = _parts(result, two, words)
    if parts:
        sections.append(Section("words", "Words or order", "words.html.jinja", two))
    if words:
        sections.append(Section("lengths", "Lengths", "lengths.html.jinja"))
    sections.append(Section("sentences", "Sentences", "sentences.html.jinja"))
    return _rendered(
        result,
        data,
        _recorded(runs),
        people,
        sections=sections,
        parts=parts,
        **_plane(result, parts),
        has_outputs=words is not None,
        title=_systems(result),
        by=_metrics(result),
        best=[_best(result, number) for number in range(len(result.metrics))],
        test=result.sampling.test,
    )


def _rendered(
    result: Result,
    data: Json,
    runs: Sequence[Mapping[str, Any]],
    people: MetaEvaluation | None,
    *,
    by: str,
    **values: Any,
) -> str:
    """Return a page, with the values that all pages have."""
    unit = result.unit
    texts = f" in {unit.drawn} (intervals and tests draw these)" * bool(unit.drawn)
    texts += "".join(f" ({note})" for note in unit.notes())
    values |= {
        "lead": f"{quantity(len(result), 'sentence')}{texts}, by {by}",
        "kind": data["kind"],
        "pair": data["pair"],
        "result": result,
        "metric_names": [metric["short"] for metric in data["metrics"]],
        "differences": data["differences"],
        "notes": _notes(result),
        "runs": [facts(run) for run in runs],
    }
    if people is not None:
        levels = [replace(table, rows=plain(table.rows)) for table in people.levels()]
        values |= {"people": people, "levels": levels}
    return render_report(data, **values)


def _notes(result: Result) -> list[str]:
    """Return the notes below a result's table, and the warnings that text has marks for."""
    told, below = [*result.found.caveats, *result.unfit], result.below
    more = (caveat.text for caveat in result.warnings if caveat not in told)
    return [*below, *(text for text in more if text not in below)]


def _parts(result: Result, two: Sequence[str], words: OutputWords | None) -> WordsOrOrder | None:
    """Return whether the outputs of two systems differ in words or in order, if there are two."""
    return words_or_order(result, systems=two, tokenize=words.tokenize) if two and words else None


def _plane(result: Result, parts: WordsOrOrder | None) -> dict[str, Any]:
    """Return the plane of all systems by words and order; None if their order is not compared."""
    values = words_and_order(result, tokenize=parts.tokenize) if parts else []
    return {"plane": words_plane(values), "plane_side": SIDE}


def _steps(most: int) -> list[int]:
    """Return the round numbers at the side of a histogram: 0 and up to three above it.

    >>> _steps(2), _steps(7), _steps(30), _steps(299)
    ([0, 1, 2], [0, 5], [0, 10, 20, 30], [0, 100, 200])
    """
    power = 10 ** (len(str(most // 3)) - 1)
    step = next(k * power for k in (1, 2, 5, 10) if 3 * k * power >= most)
    return list(range(0, most + 1, step))


def _systems(result: Result) -> str:
    names = result.systems
    return quantity(len(names), "system") if len(names) > 1 else names[0]


def _metrics(result: Result) -> str:
    """Return the names of one or two metrics, or the number of more."""
    names, _ = short_names(list(map(str, result.metrics)))
    return " and ".join(names) if len(names) <= _FEW else quantity(len(names), "metric")


def _opening(result: Result) -> Json:
    """Return the metrics with the ends of their axes, and the numbers of the systems A and B.

    A and B are the two systems of the verdict. If it compares none, they are the baseline and the
    best other system.
    """
    names, _ = short_names(list(map(str, result.metrics)))
    metrics = []
    for m, metric in enumerate(result.metrics):
        low, high = metric.range
        intervals = [result.interval(system, m) for system in result.systems]
        ends = [end for one in intervals for end in (one.low, one.value, one.high)]
        if math.isinf(low):
            low = min(end for end in (0.0, *ends) if not math.isnan(end))
        if math.isinf(high):
            high = max(end for end in (1.0, *ends) if not math.isnan(end))
        metrics.append(
            {
                "name": str(metric),
                "short": names[m],
                "higher": metric.higher_is_better,
                "ends": [low, high],
                "decimals": metric.decimals,
                "linked": isinstance(metric, OrderMetric) and metric.unaligned == "drop",
            }
        )
    found, first = result.found, result.baseline
    numbers = [*result.standing.entrants, *range(len(result.systems))]  # the ceiling comes last
    other = next((number for number in numbers if number != first), None)
    pair = found.pair if found.answer else (first, other)
    return {"metrics": metrics, "pair": list(pair), "differences": difference_data(result)}


def _opened(result: Result, opening: Json) -> Result | None:
    """Return the two systems that a page opens with, None if it has only one."""
    names = _pair(result, opening)
    return result.chosen(names) if names else None


def _pair(result: Result, opening: Json) -> list[str]:
    """Return the names of the two systems that a page opens with, none if it has only one."""
    first, second = opening["pair"]
    return [] if second is None else [result.systems[number] for number in (first, second)]


def _best(result: Result, metric: int) -> int | None:
    """Return the number of the best system by a metric; None if all are equal."""
    sign = 1 if result.metrics[metric].higher_is_better else -1
    values = [sign * result.value(system, metric) for system in result.systems]
    return values.index(max(values)) if len({*values}) > 1 else None


def facts(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return names and values of what identifies a run, from its `run.json`.

    >>> facts({"arguments": ["score", "--hyp", "a.en"], "versions": {"python": "3.11"}})
    [('command', 'score --hyp a.en'), ('versions', '{"python": "3.11"}')]
    """
    told = {key: summary[key] for key in _FACTS if key in summary}
    told |= {system["system"]: system.get("made_by") for system in summary.get("systems", ())}
    return [
        ("command", " ".join(summary.get("arguments", ()))),
        *((name, json.dumps(value, ensure_ascii=False)) for name, value in told.items() if value),
    ]
