"""Tables of results in manual and model card are those of the record of runs."""

import json

import figures
import pytest

RECORD = json.loads(figures.RECORD.read_text(encoding="utf-8"))


def test_the_record_has_every_run_as_it_is_declared():
    assert {name: one["command"] for name, one in RECORD.items()} == figures.commands()


@pytest.mark.parametrize(
    "page", dict.fromkeys(t.page for t in figures.TABLES), ids=lambda p: p.name
)
def test_pages_have_the_figures_of_the_record(page):
    text = page.read_text(encoding="utf-8")
    assert figures.written(page, text, RECORD) == text
