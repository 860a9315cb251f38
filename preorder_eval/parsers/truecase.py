"""Truecasing: words of a text in lower case get the case that they most likely had.

A parser distinguishes names from other words by their case. If a text has lost its case, it is
restored before parsing: each word gets the case that it has most often in the treebank (the unigram
model of Lita et al., *tRuEcasIng*, ACL 2003). An unknown word is capitalised if at least half of
the treebank's words with the same last two letters are capitalised, or if there are no such words.
The trees keep the words as they were given.

When case is learned, the first word of a sentence and sentences all in lower or all in upper case
are not counted. When case is restored, the first word of a sentence is not capitalised for its
position, because the parser would take verbs for names.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from spacy.language import Language

# Truecased are the sentences without a capital, all, or none.
Truecase = Literal["auto", "always", "never"]

# The key of a pipeline's meta data for the sentences that it truecases, and the name of its table
# of words in their case.
TRUECASE = "truecase"

_ENDING = 2  # letters
_ADDRESS = re.compile(r"[@/]|\w{2}\.\w{2}")  # of a person or a page: not to be passed on


class Truecaser:
    """Restores the case of words, from a list with the most frequent form of each word.

    >>> truecaser = Truecaser(["the", "was", "in", "Kyoto", "Meiji", "temple"])
    >>> truecaser.read("the ninna-ji temple was in kyoto , shoji !".split())
    ['the', 'ninna-ji', 'temple', 'was', 'in', 'Kyoto', ',', 'Shoji', '!']
    """

    def __init__(self, words: Iterable[str], *, always: bool = False) -> None:
        self.words = list(words)
        self._always = always
        self._cased = {word.lower(): word for word in self.words}
        balance: Counter[str] = Counter()
        for lower, cased in self._cased.items():
            if lower.isalpha():
                balance[lower[-_ENDING:]] += 1 if cased != lower else -1
        self._common = {ending for ending, names in balance.items() if names < 0}

    @classmethod
    def learned(cls, sentences: Iterable[Sequence[str]]) -> Truecaser:
        """Learn the most frequent form of each word; ties go to the first in code-point order."""
        forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for words in sentences:
            text = "".join(words)
            if text.islower() or text.isupper():
                continue
            cased = [w for w in words if w.lower() != w.upper() and not _ADDRESS.search(w)]
            for word in cased[1:]:
                forms[word.lower()].update([word])
        return cls(
            min(forms[lower], key=lambda form: (-forms[lower][form], form))
            for lower in sorted(forms)
        )

    def read(self, words: Sequence[str]) -> list[str]:
        """Return a sentence as a parser is to read it.

        It is truecased if it has no capital letter, or always if the truecaser is set to do so.
        """
        if self._always or "".join(words).islower():
            return [self._cased.get(word) or self._likely(word) for word in map(str.lower, words)]
        return list(words)

    def _likely(self, word: str) -> str:
        is_name = word.isalpha() and word[-_ENDING:] not in self._common
        return word[:1].upper() + word[1:] if is_name else word


def keep_case(nlp: Language, words: Iterable[str]) -> None:
    """Store a truecaser's words in a table of a pipeline, with which they are saved."""
    forget_case(nlp)
    nlp.vocab.lookups.add_table(TRUECASE, {word.lower(): word for word in words})


def forget_case(nlp: Language) -> None:
    """Remove a truecaser's words from a pipeline, if it has any."""
    if TRUECASE in nlp.vocab.lookups:
        nlp.vocab.lookups.remove_table(TRUECASE)


def pipeline_truecaser(nlp: Language, truecase: str) -> Truecaser | None:
    """Return the truecaser of a pipeline; None if it does not truecase.

    `truecase` specifies when it truecases: `auto`, `always`, or anything else for never.
    """
    if truecase not in ("auto", "always"):
        return None
    words = nlp.vocab.lookups.get_table(TRUECASE).values()
    return Truecaser(words, always=truecase == "always")
