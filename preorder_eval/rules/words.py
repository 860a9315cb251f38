"""Words of conditions: each as it stands, or marked, for all words of a stem.

`~visit` stands for *visit*, *visits*, *visited* and *visiting*: for all words whose Snowball stem
is that of *visit* in the source language of the rules. A word of the text that itself begins with
`~` and a letter is written with a second `~`. All are in lower case.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache

from preorder_eval.base.text.stems import stemmer_of

_MARK = re.compile(r"~(?=~*[^\W\d_])")


def stem_meant(word: str, language: str) -> str | None:
    """Return the stem that a word stands for if it is marked.

    Raises PreorderEvalError for a marked word of a language without a stemmer.

    >>> stem_meant("~visited", "en"), stem_meant("visited", "en"), stem_meant("~~visit", "en")
    ('visit', None, None)
    """
    plain = unmarked(word)
    return None if plain == word else stemmer_of(language)(plain)


def written(word: str) -> str:
    """Return a word of the text as conditions write it.

    >>> written("visit"), written("~visit"), written("~")
    ('visit', '~~visit', '~')
    """
    return f"~{word}" if _MARK.match(word) else word


def unmarked(word: str) -> str:
    """Return a word of a condition without the mark, for a language that has other stems.

    >>> unmarked("~visit"), unmarked("visit"), unmarked("~~visit")
    ('visit', 'visit', '~~visit')
    """
    return word[1:] if _MARK.match(word) and not word.startswith("~~") else word


def _as_it_stands(word: str) -> str:
    """Return the word of the text that an unmarked word stands for."""
    return word[1:] if word.startswith("~~") and _MARK.match(word) else word


@lru_cache(maxsize=4)
def vocabulary(names: tuple[str, ...], language: str) -> Vocabulary:
    """Return how to find words of conditions among some names."""
    return Vocabulary(names, language)


class Vocabulary:
    """The names that words of conditions stand for, found by their codes.

    >>> Vocabulary(("Visits", "visitor", "Up", "visited"), "en").codes(["~visit", "up"])
    [0, 3, 2]
    """

    def __init__(self, names: tuple[str, ...], language: str) -> None:
        self._language = language
        self._by_lower, self._by_stem = dict[str, list[int]](), dict[str, list[int]]()
        self._found: dict[tuple[str, ...], list[int]] = {}
        for code, name in enumerate(names):
            self._by_lower.setdefault(name.lower(), []).append(code)

    def codes(self, words: Sequence[str]) -> list[int]:
        """Return the codes of all names that some words match, upper or lower case."""
        if (key := tuple(words)) not in self._found:  # conditions share their lists of words
            codes = (code for word in key for code in self._codes_of(word))
            self._found[key] = list(dict.fromkeys(codes))
        return self._found[key]

    def _codes_of(self, word: str) -> Sequence[int]:
        if not word.startswith("~"):
            return self._by_lower.get(word, ())
        stem = stem_meant(word, self._language)
        if stem is None:
            return self._by_lower.get(_as_it_stands(word), ())
        return self._codes_of_stem(stem)

    def _codes_of_stem(self, stem: str) -> list[int]:
        if stem not in self._by_stem:
            # Stemming is slow, so it is left to few words where a stem tells how they begin.
            begin = english_begin(stem) if self._language.partition("-")[0] == "en" else ""
            first = bisect_left(self._in_order, begin)
            last = bisect_left(self._in_order, f"{begin}\U0010ffff")
            some, stem_of = self._in_order[first:last], stemmer_of(self._language)
            alike = {*some, *self._apostrophes} if begin else some
            codes = [
                code for word in alike if stem_of(word) == stem for code in self._by_lower[word]
            ]
            self._by_stem[stem] = sorted(codes)
        return self._by_stem[stem]

    @cached_property
    def _in_order(self) -> list[str]:
        return sorted(self._by_lower)

    @cached_property
    def _apostrophes(self) -> list[str]:
        """The words that begin with an apostrophe, which stemmers cut off."""
        return [word for word in self._by_lower if word.startswith("'")]


def english_begin(stem: str) -> str:
    """Return the prefix shared by all English words of a stem; an apostrophe in front is ignored.

    The end of a stem differs from that of its words where the stemmer replaces a suffix: `study`,
    `hoping`, `dying`, `possibility`.

    >>> [english_begin(stem) for stem in ("visit", "studi", "hope", "die", "possibl")]
    ['visit', 'stud', 'hop', 'd', 'possib']
    """
    if stem.endswith("ie"):
        return stem[:-2]
    return stem[:-1] if stem.endswith(("i", "e", "y", "bl")) else stem


def all_among(some: Sequence[str], words: Sequence[str], language: str) -> bool:
    """Return whether all words that some words of conditions match are matched by others, too.

    >>> all_among(["visits"], ["~visit"], "en"), all_among(["~visit"], ["visits"], "en")
    (True, False)
    """
    marked = _marked(words, language)
    return all(word in words or (marked and _stem(word, language) in marked) for word in some)


def in_common(some: Sequence[str], words: Sequence[str], language: str) -> bool:
    """Return whether any word is matched both by some words of conditions and by others.

    >>> in_common(["visits", "up"], ["~visit"], "en"), in_common(["visits"], ["visit"], "en")
    (True, False)
    """
    return not {*some}.isdisjoint(words) or any(
        _stem(word, language) in marked
        for ones, others in ((some, words), (words, some))
        if (marked := _marked(ones, language))
        for word in others
    )


def _marked(words: Sequence[str], language: str) -> set[str]:
    """Return the stems of the marked words."""
    return {stem for word in words if (stem := stem_meant(word, language)) is not None}


def _stem(word: str, language: str) -> str:
    """Return the stem of a word of a condition, marked or not."""
    return stem_meant(word, language) or stemmer_of(language)(_as_it_stands(word))
