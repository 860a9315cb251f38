"""The verdict on systems: the question, and the difference that answers it.

For two systems, the test of their difference decides. For several systems, the best is compared
with each other one. p is corrected for all pairs of systems (Bonferroni), because the best is
chosen by its score: the best and the worst differ most of all pairs. If users name the system to
exceed, each other system is compared with that one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from preorder_eval.evaluation.decision import Decision
from preorder_eval.evaluation.pair import MetricComparison, compared
from preorder_eval.evaluation.values import Values
from preorder_eval.evaluation.verdict.caveats import caveats
from preorder_eval.evaluation.verdict.verdict import Verdict


def verdict_of(values: Values) -> Verdict:
    """Return the verdict on the two systems in question, on the best of several, or on one."""
    if not values.versus:
        found = _alone(values)
    elif two := _two_in_question(values):
        return verdict_on_two(values, *two)
    else:
        found = _of_several(values)
    lead = values.lead
    by, best = values.metrics[lead], values.intervals[values.best][lead].value
    found = replace(found, metric=values.metric_names[lead], decimals=by.decimals, value=best)
    return _with_caveats(values, found)


def verdict_on_two(values: Values, first: int, second: int, names: Sequence[str] = ()) -> Verdict:
    """Return the verdict on whether the second of two systems, by number, is better.

    Parameters: `names` what all systems are called.
    """
    names, pair = names or values.labels, (first, second)
    found = Verdict("two systems", (names[first], names[second]), pair=pair)
    answer = compared(values, first, second, values.lead)
    return _with_caveats(values, replace(found, answer=answer))


def _with_caveats(values: Values, found: Verdict) -> Verdict:
    of_orders = "orders" in values.metrics[values.lead].needs
    found = replace(found, verb="orders" if of_orders else "scores")
    return replace(found, caveats=caveats(values, found))


def _two_in_question(values: Values) -> tuple[int, int] | None:
    """Return the two systems to compare, if there are just two, or None.

    The source order is not counted if two others reorder.
    """
    standing, one = values.standing, values.baseline
    others = [n for n in standing.entrants if n != one]
    if values.of_orders and one != standing.source_order != standing.best:
        others = [n for n in others if n != standing.source_order] or others
    return (one, others[0]) if len(others) == 1 else None


def _of_several(values: Values) -> Verdict:
    """Return the best of several systems, and which are not shown to be worse than it."""
    best, names, rival = values.best, values.labels, _to_exceed(values)
    others = [n for n in values.standing.entrants if n != best]
    named = values.baseline if values.sampling.baseline else None
    pairs = len(others) if best == named else math.comb(len(others) + 1, 2)
    pairs = 1 if values.sampling.test == "koehn" else pairs
    decided = {
        n: compared(values, best, n, values.lead, comparisons=pairs) for n in others if n != rival
    }
    worse = {n: each.decision == Decision.WORSE for n, each in decided.items()}
    found = Verdict(
        "best of several",
        (names[best],),
        pairs=pairs,
        against=values.sampling.baseline,
        close=tuple(names[n] for n, shown in worse.items() if not shown),
        worse=tuple(names[n] for n, shown in worse.items() if shown),
        unshown=_unshown(list(decided.values())),
    )
    if rival is None:
        return found
    count = len(others) if rival == named else pairs
    answer = compared(values, rival, best, values.lead, comparisons=count)
    return replace(found, systems=(names[rival], names[best]), pair=(rival, best), answer=answer)


def _unshown(others: Sequence[MetricComparison]) -> str:
    """Return why none of the other systems can be shown to be worse; empty if one could be."""
    if not {each.decision for each in others} <= {Decision.SAME, Decision.CANNOT_BE_SHOWN}:
        return ""
    most = max(others, key=lambda each: each.difference.differing or 0, default=None)
    return "" if most is None else most.too_few()


def _to_exceed(values: Values) -> int | None:
    """Return the system that the best of several must exceed: the named one, or the second best.

    Return None if the best one is the named system itself, or the source order.
    """
    named = bool(values.sampling.baseline)
    if values.best in (values.standing.source_order, values.baseline if named else None):
        return None
    return values.baseline if named else values.standing.second


def _alone(values: Values) -> Verdict:
    """Return the verdict on a single system, with what gold trees reach by the same rules."""
    best, made = values.best, values.made
    gold = [n for n in range(len(made)) if n not in values.standing.entrants]
    alike = [n for n in gold if made[n].rules == made[best].rules]
    found = [(values.intervals[n][0].value, "" if alike else made[n].rules) for n in alike or gold]
    return Verdict("one system", (values.labels[best],), reached=tuple(found))
