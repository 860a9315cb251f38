"""Comparing two systems of run folders, and gates on what comes out."""

import dataclasses

import numpy as np
import pytest

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.orders import Orders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.formats.tables import format_json
from preorder_eval.formats.folders import write_folder
from preorder_eval.formats.run_folder import read_run
from preorder_eval.metrics import order_metric
from preorder_eval.results.comparison import compare
from preorder_eval.results.evaluation import System, evaluate
from preorder_eval.results.gates import failures, parse_gate
from preorder_eval.results.sides import OrderSide as Side
from preorder_eval.results.sides import choose
from preorder_eval.stats.randomization import p_value

SENTENCES = 30


def reference(links=None):
    """Sentences of five words in target order; the last has no links."""
    source = [[f"w{s}", "b", "c", "d", "b"] for s in range(SENTENCES)]
    listed = [[(i, i) for i in range(5)] for _ in range(SENTENCES - 1)] + [[]]
    return ReferenceSet("small", source, Alignments.of(links or listed))


def write_run(folder, systems, data=None, metrics=("fuzzy", "kendall")):
    """A run folder of systems given by their orders."""
    result = evaluate(
        data or reference(),
        [System(name, "", Orders.of(orders), {}) for name, orders in systems.items()],
        [order_metric(metric) for metric in metrics],
        resamples=10,
    )
    files = {
        "run.json": format_json(result.summary()),
        "sentences.tsv": result.sentences_tsv(),
        "scores.tsv": result.scores_tsv(),
    }
    write_folder(folder, files)
    return read_run(folder)


def shuffled(seed, share):
    """Orders of which about `share` are not the reference's."""
    rng = np.random.default_rng(seed)
    keep = rng.random(SENTENCES) >= share
    return [list(range(5)) if k else rng.permutation(5).tolist() for k in keep]


GOOD, FAIR, POOR = shuffled(1, 0.2), shuffled(2, 0.5), shuffled(3, 1.0)


@pytest.fixture
def run(tmp_path):
    return write_run(tmp_path / "run", {"good": GOOD, "fair": FAIR, "poor": POOR})


def sides(run, first, second):
    return Side(run, first), Side(run, second)


def test_the_numbers_are_those_of_the_scores(run):
    result = compare(*sides(run, "good", "poor"))
    assert [m.metric for m in result.metrics] == ["fuzzy(match=word)", "kendall"]
    assert result.left_out == 1
    for column, m in enumerate(result.metrics):
        first = run.systems["good"].scores[:-1, column]
        second = run.systems["poor"].scores[:-1, column]
        assert m.values == pytest.approx((first.mean(), second.mean()))
        assert m.difference.value == pytest.approx(second.mean() - first.mean())
        assert m.better == np.count_nonzero(second > first + 1e-9)
        assert m.worse == np.count_nonzero(second < first - 1e-9)
        assert m.better + m.worse + m.same == SENTENCES - 1
        ones = np.ones(SENTENCES - 1)
        expected = p_value(
            np.column_stack([first, ones]),
            np.column_stack([second, ones]),
            lambda sums: sums[..., 0] / sums[..., 1],
        )
        assert m.p == pytest.approx(expected)
        assert m.difference.mark == "-**"
        at_95, at_90 = m.difference.at_95, m.difference.at_90
        assert at_95.low < at_90.low < m.difference.value < at_90.high < at_95.high < 0


def test_a_metric_that_was_not_stored_is_made_from_the_orders(run):
    metrics = [order_metric("kendall(average=pooled)"), order_metric("fuzzy(match=position)")]
    result = compare(*sides(run, "fair", "poor"), metrics)
    assert [m.metric for m in result.metrics] == list(map(str, metrics))
    for metric, m in zip(metrics, result.metrics, strict=True):
        values = [
            metric.score(Orders.of(orders), run.references, run.source).corpus
            for orders in (FAIR, POOR)
        ]
        assert m.values == pytest.approx(tuple(values))


def test_a_system_compared_with_itself_differs_by_nothing(run):
    for m in compare(*sides(run, "fair", "fair")).metrics:
        assert m.difference.value == m.difference.at_95.low == m.difference.at_95.high == 0
        assert (m.p, m.difference.mark) == (1, "0")
        assert (m.better, m.worse, m.same) == (0, 0, SENTENCES - 1)


def test_turned_round_the_signs_change(run):
    there, back = compare(*sides(run, "fair", "poor")), compare(*sides(run, "poor", "fair"))
    for a, b in zip(there.metrics, back.metrics, strict=True):
        assert a.difference.at_95.low == pytest.approx(-b.difference.at_95.high)
        assert (a.difference.won, a.p) == (b.difference.lost, b.p)
        assert (a.better, a.worse, a.same) == (b.worse, b.better, b.same)


def test_moved_sentences_come_with_the_largest_change_first(run):
    result = compare(*sides(run, "fair", "poor"))
    gained, lost = result.moved(SENTENCES)
    change = result.metrics[0].change
    assert [m.number for m in gained] == sorted(
        (np.flatnonzero(change > 0) + 1).tolist(), key=lambda n: (-change[n - 1], n)
    )
    assert [m.number for m in lost] == sorted(
        (np.flatnonzero(change < 0) + 1).tolist(), key=lambda n: (change[n - 1], n)
    )
    assert result.moved(2) == (gained[:2], lost[:2])
    assert result.moved(0) == ([], [])
    by_kendall = result.moved(SENTENCES, metric=1)
    assert len(by_kendall[0]) == result.metrics[1].better


def test_a_moved_sentence_shows_both_orders(run):
    result = compare(*sides(run, "fair", "poor"))
    worst = result.moved(1)[1][0]
    s = worst.number - 1
    words = run.source[s]
    assert worst.source == " ".join(words)
    assert worst.first == " ".join(words[i] for i in FAIR[s])
    assert worst.second == " ".join(words[i] for i in POOR[s])
    assert worst.change == pytest.approx(worst.second_score - worst.first_score)
    assert worst.first_score == pytest.approx(run.systems["fair"].scores[s, 0])


def test_runs_over_other_sentences_are_refused(tmp_path, run):
    data = reference()
    other_words = dataclasses.replace(data, source=[*data.source[:7], ["x"] * 5, *data.source[8:]])
    links = [data.alignments[s] for s in range(SENTENCES)]
    other_links = reference([*links[:3], links[3][1:], *links[4:]])
    fewer = ReferenceSet("small", data.source[:9], Alignments.of(links[:9]))
    for number, (other, orders, message) in enumerate(
        [
            (other_words, GOOD, "differ in the source of sentence 8; compare runs over the same"),
            (other_links, GOOD, "differ in the links of sentence 4"),
            (fewer, GOOD[:9], "have 30 and 9 sentences"),
        ]
    ):
        second = write_run(tmp_path / str(number), {"good": orders}, other)
        with pytest.raises(PreorderEvalError, match=message):
            compare(Side(run, "good"), Side(second, "good"))


def test_links_in_another_order_are_the_same_sentences(tmp_path, run):
    links = [list(reversed(reference().alignments[s])) for s in range(SENTENCES)]
    second = write_run(tmp_path / "second", {"poor": POOR}, reference(links))
    assert compare(Side(run, "good"), Side(second, "poor")).metrics[0].difference.value < 0


@pytest.mark.parametrize(
    ("old", "new"), [("\t0 1 2 3 4\t", "\t1 0 2 3 4\t"), ("\t1.0\t", "\t0.875\t")]
)
def test_a_folder_whose_scores_are_not_those_of_its_orders_is_refused(run, old, new):
    path = run.folder / "scores.tsv"
    lines = path.read_text().splitlines(keepends=True)
    start = run.systems["fair"].line - 1
    at = next(i for i in range(start, len(lines)) if old in lines[i])
    lines[at] = lines[at].replace(old, new)
    path.write_text("".join(lines))
    changed = read_run(run.folder)
    with pytest.raises(FormatError, match=r"fair, sentence \d+: .* but its order gives") as error:
        compare(*sides(changed, "good", "fair"))
    assert error.value.line == at + 1
    compare(*sides(changed, "good", "poor"))


def test_a_score_taken_out_is_noticed(run):
    path = run.folder / "scores.tsv"
    lines = path.read_text().splitlines(keepends=True)
    lines[1] = "\t".join([*lines[1].split("\t")[:3], "", "1.0\n"])
    path.write_text("".join(lines))
    with pytest.raises(FormatError, match=r"scores\.tsv:2: good, sentence 1: .* is no score, but"):
        compare(*sides(read_run(run.folder), "good", "fair"))


def test_runs_that_share_no_metric_need_one_named(tmp_path):
    first = write_run(tmp_path / "a", {"x": GOOD}, metrics=["fuzzy"])
    second = write_run(tmp_path / "b", {"x": POOR}, metrics=["kendall"])
    with pytest.raises(PreorderEvalError, match="share no metric; name one with --metric"):
        compare(Side(first, "x"), Side(second, "x"))
    assert len(compare(Side(first, "x"), Side(second, "x"), [order_metric("fuzzy")]).metrics) == 1


def test_the_summary_repeats_with_the_seed_alone(run):
    systems = sides(run, "good", "fair")
    one, again = (compare(*systems, resamples=50, seed=3).summary(5) for _ in range(2))
    other = compare(*systems, resamples=50, seed=4).summary(5)
    assert one == again
    assert one["metrics"][0]["low_95"] != other["metrics"][0]["low_95"]
    assert one["metrics"][0]["difference"] == other["metrics"][0]["difference"]
    assert one["randomization"] == {"trials": 500, "seed": 3}


def test_the_systems_to_compare_are_chosen_by_name_or_because_there_is_no_choice(tmp_path, run):
    one = write_run(tmp_path / "one", {"only": GOOD})
    two = write_run(tmp_path / "two", {"good": FAIR, "poor": POOR})

    def chosen(runs, names=()):
        return [(side.run, side.name) for side in choose(runs, names)]

    assert chosen([run], ["poor", "good"]) == [(run, "poor"), (run, "good")]
    assert chosen([run, two], ["good"]) == [(run, "good"), (two, "good")]
    assert chosen([one, run], ["only", "fair"]) == [(one, "only"), (run, "fair")]
    assert chosen([one, one]) == [(one, "only"), (one, "only")]
    assert chosen([two]) == [(two, "good"), (two, "poor")]
    for runs, names in (([run], []), ([run], ["good"]), ([one, run], []), ([one], [])):
        with pytest.raises(PreorderEvalError, match=r"with --system: .*(good, fair, poor|only)"):
            choose(runs, names)
    with pytest.raises(PreorderEvalError, match="3 systems named"):
        choose([run], ["good", "fair", "poor"])
    with pytest.raises(UnknownNameError, match=r"unknown system of .*one 'good'; known: only"):
        choose([run, one], ["good"])


def test_a_gate_fails_if_the_whole_interval_lies_below_it(run):
    result = compare(*sides(run, "good", "poor"))
    high = result.metrics[0].difference.at_95.high
    assert high < -0.01
    for threshold, fails in ((0, True), (high + 1e-6, True), (high - 1e-6, False), (-1, False)):
        lines = failures(result, [parse_gate(f"fuzzy:{threshold}")])
        assert bool(lines) == fails
    [line] = failures(result, [parse_gate("fuzzy:-0.01"), parse_gate("kendall:-0.999")])
    value = -result.metrics[0].difference.value
    assert line.startswith(f"gate fuzzy:-0.01 failed: fuzzy(match=word) fell by {value:.4f}, 95 %")
    assert not failures(compare(*sides(run, "poor", "good")), [parse_gate("fuzzy:0")])


def test_a_gate_means_a_metric_by_signature_or_by_the_only_one_of_its_name(run):
    both = [order_metric("fuzzy(match=word)"), order_metric("fuzzy(match=position)")]
    result = compare(*sides(run, "good", "poor"), both)
    [line] = failures(result, [parse_gate("fuzzy(match=position):-0.01")])
    assert "fuzzy(match=position) fell" in line
    [line] = failures(result, [parse_gate("fuzzy:-0.01")])  # as evaluate reads it
    assert "fuzzy(match=word) fell" in line
    result = compare(*sides(run, "good", "poor"), both[1:])
    [line] = failures(result, [parse_gate("fuzzy:-0.01")])
    assert "fuzzy(match=position) fell" in line
    for unknown in ("kendall:-0.01", "fuzzy(match=word):-0.01", "fuzy:0"):
        with pytest.raises(UnknownNameError):
            failures(result, [parse_gate(unknown)])


@pytest.mark.parametrize(
    "text",
    ["fuzzy", "fuzzy:", ":-0.1", "fuzzy:x", "fuzzy:0.005", "fuzzy:nan", "fuzzy:-inf", "", " :-1"],
)
def test_a_malformed_gate_says_how_to_write_one(text):
    with pytest.raises(PreorderEvalError, match=r"is not METRIC:NUMBER .* such as fuzzy:-0\.005"):
        parse_gate(text)
