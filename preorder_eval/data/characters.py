"""Two tokenisations of one text, aligned by their characters.

White space is none, so that only where it cuts the text tells one tokenisation from another, as in
the evaluation of the CoNLL 2018 shared task (Zeman et al. 2018, section 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from preorder_eval.data.arrays import Bools, Longs


def characters(word: str) -> str:
    r"""A word without white space; one that is nothing else as it is.

    >>> characters("1 000"), characters("\u3000")
    ('1000', '\u3000')
    """
    return "".join(word.split()) or word


def text_of(words: Iterable[str]) -> str:
    """What tokenisations of the same text have in common.

    >>> text_of(["do", "n't"]) == text_of(["don't"])
    True
    """
    return "".join(map(characters, words))


def first_difference(words: Sequence[str], others: Sequence[str]) -> tuple[int, int] | None:
    """The index of the first word of either side that the other does not have; None if all agree.

    An index is the number of words where that side ends first.

    >>> first_difference(["a", "bc", "d"], ["ab", "x"]), first_difference(["ab"], ["a", "b"])
    ((1, 0), None)
    """
    text, other = text_of(words), text_of(others)
    if text == other:
        return None
    shorter = min(len(text), len(other))
    pairs = enumerate(zip(text, other, strict=False))
    common = next((at for at, (one, two) in pairs if one != two), shorter)
    # The words at the difference need not start at the same place: from the start of the first.
    stops = _stops(words), _stops(others)
    starts = [_start(side, common) for side in stops]
    here, there = (int(np.searchsorted(side, min(starts), side="right")) for side in stops)
    return here, there


def _start(stops: Longs, character: int) -> int:
    """Where the word with that character starts."""
    word = int(np.searchsorted(stops, character, side="right"))
    return int(stops[word - 1]) if word else 0


@dataclass(frozen=True, eq=False)
class CharacterAlignment:
    """The words of two tokenisations that share characters.

    `first` and `last` int64[N] are, for each of N words, the first and the last of the M others
    that it shares characters with.

    >>> CharacterAlignment.of(["I", "don't", "."], ["I", "do", "n't", "."]).last.tolist()
    [0, 2, 3]
    """

    first: Longs
    last: Longs
    others: int

    @classmethod
    def of(cls, words: Sequence[str], others: Sequence[str]) -> CharacterAlignment:
        """Align two tokenisations that have the same characters."""
        stops, other_stops = _stops(words), _stops(others)
        starts = np.concatenate([[0], stops[:-1]]) if len(stops) else stops
        return cls(
            np.searchsorted(other_stops, starts, side="right"),
            np.searchsorted(other_stops, stops - 1, side="right"),
            len(others),
        )

    @cached_property
    def same(self) -> Bools:
        """Which words are one of the others, too; bool[N]."""
        sharing = np.zeros(self.others, dtype=np.int64)
        np.add.at(sharing, self.first, 1)
        later = self.last != self.first
        np.add.at(sharing, self.last[later], 1)
        same: Bools = ~later & (sharing[self.first] == 1)
        return same


def _stops(words: Sequence[str]) -> Longs:
    """Where each word ends, in characters."""
    return np.cumsum([len(characters(word)) for word in words], dtype=np.int64)
