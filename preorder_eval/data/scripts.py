"""Which language a text is in, as far as its script tells, and whether it has spaces."""

from __future__ import annotations

import itertools
import unicodedata
from collections import Counter
from collections.abc import Iterable

# The script of a letter begins its name in Unicode.
_SCRIPTS = {
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "CJK": "zh",
    "HANGUL": "ko",
    "THAI": "th",
    "LAO": "lo",
    "KHMER": "km",
    "MYANMAR": "my",
    "TIBETAN": "bo",
}
UNSPACED = ("ja", "zh", "th", "lo", "km", "my", "bo")
_SENTENCES = 1000  # that are looked at
_SOME = 0.1  # of the letters: kana beside Han characters make Japanese
_LONGEST = 12  # letters on average, beyond which no words stand between spaces


def language_of(texts: Iterable[str]) -> str:
    """The code of a language that has a script of its own; empty for others.

    >>> language_of(["猫が好き"]), language_of(["我喜欢猫"]), language_of(["I like cats"])
    ('ja', 'zh', '')
    """
    letters = _letters(texts)
    total = letters.total()
    of_language: Counter[str] = Counter()
    for letter, count in letters.items():
        of_language[_SCRIPTS.get(unicodedata.name(letter, "").split(" ")[0], "")] += count
    if of_language["ja"] > _SOME * total:
        return "ja"
    best, count = max(of_language.items(), key=lambda item: item[1], default=("", 0))
    return best if count > total / 2 else ""


def unsegmented(texts: Iterable[str]) -> bool:
    """Whether texts are in a language without spaces between words, and have none.

    >>> unsegmented(["私は猫が好きです。"]), unsegmented(["私 は 猫 が 好き です 。"])
    (True, False)
    """
    some = list(itertools.islice(texts, _SENTENCES))
    if language_of(some) not in UNSPACED:
        return False
    spaces = sum(text.count(" ") + 1 for text in some if text)
    letters = sum(len(text) for text in some)
    # A short sentence by itself may be one word.
    return letters > _LONGEST * spaces or (spaces == len(some) and letters > 4 * spaces)


def _letters(texts: Iterable[str]) -> Counter[str]:
    """How often each letter occurs in the first sentences."""
    counts = Counter("".join(itertools.islice(texts, _SENTENCES)))
    return Counter({letter: count for letter, count in counts.items() if letter.isalpha()})
