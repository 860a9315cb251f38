"""Words of a verdict: an answer in one sentence with its most serious caveats; and for papers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from preorder_eval.errors import argument
from preorder_eval.results.decision import Decision, can_be_shown, certainty, least_differing
from preorder_eval.results.pair import MetricComparison, compared
from preorder_eval.results.values import Values
from preorder_eval.results.verdict.verdict import Verdict, subject
from preorder_eval.stats.significance import exhaustive
from preorder_eval.tables import figure, signed
from preorder_eval.version import __version__
from preorder_eval.visible import quantity

_SAID = 2  # caveats beside the answer; others are notes below the table
_LISTED = 4  # systems that are named, and no more


def text(verdict: Verdict, caveats: int = _SAID) -> str:
    """Return the answer and the first caveats; empty if there is nothing to state."""
    said = [answered(verdict), *(caveat.text for caveat in verdict.caveats[:caveats])]
    return " ".join(filter(None, said))


def unsaid(verdict: Verdict, caveats: int = _SAID) -> list[str]:
    """Return the caveats that `text` leaves out, which are notes below the table."""
    return [caveat.text.rstrip(".") for caveat in verdict.caveats[caveats:]]


def answered(verdict: Verdict) -> str:
    """Return the answer as a sentence; empty for one system alone without gold trees."""
    if verdict.question == "one system":
        [name] = verdict.systems
        form = f".{verdict.decimals}f"
        gold = (f"{figure(v, form)}{f' by {rules}' * bool(rules)}" for v, rules in verdict.reached)
        told = f"{name}: {_value(verdict)}; gold trees: {', '.join(dict.fromkeys(gold))}."
        return told if verdict.reached else ""
    if verdict.question == "two systems" and verdict.answer is not None:
        first, second = verdict.systems
        return f"{of_two(first, second, verdict.verb, verdict.answer)}."
    return f"{_of_several(verdict)}."


def of_two(first: str, second: str, verb: str, answer: MetricComparison) -> str:
    """Return whether the second of two systems is better than the first, without a full stop.

    Parameters: `verb` what systems do, such as `orders`.
    """
    decision, change, sure = answer.decision(), answer.change, certainty(answer.difference)
    if decision == Decision.SAME:
        unit = answer.units[1]
        return f"No difference between {first} and {second}: no {unit} changed by {answer.name}"
    if decision == Decision.CANNOT_BE_SHOWN:
        told = f"No difference between {first} and {second} can be shown: {change}"
        return f"{told}; {too_few(answer)}"
    if decision == Decision.NO_EVIDENCE:
        told = f"No evidence of a difference between {first} and {second}: {change}, {sure}"
        least = answer.difference.detectable
        if least > 0:
            shown = figure(least, f".{answer.by.decimals}f")
            told += f"; the smallest detectable difference is {shown}"
        return told
    told = f"{subject(second)} {verb} {decision.kind} than {first}"
    if decision.weak:
        told = f"Weak evidence that {told}"
    counts = ""
    if answer.first.size:
        counts = f"{quantity(answer.better, 'sentence')} better, {answer.worse} worse, "
    return f"{told}: {change}, {counts}{sure}"


def too_few(answer: MetricComparison, comparisons: int = 1) -> str:
    """Return how many sentences or documents differ, and how many must."""
    (count, unit), least = answer.units, least_differing(comparisons)
    differing = answer.difference.differing
    if differing is None or differing >= least:
        return f"the random trials are too few: raise {argument('resamples', '--resamples')}"
    verb = "differs" if differing == 1 else "differ"
    return f"only {differing} of {quantity(count, unit)} {verb}; at least {least} must"


def _value(verdict: Verdict) -> str:
    """Return the value of the best or only system, with its metric: `FRS 0.746`."""
    return f"{verdict.metric} {figure(verdict.value, f'.{verdict.decimals}f')}"


def _of_several(verdict: Verdict) -> str:
    """Return the best of several systems, and which are not significantly worse than it."""
    best, answer, count = subject(verdict.systems[-1]), verdict.answer, verdict.comparisons
    if answer is None:
        return f"No system {verdict.verb} better than {best}: {_value(verdict)}{_others(verdict)}"
    change = signed(answer.difference.value, f"+.{answer.by.decimals}f")
    exceeded = verdict.systems[0] + ", the second" * (not verdict.against)
    corrected = f", corrected for {count} pairs" * (answer.difference.test != "koehn")
    sure = f"({certainty(answer.difference, count)}{corrected})"
    decision = answer.decision(count)
    if decision.kind:
        told = f"{best} {verdict.verb} best: {_value(verdict)}, {change} over {exceeded} {sure}"
        told = f"Weak evidence that {told}" if decision.weak else told
    elif answer.difference.value == 0:
        told = f"No system is the best: {best} and {verdict.systems[0]} have the same "
        told += _value(verdict)
    else:
        told = f"{best} has the best {_value(verdict)}, but there is no evidence that it "
        told += f"{verdict.verb} better than {exceeded}: {change} {sure}"
        if decision == Decision.CANNOT_BE_SHOWN:
            told += f", where {too_few(answer, count)}"
    said = decision == Decision.CANNOT_BE_SHOWN or verdict.worse or not verdict.close
    if not (said or can_be_shown(answer.difference, verdict.pairs)):
        why = too_few(answer, verdict.pairs)
        return f"{told}; which others are worse cannot be shown, as {why}"
    return told + _others(verdict)


def _others(verdict: Verdict) -> str:
    """Return which others are not significantly worse than the best, as the end of a sentence."""
    level = f" (corrected for {verdict.pairs} pairs)" * (verdict.pairs > 1)
    if verdict.close:
        close = map(subject, verdict.close[:_LISTED])
        more = f" and {len(verdict.close) - _LISTED} more" * (len(verdict.close) > _LISTED)
        return f"; not significantly worse: {', '.join(close)}{more}{level}"
    rest = "every other system is"
    if len(verdict.worse) == 1:  # whose name may be `none`
        rest = f"the other system, {verdict.worse[0]}, is"
    return f"; {rest} significantly worse{level}" if verdict.worse else ""


def for_paper(values: Values, pairs: Sequence[tuple[int, int]], names: Sequence[str]) -> str:
    """Return how the second of each pair of systems differs from the first, and the method.

    There is a sentence for each pair, by every metric. Each pair counts as one of all pairs of the
    systems. Parameters: `names` what all systems are called.
    """
    texts = quantity(values.scored, "sentence")
    if values.of_orders:
        texts += f" of {values.reference_name}"
    if values.unit.drawn:
        texts += f" in {values.unit.drawn}"
    trials, several = values.sampling.facts()["samples"], len(pairs) > 1
    of = f" of {values.unit.name}s" * bool(values.unit.drawn)
    count = math.comb(len(pairs) + 1, 2)
    sentences = list[str]()
    for first, second in pairs:
        by_decision: dict[str, list[str]] = {}
        for m in range(len(values.metrics)):
            each = compared(values, first, second, m)
            decision, how = each.decision(count), "does not differ significantly from"
            if decision.kind:
                sure = "tends to be" if decision.weak else "is significantly"
                how = f"{sure} {decision.kind} than"
            by_decision.setdefault(how, []).append(_numbers(each, count))
        others = [names[first], *["it"] * (len(by_decision) - 1)]
        parts = (
            f"{how} {other} ({'; '.join(numbers)})"
            for (how, numbers), other in zip(by_decision.items(), others, strict=True)
        )
        sentences.append(f"{subject(names[second])} {', '.join(parts)}.")
    units = values.units()[0]
    drawn = f"all {2**units} subsets" if exhaustive(units, trials) else f"{trials:,} trials"
    method = f"two-sided paired approximate randomization{of} with {drawn}"
    method += " (Riezler and Maxwell, 2005)"
    if several:
        method += f", p corrected for {count} pairs of systems (Bonferroni)"
    if values.sampling.test == "koehn":
        method = f"paired bootstrap resampling{of} with {trials:,} samples (Koehn, 2004)"
        method += ", without correction for their number" * several
    named = zip(values.metric_names, values.metrics, strict=True)
    signatures = ", ".join(f"{name} is {metric}" for name, metric in named)
    sentences.append(f"Differences are tested by {method}; {signatures} of preorder_eval ")
    return f"On {texts}, " + " ".join(sentences) + f"{__version__}."


def _numbers(each: MetricComparison, comparisons: int) -> str:
    """Return both values, the difference with its interval, and p corrected for comparisons."""
    difference, decimals = each.difference, each.by.decimals
    one, other = (figure(value, f".{decimals}f") for value in each.values)
    change, low, high = (
        signed(value, f"+.{decimals}f")
        for value in (difference.value, difference.at_95.low, difference.at_95.high)
    )
    sure = certainty(difference, comparisons)
    return f"{each.name} {other} against {one}; {change}, 95% CI [{low}, {high}], {sure}"
