"""The verdict on systems: whose comparison is the question, and what it found."""

from __future__ import annotations

from collections.abc import Sequence

from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.metrics.order import Kendall
from preorder_eval.results import verdicts
from preorder_eval.results.defaults import SOURCE_ORDER
from preorder_eval.results.values import Values
from preorder_eval.tables import figure, signed
from preorder_eval.visible import quantity


def verdict(values: Values) -> str:
    """Return the verdict: the question's two systems, or the best of several; then the ceiling."""
    parts, sentences, two = list[str](), list[str](), _question(values) if values._versus else None
    if two:
        names = (values._labels[n] for n in two)
        parts = [of_two(values, *two, *names)[:-1], *_over_none(values)]
    elif values._versus:
        parts = [_of_several(values)]
    parts += _ceiling(values)
    if parts:
        sentences.append(f"{'; '.join(parts)}.")
    over = _rival(values) if values._versus else None
    pair = two or (over and (over[0], values._best))
    sentences += tau_on_parsers(values, *pair) if pair else []
    sentences += [values._firmness.sentence] if values._firmness else []
    return " ".join([*sentences, *seen_before(values)])


def seen_before(values: Values) -> list[str]:
    """Return a sentence for what was trained or tuned on the text scored."""
    reference = str(values._about.get("reference", {}).get("name", ""))
    return verdicts.seen_before(values._seen, values._size, reference, values._learned)


def reported(values: Values, pairs: Sequence[tuple[int, int]], names: Sequence[str]) -> str:
    """Return how the second of pairs of systems differ from the first, for a paper."""
    differences = [(names[a], names[b], compared(values, a, b, 0)) for a, b in pairs]
    texts = quantity(values._scored, "sentence")
    if values._of_orders:
        texts += f" of {values._about['reference']['name']}"
    trials = values._sampling.facts()["samples"]
    return verdicts.for_paper(differences, texts, trials)


def _question(values: Values) -> tuple[int, int] | None:
    """Return the two systems to compare: the only ones, or the only ones that reorder, if so."""
    standing, one = values._standing, values._baseline
    others = [n for n in standing.entrants if n != one]
    if values._of_orders and one != standing.source_order != standing.best:
        others = [n for n in others if n != standing.source_order] or others
    return (one, others[0]) if len(others) == 1 else None


def _over_none(values: Values) -> list[str]:
    """Return by how much the best exceeds the source order, where others are compared first."""
    source = values._standing.source_order
    gain = None if source is None else values.difference(source, values._best)
    if gain is None or source == values._baseline:
        return []
    change = signed(gain.value, f"+.{values.metrics[0].decimals}f")
    return [f"{change} over {SOURCE_ORDER} ({verdicts.certainty(gain)})"]


def _ceiling(values: Values) -> list[str]:
    """Return what gold trees reach, with the rules of the best system if they have these."""
    gold = [n for n in range(len(values._made)) if n not in values._standing.entrants]
    rules, form = values._made[values._best].rules, f".{values.metrics[0].decimals}f"
    firsts = [figure(of_system[0].value, form) for of_system in values._intervals]
    alike = [firsts[n] for n in gold if values._made[n].rules == rules]
    reached = alike or [f"{firsts[n]} by {values._made[n].rules}" for n in gold]
    told = f"{values._labels[values._best]}: {values._metric_names[0]} {firsts[values._best]}"
    limit = [f"gold trees: {', '.join(dict.fromkeys(reached))}"] if gold else []
    return [told] * bool(gold and not values._versus) + limit


def tau_on_parsers(values: Values, first: int, second: int) -> list[str]:
    """Return what τ has to add where FRS alone tells two parsers apart."""
    parsers = {values._made[n].parser for n in (first, second)} - {""}
    difference = values.difference(first, second)
    if len(parsers) < 2 or not isinstance(values.metrics[0], Fuzzy) or difference is None:
        return []
    marks = [
        other.mark
        for m, by in enumerate(values.metrics)
        if isinstance(by, Kendall) and (other := values.difference(first, second, m))
    ]
    if difference.mark == "0" or difference.mark[0] in {mark[0] for mark in marks}:
        return []
    told = [] if marks else [values._by_tau(first, second)]
    return [*told, "τ ranks parsers more steadily than FRS: see manual metrics."]


def of_two(values: Values, first: int, second: int, one: str, other: str) -> str:
    """Return whether the second of two systems, by number, is better; called so."""
    judged = [compared(values, first, second, m) for m in range(len(values.metrics))]
    return verdicts.of_two(one, other, _verb(values), judged, values._scored)


def compared(values: Values, first: int, second: int, metric: int) -> verdicts.MetricComparison:
    """Return two systems that were compared, by their numbers and that of a metric."""
    one, other = (values._intervals[number][metric].value for number in (first, second))
    difference = values.difference(first, second, metric)
    if difference is None:
        raise ValueError(f"{values.systems[first]} and {values.systems[second]} were not compared")
    scores = (values._of_sentences(number, metric) for number in (first, second))
    by, name = values.metrics[metric], values._metric_names[metric]
    return verdicts.MetricComparison.of(by, name, (one, other), difference, *scores)


def _rival(values: Values) -> tuple[int, str] | None:
    """Return what the best of several exceeds, and its name; None if nothing had to be."""
    named, second = values._sampling.baseline, values._standing.second
    if values._best in (values._standing.source_order, values._baseline if named else None):
        return None
    if named:
        return values._baseline, values._labels[values._baseline]
    return second, f"{values._labels[second]}, the second"


def _of_several(values: Values) -> str:
    """Return which of several systems is best, over which, and by which metrics others are."""
    standing, best = values._standing, values._best
    differences = {n: values.difference(best, n) for n in standing.entrants if n != best}
    sentence = verdicts.of_several(
        values._labels,
        _verb(values),
        (values._metric_names[0], values.metrics[0]),
        [of_system[0].value for of_system in values._intervals],
        best,
        _rival(values),
        {number: pair for number, pair in differences.items() if pair is not None},
    )
    others: dict[str, list[str]] = {}
    for m, name in enumerate(values._metric_names):
        other = values._standing_by(m).best
        if other != best:
            others.setdefault(values._labels[other], []).append(name)
    more = (f"; best by {', '.join(by)}: {name}" for name, by in others.items())
    return f"{sentence}{_others_agree(values)}{''.join(more)}"


def _others_agree(values: Values) -> str:
    """Return what the other metrics of orders say of the best and its rival."""
    over = _rival(values)
    first = values.difference(over[0], values._best) if values._of_orders and over else None
    if over is None or first is None:
        return ""
    found = {n: values.difference(over[0], values._best, n) for n in range(1, len(values.metrics))}
    others = {values._metric_names[n]: other for n, other in found.items() if other is not None}
    return verdicts.others_agree(first.mark, others)


def _verb(values: Values) -> str:
    return "orders" if "orders" in values.metrics[0].needs else "scores"
