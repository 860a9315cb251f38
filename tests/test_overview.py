import numpy as np
import pytest

from preorder_eval.analysis.orders.overview import overview, overview_of_runs
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.orders import Orders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import InputWarning, PreorderEvalError
from preorder_eval.results.order_scoring import evaluate
from preorder_eval.results.run_reading import read_run
from preorder_eval.results.run_writing import write_run
from preorder_eval.results.scoring import score
from preorder_eval.results.systems import System

pytestmark = pytest.mark.slow  # analyses whole runs


@pytest.fixture(scope="module")
def result(bundled_reference):
    unchanged = Orders.unchanged(bundled_reference.trees.offsets)
    systems = [
        System.from_rules("gold", "en-ja", bundled_reference),
        System.from_orders(unchanged, bundled_reference, name="source"),
    ]
    return evaluate(bundled_reference, systems, ["fuzzy"], resamples=20)


@pytest.fixture(scope="module")
def made(result):
    return overview(result)


def test_parts_hold_every_sentence_once_and_their_means(made, result):
    lengths = np.array([len(words) for words in result.inputs.reference.source])
    scores = [own[0].sentence for own in result.scores]
    assert sum(part.sentences for part in made.parts["length"]) == len(lengths)
    part = made.parts["length"][1]
    low, high = map(int, part.name.split("-"))
    chosen = (lengths >= low) & (lengths <= high)
    assert part.sentences == chosen.sum()
    assert [s.value for s in part.scores] == pytest.approx([own[chosen].mean() for own in scores])


def test_only_what_is_known_is_computed(made):
    ruled, plain = made.systems
    assert ruled.ablation is not None
    assert ruled.limits is not None
    assert ruled.fit is not None
    assert ruled.errors is None, "gold trees have no errors"
    assert (plain.ablation, plain.limits, plain.fit, plain.errors) == (None, None, None, None)


def test_runs_give_what_memory_gives(run, tmp_path, made, result):
    folder = tmp_path / "run"
    systems = ("--reference", "en-ja", "--parser", "gold", "--rules", "en-ja")
    scored = ("--metric", "fuzzy", "--resamples", 20)
    assert run("evaluate", *systems, *scored, "--out", folder)[0] == 0
    [read] = overview_of_runs([read_run(folder)]).systems
    assert read.intervals[0] == result.intervals[0][0]
    assert read.analysis.groups == made.systems[0].analysis.groups
    assert (read.analysis.placement.broken == made.systems[0].analysis.placement.broken).all()


def test_all_systems_of_several_runs_are_compared(tmp_path, result, made):
    for name in ("one", "two"):
        write_run(result, tmp_path / name)
    both = overview_of_runs([read_run(tmp_path / name) for name in ("one", "two")])
    names = ["one:gold/en-ja", "one:source", "two:gold/en-ja", "two:source"]
    assert [system.name for system in both.systems] == names
    assert len(both.result.pairs[0]) == 1  # gold trees are a ceiling
    assert [system.intervals for system in both.systems] == 2 * [
        system.intervals for system in made.systems
    ]


def test_sentences_without_words_or_links_are_in_no_part():
    links = Alignments.of([[(0, 1), (1, 0)], [], []])
    data = ReferenceSet("small", [["a", "b"], ["c"], []], links)
    system = System.from_orders([[1, 0], [0], []], data, name="own")
    made = overview(evaluate(data, [system], ["fuzzy"], resamples=10))
    assert [part.sentences for part in made.parts["length"]] == [1]


def test_outputs_have_no_overview_of_orders():
    with pytest.raises(PreorderEvalError, match="outputs has no orders scored by a metric of"):
        overview(score({"mt": ["a"]}, ["a"], ["wer"]))


def test_rules_for_another_language_were_warned_of_before():
    """When they were scored; the overview has nothing to add."""
    with pytest.warns(InputWarning, match="target language de"):
        scored = evaluate(
            "en-ko", parsers=["gold"], rules=["en-de"], metrics=["fuzzy"], resamples=5
        )
    assert overview(scored).systems[0].limits is not None
