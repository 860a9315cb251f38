"""Sentences with one character for each word, for libraries that are fast on strings."""

from __future__ import annotations

import itertools
import sys

import numpy as np

from preorder_eval.data.arrays import Ints
from preorder_eval.data.segments import Segments, Tokens


def as_characters(segments: Segments) -> tuple[list[str], list[list[str]]]:
    r"""Hypotheses, and each stream of references, with a character for every word.

    The same words of hypotheses and references have the same character, which means nothing
    else, and need not be a valid one.

    >>> as_characters(Segments.of(["the cat", ""], ["cat the", "the"]))
    (['\x00\x01', ''], [['\x01\x00', '\x00']])
    """
    sides = [segments.hypotheses, *segments.references]
    codes = [side.codes for side in sides]
    if len(segments.names) > sys.maxunicode:
        # More words than characters: number those of these segments alone.
        flat = np.unique(np.concatenate(codes), return_inverse=True)[1].astype(np.int32)
        codes = np.split(flat, np.cumsum([len(code) for code in codes])[:-1])
    texts = [_texts(side, code) for side, code in zip(sides, codes, strict=True)]
    return texts[0], texts[1:]


def _texts(side: Tokens, codes: Ints) -> list[str]:
    text = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return [text[first:last] for first, last in itertools.pairwise(side.offsets.tolist())]
