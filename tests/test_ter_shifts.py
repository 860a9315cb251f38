"""The search for the shifts of TER against sacrebleu's, from which it is rewritten."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import lib_ter
from sacrebleu.metrics.lib_ter import translation_edit_rate

from preorder_eval.metrics.shared import ter_shifts
from preorder_eval.metrics.shared.ter_search import edits
from preorder_eval.metrics.shared.ter_shifts import edits_near_diagonal

sentences = st.lists(st.sampled_from("abcde"), max_size=14)


@given(sentences, sentences)
def test_edits_are_sacrebleus(hypothesis, reference):
    expected = translation_edit_rate(hypothesis, reference)[0]
    assert edits(hypothesis, reference) == (expected, False)


def shuffled(rng, size, words):
    """A sentence, and another with some of its words replaced, left out and moved."""
    reference = [str(rng.randrange(words)) for _ in range(size)]
    noise = rng.random() / 2
    kept = [word for word in reference if rng.random() > noise / 2]
    hypothesis = [str(rng.randrange(words)) if rng.random() < noise else word for word in kept]
    for _ in range(rng.randrange(5)):
        start, length, target = rng.randrange(size), rng.randrange(1, 12), rng.randrange(size)
        part = hypothesis[start : start + length]
        del hypothesis[start : start + length]
        hypothesis[target:target] = part
    return hypothesis, reference


@pytest.mark.parametrize(("size", "words"), [(20, 3), (30, 30), (40, 1000), (70, 300)])
def test_edits_of_usual_sentences_are_sacrebleus(size, words):
    rng = random.Random(size * words)
    pairs = [shuffled(rng, size, words) for _ in range(3)]
    assert [edits_near_diagonal(*pair) for pair in pairs] == [
        translation_edit_rate(*pair)[0] for pair in pairs
    ]


@given(sentences, sentences)
def test_edits_off_the_diagonal_are_sacrebleus(hypothesis, reference):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lib_ter, "_BEAM_WIDTH", 3)
        patch.setattr(ter_shifts, "_BEAM", 3)
        found, cut_short = edits(hypothesis, reference)
        assert found == translation_edit_rate(hypothesis, reference)[0]
        assert not cut_short


def test_where_the_best_edits_leave_the_diagonal_sacrebleu_is_asked(monkeypatch):
    monkeypatch.setattr(ter_shifts, "_BEAM", 3)
    monkeypatch.setattr(lib_ter, "_BEAM_WIDTH", 3)
    pair = [*"12345abcdef"], [*"abcdef67890"]
    assert edits_near_diagonal(*pair) is None
    assert edits(*pair) == (translation_edit_rate(*pair)[0], False)
