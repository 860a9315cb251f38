import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.data import ragged
from preorder_eval.data.ragged import Column

names = st.lists(st.sampled_from(["a", "A", "b", "", "犬"]), max_size=9)


@given(names, names)
def test_a_column_equals_the_list_of_its_names(one, other):
    column = Column.of(one)
    assert column == one
    assert (column == Column.of(other)) == (one == other)
    assert (column != other) == (one != other)


@given(names, st.slices(9))
def test_it_can_be_used_as_that_list(values, part):
    column = Column.of(values)
    assert (list(column), len(column)) == (values, len(values))
    assert column[part] == values[part]
    assert column.take(part) == values[part]
    assert [column[i] for i in range(len(values))] == values
    assert ("犬" in column, column.count("a")) == ("犬" in values, values.count("a"))


def test_names_may_stand_under_several_codes():
    column = Column(np.array([0, 1, 2], dtype=np.int32), ("a", "b", "a"))
    assert column == Column.of(["a", "b", "a"])
    assert column != Column.of(["a", "b", "b"])


@given(names)
def test_renamed(values):
    lower = Column.of(values).renamed(str.lower)
    assert lower == [value.lower() for value in values]
    assert len(set(lower.names)) == len(lower.names)


def test_a_long_column_is_listed_in_parts(monkeypatch):
    monkeypatch.setattr(ragged, "_NAMES", 2)
    assert list(Column.of("abcab")) == list("abcab")


def test_a_place_that_is_not_there():
    with pytest.raises(IndexError):
        Column.of(["a"])[1]
