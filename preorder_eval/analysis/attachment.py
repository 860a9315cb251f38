"""Attachment scores of a parser against gold trees, as the CoNLL 2018 shared task defines them.

All words count, punctuation included; labels are compared without their subtypes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from preorder_eval.errors import PreorderEvalError
from preorder_eval.schemes import base_label
from preorder_eval.treebank import Column, Treebank


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
    if gold.words != system.words or not np.array_equal(gold.offsets, system.offsets):
        raise PreorderEvalError("gold and system trees are not of the same sentences")
    heads = gold.heads == system.heads
    full = _same(gold.labels, system.labels)
    universal = _same(_without_subtypes(gold.labels), _without_subtypes(system.labels))
    return Attachment(
        uas=float(heads.mean()),
        las=float((heads & universal).mean()),
        las_full=float((heads & full).mean()),
        upos=float(_same(gold.upos, system.upos).mean()),
        xpos=float(_same(gold.xpos, system.xpos).mean()),
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
