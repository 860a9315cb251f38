"""Longest common subsequences of many sentence pairs, by rapidfuzz.

rapidfuzz compares texts by bit-parallel arithmetic (Hyyrö 2004). Here every word becomes one
character of a text, so that words are compared at the speed of characters.
"""

from __future__ import annotations

import itertools
import sys

import numpy as np

from preorder_eval.data.arrays import Ints, Longs, Offsets
from preorder_eval.data.segments import Tokens


def longest_common(hypotheses: Tokens, references: Tokens) -> Longs:
    """The length of the longest common subsequence of each pair of sentences; int64[S].

    >>> sides = [Tokens(np.array([0, 4]), np.array(c)) for c in ([7, 8, 3, 2], [3, 2, 7, 8])]
    >>> longest_common(*sides).tolist()
    [2]
    """
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cpdist

    codes = np.concatenate([hypotheses.codes, references.codes])
    if codes.max(initial=0) > sys.maxunicode:
        codes = np.unique(codes, return_inverse=True)[1]
    size = len(hypotheses.codes)
    sides = (_texts(codes[:size], hypotheses.offsets), _texts(codes[size:], references.offsets))
    return cpdist(*sides, scorer=LCSseq.similarity).astype(np.int64)


def _texts(codes: Ints, offsets: Offsets) -> list[str]:
    text = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    borders = offsets.tolist()
    return [text[a:b] for a, b in itertools.pairwise(borders)]
