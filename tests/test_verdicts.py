"""Verdicts: the sentence above the tables, against tests of its own."""

import math
from dataclasses import replace

import numpy as np
import pytest
from small_orders import GOOD, POOR, THREE, evaluated

from preorder_eval import __version__
from preorder_eval.base.errors import UnknownNameError
from preorder_eval.base.stats.bootstrap import Interval
from preorder_eval.base.stats.significance import Difference
from preorder_eval.evaluation.compare import compare
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.pair import MetricComparison, compared
from preorder_eval.evaluation.sampling import Sampling
from preorder_eval.evaluation.score import score
from preorder_eval.evaluation.verdict import caveats, wording
from preorder_eval.evaluation.verdict.verdict import Verdict
from preorder_eval.metrics import metric
from preorder_eval.references.reference_folder import load_reference

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


def known(result, **facts):
    """A result of which other facts are known."""
    changed = replace(result)
    vars(changed).update(facts)
    return changed


def by(value, p, differing=40, units=(60, "sentence"), scores=True, comparisons=1, **more):
    """A difference of FRS, .5 before, with an interval that holds 0 where p is above .05."""
    wide = 0.5 if p > 0.05 else abs(value) / 2
    at = Interval(value, value - wide, value + wide)
    least = 2.0 ** (1 - differing)
    difference = Difference(value, at, at, p, "randomization", differing=differing, least_p=least)
    first, second = np.array([[0.5, 0.5, 0.2, 0.5], [0.9, 0.6, 0.1, 0.5]]) if scores else [[], []]
    first, second = np.array(first), np.array(second)
    values, difference = (0.5, 0.5 + value), replace(difference, **more)
    how = {"units": units, "comparisons": comparisons}
    return MetricComparison(difference, metric("fuzzy"), "FRS", values, first, second, **how)


TWO = ("two systems", ("a", "b"), "orders")
BEST = ("best of several", ("a", "b"), "orders")
ONE = {"metric": "FRS", "value": 0.6}
SEVERAL = {"pairs": 6} | ONE


@pytest.mark.parametrize(
    ("question", "facts", "words"),
    [
        (TWO, {"answer": by(0.1, 0.01)},
         "b orders better than a: FRS +0.100 (0.500 → 0.600), 2 sentences better, 1 worse, "
         "p = 0.010."),
        (TWO, {"answer": by(-0.1, 0.06, scores=False)},
         "Weak evidence that b orders worse than a: FRS -0.100 (0.500 → 0.400), p = 0.060."),
        (TWO, {"answer": by(0.1, 0.3, detectable=0.25)},
         "No evidence of a difference between a and b: FRS +0.100 (0.500 → 0.600), p = 0.300; "
         "the smallest detectable difference is 0.250."),
        (TWO, {"answer": by(0.1, 0.3)},
         "No evidence of a difference between a and b: FRS +0.100 (0.500 → 0.600), p = 0.300."),
        (TWO, {"answer": by(0.1, 0.3, 5, (9, "document"))},
         "No difference between a and b can be shown: FRS +0.100 (0.500 → 0.600); only 5 of 9 "
         "documents differ; at least 6 must."),
        (TWO, {"answer": by(0.1, 0.3, 6, least_p=0.06)},
         "No difference between a and b can be shown: FRS +0.100 (0.500 → 0.600); the random "
         "trials are too few: raise resamples."),
        (TWO, {"answer": by(0, 1.0, 0, (9, "document"))},
         "No difference between a and b: no document changed by FRS."),
        (BEST, SEVERAL | {"answer": by(0.1, 0.005, comparisons=6), "worse": ("a", "c")},
         "b orders best: FRS 0.600, +0.100 over a, the second (p = 0.030, corrected for 6 pairs); "
         "every other system is significantly worse."),
        (BEST, SEVERAL | {"answer": by(0.1, 0.03, comparisons=3), "close": tuple("cdefgh"),
                          "against": "a"},
         "Weak evidence that b orders best: FRS 0.600, +0.100 over a (p = 0.090, corrected for 3 "
         "pairs); not significantly worse: c, d, e, f and 2 more (corrected for 6 pairs)."),
        (BEST, SEVERAL | {"answer": by(0.1, 0.15, 40, comparisons=6), "worse": ("none",)},
         "b has the best FRS 0.600, but there is no evidence that it orders better than a, the "
         "second: +0.100 (p = 0.900, corrected for 6 pairs); the other system, none, is "
         "significantly worse."),
        (("best of several", ("none", "b"), "orders"),
         SEVERAL | {"answer": by(0.1, 0.001, 1, comparisons=6)},
         "b has the best FRS 0.600, but there is no evidence that it orders better than system "
         "none, the second: +0.100, where only 1 of 60 sentences differs; at least 8 must."),
        (BEST, SEVERAL | {"answer": by(0.1, 0.01, 7, comparisons=3), "close": ("c",),
                          "against": "a",
                          "unshown": "only 7 of 60 sentences differ; at least 8 must"},
         "b orders best: FRS 0.600, +0.100 over a (p = 0.030, corrected for 3 pairs); which others "
         "are worse cannot be shown, as only 7 of 60 sentences differ; at least 8 must."),
        (BEST, SEVERAL | {"answer": by(0.1, 0.5, 1, comparisons=3), "close": ("c",),
                          "unshown": "no sentence differs"},
         "b has the best FRS 0.600, but there is no evidence that it orders better than a, the "
         "second: +0.100, where only 1 of 60 sentences differs; at least 7 must; nor can it be "
         "shown which others are worse."),
        (BEST, SEVERAL | {"close": ("a",), "unshown": "no sentence differs"},
         "No system orders better than b: FRS 0.600; which others are worse cannot be shown, as no "
         "sentence differs."),
        (BEST, SEVERAL | {"answer": by(0, 1.0), "close": ("a",)},
         "No system is the best: b and a have the same FRS 0.600; not significantly worse: a "
         "(corrected for 6 pairs)."),
        (BEST, ONE | {"answer": by(0.1, math.nan, test="koehn", won=0.98), "close": ("c",)},
         "b orders best: FRS 0.600, +0.100 over a, the second (higher in 98.0% of resamples); not "
         "significantly worse: c."),
        (BEST, SEVERAL | {"worse": ("a", "c")},
         "No system orders better than b: FRS 0.600; every other system is significantly worse "
         "(corrected for 6 pairs)."),
        (("one system", ("none",)), ONE | {"reached": ((0.9, ""), (0.8, "en-ja"))},
         "none: FRS 0.600; gold trees: 0.900, 0.800 by en-ja."),
        (("one system", ("none",)), ONE, ""),
    ],
)  # fmt: skip
def test_each_kind_of_verdict_in_words(question, facts, words):
    verdict = Verdict(*question, **facts)
    assert wording.answered(verdict) == words
    told = tuple(caveats.Caveat("kind", f"Note {n}.") for n in range(3))
    verdict = replace(verdict, caveats=told)
    assert wording.text(verdict) == f"{words} Note 0. Note 1.".strip()
    assert wording.unsaid(verdict) == ["Note 2"]


def test_caveats_in_words():
    """Each beside a case in which it does not apply."""
    found = {
        (9, (60, "sentence")): "Only 9 of 60 sentences differ: the interval may be too narrow",
        (7, (7, "document")): "Only 7 documents: if differences are skewed, equal systems",
        (49, (49, "sentence")): "Only 49 sentences: if differences are skewed, equal systems",
        (10, (50, "sentence")): "",
    }
    for (differing, units), words in found.items():
        told = caveats.decided_by_few(by(0.1, 0.01, differing, units, least_p=0.0))
        assert (told[: len(words)], bool(told)) == (words, bool(words))
    assert caveats.decided_by_few(by(0.1, 0.3, 9)) == ""
    result = evaluated({"poor": POOR, "good": GOOD}, resamples=10)
    about = {"reference": {"name": "x/dev", "aligner": "fast"}}
    told = caveats.automatic_links(known(result, about=about), result.found)
    assert told.startswith("Links by fast: differences are understated")
    seen = {"rules a": 9, "rules b": 9, "parser c": 4, "rules d": 0, "rules e": 1}
    learned = known(result, seen=seen, about=about)
    assert caveats.learned_here(learned, result.found) == (
        "a and b were tuned on 9 of these sentences; c was trained or selected on 4 of these "
        "sentences: report scores on x/test"
    )
    elsewhere = {"parser": {"name": "p", "tuned_on": ["x/test"]}}
    nearby = {"rules": {"name": "r", "tuned_on": ["y/test", "x/test", "x/dev", "x/train"]}}
    for made_by, words in (
        ([{}, elsewhere], "p was trained on x/test, a split of the same text: its lead may not"),
        ([nearby, {}], "r was tuned on x/test and x/train, a split of the same text"),
        ([elsewhere, elsewhere], ""),
        ([elsewhere, nearby], ""),
    ):
        made = zip(result.made, made_by, strict=True)
        systems = tuple(replace(system, made_by=by) for system, by in made)
        other = replace(result, inputs=replace(result.inputs, systems=systems))
        told = caveats.learned_nearby(known(other, about=about), result.found)
        assert (told[: len(words)], bool(told)) == (words, bool(words))
    for seeds, control, words in (
        (1, False, "This tells of a parser, not of the recipe: that takes three seeds and a"),
        (2, True, "This tells of a parser, not of the recipe: that takes three seeds."),
        (3, False, "This tells of parsers, not of the recipe: that takes a control that"),
    ):
        [caveat] = caveats.of_a_recipe(seeds, control=control)
        assert (caveat.kind == "one_seed") == (seeds < 3)
        assert caveat.text.startswith(words)
    assert caveats.of_a_recipe(3, control=True) == caveats.without_outliers(["s"], "") == ()
    for outliers, words in ((["s"], "outlier s"), (["s", "t"], "outliers s, t")):
        [caveat] = caveats.without_outliers(outliers, "BLEU leads")
        assert caveat.text == f"Without the {words}: BLEU leads"


def test_what_was_not_compared_has_no_difference():
    with pytest.raises(ValueError, match="poor and poor were not compared"):
        compared(evaluated({"poor": POOR, "good": GOOD}, resamples=1), 0, 0)


def test_gold_trees_stand_beside_a_system_of_the_same_rules():
    def made(parser, rules, **gold):
        return {"parser": {"name": parser, **gold}, "rules": {"name": rules}}

    result = evaluated({"poor": POOR, "good": GOOD, "fair": POOR}, resamples=1)
    facts = [made("p", "r"), made("gold", "r", gold=True), made("gold", "q", gold=True)]
    systems = [replace(s, made_by=m) for s, m in zip(result.made, facts, strict=True)]
    for alike, words in ((True, "gold trees: 0.922."), (False, "gold trees: 0.259 by q.")):
        chosen = systems if alike else [systems[0], systems[2]]
        verdict = evaluate(result.inputs.reference, chosen, resamples=1).verdict
        assert verdict.endswith(words)


def test_metrics_that_disagree_are_named():
    longer = [f"{line} {line}" for line in REFERENCE]  # all words are there, half are too many
    result = score({"a": with_errors(0.3, 1), "b": longer}, REFERENCE, ["recall", "wer", "per"])
    assert result.verdict.startswith("b scores better than a: recall")
    told = "But b is worse by WER (p < 0.001) and PER (p < 0.001), corrected for 2 metrics (Holm)."
    assert told in result.verdict


def test_the_best_of_several_and_what_is_not_worse():
    outputs = {
        "base": with_errors(0.5, 1),
        "good": with_errors(0.1, 2),
        "too": with_errors(0.1, 3),
        "poor": with_errors(0.8, 4),
    }
    result = score(outputs, REFERENCE, ["ribes"], resamples=200)
    best, close = sorted(("good", "too"), key=result.value, reverse=True)
    for options, against, compared_with, count, pairs, near in (
        ({}, "", close, 6, 6, ()),
        ({"baseline": "base"}, "base", "base", 3, 6, (close,)),
        ({"test": "koehn"}, "", close, 1, 1, ()),
    ):
        found = result.with_sampling(**options).found
        assert (found.systems, found.against) == ((compared_with, best), against)
        assert (found.answer.comparisons, found.pairs, found.close) == (count, pairs, near)
        assert {*found.worse} == {*outputs} - {best, compared_with, *near}
        assert found.answer.difference == result.difference(compared_with, best) or options
        assert bool(found.decision.direction) == (compared_with == "base")
    found = result.chosen(["good", "base", "poor"]).with_sampling(baseline="good").found
    assert (found.systems, found.answer, {*found.worse}) == (("good",), None, {"base", "poor"})
    with pytest.raises(UnknownNameError, match="unknown system 'god'"):
        score(outputs, REFERENCE, ["wer"], against="god")


def test_orders_without_source_order_are_compared_with_each_other():
    result = evaluated({"poor": POOR, "good": GOOD}, resamples=100)
    assert result.verdict.startswith("good orders better than poor: FRS +")
    assert result.systems[result.baseline] == "poor"
    several = evaluated(THREE, resamples=100)
    assert several.verdict.startswith("good orders best: FRS 0.922")
    assert evaluated({"good": GOOD}, resamples=10).verdict == ""


def test_a_paper_gets_sentence_test_and_version():
    outputs = {"base": with_errors(0.5, 1), "new": with_errors(0.1, 2), "old": with_errors(0.5, 3)}
    result = score(outputs, REFERENCE, ["wer", "bleu", "nist"], resamples=100)
    found = compared(result, 1, 0, comparisons=3)
    text = result.show("paper")
    assert text.startswith("On 60 sentences, base is significantly worse than new (WER 0.")
    assert f"{found.difference.value:+.3f}, {found.sure}" in text, "corrected as the verdict is"
    assert "old is significantly worse than new" in text
    assert "95% CI" not in text, "intervals are not corrected"
    assert "p corrected for 3 pairs of systems (Bonferroni)" in text
    assert "p of metrics other than WER corrected for 2 metrics (Holm)" in text
    assert "randomization with 1,000 trials (Riezler and Maxwell, 2005)" in text
    assert f"WER is {result.metrics[0]}, BLEU is {result.metrics[1]}, NIST is " in text
    assert text.endswith(f"of preorder_eval {__version__}. Lower is better by WER.")
    koehn = compare(result, systems=["base", "new"], test="koehn", resamples=200).show("paper")
    assert "paired bootstrap resampling with 200 samples (Koehn, 2004); WER is " in koehn
    koehn = result.with_sampling(test="koehn", resamples=200).for_paper
    assert "200 samples (Koehn, 2004), without correction for their number; WER is" in koehn
    two = score({"base": REFERENCE, "new": outputs["new"]}, REFERENCE, ["wer"], resamples=30)
    assert "300 trials (Riezler and Maxwell, 2005); WER is" in two.for_paper
    at_95 = two.difference(0, 1).at_95
    assert f", 95% CI [{at_95.low:+.3f}, {at_95.high:+.3f}], p = 0.003" in two.for_paper


def test_the_name_of_a_bundled_set_is_not_its_sentences():
    """Own sentences called en-ja-web/dev were taken for those that en-ja was tuned on."""
    data = load_reference("en-ko/test")
    own = replace(data, name="en-ja-web/dev", languages="en-ja")
    result = evaluate(own, parsers="gold", rules=["none", "en-ja"], resamples=10)
    assert "tuned on" not in result.verdict


@pytest.mark.parametrize(
    ("sentences", "changed", "why"),
    [
        (1, 0, "no sentence differs"),
        (1, 1, "there is only 1 sentence; at least 7 must differ"),
        (2, 2, "there are only 2 sentences; at least 7 must differ"),
        (3, 1, "only 1 of 3 sentences differs; at least 7 must"),
        (20, 0, "no sentence differs"),
        (20, 5, "only 5 of 20 sentences differ; at least 7 must"),
        (20, 9, ""),
    ],
)
@pytest.mark.parametrize("baseline", ["", "best"])
def test_too_few_sentences_are_no_equality(sentences, changed, why, baseline):
    """Systems that cannot be shown to be worse were called not significantly worse."""
    best = [f"a b c d {n}" for n in range(sentences)]
    worse = [f"b a c d {n}" if n < changed else line for n, line in enumerate(best)]
    outputs = {"one": worse, "other": worse, "best": best}
    found = score(outputs, best, ["wer"])
    found = found.with_sampling(Sampling(100, against="baseline", baseline=baseline))
    assert ("significantly worse" in found.verdict) == (not why)
    assert found.verdict.count("cannot be shown") + found.verdict.count("nor can") == bool(why)
    assert found.found.unshown == why
