"""Segments: interning, tokenisation, parts, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.text.tokenization import split_at_spaces
from preorder_eval.metrics import segments as module
from preorder_eval.metrics.segments import Segments

HYPOTHESES = ["the cat sat", "", "A\u3000b c"]
REFERENCES = [["the cat sat down", "a", "A\u3000b"], ["sat", "", "c  c "]]


@pytest.fixture
def segments():
    return Segments.of(HYPOTHESES, REFERENCES)


def words(segments, tokens):
    return [[segments.names[code] for code in sentence] for sentence in tokens]


def test_words_of_both_sides_have_the_same_numbers(segments):
    assert words(segments, segments.hypotheses) == [["the", "cat", "sat"], [], ["A\u3000b", "c"]]
    assert words(segments, segments.references[0])[2] == ["A\u3000b"]
    assert words(segments, segments.references[1]) == [["sat"], [], ["c", "c"]]
    assert len(set(segments.names)) == len(segments.names)
    assert segments.hypotheses.codes.dtype == np.int32
    assert segments.hypotheses.offsets.tolist() == [0, 3, 3, 5]
    assert segments.hypotheses.sentences.tolist() == [0, 0, 0, 2, 2]
    assert segments.hypothesis_texts == HYPOTHESES
    assert segments.reference_texts == REFERENCES


def test_lists_of_tokens_are_taken_as_they_are():
    segments = Segments.of([["New York", "is"], []], [[[], ["is"]], [["New York"], []]])
    assert words(segments, segments.hypotheses) == [["New York", "is"], []]
    assert words(segments, segments.references[1]) == [["New York"], []]
    assert segments.hypothesis_texts == ["New York is", ""]


@pytest.mark.parametrize(
    ("hypotheses", "references", "streams"),
    [
        (["a", "b"], ["a", "b"], 1),
        (["a", "b"], [["a", "b"]], 1),
        (["a", "b"], (("a", "b"), ("b", "c")), 2),
        ([["a"], ["b"]], [["a"], ["b"]], 1),
        ([["a"], ["b"]], [[["a"], ["b"]]] * 3, 3),
        ([["a"], ["b"]], [[], []], 1),
        ([], [], 1),
    ],
)
def test_one_list_of_references_or_several(hypotheses, references, streams):
    assert len(Segments.of(hypotheses, references).references) == streams


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a", "b"], ["a"], "reference 1 has 1 sentence, the hypotheses 2; both must"),
        (["a", "b"], [["a", "b"], ["a"]], "reference 2 has 1 sentence"),
        (["a"], [], "reference 1 has 0 sentences"),
        (["a"], [["a"], "a"], "reference 2 is not a list of texts"),
        (["a"], [None], "reference 1 is not a list of texts"),
        ([["a"]], ["a"], "reference 1 is not a list of lists of tokens"),
        ("a", ["a"], "hypotheses must be a list of texts"),
        ([["a"], "b"], ["a", "b"], "hypotheses must be a list of texts"),
    ],
)
def test_what_is_refused(hypotheses, references, message):
    with pytest.raises(PreorderEvalError, match=message):
        Segments.of(hypotheses, references)


@pytest.mark.parametrize("size", [1, 3, 100])
def test_blocks_hold_every_segment_once(size, monkeypatch):
    hypotheses = ["", "a b c", "", "", "d", "e f g h", ""]
    monkeypatch.setattr(module, "_BLOCK", size)
    blocks = list(Segments.of(hypotheses, hypotheses).blocks())
    assert [text for block in blocks for text in block.hypothesis_texts] == hypotheses
    assert len(blocks) == {1: 7, 3: 5, 100: 1}[size]
    assert list(Segments.of([], []).blocks()) == []


def test_lower_case(segments):
    lower = segments.prepared(lower=True)
    assert words(lower, lower.hypotheses)[2] == ["a\u3000b", "c"]
    assert lower.hypothesis_texts[2] == "a\u3000b c"
    # "a" and "A" are one word afterwards.
    both = Segments.of(["a A"], ["A"]).prepared(lower=True)
    assert both.hypotheses.codes.tolist() == [0, 0]


def test_tokenised_anew():
    segments = Segments.of(["犬 が走る"], [["犬が", "走る"][:1]]).prepared("char")
    assert words(segments, segments.hypotheses) == [list("犬が走る")]
    assert segments.hypothesis_texts == ["犬 が 走 る"]
    lower = Segments.of(["Dogs, Cats"], ["Dogs"]).prepared("13a", lower=True)
    assert lower.names == ("dogs", ",", "cats")


def test_white_space_separates_as_for_sacrebleu_unless_tokens_are_given():
    segments = Segments.of(["a\u3000b\xa0c"], ["a b c"])
    assert segments.names == ("a\u3000b\xa0c", "a", "b", "c")  # links and tags count these
    assert segments.prepared("none").names == ("a", "b", "c")
    tokens = Segments.of([["a\u3000b", "c"]], [["a", "c"]])
    assert tokens.prepared("none") is tokens.prepared("auto") is tokens


texts = st.text(st.sampled_from("ab  é日") | st.characters(), max_size=30)


@given(st.lists(st.tuples(texts, texts, texts)))
def test_texts_are_interned_as_lists_of_their_words_are(rows):
    hypotheses, *streams = ([row[i] for row in rows] for i in range(3))
    split = split_at_spaces
    of_texts = Segments.of(hypotheses, streams)
    of_lists = Segments.of(list(map(split, hypotheses)), [list(map(split, s)) for s in streams])
    assert of_texts.names == of_lists.names
    sides = zip(
        (of_texts.hypotheses, *of_texts.references),
        (of_lists.hypotheses, *of_lists.references),
        strict=True,
    )
    for one, other in sides:
        assert one.offsets.tolist() == other.offsets.tolist()
        assert one.codes.tolist() == other.codes.tolist()
    assert of_texts.hypothesis_texts == hypotheses
