"""Facts of a result for JSON: what was compared with what, by which metrics and tests."""

from __future__ import annotations

from typing import Any

from preorder_eval.data.metric_needs import LINKED
from preorder_eval.data.reference_set import NO_LINKS
from preorder_eval.metrics.base import Metric
from preorder_eval.results.values import Values
from preorder_eval.results.verdict.verdict import Verdict
from preorder_eval.version import __version__


def facts(values: Values, verdict: Verdict) -> dict[str, Any]:
    """Return the facts that JSON has once, beside the rows of the tables."""
    sampling = values.sampling
    facts = {
        **values.about,
        "sentences": values.size,
        "metrics": [str(metric) for metric in values.metrics],
        "bootstrap": {"level": 0.95, "resamples": sampling.resamples, "seed": sampling.seed},
        "left_out": {NO_LINKS: list(values.left_out)} if values.left_out else {},
        "signatures": {str(m): m.signature(**circumstances(values, m)) for m in values.metrics},
    }
    if signatures := sacrebleu(values):
        facts["sacrebleu"] = signatures
    if sampling.against != "none":
        compared = {"differences_from": values.systems[values.baseline]}
        facts["significance"] = sampling.facts() | compared
    return facts | {"verdict": verdict.facts()}


def circumstances(values: Values, metric: Metric) -> dict[str, Any]:
    """Return what a metric's signature says beside its parameters.

    That is the number of references, who made the links, and the version.
    """
    needs, facts = {*metric.needs}, dict[str, Any]()
    reference = values.about.get("reference", {})
    if {"ref", "reference_orders"} & needs:
        counts = _reference_counts(values)
        several = f"{min(counts)}-{max(counts)}" if len(counts) > 1 else counts[0]
        facts["refs"] = reference.get("orders") or several
    linked = needs & {*LINKED, "orders", "reference_orders"}
    aligner = values.about.get("inputs", {}).get("align")
    if aligner and linked:
        settings = [f"{k}={v}" for k, v in aligner.items() if k != "aligner" and v]
        facts["align"] = f"{aligner['aligner']}({','.join(settings)})"
    elif linked and reference.get("aligner"):
        facts["align"] = reference["aligner"]
    return {**facts, "version": __version__}


def sacrebleu(values: Values) -> dict[str, str]:
    """Return sacrebleu's own signatures of the metrics that it has too, by our signatures."""
    counts = _reference_counts(values)
    references = counts[0] if len(counts) == 1 else -1  # by which sacrebleu writes nrefs:var
    signatures = {str(m): m.sacrebleu_signature(references) for m in values.metrics}
    return {name: signature for name, signature in signatures.items() if signature}


def _reference_counts(values: Values) -> list[int]:
    return list(map(int, values.about.get("sentences_with_references", {"0": 0})))
