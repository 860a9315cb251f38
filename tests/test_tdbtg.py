import json
import math
from pathlib import Path

import pytest

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.orders import Orders
from preorder_eval.errors import PreorderEvalError
from preorder_eval.papers.peers import tdbtg

CASES = json.loads((Path(__file__).parent / "data" / "peers_frs_tau.json").read_text())["cases"]


def evaluate(cases):
    links = [[tuple(map(int, link.split("-"))) for link in c["links"].split()] for c in cases]
    orders = [list(map(int, case["order"].split())) for case in cases]
    return tdbtg.evaluate(Alignments.of(links), Orders.of(orders))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["links"])
def test_prints_what_the_tool_prints(case):
    result = evaluate([case])
    frs, tau = float(result.frs[0]), float(result.tau[0])
    if case["tdbtg"] == "skips":
        assert math.isnan(frs)
        assert math.isnan(tau)
        assert result.left_out == {tdbtg.INCOMPARABLE: [1]}
    elif case["tdbtg"] == "stops":
        assert math.isnan(frs)
        assert math.isnan(tau)
        assert result.left_out == {tdbtg.NO_LINKS: [1]}
    else:
        assert [str(frs), str(tau), " ".join(map(str, result.ranks))] == case["tdbtg"]
        assert result.left_out == {}


def test_corpus_is_the_mean_of_the_sentences_kept():
    result = evaluate(CASES)
    numbers = [list(map(float, case["tdbtg"][:2])) for case in CASES if len(case["tdbtg"]) == 3]
    count = len(numbers)
    assert result.scores() == (
        sum(frs for frs, _ in numbers) / count,
        sum(tau for _, tau in numbers) / count,
        sum(tau == 1 for _, tau in numbers) / count,
    )
    stops = [n for n, case in enumerate(CASES, 1) if case["tdbtg"] == "stops"]
    skips = [n for n, case in enumerate(CASES, 1) if case["tdbtg"] == "skips"]
    assert result.left_out == {tdbtg.INCOMPARABLE: skips, tdbtg.NO_LINKS: stops}
    frs, tau, complete = result.scores()
    assert list(result.lines()) == [
        f"Number of evaluated sentences: {count}",
        f"Number of skipped sentences: {len(skips)}",
        f"Fuzzy Reordering Score: {frs:.6f}",
        f"Kendall's Tau: {tau:.6f}",
        f"Complete Match: {complete:.6f}",
    ]


def test_nothing_left_prints_zeros():
    result = evaluate([{"links": "", "order": "1 0"}])
    assert result.scores() == (0, 0, 0)
    assert next(result.lines()) == "Number of evaluated sentences: 0"


def test_one_aligned_word_scores_1():
    result = evaluate([{"links": "1-5", "order": "1 0"}])
    assert (result.frs[0], result.tau[0]) == (1, 1)


def test_bad_input():
    with pytest.raises(PreorderEvalError, match="sentence 1: link 2-0 is outside"):
        evaluate([{"links": "2-0", "order": "1 0"}])
    with pytest.raises(PreorderEvalError, match="alignments of 1 sentence for 2"):
        tdbtg.evaluate(Alignments.of([[(0, 0)]]), Orders.of([[0], [0]]))
