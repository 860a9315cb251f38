"""Porter's stemmer with the extensions of NLTK, which rouge-score takes (Porter 1980).

A word is a sequence of consonants (c) and vowels (v); its *measure* is how often a vowel is
followed by a consonant. Suffixes are taken off in steps, if the measure of what stays is large
enough. NLTK adds irregular forms, keeps `y` behind vowels (enjoy), keeps `ie` of short words (died,
dies) and takes more off adverbs (-fulli, -logi).
"""

from __future__ import annotations

_UNCHANGED = ["sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed", "succeed"]
_IRREGULAR = {word: word for word in _UNCHANGED}
_IRREGULAR |= {f"{word}s": word for word in ("inning", "outing", "canning")}
_IRREGULAR |= {"skies": "sky", "dying": "die", "lying": "lie", "tying": "tie"}
Rules = list[tuple[str, str]]


def _rules(written: str) -> Rules:
    return [(suffix, new) for suffix, _, new in (rule.partition(":") for rule in written.split())]


# Steps 2, 3 and 4 of the paper; of several suffixes the first one counts.
_SECOND = _rules(
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e "
    "ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous "
    "aliti:al iviti:ive biliti:ble fulli:ful"
)
_THIRD = _rules("icate:ic ative alize:al iciti:ic ical:ic ful ness")
_FOURTH = _rules("al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize")


def stem(word: str) -> str:
    """Return the stem of a lower-cased word of more than two letters.

    >>> [stem(word) for word in ("relational", "enjoyed", "dies", "hopping", "carefully")]
    ['relat', 'enjoy', 'die', 'hop', 'care']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    word = _verb_endings(_plural(word))
    if word.endswith("y") and len(word) > 2 and _shape(word)[-2] == "c":
        word = word[:-1] + "i"
    while word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]
    if word.endswith("logi"):
        word = word[:-1] if _measure(word[:-3]) > 0 else word
    else:
        word = _without(word, _SECOND, 0)
    word = _without(word, _THIRD, 0)
    if not word.endswith("ion") or word[-4:-3] in ("s", "t"):
        word = _without(word, _FOURTH, 1)
    if word.endswith("e"):
        rest = word[:-1]
        if _measure(rest) > 1 or (_measure(rest) == 1 and not _is_short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _plural(word: str) -> str:
    """Take off the endings of step 1a."""
    if word.endswith("ies"):
        return word[: -1 if len(word) == 4 else -2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _verb_endings(word: str) -> str:
    """Take off the endings of step 1b, and fix what stays."""
    if word.endswith("ied"):
        return word[: -1 if len(word) == 4 else -2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    rest = next((word[: -len(end)] for end in ("ed", "ing") if word.endswith(end)), "")
    if "v" not in _shape(rest):
        return word
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if rest[-2:-1] == rest[-1] and _shape(rest)[-1] == "c":
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _is_short(rest) else rest


def _without(word: str, rules: Rules, least: int) -> str:
    """Replace the first suffix that the word has, if the measure of the rest is above `least`."""
    for suffix, new in rules:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            return rest + new if _measure(rest) > least else word
    return word


def _shape(word: str) -> str:
    """Return c and v for consonants and vowels; y is a vowel behind a consonant."""
    shape = ""
    for letter in word:
        is_vowel = letter in "aeiou" or (letter == "y" and shape[-1:] == "c")
        shape += "v" if is_vowel else "c"
    return shape


def _measure(word: str) -> int:
    return _shape(word).count("vc")


def _is_short(word: str) -> bool:
    """Return whether a word ends as -wil, -hop, or is two letters, such as us."""
    shape = _shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")
