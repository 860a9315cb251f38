"""Snowball's stemmer of English, version 2.2, ten times as fast as Snowball's own in Python.

It is Porter2 (https://snowballstem.org/algorithms/english/stemmer.html). Version 3 of Snowball has
other rules. A *region* R1 begins after the first consonant behind the first vowel, R2 in the same
way within R1. Most suffixes are cut off only inside a region, and of all suffixes that a word ends
in only the longest counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

IRREGULAR = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl",
    "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
    **{word: word for word in ["andes", "atlas", "bias", "cosmos", "howe", "news", "sky"]},
}  # fmt: skip
_KEPT = frozenset(
    ["canning", "earring", "exceed", "herring", "inning", "outing", "proceed", "succeed"]
)
_VOWEL = re.compile("[aeiouy]")
_VOWEL_Y = re.compile("([aeiouy])y")
_R1 = re.compile("arsen|commun|gener|[^aeiouy]*[aeiouy]+[^aeiouy]")
_R2 = re.compile("[^aeiouy]*[aeiouy]+[^aeiouy]")
_SHORT = re.compile(r"(?:[^aeiouy][aeiouy][^aeiouywxY]|\A[aeiouy][^aeiouy])\Z")

Endings = dict[str, list[str]]  # by the last letter, the longest first


def _endings(suffixes: Iterable[str]) -> Endings:
    found: Endings = {}
    for suffix in sorted(suffixes, key=len, reverse=True):
        found.setdefault(suffix[-1], []).append(suffix)
    return found


_STEP_1B = _endings(["eed", "eedly", "ed", "edly", "ing", "ingly"])
_TO_E, _DOUBLE = ("at", "bl", "iz"), ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
_STEP_2 = {
    "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent",
    "izer": "ize", "ization": "ize", "ational": "ate", "ation": "ate", "ator": "ate",
    "alism": "al", "aliti": "al", "alli": "al", "fulness": "ful", "fulli": "ful",
    "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble",
    "bli": "ble", "ogi": "og", "lessli": "less", "li": "",
}  # fmt: skip
_STEP_3 = {
    "tional": "tion", "ational": "ate", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic",
    "ful": "", "ness": "", "ative": "",
}  # fmt: skip
_STEP_4 = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ism", "ate",
    "iti", "ous", "ive", "ize", "ion",
]  # fmt: skip
# What the letter before a suffix must be.
_BEHIND = {"ogi": "l", "li": "cdeghkmnrt", "ion": "st"}
_IN_2, _IN_3, _IN_4 = _endings(_STEP_2), _endings(_STEP_3), _endings(_STEP_4)


def english_stem(word: str) -> str:
    """Return the stem of an English word in lower case.

    >>> [english_stem(word) for word in ("possibilities", "hoping", "hopping", "dying", "cat's")]
    ['possibl', 'hope', 'hop', 'die', 'cat']
    """
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) < 3:
        return word
    word = word.removeprefix("'")
    marked = word
    if "y" in word:  # as a consonant it is written Y
        marked = _VOWEL_Y.sub(r"\1Y", f"Y{word[1:]}" if word[0] == "y" else word)
    r1 = _end(_R1.match(marked), marked)
    r2 = _end(_R2.match(marked, r1), marked)
    stem = _without_plural(marked)
    if stem not in _KEPT:
        stem = _without_verbal(stem, r1)
        if stem[-1:] in ("y", "Y") and len(stem) > 2 and not _VOWEL.match(stem[-2]):
            stem = f"{stem[:-1]}i"
        stem = _without_nominal(stem, r1, r2)
    return stem if marked == word else stem.replace("Y", "y")


def _end(found: re.Match[str] | None, word: str) -> int:
    return found.end() if found else len(word)


def _ending(word: str, endings: Endings) -> str:
    for suffix in endings.get(word[-1:], ()):
        if word.endswith(suffix):
            return suffix
    return ""


def _without_plural(word: str) -> str:
    """Return a word without its genitive and the ending of a plural or a third person."""
    if "'" in word:
        word = word.removesuffix("'").removesuffix("'s")
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[: -2 if len(word) > 4 else -1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _VOWEL.search(word[:-2]):
        return word[:-1]
    return word


def _without_verbal(word: str, r1: int) -> str:
    """Return a word without `ed`, `ing` and the like."""
    suffix = _ending(word, _STEP_1B)
    rest = word[: len(word) - len(suffix)]
    if suffix.startswith("eed"):
        return f"{rest}ee" if len(rest) >= r1 else word
    if not (suffix and _VOWEL.search(rest)):
        return word
    if rest.endswith(_TO_E) or (len(rest) == r1 and _SHORT.search(rest)):
        return f"{rest}e"
    return rest[:-1] if rest.endswith(_DOUBLE) else rest


def _without_nominal(word: str, r1: int, r2: int) -> str:
    """Return a word without the suffixes that make nouns, adjectives and adverbs."""
    for suffixes, endings in ((_STEP_2, _IN_2), (_STEP_3, _IN_3)):
        suffix = _ending(word, endings)
        start = len(word) - len(suffix)
        if suffix and start >= (r2 if suffix == "ative" else r1) and _fits(word, suffix, start):
            word = word[:start] + suffixes[suffix]
    suffix = _ending(word, _IN_4)
    start = len(word) - len(suffix)
    if suffix and start >= r2 and _fits(word, suffix, start):
        word = word[:start]
    last = len(word) - 1
    if word.endswith("e"):
        if last >= r2 or (last >= r1 and not _SHORT.search(word[:-1])):
            return word[:-1]
    elif word.endswith("ll") and last >= r2:
        return word[:-1]
    return word


def _fits(word: str, suffix: str, start: int) -> bool:
    before = _BEHIND.get(suffix)
    return before is None or (start > 0 and word[start - 1] in before)
