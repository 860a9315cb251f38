"""What words can be grouped by, to see where they are wrongly placed.

A grouping is a column with a name for every source token. What belongs to a whole sentence (its
phenomenon, its length, how sure the parser was of it) is the same for all its tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Offsets
from preorder_eval.data.orders import SourceWords
from preorder_eval.data.ragged import Column
from preorder_eval.data.treebank import Treebank, comment_value

# What a grouping is called, and what it groups by.
GROUPINGS = {
    "word": "word, in lower case",
    "upos": "part of speech",
    "label": "dependency label",
    "head": "part of speech of the head",
    "phenomenon": "phenomenon of the sentence",
    "length": "sentence length in words",
    "confidence": "parser's log-probability per word",
}
NO_VALUE = "(none)"
ROOT = "(root)"
_LONGEST = (5, 10, 15, 20, 30, 40, 60)  # words, of each bucket of lengths
_QUARTERS = ("lowest", "second", "third", "highest")


@dataclass(frozen=True, eq=False)
class Grouping:
    """A group for every source token: `by` is one of GROUPINGS, `groups` a column of N names.

    The names of an `ordered` grouping have an order of their own, that of `groups.names`.
    """

    by: str
    groups: Column
    ordered: bool = False


def groupings(words: SourceWords, trees: Treebank | None, gold: Treebank | None) -> list[Grouping]:
    """All groupings that can be made, in the order of GROUPINGS.

    Parameters: `words` the source words; `trees` those that the system's orders were made from;
    `gold` the gold trees, which stand in where there are no others. The phenomenon is the comment
    `# phenomenon = …` of the gold trees, the log-probability the comment `# score = …` of the
    system's trees.

    >>> [by_word, by_length] = groupings(SourceWords.of([["He", "says", "he", "eats"]]), None, None)
    >>> list(by_word.groups), list(by_length.groups)
    (['he', 'says', 'he', 'eats'], ['1-5', '1-5', '1-5', '1-5'])
    """
    possible = [Grouping("word", words.words.renamed(str.lower))]
    tree = trees if trees is not None else gold
    if tree is not None:
        possible.append(Grouping("upos", tree.upos))
        possible.append(Grouping("label", tree.labels))
        possible.append(Grouping("head", _head_tags(tree)))
    offsets = words.offsets
    phenomena = _comments(gold, "phenomenon")
    if any(phenomena):
        named = [value or NO_VALUE for value in phenomena]
        possible.append(Grouping("phenomenon", _of_sentences(Column.of(named), offsets)))
    possible.append(Grouping("length", _of_sentences(lengths(offsets), offsets), ordered=True))
    confidence = _confidence(_comments(trees, "score"), offsets)
    if confidence is not None:
        possible.append(Grouping("confidence", _of_sentences(confidence, offsets), ordered=True))
    return possible


def _head_tags(trees: Treebank) -> Column:
    codes = trees.upos.codes[trees.parents]
    return Column(
        np.where(trees.heads < 0, len(trees.upos.names), codes), (*trees.upos.names, ROOT)
    )


def _of_sentences(column: Column, offsets: Offsets) -> Column:
    return Column(np.repeat(column.codes, np.diff(offsets)), column.names)


def _comments(trees: Treebank | None, key: str) -> list[str | None]:
    return [comment_value(lines, key) for lines in trees.comments] if trees is not None else []


def lengths(offsets: Offsets) -> Column:
    """The bucket of every sentence by its number of words.

    >>> list(lengths(np.array([0, 3, 9])))
    ['1-5', '6-10']
    """
    starts = [1, *(longest + 1 for longest in _LONGEST)]
    names = [f"{a}-{b}" for a, b in zip(starts, _LONGEST, strict=False)] + [f"{starts[-1]}+"]
    codes = np.searchsorted(_LONGEST, np.diff(offsets), side="left")
    return Column(codes.astype(np.int32), tuple(names))


def _confidence(scores: Sequence[str | None], offsets: Offsets) -> Column | None:
    """The quarter that each sentence is in; None unless every sentence has a score."""
    if not scores:
        return None
    try:
        per_word = np.array([float(x or "nan") for x in scores]) / np.diff(offsets)
    except ValueError:
        return None
    if not np.isfinite(per_word).all():
        return None
    bounds = np.quantile(per_word, [0, 0.25, 0.5, 0.75, 1])
    names = tuple(
        f"{quarter} quarter ({low:.3f} to {high:.3f})"
        for quarter, low, high in zip(_QUARTERS, bounds, bounds[1:], strict=False)
    )
    return Column(np.searchsorted(bounds[1:-1], per_word, side="left").astype(np.int32), names)
