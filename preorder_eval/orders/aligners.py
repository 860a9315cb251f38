"""Automatic word alignment: the names of the aligners.

This module is light, so that the command line can list the names without loading anything else.
"""

from __future__ import annotations

DEFAULT_ALIGNER = "agree"
ALIGNERS = (DEFAULT_ALIGNER, "ibm1")
STEPS = 7  # that aligners report


def automatic_notes(aligner: str) -> list[str]:
    """Return the note on scores that rest on links of an aligner; nothing if humans made them."""
    if not aligner:
        return []
    return [
        f"links by {aligner}: differences are underestimated, and FRS is not comparable with FRS "
        "from manual links"
    ]
