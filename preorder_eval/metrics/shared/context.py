"""One-to-one word alignment of an output and its reference, by n-grams that occur once in each.

A word that occurs once in the hypothesis and once in the reference is aligned. Any other word is
told apart by its context: by the n-gram that it ends, or that it begins, if that occurs once in
the hypothesis and once in the reference (Isozaki et al. 2010, Figure 1, with bigrams; RIBES
1.03.1 takes longer ones where the shorter are not enough).

It is done for all sentences at once by refining groups: at first the same words of a segment
form a group, then the same bigrams, and so on. A group of two, one on either side, is aligned; a
group that is missing on one side can never be. So few words are left at every step.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from preorder_eval.data.arrays import Longs
from preorder_eval.data.segments import Tokens

Direction = Literal["left", "right"]


class _Groups(NamedTuple):
    """Tokens in order of their groups, hypotheses before references, and where groups start."""

    tokens: Longs
    numbers: Longs
    starts: Longs


def align_by_context(
    hypotheses: Tokens, references: Tokens, *, first: Direction, longest: int | None = None
) -> Longs:
    """For every hypothesis token the flat index of its reference token, -1 for none; int64[N].

    Parameters: `first` the side of the context that is tried first; `longest` the longest n-grams
    that are tried, all if None. Two hypothesis words may get the same reference word, one by the
    context on its left and one by that on its right.

    >>> codes = ([1, 2, 1, 3], [1, 3, 1, 2])
    >>> sides = [Tokens(np.array([0, 4]), np.array(c, dtype=np.int32)) for c in codes]
    >>> align_by_context(*sides, first="left").tolist()
    [2, 3, 0, 1]
    """
    size, segments = len(hypotheses.codes), len(hypotheses)
    sides = (hypotheses, references)
    segment = np.concatenate([side.sentences for side in sides])
    codes = np.concatenate([side.codes for side in sides])
    borders = np.concatenate([hypotheses.offsets, references.offsets[1:] + size])
    aligned = np.full(size, -1, dtype=np.int64)
    key = segment * (int(codes.max(initial=0)) + 1) + codes
    groups = _grouped(key, np.arange(len(codes)))
    words = np.empty_like(segment)
    words[groups.tokens] = groups.numbers  # the same for the same word of the same segment
    groups = _settle(groups, aligned)
    left_and_right: dict[Direction, _Groups] = {"left": groups, "right": groups}
    order: tuple[Direction, Direction] = ("left", "right") if first == "left" else ("right", "left")
    length = 1
    while any(len(g.tokens) for g in left_and_right.values()) and length != longest:
        for side in order:
            tokens, numbers, _ = left_and_right[side]
            context = tokens - length if side == "left" else tokens + length
            sentence = segment[tokens] + segments * (tokens >= size)
            inside = (context >= borders[sentence]) & (context < borders[sentence + 1])
            key = numbers[inside] * len(words) + words[context[inside]]
            left_and_right[side] = _settle(_grouped(key, tokens[inside]), aligned)
        length += 1
    return aligned


def _grouped(key: Longs, tokens: Longs) -> _Groups:
    """Group tokens by the same key."""
    # Key and token in one number: sorting numbers is faster than sorting indices.
    bits = int(tokens.max(initial=0)).bit_length()
    in_order = np.sort(key << bits | tokens)
    key = in_order >> bits
    new = np.ones(len(key), dtype=bool)
    new[1:] = key[1:] != key[:-1]
    return _Groups(in_order & ((1 << bits) - 1), np.cumsum(new) - 1, np.flatnonzero(new))


def _settle(groups: _Groups, aligned: Longs) -> _Groups:
    """Align the groups of one token on either side, and keep those that may be aligned later."""
    tokens, numbers, starts = groups
    if not len(tokens):
        return groups
    size = len(aligned)
    last = np.append(starts[1:], len(tokens)) - 1
    first_token, last_token = tokens[starts], tokens[last]
    on_both = (first_token < size) & (last_token >= size)
    pair = on_both & (last == starts + 1)
    new = np.flatnonzero(pair)
    new = new[aligned[first_token[new]] < 0]
    aligned[first_token[new]] = last_token[new] - size

    large = (on_both & ~pair)[numbers]
    tokens, numbers = tokens[large], numbers[large]
    waiting = tokens < size
    waiting[waiting] = aligned[tokens[waiting]] < 0
    undecided = np.zeros(len(starts), dtype=bool)
    undecided[numbers[waiting]] = True
    kept = undecided[numbers]
    return _Groups(tokens[kept], numbers[kept], starts[:0])
