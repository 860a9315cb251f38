"""Meta-evaluation as a whole, on made-up systems."""

import math

import numpy as np
import pytest
import scipy
from judged_tables import mean_metric, scored_by

from preorder_eval.analysis.report import report
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.stats.bootstrap import percentile_interval
from preorder_eval.base.stats.measurement import TIE
from preorder_eval.evaluation.inputs import Inputs, Texts
from preorder_eval.evaluation.score import score, score_inputs
from preorder_eval.evaluation.systems import System
from preorder_eval.judgments.correlation import COEFFICIENTS
from preorder_eval.judgments.human_scores import HumanScores, PairwiseJudgments
from preorder_eval.judgments.meta import WhenAsked, meta
from preorder_eval.judgments.metric_scores import common_labels
from preorder_eval.judgments.side_by_side import SideBySide
from preorder_eval.judgments.standing import Lead
from preorder_eval.judgments.statistic import (
    Conventions,
    agreement,
    resample,
    statistic,
    statistics_for,
)

SYSTEMS, SEGMENTS = 6, 80


@pytest.fixture
def quality():
    rng = np.random.default_rng(1)
    return rng.normal(size=(SYSTEMS, SEGMENTS)) + np.linspace(0, 1, SYSTEMS)[:, None]


@pytest.fixture
def people(quality):
    rng = np.random.default_rng(2)
    table = quality + rng.normal(size=quality.shape)
    table[rng.random(table.shape) < 0.2] = np.nan
    return scored_by(table)


@pytest.fixture
def metrics(quality):
    rng = np.random.default_rng(3)
    noise = rng.normal(size=(3, *quality.shape))
    return [
        mean_metric("bleu", quality + 4 * noise[0]),
        mean_metric("nkt", quality + 0.3 * noise[1]),
        mean_metric("wer", 2 - quality + 0.3 * noise[2], higher_is_better=False),
    ]


def test_the_best_metrics_come_first_and_differ_from_the_poor_one(metrics, people):
    for by in ("pairs.consistency", "segment.pearson"):
        result = meta(metrics, people, by=by, resamples=100)
        assert result.order[2] == 0
        assert result.groups == [1, 1, 2]
        assert result.p[0, 1] < 0.01 < result.p[1, 2]
        assert not result.notes


def test_the_best_metric_is_compared_with_each_other_one_by_a_corrected_p():
    """Each other one by itself is significantly worse, and is in a group of its own."""
    p = np.array([[1.0, 0.03, 0.015, 0.02], *[[0.03, 1, 1, 1]] * 3])
    values = np.array([0.9, 0.8, 0.7, np.nan])
    lead = Lead.by(values, p, 0.05)
    assert (lead.best, lead.close, lead.comparisons, lead.shown) == (0, (1,), 3, False)
    assert (
        lead.told("ABCD") == "; not significantly worse: B (at the 5% level, corrected for 3 pairs)"
    )
    assert lead.in_doubt("ABCD").endswith("agrees better than B (corrected for 3 pairs)")
    alone = Lead.by(values[:2], p[:2, :2], 0.05)
    assert (alone.close, alone.told("AB")) == ((), "; the other metric is significantly worse")
    single = Lead.by(values[:1], p[:1, :1], 0.05)
    assert (single.told("A"), single.in_doubt("A"), single.shown) == ("", "", True)


def test_statistics_over_systems(metrics, people):
    mean = np.nanmean(people.means, axis=1)
    good, rate = metrics[1].segment_scores().mean(axis=1), metrics[2].segment_scores().mean(axis=1)
    for name, theirs in (
        ("pearson", scipy.stats.pearsonr),
        ("spearman", scipy.stats.spearmanr),
        ("kendall", scipy.stats.kendalltau),
    ):
        found = agreement(f"system.{name}", metrics, people)
        assert found[1] == pytest.approx(theirs(good, mean).statistic)
        assert found[2] == pytest.approx(-theirs(rate, mean).statistic)


def test_what_an_outlier_changes_is_noted_and_the_verdict_goes_on_over_systems(quality, people):
    quality[0] -= 3
    table = people.means.copy()
    table[0] -= 50
    judged, metrics = scored_by(table), [mean_metric("nkt", quality)]
    result = meta(metrics, judged, resamples=50)
    accuracy, soft = (agreement(n, metrics, judged)[0] for n in ("pairs.accuracy", "system.spa"))
    rest = judged.chosen(judged.systems[1:])
    without = agreement("pairs.accuracy", [mean_metric("nkt", quality[1:])], rest)[0]
    assert result.outliers == ["s0"]
    pearson = agreement("system.pearson", [mean_metric("nkt", quality[1:])], rest)
    assert agreement("core.pearson", metrics, judged) == pytest.approx(pearson)
    [note] = result.notes
    assert note.startswith("s0 is an outlier: ")
    assert note.endswith(f" pairs.accuracy of NKT {accuracy:.3f} → {without:.3f}")
    assert f"pairs.accuracy {accuracy:.3f} (" in result.verdict
    assert f"over systems spa {soft:.3f} (" in result.verdict


def test_resamples_over_systems_are_of_the_same_segments(metrics, people):
    names = ("system.pearson", "system.kendall")
    wanted = [own for own in statistics_for(people) if str(own) in names]
    sampled = resample(metrics, people, wanted, resamples=2, seed=7)
    drawn = np.random.default_rng(7).integers(0, SEGMENTS, size=(2, SEGMENTS))[1]
    anew = [
        mean_metric(m.metric, m.segment_scores()[:, drawn], m.higher_is_better) for m in metrics
    ]
    for own, found in zip(wanted, sampled, strict=True):
        expected = agreement(str(own), anew, scored_by(people.means[:, drawn]))
        assert found.resampled[1] == pytest.approx(expected)


def test_every_statistic_has_an_interval_around_its_value(metrics, people):
    result = meta(metrics, people, resamples=100)
    for name, sampled in result.statistics.items():
        assert sampled.values == pytest.approx(agreement(name, metrics, people))
        for metric in range(3):
            interval = sampled.interval(metric)
            assert interval.low < interval.high
            assert interval.low - 0.1 <= interval.value <= interval.high + 0.1


def test_statistics_that_are_not_asked_for_are_computed_together_when_one_is_looked_up(people):
    known, computed = statistics_for(people), []

    def compute(statistics):
        computed.append(statistics)
        return [str(each) for each in statistics]

    values = WhenAsked(known, compute, asked := known[3:5])
    names = [str(each) for each in known]
    assert (list(values), len(values)) == (names, len(names))
    assert all(name in values for name in names)
    assert values[names[3]] == names[3]
    assert computed == [asked]
    assert dict(values) == dict(zip(names, names, strict=True))
    assert computed == [asked, [each for each in known if each not in asked]]
    with pytest.raises(KeyError):
        values["nothing"]


def test_comparisons_allow_what_needs_no_scores(metrics, people):
    pairs = people.pairs()
    result = meta(metrics, pairs, resamples=50)
    assert {name.partition(".")[0] for name in result.statistics} == {"system", "core", "pairs"}
    assert agreement("pairs.wmt14", metrics, pairs) == pytest.approx(
        agreement("pairs.wmt14", metrics, people)
    )


def test_a_constant_metric_is_noted_and_comes_last(metrics, people):
    flat = mean_metric("gtm", np.full((SYSTEMS, SEGMENTS), 0.1))
    result = meta([flat, *metrics], people, by="segment.spearman", resamples=50)
    assert result.order[-1] == 0
    assert result.notes == [
        "gtm gives all judged outputs the same score; its correlations and statistics over "
        "systems are undefined"
    ]
    undefined = {name for name, own in result.statistics.items() if np.isnan(own.values[0])}
    levels = ("system", "core", "segment", "within-system")
    wanted = {f"{level}.pearson" for level in levels} | {"system.spa", "system.accuracy"}
    assert wanted <= undefined
    assert result.to_dict()["metrics"][-1]["statistics"]["segment.spearman"]["value"] is None
    told = result.to_dict()["verdict"]
    others = told["worse"] + told["not_shown_to_be_worse"]
    assert "gtm" not in others
    assert told["pairs"] == 3
    assert len(others) == 2
    alone = meta(metrics, people, by="segment.spearman", resamples=50)
    for name, own in alone.statistics.items():
        assert result.statistics[name].values[1:].tolist() == own.values.tolist()


def test_a_metric_that_ranks_no_systems_has_no_correlation_over_them(metrics, people):
    """SPA compares how sure it is of differences, here not at all, as people may be, too."""
    table = metrics[1].segment_scores()
    same = mean_metric("nkt", table - table.mean(axis=1, keepdims=True))
    result = meta([same, mean_metric("wer", table)], people, by="system.pearson", resamples=50)
    values = {name: own.values for name, own in result.statistics.items()}
    undefined = {name for name, of in values.items() if np.isnan(of[0])}
    assert undefined == {n for n in values if n.startswith(("system.", "core."))} - {"system.spa"}
    assert agreement("system.spa", result.metrics, people)[0] == values["system.spa"][0] < 0.8
    assert np.isnan(result.p[0, 1])
    assert "significantly" not in result.verdict


def on(name, text, *metrics):
    """Two systems' scores against a reference."""
    systems = (System("s0", hyp=["b a", "c d"]), System("s1", hyp=["a b", "c"]))
    return score_inputs(Inputs(systems, references=(Texts(name, text),)), metrics)


def test_references_stand_beside_each_other():
    people, texts = scored_by(np.array([[1.0, 2], [2, 1]])), (["a b", "c d"], ["b a", "c d"])
    two = [on("x", texts[0], "wer", "per"), on("y", texts[1], "wer", "per")]
    results = [*two, on("x", texts[0], "cder")]
    wer, per, cder = (f"{name}(tokenize=13a)" for name in ("wer", "per", "cder"))
    for metrics, expected in (
        ([], [f"{wer} by x", f"{wer} by y", per, cder]),
        (["ter", "per"], ["ter by x", "ter by y", per]),
    ):
        found = meta(results, people, metrics, resamples=9)
        assert [metric.label for metric in found.metrics] == expected
        for own, reference in zip(found.metrics, texts, strict=False):
            alone = [of_system[0].sentence for of_system in on("z", reference, own.metric).scores]
            assert own.segment_scores().tolist() == np.stack(alone).tolist()
    unnamed = meta([on("x", text, "wer") for text in texts], people, resamples=9)
    assert [m.reference for m in unnamed.metrics] == ["reference 1", "reference 2"]
    with pytest.raises(PreorderEvalError, match=r"needs source_tags and hyp_tags$"):
        meta(results, people, ["hppr"])


def test_judgments_of_another_text_are_refused(people, tmp_path):
    result = score({name: ["a b", "c"] for name in people.systems}, ["a b", "c"], ["wer"])
    for door in (meta, lambda *given: report(given[0], tmp_path / "x.html", given[1])):
        with pytest.raises(PreorderEvalError, match=rf"{SEGMENTS} segments, the outputs 2;"):
            door(result, people)


@pytest.mark.parametrize("segments", [1, 5])
def test_fewer_than_six_judged_segments_have_no_interval(segments, quality, people):
    whole = np.flatnonzero(~np.isnan(people.means).any(axis=0))
    alone = people.where(np.isin(people.segment, whole[:segments]))
    result = meta([mean_metric("nkt", quality)], alone, resamples=50)
    for sampled in (*result.statistics.values(), result.ratings):
        assert np.isnan([sampled.interval(0).low, sampled.interval(0).high]).all()
    assert result.verdict.startswith("No evidence") == (segments == 1)


def test_two_systems_have_no_correlation_over_systems(metrics, people):
    result = meta(first_of(metrics, 2), people.chosen(people.systems[:2]), resamples=20)
    assert np.isnan(result.statistics["system.pearson"].values).all()
    assert result.notes == ["2 systems: correlations over systems need at least 3"]


def test_one_system_has_statistics_of_its_outputs_alone(metrics, people):
    one = meta(first_of(metrics, 1), people.chosen(["s0"]), by="segment.pearson", resamples=20)
    assert one.notes == ["1 system: correlations over systems need at least 3"]
    assert one.statistics["segment.pearson"].values.min() > 0
    known = {name for name, own in one.statistics.items() if not np.isnan(own.values[1])}
    assert {name.partition(".")[0] for name in known} == {"segment", "within-system"}


def test_scores_stand_side_by_side_and_pairs_have_a_mean(metrics, people):
    table = people.means.copy()
    table[0] -= 50
    options = {"by": "core.accuracy", "resamples": 20}
    near, far = (meta(metrics, judged, **options) for judged in (people, scored_by(table)))
    pairs = SideBySide.of_pairs({"near": near, "far": far})
    values = [result.statistics["core.accuracy"].values for result in (near, far)]
    expected = (15 * values[0] + 10 * values[1]) / 25  # by pairs of systems; one is an outlier
    assert pairs.means["core.accuracy"].values == pytest.approx(expected)
    assert pairs.view()[0].rows[-1][:4] == ["chance", None, 0.5, 0.5]
    scores = SideBySide.of_scores({"near": near, "far": far}).view()[0]
    assert [cell[0] for cell in scores.rows[-1][2:]] == [0.5, 0.5]
    assert [row[2][0] for row in scores.rows[:-1]] == values[0][near.order].tolist()


def test_names_of_pairs_leave_out_settings_that_differ():
    table = np.ones((2, 2))
    german, chinese = (
        [
            mean_metric(f"bleu(tokenize={of},order=2)", table),
            mean_metric("wer(tokenize=none)", table),
        ]
        for of in ("13a", "zh")
    )
    names = ["bleu", "wer(tokenize=none)"], ["BLEU", "WER"]
    assert common_labels([german, chinese]) == names
    assert common_labels([german, german])[0][0] == "bleu(tokenize=13a,order=2)"
    for other, words in ((chinese[:1], "metrics: wer"), (chinese[::-1], "metrics: another order")):
        with pytest.raises(PreorderEvalError, match=words):
            common_labels([german, german, other])


def first_of(metrics, count):
    """The metrics of some systems alone."""
    return [mean_metric(m.metric, m.segment_scores()[:count], m.higher_is_better) for m in metrics]


def ties_alone():
    zero = np.zeros(1, dtype=np.int64)
    names = tuple(f"s{r}" for r in range(SYSTEMS))
    return PairwiseJudgments(names, SEGMENTS, zero, zero, zero + 1, zero, zero)


@pytest.mark.parametrize(
    ("systems", "judge", "options", "message"),
    [
        (2, None, {"by": "system.pearson"}, "undefined for every metric: it needs 3 systems"),
        (1, None, {}, "undefined for every metric: it needs 2 systems"),
        (6, lambda _: scored_by(np.ones((6, SEGMENTS))), {"by": "segment.kendall"}, "are equal"),
        (6, lambda _: ties_alone(), {}, "system s0 has no usable judgment"),
        (6, HumanScores.pairs, {"by": "segment.pearson"}, "'segment.pearson'"),
        (
            6,
            HumanScores.pairs,
            {"quality_estimation": True},
            "quality estimation needs human scores",
        ),
        (6, None, {"level": 5}, "level must be from 0 to 1, not 5"),
        (6, None, {"conventions": Conventions(margin=-1)}, "margin must be 0 or greater, not -1"),
    ],
)
def test_what_cannot_be_evaluated(metrics, people, systems, judge, options, message):
    judgments = judge(people) if judge else people.chosen(people.systems[:systems])
    with pytest.raises(PreorderEvalError, match=message):
        meta(first_of(metrics, systems), judgments, resamples=20, **options)


def errors_by_hand(scores, means):
    """The errors of predictions by np.polyfit on the segments of the other half."""
    errors = []
    for fold in (0, 1):
        ours = np.arange(means.shape[1]) % 2 == fold
        known, asked = ~np.isnan(means) & ~ours, ~np.isnan(means) & ours
        line = np.polyfit(scores[known], means[known], 1)
        errors += (np.polyval(line, scores[asked]) - means[asked]).tolist()
    return np.abs(errors).mean(), np.sqrt(np.square(errors).mean())


def test_tables_for_people_and_for_programs(metrics, people):
    result = meta(metrics, people, quality_estimation=True, resamples=50)
    header, rows = result.tables()[1].flat()
    assert [row[0] for row in rows] == [metrics[m].label for m in result.order]
    assert result.to_dict()["randomization"]["trials"] == 500  # ten for each resample
    of_json = result.to_dict()["metrics"][0]
    low = rows[0][header.index("pairs.consistency low")]
    assert of_json["statistics"]["pairs.consistency"]["low"] == low
    assert (of_json["delta_avg"], of_json["mae"], of_json["rmse"]) == result.estimation[
        result.order[0]
    ]
    assert min(delta for delta, *_ in result.estimation[1:]) > 0.3, "that of an error rate too"
    for scores, (_, mae, rmse) in zip(result.metrics, result.estimation, strict=True):
        assert (mae, rmse) == pytest.approx(errors_by_hand(scores.segment_scores(), people.means))


def test_what_people_read(metrics, people):
    result = meta(metrics, people, resamples=50, quality_estimation=True)
    value = {name: own.values[2] for name, own in result.statistics.items()}
    chance = result.chances["system.spa"][2]
    assert result.verdict == (
        f"WER has the highest pairs.accuracy {value['pairs.accuracy']:.3f} (chance 0.500), but "
        "there is no evidence that it agrees better than NKT (corrected for 3 pairs); "
        f"over systems spa {value['system.spa']:.3f} (chance {chance:.3f}, p = 0.001)"
    )
    assert {key: result.to_dict()["verdict"][key] for key in ("systems", "worse")} == {
        "systems": ["wer"], "worse": ["bleu"],
    }  # fmt: skip
    shown, estimation = result.view()
    assert [row[0] for row in shown.rows] == ["WER", "NKT", "BLEU", "chance"]
    assert [column.heading for column in shown.columns[2:]] == ["pairs.accuracy ▼", "system.spa"]
    assert [row[1:] for row in estimation.rows] == [list(result.estimation[m]) for m in (2, 1, 0)]
    first, *levels, last, systems = result.view(whole=True)
    assert [column.heading for column in first.columns[2:4]] == ["accuracy ▼", "consistency"]
    assert [row[:2] for row in first.rows[:3]] == [["WER", 1], ["NKT", 1], ["BLEU", 2]]
    assert [len(table.columns) for table in (first, *levels)] == [7, 6, 4, 4, 6]
    assert all(table.rows[-1][0] == "chance" for table in (first, *levels))
    assert (last.title, len(systems.rows)) == ("Quality estimation", SYSTEMS)
    for table, symmetric in ((estimation, False), (systems, True)):
        notes = " ".join(table.notes)
        assert "6 systems, 80 segments, " in notes
        assert f"50 bootstrap resamples of segments, seed 0{'; sym' if symmetric else ']'}" in notes
        assert "WER: wer" in notes


def test_agreement_below_chance_is_said_first(metrics, people, quality):
    against = meta([mean_metric("per", -quality)], people, resamples=20)
    assert against.verdict.startswith("All metrics agree with the opposite of the human judgments")
    assert [caveat.kind for caveat in against.found.caveats] == ["below_chance"]
    # The rating of the system, with what people say beyond it turned round: pairs are against them.
    rating = np.nanmean(people.means, axis=1, keepdims=True)
    beyond = np.nan_to_num(people.means - rating)
    result = meta([mean_metric("ribes", rating - 0.5 * beyond)], people, resamples=50)
    assert result.verdict.startswith("RIBES has the best pairs.accuracy ")
    assert (
        " but shows no clear agreement with humans; over systems the best is RIBES: spa "
        in result.verdict
    )
    # The rating turned round: the systems are against them.
    result = meta([mean_metric("nkt", beyond - rating)], people, resamples=50)
    assert "but over systems it is not shown to be better than chance: spa " in result.verdict


@pytest.mark.slow
@pytest.mark.parametrize(("segments", "least"), [(30, 0.7), (300, 0.9)])
@pytest.mark.parametrize("coefficient", ["pearson", "kendall"])
def test_how_often_intervals_over_systems_hold_the_truth(coefficient, segments, least):
    """As the manual has it; plain percentiles hold Pearson's r of 100 segments in .3."""
    times, systems = 100, 12
    rng = np.random.default_rng(segments)
    held, plainly = 0, 0
    for seed in range(times):
        true = rng.normal(0, 0.2, systems)
        of_metric = 0.9 * true + math.sqrt(1 - 0.9**2) * rng.normal(0, 0.2, systems)
        truth = COEFFICIENTS[coefficient](of_metric, true)
        noise = 0.7 * (rng.normal(size=(2, systems, segments)) + rng.normal(size=segments))
        metric = mean_metric("m", of_metric[:, None] + noise[0])
        judged = scored_by(true[:, None] + noise[1])
        chosen = statistic(f"system.{coefficient}", judged)
        [sampled] = resample([metric], judged, [chosen], resamples=400, seed=seed)
        interval = sampled.interval(0)
        plain = percentile_interval(interval.value, sampled.resampled[:, 0], 0.95)
        held += interval.low - TIE <= truth <= interval.high + TIE
        plainly += plain.low - TIE <= truth <= plain.high + TIE
    assert held / times >= least, held / times
    assert held > plainly


def test_intervals_reach_to_both_sides_and_not_beyond_what_there_can_be():
    rng = np.random.default_rng(3)
    people = np.linspace(0, 1, 8)[:, None] + rng.normal(size=(8, 40))
    noisy = mean_metric("noisy", people + rng.normal(size=people.shape))
    result = meta([noisy], scored_by(people), resamples=300)
    for name, low in (("system.kendall", -1), ("system.accuracy", 0), ("core.pearson", -1)):
        sampled = result.statistics[name]
        found = sampled.interval(0)
        plain = percentile_interval(found.value, sampled.resampled[:, 0], 0.95)
        reach = max(found.value - plain.low, plain.high - found.value)
        assert found.low == pytest.approx(max(found.value - reach, low))
        assert found.high == pytest.approx(min(found.value + reach, 1))
        assert plain.low < plain.high <= found.high
