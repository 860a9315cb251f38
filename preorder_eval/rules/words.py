"""Words of conditions: each as it stands, or marked, for all words of a stem.

`~visit` stands for *visit*, *visits*, *visited* and *visiting*: for all words whose Snowball stem
is that of *visit* in the source language of the rules. A word of the text that itself begins with
`~` and a letter is written with a second `~`. All are in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.text.english_stems import IRREGULAR
from preorder_eval.base.text.stems import stemmer_of

_LETTERS = 3  # of most words, by which they are found
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
    marked = word.startswith("~") and not word.startswith("~~")
    return word[1:] if marked and _MARK.match(word) else word


def _as_it_stands(word: str) -> str:
    """Return the word of the text that an unmarked word stands for."""
    return word[1:] if word.startswith("~~") and _MARK.match(word) else word


@lru_cache(maxsize=4)
def vocabulary(names: tuple[str, ...], language: str) -> Vocabulary:
    """Return how to find words of conditions among some names."""
    return Vocabulary(names, language)


class Vocabulary:
    """The names that words of conditions stand for, found by their codes.

    >>> sorted(Vocabulary(("Visits", "visitor", "Up", "visited"), "en").codes(["~visit", "up"]))
    [0, 2, 3]
    """

    def __init__(self, names: tuple[str, ...], language: str) -> None:
        self._language = language
        self._english = language.partition("-")[0] == "en"
        self._lower = NameColumn.of(map(str.lower, names))
        self._number = {name: number for number, name in enumerate(self._lower.names)}
        # Conditions share their lists of words, lists some words, and words their stems.
        self._found: dict[tuple[str, ...], list[int]] = {}
        self._of_word: dict[str, Sequence[int]] = {}
        self._of_stem: dict[str, list[int]] = {}

    def codes(self, words: Sequence[str]) -> list[int]:
        """Return the codes of all names that some words match, upper or lower case."""
        if (key := tuple(words)) not in self._found:
            for word in key:
                if word not in self._of_word:
                    self._of_word[word] = self._numbers(word)
            numbers = dict.fromkeys(n for word in key for n in self._of_word[word])
            self._found[key] = self._lower.tokens([*numbers]).tolist()
        return self._found[key]

    def _numbers(self, word: str) -> Sequence[int]:
        """Return the numbers of the words in lower case that a word of a condition matches."""
        stem = stem_meant(word, self._language) if word.startswith("~") else None
        if stem is None:
            number = self._number.get(_as_it_stands(word))
            return () if number is None else (number,)
        if stem not in self._of_stem:
            # Stemming is slow, so it is left to few words where a stem tells how they begin.
            some = self._beginning(english_begin(stem)) if self._english else ()
            stem_of = stemmer_of(self._language)
            words = [word for word in some if stem_of(word) == stem]
            alike = dict.fromkeys([*words, *self._others.get(stem, ())])
            self._of_stem[stem] = [self._number[word] for word in alike]
        return self._of_stem[stem]

    def _beginning(self, begin: str) -> list[str]:
        """Return the words that begin so."""
        known, first = self._by_beginning, begin[:_LETTERS]
        among = (
            [first] if len(first) == _LETTERS else [key for key in known if key.startswith(first)]
        )
        return [word for key in among for word in known.get(key, ()) if word.startswith(begin)]

    @cached_property
    def _by_beginning(self) -> dict[str, list[str]]:
        """The words by their first letters, which takes less time than to sort them."""
        known: dict[str, list[str]] = {}
        for word in self._number:
            known.setdefault(word[:_LETTERS], []).append(word)
        return known

    @cached_property
    def _others(self) -> dict[str, list[str]]:
        """The words, by stem, that do not begin as their stem tells; all words but for English."""
        others: Iterable[str] = self._number
        if self._english:
            others = [*self._beginning("'"), *(self._number.keys() & IRREGULAR.keys())]
        by_stem: dict[str, list[str]] = {}
        for word in others:
            by_stem.setdefault(stemmer_of(self._language)(word), []).append(word)
        return by_stem


def english_begin(stem: str) -> str:
    """Return the prefix shared by all English words of a stem but irregular ones.

    The end of a stem differs from that of its words where the stemmer replaces a suffix: `study`,
    `hoping`, `possibility`. An apostrophe in front of a word is ignored.

    >>> [english_begin(stem) for stem in ("visit", "studi", "hope", "see", "possibl")]
    ['visit', 'stud', 'hop', 'see', 'possib']
    """
    replaced = stem.endswith(("i", "bl")) or (stem.endswith("e") and stem[-2:-1] not in "aeiou")
    return stem[:-1] if replaced else stem


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
