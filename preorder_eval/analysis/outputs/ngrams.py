"""N-grams that one system gets right more often than another.

An n-gram is right at most as often as the one reference of its sentence that has it most often, as
in BLEU. The share of a system in what both get right is smoothed by one on either side, so that
what occurs once counts for less than what occurs often (Neubig et al. 2019).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LONGEST = 4

Ngram = tuple[str, ...]
Sentences = Sequence[Sequence[str]]


@dataclass(frozen=True)
class NgramDifference:
    """An n-gram with how often it is in the references and right in the outputs of two systems.

    `share` is the first system's, (first + 1) / (first + second + 2); `sentences` are the 1-based
    numbers of those in which the first has it right more often.
    """

    ngram: str
    references: int
    first: int
    second: int
    share: float
    sentences: list[int]


class NgramMatches:
    """The n-grams of streams of references that outputs of systems have, up to four words long."""

    def __init__(self, outputs: Sequence[Sentences], references: Sequence[Sentences]) -> None:
        self._references: Counter[Ngram] = Counter()
        self._sentences: dict[Ngram, list[int]] = {}  # where references have it
        self._right: list[list[Counter[Ngram]]] = [[] for _ in outputs]
        for s, texts in enumerate(zip(*references, strict=True)):
            most: Counter[Ngram] = Counter()
            for text in texts:
                most |= Counter(_ngrams(text))
            self._references.update(most)
            for ngram in most:
                self._sentences.setdefault(ngram, []).append(s)
            for right, output in zip(self._right, outputs, strict=True):
                right.append(most & Counter(_ngrams(output[s])))
        self._totals: list[Counter[Ngram]] = [Counter() for _ in outputs]
        for total, right in zip(self._totals, self._right, strict=True):
            for of_sentence in right:
                total.update(of_sentence)
        # Equal differences come in the order of the text.
        self._place: dict[Ngram, int] = {}
        for text in itertools.chain.from_iterable((*outputs, *references)):
            for ngram in _ngrams(text):
                if ngram in self._sentences:
                    self._place.setdefault(ngram, len(self._place))

    def differences(self, first: int, second: int, most: int = 0) -> list[NgramDifference]:
        """Return what the first system gets right more often than the second; `most` 0 gives all.

        The largest share comes first, of equal ones the shorter n-gram, then the earlier one.
        """
        totals, others = self._totals[first], self._totals[second]
        shares = {
            ngram: (count + 1) / (count + others[ngram] + 2)
            for ngram, count in totals.items()
            if count > others[ngram]
        }
        ranked = sorted(shares, key=lambda n: (-shares[n], len(n), self._place[n]))
        right, other = self._right[first], self._right[second]
        return [
            NgramDifference(
                " ".join(ngram),
                self._references[ngram],
                totals[ngram],
                others[ngram],
                shares[ngram],
                [s + 1 for s in self._sentences[ngram] if right[s][ngram] > other[s][ngram]],
            )
            for ngram in ranked[: most or None]
        ]


def _ngrams(words: Sequence[str]) -> Iterator[Ngram]:
    for n in range(1, LONGEST + 1):
        yield from zip(*(words[k:] for k in range(n)), strict=False)
