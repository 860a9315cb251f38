"""Attachment scores of a parser against gold trees, as the CoNLL 2018 shared task defines them.

All words count, punctuation included; labels are compared without their subtypes (Zeman et al.,
CoNLL 2018 shared task, section 4). Since both sides have the same words, precision, recall and F1
of the task's evaluation are one number, the share of words.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.treebank import Column, Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.reordering.schemes import base_label
from preorder_eval.stats.bootstrap import Interval, bootstrap
from preorder_eval.stats.measurement import Measurement

SCORES = ("UAS", "LAS", "LAS with subtypes", "UPOS", "XPOS")


@dataclass(frozen=True)
class Attachment:
    """Shares of words, each between 0 and 1.

    `uas`: right head; `las`: right head and universal label; `las_full`: subtypes compared too;
    `upos`, `xpos`: right tag.
    """

    uas: float
    las: float
    las_full: float
    upos: float
    xpos: float


def attachment(gold: Treebank, system: Treebank) -> Attachment:
    """Compare two treebanks of the same words.

    Raises PreorderEvalError where their words differ.
    """
    return Attachment(*_right(gold, system).mean(axis=0).tolist())


def attachment_intervals(
    gold: Treebank, system: Treebank, *, resamples: int = 1000, seed: int = 0
) -> dict[str, Interval]:
    """The shares of `attachment` by name, with 95 % intervals from a bootstrap over sentences.

    >>> from preorder_eval.data.treebank import Tree
    >>> tree = Tree(["Go", "!"], [-1, 0], ["root", "punct"], ["VERB", "PUNCT"], ["VB", "."])
    >>> attachment_intervals(Treebank.of([tree]), Treebank.of([tree]))["LAS"]
    Interval(value=1.0, low=1.0, high=1.0)
    """
    right = np.add.reduceat(_right(gold, system), gold.offsets[:-1], dtype=np.float64)
    measurements = [
        Measurement(
            np.stack([counts, gold.lengths], axis=-1)[None], lambda s: s[..., 0] / s[..., 1]
        )
        for counts in right.T
    ]
    results = bootstrap(measurements, resamples=resamples, seed=seed)
    return dict(zip(SCORES, (result.interval(0) for result in results), strict=True))


def _right(gold: Treebank, system: Treebank) -> NDArray[np.bool_]:
    """For every word whether it is right by each of the scores; bool[N, 5]."""
    if gold.words != system.words or not np.array_equal(gold.offsets, system.offsets):
        raise PreorderEvalError("gold and system trees are not of the same sentences")
    heads = gold.heads == system.heads
    universal = _same(_without_subtypes(gold.labels), _without_subtypes(system.labels))
    return np.stack(
        [
            heads,
            heads & universal,
            heads & _same(gold.labels, system.labels),
            _same(gold.upos, system.upos),
            _same(gold.xpos, system.xpos),
        ],
        axis=1,
    )


def _without_subtypes(column: Column) -> Column:
    return Column(column.codes, tuple(map(base_label, column.names)))


def _same(one: Column, other: Column) -> NDArray[np.bool_]:
    """Where two columns hold the same name; bool[N]."""
    index: dict[str, int] = {}
    numbers = [
        np.array([index.setdefault(name, len(index)) for name in column.names])[column.codes]
        for column in (one, other)
    ]
    same: NDArray[np.bool_] = numbers[0] == numbers[1]
    return same
