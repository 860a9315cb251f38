"""Legends of intervals and significance markers, and warnings of what is drawn."""

from __future__ import annotations

from preorder_eval.base.stats import FEWEST_UNITS
from preorder_eval.base.stats.unit import Unit
from preorder_eval.base.tables import Caveat
from preorder_eval.base.visible import quantity

MARKS = {
    "randomization": "** p ≤ 0.05, * p ≤ 0.10, two-sided, by paired approximate randomization "
    "(Riezler & Maxwell 2005)",
    "koehn": "** better or worse in 95% of resamples, * in 90%, one-sided, by paired bootstrap "
    "(Koehn 2004); intervals are two-sided",
}
# Below which intervals and tests may mislead; sums of documents are less skewed than sentences.
FEW = {"sentence": 50, "document": 40}


def segments_drawn(unit: Unit) -> list[Caveat]:
    """Return a warning for results that draw segments instead of their documents, `unit`.

    >>> len(segments_drawn(Unit.of_names("abcdef"))), segments_drawn(Unit())
    (1, [])
    """
    if unit.of is None:
        return few_documents(unit, "segment")
    told = (
        f"intervals and tests draw segments, as mt-metrics-eval does, not the {unit.drawn} that "
        "contain them: they apply to other segments of these documents, and may be too narrow for "
        "other documents"
    )
    return [Caveat("segments_drawn", told)]


def few_documents(unit: Unit, name: str = "sentence") -> list[Caveat]:
    """Return a warning if there are too few documents to draw."""
    return [Caveat("few_documents", note) for note in unit.notes(name)]


def few_drawn(unit: Unit, count: int, name: str = "") -> list[Caveat]:
    """Return the warnings that few units are drawn, or sentences because documents are few.

    Parameters: `count` how many are drawn; `name` what they are called, by default as the unit.

    >>> [caveat.text for caveat in few_drawn(Unit(), 1)]
    ['only 1 sentence: no 95% intervals (at least 6 are needed)']
    """
    name = name or unit.name
    few = few_documents(unit)
    if count < max(FEWEST_UNITS, FEW.get(name, 0)):
        told = "intervals may be too narrow (coverage can be 85%)"
        if count < FEWEST_UNITS:
            told = f"no 95% intervals (at least {FEWEST_UNITS} are needed)"
        few.insert(0, Caveat("few_sentences", f"only {quantity(count, name)}: {told}"))
    return few
