"""Words as numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.data.ragged import Interner, blocks_of_lines, split_words

# Long ones that differ early, late and in length only, around the eight bytes of a number.
LONG = ["a" * 8, "a" * 9, "日本語", "é" * 13]
words = st.text("ab", min_size=1, max_size=26) | st.sampled_from(LONG)


@given(st.lists(st.lists(words, max_size=6)), st.integers(1, 40))
def test_words_are_numbered_in_the_order_of_their_first_occurrence(rows, block):
    interner, codes, counts = Interner(), [], []
    text = "".join(" ".join(row) + "\n" for row in rows).encode()
    for part in blocks_of_lines(text, block):
        split = split_words(part)
        codes += interner.codes(part, split.starts, split.ends).tolist()
        counts += split.counts.tolist()
    flat = [word for row in rows for word in row]
    assert list(interner.names()) == list(dict.fromkeys(flat))
    assert [interner.names()[code] for code in codes] == flat
    assert counts == list(map(len, rows))
