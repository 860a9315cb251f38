"""The verdict on systems: what is asked of them, and which difference answers it.

Two systems are judged by the test of their difference. The best of several by the first metric is
compared with each other one, corrected by Bonferroni's inequality. To say that it is better than
the second, or than a named one, takes a correction for as many comparisons as there are others. To
say that others are worse takes one for all pairs of systems, because the best is chosen by its
score: it and the worst are as far apart as any two.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from preorder_eval.results.decision import Decision, decided
from preorder_eval.results.pair import compared
from preorder_eval.results.values import Values
from preorder_eval.results.verdict.caveats import caveats
from preorder_eval.results.verdict.verdict import Verdict


def verdict_of(values: Values) -> Verdict:
    """Return the verdict on the two systems in question, on the best of several, or on one."""
    if not values.versus:
        found = _alone(values)
    elif two := _two_in_question(values):
        return verdict_on_two(values, *two)
    else:
        found = _of_several(values)
    by, best = values.metrics[0], values.intervals[values.best][0].value
    found = replace(found, metric=values.metric_names[0], decimals=by.decimals, value=best)
    return _with_caveats(values, found)


def verdict_on_two(values: Values, first: int, second: int, names: Sequence[str] = ()) -> Verdict:
    """Return the verdict on whether the second of two systems, by number, is better.

    Parameters: `names` what all systems are called.
    """
    names, pair = names or values.labels, (first, second)
    found = Verdict("two systems", (names[first], names[second]), pair=pair)
    return _with_caveats(values, replace(found, answer=compared(values, first, second)))


def _with_caveats(values: Values, found: Verdict) -> Verdict:
    found = replace(found, verb="orders" if "orders" in values.metrics[0].needs else "scores")
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
    from_best = {n: values.difference(best, n) for n in values.standing.entrants if n != best}
    count = len(from_best)
    pairs = 1 if values.sampling.test == "koehn" else math.comb(count + 1, 2)
    worse = {
        n: difference is not None and decided(difference, pairs) == Decision.WORSE
        for n, difference in from_best.items()
        if n != rival
    }
    found = Verdict(
        "best of several",
        (names[best],),
        comparisons=count,
        pairs=pairs,
        against=values.sampling.baseline,
        close=tuple(names[n] for n, shown in worse.items() if not shown),
        worse=tuple(names[n] for n, shown in worse.items() if shown),
    )
    if rival is None:
        return found
    answer = compared(values, rival, best)
    return replace(found, systems=(names[rival], names[best]), pair=(rival, best), answer=answer)


def _to_exceed(values: Values) -> int | None:
    """Return the system that the best of several must exceed: the named one, or the second best.

    It is None if the best one is the named system itself, or the source order.
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
