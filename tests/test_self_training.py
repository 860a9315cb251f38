"""What is told of self-training: its rounds, its control and its seeds, of orders made up."""

from dataclasses import replace

import numpy as np
import pytest

from preorder_eval.evaluation.compare import compare
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.verdict.caveats import of_a_recipe
from preorder_eval.learning.recipe import Recipe
from preorder_eval.learning.self_train import held_out_of
from preorder_eval.learning.self_training import EvaluatedRound, SeededTrainings, SelfTraining

TURNED = {"start": 0, "seed-3": 4, "seed-4": 2, "seed-5": 1, "control": 3}  # sentences of five
LEARNED = {"kept": 7, "mean_1best": 0.5, "mean_selected": 0.75, "mean_after": 0.6}


@pytest.fixture(scope="module")
def rounds(bundled_reference):
    """Parsers that turn some sentences round, and leave the others as they are."""
    some = bundled_reference.take(range(5), "some")
    rounds = {}
    for name, turned in TURNED.items():
        orders = [list(range(len(words))) for words in some.source]
        orders[:turned] = [order[::-1] for order in orders[:turned]]
        run = evaluate(some, orders={name: orders}, metrics=["kendall", "fuzzy"], resamples=10)
        dev = {"as it is": {"las": 0.8 + turned / 100, "upos": 0.9}, "lower case": {"las": 0.7}}
        learned = LEARNED | {"share_learned": None if name == "control" else 0.4}
        rounds[name] = EvaluatedRound(name, run, dev, learned if turned else {})
    return rounds


@pytest.fixture
def trained(rounds, tmp_path):
    def trained(end, control=None):
        first, last = rounds["start"], rounds[end]
        recipe, comparison = Recipe("kendall"), compare(first.run, last.run, resamples=10)
        recipe = replace(recipe, control=control is not None)
        return SelfTraining(tmp_path, recipe, [first, last], comparison, control)

    return trained


def kendall(done):
    return float(done.run.scores[0][0].corpus)


def test_a_training_is_told_with_what_was_learned(trained, rounds):
    told, names = trained("seed-3"), ("start", "seed-3")
    assert told.verdict == (
        f"{told.comparison.verdict} On the training sentences, 40% of the list's gain was "
        "learned (0.500 → 0.600, list 0.750)."
    )
    rows = told.view()[0].rows
    scores = [[float(own.corpus) for own in rounds[name].run.scores[0]] for name in names]
    assert rows[0] == ["start", *[None] * 5, *scores[0], 0.8, 0.7, 0.9]
    assert rows[1] == ["seed-3", 7, 0.5, 0.75, 0.6, 0.4, *scores[1], pytest.approx(0.84), 0.7, 0.9]
    headings = [column.heading for column in told.view()[0].columns]
    assert headings[1:6] == ["learned from", "1best", "selected", "after", "learned"]
    assert headings[6:] == ["τ", "FRS", "LAS", "LAS, lower case", "UPOS"]
    start, end = told.to_dict()["rounds"]
    assert (start["run"], end["selection"]) == ("runs/start", LEARNED | {"share_learned": 0.4})
    assert end["dev"]["as it is"] == {"las": pytest.approx(0.84), "upos": 0.9}
    assert end["scores"]["kendall"]["value"] == scores[1][0]
    assert "over_control" not in told.to_dict()
    assert "control" not in " ".join(told.view()[0].notes)


def test_a_control_is_compared_with_the_end(trained, rounds):
    told = trained("seed-4", rounds["control"])
    over = told.to_dict()["over_control"]
    systems = [over[each]["system"] for each in ("first", "second")]
    assert systems == ["control", "seed-4"]
    gain = kendall(rounds["seed-4"]) - kendall(rounds["control"])
    assert over["metrics"][0]["difference"] == pytest.approx(gain)
    assert " Against the control: " in told.verdict
    assert [row["name"] for row in told.to_dict()["rounds"]] == ["start", "seed-4", "control"]
    assert "control: the same training" in " ".join(told.view()[0].notes)
    nothing = replace(rounds["seed-4"], learned=rounds["control"].learned)
    assert "learned from" not in replace(told, rounds=[rounds["start"], nothing]).verdict


def test_seeds_have_a_mean_and_the_median_one_is_kept(trained, rounds, tmp_path):
    ends = [rounds[f"seed-{n}"] for n in (3, 4, 5)]
    told = SeededTrainings(
        tmp_path, (3, 4, 5), [trained(end.name, rounds["control"]) for end in ends]
    )
    values = [kendall(end) for end in ends]
    median = 3 + values.index(sorted(values)[1])
    start, control = kendall(rounds["start"]), kendall(rounds["control"])
    expected = {
        "start": start, "seed-3": values[0], "seed-4": values[1], "seed-5": values[2],
        "mean": np.mean(values), "sd": np.std(values, ddof=1), "min": min(values),
        "max": max(values), "gain": np.mean(values) - start, "control": control,
        "over control": np.mean(values) - control,
    }  # fmt: skip
    found = told.to_dict()
    assert {row["name"]: row["kendall"] for row in found["scores"]} == pytest.approx(expected)
    assert [row["name"] for row in found["scores"] if row["kept"]] == [f"seed-{median}"]
    assert found["kept"] == {"seed": median, "parser": "parser"}
    assert (found["seeds"], len(found["trainings"])) == ([3, 4, 5], 3)
    assert "seed" not in found["recipe"]
    notes = " ".join(told.view()[0].notes)
    assert "over the 3 seeds; gain: mean minus start over control: mean minus" in notes
    assert f"its parser is {tmp_path / 'parser'}" in notes
    assert told.verdict.startswith(f"Seed {median}, the median: {told.kept.verdict} Over 3 seeds ")
    gains = [f"{expected[name]:+.3f}" for name in ("gain", "over control")]
    assert told.verdict.endswith(f" the mean gain is {gains[0]}, {gains[1]} over the control.")
    assert not told.kept.comparison.caveats, "three seeds and a control are the recipe"

    two = replace(told, seeds=(3, 4), trainings=[trained("seed-3"), trained("seed-4")])
    assert two.typical == 3 + values.index(min(values[:2])), "of two the lower"
    assert two.verdict.endswith(f"the mean gain is {np.mean(values[:2]) - start:+.3f}.")
    assert [row["name"] for row in two.to_dict()["scores"]][-1] == "gain"
    assert "over control" not in " ".join(two.view()[0].notes)


@pytest.mark.parametrize(("sentences", "last"), [(11, 2), (4, 1), (1, 1)])
def test_the_last_fifth_is_held_out(bundled_reference, sentences, last):
    data = bundled_reference.take(range(sentences), "some")
    learned, held_out = held_out_of(data)
    assert list(held_out.source) == list(data.source)[-last:]
    assert list(learned.source) == list(data.source)[: max(1, sentences - last)]
    assert (learned.name, "held-out" in held_out.name) == ("some", sentences > 1)


@pytest.mark.parametrize(
    ("documents", "learned"),
    [("aaaaabbbbb", 5), ("aaaaaaabbc", 7), ("aaaaaaaabc", 8), ("aaaaaaaaac", 9), ("a" * 10, 8)],
)
def test_documents_are_held_out_whole(bundled_reference, documents, learned):
    """From the beginning of the one that the last fifth begins in; a first one is learned from."""
    data = replace(bundled_reference.take(range(10), "some"), documents=list(documents))
    assert [*map(len, held_out_of(data))] == [learned, 10 - learned]


@pytest.mark.parametrize(
    ("seeds", "control", "kinds", "words"),
    [
        (1, False, ["one_seed"], "three seeds and a control"),
        (2, True, ["one_seed"], "three seeds."),
        (3, False, ["no_control"], "which needs a control"),
        (3, True, [], ""),
    ],
)
def test_one_seed_is_not_the_recipe(seeds, control, kinds, words):
    caveats = of_a_recipe(seeds, control=control)
    assert [caveat.kind for caveat in caveats] == kinds
    assert words in "".join(caveat.text for caveat in caveats)
