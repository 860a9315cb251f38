import pytest

from preorder_eval.analysis.error_analysis import TABLES
from preorder_eval.analysis.groupings import GROUPINGS, groupings
from preorder_eval.data.orders import SourceWords
from preorder_eval.data.treebank import Tree, Treebank

SENTENCES = [["Dogs", "bark"], ["Go"], ["dogs", "go", "home"]]


def trees(comments=((), (), ())):
    return Treebank.of(
        [
            Tree(
                SENTENCES[0], [1, -1], ["nsubj", "root"], ["NOUN", "VERB"], ["_"] * 2, comments[0]
            ),
            Tree(SENTENCES[1], [-1], ["root"], ["VERB"], ["_"], comments[1]),
            Tree(
                SENTENCES[2],
                [1, -1, 1],
                ["nsubj", "root", "advmod"],
                ["NOUN", "VERB", "ADV"],
                ["_"] * 3,
                comments[2],
            ),
        ]
    )


def grouped(own=None, gold=None):
    found = groupings(SourceWords.of(SENTENCES), own, gold)
    return {grouping.by: list(grouping.groups) for grouping in found}


def test_without_trees():
    assert grouped() == {
        "word": ["dogs", "bark", "go", "dogs", "go", "home"],
        "length": ["1-5"] * 6,
    }


@pytest.mark.parametrize("side", ["own", "gold"])
def test_with_trees(side):
    found = grouped(**{side: trees()})
    assert found["upos"] == ["NOUN", "VERB", "VERB", "NOUN", "VERB", "ADV"]
    assert found["label"] == ["nsubj", "root", "root", "nsubj", "root", "advmod"]
    assert found["head"] == ["VERB", "(root)", "(root)", "VERB", "(root)", "VERB"]
    assert list(found) == ["word", "upos", "label", "head", "length"]


def test_phenomenon_of_the_gold_trees():
    comments = [("# phenomenon = statement",), (), ("# phenomenon = statement",)]
    assert "phenomenon" not in grouped(own=trees(comments))
    found = grouped(own=trees(), gold=trees(comments))["phenomenon"]
    assert found == ["statement"] * 2 + ["(none)"] + ["statement"] * 3


def test_quarters_of_log_probability_per_word():
    comments = [("# score = -0.2",), ("# score = -3",), ("# score = -0.9",)]
    found = grouped(own=trees(comments))["confidence"]
    lowest, highest = "lowest quarter (-3.000 to -1.650)", "highest quarter (-0.200 to -0.100)"
    assert [name for name in found if "second" in name] == ["second quarter (-1.650 to -0.300)"] * 3
    assert (found[0], found[2]) == (highest, lowest)


@pytest.mark.parametrize("last", ["", "# score = high", "# score = nan", "# score = -inf"])
def test_no_quarters_where_a_score_is_missing(last):
    comments = [("# score = -0.2",), ("# score = -3",), (last,)]
    assert "confidence" not in grouped(own=trees(comments))


def test_buckets_of_length_stand_in_order():
    sentences = [["w"] * n for n in (61, 60, 5, 6)]
    *_, lengths = groupings(SourceWords.of(sentences), None, None)
    names = list(dict.fromkeys(lengths.groups))
    assert names == ["61+", "41-60", "1-5", "6-10"]
    assert lengths.ordered
    assert lengths.groups.names[0] == "1-5"
    assert lengths.groups.names[-1] == "61+"


def test_every_grouping_is_a_table():
    assert set(GROUPINGS) < set(TABLES)
