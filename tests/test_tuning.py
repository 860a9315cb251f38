"""Fitting parameters to judgments: what is free, what the search finds, and what a fit is worth."""

import math
from dataclasses import replace

import numpy as np
import pytest
from judged_outputs import SEGMENTS, JudgedOutputs

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.stats.bootstrap import bootstrap
from preorder_eval.judgments import tune as tuning
from preorder_eval.judgments.metric_scores import MetricScores
from preorder_eval.judgments.statistic import agreement, resample, statistic
from preorder_eval.judgments.tune import tune
from preorder_eval.judgments.tuning_space import Space

QUICK = {"folds": 3, "starts": 3, "resamples": 50}


def fit(data, signature, **options):
    return tune(signature, data.inputs, data.people, **{**QUICK, **options})


def value(data, metric, objective="pairs.consistency"):
    scores = MetricScores.of(metric, data.score(metric))
    return agreement(objective, [scores], data.people)[0]


def values(result):
    """The default, the fitted and the held-out value."""
    return result.sampled.values.tolist()


# What is free


@pytest.mark.parametrize(
    ("signature", "shared", "point", "metric"),
    [
        ("ribes(alpha=?, beta=?)", {}, [0.5, 0.75], "ribes(alpha=0.5,beta=0.75)"),
        ("LR-HB1(alpha=?)", {}, [0.25], "lrscore(distance=hamming,ngram=1,alpha=0.25)"),
        ("hlepor(weights=?:2:1)", {}, [0.5], "hlepor(weights=0.5:2:1)"),
        ("nkt(alpha=?)", {"tokenize": "char"}, [1], "nkt(alpha=1.0,tokenize=char)"),
        ("nkt(alpha=?,tokenize=13a)", {"tokenize": "char"}, [1], "nkt(alpha=1.0,tokenize=13a)"),
    ],
)
def test_a_point_makes_a_metric(signature, shared, point, metric):
    made = str(Space.of(signature, **shared).metric(point))
    settings = metric.partition("(")[2].rstrip(")").split(",")
    assert made.partition("(")[0] == metric.partition("(")[0]
    assert set(settings) <= set(made.partition("(")[2].rstrip(")").split(","))


def test_ranges_defaults_and_directions():
    space = Space.of("ribes(alpha=?, beta=?)")
    assert (space.low.tolist(), space.high.tolist()) == ([0, 0], [1, 1])
    assert space.default.tolist() == [0.25, 0.1]
    assert space.directions == [(0, None), (1, None)]
    assert Space.of("hlepor(weights=?:?:1)").directions == [(0, None), (1, None)]
    assert list(Space.of("nlepor(alpha=?,weights=?:1)").names) == ["alpha", "weights[1]"]


@pytest.mark.parametrize(
    ("signature", "total"),
    [
        ("lepor(alpha=?,beta=?)", 10),
        ("hlepor(weights=?)", 6),
        ("nlepor(weights=?:?:?)", 3),
        ("nlepor(weights=?)", 2),
    ],
)
def test_free_ratios_keep_the_sum_of_their_defaults(signature, total):
    space = Space.of(signature)
    rng = np.random.default_rng(0)
    for point in [space.default, *(space.random(rng, 20) for _ in range(5))]:
        for direction in space.directions:
            line = space.line(point, direction, 20)
            np.testing.assert_allclose(line.sum(axis=1), total)
            assert line.min() >= 0
            assert line.max() <= total


@pytest.mark.parametrize(
    ("signature", "error"),
    [
        ("lrscore(alpha=0.3)", "no parameter is free.*lrscore has alpha"),
        ("wer", "no parameter is free.*wer has none"),
        ("lrscore(apha=?)", "unknown parameter of lrscore 'apha' .did you mean 'alpha'"),
        ("lrscore(ngram=?)", "ngram=. cannot be fitted.*lrscore has alpha"),
        ("ribes(lower=?)", "lower=. cannot be fitted.*ribes has alpha, beta"),
        ("nkt(alpha=0?)", "alpha=0. cannot be fitted; a free parameter is a . alone"),
        ("nkt(alpha=?,alpha=?)", "is not one key=value"),
        ("hlepor(weights=?:?)", "is not 3 weights"),
        ("hlepor(weights=?:x:1)", "is not 3 weights"),
        ("fuzzy(match=?)", "match=. cannot be fitted.*fuzzy has none"),
        ("nktt(alpha=?)", "unknown metric 'nktt' .did you mean 'nkt'"),
        ("nkt(alpha=?", "is not written as name"),
    ],
)
def test_what_cannot_be_fitted_is_one_line(signature, error):
    with pytest.raises(PreorderEvalError, match=error) as caught:
        Space.of(signature)
    assert "\n" not in str(caught.value)


# What the search finds


@pytest.mark.slow
@pytest.mark.parametrize(
    ("signature", "references", "rescored"),
    [
        ("LR-KB4(alpha=?)", 1, 0),
        ("nkt(alpha=?)", 1, 0),
        ("nsr(power=?,root=true,modifier=fmeasure,alpha=1)", 2, 0),
        ("ribes(alpha=?,beta=?)", 2, 0),
        ("lepor(alpha=?,beta=3,system=B)", 1, 1),
        ("hlepor(weights=?,alpha=?,beta=?)", 2, 1),
        ("nlepor(weights=?)", 1, 0),
        ("fmeasure(beta=?,jackknife=true)", 2, 0),
        ("rouge_l(beta=?)", 1, 1),
    ],
)
def test_scores_of_settings_are_those_of_the_metric(signature, references, rescored):
    """Where the parameters count at the end only, nothing is scored again, and else once."""
    data, space = JudgedOutputs(references=references), Space.of(signature)
    scored = []
    outputs = tuning._Outputs(space, lambda metric: scored.append(metric) or data.score(metric))
    before, rng = len(scored), np.random.default_rng(3)
    points = [space.default, *(space.random(rng, 20) for _ in range(3))]
    for point in [*points, *points]:
        wanted = data.scores(space.metric(point))
        assert outputs.scores(point) == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    assert len(scored) == before + rescored * len(points)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("signature", "objective"),
    [
        ("LR-HB1(alpha=?)", "pairs.consistency"),
        ("gtm(e=?)", "within-segment.spearman"),
        ("lepor(alpha=?,beta=?)", "segment.pearson"),
        ("hlepor(weights=?)", "system.pearson"),
        ("hlepor(weights=?)", "pairs.wmt13"),
    ],
)
def test_fits_are_no_worse_than_by_default_nor_than_their_neighbours(signature, objective):
    data, space = JudgedOutputs(4), Space.of(signature)
    result = fit(data, signature, objective=objective)
    default, fitted, _ = values(result)
    assert default == pytest.approx(value(data, space.metric(space.default), objective))
    assert fitted == pytest.approx(value(data, space.metric(result.best), objective))
    assert fitted >= default
    for direction in space.directions:
        line = space.line(result.best, direction, 20)
        assert fitted + 1e-9 >= max(value(data, space.metric(x), objective) for x in line)


def test_the_search_reaches_the_top_of_what_has_one():
    space = Space.of("hlepor(weights=?)")
    top = np.array([0.6, 2.4, 3.0])
    found = tuning._search(space, lambda points: -np.abs(points - top).sum(axis=1), [space.default])
    assert np.abs(found - top).max() <= 6 / 20


# What a fit is worth


@pytest.mark.parametrize("objective", ["pairs.consistency", "system.pearson"])
def test_the_difference_is_that_of_the_held_out_value(objective):
    result = fit(JudgedOutputs(0), "hlepor(weights=?)", objective=objective, resamples=200)
    default, fitted, held_out = values(result)
    assert [row["fitted"] for row in result.to_dict()["settings"]] == [default, fitted]
    assert fitted > default
    d = result.difference.difference
    assert d.value == pytest.approx(held_out - default)
    assert (d.at_95.low > 0 or d.at_95.high < 0) == (d.p <= 0.05) == d.mark.endswith("**")


def test_too_few_systems_and_other_texts_are_told_before_anything_is_fitted():
    data = JudgedOutputs(0)
    two = data.people.chosen(data.people.systems[:2])
    with pytest.raises(
        PreorderEvalError, match=r"^system.pearson is undefined: it needs 3 systems"
    ):
        tune("nkt(alpha=?)", data.inputs, two, objective="system.pearson", **QUICK)
    one, search = data.people.chosen(["good"]), QUICK | {"starts": 1}
    assert tune("nkt(alpha=?)", data.inputs, one, objective="segment.pearson", **search)
    alike = replace(data.inputs, systems=tuple(
        data.inputs.systems[0].named(system.name) for system in data.inputs.systems
    ))  # fmt: skip
    with pytest.raises(PreorderEvalError, match=r"^metric nkt scores all systems the same"):
        tune("nkt(alpha=?)", alike, data.people, **QUICK)
    longer = replace(data.people, segments=SEGMENTS + 1)
    count = rf"of {SEGMENTS + 1} segments, the outputs {SEGMENTS};"
    with pytest.raises(PreorderEvalError, match=count):
        tune("nkt(alpha=?)", data.inputs, longer, **QUICK)


@pytest.mark.parametrize(
    "setting", [{"folds": 1}, {"starts": 0}, {"seed": -1}, {"starts": 10**9}, {"margin": math.nan}]
)
def test_settings_of_the_search_have_bounds(setting):
    data, [name] = JudgedOutputs(0), setting
    with pytest.raises(PreorderEvalError, match=f"{name} must be "):
        tune("nkt(alpha=?)", data.inputs, data.people, **{**QUICK, **setting})


@pytest.mark.parametrize("name", ["core.pearson", "within-segment.kendall"])
def test_settings_are_measured_as_metrics_are(name):
    data, space = JudgedOutputs(0), Space.of("nkt(alpha=?)")
    chosen = statistic(name, data.people)
    scores = [data.scores(space.metric([alpha])) for alpha in (0.1, 0.5, 0.9)]
    metrics = [MetricScores.mean("m", x) for x in scores]
    [expected] = resample(metrics, data.people, [chosen], resamples=30)
    [sampled] = bootstrap(
        [tuning._measurement(chosen, np.stack(scores), data.people)], resamples=30
    )
    np.testing.assert_allclose(sampled.values, expected.values)
    np.testing.assert_allclose(sampled.resampled, expected.resampled)


@pytest.mark.parametrize(
    "objective", ["pairs.consistency", pytest.param("system.spa", marks=pytest.mark.slow)]
)
def test_a_segment_has_the_score_of_the_setting_fitted_without_it(objective):
    data, space = JudgedOutputs(0), Space.of("nkt(alpha=?)")
    result = fit(data, "nkt(alpha=?)", objective=objective)
    counted = data.people.pairs().decided if "pairs" in objective else data.people
    fold_of = tuning._folds(np.arange(SEGMENTS), np.unique(counted.segment), 3, 0)
    of_folds = [data.scores(space.metric(point)) for point in result.folds]
    held_out = sum(scores * (fold_of == fold) for fold, scores in enumerate(of_folds))
    points = [data.scores(space.metric(point)) for point in (space.default, result.best)]
    metrics = [MetricScores.mean("m", scores) for scores in (*points, held_out)]
    assert values(result) == pytest.approx(agreement(objective, metrics, data.people).tolist())
    gain = result.difference.difference.value
    assert gain == values(result)[2] - values(result)[0]
    # Without a fold, nothing but its own judgments differs: what people say of it does not matter.
    turned = data.people.score * np.where(fold_of[data.people.segment] == 1, -1, 1)
    other = tune("nkt(alpha=?)", data.inputs, replace(data.people, score=turned),
                 objective=objective, **QUICK)  # fmt: skip
    assert other.folds[1].tolist() == result.folds[1].tolist()
    assert other.to_dict()["folds"] != result.to_dict()["folds"]


@pytest.mark.slow
def test_the_seed_decides():
    data = JudgedOutputs(0)
    signature = "hlepor(weights=?)"
    first, again, other = (fit(data, signature, seed=seed).to_dict() for seed in (0, 0, 1))
    assert first == again
    assert first != other


def test_judgments_that_count():
    """A margin makes ties; comparisons are judgments too; systems nobody judged change nothing."""
    data = JudgedOutputs(0)
    found = fit(data, "fmeasure(beta=?)")
    assert fit(data, "fmeasure(beta=?)", margin=0.3).judgments < found.judgments
    more = (*data.inputs.systems[::-1], data.inputs.systems[0].named("another"))
    with_another = replace(data.inputs, systems=more)
    again = tune("fmeasure(beta=?)", with_another, data.people, **QUICK)
    pairs = tune("fmeasure(beta=?)", data.inputs, data.people.pairs(), **QUICK)
    assert again.to_dict() == pairs.to_dict() == found.to_dict()


def test_what_is_missing_is_named():
    data = JudgedOutputs(0)
    outputs_alone = replace(data.inputs, shared={})
    with pytest.raises(PreorderEvalError, match=r"needs source and ref_alignment$"):
        tune("LR-HB1(alpha=?)", outputs_alone, data.people, **QUICK)
    two = data.inputs.chosen(["good", "fair"])
    with pytest.raises(PreorderEvalError, match="unknown system 'poor'; known: fair, good"):
        tune("nkt(alpha=?)", two, data.people, **QUICK)
