"""The verdict on systems: whose comparison is the question, and what it found.

Two systems are judged by the test of their difference. The best of several by the first metric is
compared with each other one, corrected by Bonferroni's inequality. With a chance of 95% the truly
best system is the one named or among those called not significantly worse. This is by Hsu (1984),
"Constrained simultaneous confidence intervals for multiple comparisons with the best".
"""

from __future__ import annotations

from collections.abc import Sequence

from preorder_eval import __version__
from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.metrics.order import Kendall
from preorder_eval.results import verdicts
from preorder_eval.results.defaults import SOURCE_ORDER
from preorder_eval.results.values import Values
from preorder_eval.tables import figure, signed
from preorder_eval.visible import quantity

_LISTED = 4  # systems that are named, and no more


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


def for_paper(values: Values, pairs: Sequence[tuple[int, int]], names: Sequence[str]) -> str:
    """Return how the second of each pair of systems differs from the first, with the method.

    Parameters: `names` what all systems are called.
    """
    texts = quantity(values._scored, "sentence")
    if values._of_orders:
        texts += f" of {values._about['reference']['name']}"
    trials, sentences = values._sampling.facts()["samples"], list[str]()
    for first, second in pairs:
        each = compared(values, first, second, 0)
        difference, decimals = each.difference, each.by.decimals
        kind = "better" if (difference.value > 0) == each.by.higher_is_better else "worse"
        how = {2: f"is significantly {kind} than", 1: f"tends to be {kind} than"}
        stars = how.get(difference.mark.count("*"), "does not differ significantly from")
        one, other = (figure(value, f".{decimals}f") for value in each.values)
        change, low, high = (
            signed(value, f"+.{decimals}f")
            for value in (difference.value, difference.at_95.low, difference.at_95.high)
        )
        where = "" if sentences else f"On {texts}, "
        sentences.append(
            f"{where}{names[second]} {stars} {names[first]} ({each.name} {other} against {one}; "
            f"{change}, 95% CI [{low}, {high}], {verdicts.certainty(difference)})."
        )
    method = f"two-sided paired approximate randomization with {trials:,} trials"
    method += " (Riezler and Maxwell, 2005)"
    if values._sampling.test == "koehn":
        method = f"paired bootstrap resampling with {trials:,} samples (Koehn, 2004)"
    alone = " without correction for their number" if len(pairs) > 1 else ""
    sentences.append(
        f"Differences are tested{alone} by {method}; {values._metric_names[0]} is "
        f"{values.metrics[0]} of preorder_eval {__version__}."
    )
    return " ".join(sentences)


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
    """Return the best of several systems, and which are not significantly worse than it."""
    standing, best, names, by = values._standing, values._best, values._labels, values.metrics[0]
    differences = {n: values.difference(best, n) for n in standing.entrants if n != best}
    from_best = {n: each for n, each in differences.items() if each is not None}
    count, verb, rival = len(from_best), _verb(values), _rival(values)
    alone = count == 1 or values._sampling.test == "koehn"
    corrected = "" if alone else f", corrected for {count} pairs"
    value = figure(values._intervals[best][0].value, f".{by.decimals}f")
    score, agreeing = f"{values._metric_names[0]} {value}", ""
    others = [*from_best]
    if rival is None:
        verdict = f"No system {verb} better than {names[best]}: {score}"
        level = f" (at the 5% level{corrected})" if corrected else ""
    else:
        exceeded, second = rival
        others.remove(exceeded)
        gain, level = from_best[exceeded].reversed(), ""
        sure = f"({verdicts.certainty(gain, count)}{corrected})"
        change = signed(gain.value, f"+.{by.decimals}f")
        if verdicts.significant(gain, count):
            verdict = f"{names[best]} {verb} best: {score}, {change} over {second} {sure}"
        else:
            verdict = f"{names[best]} has the best {score}, but there is no evidence that it "
            verdict += f"{verb} better than {second}: {change} {sure}"
        if values._of_orders:
            found = {
                name: difference
                for m, name in enumerate(values._metric_names)
                if m and (difference := values.difference(exceeded, best, m))
            }
            agreeing = verdicts.others_agree(gain.mark, found)
    close = [names[n] for n in others if not verdicts.significant(from_best[n], count)]
    if close:
        more = f" and {len(close) - _LISTED} more" if len(close) > _LISTED else ""
        verdict += f"; not significantly worse: {', '.join(close[:_LISTED])}{more}{level}"
    elif others:
        rest = "every other system is" if len(others) > 1 else f"{names[others[0]]} is"
        verdict += f"; {rest} significantly worse{level}"
    return f"{verdict}{agreeing}{_best_by_others(values)}"


def _best_by_others(values: Values) -> str:
    """Return the systems that are significantly better by other metrics, and by which."""
    others: dict[str, list[str]] = {}
    for m, name in enumerate(values._metric_names):
        best = values._standing_by(m).best
        gain = values.difference(values._best, best, m) if best != values._best else None
        if gain is not None and gain.mark == "+**":
            others.setdefault(values._labels[best], []).append(name)
    return "".join(f"; best by {', '.join(by)}: {name}" for name, by in others.items())


def _verb(values: Values) -> str:
    return "orders" if "orders" in values.metrics[0].needs else "scores"
