import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.data.arrays import offsets_of
from preorder_eval.data.ragged import Comments

lines = st.text(st.characters(exclude_characters="\n", exclude_categories=("Cs",)), max_size=4)
sentences = st.lists(st.lists(lines, max_size=3).map(tuple), max_size=5)


def comments_of(made):
    texts = ["".join(f"{line}\n" for line in of_sentence).encode() for of_sentence in made]
    return Comments(offsets_of(map(len, texts)), np.frombuffer(b"".join(texts), dtype=np.uint8))


@given(sentences, sentences, st.slices(5))
def test_they_are_the_list_of_their_lines(made, others, part):
    comments = comments_of(made)
    assert (list(comments), len(comments)) == (made, len(made))
    assert comments[part] == made[part]
    assert comments == made
    assert (comments == comments_of(others)) == (made == others)


def test_a_sentence_that_is_not_there():
    with pytest.raises(IndexError):
        comments_of([("# a",)])[1]
