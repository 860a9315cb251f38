"""Wording of a verdict: one sentence with its most serious caveats, and a list for papers."""

from __future__ import annotations

from collections.abc import Sequence

from preorder_eval.base.stats.significance import exhaustive
from preorder_eval.base.tables import figure, signed
from preorder_eval.base.version import __version__
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.decision import Decision
from preorder_eval.evaluation.pair import MetricComparison, by_metrics, compared
from preorder_eval.evaluation.values import Values
from preorder_eval.evaluation.verdict.caveats import automatic_links, learned_from
from preorder_eval.evaluation.verdict.verdict import Verdict, subject

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
    decision, change, sure = answer.decision, answer.change, answer.sure
    if decision == Decision.CANNOT_BE_READ:
        return f"No verdict on {first} and {second}: {answer.name} cannot read these texts"
    if decision == Decision.SAME:
        unit = answer.units[1]
        return f"No difference between {first} and {second}: no {unit} changed by {answer.name}"
    if decision == Decision.CANNOT_BE_SHOWN:
        told = f"No difference between {first} and {second} can be shown: {change}"
        return f"{told}; {answer.too_few()}"
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


def _value(verdict: Verdict) -> str:
    """Return the value of the best or only system, with its metric: `FRS 0.746`."""
    return f"{verdict.metric} {figure(verdict.value, f'.{verdict.decimals}f')}"


def _of_several(verdict: Verdict) -> str:
    """Return the best of several systems, and which are not significantly worse than it."""
    best, answer = subject(verdict.systems[-1]), verdict.answer
    if answer is None:
        told = f"No system {verdict.verb} better than {best}: {_value(verdict)}"
        return told + _others(verdict, verdict.pairs)
    decision, count = answer.decision, answer.comparisons
    if decision == Decision.CANNOT_BE_READ:
        return f"No system is the best: {answer.name} cannot read these texts"
    change = signed(answer.difference.value, f"+.{answer.by.decimals}f")
    exceeded = subject(verdict.systems[0]) + ", the second" * (not verdict.against)
    sure = f"({answer.sure}{f', corrected for {count} pairs' * (count > 1)})"
    level = 0 if count == verdict.pairs else verdict.pairs
    if decision.kind:
        told = f"{best} {verdict.verb} best: {_value(verdict)}, {change} over {exceeded} {sure}"
        told = f"Weak evidence that {told}" if decision.weak else told
    elif decision == Decision.SAME or answer.difference.value == 0:
        told = f"No system is the best: {best} and {subject(verdict.systems[0])} have the same "
        told += _value(verdict)
        level = verdict.pairs
    else:
        told = f"{best} has the best {_value(verdict)}, but there is no evidence that it "
        told += f"{verdict.verb} better than {exceeded}: {change}"
        if decision == Decision.CANNOT_BE_SHOWN:
            told += f", where {answer.too_few()}"
            level = verdict.pairs
        else:
            told += f" {sure}"
    if decision == Decision.CANNOT_BE_SHOWN and verdict.unshown:
        return f"{told}; nor can it be shown which others are worse"
    return told + _others(verdict, level)


def _others(verdict: Verdict, pairs: int) -> str:
    """Return which others are not significantly worse than the best, as the end of a sentence.

    Parameters: `pairs` for how many that is corrected, 0 if it was said before.
    """
    level = f" (corrected for {pairs} pairs)" * (pairs > 1)
    if verdict.unshown:
        return f"; which others are worse cannot be shown, as {verdict.unshown}"
    if verdict.close:
        close = map(subject, verdict.close[:_LISTED])
        more = f" and {len(verdict.close) - _LISTED} more" * (len(verdict.close) > _LISTED)
        return f"; not significantly worse: {', '.join(close)}{more}{level}"
    rest = "every other system is"
    if len(verdict.worse) == 1:  # whose name may be `none`
        rest = f"the other system, {verdict.worse[0]}, is"
    return f"; {rest} significantly worse{level}" if verdict.worse else ""


def for_paper(values: Values, verdict: Verdict, names: Sequence[str]) -> str:
    """List the differences of systems by every metric, and the method; empty without a comparison.

    The pairs are the two systems of the verdict, or the best system (or the one to exceed) with
    each other one. p of the leading metric is corrected as in the verdict; p of the other metrics
    is also corrected for their number (Holm). Parameters: `names` what all systems are called.
    """
    if not values.versus:
        return ""
    if not values.readable:
        return f"{', '.join(values.metric_names)} cannot read these texts."
    lead, (first, *others) = values.lead, verdict.pair
    count = 1
    if verdict.question == "best of several":
        first = values.baseline if values.sampling.baseline else values.best
        others = sorted({*values.standing.entrants} - {first})
        count = verdict.comparisons
    metrics = [m for m in values.readable if m != lead]
    found = [
        [
            compared(values, first, second, lead, comparisons=count),
            *by_metrics(values, dict.fromkeys(metrics, (first, second)), count),
        ]
        for second in others
    ]
    texts = quantity(values.scored, "sentence")
    if values.of_orders:
        texts += f" of {values.reference_name}"
    if values.unit.drawn:
        texts += f" in {values.unit.drawn}"
    sentences = []
    for second, by_metric in zip(others, found, strict=True):
        by_decision: dict[str, list[str]] = {}
        for each in by_metric:
            by_decision.setdefault(_differs(each.decision), []).append(_numbers(each))
        whom = [names[first], *["it"] * (len(by_decision) - 1)]
        parts = (
            f"{how} {other} ({'; '.join(numbers)})"
            for (how, numbers), other in zip(by_decision.items(), whom, strict=True)
        )
        sentences.append(f"{subject(names[second])} {', '.join(parts)}.")
    chosen = [lead, *metrics]
    signatures = ", ".join(f"{values.metric_names[m]} is {values.metrics[m]}" for m in chosen)
    sentences.append(
        f"Differences are tested by {_method(values, count, len(others), len(metrics))}; "
        f"{signatures} of preorder_eval {__version__}."
    )
    lower = [values.metric_names[m] for m in chosen if not values.metrics[m].higher_is_better]
    sentences += [f"Lower is better by {', '.join(lower)}."] * bool(lower)
    learned = [caveat.text for caveat in learned_from(values)]
    sentences += [f"{text[0].upper()}{text[1:]}." for text in learned]
    sentences += [f"{text}." for text in [automatic_links(values, verdict)] if text]
    return f"On {texts}, " + " ".join(sentences)


def _differs(decision: Decision) -> str:
    """Return the words that relate a system to another, such as "better than"."""
    if decision.kind:
        return f"{'tends to be' if decision.weak else 'is significantly'} {decision.kind} than"
    if decision == Decision.SAME:
        return "does not differ from"
    if decision == Decision.CANNOT_BE_SHOWN:
        return "cannot be shown to differ from"
    return "does not differ significantly from"


def _method(values: Values, comparisons: int, pairs: int, others: int) -> str:
    """Return the test of some pairs, and for how many comparisons and metrics it is corrected."""
    trials, units = values.sampling.facts()["samples"], values.units(values.lead)[0]
    of = f" of {values.unit.name}s" * bool(values.unit.drawn)
    if values.sampling.test == "koehn":
        corrected = ", without correction for their number" * (pairs > 1)
        return f"paired bootstrap resampling{of} with {trials:,} samples (Koehn, 2004){corrected}"
    drawn = f"all {2**units} subsets" if exhaustive(units, trials) else f"{trials:,} trials"
    method = f"two-sided paired approximate randomization{of} with {drawn}"
    method += " (Riezler and Maxwell, 2005)"
    if comparisons > 1:
        method += f", p corrected for {comparisons} pairs of systems (Bonferroni)"
    if others > 1:
        lead = values.metric_names[values.lead]
        method += f", p of metrics other than {lead} corrected for {others} metrics (Holm)"
    return method


def _numbers(each: MetricComparison) -> str:
    """Return both values, their difference, and p; its interval where p is not corrected."""
    difference, decimals = each.difference, each.by.decimals
    one, other = (figure(value, f".{decimals}f") for value in each.values)
    change, low, high = (
        signed(value, f"+.{decimals}f")
        for value in (difference.value, difference.at_95.low, difference.at_95.high)
    )
    told = f"{each.name} {other} against {one}; {change}"
    if each.decision in (Decision.SAME, Decision.CANNOT_BE_SHOWN):
        return told if each.decision == Decision.SAME else f"{told}, where {each.too_few()}"
    interval = f", 95% CI [{low}, {high}]" * (each.comparisons == 1)
    return f"{told}{interval}, {each.sure}"
