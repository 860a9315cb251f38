"""Minimal pairs: both sentences right, or only one."""

import dataclasses

import pytest

from preorder_eval.analysis.contrast import accuracy_table, pair_accuracy
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.results.evaluation import evaluate
from preorder_eval.results.systems import System

KINDS = ["particle", "particle", "particle", "particle", "that", "that"]


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
        for number, kind in enumerate(KINDS)
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
    assert accuracy_table(rows)[1][3][:6] == ["both", "all", 3, 2, 0, pytest.approx(2 / 3)]


def test_a_set_without_pairs_has_no_accuracy(data):
    plain = dataclasses.replace(data, trees=None)
    system = System.from_orders([[0, 1]] * 6, plain, name="s")
    assert pair_accuracy(evaluate(plain, [system], resamples=10)) == []
