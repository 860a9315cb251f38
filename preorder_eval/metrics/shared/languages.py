"""How a language's text is split for BLEU that can be compared with what others publish.

As WMT and sacrebleu recommend: `13a`, but `zh` for Chinese, `ja-mecab` for Japanese, and characters
for other languages without spaces between words. `ja-mecab` needs the extra `[ja]` to be
installed; without it Japanese is split into characters.
"""

from __future__ import annotations

from importlib.util import find_spec

from preorder_eval.data.scripts import UNSPACED
from preorder_eval.data.segments import Tokenize


def tokenizer_for(language: str) -> Tokenize:
    """The tokenizer of a language, by its code; an empty one is any language with spaces.

    >>> tokenizer_for("en"), tokenizer_for("zh"), tokenizer_for("th"), tokenizer_for("")
    ('13a', 'zh', 'char', '13a')
    """
    code = language.lower().replace("_", "-").partition("-")[0]
    if code == "zh":
        return "zh"
    if code == "ja" and find_spec("MeCab") is not None and find_spec("ipadic") is not None:
        return "ja-mecab"
    return "char" if code in UNSPACED else "13a"
