"""How often each decision is printed, of equal systems and of systems with a known gain."""

import re
from collections import Counter

import numpy as np
import pytest

from preorder_eval.evaluation.compare import compare
from preorder_eval.evaluation.gates import check_gates, parse_gate
from preorder_eval.evaluation.score import score

pytestmark = pytest.mark.slow
WORDS = np.array(list("abcdefghijklmnopqrst"))
REPEATS = 60
TWELVE = ["per", "wer", "bleu", "chrf", "nist", "ribes", "nkt", "rouge_l", "hlepor", "fmeasure"]
TWELVE += ["precision", "recall"]
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def texts(rng, size, errors, ties=0.0, documents=0):
    """References, and outputs with words replaced by a chance each, which documents change."""
    reference = rng.choice(WORDS, (size, 12))
    shift = rng.normal(0, 0.08, (len(errors), documents or 1)) * (documents > 0)
    of = np.arange(size) * max(documents, 1) // size
    outputs, same = [], rng.random(size) < ties
    for number, chance in enumerate(errors):
        wrong = rng.random(reference.shape) < (chance + shift[number, of])[:, None]
        outputs.append(np.where(wrong, "x", reference))
        outputs[number][same] = outputs[0][same]
    lines = [[" ".join(row) for row in each] for each in (reference, *outputs)]
    return lines[0], lines[1:], [f"d{n}" for n in of]


def scored(trial, metric, size, errors, ties=0.0, documents=0, resamples=50):
    """Systems `s0`, `s1`, … of one random draw."""
    rng = np.random.default_rng([trial, size])
    reference, outputs, of = texts(rng, size, errors, ties, documents)
    named = {f"s{n}": lines for n, lines in enumerate(outputs)}
    given = {"documents": of} if documents else {}
    return score(named, reference, [metric], resamples=resamples, seed=trial, **given)


def checked(result):
    """The verdict's decision, held against its mark, interval, gate, JSON, words and tables."""
    [difference, comparison] = result.difference(0, 1), compare(result)
    found, facts = result.found, result.to_dict()["verdict"]
    decision, mark = found.decision, difference.mark
    assert facts["decision"] == decision == comparison.found.decision
    assert (decision.direction != 0) == mark.endswith("**")
    if decision.kind:
        assert mark[0] == {"better": "+", "worse": "-"}[decision.kind]
    interval = difference.at_95
    if decision.direction:
        assert not interval.low <= 0 <= interval.high
    failed, _ = check_gates(comparison, [parse_gate(f"{result.metrics[0].name}:0")])
    assert bool(failed) == (decision.direction < 0)
    told = {"better": "better than", "worse": "worse than"}.get(decision.kind, "No ")
    assert told in result.verdict
    assert facts["differing"] >= 6 or not decision.direction
    [row] = comparison.tables()[0].rows
    known = {"50", "0.001", "0", "1", "5", "6", str(facts["differing"]), *map(str, row)}
    shown = result.show(whole=True) + comparison.show()
    assert {*NUMBER.findall(result.verdict)} <= {*NUMBER.findall(shown.split("\n\n", 1)[1]), *known}
    return decision


@pytest.mark.parametrize("metric", ["per", "bleu"])
@pytest.mark.parametrize(
    ("size", "ties", "documents"),
    [
        (5, 0, 0),
        (10, 0, 0),
        (20, 0, 0),
        (20, 0.8, 0),
        (50, 0, 0),
        (50, 0.8, 0),
        (250, 0, 0),
        (250, 0, 25),
    ],
)
def test_equal_systems_are_rarely_told_apart(size, ties, documents, metric):
    """Of 60 pairs 3 are expected at most; 9 have a chance of .3%."""
    results = (scored(trial, metric, size, [0.3, 0.3], ties, documents) for trial in range(REPEATS))
    found = Counter(checked(result).direction != 0 for result in results)
    assert found[True] <= (0 if size == 5 else 8)


@pytest.mark.parametrize("metric", ["per", "bleu"])
@pytest.mark.parametrize(
    ("size", "ties", "documents", "least"),
    [
        (5, 0, 0, 0),
        (10, 0, 0, 0.15),
        (20, 0, 0, 0.25),
        (50, 0, 0, 0.7),
        (50, 0.8, 0, 0.1),
        (250, 0.8, 0, 0.7),
        (250, 0, 25, 0.8),
    ],
)
def test_a_known_gain_is_found(size, ties, documents, least, metric):
    """Errors fall from 40% to 30% of words: more sentences show it more often."""
    results = (scored(trial, metric, size, [0.4, 0.3], ties, documents) for trial in range(REPEATS))
    found = Counter(checked(result).direction for result in results)
    assert found[1] >= least * REPEATS
    assert found[-1] <= 1
    assert size > 5 or not found[1]


@pytest.mark.parametrize(
    ("systems", "size"), [(1, 50), (2, 50), (3, 50), (10, 5), (10, 20), (10, 100)]
)
@pytest.mark.parametrize("documents", [0, 10])
def test_of_equal_systems_none_is_called_best(systems, size, documents):
    """The best of ten and the worst are as far apart as any two of 45 pairs."""
    called = 0
    for trial in range(REPEATS):
        errors = [0.3] * systems
        result = scored(trial, "per", size, errors, 0, documents, resamples=200)
        decided = bool(result.found.decision and result.found.decision.direction)
        called += decided or bool(result.found.worse)
        if systems == 1:
            assert result.verdict == ""
    assert called <= (8 if min(size, documents or size) > 5 else 0)


@pytest.mark.parametrize(("size", "least"), [(20, 0), (100, 0.3)])
def test_the_truly_best_of_ten_is_never_called_worse(size, least):
    """A chance of 95% is promised that it is the one named, or among those not shown worse."""
    named = 0
    for trial in range(REPEATS):
        found = scored(trial, "per", size, [0.4] * 9 + [0.3], resamples=200).found
        assert "s9" not in found.worse
        named += found.decision.direction == 1 and found.systems[-1] == "s9"
    assert named >= least * REPEATS


def correlated(rng, documents=12, length=15):
    """References, and outputs of two equal systems, each better in some documents."""
    reference = [rng.permutation(WORDS)[:12] for _ in range(documents * length)]
    outputs = []
    for _ in range(2):
        wrong, turned = rng.beta(1, 3, (2, documents))
        lines = []
        for number, words in enumerate(reference):
            of = number // length
            line = np.where(rng.random(12) < wrong[of], "x", words)
            if rng.random() < turned[of]:
                line = np.roll(line, 3)
            lines.append(" ".join(line))
        outputs.append(lines)
    names = [f"d{number // length}" for number in range(len(reference))]
    return list(map(" ".join, reference)), outputs, names


def test_of_correlated_documents_no_part_is_claimed():
    """By sentences a part of words or order was claimed in 17 of 40, beside a verdict by documents.

    Of 40 pairs 2 are expected, and 7 have a chance of .3%.
    """
    verdict = part = 0
    for trial in range(40):
        reference, outputs, names = correlated(np.random.default_rng(trial))
        named = dict(zip("ab", outputs, strict=True))
        result = score(named, reference, ["per"], resamples=100, documents=names)
        comparison = compare(result)
        assert comparison.found.answer.units == (12, "document")
        verdict += comparison.found.decision.direction != 0
        part += any(each.direction for each in comparison.parts.decisions)
    assert max(verdict, part) <= 6


def turned(lines, rng):
    """The same texts, half of them with two words that have changed places."""
    rows = [line.split() for line in lines]
    for row in rows:
        i, j = rng.integers(0, len(row), 2)
        if rng.random() < 0.5:
            row[i], row[j] = row[j], row[i]
    return [" ".join(row) for row in rows]


@pytest.mark.parametrize(("systems", "most"), [(2, 2), (10, 8)])
def test_no_other_of_twelve_metrics_is_said_to_show_what_is_not_there(systems, most):
    """Uncorrected, one of them shows a difference in 3 of 60 draws of two systems, 12 of ten."""
    said = 0
    for trial in range(REPEATS):
        rng = np.random.default_rng([trial, systems, 12])
        reference, outputs, _ = texts(rng, 60, [0.3] * systems)
        named = {f"s{n}": turned(lines, rng) for n, lines in enumerate(outputs)}
        found = score(named, reference, TWELVE, resamples=100, seed=trial).found
        said += "other_metrics" in [caveat.kind for caveat in found.caveats]
    assert said <= most


@pytest.mark.parametrize("test", ["randomization", "koehn"])
@pytest.mark.parametrize("differing", [1, 5, 6])
def test_five_sentences_that_differ_show_nothing_by_any_test(differing, test):
    """All of them are better, and by Koehn's test five were enough for a mark."""
    for size in (8, 40, 250):
        rng = np.random.default_rng(size)
        reference, [base, _], _ = texts(rng, size, [0.5, 0.5])
        new = reference[:differing] + base[differing:]
        result = score({"base": base, "new": new}, reference, ["per"], resamples=100, test=test)
        difference, decision = result.difference(0, 1), result.found.decision
        shown = differing == 6
        assert (decision == "better") == (difference.mark == "+**") == shown or size == 250
        assert np.isnan(difference.at_95.low) == np.isnan(difference.at_90.low) == (not shown)
        assert (decision == "cannot be shown") == (not shown)
        assert (f"only {differing} of {size}" in result.verdict) == (not shown)
