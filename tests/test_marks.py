"""Marks beside intervals and p, wherever they are printed, by either test."""

import csv
import io
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.results.comparison import compare
from preorder_eval.results.scoring import evaluate, score
from preorder_eval.results.systems import System
from preorder_eval.stats.bootstrap import bootstrap

RIGHT = "+** better, -** worse at the 95 % level, +* -* at 90 %, 0 neither; test by random "
KOEHN = "+** better, -** worse in 95 % of resamples, +* -* in 90 %, 0 neither; paired bootstrap "
SIZE = 40


@pytest.fixture
def runs(tmp_path, monkeypatch, run):
    """Run folders of the same two systems, of which `new` gets five sentences right that `base`
    does not: `outputs` of both, and `orders` of both."""
    monkeypatch.chdir(tmp_path)
    Path("ref.en").write_text("a b\n" * SIZE)
    Path("s.align").write_text("0-0 1-1\n" * SIZE)
    for name, wrong in (("base", 20), ("new", 15), ("worst", SIZE)):
        Path(f"{name}.en").write_text("b a\n" * wrong + "a b\n" * (SIZE - wrong))
        Path(f"{name}.order").write_text("1 0\n" * wrong + "0 1\n" * (SIZE - wrong))
    assert run(*SCORE, "--hyp", "base.en", "--hyp", "new.en", "--out", "outputs")[0] == 0
    assert run(*EVALUATE, *ORDERS, "--out", "orders")[0] == 0


SCORE = ("score", "--ref", "ref.en", "--metric", "wer", "--resamples", 400)
EVALUATE = ("evaluate", "--source", "ref.en", "--alignment", "s.align", "--resamples", 400)
ORDERS = ("--orders", "base.order", "--orders", "new.order", "--metric", "fuzzy")
HYPS = ("--hyp", "base.en", "--hyp", "new.en")


# Five sentences of forty are better and none is worse: two of 2⁵ signs are as good, p = 2/2⁵, and
# one resample in 209 has none of the five.
def test_score_compares_with_the_first_by_either_test(run, runs):
    _, out, _ = run(*SCORE, *HYPS)
    assert f"differences from base:\n{RIGHT}" in out
    *_, mark, p = out.splitlines()[2].split()
    assert mark == "+*"
    assert float(p) == pytest.approx(2 / 2**5, abs=0.01)
    _, out, _ = run(*SCORE, *HYPS, "--test", "koehn")
    assert (
        f"differences from base:\n{KOEHN}(Koehn 2004)\n(one-sided, 400 resamples, seed 0);" in out
    )
    assert out.splitlines()[2].split()[-2:] == ["+**", "-"]


def test_all_pairs_of_outputs(run, runs):
    options = (*SCORE, *HYPS, "--hyp", "worst.en", "--significance")
    code, out, err = run(*options)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    start = lines.index("Significance by wer:")
    assert [line.split() for line in lines[start + 1 : start + 5]] == [
        ["2", "3"],
        ["1", "base", "+*", "-**"],
        ["2", "new", "-**"],
        ["3", "worst"],
    ]
    start = lines.index("p by wer, Holm-corrected for 3 pairs:")
    assert float(lines[start + 2].split()[2]) == pytest.approx(2 / 2**5, abs=0.01)
    assert lines[-1].endswith("marks judge each pair by itself, p is corrected for all of them")
    assert "differences from" not in out  # each pair is told of once
    _, out, _ = run(*options, "--json")
    significance = json.loads(out)["significance"]
    assert significance["against"] == "all"
    names = [(pair["row"], pair["column"]) for pair in significance["pairs"]]
    assert names == list(combinations(("base", "new", "worst"), 2))
    assert "difference" not in json.loads(out)["systems"][1]["scores"]["wer"]
    _, out, _ = run(*options, "--tsv")
    pairs = csv.DictReader(io.StringIO(out.split("\n\n")[1]), delimiter="\t")
    assert [row["significance"] for row in pairs] == ["+*", "-**", "-**"]


def test_evaluate_marks_by_either_test(run, runs):
    _, out, _ = run(*EVALUATE, *ORDERS, "--significance")
    assert "\n1  base  +*\n" in out
    assert "p by fuzzy(match=word), Holm-corrected for 1 pair:\n" in out
    assert RIGHT in out
    _, out, _ = run(*EVALUATE, *ORDERS, "--significance", "--test", "koehn")
    assert "\n1  base  +**\n" in out
    assert "Holm" not in out
    assert out.endswith(
        f"The column's system against the row's:\n{KOEHN}(Koehn 2004)\n"
        "(one-sided, 400 resamples, seed 0); marks judge each pair by itself\n"
    )


@pytest.mark.parametrize("folder", ["outputs", "orders"])
def test_compare_marks_by_either_test(run, runs, folder):
    options = ("compare", folder, "--resamples", 400, "--sentences", 0)
    _, out, _ = run(*options)
    assert out.splitlines()[4].split()[-5] == "+*"
    assert f"\n{RIGHT}half-samples\n(two-sided, 4000 half-samples, seed 0); mark, interv" in out
    _, out, _ = run(*options, "--test", "koehn")
    assert out.splitlines()[4].split()[-5:-3] == ["+**", "-"]
    assert f"\n{KOEHN}(Koehn 2004)\n(one-sided, 400 resamples, seed 0); intervals are two" in out
    _, out, _ = run(*options, "--test", "koehn", "--json")
    found = json.loads(out)
    assert found["significance"] == {
        "test": "koehn", "against": "all", "samples": 400, "seed": 0
    }  # fmt: skip
    assert found["metrics"][0]["p"] is None


def test_koehns_marks_are_shares_of_won_resamples():
    """As the first edition's were, with the same draws."""
    rng = np.random.default_rng(0)
    words = [list("abcdefg") for _ in range(30)]
    outputs = {
        f"swapped {times}": [
            " ".join(rng.permutation(s) if i < times else s) for i, s in enumerate(words)
        ]
        for times in (0, 3, 4, 5, 6, 9, 20)
    }
    references = list(map(" ".join, words))
    drawn = {"resamples": 200, "seed": 3}
    result = score(outputs, references, ["wer"], significance=True, test="koehn", **drawn)
    [sampled] = bootstrap(result.measurements, **drawn)
    seen = set()
    for pair in result.pairs[0]:
        d = sampled.resampled[:, pair.second] - sampled.resampled[:, pair.first]
        mark = "0"
        for level, stars in ((0.90, "*"), (0.95, "**")):
            if np.mean(d < -1e-9) >= level:
                mark = f"+{stars}"  # fewer errors
            if np.mean(d > 1e-9) >= level:
                mark = f"-{stars}"
        assert pair.difference.mark == mark
        seen.add(mark)
    assert {"-**", "0"} < seen


def excludes_zero(ends):
    if ends == "-":
        return False
    low, high = map(float, ends.strip("[]").split(","))
    assert low <= high
    return low > 0 or high < 0


def check_lines(comparison):
    """What is printed of each metric agrees with itself."""
    header, *lines = repr(comparison).splitlines()
    assert header.split()[-5:] == ["interval", "p", "better", "worse", "same"]
    for own, line in zip(comparison.metrics, lines, strict=True):
        cells = [cell.strip() for cell in line.split("  ") if cell.strip()]
        _, _, _, difference, at_95, at_90, mark, p, *_ = cells
        two, one = mark.endswith("**"), mark != "0"
        assert (excludes_zero(at_95), excludes_zero(at_90)) == (two, one)
        assert (float(p) <= 0.05, float(p) <= 0.1) == (two, one)
        if one:
            lower_is_better = not own.difference.higher_is_better
            assert (mark[0] == difference[0] == at_90[1]) != lower_is_better
            assert difference[0] == at_90[1]


permutations = st.permutations(range(4))
# Few sentences, so that every kind of tie and of undefined interval comes up.
two_orders = st.lists(st.tuples(permutations, permutations), min_size=1, max_size=12)


@settings(max_examples=150)
@given(two_orders)
@pytest.mark.slow
def test_what_compare_prints_of_orders_never_contradicts_itself(sentences):
    orders = list(zip(*sentences, strict=True))
    straight = [[(i, i) for i in range(4)]] * len(sentences)
    data = ReferenceSet("small", [list("abcd")] * len(sentences), Alignments.of(straight))
    systems = [System.from_orders(o, data, n) for o, n in zip(orders, "AB", strict=True)]
    result = evaluate(data, systems, ["fuzzy", "kendall", "exact"], resamples=200)
    check_lines(compare(result, systems=["A", "B"]))


@pytest.mark.slow
@settings(max_examples=100)
@given(two_orders)
def test_what_compare_prints_of_outputs_never_contradicts_itself(sentences):
    texts = {
        name: [" ".join("abcd"[i] for i in order) for order in orders]
        for name, orders in zip("AB", zip(*sentences, strict=True), strict=True)
    }
    result = score(texts, ["a b c d"] * len(sentences), ["wer", "bleu", "ribes"], resamples=200)
    check_lines(compare(result, systems=["A", "B"]))
