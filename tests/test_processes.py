"""Parsing by several processes."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.conllu import format_conllu
from preorder_eval.parsers import load_parser, spacy_pipeline

pytestmark = pytest.mark.slow


@pytest.fixture
def workers(monkeypatch):
    """A parser that gives all but the first batch to two processes."""
    monkeypatch.setattr(spacy_pipeline, "_ENOUGH", 1)
    return load_parser("en-web", jobs=2)


@pytest.mark.parametrize("n", [None, 3])
def test_several_processes_find_what_one_finds(workers, parser, gold, n):
    sentences, told = (gold.sentences * 3)[:700], []
    one, several = parser.parse(sentences, n), workers.parse(sentences, n, told.append)
    trees = [made if n is None else made.trees for made in (one, several)]
    assert format_conllu(trees[0]) == format_conllu(trees[1])
    if n is not None:
        assert np.array_equal(one.scores, several.scores)
        assert np.array_equal(one.offsets, several.offsets)
    assert sum(told) == len(sentences)


def test_a_process_that_is_ended_is_an_error(workers, gold):
    assert len(workers.parse(gold.sentences)) == len(gold)
    for process in workers._others._pool._processes:
        os.kill(process, signal.SIGKILL)
    with pytest.raises(PreorderEvalError, match="take fewer jobs"):
        workers.parse(gold.sentences)
