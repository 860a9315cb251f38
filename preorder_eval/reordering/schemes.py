"""The label and tag inventories of annotation schemes, which `schemes.toml` lists."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import numpy as np

from preorder_eval.data.ragged import NameColumn

_LISTED = tomllib.loads(Path(__file__).with_name("schemes.toml").read_text("utf-8"))

UPOS, XPOS = (frozenset(_LISTED["tags"][column].split()) for column in ("upos", "xpos"))
# Every tree of a scheme is written in these labels.
LABELS = {scheme: frozenset(listed.split()) for scheme, listed in _LISTED["labels"].items()}
_CLEARNLP = dict(pair.split("=") for pair in _LISTED["same"]["clearnlp"].split())
# What a scheme calls labels of another scheme.
SAME = {"ud": _CLEARNLP, "clearnlp": {ud: label for label, ud in _CLEARNLP.items()}, "sud": {}}

_EARLIER = [pair.split("=") for pair in _LISTED["earlier"]["names"].split()]


@cache
def names_of(label: str) -> frozenset[str]:
    """Return a label and what other releases of Universal Dependencies call it.

    Trees of different releases so meet the same slots. A time without a preposition was `obl:tmod`
    and other measures `obl:npmod` before both became `obl:unmarked`.

    >>> sorted(names_of("obl:tmod")), sorted(names_of("obl:unmarked"))
    (['obl:tmod', 'obl:unmarked'], ['obl:npmod', 'obl:tmod', 'obl:unmarked'])
    """
    return frozenset({label}.union(*(pair for pair in _EARLIER if label in pair)))


def base_label(label: str) -> str:
    """Return a label without its subtype."""
    return label.partition(":")[0].partition("@")[0]


def likely_scheme(labels: NameColumn, first: str) -> tuple[str, int]:
    """Return the scheme that most tokens' labels are of, `first` of equals, and how many are."""
    counts = np.bincount(labels.codes, minlength=len(labels.names)).tolist()
    named = list(zip(labels.names, counts, strict=True))
    schemes = sorted(LABELS, key=lambda scheme: scheme != first)
    fitting = {s: sum(count for name, count in named if understood(name, s)) for s in schemes}
    return max(fitting.items(), key=lambda item: item[1])


def in_scheme(labels: NameColumn, scheme: str) -> NameColumn:
    """Return labels as rules of a scheme can name them: an unknown subtype is its base.

    >>> list(in_scheme(NameColumn.of(["obj", "obl:mine", "mine"]), "ud"))
    ['obj', 'obl', 'dep']
    """
    names = (name if name in LABELS[scheme] else base_label(name) for name in labels.names)
    known = tuple(name if name in LABELS[scheme] else "dep" for name in names)
    return NameColumn.of(NameColumn(labels.codes, known))


def understood(label: str, scheme: str) -> bool:
    """Return whether trees of the scheme hold the label, or what it is a subtype of.

    spaCy's `ROOT` is the root of any scheme.
    """
    return label == "ROOT" or label in LABELS[scheme] or base_label(label) in LABELS[scheme]
