import numpy as np
import pytest

from preorder_eval.analysis.word_groups import by_frequency, by_part_of_speech, word_counts
from preorder_eval.analysis.word_matches import word_matches
from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError


@pytest.fixture
def segments():
    return Segments.of(["a b c", "d"], [["a a", "b"], ["x", "a"]])


def named(groups, side):
    return [groups.names[g] for g in side]


def test_words_are_frequent_by_all_references(segments):
    groups = by_frequency(segments, word_matches(segments))
    assert named(groups, groups.hypotheses) == ["3", "1", "0", "0"]
    assert named(groups, groups.references) == ["3", "3", "1"], "of the nearest, the first on a tie"


@pytest.mark.parametrize(
    ("count", "name"),
    [(0, "0"), (4, "4"), (5, "5-9"), (9, "5-9"), (10, "10-99"), (999, "100-999"), (1000, "1000+")],
)
def test_words_are_frequent_by_a_text(segments, count, name):
    groups = by_frequency(segments, word_matches(segments), {"b": count})
    assert named(groups, groups.hypotheses) == ["0", name, "0", "0"]


def test_of_a_text_the_words_that_are_asked_for_are_counted():
    assert word_counts(["B a b.", "a"], ["a", "b", "c"], "none") == {"a": 2}
    assert word_counts(["B a b.", "a"], ["a", "b", "c"], "13a") == {"a": 2, "b": 1}


def test_tags_are_those_of_the_nearest_reference(segments):
    tags = Segments.of(["D N V", "N"], [["D D", "V"], ["X", "D"]])
    groups = by_part_of_speech(segments, word_matches(segments), tags)
    assert named(groups, groups.hypotheses) == ["D", "N", "V", "N"]
    assert named(groups, groups.references) == ["D", "D", "V"]
    assert groups.references.dtype == np.int32


def test_tags_of_other_words_are_refused(segments):
    tags = Segments.of(["D N", "N"], [["D D", "V"], ["X", "D"]])
    with pytest.raises(PreorderEvalError, match="tags are of the words between spaces"):
        by_part_of_speech(segments, word_matches(segments), tags)
