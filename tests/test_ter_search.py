"""The bounded search of TER: sacrebleu's edits, or where a bound is met no fewer."""

import json
import random

import pytest
from sacrebleu.metrics.lib_ter import translation_edit_rate

from preorder_eval.metrics import metric
from preorder_eval.metrics.shared import ter_search
from preorder_eval.metrics.shared.ter_search import edits


def words(seed, size, of):
    rng = random.Random(seed)
    return [f"w{rng.randrange(of)}" for _ in range(size)]


@pytest.mark.parametrize("seed", range(30))
def test_without_a_bound_the_edits_are_sacrebleus(seed):
    rng = random.Random(seed)
    hypothesis = words(seed, rng.randrange(25), 2 + seed)
    reference = words(seed + 99, rng.randrange(25), 2 + seed)
    expected, _ = translation_edit_rate(hypothesis, reference)
    assert edits(hypothesis, reference) == (expected, False)


@pytest.mark.parametrize("rows", [0, 100, 500])
def test_cut_short_there_are_no_fewer_edits_and_no_more_than_without_shifts(monkeypatch, rows):
    hypothesis, reference = words(1, 40, 10), words(2, 40, 10)
    best, _ = edits(hypothesis, reference)
    monkeypatch.setattr(ter_search, "edits_near_diagonal", lambda *pair: None)
    monkeypatch.setattr(ter_search, "_PAIRS", 0)
    unshifted, _ = edits(hypothesis, reference)
    monkeypatch.setattr(ter_search, "_PAIRS", 10**6)
    monkeypatch.setattr(ter_search._CountedDistance, "left", rows)
    found, cut_short = edits(hypothesis, reference)
    assert cut_short
    assert best <= found <= unshifted


@pytest.mark.parametrize("of", [2, 100])
def test_thousands_of_words_end_soon(of):
    """Fewer than a hundred of such words once took more than a minute, and then the memory."""
    for name in ("ter", "meteor", "gtm"):
        scores = metric(name).score([" ".join(words(1, 5000, of))], [" ".join(words(2, 5000, of))])
        assert scores.corpus > 0


def test_identical_text_of_any_length_is_searched_to_the_end():
    text = " ".join(words(1, 5000, 3))
    scores = metric("ter").score([text], [text])
    assert scores.corpus == 0
    assert metric("ter").cut_short(scores.statistics) == 0


def test_a_note_says_where_a_bound_was_met(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, seed in (("hyp", 1), ("ref", 2)):
        (tmp_path / name).write_text(" ".join(words(seed, 1100, 300)) + "\nshort\n")
    score = ["score", "--hyp", "hyp", "--ref", "ref", "--metric", "ter", "--metric", "wer"]
    code, out, _ = run(*score)
    assert code == 0
    [note] = [line for line in out.splitlines() if "searched" in line]
    assert note == (
        "ter: long or repetitive, 1 of 2 outputs were not searched to the end; their scores may "
        "be too bad"
    )
    [system] = json.loads(run(*score, "--json")[1])["systems"]
    assert system["scores"]["ter"]["cut_short"] == 1
    assert "cut_short" not in system["scores"]["wer"]
