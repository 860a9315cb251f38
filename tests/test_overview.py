import numpy as np
import pytest

from preorder_eval.analysis.overview import MadeFrom, overview, overview_of_runs
from preorder_eval.data.orders import Orders
from preorder_eval.formats.rules_toml import load_rules
from preorder_eval.formats.run_folder import read_run
from preorder_eval.metrics import order_metric
from preorder_eval.results.evaluation import System, evaluate


@pytest.fixture(scope="module")
def evaluation(bundled_reference):
    rules, trees = load_rules("en-ja"), bundled_reference.trees
    systems = [
        System("gold", "en-ja", rules.reorder(trees), {}),
        System("source", "", Orders.unchanged(trees.offsets), {}),
    ]
    return evaluate(bundled_reference, systems, [order_metric("fuzzy")], resamples=20)


@pytest.fixture(scope="module")
def made(evaluation, bundled_reference):
    trees = bundled_reference.trees
    made_from = [MadeFrom(trees, load_rules("en-ja")), MadeFrom()]
    return overview(evaluation, made_from, trees)


def test_parts_hold_every_sentence_once_and_their_means(made, evaluation):
    lengths = np.array([len(words) for words in evaluation.reference.source])
    scores = [row.scores[0].sentence for row in evaluation.rows]
    assert sum(part.sentences for part in made.parts["length"]) == len(lengths)
    part = made.parts["length"][1]
    low, high = map(int, part.name.split("-"))
    chosen = (lengths >= low) & (lengths <= high)
    assert part.sentences == chosen.sum()
    assert [s.value for s in part.scores] == pytest.approx([own[chosen].mean() for own in scores])


def test_phenomena_come_with_the_worst_of_the_best_system_first(made):
    values = [part.scores[0].value for part in made.parts["phenomenon"]]
    assert len(values) == 30
    assert values == sorted(values)


def test_kept_joints_are_the_score(made, evaluation):
    offsets = evaluation.reference.references.offsets
    for system in made.systems:
        kept = np.add.reduceat(system.kept, offsets[:-1])
        score = kept / (np.diff(offsets) - 1)
        assert score == pytest.approx(system.row.scores[0].sentence)


def test_only_what_is_known_is_computed(made):
    ruled, plain = made.systems
    assert ruled.ablation is not None
    assert ruled.fit is not None
    assert ruled.errors is None, "gold trees have no errors"
    assert (plain.ablation, plain.fit, plain.errors) == (None, None, None)


def test_runs_give_what_memory_gives(run, tmp_path, made, evaluation):
    folder = tmp_path / "run"
    arguments = ("--parser", "gold", "--rules", "en-ja", "--metric", "fuzzy", "--resamples", 20)
    assert run("evaluate", *arguments, "--out", folder)[0] == 0
    [read] = overview_of_runs([read_run(folder)]).systems
    assert read.row.intervals[0] == evaluation.rows[0].intervals[0]
    assert read.breakdowns == made.systems[0].breakdowns
    assert (read.kept == made.systems[0].kept).all()
