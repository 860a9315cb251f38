"""Gates: how far a metric may fall before a comparison counts as failed.

A gate is written METRIC:NUMBER, such as `fuzzy:-0.005`. It fails if the 95% interval of the
difference lies wholly below that. For an error rate falling means getting worse: `wer:-0.01` fails
if it rose by more than 0.01.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from preorder_eval.errors import PreorderEvalError
from preorder_eval.results.comparison import Comparison, MetricComparison

_SMALL = 0.001  # a fall that a gate need not detect


@dataclass(frozen=True)
class Gate:
    """The largest fall of a metric that is still let through; `threshold` is not above 0."""

    written: str
    metric: str
    threshold: float


def parse_gate(text: str) -> Gate:
    """Read a gate. Raises PreorderEvalError if it is malformed.

    >>> parse_gate("fuzzy(match=word):-0.005").threshold
    -0.005
    """
    metric, colon, number = text.rpartition(":")
    try:
        threshold = float(number)
    except ValueError:
        threshold = math.nan
    if not colon or not metric.strip() or not -math.inf < threshold <= 0:
        raise PreorderEvalError(
            f"gate {text!r} is not METRIC:NUMBER with a number of 0 or below, such as fuzzy:-0.005"
        )
    return Gate(text, metric.strip(), threshold)


def failures(comparison: Comparison, gates: Sequence[Gate]) -> list[str]:
    """Return a line for every gate that fails.

    Raises UnknownNameError for a metric that was not compared.
    """
    lines = []
    for gate in gates:
        compared = _compared(comparison, gate)
        at_95 = compared.difference.at_95
        best = at_95.high if compared.difference.higher_is_better else -at_95.low
        if best < gate.threshold:
            way = "fell" if compared.difference.higher_is_better else "rose"
            lines.append(
                f"gate {gate.written} failed: {compared.metric} {way} by {abs(at_95.value):.3f}, "
                f"95% interval [{at_95.low:+.3f}, {at_95.high:+.3f}]"
            )
    return lines


def insensitive(comparison: Comparison, gates: Sequence[Gate]) -> list[str]:
    """Return a line for every gate that did not fail, but may have too few sentences to.

    A gate detects its threshold and as much more as the sentences can show with 80% power.
    """
    lines = []
    for gate in gates:
        compared = _compared(comparison, gate)
        detectable = compared.difference.detectable
        if detectable > max(-gate.threshold, _SMALL) and not failures(comparison, [gate]):
            lines.append(
                f"gate {gate.written}: {comparison.scored} sentences detect falls of "
                f"{detectable - gate.threshold:.3f} or more (with 80% power); more sentences "
                "detect smaller ones"
            )
    return lines


def _compared(comparison: Comparison, gate: Gate) -> MetricComparison:
    """Return the metric that a gate names, as `Result.metric_number` understands it."""
    return comparison.metrics[comparison.both.metric_number(gate.metric)]
