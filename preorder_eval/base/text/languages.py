"""Codes of languages (`languages.toml`), and whether a text has the script of a language."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterable
from pathlib import Path

from preorder_eval.base.errors import PreorderEvalError, argument
from preorder_eval.base.text.tokenization import (
    LOOKED_AT,
    SCRIPTS,
    language_of,
    letters_by_language,
)

_LISTED = tomllib.loads(Path(__file__).with_name("languages.toml").read_text("utf-8"))
_CODE_OF: dict[str, str] = {
    code: entry[:2] for entry in _LISTED["codes"].split() for code in entry.split(":")
}
_CODE_OF |= {code: code for code in _LISTED["others"].split()}
_REGIONS = frozenset(_LISTED["regions"].split())


def language_code(language: str) -> str:
    """Return the shortest code of a language, without its region or script.

    Raises PreorderEvalError for what is no known code, and for a pair of languages.

    >>> language_code("jpn"), language_code("zh_Hant"), language_code("pt-BR"), language_code("hsb")
    ('ja', 'zh', 'pt', 'hsb')
    """
    first, *more = language.replace("_", "-").split("-")
    code = _CODE_OF.get(first.lower(), "")
    second = [part for part in more if part in _CODE_OF and part != code]
    if code and (not second or f"{code}-{second[0]}" in _REGIONS):
        return code
    problem = "is a pair of languages" if code else "is not a known language code"
    raise PreorderEvalError(
        f"language {language!r} {problem}; give one code of ISO 639, such as ja or jpn, or name a "
        f"tokenizer: {argument('tokenize=13a')}"
    )


def check_script(language: str, texts: Iterable[str]) -> None:
    """Raise PreorderEvalError for a text in another script than that of its language.

    Only the scripts for which tokenizers differ are checked.

    >>> check_script("ja", ["猫が好き"])
    >>> check_script("de", ["猫が好き"])
    Traceback (most recent call last):
        ...
    preorder_eval.base.errors.PreorderEvalError: language de, but the text is written as ja is; ...
    """
    some = list(itertools.islice(texts, LOOKED_AT))
    found, letters = language_of(some), letters_by_language(some)
    own = {"ja": {"ja", "zh"}}.get(language, {language})  # Japanese has Han characters, too
    is_other = found and found not in own
    lacks_it = language in SCRIPTS and letters and not own & letters.keys()
    if is_other or lacks_it:
        written = f"is written as {found} is" if is_other else "has no letter of its script"
        how = argument("language=…")
        raise PreorderEvalError(
            f"language {language}, but the text {written}; omit {how}, or check the files"
        )
