import random
from collections import Counter

import pytest

from preorder_eval.analysis.word_accuracy import word_accuracy
from preorder_eval.analysis.word_groups import by_frequency, by_part_of_speech
from preorder_eval.analysis.word_matches import word_matches
from preorder_eval.data.segments import Segments
from preorder_eval.results.result import Sampling
from preorder_eval.stats.bootstrap import Interval

SAMPLING = Sampling(resamples=50)
BUCKETS = [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 9), (10, 99), (100, 999), (1000, 10**9)]


def bucket(count):
    return next(n for n, (low, high) in enumerate(BUCKETS) if low <= count <= high)


@pytest.fixture(scope="module")
def corpus():
    """Forty references, and two outputs with words changed, dropped and doubled."""
    rng = random.Random(7)
    words = [f"w{n}" for n in range(40) for _ in range(40 // (n + 1))]
    references = [" ".join(rng.choices(words, k=rng.randint(1, 12))) for _ in range(40)]

    def noisy(text, chance):
        kept = (w if rng.random() > chance else rng.choice(words) for w in text.split())
        return " ".join(w for w in kept for _ in range(rng.choice([0, 1, 1, 1, 2])))

    return (
        references,
        [noisy(text, 0.1) for text in references],
        [noisy(text, 0.5) for text in references],
    )


def accuracy(outputs, references, group):
    segments = [Segments.of(output, [references]) for output in outputs]
    matches = list(map(word_matches, segments))
    groups = [group(*own) for own in zip(segments, matches, strict=True)]
    return word_accuracy(matches, groups, SAMPLING)


def test_counts_by_frequency_are_those_of_counters(corpus):
    references, *outputs = corpus
    count = Counter(word for text in references for word in text.split())
    found = accuracy(outputs, references, by_frequency)
    names = ["0", "1", "2", "3", "4", "5-9", "10-99", "100-999", "1000+"]
    by_name = {group.name: group for group in found}
    for n, name in enumerate(names):
        for system, output in enumerate(outputs):
            both = in_output = in_reference = 0
            for text, reference in zip(output, references, strict=True):
                one, other = (
                    Counter(w for w in side.split() if bucket(count[w]) == n)
                    for side in (text, reference)
                )
                both += (one & other).total()
                in_output += one.total()
                in_reference += other.total()
            if name not in by_name:
                assert in_output == in_reference == 0
                continue
            own = by_name[name].systems[system]
            assert (own.references, own.outputs) == (in_reference, in_output)
            assert own.found == own.right == both
            if in_output + in_reference:
                f = 2 * both / (in_output + in_reference)
                assert own.f.value == pytest.approx(f)
                assert own.f.low <= f <= own.f.high


def test_two_systems_are_compared_by_f(corpus):
    references, better, worse = corpus
    groups = accuracy([better, worse], references, by_frequency)
    for group in groups:
        first, second = group.systems
        if group.name != "0":
            assert group.difference.value == pytest.approx(second.f.value - first.f.value)
    marks = {group.name: group.difference.mark for group in groups}
    assert marks["10-99"] == "-**"
    same = accuracy([better, better], references, by_frequency)
    assert {group.difference.mark for group in same} == {"0"}
    assert accuracy([better], references, by_frequency)[1].difference is None


def tagged(*sides):
    """Outputs and references as `word/TAG`, as segments of words and of tags."""
    words, tags = (
        [[" ".join(pair.split("/")[part] for pair in s.split()) for s in side] for side in sides]
        for part in (0, 1)
    )
    return Segments.of(words[0], words[1:]), Segments.of(tags[0], tags[1:])


def test_a_word_counts_under_the_tag_of_its_own_side():
    words, tags = tagged(
        ["run/VERB fast/ADV", "a/DET run/NOUN"],
        ["run/NOUN fast/ADJ", "walk/VERB"],
        ["walk/NOUN", "a/DET walk/NOUN"],
    )
    matches = word_matches(words)
    assert matches.which.tolist() == [0, 1]
    groups = by_part_of_speech(words, matches, tags)
    rows = {
        group.name: (own.references, own.found, own.outputs, own.right)
        for group in word_accuracy([matches], [groups], SAMPLING)
        for own in group.systems
    }
    assert rows == {
        "VERB": (0, 0, 1, 1),
        "ADV": (0, 0, 1, 1),
        "DET": (1, 1, 1, 1),
        "NOUN": (2, 1, 1, 0),
        "ADJ": (1, 1, 0, 0),
    }


def test_f_is_the_harmonic_mean_of_precision_and_recall():
    words, tags = tagged(["x/N y/N z/N x/N"], ["x/N q/N"])
    matches = word_matches(words)
    [group] = word_accuracy([matches], [by_part_of_speech(words, matches, tags)], SAMPLING)
    own = group.systems[0]
    assert (own.precision, own.recall) == (0.25, 0.5)
    assert own.f == Interval(pytest.approx(1 / 3), pytest.approx(1 / 3), pytest.approx(1 / 3))
