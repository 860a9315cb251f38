"""Caveats of a verdict: one small function for each.

A function returns a sentence, or an empty text if it does not apply; its docstring states when it
does. They stand in the order of `CAVEATS`, the most serious first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from preorder_eval.base.stats.legends import FEW
from preorder_eval.base.tables import Caveat, signed
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.decision import DecidedDifference
from preorder_eval.evaluation.overlap import SEEN, learned
from preorder_eval.evaluation.pair import by_metrics
from preorder_eval.evaluation.sampling import between
from preorder_eval.evaluation.values import Values
from preorder_eval.evaluation.verdict.verdict import Verdict, subject
from preorder_eval.orders.aligners import automatic_notes

FEW_SEEDS = 3  # of a training, below which nothing is known of its recipe
FEW_DIFFERENT = 10  # of any number of sentences, below which intervals may be too narrow


def of_a_recipe(seeds: int, *, control: bool) -> tuple[Caveat, ...]:
    """Training with fewer than three seeds or without a control: no conclusion on its recipe."""
    lacks = ["three seeds"] * (seeds < FEW_SEEDS)
    lacks += ["a control trained on the parser's own best trees"] * (not control)
    if not lacks:
        return ()
    kind = "one_seed" if seeds < FEW_SEEDS else "no_control"
    told = (
        f"This result is about {'one parser' if seeds < FEW_SEEDS else 'these parsers'}, not "
        "about the recipe"
    )
    return (Caveat(kind, f"{told}, which needs {' and '.join(lacks)}."),)


def below_chance(metric: str, over_systems: str | None = None) -> Caveat:
    """A metric that is not shown to agree with humans better than chance.

    This may hold over systems only: then `over_systems` continues the sentence with the value
    there, or with the reason.
    """
    told = f"{metric} is not shown to be better than chance"
    if over_systems is not None:
        told = f"over systems {told}{over_systems}"
    return Caveat("below_chance", told)


def without_outliers(outliers: Sequence[str], changed: str) -> tuple[Caveat, ...]:
    """The ranking of metrics changes if outlier systems are omitted."""
    if not changed:
        return ()
    told = f"outlier{'s' * (len(outliers) > 1)} {', '.join(outliers)}"
    return (Caveat("outlier", f"Without the {told}: {changed}"),)


def learned_here(values: Values, verdict: Verdict) -> str:
    """Parsers or rules have seen 5% or more of the sentences scored."""
    whole, _, part = values.reference_name.rpartition("/")
    names = dict[tuple[str, int], list[str]]()
    for maker, count in _seen_much(values).items():
        what, _, name = maker.partition(" ")
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
    for maker, sets in _learned_alone(values, verdict).items():
        what, _, name = maker.partition(" ")
        how = "was trained" if what == "parser" else "was tuned"
        lead = ": its lead may not hold on other text" if what == "parser" else ""
        return f"{name} {how} on {' and '.join(sets)}, a split of the same text{lead}"
    return ""


def _seen_much(values: Values) -> dict[str, int]:
    """Return the parsers and rules that have seen 5% or more of the sentences, and how many."""
    return {maker: n for maker, n in values.seen.items() if n >= SEEN * len(values)}


def _learned_alone(values: Values, verdict: Verdict) -> dict[str, list[str]]:
    """Return the parser or rules that just one of two systems has from another split, if any.

    The splits are returned with it.
    """
    first, second = (learned(values.made[n], values.reference_name) for n in verdict.pair)
    alone = {m: of for m, of in (first | second).items() if (m in first) != (m in second)}
    return alone if len(alone) == 1 else {}


def learned_from(values: Values, verdict: Verdict | None = None) -> list[Caveat]:
    """Return which parsers and rule sets learned from the text; in tables a mark stands for it.

    Facts that the caveats of the `verdict` already state are omitted.
    """
    much = _seen_much(values) if verdict else {}
    alone = _learned_alone(values, verdict) if verdict else {}
    return of_learning(
        {maker: count for maker, count in values.seen.items() if maker not in much},
        {maker: sets for maker, sets in values.learned.items() if maker not in alone},
    )


def of_learning(seen: Mapping[str, int], learned: Mapping[str, Sequence[str]]) -> list[Caveat]:
    """Warn of parsers and rule sets that learned from the text on which they are scored.

    Parameters: `seen` how many of the sentences each has seen, `learned` from which other splits of
    the set it learned; both by maker, such as `rules en-ja`.
    """
    on = {maker: f"{count} of these sentences" for maker, count in seen.items()}
    for maker, sets in learned.items():
        split = f"{' and '.join(sets)}, a split of the same text"
        on[maker] = f"{on[maker]} and on {split}" if maker in on else split
    told = list[Caveat]()
    for maker, texts in on.items():
        what, _, name = maker.partition(" ")
        is_parser = what == "parser"
        how = f"parser {name} was trained" if is_parser else f"rule set {name} was tuned"
        told.append(Caveat("learned", f"{how} on {texts}"))
    return told


def few_units(values: Values, verdict: Verdict) -> str:
    """A decision rests on fewer than 50 sentences or 40 documents, or fewer than 10 of them differ.

    If the verdict states no difference, this caveat is not needed.
    """
    return "" if verdict.answer is None else decided_by_few(verdict.answer)


def decided_by_few(decided: DecidedDifference) -> str:
    """Return that a decision rests on few sentences or documents; empty if it does not."""
    if not decided.decision.kind:
        return ""
    (count, unit), differing = decided.units, decided.difference.differing
    if differing is not None and differing < min(FEW_DIFFERENT, count):
        return f"Only {differing} of {quantity(count, unit)} differ: the interval may be too narrow"
    if count >= FEW.get(unit, 0):
        return ""
    return (
        f"Only {quantity(count, unit)}: if differences are skewed, more than 5% of equal systems "
        "are found to differ"
    )


def automatic_links(values: Values, verdict: Verdict) -> str:
    """The links were made by an aligner, not by people."""
    return "".join(f"{note[0].upper()}{note[1:]}" for note in automatic_notes(values.aligner))


def annotators(values: Values, verdict: Verdict) -> str:
    """One annotator's references decide otherwise than the adjudicated ones of the same sentences.

    The decision by an annotator may rest on only some of the sentences, and may differ from the
    decision on all sentences for this reason alone.
    """
    by_annotator = values.estimates.annotators
    if by_annotator is None or verdict.answer is None:
        return ""
    count, found = verdict.answer.comparisons, dict[str, DecidedDifference]()
    for who, pairs in by_annotator.pairs.items():
        difference = between(pairs, *verdict.pair)
        if difference is not None:
            found[who] = DecidedDifference(difference, comparisons=count)
    if len({each.decision.direction for each in found.values()}) < 2:
        return ""
    form = f"+.{verdict.answer.by.decimals}f"
    each = [f"{signed(f.difference.value, form)} ({f.sure}) by {who}" for who, f in found.items()]
    some = quantity(by_annotator.sentences, "sentence")
    return f"The result depends on the annotator: {verdict.answer.name} {', '.join(each)} ({some})"


def other_metrics(values: Values, verdict: Verdict) -> str:
    """Another metric decides otherwise.

    It shows the opposite difference, a difference where the first metric shows none, or another
    best system. p is corrected for the number of all other metrics.
    """
    told: dict[str, list[str]] = {}
    several, decision = verdict.question == "best of several", verdict.decision
    kind = "" if several or decision is None else decision.kind
    others = [m for m in values.readable if m != values.lead and values.versus]
    pairs = dict.fromkeys(others, verdict.pair)
    if several:
        bests = {m: values.standing_by(m).best for m in others}
        pairs = {m: (values.best, best) for m, best in bests.items() if best != values.best}
    found = by_metrics(values, pairs, verdict.pairs, len(others) - len(pairs))
    for each, (_, second) in zip(found, pairs.values(), strict=True):
        if each.decision.direction and each.decision.kind != kind:
            who = values.labels[second] if several else verdict.systems[-1]
            is_so = f"{subject(who)} is {each.decision.kind}"
            told.setdefault(is_so, []).append(f"{each.name} ({each.sure})")
    parts = [f"{who} by {_listed(by)}" for who, by in told.items()]
    corrected = f", corrected for {len(others)} metrics (Holm)"
    corrected *= len(others) > 1 and values.sampling.test != "koehn"
    return f"But {'; '.join(parts)}{corrected}" if parts else ""


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
