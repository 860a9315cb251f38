from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.analysis.word_matches import word_matches
from preorder_eval.data.segments import Segments

sentences = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)


@st.composite
def corpora(draw):
    """Outputs with one or two streams of references."""
    size = draw(st.integers(1, 4))
    stream = st.lists(sentences, min_size=size, max_size=size)
    return draw(stream), draw(st.lists(stream, min_size=1, max_size=2))


def shared(one, other):
    return (Counter(one.split()) & Counter(other.split())).total()


def f(output, reference):
    words = len(output.split()) + len(reference.split())
    return 2 * shared(output, reference) / words if words else 0


def first_instances(words, others):
    """Which words are among the others, the first ones as often as there are others."""
    left, matched = Counter(others), []
    for word in words:
        matched.append(left[word] > 0)
        left[word] -= 1
    return matched


@given(corpora())
def test_words_match_as_when_they_are_ticked_off_one_by_one(corpus):
    outputs, streams = corpus
    matches = word_matches(Segments.of(outputs, streams))
    right, found, all_words = [], [], [w for stream in streams for s in stream for w in s.split()]
    for s, output in enumerate(outputs):
        choices = [stream[s] for stream in streams]
        best = max(range(len(choices)), key=lambda n: (f(output, choices[n]), -n))
        assert matches.which[s] == best
        words, others = output.split(), choices[best].split()
        right += first_instances(words, others)
        found += first_instances(others, words)
    assert matches.right.tolist() == right
    assert matches.found.tolist() == found
    chosen = [streams[n][s].split() for s, n in enumerate(matches.which)]
    assert [all_words[p] for p in matches.place] == [word for words in chosen for word in words]


def test_what_streams_have_is_taken_from_the_nearest():
    segments = Segments.of(["a b", "c"], [["x y", "c"], ["a", "d d"]])
    matches = word_matches(segments)
    streams = [np.array([1, 2, 3], dtype=np.int32), np.array([4, 5, 6], dtype=np.int32)]
    assert matches.of_references(streams).tolist() == [4, 3]
