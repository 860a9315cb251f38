"""Runs of words that a hypothesis has in common with its reference, the longest first.

A run is a sequence of words that stands in both. The longest run is taken, then the longest of
what is left of both sentences, and so on until they have no word in common. Every word is so
matched once and as many are as can be, but the runs of a best choice may be longer, or fewer;
finding these is NP-hard (Turian et al. 2003, who take the longest first too).
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from preorder_eval.data.arrays import Longs, within
from preorder_eval.data.segments import Tokens
from preorder_eval.metrics.shared.long_runs import long_runs

_BITS = 20  # for a position in a sentence
_LAST = (1 << _BITS) - 1
_PAIRS = 1 << 21  # of words at a time, equal or not
_LONG = 1 << 16  # pairs of words, above which a pair of sentences is done by itself


class Runs(NamedTuple):
    """The runs of all pairs of sentences, each pair's in the order taken; int64[m] each.

    `sentence` is the pair's number, `length` the run's number of words, and `hypothesis` and
    `reference` are the flat indices of its first word.
    """

    sentence: Longs
    length: Longs
    hypothesis: Longs
    reference: Longs


def longest_runs(hypotheses: Tokens, references: Tokens) -> Runs:
    """The runs of each pair; of equally long ones the first of the hypothesis is taken, then the
    first of the reference.

    >>> from preorder_eval.data.segments import Segments
    >>> segments = Segments.of(["c a b c"], ["a b c d c"])
    >>> [x.tolist() for x in longest_runs(segments.hypotheses, segments.references[0])]
    [[0, 0], [3, 1], [1, 0], [0, 4]]
    """
    runs = [np.zeros((4, 0), dtype=np.int64)]
    pairs = hypotheses.lengths * references.lengths
    ends = np.cumsum(pairs + 1)
    borders = np.searchsorted(ends, np.arange(0, ends.max(initial=0), _PAIRS)).tolist()
    long = set(np.flatnonzero(pairs > _LONG).tolist())
    borders = sorted({*borders, *long, *(s + 1 for s in long), len(hypotheses)})
    for first, last in itertools.pairwise(borders):
        sides = hypotheses.part(first, last), references.part(first, last)
        block = _of_one(*sides) if first in long else _longest_runs(*sides)
        starts = first, 0, hypotheses.offsets[first], references.offsets[first]
        runs.append(np.stack(block) + np.reshape(starts, (4, 1)))
    return Runs(*np.concatenate(runs, axis=1))


def _of_one(hypothesis: Tokens, reference: Tokens) -> Runs:
    runs = np.array(long_runs(hypothesis.codes, reference.codes), dtype=np.int64).reshape(-1, 3)
    length, here, there = runs.T
    return Runs(np.zeros_like(length), length, here, there)


def _longest_runs(hypotheses: Tokens, references: Tokens) -> Runs:
    here, there = _by_diagonal(hypotheses, references)
    free_here = np.ones(len(hypotheses.codes), dtype=bool)
    free_there = np.ones(len(references.codes), dtype=bool)
    sentences = hypotheses.sentences
    rounds = []
    while len(here):
        start = np.diff(sentences[here], prepend=-1) != 0
        start[1:] |= (np.diff(here) != 1) | (np.diff(there) != 1)
        first = np.flatnonzero(start)
        length = np.diff(first, append=len(here))
        sentence = sentences[here[first]]
        # Length, and how far before the end of the longest sentence it starts, as one number.
        position = here[first] - hypotheses.offsets[sentence]
        rank = (length << _BITS | (_LAST - position)) << _BITS
        rank |= _LAST - (there[first] - references.offsets[sentence])
        group = np.flatnonzero(np.diff(sentence, prepend=-1))
        best = np.maximum.reduceat(rank, group)
        sentence, length = sentence[group], best >> (2 * _BITS)
        run_here = hypotheses.offsets[sentence] + _LAST - (best >> _BITS & _LAST)
        run_there = references.offsets[sentence] + _LAST - (best & _LAST)
        rounds.append(Runs(sentence, length, run_here, run_there))
        step = within(np.concatenate([[0], np.cumsum(length)]))
        free_here[np.repeat(run_here, length) + step] = False
        free_there[np.repeat(run_there, length) + step] = False
        left = free_here[here] & free_there[there]
        here, there = here[left], there[left]
    if not rounds:
        return Runs(here, here, here, here)
    return Runs(*(np.concatenate(column) for column in zip(*rounds, strict=True)))


def _by_diagonal(hypotheses: Tokens, references: Tokens) -> tuple[Longs, Longs]:
    """All pairs of equal words as flat indices, sorted by sentence, by the distance of their
    positions, then by position: the words of a run follow each other."""
    bound = int(max(side.codes.max(initial=0) for side in (hypotheses, references))) + 1
    keys = [side.sentences * bound + side.codes for side in (hypotheses, references)]
    in_order = np.argsort(keys[1], kind="stable")
    ordered = keys[1][in_order]
    low, high = (np.searchsorted(ordered, keys[0], side=side) for side in ("left", "right"))
    count = high - low
    here = np.repeat(np.arange(len(count)), count)
    there = in_order[np.repeat(low, count) + within(np.concatenate([[0], np.cumsum(count)]))]
    sentence = hypotheses.sentences[here]
    # Diagonals are numbered through the corpus, as many for a pair as both sides have words.
    shift = np.cumsum(hypotheses.lengths + references.lengths) - references.lengths
    shift += hypotheses.offsets[:-1] - references.offsets[:-1]
    diagonal = there - here + shift[sentence]
    bits = int(here.max(initial=0)).bit_length()
    key = np.sort(diagonal << bits | here)
    here = key & ((1 << bits) - 1)
    return here, (key >> bits) + here - shift[hypotheses.sentences[here]]
