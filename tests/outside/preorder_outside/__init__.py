"""One thing of every kind that a package may bring, and a metric of each kind."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from preorder_eval.base.arrays import offsets_of
from preorder_eval.metrics import Metric, OrderMetric
from preorder_eval.parsers.parser import ParserIdentity
from preorder_eval.rules.conditions import HEAD, OTHER, Slot
from preorder_eval.rules.rule import Rule
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.treebank import Tree, Treebank

FOLDER = Path(__file__).parent
BACKWARDS = FOLDER / "backwards.toml"


@dataclass(frozen=True)
class FirstWord(OrderMetric):
    """Share of the sentences that begin with the right word.

    >>> FirstWord().score([[1, 0], [1, 0]], [[[1], [0]], [[0], [1]]]).corpus
    0.5
    """

    name: ClassVar[str] = "first_word"
    paper: ClassVar[str] = "nobody's"
    equation: ClassVar[str] = "1 if the first word is of the first group, else 0"

    def losses(self, orders, references, words):
        first = orders.tokens[orders.offsets[:-1]]
        return (references.ranks[first] > 0).astype(float), np.ones(len(orders))


@dataclass(frozen=True)
class EditsPerWord(Metric):
    """How many edits an output took for each of its words; needs a file that counts them."""

    name: ClassVar[str] = "edits_per_word"
    paper: ClassVar[str] = "nobody's"
    equation: ClassVar[str] = "edits / words"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    higher_is_better: ClassVar[bool] = False
    needs = ("hyp", "hyp_edits")

    def statistics_of(self, inputs):
        words = [len(line.split()) for line in inputs["hyp"]]
        return np.column_stack([np.array(inputs["hyp_edits"], dtype=float), words])

    def finish(self, statistics):
        return statistics[..., 0] / np.maximum(statistics[..., 1], 1)


class Chain:
    """A parser that hangs every word below the one before it."""

    identity = ParserIdentity("chain", "1.0", hashlib.sha256(b"chain 1.0").hexdigest())

    def parse(self, sentences, n=None, advance=None):
        trees = Treebank.of(
            [
                Tree(
                    list(words),
                    list(range(-1, len(words) - 1)),
                    ["root", *["dep"] * (len(words) - 1)],
                    ["X"] * len(words),
                    ["_"] * len(words),
                )
                for words in sentences
            ]
        )
        if advance:
            advance(len(sentences))
        if n is None:
            return trees
        return NBest(trees, offsets_of([1] * len(trees)), np.zeros(len(trees)))


def straight() -> RuleSet:
    """Rules that put every head before its children."""
    rule = Rule(("X",), (Slot((HEAD,)), Slot((OTHER,)), Slot(("punct",))))
    return RuleSet("straight", "ud", (rule,), description="heads first")
