"""Comparing two systems of results, in memory and in run folders."""

import numpy as np
import pytest
from small_orders import FAIR, GOOD, POOR, SENTENCES, THREE, evaluated, reference

from preorder_eval.base.errors import PreorderEvalError, UnknownNameError
from preorder_eval.evaluation.compare import compare
from preorder_eval.evaluation.gates import check_gates, parse_gate
from preorder_eval.evaluation.joining import joined, shared_metrics
from preorder_eval.evaluation.pair import MetricComparison
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.runs.run_writing import write_run
from preorder_eval.evaluation.score import score
from preorder_eval.judgments.metric_scores import by_reference
from preorder_eval.metrics import metric, order_metric
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Orders
from preorder_eval.references.objective import nearest_reference, objective, shown_reference
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.references.reference_set import ReferenceSet


def written(folder, *arguments, **options):
    """A result that was written to a folder and read back."""
    write_run(evaluated(*arguments, **options), folder)
    return read_run(folder)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return written(tmp_path_factory.mktemp("runs") / "run", THREE)


def test_the_numbers_are_those_of_the_scores(run):
    result = compare(run, systems=["good", "poor"], resamples=100)
    frame = result.to_pandas()
    assert frame["metric"].tolist() == ["fuzzy(match=word)", "kendall"]
    assert frame["difference"].tolist() == [m.difference.value for m in result.metrics]
    assert [m.metric for m in result.metrics] == ["fuzzy(match=word)", "kendall"]
    assert (result.scored, result.left_out) == (SENTENCES - 1, 1)
    for column, m in enumerate(result.metrics):
        first, second = (run.sentence_scores(name, column)[:-1] for name in ("good", "poor"))
        assert m.values == pytest.approx((first.mean(), second.mean()))
        assert m.difference.value == pytest.approx(second.mean() - first.mean())
        assert m.better == np.count_nonzero(second > first + 1e-9)
        assert m.worse == np.count_nonzero(second < first - 1e-9)
        assert m.better + m.worse + m.same == SENTENCES - 1
        assert m.difference.mark == "-**"
        at_95, at_90 = m.difference.at_95, m.difference.at_90
        assert at_95.low < at_90.low < m.difference.value < at_90.high < at_95.high < 0


def test_a_metric_that_was_not_stored_is_made_from_the_orders(run):
    pooled, data = order_metric("kendall(average=pooled)"), run.inputs.reference
    scored = (pooled.score(Orders.of(o), data.references, data.words) for o in (FAIR, POOR))
    values = tuple(each.corpus for each in scored)
    for given in (pooled, str(pooled)):
        [found] = compare(run, systems=["fair", "poor"], metrics=given).metrics
        assert (found.metric, found.values) == (str(pooled), pytest.approx(values))


@pytest.mark.parametrize(("by", "better", "worse"), [("ribes", 1, 0), ("wer", 0, 1)])
def test_rounding_and_sentences_left_out_are_no_change(by, better, worse):
    first, second = np.array([[0.3, 0.5, np.nan], [0.3 + 1e-13, 0.6, np.nan]])
    found = MetricComparison(None, metric(by), by, (0.4, 0.45), first, second)
    assert (found.better, found.worse, found.same) == (better, worse, 1)
    assert found.gain.tolist() == pytest.approx([0, 0.1 * (better - worse), 0])


def test_a_system_compared_with_itself_differs_by_nothing(run):
    for m in compare(run, run, ["fair"]).metrics:
        assert (m.difference.value, m.difference.p, m.difference.mark) == (0, 1, "0")
        assert np.isnan(m.difference.at_95.low), "no sentence differs"
        assert (m.better, m.worse, m.same) == (0, 0, SENTENCES - 1)


def test_the_test_is_that_of_the_first_result_or_the_one_asked_for(tmp_path):
    run = written(tmp_path / "run", THREE, test="koehn", significance=True, resamples=40, seed=3)
    usual = compare(run, systems=["good", "poor"])
    asked = compare(run, systems=["good", "poor"], test="randomization")
    assert usual.to_dict()["significance"]["test"] == "koehn"
    assert np.isnan(usual.metrics[0].difference.p)
    assert asked.metrics[0].difference.p < 0.05
    assert (usual.both.sampling.resamples, usual.both.sampling.seed) == (40, 3)


def test_moved_sentences_come_with_the_largest_change_first(run):
    result = compare(run, systems=["fair", "poor"])
    moved = result.sentences(SENTENCES)
    change = result.metrics[0].gain
    assert [m.number for m in moved.gained] == sorted(
        (np.flatnonzero(change > 0) + 1).tolist(), key=lambda n: (-change[n - 1], n)
    )
    assert [m.number for m in moved.lost] == sorted(
        (np.flatnonzero(change < 0) + 1).tolist(), key=lambda n: (change[n - 1], n)
    )
    two, none = result.sentences(2), result.sentences(0)
    assert (two.gained, two.lost) == (moved.gained[:2], moved.lost[:2])
    assert (none.gained, none.lost) == ([], [])


def test_a_moved_sentence_shows_both_orders(run):
    worst = compare(run, systems=["fair", "poor"]).sentences(1).lost[0]
    s = worst.number - 1
    words = run.inputs.reference.source[s]
    assert worst.source == " ".join(words)
    assert worst.first == " ".join(words[i] for i in FAIR[s])
    assert worst.second == " ".join(words[i] for i in POOR[s])
    assert worst.reference == run.inputs.reference.references[s].braces(words)
    assert worst.change == pytest.approx(worst.second_score - worst.first_score)
    assert worst.first_score == pytest.approx(run.sentence_scores("fair")[s])


def test_a_moved_sentence_of_outputs_shows_them_with_all_references():
    made = score({"one": ["a b", "c"], "two": ["a b", "d"]}, [["a b", "c"], ["b", "e"]], ["wer"])
    [worst] = compare(made, systems=["one", "two"]).sentences(5).lost
    assert (worst.source, worst.first, worst.second) == ("c | e", "c", "d")
    assert (worst.reference, worst.translation) == (None, None)


def test_runs_over_other_sentences_are_refused(tmp_path, run):
    links = [reference().alignments[s] for s in range(SENTENCES)]
    other = reference([*links[:3], links[3][1:], *links[4:]])
    second = written(tmp_path / "other", {"good": GOOD}, other)
    message = "differ in the links of sentence 4; compare runs on the same"
    with pytest.raises(PreorderEvalError, match=message):
        compare(run, second, ["good"])


def test_runs_that_share_no_metric_need_one_named(tmp_path):
    first = written(tmp_path / "a", {"x": GOOD}, metrics=["fuzzy"])
    second = written(tmp_path / "b", {"x": POOR}, metrics=["kendall"])
    with pytest.raises(
        PreorderEvalError, match=r"share no metric; name one to compare by \(metrics=…\)"
    ):
        compare(first, second)
    assert len(compare(first, second, metrics=["fuzzy"]).metrics) == 1


def test_the_systems_to_compare_are_chosen_by_name_or_because_there_is_no_choice(tmp_path, run):
    one = written(tmp_path / "one", {"only": GOOD})
    two = written(tmp_path / "two", {"good": FAIR, "poor": POOR})

    def chosen(*arguments):
        compared = compare(*arguments)
        return list(zip(compared.runs, compared.names, strict=True))

    assert chosen(run, None, ["poor", "good"]) == [(run.name, "poor"), (run.name, "good")]
    assert chosen(run, two, ["good"]) == [(run.name, "good"), (two.name, "good")]
    assert chosen(one, run, ["only", "fair"]) == [(one.name, "only"), (run.name, "fair")]
    assert chosen(one, one) == [(one.name, "only"), (one.name, "only")]
    assert chosen(two) == [(two.name, "good"), (two.name, "poor")]
    for wrong in ((run,), (run, None, ["good"]), (one, run), (one,)):
        with pytest.raises(
            PreorderEvalError, match=r"\(systems=\[A, B\]\): .*(good, fair, poor|only)"
        ):
            compare(*wrong)
    with pytest.raises(PreorderEvalError, match="3 systems are named"):
        compare(run, None, ["good", "fair", "poor"])
    with pytest.raises(UnknownNameError, match=r"unknown system of .*one 'good'; known: only"):
        compare(run, one, ["good"])


def outputs(systems, references=("a b c",), metrics=("wer",), **options):
    return score(systems, list(references), list(metrics), resamples=10, **options)


def test_systems_of_several_results_stand_together(tmp_path):
    for name, text in (("before", "a b"), ("after", "a b c")):
        systems = {"mt": [text], "base": ["c"]} if name == "after" else {"mt": [text]}
        write_run(outputs(systems), tmp_path / name)
    read = [read_run(tmp_path / name) for name in ("before", "after")]
    both = joined(read, shared_metrics(read))
    assert both.systems == ["before:mt", "after:mt", "base"]
    assert [both.value(name) for name in both.systems] == pytest.approx([1 / 3, 0, 2 / 3])
    by_per = outputs({"mt": ["b"]}, metrics=["per"])
    memory = joined([outputs({"mt": ["a"]}), by_per], read[0].metrics)
    assert memory.systems == ["1:mt", "2:mt"]
    for few, message in (([], "give at least one result"), ([by_per, read[0]], "share no metric")):
        with pytest.raises(PreorderEvalError, match=message):
            joined(few, shared_metrics(few) if few else [])


def by_the_reference(results):
    """The one result of several over the same references."""
    [one] = by_reference(results).values()
    return one


def test_orders_and_outputs_of_the_same_systems_stand_together(tmp_path):
    """In memory and in folders; a system is told by its name."""
    data = ReferenceSet("small", [["a", "b"]] * 6, Alignments.of([[(0, 1), (1, 0)]] * 6))
    made = {"good": [[1, 0]] * 6, "poor": [[0, 1]] * 6}
    orders = evaluated(made, data)
    texts = outputs({"poor": ["a b"] * 6, "good": ["b a"] * 6}, ["b a"] * 6, ["wer", "bleu"])
    write_run(orders, tmp_path / "orders")
    write_run(texts, tmp_path / "outputs")
    folders = [read_run(tmp_path / name) for name in ("orders", "outputs")]
    for results in ([orders, texts], folders, [folders[0], texts]):
        both = by_the_reference(results)
        assert both.systems == ["good", "poor"]
        assert [own.name for own in both.metrics] == ["fuzzy", "kendall", "wer", "bleu"]
        for result in results:
            for m in map(str, result.metrics):
                for name in result.systems:
                    assert both.value(name, m) == result.value(name, m)
        compared = compare(both, systems=["good", "poor"]).metrics
        assert [m.difference.mark for m in compared] == ["-**", "-**", "-**", "0"]
    assert by_the_reference([texts, orders]).systems == ["poor", "good"]
    write_run(both, tmp_path / "both")
    assert read_run(tmp_path / "both").intervals == both.intervals


def test_a_system_that_is_another_in_another_run_is_refused():
    one = outputs({"mt": ["a b c"]})
    tagged = [
        score({"mt": ["a"]}, ["a"], ["hlepor(mix=1:9)"], hyp_tags=[[tag]], ref_tags=[["N"]])
        for tag in "NV"
    ]
    for results in ([one, outputs({"mt": ["c"]})], tagged):
        with pytest.raises(
            PreorderEvalError, match="two systems are called mt; omit one of the runs"
        ):
            by_the_reference(results)
    assert by_the_reference([one, outputs({"mt": ["a b c"]}, metrics=["per"])]).systems == ["mt"]


def test_a_sentence_without_links_has_none():
    data = ReferenceSet("small", [["I", "eat"]], Alignments.of([[]]))
    assert shown_reference(data, 0, [0, 1]) == (None, None)


def test_what_is_shown_is_what_the_sentence_is_scored_by():
    data = load_reference("en-ja-web")
    several = [s for s in range(len(data)) if len(data.orders_of(s)) > 1][:20]
    orders = Orders.of([list(range(len(words))) for words in data.source])
    metric = objective(data).first
    best = metric.score(orders, data.allowed, data.words).sentence
    for s in several:
        nearest = nearest_reference(data, s, orders[s])
        single = metric.score([orders[s]], [nearest], [data.source[s]])
        assert single.corpus == pytest.approx(best[s])


def test_a_gate_fails_if_the_whole_interval_lies_below_it(run):
    compared = compare(run, systems=["good", "poor"])
    high = compared.metrics[0].difference.at_95.high
    assert high < -0.01
    for threshold, fails in ((0, True), (high + 1e-6, True), (high - 1e-6, False), (-1, False)):
        lines, _ = check_gates(compared, [parse_gate(f"fuzzy:{threshold}")])
        assert bool(lines) == fails
    [line], _ = check_gates(compared, [parse_gate("fuzzy:-0.01"), parse_gate("kendall:-0.999")])
    value = -compared.metrics[0].difference.value
    assert line.startswith(
        f"gate fuzzy:-0.01 failed: fuzzy(match=word) of poor fell by {value:.3f}, 95%"
    )
    assert not check_gates(compare(run, systems=["poor", "good"]), [parse_gate("fuzzy:0")])[0]


def test_a_gate_of_an_error_rate_fails_where_it_rises():
    reference = ["a b c d"] * 20
    made = score({"good": reference, "poor": ["a b d c"] * 20}, reference, ["wer"], resamples=10)
    [line], _ = check_gates(compare(made, systems=["good", "poor"]), [parse_gate("wer:-0.01")])
    assert "wer(tokenize=13a) of poor rose by 0.500" in line
    assert not check_gates(compare(made, systems=["good", "poor"]), [parse_gate("wer:-0.5")])[0]
    assert not check_gates(compare(made, systems=["poor", "good"]), [parse_gate("wer:0")])[0]


def test_a_gate_warns_of_too_few_sentences():
    rng = np.random.default_rng(7)
    systems = {name: [rng.permutation(5) for _ in range(SENTENCES)] for name in "ab"}
    few = compare(evaluated(systems, resamples=100), systems=["a", "b"])
    _, [line] = check_gates(few, [parse_gate("fuzzy:-0.005")])
    assert line.startswith("gate fuzzy:-0.005: 17 of 29 sentences differ, too few")
    systems = {name: [rng.permutation(9) for _ in range(60)] for name in "ab"}
    links = Alignments.of([[(i, i) for i in range(9)]] * 60)
    data = ReferenceSet("long", [list("abcdefghi")] * 60, links)
    compared = compare(evaluated(systems, data, resamples=100), systems=["a", "b"])
    least = compared.metrics[0].difference.detectable + 0.005
    _, [line] = check_gates(compared, [parse_gate("fuzzy:-0.005"), parse_gate("fuzzy:-0.9")])
    assert line.startswith(f"gate fuzzy:-0.005: 60 sentences detect falls of {least:.3f} or more")
    worse = compare(evaluated(THREE), systems=["good", "poor"])
    assert check_gates(worse, [parse_gate("fuzzy:-0.005")])[0]
    assert check_gates(worse, [parse_gate("fuzzy:-0.005")])[1] == []
    same = compare(evaluated({"a": GOOD, "b": GOOD}), systems=["a", "b"])
    assert check_gates(same, [parse_gate("fuzzy:0")])[1] == []


@pytest.mark.parametrize(
    "text",
    ["fuzzy", "fuzzy:", ":-0.1", "fuzzy:x", "fuzzy:0.005", "fuzzy:nan", "fuzzy:-inf", "", " :-1"],
)
def test_a_malformed_gate_says_how_to_write_one(text):
    with pytest.raises(PreorderEvalError, match=r"is not METRIC:NUMBER .* such as fuzzy:-0\.005"):
        parse_gate(text)
