"""A result as plain values: for JSON, for TSV, and for run folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from preorder_eval.formats.run_folder import NO_LINKS
from preorder_eval.formats.tables import Table, known
from preorder_eval.stats.subsets import TRIALS_PER_RESAMPLE

if TYPE_CHECKING:
    from preorder_eval.results.result import Result
    from preorder_eval.stats.significance import Difference

_DIFFERENCE = ["difference", "low_95", "high_95", "low_90", "high_90", "significance", "p"]


def summary(result: Result) -> dict[str, Any]:
    """What `--json` prints and `run.json` keeps; a score's value is called `value` everywhere."""
    inputs, sampling = result.inputs, result.sampling
    left_out = result.left_out
    values: dict[str, Any] = {}
    if inputs.reference is not None:
        values["reference"] = {
            "name": inputs.reference.name,
            "sentences": len(inputs.reference),
            "files": dict(inputs.reference.hashes),
        }
    if inputs.references:
        values["references"] = [{"name": text.name, **text.made_by} for text in inputs.references]
    if inputs.made_by:
        values["inputs"] = dict(inputs.made_by)
    values |= {
        "sentences": len(result),
        "metrics": [str(metric) for metric in result.metrics],
        "bootstrap": {"level": 0.95, "resamples": sampling.resamples, "seed": sampling.seed},
        "left_out": {NO_LINKS: left_out} if left_out else {},
        "systems": [_system(result, number) for number in range(len(result.systems))],
    }
    signatures = sacrebleu_signatures(result)
    if signatures:
        values["sacrebleu"] = signatures
    if result.documents:
        values["documents"] = len(set(result.documents))
    if sampling.against != "none":
        values["significance"] = significance(result)
    return values


def sacrebleu_signatures(result: Result) -> dict[str, str]:
    """What sacrebleu prints for its metrics among those of a result, by ours."""
    count = len(result.inputs.references)
    signatures = {str(metric): metric.sacrebleu_signature(count) for metric in result.metrics}
    return {name: signature for name, signature in signatures.items() if signature}


def _system(result: Result, number: int) -> dict[str, Any]:
    system, left_out = result.inputs.systems[number], len(result.left_out)
    scores = {}
    for m, (metric, interval) in enumerate(
        zip(result.metrics, result.intervals[number], strict=True)
    ):
        cells: dict[str, object] = {
            name: known(getattr(interval, name)) for name in ("value", "low", "high")
        }
        cut_short = metric.cut_short(result.scores[number][m].statistics)
        if cut_short:
            cells["cut_short"] = cut_short
        versus = result.sampling.against == "first"
        difference = result.versus_first(number, m) if versus else None
        if difference is not None:
            cells |= dict(zip(_DIFFERENCE, difference_cells(difference), strict=True))
        cells |= metric.details(result.scores[number][m].statistics.sum(axis=0))
        scores[str(metric)] = cells
    return {
        "system": system.name,
        "parser": system.parser,
        "rules": system.rules,
        "made_by": dict(system.made_by),
        "sentences": len(result) - left_out,
        "left_out": left_out,
        "scores": scores,
    }


def significance(result: Result) -> dict[str, Any]:
    """By which test systems were compared, and all pairs that were."""
    sampling = result.sampling
    header, rows = pairs_table(result)
    return {
        "test": sampling.test,
        "against": sampling.against,
        "samples": sampling.resamples * (TRIALS_PER_RESAMPLE if sampling.test != "koehn" else 1),
        "seed": sampling.seed,
        "pairs": [dict(zip(header, cells, strict=True)) for cells in rows],
    }


def difference_cells(difference: Difference) -> list[object]:
    """A difference, its intervals, its mark and p as plain values; None for what a test lacks."""
    at_95, at_90 = difference.at_95, difference.at_90
    ends = [known(end) for end in (at_95.low, at_95.high, at_90.low, at_90.high)]
    return [known(difference.value), *ends, difference.mark, known(difference.p)]


def table(result: Result) -> Table:
    """Header and a row for each system, with its difference from the first if it was compared."""
    of_orders = result.inputs.reference is not None
    versus = result.sampling.against == "first" and len(result.systems) > 1
    columns = ["", "low", "high", *((_DIFFERENCE[:3] + _DIFFERENCE[5:]) if versus else [])]
    header = ["parser", "rules"] if of_orders else ["system"]
    header += ["sentences", *(["left_out"] if of_orders else [])]
    header += [f"{metric} {name}".strip() for metric in result.metrics for name in columns]
    left_out = len(result.left_out)
    rows = []
    for number, system in enumerate(result.inputs.systems):
        row: list[object] = [system.parser, system.rules] if of_orders else [system.name]
        row += [len(result) - left_out, *([left_out] if of_orders else [])]
        for m, interval in enumerate(result.intervals[number]):
            row += [known(interval.value), known(interval.low), known(interval.high)]
            if versus:
                difference = result.versus_first(number, m)
                cells = [None] * 7 if difference is None else difference_cells(difference)
                row += [*cells[:3], *cells[5:]]
        rows.append(row)
    return header, rows


def pairs_table(result: Result) -> Table:
    """Header and rows of all pairs of systems that were compared, by every metric."""
    header = ["metric", "row", "column", *_DIFFERENCE, "p_holm"]
    rows: list[list[object]] = []
    for metric, pairs in zip(result.metrics, result.pairs, strict=True):
        for pair in pairs:
            names = [result.systems[i] for i in (pair.first, pair.second)]
            cells = difference_cells(pair.difference)
            rows.append([str(metric), *names, *cells, known(pair.p_holm)])
    return header, rows
