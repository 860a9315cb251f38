"""Tables of results in manual and model card are those of the record of runs."""

import json

import figures
import pytest

from preorder_eval.base.resources import bundled_names
from preorder_eval.metrics import OrderMetric
from preorder_eval.metrics.registry import metric_types

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RECORD = json.loads(figures.RECORD.read_text(encoding="utf-8"))


def test_the_record_has_every_run_as_it_is_declared():
    assert {name: one["command"] for name, one in RECORD.items()} == figures.commands()


@pytest.mark.parametrize(
    "page", dict.fromkeys(t.page for t in figures.TABLES), ids=lambda p: p.name
)
def test_pages_have_the_figures_of_the_record(page):
    text = page.read_text(encoding="utf-8")
    assert figures.written(page, text, RECORD) == text


def test_the_paper_counts_what_there_is():
    text = (figures.ROOT / ".github" / "paper.md").read_text(encoding="utf-8")
    orders = {name for name, kind in metric_types().items() if issubclass(kind, OrderMetric)}
    given = {"errors", "scores"}  # of other programs
    outputs = metric_types().keys() - orders - given
    assert f"FRS, τ and {WORDS[len(orders) - 2]} others" in text
    assert f"| {len(outputs)} metrics," in text
    pairs = {name.partition("-")[2] for name in bundled_names("rules") if name.count("-") == 1}
    assert f"rule files for {WORDS[len(pairs)]} target languages" in text
    sets = {name.split("-")[1] for name in bundled_names("reference_data") if "-" in name}
    assert f"aligned reference sets from English into {WORDS[len(sets)]} languages" in text
