"""Results: values, intervals, differences, tables and documents."""

import numpy as np
import pytest
from small_orders import GOOD, POOR, SENTENCES, THREE, evaluated

from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.base.stats.bootstrap import bootstrap
from preorder_eval.base.stats.legends import few_drawn
from preorder_eval.base.stats.significance import compare_systems
from preorder_eval.base.stats.unit import Unit
from preorder_eval.base.version import __version__
from preorder_eval.evaluation import notes
from preorder_eval.evaluation import score as scoring
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.inputs import DOCUMENTS, Inputs, Texts, with_documents
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.runs.run_writing import write_run
from preorder_eval.evaluation.sampling import Sampling
from preorder_eval.evaluation.score import score, score_inputs
from preorder_eval.evaluation.systems import System
from preorder_eval.metrics import metric
from preorder_eval.metrics.needs import SystemInputs
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Alternatives
from preorder_eval.references.reference_set import ReferenceSet

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


def test_a_metric_is_understood_by_any_of_its_names(orders):
    for name in ("FRS", "frs", "fuzzy", "fuzzy(match=word)", orders.metrics[0], 0):
        assert orders.value("good", name) == orders.intervals[0][0].value
    assert (
        orders.value("good", "τ") == orders.value("good", "tau") == orders.value("good", "kendall")
    )
    both = evaluated({"good": GOOD}, metrics=["fuzzy(match=position)", "fuzzy"], resamples=1)
    assert both.metric_number("fuzzy") == both.metric_number("FRS") == 1
    for wrong in ("hamming", "fuzzy(match=position)", "BLEU"):
        with pytest.raises(UnknownNameError, match=r"unknown metric of the result .*FRS.*kendall"):
            orders.value("good", wrong)
    with pytest.raises(UnknownNameError, match="unknown metric 'fuzy'"):
        orders.value("good", "fuzy")
    with pytest.raises(UnknownNameError, match=r"'god' \(did you mean 'good'\?\)"):
        orders.value("god", "FRS")


@pytest.mark.slow
def test_sentences_are_a_data_frame(orders, outputs):
    frame = orders.sentences()
    assert list(frame) == ["id", "text", "system", "order", "output", "FRS", "τ"]
    assert len(frame) == SENTENCES * len(THREE)
    for name in THREE:
        of_system = frame[frame["system"] == name]
        assert of_system["id"].tolist() == list(range(1, SENTENCES + 1))
        np.testing.assert_array_equal(of_system["FRS"], orders.sentence_scores(name, "FRS"))
        row = of_system.iloc[0]
        assert row["output"].split(" ") == [row["text"].split(" ")[i] for i in row["order"]]
    frame = outputs.sentences()
    assert list(frame) == ["id", "text", "system", "output", "WER", "RIBES"]
    assert frame["output"].tolist()[: len(REFERENCE)] == OUTPUTS["one"]
    assert frame["text"].tolist()[: len(REFERENCE)] == REFERENCE


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


def test_systems_done_are_counted(outputs):
    done = []
    score_inputs(outputs.inputs, ["wer"], Sampling(resamples=1), advance=done.append)
    assert done == [1, 1, 1]


def test_nothing_to_score_is_told():
    data = ReferenceSet("bare", [["a", "b"]], Alignments.of([[]]))
    system = System.from_orders([[0, 1]], data)
    with pytest.raises(PreorderEvalError, match="no sentence has a link, so nothing can be scored"):
        evaluate(data, [system])
    with pytest.raises(PreorderEvalError, match="give at least one metric"):
        evaluated(THREE, metrics=[])
    with pytest.raises(PreorderEvalError, match="significance needs at least two systems"):
        evaluated({"good": GOOD}, significance=True)
    with pytest.raises(PreorderEvalError, match="give at least one system"):
        evaluated({"poor": POOR}).inputs.chosen([])


@pytest.mark.parametrize("size", [1, 7])
def test_how_many_sentences_are_split_at_a_time_does_not_show(monkeypatch, size):
    rng = np.random.default_rng(0)
    output, *references = (
        [" ".join(rng.choice(list("abcdefg"), rng.integers(1, 9))) for _ in range(12)]
        for _ in range(3)
    )
    metrics = ["bleu", "chrf", "nist", "hlepor"]
    [whole] = score({"mt": output}, references, metrics, resamples=1).scores
    monkeypatch.setattr(scoring, "_AT_ONCE", size)
    together = []
    texts = SystemInputs.texts
    monkeypatch.setattr(SystemInputs, "texts", lambda *of: together.append(of[1]) or texts(*of))
    [parts] = score({"mt": output}, references, metrics, resamples=1).scores
    assert together == [size]
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(one.statistics, other.statistics)
        assert one.corpus == other.corpus


def test_a_baseline_with_a_long_name_is_called_by_its_place():
    texts = {"first": "x y", "second": "a y", "best": "a b", "other": "x z"}
    outputs = {f"long name of {name}": [text] for name, text in texts.items()}
    result = score(outputs, ["a b"], ["wer"], resamples=1)
    for name in ("first", "second", "best"):
        [shown] = result.with_sampling(baseline=f"long name of {name}").view()
        assert any(str(column.heading).startswith(f"vs. {name} [") for column in shown.columns)


def test_notes_of_outputs():
    outputs = {"a": ["a b", "c"], "b": ["a x", "c"], "c": ["x", "c"]}
    references = [["a b", "c"], ["b a", ""]]
    result = score(outputs, references, ["wer", "bleu"], resamples=30, seed=4)
    short, whole = (list(result.view(w)[0].notes) for w in (False, True))
    assert result.view()[0].title == "2 sentences, 2 references (1 sentence with 1)"
    assert short[0].endswith(f"refs: 1-2; preorder-eval {__version__}")
    assert short[1:4] == [
        "difference from a [95% interval]: ** p ≤ 0.05, * p ≤ 0.10, uncorrected",
        "lower is better for WER",
        "only 2 sentences: no 95% intervals (at least 6 are needed)",
    ]
    assert [line for line in whole if line not in short][:2] == [
        "score [95% interval from 30 bootstrap resamples, seed 4]",
        "difference from a [95% interval]: ** p ≤ 0.05, * p ≤ 0.10, two-sided, by paired "
        "approximate randomization (Riezler & Maxwell 2005), all 4 subsets, uncorrected",
    ]
    assert whole[-1].startswith(f"{result.metrics[1]}: nrefs:var|case:mixed|")
    assert [bool(line) for count in (1, 49, 50) for line in few_drawn(Unit(), count)] == [True] * 2


def test_notes_of_orders():
    result = evaluated(THREE, test="koehn", resamples=10)
    [below] = [line for line in result.view(whole=True)[0].notes if line.startswith("difference")]
    assert below.endswith(
        "(Koehn 2004); intervals are two-sided, 10 resamples, seed 0, uncorrected"
    )
    two = evaluated({"good": GOOD, "poor": POOR}, resamples=10)
    assert not any("uncorrected" in line for line in two.view()[0].notes)
    assert two.view()[0].notes[-1] == "skipped: 1 sentence without links (30)"
    assert result.view()[0].title == "small: 30 sentences, 97% of words aligned"
    several = Alternatives.of([[[[0], [1]], [[1], [0]]], [[[0]]]])
    links = Alignments.of([[(0, 0), (1, 1)], [(0, 0)]])
    data = ReferenceSet("open", [["a", "b"], ["c"]], links, alternatives=several)
    free = evaluated({"kept": [[0, 1], [0]]}, data, ["kendall", "fuzzy(references=mean)"])
    told = "; the best and the mean of several reference orders for 1 sentence"
    assert free.title == f"open: 2 sentences, 100% of words aligned{told}"
    alike = Alternatives.of([[[[0], [1]]], [[[0]]]])
    data = ReferenceSet("open", [["a", "b"], ["c"]], links, alternatives=alike)
    one = evaluated({"kept": [[0, 1], [0]]}, data, ["kendall"])
    assert one.title == "open: 2 sentences, 100% of words aligned"
    parsers = [
        {"name": "p", "consensus": 8},
        {"name": "c", "converted": "clearnlp"},
        {"name": "d", "converted": "clearnlp"},
    ]
    systems = [System(p["name"], made_by={"parser": p}) for p in parsers]
    assert notes.parser_notes([*systems, System("x")]) == [
        "trees chosen by consensus for p (from up to 8)",
        "trees converted to UD for c, d: NAME(labels=own) keeps the ClearNLP labels",
    ]
    metrics = [metric("fuzzy(unaligned=drop)"), metric("kendall"), metric("wer")]
    few = notes.unaligned_notes(metrics, 0.89)
    assert [line.partition("words are aligned: ")[2] for line in few] == [
        "unaligned words are dropped (unaligned=drop)",
        "unaligned words stay beside their source neighbours, which favours the source order "
        "(unaligned=attach)",
    ]
    assert notes.unaligned_notes(metrics, 0.9) == []


SIZE, LENGTH = 20, 10  # documents, and sentences of each


@pytest.fixture
def inputs():
    """In some documents every sentence is wrong, in others none: sentences tell little new."""
    rng = np.random.default_rng(0)
    wrong = np.repeat(rng.random(SIZE) < 0.4, LENGTH)
    outputs = ["x b" if bad else "a b" for bad in wrong]
    better = ["a b" if number % 7 else line for number, line in enumerate(outputs)]
    systems = (System("old", hyp=outputs), System("new", hyp=better))
    return Inputs(systems, references=(Texts("ref", ["a b"] * SIZE * LENGTH),))


def documents(tmp_path):
    file = tmp_path / "documents"
    file.write_text("".join(f"d{number // LENGTH}\n" for number in range(SIZE * LENGTH)))
    return file


def test_values_stay_and_intervals_widen(inputs, tmp_path):
    sampling = Sampling(against="baseline")
    alone = score_inputs(inputs, ["wer"], sampling)
    grouped = score_inputs(with_documents(inputs, documents(tmp_path)), ["wer"], sampling)
    for system in range(2):
        [one], [other] = alone.intervals[system], grouped.intervals[system]
        assert one.value == pytest.approx(other.value)
    width = [
        result.intervals[0][0].high - result.intervals[0][0].low for result in (alone, grouped)
    ]
    assert 2.5 < width[1] / width[0] < 4, "about the root of the sentences of a document"
    assert alone.difference(0, 1, 0).value == pytest.approx(grouped.difference(0, 1, 0).value)
    assert grouped.measurements[0].statistics.shape == (2, SIZE, 2)
    assert len(grouped.scores[0][0].sentence) == SIZE * LENGTH, "sentences keep their scores"


def test_a_run_folder_keeps_the_documents(inputs, tmp_path):
    result = score_inputs(with_documents(inputs, documents(tmp_path)), ["wer"])
    write_run(result, tmp_path / "run")
    again = read_run(tmp_path / "run")
    assert again.inputs.documents == result.inputs.documents
    assert again.intervals == result.intervals
    assert result.to_dict()["documents"] == SIZE


def test_documents_need_not_be_together():
    statistics = np.arange(6.0).reshape(1, 3, 2)
    unit = Unit.of_names([*"abcdefab"])
    sums = unit.measurement(statistics, np.sum, np.array([0, 1, 0, 0, 1, 0, 0, 1], bool))
    assert sums.statistics.tolist() == [[[0 + 4, 1 + 5], [2, 3]]]


@pytest.mark.parametrize(
    ("text", "message"),
    [("a\nb\n", "2 lines, but there are 200 sentences"), ("a\n" * 199 + " \n", ":200: is empty")],
)
def test_files_that_do_not_fit(inputs, tmp_path, text, message):
    file = tmp_path / "documents"
    file.write_text(text)
    with pytest.raises(FormatError, match=message):
        with_documents(inputs, file)
    assert DOCUMENTS not in inputs.shared


@pytest.mark.parametrize(("more", "told"), [(40, True), (1, False)])
def test_a_system_is_called_best_by_another_metric_only_with_evidence(more, told):
    """`turned` has all words in another order, `same` lacks some of some sentences."""
    same = ["a b c"] * more + ["a b c d"] * (40 - more)
    outputs = {"same": same, "turned": ["d c b a"] * 40, "none": ["x"] * 40}
    result = score(outputs, ["a b c d"] * 40, ["wer", "recall"], significance=True)
    assert result.verdict.startswith("same scores best: WER")
    assert result.value("turned", "recall") > result.value("same", "recall")
    assert ("But turned is better by recall (p < 0.001)." in result.verdict) is told


def test_rows_of_orders_are_named_by_parser_and_rules_and_outputs_by_system(bundled_reference):
    data = bundled_reference.take(range(20), "few")
    one = evaluate(data, parsers=["gold"], rules=["none", "en-ja"])
    two = evaluate(data, parsers=["gold"], trees={"same": data.trees}, rules=["en-ja"])
    outputs = score({"a": ["x y"], "b": ["y x"]}, ["x y"], ["wer"], significance=True)
    for result, names in (
        (one, ["rules"]),
        (two, ["parser", "rules"]),
        (outputs, ["metric", "system"]),
    ):
        [table, *_] = result.view()
        shown = [column.key for column in table.columns if column.label and not column.only]
        assert shown == names
    [both, *_] = evaluate(
        data, parsers=["gold"], trees={"same": data.trees}, rules=["none", "en-ja"]
    ).view()
    assert both.cells("parser")[0] is None  # the source order, shown as `-`
