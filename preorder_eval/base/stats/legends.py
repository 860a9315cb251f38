"""What is said of intervals and marks wherever they are shown."""

from __future__ import annotations

from preorder_eval.base.visible import quantity

MARKS = {
    "randomization": "** p ≤ 0.05, * p ≤ 0.10, two-sided, by paired approximate randomization "
    "(Riezler & Maxwell 2005)",
    "koehn": "** better or worse in 95% of resamples, * in 90%, one-sided, by paired bootstrap "
    "(Koehn 2004); intervals are two-sided",
}
# Below which intervals and tests may mislead; sums of documents are less skewed than sentences.
FEW = {"sentence": 50, "document": 40}


def few_drawn(count: int, unit: str = "sentence") -> list[str]:
    """Return a note that intervals over few sentences or documents may be too narrow."""
    if count >= FEW.get(unit, 0):
        return []
    if count == 1:
        return [f"one {unit} alone has no interval"]
    return [f"only {quantity(count, unit)}: intervals may be too narrow (coverage can be 85%)"]
