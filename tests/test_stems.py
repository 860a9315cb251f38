"""Stems are Snowball's 2.2, computed faster in English, whatever else is installed."""

import pytest
import snowballstemmer
from hypothesis import given
from hypothesis import strategies as st

import preorder_eval as pe
from preorder_eval.base.text import english_stems
from preorder_eval.base.text.english_stems import english_stem
from preorder_eval.base.text.stems import STEMMERS, snowball

SNOWBALL = snowballstemmer.EnglishStemmer().stemWord
BEGINNINGS = ["", "'", "y", "gener", "commun", "arsen", *english_stems.IRREGULAR]
BEGINNINGS += english_stems._KEPT
SUFFIXES = ["", "s", "es", "ies", "sses", "us", "'s", "'", "ed", "eed", "edly", "eedly", "ing"]
SUFFIXES += ["ingly", "ly", "y", "e", "l", *english_stems._STEP_2, *english_stems._STEP_3]
SUFFIXES += english_stems._STEP_4
SYLLABLES = st.text("aeiouybcdghklmnprstvwxzY'é", max_size=4)
WORDS = st.tuples(
    st.sampled_from(BEGINNINGS), SYLLABLES, st.lists(st.sampled_from(SUFFIXES), max_size=3)
).map(lambda parts: "".join([parts[0], parts[1], *parts[2]]))


@given(st.lists(WORDS | st.text(max_size=5), max_size=12))
def test_english_stems_are_those_of_snowball(words):
    assert [english_stem(word) for word in words] == [SNOWBALL(word) for word in words]


@pytest.mark.parametrize("last", ["", "s", "ed", "ing", "e", "ly"])
def test_each_suffix_goes_as_in_snowball(last):
    roots = ["b", "ab", "bab", "babl", "tax", "babab", "bababag", "bababas"]
    words = [root + suffix + last for root in roots for suffix in SUFFIXES]
    assert list(map(english_stem, words)) == list(map(SNOWBALL, words))


def test_stems_of_bundled_sentences_are_those_of_snowball():
    words = list(map(str.lower, pe.load_reference("en-ja-web").words.words.names))
    assert [english_stem(word) for word in words] == list(map(SNOWBALL, words))


def test_installing_pystemmer_changes_no_stem(monkeypatch):
    def other(name):
        raise AssertionError(f"stemmer of {name} that is not Snowball's in Python")

    monkeypatch.setattr(snowballstemmer, "stemmer", other)
    for name in (*STEMMERS.values(), "porter"):
        assert snowball.__wrapped__(name)("") == ""
