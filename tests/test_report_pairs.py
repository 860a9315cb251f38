"""The differences of a report: B - A of any two systems is what `compare` finds."""

import json
import re
from itertools import permutations

import pytest
from report_pages import compared_cells, three_systems

from preorder_eval import report
from preorder_eval.analysis.report import build
from preorder_eval.base.tables import p_value
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.joining import joined
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.runs.run_writing import write_run

NAMES = ("w", "x", "y")
ORDERS = list(permutations(NAMES))


def data_of(page):
    [text] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(text)


def assert_as_compared(page, result):
    found = data_of(page)["differences"]
    numbers = range(len(result.systems))
    assert [of[n][n] for of in found for n in numbers] == [None] * len(found) * len(numbers)
    for a, b in permutations(numbers, 2):
        compared = compared_cells(result, result.systems[a], result.systems[b])
        for of, (cell, p) in zip(found, compared, strict=True):
            text, interval, mark, tested, *_ = of[a][b]
            assert " ".join([text, interval, mark.strip("+-0")]).strip() == cell
            assert tested.startswith(f"p: {p}")


def verdict_of(page):
    [text] = re.findall(r'<p class="verdict">(.*?)</p>', page, re.S)
    return text.replace("&lt;", "<")


@pytest.mark.parametrize(
    ("names", "against"), [*zip(ORDERS, ["", "w", "x", "y", "", "x"], strict=True)]
)
def test_differences_of_outputs_are_those_of_compare(names, against):
    result = three_systems(names, against)
    page = build([result])
    assert_as_compared(page, result)
    assert verdict_of(page) == result.verdict
    if result.found.answer:
        first, second = result.found.pair
        tested = data_of(page)["differences"][result.lead][first][second][3]
        count, p = result.found.comparisons, p_value(result.found.answer.p)
        assert tested.partition(", ")[2] == (
            f"corrected for {count} pairs: {p}" if count > 1 else ""
        )
    a, b = (names[number] for number in data_of(page)["pair"])
    if against:
        assert a == against, "what all are compared with opens as A"
    elif result.found.answer:
        assert (a, b) == result.found.systems


@pytest.mark.slow
def test_differences_of_orders_are_those_of_compare(bundled_reference):
    few = bundled_reference.take(range(40), "few")
    parsed = Parsed.by("gold", few)
    systems = [parsed.reordered(rules) for rules in ("none", "reverse", "en-ja")]
    result = evaluate(few, systems, ["fuzzy", "kendall"], resamples=20, significance=True)
    page = build([result])
    assert_as_compared(page, result)
    cells = re.findall(r'data-pair="(\d)-(\d)".*?<span class="by">([^<]*)</span>', page)
    shown = [(int(a), int(b), by) for a, b, by in cells]
    found = data_of(page)["differences"]
    assert shown == [(a, b, of[a][b][0]) for of in found for a, b in permutations(range(3), 2)]


@pytest.mark.parametrize("baseline", ["x", "y"])
def test_a_run_s_baseline_is_that_of_its_page(tmp_path, baseline):
    write_run(three_systems(NAMES, baseline), tmp_path / "run")
    report(tmp_path / "run", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert verdict_of(page) == three_systems(NAMES, baseline).verdict
    assert data_of(page)["pair"][0] == NAMES.index(baseline)


def test_a_baseline_is_found_under_the_name_that_joining_gives_it():
    """Both results have systems of the same names; only the second names a baseline."""
    results = [three_systems(NAMES), three_systems(NAMES, "x")]
    both = joined(results, results[0].metrics, against="all")
    assert both.sampling.baseline == both.systems[4] == "2:x"
    assert both.baseline == 4
