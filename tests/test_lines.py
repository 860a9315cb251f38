import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.data.ragged import Lines

lines = st.text(st.characters(exclude_characters="\n", exclude_categories=("Cs",)), max_size=4)
texts = st.lists(lines, max_size=6)


def lines_of(made):
    return Lines.of("".join(f"{line}\n" for line in made).encode())


@given(texts, texts, st.slices(6))
def test_they_are_the_list_of_their_lines(made, others, part):
    found = lines_of(made)
    assert (list(found), len(found)) == (made, len(made))
    assert [found[number] for number in range(-len(made), len(made))] == made * 2
    assert found[part] == made[part]
    assert found == made
    assert (found == lines_of(others)) == (made == others)


def test_a_line_that_is_not_there():
    with pytest.raises(IndexError):
        lines_of(["a"])[1]
