"""Tokenised sentences."""

from __future__ import annotations

import pytest

from preorder_eval.data.arrays import offsets_of
from preorder_eval.data.orders import SourceWords
from preorder_eval.data.ragged import Column, Sentences, sentence_lengths

ROWS = [["a", "b"], ["c"], ["a", "a", "b"]]


@pytest.fixture
def sentences():
    return Sentences(offsets_of(map(len, ROWS)), Column.of(word for row in ROWS for word in row))


def test_they_are_a_list_of_lists_of_words(sentences):
    assert sentences == ROWS
    assert sentences == list(sentences) == sentences[:]
    assert (sentences[-1], sentences[1:], len(sentences)) == (ROWS[2], ROWS[1:], 3)
    assert sentences.index(["c"]) == 1
    with pytest.raises(IndexError):
        sentences[3]


@pytest.mark.parametrize("other", [ROWS[:2], [*ROWS[:2], ["a"]], "abc", None])
def test_other_sentences_are_not_equal(sentences, other):
    assert sentences != other


def test_their_lengths_and_words_are_those_of_the_lists(sentences):
    assert sentence_lengths(sentences) == sentence_lengths(ROWS) == [2, 1, 3]
    here, there = SourceWords.of(sentences), SourceWords.of(ROWS)
    assert here.repeated.tolist() == there.repeated.tolist() == [3, 4]
    assert here.words.names == there.words.names
