"""Tokenisations aligned by characters, against a slow obvious version."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.data.retokenize import CharacterAlignment, first_difference, text_of


@st.composite
def two_tokenisations(draw):
    """Two ways to cut a text into words."""
    text = draw(st.text("abc", min_size=1, max_size=12))

    def cut():
        borders = draw(st.sets(st.integers(1, len(text) - 1))) if len(text) > 1 else set()
        places = [0, *sorted(borders), len(text)]
        return [text[a:b] for a, b in itertools.pairwise(places)]

    return cut(), cut()


def owners(words):
    """For every character the word that it is of."""
    return [number for number, word in enumerate(words) for _ in word]


@given(two_tokenisations())
def test_words_that_share_characters(tokenisations):
    words, others = tokenisations
    shared = [
        {b for a, b in zip(owners(words), owners(others), strict=True) if a == number}
        for number in range(len(words))
    ]
    aligned = CharacterAlignment.of(words, others)
    assert aligned.first.tolist() == list(map(min, shared))
    assert aligned.last.tolist() == list(map(max, shared))
    alone = [
        len(numbers) == 1 and owners(others).count(min(numbers)) == len(words[i])
        for i, numbers in enumerate(shared)
    ]
    assert aligned.same.tolist() == alone


@given(two_tokenisations())
def test_the_same_characters_do_not_differ(tokenisations):
    words, others = tokenisations
    assert first_difference(words, others) is None
    assert first_difference(words, [*others, "x"]) == (len(words), len(others))
    assert first_difference([*words, "x"], others) == (len(words), len(others))


def test_a_difference_is_of_whole_words():
    assert first_difference(["a", "bark", "b"], ["a", "barks", "b"]) == (1, 1)
    assert first_difference(["ab", "c"], ["a", "bx", "c"]) == (0, 1)


def test_white_space_is_no_character():
    assert text_of(["1 000", "\u00a0"]) == "1000\u00a0"
    assert first_difference(["a b", "c"], ["ab", "x"]) == (1, 1)
    assert CharacterAlignment.of(["a b"], ["a", "b"]).last.tolist() == [1]
