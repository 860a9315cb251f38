"""How fast a rule writer gets answers: `pytest tests/benchmarks -n 0`. Figures are for reading.

Ablation leaves out all rules and slots of en-ja in turn; the oracle orders every tree; watching
scores a saved rule file. All on 600 sentences with their trees: the bundled ones, twice.
"""

import numpy as np
import pytest

from preorder_eval.analysis.rules.ablation import ablate
from preorder_eval.analysis.rules.oracle import oracle
from preorder_eval.data.orders import SourceWords
from preorder_eval.formats.rules import load_rules
from preorder_eval.metrics import order_metric
from preorder_eval.reporting.live import Session


@pytest.fixture(scope="module")
def twice(bundled_reference):
    return bundled_reference.take(np.tile(np.arange(len(bundled_reference)), 2), "twice")


def test_ablate(benchmark, twice):
    rules, metric = load_rules("en-ja"), order_metric("fuzzy")
    words = SourceWords.of(twice.source)
    benchmark.pedantic(ablate, (rules, twice.trees, twice.references, metric, words), rounds=3)


def test_oracle(benchmark, twice):
    benchmark.pedantic(oracle, ("en-ja", twice.trees, twice), rounds=3)


def test_score_a_save(benchmark, twice):
    session = Session(twice, twice.trees, [order_metric("fuzzy"), order_metric("kendall")])

    def save():
        session.save(load_rules("en-ja")).lines(3)

    benchmark.pedantic(save, rounds=5, warmup_rounds=1)
