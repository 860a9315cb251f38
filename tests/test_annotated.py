import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.data.reference_set import AnnotatedSentence, Translation, kept_tokens
from preorder_eval.errors import PreorderEvalError

SOURCE = ("eat", "fresh", "fish")
FISH = Translation(
    ("新鮮", "な", "魚", "を", "食べる"),
    {(0, 4): False, (1, 0): False, (1, 1): True, (2, 2): False, (2, 3): False},
    (((0, 1), (2, 3)),),
)
SENTENCE = AnnotatedSentence(SOURCE, (FISH,))


def test_links_are_replaced_in_order():
    [linked] = SENTENCE.linked(0, {(2, 0): True, (0, 1): False}).translations
    assert list(linked.links.items()) == [((0, 1), False), ((2, 0), True)]
    assert (linked.words, linked.free) == (FISH.words, FISH.free)


@pytest.mark.parametrize("link", [(3, 0), (0, 5), (-1, 0), (0, -1)])
def test_a_link_outside_is_refused(link):
    with pytest.raises(PreorderEvalError, match=f"link {link[0]}-{link[1]} is outside"):
        SENTENCE.linked(0, {link: False})


@pytest.mark.parametrize(
    ("words", "links", "free"),
    [
        # Words come between, at the ends, and in the middle of a free block.
        ("とても 新鮮 な 魚 を 食べる", "0-5 1-1 1p2 2-3 2-4", "1-2|3-4"),
        ("新鮮 な この 魚 を 食べる", "0-5 1-0 1p1 2-3 2-4", "0-2|3-4"),
        # Words go, and with them a stretch.
        ("魚 を 食べる", "0-2 2-0 2-1", ""),
        ("新鮮 な 魚 食べる", "0-3 1-0 1p1 2-2", "0-1|2"),
        # A word is cut, and another mended.
        ("新鮮 な 魚 を 食べ る", "0-4 0-5 1-0 1p1 2-2 2-3", "0-1|2-3"),
        ("新鮮 な 魚 を 食ベる", "0-4 1-0 1p1 2-2 2-3", "0-1|2-3"),
        # What stays is in another order.
        ("食べる 魚 を", "2-1 2-2", ""),
    ],
)
def test_links_and_free_blocks_follow_the_words(words, links, free):
    [changed] = SENTENCE.reworded(0, words.split()).translations
    written = [f"{s}{'p' if mark else '-'}{t}" for (s, t), mark in changed.links.items()]
    blocks = ["|".join(str(a) if a == b else f"{a}-{b}" for a, b in blk) for blk in changed.free]
    assert (" ".join(written), " ".join(blocks)) == (links, free)


def test_links_follow_the_source_words():
    changed = SENTENCE.with_source(("we", "eat", "fish"))
    assert changed.source == ("we", "eat", "fish")
    assert changed.translations[0].links == {(1, 4): False, (2, 2): False, (2, 3): False}
    assert changed.translations[0].free == FISH.free


WORDS = st.lists(st.text("ab", min_size=1, max_size=3), max_size=6)


@given(WORDS, WORDS)
def test_tokens_are_kept_in_order(old, new):
    kept = kept_tokens(old, new)
    assert len(kept) == len(old)
    flat = list(itertools.chain.from_iterable(kept))
    assert flat == sorted(flat)
    assert set(flat) <= set(range(len(new)))
    assert kept_tokens(old, old) == [[i] for i in range(len(old))]


@given(WORDS, st.data())
def test_cutting_and_joining_keeps_every_token(old, data):
    text = "".join(old)
    cuts = data.draw(st.sets(st.integers(1, max(1, len(text) - 1))))
    edges = [0, *sorted(c for c in cuts if c < len(text)), len(text)]
    new = [text[a:b] for a, b in itertools.pairwise(edges) if a < b]
    kept = kept_tokens(old, new)
    assert set(itertools.chain.from_iterable(kept)) <= set(range(len(new)))
    if sorted(map(len, new)) == [len(text)]:  # all joined into one
        assert kept == [[0] for _ in old]
