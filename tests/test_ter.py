"""TER against sacrebleu, and its search for shifts within bounds."""

import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import lib_ter
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.metrics.ter import TER
from test_bleu import random_texts

from preorder_eval.metrics import metric
from preorder_eval.metrics.outputs import ter_shifts
from preorder_eval.metrics.outputs.ter import Ter
from preorder_eval.metrics.outputs.ter_shifts import edits

PEERS = json.loads((Path(__file__).parent / "data/peers_lexical.json").read_text())


def test_case_as_tercom_counts_it():
    # tercom 0.10 -s prints 8 edits of 16 words, sacrebleu without case 7.
    [row] = [row for row in PEERS["rows"] if row[0].startswith("It is a guide")]
    assert Ter(lower=False).score([row[1]], [row[0]]).corpus == 50
    assert row[5] == 43.75


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_same_as_sacrebleu(lower, seed):
    hypotheses, *streams = random_texts(seed, size=6, streams=1 + seed % 3)
    hypotheses = [text.replace("a", "A") for text in hypotheses]
    scorer = TER(case_sensitive=not lower)
    result = Ter(lower=lower).score(hypotheses, streams)
    assert result.corpus == pytest.approx(scorer.corpus_score(hypotheses, streams).score)
    for score, hypothesis, *references in zip(result.sentence, hypotheses, *streams, strict=True):
        assert score == pytest.approx(scorer.sentence_score(hypothesis, references).score)
    assert Ter(lower=lower).sacrebleu_signature(len(streams)) == str(scorer.get_signature())


@pytest.mark.parametrize("hypothesis", ["", "a", "a b"])
def test_no_words_at_all_as_sacrebleu(hypothesis):
    assert Ter().score([hypothesis], [""]).corpus == TER().corpus_score([hypothesis], [[""]]).score


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("options", [{}, {"punct": False}, {"asian": True}])
def test_options_as_sacrebleu(normalized, options):
    pairs = [("in his 40s?", "in his 40's, won't I?"), ("a,b 3.5-4", 'a, b "3.5" - 4, its\'s.')]
    pairs.append(("He ate (the) red fish, 犬です too.", "He ate the fish, 犬が (too)."))
    named = {"punct": "no_punct", "asian": "asian_support"}
    theirs = TER(normalized=normalized, **{named[name]: True for name in options})
    chosen = Ter(normalized=normalized, **options)
    for hypothesis, reference in pairs:
        expected = theirs.sentence_score(hypothesis, [reference]).score
        assert chosen.score([hypothesis], [reference]).corpus == expected
    assert chosen.sacrebleu_signature() == str(theirs.get_signature())


sentences = st.lists(st.sampled_from("abcde"), max_size=14)


@pytest.mark.parametrize("matrix", [ter_shifts._Matrix, ter_shifts._BeamMatrix])
@given(hypothesis=sentences, reference=sentences)
def test_edits_are_sacrebleus(matrix, hypothesis, reference):
    expected = translation_edit_rate(hypothesis, reference)[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ter_shifts, "_Matrix", matrix)
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


@pytest.mark.slow
@pytest.mark.parametrize("matrix", [ter_shifts._Matrix, ter_shifts._BeamMatrix])
@pytest.mark.parametrize(("size", "words"), [(20, 3), (30, 30), (40, 1000), (70, 300)])
def test_edits_of_usual_sentences_are_sacrebleus(size, words, matrix, monkeypatch):
    monkeypatch.setattr(ter_shifts, "_Matrix", matrix)
    rng = random.Random(size * words)
    pairs = [shuffled(rng, size, words) for _ in range(3)]
    assert [edits(*pair) for pair in pairs] == [
        (translation_edit_rate(*pair)[0], False) for pair in pairs
    ]


@given(sentences, sentences)
def test_edits_off_the_diagonal_are_sacrebleus(hypothesis, reference):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lib_ter, "_BEAM_WIDTH", 3)
        patch.setattr(ter_shifts, "_BEAM", 3)
        found, cut_short = edits(hypothesis, reference)
        assert found == translation_edit_rate(hypothesis, reference)[0]
        assert not cut_short


def sacrebleus_beam(here, there, i):
    """The columns that sacrebleu's _edit_distance visits in row i, from 1."""
    ratio = there / here
    beam = max(lib_ter._BEAM_WIDTH, math.ceil(ratio / 2 + 25) * (ratio / 2 > 25))
    diagonal = math.floor(i * ratio)
    end = there + 1 if i == here else min(diagonal + beam, there + 1)
    return range(max(0, diagonal - beam), end)


def test_the_beam_is_sacrebleus():
    for here, there in [(1, 60), (3, 180), (2, 99), (60, 60), (60, 30), (30, 70), (90, 2)]:
        matrix = ter_shifts._Matrix("a" * here, "b" * there)
        rows = range(1, here + 1)
        assert [matrix._beam(i) for i in rows] == [sacrebleus_beam(here, there, i) for i in rows]


@given(sentences, sentences)
def test_few_edits_do_not_leave_the_beam(hypothesis, reference):
    """Where the beam need not be looked at, the path of the edits lies inside of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ter_shifts, "_BEAM", 5)
        matrix = ter_shifts._Matrix("".join(hypothesis), "".join(reference))
        if matrix.is_narrow:
            matrix.is_narrow = False
            matrix.trace()


@pytest.mark.parametrize(("here", "there"), [(1, 60), (3, 180), (20, 50), (50, 20)])
def test_edits_of_sentences_of_unlike_lengths_are_sacrebleus(here, there):
    pair = words(1, here, 9), words(2, there, 9)
    assert edits(*pair) == (translation_edit_rate(*pair)[0], False)


def words(seed, size, of):
    rng = random.Random(seed)
    return [f"w{rng.randrange(of)}" for _ in range(size)]


@pytest.mark.parametrize("rows", [0, 100, 500])
def test_cut_short_there_are_no_fewer_edits_and_no_more_than_without_shifts(monkeypatch, rows):
    hypothesis, reference = words(1, 40, 10), words(2, 40, 10)
    best, _ = edits(hypothesis, reference)
    monkeypatch.setattr(ter_shifts, "_Matrix", ter_shifts._BeamMatrix)
    monkeypatch.setattr(ter_shifts, "_PAIRS", 0)
    unshifted, _ = edits(hypothesis, reference)
    monkeypatch.setattr(ter_shifts, "_PAIRS", 10**6)
    monkeypatch.setattr(ter_shifts, "_ROWS", rows)
    found, cut_short = edits(hypothesis, reference)
    assert cut_short
    assert best <= found <= unshifted


@pytest.mark.slow
@pytest.mark.parametrize("of", [1, 2, 100])
def test_thousands_of_words_end_soon(of):
    """Fewer than a hundred of such words once took more than a minute, and then the memory."""
    for name in ("ter", "meteor", "gtm", "ribes"):
        scores = metric(name).score([" ".join(words(1, 2000, of))], [" ".join(words(2, 2000, of))])
        assert scores.corpus >= 0


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
    assert "TER: the search was cut short for 1 of 2 outputs" in out
    [system] = json.loads(run(*score, "--json")[1])["systems"]
    assert system["scores"]["ter"]["cut_short"] == 1
    assert "cut_short" not in system["scores"]["wer(tokenize=13a)"]


@st.composite
def at_the_border(draw):
    """Sentences of about as many words as a machine word has bits, a part of one shifted."""
    size = draw(st.integers(62, 66))
    reference = [f"w{n % draw(st.sampled_from([9, 100]))}" for n in range(size)]
    start, length = draw(st.integers(0, size - 1)), draw(st.integers(1, 11))
    rest = reference[:start] + reference[start + length :]
    target = draw(st.integers(0, len(rest)))
    hypothesis = rest[:target] + reference[start : start + length] + rest[target:]
    gone = draw(st.lists(st.integers(0, size - 1), max_size=3))
    return [word for n, word in enumerate(hypothesis) if n not in gone], reference


@settings(max_examples=6)
@given(at_the_border())
def test_edits_at_the_border_of_machine_words_are_sacrebleus(pair):
    assert edits(*pair) == (translation_edit_rate(*pair)[0], False)


@pytest.mark.parametrize(("length", "far"), [(9, 49), (10, 50), (10, 51), (11, 50)])
def test_shifts_as_long_and_as_far_as_sacrebleu_tries(length, far):
    """Of other words there are none alike, so that it is this shift or none."""
    part = [f"p{n}" for n in range(length)]
    rest = [f"r{n}" for n in range(far)]
    pair = [*part, *rest], [*rest, *part]
    assert edits(*pair) == (translation_edit_rate(*pair)[0], False)
