"""Gates: how far a metric may fall before a comparison counts as failed.

A gate is written METRIC:NUMBER, such as `fuzzy:-0.005`, and fails if the 95% interval of the
difference lies wholly below this number. For an error rate, a fall means that it got worse:
`wer:-0.01` fails if it rose by more than 0.01.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.tables import signed
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.compare import Comparison

_SMALL = 0.001  # a fall that a gate need not detect


@dataclass(frozen=True)
class Gate:
    """The largest fall of a metric that is allowed, as a `threshold` of 0 or below."""

    written: str
    metric: str
    threshold: float


def parse_gate(text: str) -> Gate:
    """Read a gate. Raises PreorderEvalError if it is malformed."""
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


def check_gates(comparison: Comparison, gates: Sequence[Gate]) -> tuple[list[str], list[str]]:
    """Return a line for every gate that fails, and one for every gate that can hardly fail.

    A gate fails surely enough (with 80% power) only where a metric falls by its threshold and, on
    top of that, by the smallest difference that the sentences can show. The second lines name the
    gates for which this is more than twice the threshold, because there are too few sentences.
    Raises UnknownNameError for a metric that was not compared, and PreorderEvalError for one that
    cannot read the texts.
    """
    failed, insensitive, second = [], [], comparison.told_apart()[1]
    for gate in gates:
        compared = comparison.metrics[comparison.both.metric_number(gate.metric)]
        difference = compared.difference
        if not difference.readable:
            raise PreorderEvalError(f"gate {gate.written}: {compared.name} cannot read these texts")
        at_95, detectable = difference.at_95, difference.detectable
        higher = difference.higher_is_better
        worst, best = (at_95.low, at_95.high) if higher else (-at_95.high, -at_95.low)
        if best < gate.threshold:
            way = "fell" if higher else "rose"
            failed.append(
                f"gate {gate.written} failed: {compared.metric} of {second} {way} by "
                f"{abs(at_95.value):.3f}, 95% interval [{signed(at_95.low)}, {signed(at_95.high)}]"
            )
        elif difference.differing and math.isnan(detectable) and not worst >= gate.threshold:
            verb = "differs" if difference.differing == 1 else "differ"
            few = f"{difference.differing} of {quantity(*compared.units)} {verb}"
            insensitive.append(
                f"gate {gate.written}: {few}, too few to estimate which falls are detectable"
            )
        elif detectable > max(-gate.threshold, _SMALL):
            insensitive.append(
                f"gate {gate.written}: {quantity(*compared.units)} detect falls of "
                f"{detectable - gate.threshold:.3f} or more (with 80% power); use more to detect "
                "smaller falls"
            )
    return failed, insensitive
