"""The papers' tables: all can be asked for, and the manual says how."""

import re
from pathlib import Path
from typing import get_args

import pytest
from preorder_eval.cli.reproduce_metrics import TableName
from preorder_eval.papers.tables import TABLES

import preorder_eval
from preorder_eval.meta_evaluation.tuning_space import Space
from preorder_eval.metrics import metric

MANUAL = Path(preorder_eval.__file__).parent / "manual"


def test_every_table_is_an_option_and_on_its_page():
    page = (MANUAL / "papers.md").read_text(encoding="utf-8")
    assert sorted(TABLES) == sorted(get_args(TableName))
    assert [name for name in TABLES if not re.search(rf"{name}[` ]", page)] == []


@pytest.mark.parametrize("name", TABLES)
def test_rows_have_the_published_numbers_of_every_column(name):
    for row in TABLES[name].rows:
        assert len(row.published) == len(TABLES[name].published)
        assert not row.metric or metric(row.metric)


def test_what_the_manual_says_can_be_fitted():
    """Tables 5-3 and 7-2 of Han (2014) are fitted parameters."""
    for signature in ("hlepor(weights=?)", "hppr(weights=?)"):
        assert len(Space.of(signature).directions) == 3
