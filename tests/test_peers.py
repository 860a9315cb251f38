"""What lader and topdown-btg-preordering print, against what they printed."""

import json
import math
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from preorder_eval.metrics import metric
from preorder_eval.metrics.orders.other_tools import (
    INCOMPARABLE,
    TOO_FEW_FIELDS,
    comparable_ranks,
    lader_lines,
    score_by_lader,
    score_by_tdbtg,
    target_spans,
)
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Orders, ReferenceOrders

CASES = json.loads((Path(__file__).parent / "data" / "peers_frs_tau.json").read_text())["cases"]
LONG = {
    "links": " ".join(f"{i}-{i}" for i in range(1500)),
    "order": " ".join(map(str, [1499, *range(1499)])),
}


def words_of(case):
    words = [f"s{i}" for i in range(len(case["order"].split()))]
    if "brackets" in case:
        left, right = map(int, case["brackets"].split("-"))
        words[left], words[right] = "(", ")"
    return words


def given(cases):
    links = [[tuple(map(int, link.split("-"))) for link in c["links"].split()] for c in cases]
    return Alignments.of(links), Orders.of([list(map(int, c["order"].split())) for c in cases])


def lader_of(cases, **options):
    return score_by_lader(*given(cases), list(map(words_of, cases)), **options)


@pytest.mark.parametrize(("name", "options"), [("right", {}), ("left", {"attach_null": "left"})])
def test_sentences_of_lader(name, options):
    for case, scored in zip(CASES, lader_of(CASES, **options), strict=True):
        chunk, chunk_loss, tau, tau_loss, reference = case[name]
        assert scored.reference == [list(map(int, g.split("_"))) for g in reference.split()]
        line = f"chunk={chunk} (loss {chunk_loss})\ttau={tau} (loss {tau_loss})"
        assert list(scored.lines())[3] == line


def test_all_lines_of_lader():
    bracketed = next(case for case in CASES if "brackets" in case)
    assert list(lader_lines(lader_of([bracketed, CASES[1]]))) == [
        "sys_ord:\t0 1 2 3 4",
        "src:\ts0 ( s2 ) s4",
        "ref:\t( s2 ) s0 s4",
        "chunk=0.5 (loss 3/6)\ttau=0.7 (loss 3/10)",
        "",
        "sys_ord:\t1 0",
        "src:\ts0 s1",
        "ref:\ts0 s1",
        "chunk=0 (loss 3/3)\ttau=0 (loss 1/1)",
        "",
        "Total:",
        "chunk=0.333333 (loss 6/9)\ttau=0.636364 (loss 4/11)",
    ]


@pytest.mark.parametrize(
    ("case", "line"),
    [
        ({"links": "", "order": "1 0"}, "chunk=-nan (loss 0/0)\ttau=-nan (loss 0/0)"),
        (LONG, "chunk=0.998001 (loss 3/1501)\ttau=0.998667 (loss 1499/1.12425e+06)"),
    ],
    ids=["nothing can be lost", "six digits"],
)
def test_totals_of_lader(case, line):
    assert list(lader_lines(lader_of([case])))[-1] == line


@pytest.mark.parametrize(
    ("words", "links", "groups"),
    [
        # Nested pairs stand outside of each other; Japanese brackets and straight quotes count.
        ("a ( 「 b 」 )", [(0, 1), (3, 0)], [[1], [2], [3], [4], [5], [0]]),
        ('a " b "', [(0, 1), (2, 0)], [[1], [2], [3], [0]]),
        # A linked bracket, a bracket of another kind and a pair around nothing are plain words.
        ("a ( b )", [(0, 2), (1, 0), (2, 1)], [[1], [2, 3], [0]]),
        ("a ( b ]", [(0, 1), (2, 0)], [[1, 2, 3], [0]]),
        ("a ( ) b", [(0, 1), (3, 0)], [[1, 2, 3], [0]]),
    ],
)
def test_brackets(words, links, groups):
    words = words.split()
    [scored] = score_by_lader(Alignments.of([links]), Orders.of([range(len(words))]), [words])
    assert scored.reference == groups


def test_another_order_of_systems_than_the_paper():
    both = Orders.of([[1, 2, 3, 4, 0], [0, 2, 1, 3, 4]])
    links = Alignments.of([[(i, i) for i in range(5)]] * 2)
    assert [s.chunk for s in score_by_lader(links, both, [list("abcde")] * 2)] == [(3, 6), (3, 6)]
    paper = metric("fuzzy").score(both, ReferenceOrders.of([[[i] for i in range(5)]] * 2))
    assert paper.sentence.tolist() == [0.75, 0.25]


@pytest.mark.slow
def test_lader_holds_one_sentence_at_a_time():
    peaks = []
    for size in (100, 1000):
        data = *given(CASES[:1] * size), [words_of(CASES[0])] * size
        tracemalloc.start()
        for _ in lader_lines(score_by_lader(*data)):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 64 * 900  # bytes a sentence, for the numbers of its words


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["links"])
def test_sentences_of_tdbtg(case):
    result = score_by_tdbtg(*given([case]))
    frs, tau = float(result.frs[0]), float(result.tau[0])
    left_out = {"skips": INCOMPARABLE, "stops": TOO_FEW_FIELDS}
    if isinstance(case["tdbtg"], str):
        assert math.isnan(frs)
        assert math.isnan(tau)
        assert result.left_out == {left_out[case["tdbtg"]]: [1]}
    else:
        [links], [order] = given([case])
        ranks, _ = comparable_ranks(target_spans(links, len(order)))
        of_words = " ".join(str(ranks.get(word, -1)) for word in range(len(order)))
        assert [str(frs), str(tau), of_words] == case["tdbtg"]
        assert result.left_out == {}


def test_the_corpus_of_tdbtg_is_the_mean_of_the_sentences_kept():
    result = score_by_tdbtg(*given(CASES))
    kept = np.array([list(map(float, c["tdbtg"][:2])) for c in CASES if len(c["tdbtg"]) == 3])
    frs, tau = (sum(column) / len(kept) for column in kept.T.tolist())
    assert result.scores() == (frs, tau, np.mean(kept[:, 1] == 1))
    stops, skips = (
        [n for n, case in enumerate(CASES, 1) if case["tdbtg"] == how] for how in ("stops", "skips")
    )
    assert result.left_out == {INCOMPARABLE: skips, TOO_FEW_FIELDS: stops}
    assert list(result.lines())[:4] == [
        f"Number of evaluated sentences: {len(kept)}",
        f"Number of skipped sentences: {len(skips)}",
        f"Fuzzy Reordering Score: {frs:.6f}",
        f"Kendall's Tau: {tau:.6f}",
    ]


@pytest.mark.parametrize(("links", "score"), [("", (0, 0, 0)), ("1-5", (1, 1, 1))])
def test_tdbtg_with_nothing_left_and_with_one_aligned_word(links, score):
    assert score_by_tdbtg(*given([{"links": links, "order": "1 0"}])).scores() == score
