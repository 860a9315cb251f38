"""Results: values, intervals, differences and tables, all from the metrics' statistics."""

import numpy as np
import pytest
from small_orders import GOOD, POOR, SENTENCES, THREE, evaluated

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import PreorderEvalError, UnknownNameError
from preorder_eval.results.scoring import evaluate, score
from preorder_eval.results.systems import System
from preorder_eval.stats.bootstrap import bootstrap
from preorder_eval.stats.significance import compare_systems

OUTPUTS = {"one": ["a b c", "d e"] * 5, "two": ["a c b", "d e"] * 5, "three": ["x", "d"] * 5}
REFERENCE = ["a b c", "d e f"] * 5


@pytest.fixture(scope="module")
def orders():
    return evaluated(THREE, significance=True, resamples=50, seed=4)


@pytest.fixture(scope="module")
def outputs():
    return score(OUTPUTS, REFERENCE, ["wer", "ribes"], resamples=50, seed=4)


def test_values_are_the_means_of_the_sentences_that_are_scored(orders):
    for name in THREE:
        scores = orders.sentence_scores(name, 1)
        assert np.isnan(scores[-1])
        assert orders.value(name, "kendall") == orders.value(name, 1)
        assert orders.value(name, 1) == pytest.approx(scores[:-1].mean())
    assert orders.value("good") > orders.value("fair") > orders.value("poor")
    assert orders.left_out == [SENTENCES]
    assert orders.counted(0).tolist() == [True] * (SENTENCES - 1) + [False]


def test_intervals_and_pairs_are_those_of_the_measurements(orders):
    sampled = bootstrap(orders.measurements, resamples=50, seed=4)
    compared = compare_systems(
        orders.measurements, higher_is_better=[True, True], resamples=50, seed=4
    )
    assert orders.pairs == compared
    assert [(pair.first, pair.second) for pair in orders.pairs[0]] == [(0, 1), (0, 2), (1, 2)]
    for s in range(3):
        assert orders.intervals[s] == [own.interval(s) for own in sampled]


def test_each_output_is_compared_with_the_first(outputs):
    assert [(pair.first, pair.second) for pair in outputs.pairs[0]] == [(0, 1), (0, 2)]
    assert outputs.difference(0, 2, 0) == outputs.pairs[0][1].difference
    assert outputs.difference(0, 0, 0) is None
    wer, ribes = (outputs.difference(0, 2, m) for m in (0, 1))
    assert (wer.higher_is_better, ribes.higher_is_better) == (False, True)
    assert wer.value > 0 > ribes.value
    assert wer.mark == ribes.mark == "-**"
    alone = score({"one": OUTPUTS["one"]}, REFERENCE, ["wer"], resamples=10)
    assert alone.pairs == [[]]


def test_metrics_that_count_other_sentences_stand_side_by_side():
    """Orders leave out sentences without links, outputs do not."""
    links = [[(0, 0), (1, 1)], [], [(0, 1), (1, 0)]] * 3
    options = {
        "source": [["x", "y"]] * 9,
        "hyp_alignment": [Alignments.of([[(0, 0), (1, 1)]] * 9)],
        "ref_alignment": [Alignments.of(links)],
    }
    given = ({"mt": ["a b"] * 9}, ["a b", "b", "b a"] * 3)
    mixed = score(*given, ["fuzzy", "wer"], resamples=20, **options)
    assert [int(mixed.counted(m).sum()) for m in (0, 1)] == [6, 9]
    assert mixed.left_out == [2, 5, 8]
    for number, name in enumerate(["fuzzy", "wer"]):
        alone = score(*given, [name], resamples=20, **options)
        assert mixed.intervals[0][number] == alone.intervals[0][0]
    assert score(*given, ["wer"], resamples=20, **options).left_out == []


def test_chosen_systems_keep_their_values(orders):
    few = orders.chosen(["poor", "good"])
    assert few.systems == ["poor", "good"]
    assert few.value("good") == orders.value("good")
    assert few.intervals == [orders.intervals[2], orders.intervals[0]]
    assert orders.chosen(["fair"]).pairs == [[], []]
    with pytest.raises(UnknownNameError, match=r"unknown system of small 'god' .*'good'"):
        orders.chosen(["god"])


def test_another_sampling_has_the_same_scores(orders):
    other = orders.with_sampling(seed=5)
    assert other.scores is orders.scores
    assert other.intervals != orders.intervals
    assert [own.value for own in other.intervals[0]] == [own.value for own in orders.intervals[0]]
    assert other.with_sampling(seed=4).intervals == orders.intervals


def test_the_table_has_a_row_for_each_system(orders, outputs):
    header, rows = orders.tables()[0].flat()
    assert header[:4] == ["parser", "rules", "sentences", "left_out"]
    assert [row[:4] for row in rows] == [[name, "", SENTENCES - 1, 1] for name in THREE]
    header, rows = outputs.tables()[0].flat()
    cells = [dict(zip(header, row, strict=True)) for row in rows]
    assert [row["system"] for row in cells] == list(OUTPUTS)
    assert cells[0]["wer difference"] is None
    assert cells[1]["wer difference"] == outputs.difference(0, 1, 0).value
    assert cells[1]["wer p"] == outputs.difference(0, 1, 0).p
    assert outputs.to_pandas().shape == (3, len(header))


def test_a_summary_says_what_the_table_says(outputs):
    header, rows = outputs.tables()[0].flat()
    for row, system in zip(rows, outputs.to_dict()["systems"], strict=True):
        cells = dict(zip(header, row, strict=True))
        for name, said in system["scores"].items():
            assert cells[name] == said["value"]
            assert cells[f"{name} low"] == said["low"]
            assert cells[f"{name} p"] == said.get("p")


def test_it_shows_itself_with_names_as_text():
    result = score({"<b>": ["a"]}, ["a"], ["wer"], resamples=10)
    assert "<b>" in repr(result)
    assert "<td>&lt;b&gt;</td>" in result._repr_html_()
    assert "<b>" not in result._repr_html_()


def test_results_repeat_with_the_seed():
    one, again = (evaluated(THREE, significance=True, seed=7).to_dict() for _ in range(2))
    assert one == again
    assert one["significance"]["seed"] == one["bootstrap"]["seed"] == 7


def test_nothing_to_score_is_told():
    data = ReferenceSet("bare", [["a", "b"]], Alignments.of([[]]))
    system = System.from_orders([[0, 1]], data)
    with pytest.raises(PreorderEvalError, match="no sentence has a link, nothing can be scored"):
        evaluate(data, [system])
    with pytest.raises(PreorderEvalError, match="nothing to do without a metric"):
        evaluated(THREE, metrics=[])
    with pytest.raises(PreorderEvalError, match="significance needs at least two systems"):
        evaluated({"good": GOOD}, significance=True)
    with pytest.raises(PreorderEvalError, match="nothing to do without a system"):
        evaluated({"poor": POOR}).inputs.chosen([])
    with pytest.raises(PreorderEvalError, match="a question about two systems"):
        evaluated({"good": GOOD}).power_table()


def test_what_is_detectable_are_2_8_standard_errors():
    outputs = {
        "same": ["a b c d", "a b x y"] * 30,
        "worse": ["a b c x", "a b x y"] * 30,
        "mixed": ["a b x d", "a b c y"] * 30,
    }
    result = score(outputs, ["a b c d"] * 60, ["per"], resamples=2000)
    sentences = np.array([result.sentence_scores(name) for name in outputs])
    rows = result.power_table().rows
    for (a, b), row in zip([(0, 1), (0, 2), (1, 2)], rows, strict=True):
        apart = sentences[b] - sentences[a]
        assert row[:3] == ["per", list(outputs)[a], list(outputs)[b]]
        assert row[3] == pytest.approx(apart.mean())
        error = np.sqrt(np.mean((apart - apart.mean()) ** 2) / len(apart))
        assert row[4] == pytest.approx(2.8016 * error, rel=0.05)
    alike = score({"a": ["x"] * 60, "b": ["x"] * 60}, ["x"] * 60, ["per"], resamples=50)
    assert alike.power_table().rows[0][3:] == [0, None]


def test_a_long_text_is_no_file():
    long = "a" * 5000
    assert score({"mt": [long]}, [long], ["wer"], resamples=10).value("mt") == 0
    assert score({"mt": ["a\0"]}, ["a\0"], ["wer"], resamples=10).value("mt") == 0
