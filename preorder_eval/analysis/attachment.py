"""Attachment scores of a parser against gold trees, as the CoNLL 2018 shared task defines them.

All words count, punctuation included; labels are compared without their subtypes (Zeman et al.,
CoNLL 2018 shared task, section 4). Words are aligned by their characters, so that the system may
have cut the text into other words and sentences: a score is F1, twice the right words over the
words of both sides. Where both have the same words, that is the share of words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Longs
from preorder_eval.data.ragged import Column
from preorder_eval.data.retokenize import CharacterAlignment, surface_forms, text_of
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.reordering.schemes import base_label
from preorder_eval.stats.bootstrap import Interval, bootstrap
from preorder_eval.stats.measurement import Measurement

SCORES = ("UAS", "LAS", "LAS with subtypes", "UPOS", "XPOS")


@dataclass(frozen=True)
class Attachment:
    """F1 over words, each between 0 and 1.

    `uas`: right head; `las`: right head and universal label; `las_full`: subtypes compared too;
    `upos`, `xpos`: right tag.
    """

    uas: float
    las: float
    las_full: float
    upos: float
    xpos: float


def attachment(gold: Treebank, system: Treebank) -> Attachment:
    """Compare two treebanks of the same text.

    Raises PreorderEvalError where the text differs.
    """
    right = _right(gold, system).sum(axis=0)
    return Attachment(*(2 * right / (len(gold.words) + len(system.words))).tolist())


def attachment_intervals(
    gold: Treebank, system: Treebank, *, resamples: int = 1000, seed: int = 0
) -> dict[str, Interval]:
    """The scores of `attachment` by name, with 95 % intervals from a bootstrap over sentences.

    >>> from preorder_eval.data.treebank import Tree
    >>> tree = Tree(["Go", "!"], [-1, 0], ["root", "punct"], ["VERB", "PUNCT"], ["VB", "."])
    >>> attachment_intervals(Treebank.of([tree]), Treebank.of([tree]))["LAS"]
    Interval(value=1.0, low=1.0, high=1.0)
    """
    right = np.add.reduceat(_right(gold, system), gold.offsets[:-1], dtype=np.float64)
    words = (gold.lengths + _system_words(gold, system)) / 2
    measurements = [
        Measurement(np.stack([counts, words], axis=-1)[None], lambda s: s[..., 0] / s[..., 1])
        for counts in right.T
    ]
    results = bootstrap(measurements, resamples=resamples, seed=seed)
    return dict(zip(SCORES, (result.interval(0) for result in results), strict=True))


def _right(gold: Treebank, system: Treebank) -> NDArray[np.bool_]:
    """For every gold word whether it is right by each of the scores; bool[N, 5].

    A word that the system does not have is wrong.
    """
    forms, system_forms = _forms(gold, system)
    aligned = CharacterAlignment.of(forms, system_forms)
    there, word = aligned.same, aligned.first
    parents, system_parents = gold.parents, system.parents[word]
    root, system_root = gold.heads < 0, system.heads[word] < 0
    same_parent = there[parents] & (word[parents] == system_parents)
    heads = np.where(root | system_root, root & system_root, same_parent)
    universal = _same(_without_subtypes(gold.labels), _without_subtypes(system.labels), word)
    right = [
        heads,
        heads & universal,
        heads & _same(gold.labels, system.labels, word),
        _same(gold.upos, system.upos, word),
        _same(gold.xpos, system.xpos, word),
    ]
    return np.stack(right, axis=1) & there[:, None]


def _forms(gold: Treebank, system: Treebank) -> tuple[Sequence[str], Sequence[str]]:
    """The words of both by which they are aligned; PreorderEvalError where the text differs."""
    for forms in ((gold.words, system.words), (surface_forms(gold), surface_forms(system))):
        if text_of(forms[0]) == text_of(forms[1]):
            return forms
    raise PreorderEvalError("gold and system trees are not of the same text")


def _system_words(gold: Treebank, system: Treebank) -> Longs:
    """How many of the system's words start in each gold sentence; int64[S]."""
    forms, system_forms = _forms(gold, system)
    starts_in = CharacterAlignment.of(system_forms, forms).first
    sentences = np.searchsorted(gold.offsets, starts_in, side="right") - 1
    return np.bincount(sentences, minlength=len(gold))


def _without_subtypes(column: Column) -> Column:
    return column.renamed(base_label)


def _same(one: Column, other: Column, aligned: Longs) -> NDArray[np.bool_]:
    """Where one column holds the same name as the aligned word of the other; bool[N]."""
    index: dict[str, int] = {}
    numbers = [
        np.array([index.setdefault(name, len(index)) for name in column.names])[column.codes]
        for column in (one, other)
    ]
    same: NDArray[np.bool_] = numbers[0] == numbers[1][aligned]
    return same
