"""Scores by kind of sentence, and minimal pairs: both sentences right, or only one."""

import dataclasses

import pytest
from sacrebleu.metrics.bleu import BLEU

from preorder_eval.analysis.orders.sentences import accuracy_table, corpus_parts, pair_accuracy
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.ragged import NameColumn
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.results.scoring import evaluate, score
from preorder_eval.results.systems import System

REFERENCES = [
    "the cat sat on the mat",
    "he reads a good book",
    "she sees it now",
    "no one knows it",
]
OUTPUTS = {
    "one": ["the cat sat on a mat", "he reads the book", "she sees it now", "no one knew it"],
    "two": ["the cat on the mat", "he reads a good book", "he sees now", "one knows"],
}
KINDS = NameColumn.of(["story", "story", "other", "other"])


@pytest.fixture(scope="module")
def result():
    return score(OUTPUTS, REFERENCES, ["bleu", "wer"], resamples=50)


def test_a_part_is_scored_as_if_it_were_the_corpus(result):
    parts = {part.name: part for part in corpus_parts(result, 0, KINDS)}
    for name, chosen in (("story", slice(0, 2)), ("other", slice(2, 4))):
        assert parts[name].sentences == 2
        for score_, output in zip(parts[name].scores, OUTPUTS.values(), strict=True):
            alone = BLEU(tokenize="none").corpus_score(output[chosen], [REFERENCES[chosen]])
            assert score_.value == pytest.approx(alone.score)
            assert score_.low <= score_.value <= score_.high


@pytest.mark.parametrize("metric", [0, 1])
def test_the_worst_part_of_the_best_system_comes_first(result, metric):
    parts = corpus_parts(result, metric, KINDS)
    sign = 1 if result.metrics[metric].higher_is_better else -1
    values = [sign * own[metric].value for own in result.intervals]
    best = values.index(max(values))
    assert len(parts) == 2
    assert sign * parts[0].scores[best].value <= sign * parts[1].scores[best].value


def test_parts_with_an_order_of_their_own_keep_it_and_empty_ones_are_left_out(result):
    column = NameColumn(KINDS.codes * 2, ("first", "empty", "last"))
    names = [part.name for part in corpus_parts(result, 1, column, ordered=True)]
    assert names == ["first", "last"]


PHENOMENA = ["particle", "particle", "particle", "particle", "that", "that"]


@pytest.fixture
def data():
    trees = [
        Tree(
            ["a", "b"],
            [-1, 0],
            ["root", "dep"],
            ["X", "X"],
            ["_", "_"],
            comments=(f"# pair = {kind}-{number // 2}", f"# phenomenon = {kind}"),
        )
        for number, kind in enumerate(PHENOMENA)
    ]
    links = [[(0, 0), (1, 1)], [(0, 1), (1, 0)]] * 3
    return ReferenceSet("x", [["a", "b"]] * 6, Alignments.of(links), trees=Treebank.of(trees))


def test_a_pair_is_right_if_both_sentences_are(data):
    straight, turned = [0, 1], [1, 0]
    systems = [
        System.from_orders([straight] * 6, data, name="one reading"),
        System.from_orders([straight, turned] * 2 + [turned, straight], data, name="both"),
    ]
    rows = pair_accuracy(evaluate(data, systems, resamples=10))
    assert [(row.system, row.kind, row.pairs, row.both, row.one) for row in rows] == [
        ("one reading", "all", 3, 0, 3),
        ("one reading", "particle", 2, 0, 2),
        ("one reading", "that", 1, 0, 1),
        ("both", "all", 3, 2, 0),
        ("both", "particle", 2, 2, 0),
        ("both", "that", 1, 0, 0),
    ]
    assert all(
        0 <= row.accuracy.low <= row.accuracy.value <= row.accuracy.high <= 1 for row in rows
    )
    assert accuracy_table(rows).flat()[1][3][:6] == ["both", "all", 3, 2, 0, pytest.approx(2 / 3)]


def test_a_set_without_pairs_has_no_accuracy(data):
    plain = dataclasses.replace(data, trees=None)
    system = System.from_orders([[0, 1]] * 6, plain, name="s")
    assert pair_accuracy(evaluate(plain, [system], resamples=10)) == []
