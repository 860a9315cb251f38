"""Caveats of a verdict. Each function returns a sentence, or nothing where it does not apply.

Its first line says when it does. They stand in the order of `CAVEATS`, the gravest first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from preorder_eval.alignment import automatic_notes
from preorder_eval.errors import argument
from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.metrics.order import Kendall
from preorder_eval.results.annotators import ADJUDICATED
from preorder_eval.results.decision import Decision, certainty, decided
from preorder_eval.results.pair import compared
from preorder_eval.results.training_text import SEEN
from preorder_eval.results.values import Values
from preorder_eval.results.verdict.verdict import Caveat, Verdict
from preorder_eval.tables import signed
from preorder_eval.visible import quantity

FEW_DIFFERENT = 10  # of any number of sentences, below which intervals may be too narrow


def learned_here(values: Values, verdict: Verdict) -> str:
    """Parsers or rules have seen 5% or more of the sentences scored."""
    whole, _, part = values.reference_name.rpartition("/")
    names = dict[tuple[str, int], list[str]]()
    for maker, count in values.seen.items():
        what, _, name = maker.partition(" ")
        if count >= SEEN * len(values):
            how = "trained or selected" if what == "parser" else "tuned"
            names.setdefault((how, count), []).append(name)
    told = []
    for (how, count), makers in names.items():
        some = "" if count == len(values) else f"{count} of "
        other = f": report scores on {whole}/test" if part == "dev" and not some else ""
        verb = "was" if len(makers) == 1 else "were"
        told.append(f"{' and '.join(makers)} {verb} {how} on {some}these sentences{other}")
    return "; ".join(told)


def inputs(values: Values, verdict: Verdict) -> str:
    """The inputs say of themselves what they are, such as simulated."""
    return str(values.about.get("inputs", {}).get("about", ""))


def other_metrics(values: Values, verdict: Verdict) -> str:
    """Another metric shows the opposite, a difference where there is none, or another best."""
    told: dict[str, list[str]] = {}
    (first, second), decision = verdict.pair, verdict.decision
    for m, name in list(enumerate(values.metric_names))[1:] if values.versus else []:
        best = values.standing_by(m).best
        if verdict.question == "best of several":
            gain = None if best == values.best else values.difference(values.best, best, m)
            if gain is not None and decided(gain) == Decision.BETTER:
                told.setdefault(f"{values.labels[best]} is better", []).append(name)
        elif decision is not None:
            found = compared(values, first, second, m).decision()
            if found.direction not in (0, decision.leaning):
                told.setdefault(f"{verdict.systems[-1]} is {found.kind}", []).append(name)
    parts = [f"{who} by {_listed(by)}" for who, by in told.items()]
    return f"But {'; '.join(parts)}" if parts else ""


def annotators(values: Values, verdict: Verdict) -> str:
    """An annotator alone does not show what is printed, or shows what is not."""
    if values.annotators is None or verdict.answer is None or verdict.decision is None:
        return ""
    by, count = values.annotators.of(*verdict.pair), verdict.comparisons
    by.pop(ADJUDICATED, None)
    if {decided(each, count).direction for each in by.values()} <= {verdict.decision.direction}:
        return ""
    form = f"+.{verdict.answer.by.decimals}f"
    each = [f"{signed(d.value, form)} ({certainty(d, count)}) by {who}" for who, d in by.items()]
    some = quantity(values.annotators.sentences, "sentence")
    return f"Depends on the annotator: {verdict.answer.name} {', '.join(each)} ({some})"


def few_differ(values: Values, verdict: Verdict) -> str:
    """A decision rests on fewer than 10 sentences or documents that tell the two apart."""
    if verdict.answer is None or verdict.decision in (Decision.CANNOT_BE_SHOWN, Decision.SAME):
        return ""
    differing, (count, unit) = verdict.answer.differing, verdict.answer.units
    if differing is None or differing >= min(FEW_DIFFERENT, count):
        return ""
    return f"Only {differing} of {quantity(count, unit)} differ: the interval may be too narrow"


def frs_alone(values: Values, verdict: Verdict) -> str:
    """FRS tells two parsers apart, and τ, which ranks parsers more steadily, does not."""
    parsers = {values.made[n].parser for n in verdict.pair} - {""}
    lean = verdict.decision is not None and verdict.decision.leaning
    if not lean or len(parsers) < 2 or not isinstance(values.metrics[0], Fuzzy):
        return ""
    steadily = "which ranks parsers more steadily than FRS"
    numbers = [m for m, by in enumerate(values.metrics) if isinstance(by, Kendall)]
    if not numbers:
        add = argument("metrics=kendall", "--metric kendall")
        return f"τ, {steadily}, was not scored: add {add}"
    by_tau, count = compared(values, *verdict.pair, numbers[0]), verdict.comparisons
    if by_tau.decision(count).direction:
        return ""
    return f"Not shown by τ, {steadily}: {by_tau.change}, {certainty(by_tau.difference, count)}"


def automatic_links(values: Values, verdict: Verdict) -> str:
    """An aligner, not people, made the links."""
    return "".join(f"{note[0].upper()}{note[1:]}" for note in automatic_notes(values.aligner))


def learned_nearby(values: Values, verdict: Verdict) -> str:
    """Parsers or rules have learned from another split of the text scored."""
    told = []
    for maker, sets in values.learned.items():
        what, _, name = maker.partition(" ")
        how = "was trained" if what == "parser" else "was tuned"
        lead = ": its lead may not hold on other text" if what == "parser" else ""
        told.append(f"{name} {how} on {' and '.join(sets)}, a split of the same text{lead}")
    return "; ".join(told)


CAVEATS: Sequence[Callable[[Values, Verdict], str]] = (
    learned_here,
    inputs,
    other_metrics,
    annotators,
    few_differ,
    frs_alone,
    automatic_links,
    learned_nearby,
)


def caveats(values: Values, verdict: Verdict) -> tuple[Caveat, ...]:
    """Return those that apply, the gravest first."""
    found = ((caveat.__name__, caveat(values, verdict)) for caveat in CAVEATS)
    return tuple(Caveat(kind, f"{text}.") for kind, text in found if text)


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
