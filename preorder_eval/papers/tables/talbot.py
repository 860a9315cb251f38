"""What Talbot et al. (2011) print in their Tables 1 and 3 to 8.

They made two experiments, each with ratings of its own: five parsers with the same rules, and five
rule sets with the same parser. P5R5 is in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from preorder_eval.stats.bootstrap import Interval

Marks = dict[tuple[str, str], str]


@dataclass(frozen=True)
class Experiment:
    """One of the two: mean ratings, and marks of pairs of systems by ratings, FRS and BLEU."""

    name: str
    ratings: dict[str, Interval]
    by_ratings: Marks
    by_fuzzy: Marks
    by_bleu: Marks


def _ratings(text: str) -> dict[str, Interval]:
    rows = (line.split() for line in text.strip().splitlines())
    return {name: Interval(*map(float, values)) for name, *values in rows}


def _marks(systems: Sequence[str], text: str) -> Marks:
    """Of a triangle: a line for each system but the last, against those after it; ? if unknown."""
    return {
        (systems[a], systems[a + 1 + b]): mark
        for a, line in enumerate(text.split("/"))
        for b, mark in enumerate(line.split())
        if mark != "?"
    }


_PARSERS = ("P1R5", "P2R5", "P3R5", "P4R5", "P5R5")
_RULES = ("P5R1", "P5R2", "P5R3", "P5R4", "P5R5")
EXPERIMENTS = (
    Experiment(
        "Parsers",
        _ratings("""
            P1R5 2.173 2.086 2.260
            P2R5 2.320 2.233 2.407
            P3R5 2.410 2.321 2.499
            P4R5 2.453 2.366 2.541
            P5R5 2.501 2.413 2.587
        """),
        # P3R5 and P4R5: the copy of the paper at hand is not legible there.
        _marks(_PARSERS, "+** +** +** +** / +** +** +** / ? +** / 0"),
        _marks(_PARSERS, "+** +** +** +** / +** +** +** / +** +** / 0"),
        _marks(_PARSERS, "0 0 +* +* / 0 0 0 / 0 0 / 0"),
    ),
    Experiment(
        "Rules",
        _ratings("""
            P5R1 1.258 1.191 1.325
            P5R2 1.825 1.746 1.905
            P5R3 1.849 1.767 1.931
            P5R4 2.205 2.118 2.293
            P5R5 2.529 2.441 2.619
        """),
        _marks(_RULES, "+** +** +** +** / 0 +** +** / +** +** / +**"),
        _marks(_RULES, "0 +** +** +** / +** +** +** / +** +** / +**"),
        _marks(_RULES, "+** +** +** +** / 0 +** +** / 0 +* / 0"),
    ),
)
# Pearson's r and Spearman's ρ with ratings of outputs, by metric (6) and by reference for FRS (7).
TABLE_6 = {
    "fuzzy": ("Fuzzy reordering", 0.435, 0.448),
    "kendall": ("Kendall's τ", 0.371, 0.450),
    "bleu": ("BLEU", 0.279, 0.302),
}
TABLE_7 = {
    "alignment-oriented/manual": (0.435, 0.448),
    "alignment-oriented/automatic": (0.234, 0.252),
    "standard/manual": (0.271, 0.257),
    "standard/automatic": (0.177, 0.159),
}
# Labelled attachment and accuracy of tags on WSJ.
TABLE_8 = {
    "P1": (0.807, 0.954),
    "P2": (0.822, 0.954),
    "P3": (0.827, 0.955),
    "P4": (0.830, 0.955),
    "P5": (0.822, 0.944),
}


def experiment_of(systems: Sequence[str]) -> Experiment | None:
    """The experiment of the paper that has systems of these names; None where no two have.

    >>> experiment_of(["P5R1", "P5R5"]).name
    'Rules'
    """
    shared = {e.name: len(set(systems) & set(e.ratings)) for e in EXPERIMENTS}
    best = max(EXPERIMENTS, key=lambda e: shared[e.name])
    return best if shared[best.name] > 1 else None
