"""What annotators settle one way here and another way there."""

from preorder_eval.analysis.reference_consistency import (
    cut_two_ways,
    distant_ties,
    near_duplicates,
)
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.reference_set import ReferenceSet


def test_ties_over_a_distance_are_those_with_a_linked_word_between():
    links = [[(0, 0), (1, 1), (2, 0)], [(0, 0), (1, 0), (2, 1)], [(0, 0), (2, 0)]]
    data = ReferenceSet("x", [["a", "b", "c"]] * 3, Alignments.of(links))
    assert distant_ties(data) == [(0, [0, 2])]


def test_a_string_cut_in_two_ways_is_found_if_both_ways_recur():
    sentences = [["ab", "c"], ["a", "b"], ["ab"], ["a", "b"], ["x", "y"], ["xy"]]
    assert cut_two_ways(sentences) == [("ab", [("a b", 2), ("ab", 2)])]


def test_near_duplicates_share_half_of_their_trigrams():
    sentences = [
        ["the", "red", "bus", "stops", "at", "the", "old", "school"],
        ["the", "red", "bus", "stops", "at", "the", "new", "school"],
        ["a", "cat", "sleeps", "on", "the", "warm", "stone", "wall"],
        ["Hi", "there"],
        ["Hi", "there"],
    ]
    assert near_duplicates(sentences) == [(0, 1, 0.667)]
