"""The label and tag inventories of annotation schemes, which `schemes.toml` lists."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import numpy as np

from preorder_eval.base.ragged import NameColumn

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
    """Return a label and its names in other releases of Universal Dependencies.

    So trees of different releases meet the same slots. `obl:unmarked` was `obl:tmod` for times
    without a preposition, and `obl:npmod` for other measures.

    >>> sorted(names_of("obl:tmod")), sorted(names_of("obl:unmarked"))
    (['obl:tmod', 'obl:unmarked'], ['obl:npmod', 'obl:tmod', 'obl:unmarked'])
    """
    return frozenset({label}.union(*(pair for pair in _EARLIER if label in pair)))


@cache
def base_label(label: str) -> str:
    """Return a label without its subtype."""
    return label.partition(":")[0].partition("@")[0]


def likely_scheme(labels: NameColumn, first: str) -> tuple[str, int]:
    """Return the scheme that the labels of most tokens belong to, and how many these are.

    Of equally likely schemes it is `first`.
    """
    counts = np.bincount(labels.codes, minlength=len(labels.names)).tolist()
    named = list(zip(labels.names, counts, strict=True))
    schemes = sorted(LABELS, key=lambda scheme: scheme != first)
    fitting = {s: sum(count for name, count in named if understood(name, s)) for s in schemes}
    return max(fitting.items(), key=lambda item: item[1])


def in_scheme(labels: NameColumn, scheme: str) -> NameColumn:
    """Return labels as rules of a scheme can name them.

    A subtype that the scheme does not have becomes its base label, and any other unknown label
    `dep`.

    >>> list(in_scheme(NameColumn.of(["obj", "obl:mine", "mine"]), "ud"))
    ['obj', 'obl', 'dep']
    """
    names = (name if name in LABELS[scheme] else base_label(name) for name in labels.names)
    known = tuple(name if name in LABELS[scheme] else "dep" for name in names)
    return NameColumn.of(NameColumn(labels.codes, known))


def understood(label: str, scheme: str) -> bool:
    """Return whether a scheme has a label, or the label that it is a subtype of.

    spaCy's `ROOT` is the root in every scheme.
    """
    return label == "ROOT" or label in LABELS[scheme] or base_label(label) in LABELS[scheme]
