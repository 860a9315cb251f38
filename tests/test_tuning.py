"""Fitting parameters to judgments."""

from dataclasses import replace

import numpy as np
import pytest
from judged_outputs import SEGMENTS, JudgedOutputs

from preorder_eval.errors import PreorderEvalError
from preorder_eval.meta_evaluation.scores import MetricScores
from preorder_eval.meta_evaluation.statistic import agreement, resample
from preorder_eval.meta_evaluation.statistic import statistic as find_statistic
from preorder_eval.meta_evaluation.tuning import fitting
from preorder_eval.meta_evaluation.tuning.fitting import tune
from preorder_eval.meta_evaluation.tuning.space import Space
from preorder_eval.stats.bootstrap import bootstrap

QUICK = {"folds": 3, "starts": 3, "resamples": 50}
EXACT = ["LR-HB1(alpha=?)", "LR-KB4(alpha=?)", "nkt(alpha=?)", "nsr(alpha=?)", "lepor(alpha=?)"]


def fit(data, signature, **options):
    return tune(signature, data.inputs, data.people, **{**QUICK, **options})


def consistency(data, metric):
    scores = MetricScores.of(metric, data.score(metric))
    return agreement("pairs.consistency", [scores], data.people)[0]


@pytest.mark.parametrize("signature", EXACT)
def test_no_setting_is_better_than_the_exact_one(signature):
    data = JudgedOutputs(1)
    space = Space.of(signature)
    result = fit(data, signature, searches=["exact"])
    default, exact = result.rows()
    assert exact.fitted == consistency(data, space.metric(exact.point))
    assert default.fitted == default.held_out.value
    assert default.fitted == pytest.approx(consistency(data, space.metric(space.default)))
    grid = np.linspace(space.low[0], space.high[0], 11)
    assert exact.fitted >= max(consistency(data, space.metric([x])) for x in grid[1:-1])
    for low, high in exact.fit.found.intervals[:2]:
        for share in (0.001, 0.999):
            inside = low + share * (high - low)
            assert consistency(data, space.metric(inside)) == exact.fitted


@pytest.mark.parametrize("signature", ["ribes(alpha=?,beta=?)", "hlepor(weights=?)"])
def test_exact_search_is_at_least_as_good_as_hill_climbing(signature):
    data = JudgedOutputs(4)
    default, exact, climbed = fit(data, signature, starts=5).rows()
    assert [row.search for row in (default, exact, climbed)] == [
        "default",
        "exact",
        "hill-climbing",
    ]
    assert default.fitted <= climbed.fitted <= exact.fitted
    space = Space.of(signature)
    assert exact.fitted == consistency(data, space.metric(exact.point))


@pytest.mark.parametrize(
    "statistic",
    [
        "segment.pearson",
        "segment.kendall",
        "within-segment.spearman",
        "system.pearson",
        "pairs.wmt13",
    ],
)
def test_other_statistics_are_climbed(statistic):
    default, climbed = fit(JudgedOutputs(0), "ribes(alpha=?,beta=?)", objective=statistic).rows()
    assert climbed.search == "hill-climbing"
    assert climbed.fitted >= default.fitted


@pytest.mark.parametrize(
    "statistic", ["pairs.consistency", "segment.kendall", "system.pearson", "core.kendall"]
)
def test_the_difference_is_that_of_the_held_out_value(statistic):
    result = fit(JudgedOutputs(0), "ribes(alpha=?,beta=?)", objective=statistic, resamples=200)
    default, *found = result.rows()
    for row in found:
        d = row.difference
        assert d.value == pytest.approx(row.held_out.value - default.held_out.value)
        assert (d.at_95.low > 0 or d.at_95.high < 0) == (d.p <= 0.05) == d.mark.endswith("**")


@pytest.mark.parametrize("statistic", ["system.spearman", "core.pearson", "within-segment.kendall"])
def test_settings_are_measured_as_metrics_are(statistic):
    data = JudgedOutputs(0)
    chosen = find_statistic(statistic, data.people)
    space = Space.of("nkt(alpha=?)")
    scores = [data.scores(space.metric([alpha])) for alpha in (0.1, 0.5, 0.9)]
    metrics = [
        MetricScores("m", np.stack([own, np.ones_like(own)], axis=-1), lambda s: s[..., 0])
        for own in scores
    ]
    [expected] = resample(metrics, data.people, [chosen], resamples=30)
    measurement = fitting._measurement(chosen, np.stack(scores), data.people)
    [sampled] = bootstrap([measurement], resamples=30)
    np.testing.assert_allclose(sampled.values, expected.values)
    np.testing.assert_allclose(sampled.resampled, expected.resampled)


def test_wmt12_is_exact_too():
    data = JudgedOutputs(0)
    [_, tau] = fit(data, "nkt(alpha=?)", objective="pairs.wmt12", searches=["exact"]).rows()
    [_, share] = fit(data, "nkt(alpha=?)", searches=["exact"]).rows()
    assert tau.point.tolist() == share.point.tolist()
    assert tau.fitted == pytest.approx(2 * share.fitted - 1)


def test_a_fold_is_fitted_without_its_own_judgments():
    data = JudgedOutputs(0)
    first = fit(data, "nkt(alpha=?)").fits
    elsewhere = []
    # What people say of a segment is turned round: the settings without its fold stay the same.
    for segment in range(0, SEGMENTS, 5):
        sign = np.where(data.people.segment == segment, -1, 1)
        turned = replace(data.people, score=data.people.score * sign)
        again = tune(Space.of("nkt(alpha=?)"), data.inputs, turned, **QUICK).fits
        for before, after in zip(first, again, strict=True):
            points = zip(before.folds, after.folds, strict=True)
            same = [(a.point == b.point).all() for a, b in points]
            assert any(same)
            elsewhere.append(not all(same))
    assert any(elsewhere)


def test_held_out_scores_are_those_of_the_settings_without_their_folds(monkeypatch):
    seen = {}

    def measured(chosen, scores, judgments):
        seen["scores"] = scores
        return measurement(chosen, scores, judgments)

    measurement = fitting._measurement
    monkeypatch.setattr(fitting, "_measurement", measured)
    data = JudgedOutputs(0)
    [own] = fit(data, "nkt(alpha=?)", searches=["exact"]).fits
    default, fitted, held_out = seen["scores"]
    space = Space.of("nkt(alpha=?)")
    assert default == pytest.approx(data.scores(space.metric([0])))
    assert fitted == pytest.approx(data.scores(space.metric(own.found.point)))
    of_folds = [data.scores(space.metric(found.point)) for found in own.folds]
    fits = np.array([np.isclose(scores, held_out).all(axis=0) for scores in of_folds])
    assert fits.any(axis=0).all()  # each segment has the scores of some fold, in all systems
    assert np.count_nonzero(fits, axis=1).min() >= SEGMENTS // 3


def test_a_fit_to_noise_is_no_better_on_what_was_held_out():
    """People who toss coins: the fitted value is above 1/2, the held-out one near it."""
    gains = []
    for seed in range(6):
        data = JudgedOutputs(seed)
        rng = np.random.default_rng(seed)
        data.people = replace(data.people, score=rng.normal(size=len(data.people)))
        [_, exact] = fit(data, "ribes(alpha=?,beta=?0..5)", searches=["exact"]).rows()
        gains.append((exact.fitted, exact.held_out.value))
    fitted, held_out = np.mean(gains, axis=0)
    assert fitted > held_out + 0.03


def test_same_seed_same_result():
    data = JudgedOutputs(0)
    first, second = (fit(data, "ribes(alpha=?,beta=?)").summary() for _ in range(2))
    assert first == second
    assert first != fit(data, "ribes(alpha=?,beta=?)", seed=1).summary()


def test_margin_makes_ties():
    data = JudgedOutputs(0)
    assert fit(data, "nkt(alpha=?)", margin=0.3).judgments < fit(data, "nkt(alpha=?)").judgments


def test_comparisons_are_judgments_too():
    data = JudgedOutputs(0)
    scores = fit(data, "nkt(alpha=?)").summary()
    data.people = data.people.pairs()
    assert fit(data, "nkt(alpha=?)").summary() == scores


def test_every_step_is_told():
    steps = []
    fit(JudgedOutputs(0), "nkt(alpha=?)", folds=4, advance=steps.append)
    assert sum(steps) == 5


@pytest.mark.parametrize(
    ("signature", "options", "error"),
    [
        ("nkt(alpha=?)", {"folds": 30}, "29 judged segments are too few for 30 folds"),
        ("nkt(alpha=?)", {"objective": "segment.pearsn"}, "unknown statistic"),
        ("nlepor(weights=?)", {"searches": ["exact"]}, "no exact search for nlepor"),
        (
            "nkt(alpha=?)",
            {"searches": ["exact"], "objective": "segment.pearson"},
            r"no exact search for nkt\(alpha=\?\) by segment.pearson",
        ),
    ],
)
def test_what_cannot_be_done(signature, options, error):
    with pytest.raises(PreorderEvalError, match=error):
        fit(JudgedOutputs(0), signature, **options)


def test_what_is_missing_is_named():
    data = JudgedOutputs(0)
    outputs_alone = replace(data.inputs, shared={})
    with pytest.raises(PreorderEvalError, match=r"needs source and ref_alignment$"):
        tune("LR-HB1(alpha=?)", outputs_alone, data.people, **QUICK)
    two = data.inputs.chosen(["good", "fair"])
    with pytest.raises(PreorderEvalError, match="unknown system 'poor'; known: fair, good"):
        tune("nkt(alpha=?)", two, data.people, **QUICK)


def test_systems_that_nobody_judged_change_nothing():
    data = JudgedOutputs(0)
    more = [*data.inputs.systems[::-1], data.inputs.systems[0].named("another")]
    with_another = replace(data.inputs, systems=tuple(more))
    assert tune("nkt(alpha=?)", with_another, data.people, **QUICK).summary() == (
        fit(data, "nkt(alpha=?)").summary()
    )


@pytest.mark.parametrize(
    ("objective", "error"),
    [("pairs.consistency", "no two outputs"), ("segment.pearson", "is undefined")],
)
def test_people_who_tie_everything(objective, error):
    data = JudgedOutputs(0)
    data.people = replace(data.people, score=np.zeros(len(data.people)))
    with pytest.raises(PreorderEvalError, match=error):
        fit(data, "nkt(alpha=?)", objective=objective)


@pytest.mark.parametrize("objective", ["pairs.consistency", "system.pearson"])
def test_a_metric_that_tells_no_system_from_another(objective):
    data = JudgedOutputs(0)
    data.outputs = [data.outputs[0]] * 3
    with pytest.raises(PreorderEvalError, match="nkt scores all systems the same"):
        fit(data, "nkt(alpha=?)", objective=objective)
