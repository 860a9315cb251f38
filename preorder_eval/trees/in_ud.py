"""Whether trees have the labels of UD or of ClearNLP: decided once for all trees of an input.

Most labels belong to both schemes. Labels that only one of them has decide, by the number of words
with such labels, wherever in the input they stand. If there are none, as in a sentence or two, a
conjunction decides if it hangs on the conjunct before it: in UD it hangs on the one behind. If
nothing decides, trees that the conversion would not change are read as UD's; for any others the
user is asked.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from preorder_eval.base.errors import PreorderEvalError, warn
from preorder_eval.base.ragged import NameColumn
from preorder_eval.trees.clearnlp import CLEARNLP, to_ud
from preorder_eval.trees.schemes import LABELS, base_label, understood
from preorder_eval.trees.treebank import Treebank

# What is known of the labels of trees: nothing, their scheme, or that they are to stay.
Labels = Literal["auto", "ud", "clearnlp", "own"]

_LOG = logging.getLogger(__name__)
# Labels that the first version of UD shared with ClearNLP.
_SHARED = {"auxpass", "csubjpass", "dobj", "mwe", "neg", "nsubjpass"}
_CLEARNLP_ALONE = LABELS[CLEARNLP] - LABELS["ud"] - _SHARED - {"ROOT"}
_UD_ALONE = LABELS["ud"] - LABELS[CLEARNLP] - {"case"}  # the label of 's in spaCy's pipelines


# Labels of the first version of UD that the second renamed; the last three are only there.
_VERSION_1 = _SHARED | {"foreign", "name", "remnant"}
# Some of those that the second version has instead.
_VERSION_2 = {"obj", "obl", "flat", "fixed", "nsubj:pass", "csubj:pass", "aux:pass", "orphan"}


def scheme_by_labels(counts: Mapping[str, int]) -> Literal["ud", "clearnlp"] | None:
    """Return the scheme whose exclusive labels occur on more words; None if none occurs.

    >>> scheme_by_labels({"prep": 2, "nsubj": 3}), scheme_by_labels({"nsubj": 1, "root": 1})
    ('clearnlp', None)
    """
    ours = sum(count for label, count in counts.items() if label in _CLEARNLP_ALONE)
    theirs = sum(count for label, count in counts.items() if {label, base_label(label)} & _UD_ALONE)
    if ours or theirs:
        return "clearnlp" if ours > theirs else "ud"
    if "case" in counts or (_VERSION_1 - _SHARED) & counts.keys():
        return "ud"
    return "clearnlp" if _SHARED & counts.keys() else None


def in_version_1(counts: Mapping[str, int]) -> str:
    """Return the evidence that labels are of UD version 1, and the fix; "" without evidence.

    >>> in_version_1({"dobj": 2, "case": 1, "nmod": 1, "obj": 1})[:44]
    'labels of version 1 of UD (dobj; nmod for ob'
    >>> in_version_1({"dobj": 1, "prep": 1}), in_version_1({"obl": 9, "dobj": 1})
    ('', '')
    """
    old = sorted(label for label in counts if base_label(label) in _VERSION_1)
    new = sum(n for label, n in counts.items() if {label, base_label(label)} & _VERSION_2)
    if sum(counts[label] for label in old) <= new or scheme_by_labels(counts) != "ud":
        return ""
    return (
        f"labels of version 1 of UD ({', '.join(old[:5])}; nmod for obl), which rules for "
        "version 2 do not use; convert the trees, for example with udapy ud.Convert1to2"
    )


def is_clearnlp(labels: NameColumn) -> bool:
    """Return whether labels are ClearNLP's, rather than those of an early UD, which shares some."""
    return scheme_by_labels(label_counts(labels)) == CLEARNLP


@dataclass(frozen=True)
class LabelEvidence:
    """Evidence in trees on the scheme of their labels; evidence of parts of an input adds up.

    `counts` are the words with each label, `conjunctions` whether one stands before its conjunct,
    `changed` whether the conversion would change heads where no label tells.
    """

    counts: Mapping[str, int]
    conjunctions: bool
    changed: bool

    @classmethod
    def of(cls, trees: Treebank) -> LabelEvidence:
        """Return the evidence of some trees."""
        counts, before = label_counts(trees.labels), _conjunctions_before(trees)
        words = ~trees.labels.where("punct".__eq__)
        told = scheme_by_labels(counts) or before
        return cls(
            counts, before, not told and bool((to_ud(trees).heads != trees.heads)[words].any())
        )

    def __add__(self, other: LabelEvidence) -> LabelEvidence:
        return LabelEvidence(
            Counter(self.counts) + Counter(other.counts),
            self.conjunctions or other.conjunctions,
            self.changed or other.changed,
        )

    def scheme(self, name: str | Path, how: str = "") -> Literal["ud", "clearnlp"]:
        """Return the scheme of the trees: `clearnlp`, or `ud` for all others.

        If nothing decides and it matters, PreorderEvalError asks for the scheme; `name` is what it
        calls the trees, and `how` the way to state the scheme. Without such a way, as for gold
        trees, a warning says that they are read as UD's.
        """
        scheme, reason = scheme_by_labels(self.counts), "labels"
        if not scheme and self.conjunctions:
            scheme, reason = "clearnlp", "conjunctions"
        if not scheme and self.changed and all(understood(label, "ud") for label in self.counts):
            alike = (
                f"{name}: all labels occur in both UD and ClearNLP, which attach heads differently"
            )
            if how:
                raise PreorderEvalError(f"{alike}; give the scheme: {how}")
            warn(f"{alike}; the trees are read as UD")
        if old := in_version_1(self.counts):
            warn(f"{name}: has {old}")
        _LOG.info("%s: read as trees of %s, by their %s", name, scheme or "ud", reason)
        return scheme or "ud"


def in_ud(trees: Treebank, labels: Labels = "auto", file: str | Path = "") -> Treebank:
    """Return trees of UD: those with the labels of ClearNLP converted, others as they are.

    Parameters: `labels` states which they are, `ud` or `clearnlp`; by default the labels of all
    trees decide once, unless that has been done (`scheme` of the trees). A `file` of gold trees
    with the labels of ClearNLP is warned of. Raises PreorderEvalError if the scheme matters and
    cannot be decided.

    >>> import preorder_eval as pe
    >>> from preorder_eval.trees.treebank import Tree
    >>> tree = Tree(["in", "Rome"], [-1, 0], ["ROOT", "pobj"], ["ADP", "PROPN"], ["IN", "NNP"])
    >>> pe.in_ud(pe.Treebank.of([tree]))[0].labels
    ['case', 'root']
    """
    if labels == "auto" and trees.scheme == "ud":
        return trees
    if labels == "auto":
        how = "" if file else 'labels="ud" or "clearnlp" (of pe.in_ud or pe.from_docs)'
        labels = LabelEvidence.of(trees).scheme(file or "trees", how)
        if file and labels == CLEARNLP:
            warn(f"{file}: ClearNLP labels are converted to UD")
    return to_ud(trees) if labels == CLEARNLP else with_one_root(trees)


def with_one_root(trees: Treebank) -> Treebank:
    """Return trees of UD, in which spaCy's `ROOT` is called `root`."""
    labels = trees.labels
    if "ROOT" in labels.names:
        labels = labels.renamed(lambda label: "root" if label == "ROOT" else label)
    return trees.with_labels(labels, "ud")


def label_counts(labels: NameColumn) -> dict[str, int]:
    """Count the words of each label."""
    counts = np.bincount(labels.codes, minlength=len(labels.names)).tolist()
    return {name: count for name, count in zip(labels.names, counts, strict=True) if count}


def _conjunctions_before(trees: Treebank) -> bool:
    """Return whether a conjunction stands between its head and a conjunct of that."""
    here, parents = np.arange(len(trees.words)), trees.parents
    last = np.full(len(here), -1)  # conjunct of each word
    conjuncts = np.flatnonzero(trees.labels.where("conj".__eq__))
    last[parents[conjuncts]] = conjuncts
    conjunction = trees.labels.where("cc".__eq__)
    return bool((conjunction & (parents < here) & (here < last[parents])).any())
