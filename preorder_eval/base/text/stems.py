"""Snowball's stemmers, by their names and by the languages that they are for."""

from __future__ import annotations

import functools
from collections.abc import Callable

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.text.english_stems import english_stem

STEMS = 1 << 16  # that are kept in memory
STEMMERS = {  # by the codes of languages
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "es": "spanish", "eu": "basque", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


@functools.cache
def snowball(name: str) -> Callable[[str], str]:
    """Return Snowball's stemmer of that name: a language, or `porter` as published in 1980.

    Stems are kept in memory, because systems share most of their words. Stems are the same whether
    or not PyStemmer is installed, whose versions differ from Snowball's in Python.
    """
    if name == "english":
        return functools.lru_cache(STEMS)(english_stem)
    import snowballstemmer  # type: ignore[import-untyped]

    stemmer = getattr(snowballstemmer, f"{name.capitalize()}Stemmer")()
    return functools.lru_cache(STEMS)(stemmer.stemWord)


def stemmer_of(language: str) -> Callable[[str], str]:
    """Return the stemmer of a language, by its code; it takes words in lower case.

    Raises PreorderEvalError for a language without one.

    >>> [stemmer_of("en")(word) for word in ("visited", "studies", "study")]
    ['visit', 'studi', 'studi']
    """
    code = _code(language)
    if code not in STEMMERS:
        known = ", ".join(STEMMERS)
        raise PreorderEvalError(f"no stemmer for language {language!r}; there are {known}")
    return snowball(STEMMERS[code])


def has_stemmer(language: str) -> bool:
    """Return whether there is a stemmer of a language, given by its code.

    >>> has_stemmer("en-GB"), has_stemmer("any")
    (True, False)
    """
    return _code(language) in STEMMERS


def _code(language: str) -> str:
    return language.lower().replace("_", "-").partition("-")[0]
