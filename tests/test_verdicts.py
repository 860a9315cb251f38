"""Verdicts: the sentence above the tables, against tests of its own."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from small_orders import GOOD, POOR, THREE, evaluated

from preorder_eval import __version__
from preorder_eval.errors import UnknownNameError
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.results.comparison import compare
from preorder_eval.results.decision import certainty
from preorder_eval.results.order_scoring import evaluate
from preorder_eval.results.scoring import score
from preorder_eval.results.verdict.caveats import learned_here

RNG = np.random.default_rng(5)
WORDS = list("abcdefghij")
REFERENCE = [" ".join(RNG.permutation(WORDS)) for _ in range(60)]


def with_errors(share, seed):
    """The reference with that share of its words replaced."""
    rng = np.random.default_rng(seed)
    return [
        " ".join("x" if rng.random() < share else word for word in line.split())
        for line in REFERENCE
    ]


def scipys_p(result, first, second, metric):
    """p of a mean over sentences, by scipy's permutation test of the sentence scores."""
    one, other = (result.sentence_scores(name, metric) for name in (first, second))
    return scipy.stats.permutation_test(
        (one, other),
        lambda a, b, axis: b.mean(axis=axis) - a.mean(axis=axis),
        permutation_type="samples",
        n_resamples=20_000,
        rng=np.random.default_rng(0),
    ).pvalue


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.3, 0.36, 0.6])
def test_two_outputs_are_judged_as_scipy_judges_them(share):
    outputs = {"base": with_errors(0.3, 1), "new": with_errors(share, 2)}
    result = score(outputs, REFERENCE, ["ribes"])
    p = scipys_p(result, "base", "new", "ribes")
    [difference] = [pair.difference for pair in result.pairs[0]]
    assert difference.p == pytest.approx(p, abs=0.02)
    one, other = (result.sentence_scores(name) for name in outputs)
    if p > 0.12:
        assert result.verdict.startswith("No evidence of a difference between base and new")
        assert f"difference is {difference.detectable:.3f}" in result.verdict
    elif p < 0.04:
        kind = "better" if other.mean() > one.mean() else "worse"
        assert result.verdict.startswith(f"new scores {kind} than base: RIBES ")
        assert f"{(other > one).sum()} sentences better, {(other < one).sum()} worse" in (
            result.verdict
        )
    assert compare(result).verdict.startswith(result.verdict)


def test_of_equal_systems_no_sentence_changed():
    result = score({"a": REFERENCE, "b": REFERENCE}, REFERENCE, ["wer"], resamples=10)
    assert result.verdict == "No difference between a and b: no sentence changed by WER."


def test_metrics_that_disagree_are_named():
    longer = [f"{line} {line}" for line in REFERENCE]  # all words are there, half are too many
    result = score({"a": with_errors(0.3, 1), "b": longer}, REFERENCE, ["recall", "wer", "per"])
    assert result.verdict.startswith("b scores better than a: recall")
    assert "But b is worse by WER (p < 0.001) and PER (p < 0.001)." in result.verdict


def test_the_best_of_several_and_what_is_not_worse():
    outputs = {
        "base": with_errors(0.5, 1),
        "good": with_errors(0.1, 2),
        "too": with_errors(0.1, 3),
        "poor": with_errors(0.8, 4),
    }
    result = score(outputs, REFERENCE, ["ribes"])
    best, close = sorted(("good", "too"), key=result.value, reverse=True)
    assert result.verdict.startswith(f"{best} has the best RIBES ")
    assert f"no evidence that it scores better than {close}, the second: +" in result.verdict
    assert "corrected for 3 pairs); every other system is significantly worse (corrected for 6" in (
        result.verdict
    )
    three = score({name: outputs[name] for name in ("base", "good", "poor")}, REFERENCE, ["ribes"])
    assert ", corrected for 2 pairs)" in three.verdict
    over_base = score(outputs, REFERENCE, ["ribes"], against="base")
    assert over_base.verdict.startswith(f"{best} scores best: RIBES ")
    assert "over base (p < 0.001, corrected for 3 pairs)" in over_base.verdict
    assert over_base.verdict.endswith(
        f"; not significantly worse: {close} (corrected for 6 pairs)."
    )
    assert over_base.systems[over_base.baseline] == "base"
    first = {"good": outputs["good"], "base": outputs["base"], "poor": outputs["poor"]}
    verdict = score(first, REFERENCE, ["ribes"], against="good").verdict
    assert verdict.startswith("No system scores better than good: RIBES ")
    assert "every other system is significantly worse" in verdict
    few = score(outputs, REFERENCE, ["ribes"], resamples=10).verdict
    assert "others are worse cannot be shown, as the random trials are too few: raise" in few
    with pytest.raises(UnknownNameError, match="unknown system 'god'"):
        score(first, REFERENCE, ["ribes"], against="god")


def test_orders_without_source_order_are_compared_with_each_other():
    result = evaluated({"poor": POOR, "good": GOOD}, resamples=100)
    assert result.verdict.startswith("good orders better than poor: FRS +")
    assert result.systems[result.baseline] == "poor"
    several = evaluated(THREE, resamples=100)
    assert several.verdict.startswith("good orders best: FRS 0.922")
    assert evaluated({"good": GOOD}, resamples=10).verdict == ""


def test_koehns_test_has_shares_in_place_of_p():
    outputs = {"base": with_errors(0.5, 1), "new": with_errors(0.1, 2)}
    verdict = score(outputs, REFERENCE, ["ribes"], test="koehn").verdict
    assert verdict.endswith("higher in 100.0% of resamples.")


@pytest.mark.slow
def test_what_was_tuned_on_the_sentences_is_named():
    seen = {"rules a": 9, "rules b": 9, "parser c": 4, "rules d": 0}
    of_nine = evaluated({"good": GOOD}, resamples=10)
    about = {"reference": {"name": "x/dev"}}
    assert learned_here(replace(of_nine, seen=seen, size=9, about=about), of_nine.found) == (
        "a and b were tuned on these sentences; "
        "c was trained or selected on 4 of these sentences: report scores on x/test"
    )
    made_on_dev = evaluate("en-ja-web/dev", parsers=["gold"], rules=["none", "en-ja"], resamples=10)
    assert "en-ja was tuned on these sentences: report scores on en-ja-web/test." in (
        made_on_dev.verdict
    )
    tested = evaluate("en-ja-web/test", parsers=["gold"], rules=["none", "en-ja"], resamples=10)
    assert tested.verdict.endswith("en-ja was tuned on en-ja-web/dev, a split of the same text.")
    assert tested.show().count("en-ja†") == 1


def test_a_paper_gets_sentence_test_and_version():
    outputs = {"base": with_errors(0.5, 1), "new": with_errors(0.1, 2), "old": with_errors(0.5, 3)}
    result = score(outputs, REFERENCE, ["wer", "bleu", "nist"])
    difference = result.difference(1, 0)
    text = result.show("paper")
    assert text.startswith("On 60 sentences, base is significantly worse than new (WER 0.")
    assert f"{difference.value:+.3f}, 95% CI [{difference.at_95.low:+.3f}, " in text
    assert "old is significantly worse than new" in text
    assert text.count("95% CI") == 6, "two pairs by three metrics"
    assert f"{certainty(difference, 3)}" in text, "corrected as the verdict is"
    assert "p corrected for 3 pairs of systems" in text
    assert "randomization with 10,000 trials (Riezler and Maxwell, 2005)" in text
    assert f"WER is {result.metrics[0]}, BLEU is {result.metrics[1]}, NIST is " in text
    assert text.endswith(f"of preorder_eval {__version__}.")
    koehn = compare(result, systems=["base", "new"], test="koehn", resamples=200).show("paper")
    assert "paired bootstrap resampling with 200 samples (Koehn, 2004)" in koehn


def test_the_name_of_a_bundled_set_is_not_its_sentences():
    """Own sentences called en-ja-web/dev were taken for those that en-ja was tuned on."""
    data = load_reference("en-ko/test")
    own = replace(data, name="en-ja-web/dev", languages="en-ja")
    result = evaluate(own, parsers="gold", rules=["none", "en-ja"], resamples=10)
    assert "tuned on" not in result.verdict
