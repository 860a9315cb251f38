"""The label and tag inventories of annotation schemes, which `schemes.toml` lists."""

from __future__ import annotations

import tomllib
from pathlib import Path

_LISTED = tomllib.loads(Path(__file__).with_name("schemes.toml").read_text("utf-8"))

UPOS, XPOS = (frozenset(_LISTED["tags"][column].split()) for column in ("upos", "xpos"))
# Every tree of a scheme is written in these labels.
LABELS = {scheme: frozenset(listed.split()) for scheme, listed in _LISTED["labels"].items()}
_CLEARNLP = dict(pair.split("=") for pair in _LISTED["same"]["clearnlp"].split())
# What a scheme calls labels of another scheme.
SAME = {"ud": _CLEARNLP, "clearnlp": {ud: label for label, ud in _CLEARNLP.items()}, "sud": {}}


def base_label(label: str) -> str:
    """Return a label without its subtype.

    >>> base_label("nmod:tmod")
    'nmod'
    """
    return label.partition(":")[0].partition("@")[0]


def understood(label: str, scheme: str) -> bool:
    """Return whether trees of the scheme hold the label, or what it is a subtype of."""
    return label in LABELS[scheme] or base_label(label) in LABELS[scheme]
