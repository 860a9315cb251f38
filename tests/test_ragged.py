"""Flat arrays, and what looks like a list on top of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.base import ragged
from preorder_eval.base.arrays import blocks, in_order, matrix_product, offsets_of, sums
from preorder_eval.base.ragged import Lines, NameColumn, Sentences, sentence_lengths
from preorder_eval.orders.orders import SourceWords

numbers = st.integers(-3, 9) | st.sampled_from([2**31, 2**40, 2**62])
line = st.text(st.characters(exclude_characters="\n", exclude_categories=("Cs",)), max_size=4)
name = st.sampled_from(["a", "A", "b", "", "犬"])


@given(st.lists(st.tuples(numbers, numbers, st.integers(0, 3))))
def test_rows_are_sorted_as_tuples_are_and_equal_ones_stay_in_order(rows):
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    assert in_order(*columns).tolist() == sorted(range(len(rows)), key=rows.__getitem__)


def test_a_product_gives_no_alarm():
    """BLAS libraries give false ones for finite numbers, at times; this one is right."""
    assert np.isnan(matrix_product(np.array([[np.inf]]), np.array([[0.0]])))


@given(st.lists(st.lists(st.integers(-3, 9))))
def test_sums_are_of_each_sentence(rows):
    flat = np.array([number for row in rows for number in row], dtype=np.int64)
    offsets = offsets_of(map(len, rows))
    assert sums(flat, offsets).tolist() == list(map(sum, rows))
    assert sums(flat > 0, offsets).tolist() == [sum(n > 0 for n in row) for row in rows]


@given(st.lists(st.integers(0, 6)), st.integers(1, 9))
def test_blocks_hold_every_sentence_once(lengths, size):
    stretches = list(blocks(offsets_of(lengths), size))
    assert [s for first, last in stretches for s in range(first, last)] == list(range(len(lengths)))


def lines_of(items):
    return Lines.of("".join(f"{item}\n" for item in items))


LISTS = {
    "lines": (lines_of, line),
    "sentences": (Sentences.of, st.lists(name, max_size=3)),
    "names": (NameColumn.of, name),
}


@pytest.mark.parametrize("kind", LISTS)
@given(st.data())
def test_they_are_the_list_of_their_items(kind, data):
    made_of, item = LISTS[kind]
    items, others = (data.draw(st.lists(item, max_size=6)) for _ in range(2))
    made, part = made_of(items), data.draw(st.slices(6))
    assert (list(made), len(made)) == (items, len(items))
    assert [made[number] for number in range(-len(items), len(items))] == items * 2
    assert made[part] == items[part]
    assert made == items
    assert (made == made_of(others)) == (items == others)
    assert made != None  # noqa: E711
    with pytest.raises(IndexError):
        made[len(items)]


@given(st.lists(st.lists(name, max_size=3), min_size=1, max_size=4), st.data())
def test_some_of_the_sentences(items, data):
    chosen = data.draw(st.lists(st.integers(0, len(items) - 1)))
    first = data.draw(st.integers(0, len(items)))
    last = data.draw(st.integers(first, len(items)))
    sentences, words = Sentences.of(items), SourceWords.of(items)
    taken = [items[s] for s in chosen]
    assert sentences.take(np.array(chosen, dtype=np.int64)) == taken
    assert sentences.part(first, last) == items[first:last]
    for part, expected in (
        (words.take(np.array(chosen, dtype=np.int64)), taken),
        (words.part(first, last), items[first:last]),
        (SourceWords.of(sentences), items),
    ):
        again = SourceWords.of(expected)
        assert list(part) == expected
        assert part.repeated.tolist() == again.repeated.tolist()
        assert (np.diff(part.number) > 0).tolist() == (np.diff(again.number) > 0).tolist()
    assert sentence_lengths(sentences) == sentence_lengths(items) == list(map(len, items))


@given(st.lists(name, max_size=9), st.slices(9))
def test_columns(values, part):
    column = NameColumn.of(values)
    assert column.take(part) == values[part]
    assert ("犬" in column, column.count("a")) == ("犬" in values, values.count("a"))
    lower = column.renamed(str.lower)
    assert lower == [value.lower() for value in values]
    assert len(set(lower.names)) == len(lower.names)
    assert column.where(str.islower).tolist() == [value.islower() for value in values]


def test_names_may_stand_under_several_codes():
    column = NameColumn(np.array([0, 1, 2], dtype=np.int32), ("a", "b", "a"))
    assert column == NameColumn.of(["a", "b", "a"])
    assert column != NameColumn.of(["a", "b", "b"])


def test_what_is_long_is_listed_in_parts(monkeypatch):
    monkeypatch.setattr(ragged, "_NAMES", 2)
    monkeypatch.setattr(ragged, "_LINES", 2)
    assert list(NameColumn.of("abcab")) == list(lines_of("abcab")) == list("abcab")


@given(st.lists(st.lists(name, max_size=6)))
def test_words_are_numbered_in_the_order_of_their_first_occurrence(rows):
    sentences = Sentences.of(iter(rows))
    assert sentences == rows
    assert list(sentences.words.names) == list(dict.fromkeys(word for row in rows for word in row))


@pytest.mark.parametrize("bits", [31, 32, 60, 61, 62, 63])
def test_rows_of_numbers_that_hardly_fit_into_one_are_sorted(bits):
    column = np.array([2**bits - 1, 0, 2**bits - 2, 2**bits - 1], dtype=np.int64)
    assert in_order(column).tolist() == [1, 2, 0, 3]
