"""The numbers of the program ROUGE-1.5.5, with its faults, for comparison with old tables.

- It has its own tokens: the stretches of a-z and 0-9 of the lower-cased text. With stemming only
  words of more than three letters are stemmed. (It also knows WordNet's irregular forms, which
  are not reproduced.)
- Several references are pooled (its option -f A): units in common over all references, divided
  by the units of all references. Or the reference with the best recall counts alone (-f B); of
  several such the program takes the first, here it is the one with the best precision.
- P, R and F are rounded to five digits, P and R before F is made of them.
- W weighs the length of the reference twice, so that identical texts score less than 1, and
  counts runs in the reference alone; SU leaves out the last word of a sentence.
- What is undefined is 0, also for identical texts.

The averages that the program prints are means of bootstrap samples, which depend on its random
numbers; the corpus value here is what they scatter around, the mean of the sentences. β is
written as α = 1 / (1 + β²) there (its option -p).
"""

from __future__ import annotations

import re

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.segments import Segments
from preorder_eval.metrics.shared.vocabulary import porter, replaced

_SHORT = 3  # letters of words that are not stemmed


def as_rouge155(segments: Segments, stem: bool) -> Segments:
    """Segments with the program's tokens.

    >>> as_rouge155(Segments.of(["State-of-the-art 2.5%"], ["naïve ARTS"]), stem=True).names
    ('state', 'of', 'the', 'art', '2', '5', 'na', 've')
    """
    find = re.compile("[a-z0-9]+").findall
    root = porter() if stem else None

    def tokens(word: str) -> list[str]:
        # Letters beyond a-z are no letters to the program: do not let them lower to one.
        words = find("".join(letter.lower() if letter.isascii() else " " for letter in word))
        return [root(each) if root and len(each) > _SHORT else each for each in words]

    return replaced(segments, tokens)


def rounded(values: Floats) -> Floats:
    """Numbers as they are when printed with five digits and read again.

    >>> rounded(np.array([1 / 3, 1 / 320])).tolist()
    [0.33333, 0.00313]
    """
    # numpy.round multiplies first, and so takes 1/320 for a tie, which in binary it is not.
    return np.array([f"{value:.5f}" for value in values.tolist()], dtype=np.str_).astype(np.float64)
