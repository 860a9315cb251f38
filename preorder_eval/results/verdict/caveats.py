"""Caveats of a verdict: one small function for each.

A function returns a sentence, or an empty text if it does not apply; its docstring states when it
does. They stand in the order of `CAVEATS`, the most serious first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from preorder_eval.alignment import automatic_notes
from preorder_eval.results.decision import certainty, decided
from preorder_eval.results.sampling import between
from preorder_eval.results.system_warnings import SEEN, learned
from preorder_eval.results.values import Values
from preorder_eval.results.verdict.verdict import Caveat, Verdict, subject
from preorder_eval.tables import signed
from preorder_eval.visible import quantity

FEW_SEEDS = 3  # of a training, below which nothing is known of its recipe
# Below which intervals and tests may mislead; sums of documents are less skewed than sentences.
FEW = {"sentence": 50, "document": 40}
FEW_DIFFERENT = 10  # of any number of sentences, below which intervals may be too narrow


def of_a_recipe(seeds: int, *, control: bool) -> tuple[Caveat, ...]:
    """A training that tells nothing of its recipe: with fewer than three seeds, or no control."""
    lacks = ["three seeds"] * (seeds < FEW_SEEDS)
    lacks += ["a control that learns from the parser's own best trees"] * (not control)
    if not lacks:
        return ()
    kind = "one_seed" if seeds < FEW_SEEDS else "no_control"
    told = f"This tells of {'a parser' if seeds < FEW_SEEDS else 'parsers'}, not of the recipe"
    return (Caveat(kind, f"{told}: that takes {' and '.join(lacks)}."),)


def below_chance(over_systems: str = "") -> Caveat:
    """A metric that is not shown to agree with humans better than chance.

    That may be so over systems alone: `over_systems` is what it has there.
    """
    told = "it is not shown to be better than chance"
    return Caveat("below_chance", f"over systems {told}: {over_systems}" if over_systems else told)


def without_outliers(outliers: Sequence[str], changed: str) -> tuple[Caveat, ...]:
    """Metrics that stand otherwise if the systems that are outliers are left out."""
    if not changed:
        return ()
    told = f"outlier{'s' * (len(outliers) > 1)} {', '.join(outliers)}"
    return (Caveat("outlier", f"Without the {told}: {changed}"),)


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
        verb = "was" if len(makers) == 1 else "were"
        told.append(f"{' and '.join(makers)} {verb} {how} on {some}these sentences")
    advice = f": report scores on {whole}/test" if told and part == "dev" else ""
    return "; ".join(told) + advice


def learned_nearby(values: Values, verdict: Verdict) -> str:
    """One of two systems has a parser or rules from another split of the text.

    If both have, or there are more systems, the mark † in the table is enough.
    """
    first, second = (learned(values.made[n], values.reference_name) for n in verdict.pair)
    alone = [maker for maker in {**first, **second} if (maker in first) != (maker in second)]
    if len(alone) != 1:
        return ""
    [maker], sets = alone, {**first, **second}[alone[0]]
    what, _, name = maker.partition(" ")
    how = "was trained" if what == "parser" else "was tuned"
    lead = ": its lead may not hold on other text" if what == "parser" else ""
    return f"{name} {how} on {' and '.join(sets)}, a split of the same text{lead}"


def few_units(values: Values | None, verdict: Verdict) -> str:
    """A decision rests on fewer than 50 sentences or 40 documents, or fewer than 10 of them differ.

    If no difference is stated, few units mislead nobody.
    """
    if verdict.answer is None or verdict.decision is None or not verdict.decision.kind:
        return ""
    (count, unit), differing = verdict.answer.units, verdict.answer.difference.differing
    if differing is not None and differing < min(FEW_DIFFERENT, count):
        return f"Only {differing} of {quantity(count, unit)} differ: the interval may be too narrow"
    if count >= FEW.get(unit, 0):
        return ""
    return (
        f"Only {quantity(count, unit)}: if differences are skewed, equal systems are told apart "
        "more often than in 5%"
    )


def automatic_links(values: Values, verdict: Verdict) -> str:
    """The links were made by an aligner, not by people."""
    return "".join(f"{note[0].upper()}{note[1:]}" for note in automatic_notes(values.aligner))


def annotators(values: Values, verdict: Verdict) -> str:
    """By one annotator's references the decision would be another than the printed one."""
    if values.annotators is None or verdict.answer is None or verdict.decision is None:
        return ""
    count, pairs = verdict.comparisons, values.annotators.pairs
    found = {who: between(compared, *verdict.pair) for who, compared in pairs.items()}
    by = {who: difference for who, difference in found.items() if difference is not None}
    if {decided(each, count).direction for each in by.values()} <= {verdict.decision.direction}:
        return ""
    form = f"+.{verdict.answer.by.decimals}f"
    each = [f"{signed(d.value, form)} ({certainty(d, count)}) by {who}" for who, d in by.items()]
    some = quantity(values.annotators.sentences, "sentence")
    return f"Depends on the annotator: {verdict.answer.name} {', '.join(each)} ({some})"


def other_metrics(values: Values, verdict: Verdict) -> str:
    """Another metric decides otherwise.

    It shows the opposite, a difference if the first metric shows none, or that another system is
    best.
    """
    told: dict[str, list[str]] = {}
    several, decision = verdict.question == "best of several", verdict.decision
    kind = "" if several or decision is None else decision.kind
    for m, name in list(enumerate(values.metric_names))[1:] if values.versus else []:
        pair = (values.best, values.standing_by(m).best) if several else verdict.pair
        difference = values.difference(*pair, m)
        if difference is None:
            continue
        found = decided(difference, verdict.comparisons)
        if found.direction and found.kind != kind:
            who = values.labels[pair[1]] if several else verdict.systems[-1]
            sure = certainty(difference, verdict.comparisons)
            told.setdefault(f"{subject(who)} is {found.kind}", []).append(f"{name} ({sure})")
    parts = [f"{who} by {_listed(by)}" for who, by in told.items()]
    return f"But {'; '.join(parts)}" if parts else ""


CAVEATS: Sequence[Callable[[Values, Verdict], str]] = (
    learned_here,
    learned_nearby,
    few_units,
    automatic_links,
    annotators,
    other_metrics,
)


def caveats(values: Values, verdict: Verdict) -> tuple[Caveat, ...]:
    """Return the caveats that apply, the most serious first."""
    found = ((caveat.__name__, caveat(values, verdict)) for caveat in CAVEATS)
    return tuple(Caveat(kind, f"{text}.") for kind, text in found if text)


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
