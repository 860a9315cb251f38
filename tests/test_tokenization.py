"""Tokenizers, languages by their script, and text without spaces between words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.text.tokenization import language_of, tokenizer, tokenizer_for, unsegmented


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I like cats .", ""),
        ("Ich mag Katzen.", ""),
        ("我喜欢猫。", "zh"),
        ("東京都庁", "zh"),  # without kana nobody can tell
        ("私は猫が好きです。", "ja"),
        ("OpenAI の GPT", ""),
        ("컴퓨터가 좋아요", "ko"),
        ("ฉันชอบแมว", "th"),
        ("Кошки", ""),
        ("", ""),
        ("123 !?", ""),
    ],
)
def test_language_by_its_script(text, language):
    assert language_of([text]) == language


def test_a_name_in_another_script_does_not_count():
    assert language_of(["He wrote 東京 on the wall of the house ."] * 3) == ""
    assert language_of(["これは Python です"] * 3) == "ja"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["私は猫が好きです。", "犬も好きです。"], True),
        (["私 は 猫 が 好き です 。", "犬 も 好き です 。"], False),
        (["我喜欢猫，也喜欢狗，但是不喜欢鱼。"], True),
        (["我 喜欢 猫 。"], False),
        (["猫", "犬"], False),
        (["私は猫"], False),
        (["私は猫だ"], False),
        (["私は猫だよ"], True),
        (["I like cats, and also dogs, but not fish."], False),
        (["컴퓨터가 좋아요"], False),
        ([], False),
    ],
)
def test_text_without_spaces_between_words(texts, expected):
    assert unsegmented(texts) is expected


@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "13a"), ("de-AT", "13a"), ("zh", "zh"), ("zh_TW", "zh"), ("th", "char"), ("", "13a")],
)
def test_tokenizers_of_languages(language, name):
    assert tokenizer_for(language) == name


def test_japanese_and_korean_are_split_by_what_is_installed(monkeypatch):
    monkeypatch.setattr("preorder_eval.base.text.tokenization.find_spec", lambda name: None)
    assert (tokenizer_for("ja"), tokenizer_for("ko-KR")) == ("char", "13a")
    monkeypatch.setattr("preorder_eval.base.text.tokenization.find_spec", lambda name: object())
    assert (tokenizer_for("ja"), tokenizer_for("ko-KR")) == ("ja-mecab", "ko-mecab")


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("13a", "Dogs, cats.", ["Dogs", ",", "cats", "."]),
        ("intl", "Dogs, 1.5", ["Dogs", ",", "1.5"]),
        ("zh", "我爱ab", ["我", "爱", "ab"]),
        ("none", " a  b\u3000c", ["a", "b", "c"]),
    ],
)
def test_tokenizers(name, text, tokens):
    assert tokenizer(name)(text) == tokens


@given(st.text("a1.,- &;\"'<>/é\u3000\n。%[]{}_^`~!$(+*:@x", max_size=14), st.booleans())
def test_13a_is_that_of_sacrebleu(text, more):
    text += "&quot;&amp;lt;<skipped>-\n" * more
    assert tokenizer("13a")(text) == Tokenizer13a()(text).split()


def test_tokenizers_that_are_not_there(monkeypatch):
    import sacrebleu.metrics.bleu

    def missing(**_):
        raise RuntimeError("needs mecab")

    with pytest.raises(PreorderEvalError, match="unknown tokenizer '13b'"):
        tokenizer("13b")
    monkeypatch.setattr(sacrebleu.metrics.bleu, "BLEU", missing)
    with pytest.raises(PreorderEvalError, match=r"pip install 'preorder-eval\[ja\]'"):
        tokenizer("ja-mecab")
