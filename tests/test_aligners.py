"""IBM Model 1, and two directions of alignment made into one."""

from __future__ import annotations

import itertools
import math
import random
from collections import defaultdict

import pytest

from preorder_eval.alignment import ibm1
from preorder_eval.alignment.ibm1 import align, learn
from preorder_eval.alignment.symmetrization import symmetrize
from preorder_eval.data.alignments import Alignments
from preorder_eval.errors import PreorderEvalError, UnknownNameError

SOURCE = [["the", "house"], ["the", "book"], ["a", "book"], ["a", "house", "the", "house"]]
TARGET = [["das", "Haus"], ["das", "Buch"], ["ein", "Buch"], ["Haus", "das", "Haus"]]


def corpus(seed, repeat=True):
    """Random sentence pairs of small vocabularies."""
    rng = random.Random(seed)

    def sentence(letter, repeat=True):
        size = rng.randint(1, 6)
        numbers = rng.choices(range(9), k=size) if repeat else rng.sample(range(9), size)
        return [f"{letter}{number}" for number in numbers]

    return [sentence("s") for _ in range(40)], [sentence("t", repeat) for _ in range(40)]


def textbook(source, target, iterations):
    """The textbook's loops; probabilities t[source][target] and log-likelihoods."""
    words = {word for sentence in target for word in sentence}
    t = defaultdict(lambda: defaultdict(lambda: 1 / len(words)))
    likelihoods = []
    for _ in range(iterations):
        counts = defaultdict(lambda: defaultdict(float))
        likelihood = 0.0
        for own, other in zip(source, target, strict=True):
            for f in other:
                total = sum(t[e][f] for e in [*own, None])
                likelihood += math.log(total / (len(own) + 1))
                for e in [*own, None]:
                    counts[e][f] += t[e][f] / total
        t = {
            e: defaultdict(float, {f: n / sum(row.values()) for f, n in row.items()})
            for e, row in counts.items()
        }
        likelihoods.append(likelihood)
    return t, likelihoods


@pytest.mark.parametrize(("seed", "iterations"), [(0, 1), (1, 2), (2, 5)])
def test_probabilities_and_links_are_those_of_the_textbook(seed, iterations):
    source, target = corpus(seed)
    model = learn(source, target, iterations)
    expected, likelihoods = textbook(source, target, iterations)
    for e, f in itertools.product([*model.source, None], model.target):
        assert model.probability(f, e) == pytest.approx(expected[e][f], abs=1e-12)
    assert model.log_likelihoods == pytest.approx(likelihoods)
    for links, own, other in zip(model.best(), source, target, strict=True):
        linked = {t: e for e, t in links}
        for t, f in enumerate(other):
            chances = [model.probability(f, e) for e in [*own, None]]
            first = chances.index(max(chances))
            assert linked.get(t) == (first if first < len(own) else None)


@pytest.mark.slow
@pytest.mark.parametrize("iterations", [1, 10])
def test_probabilities_are_those_of_nltk(iterations):
    from nltk.translate import AlignedSent, IBMModel1  # which loads much else

    # NLTK counts a target word that stands twice in its sentence only once, so there are none.
    source, target = corpus(0, repeat=False)
    model = learn(source, target, iterations)
    pairs = [AlignedSent(f, e) for e, f in zip(source, target, strict=True)]
    peer = IBMModel1(pairs, iterations)
    for e, f in itertools.product([*model.source, None], model.target):
        assert model.probability(f, e) == pytest.approx(peer.translation_table[f][e], abs=1e-9)


def test_the_likelihood_never_falls():
    likelihoods = learn(*corpus(0), iterations=30).log_likelihoods
    assert all(b >= a - 1e-9 for a, b in itertools.pairwise(likelihoods))
    assert likelihoods[-1] > likelihoods[0] + 1


def test_many_iterations_underflow_without_harm():
    model = learn([["a", "b"], ["a"]], [["x", "y"], ["x"]], iterations=3000)
    assert model.probability("y", "b") == pytest.approx(1)
    assert all(p >= 0 for p in model.probabilities.tolist())


def test_blocks_make_no_difference(monkeypatch):
    source, target = corpus(3)
    source, target = [*source, []], [*target, ["t0"]]
    whole = learn(source, target)
    monkeypatch.setattr(ibm1, "_BLOCK", 7)
    parts = learn(source, target)
    assert len(parts.blocks) > len(whole.blocks) == 1
    assert parts.probabilities.tolist() == pytest.approx(whole.probabilities.tolist())
    assert list(parts.best()) == list(whole.best())


def test_words_that_never_met_have_no_probability():
    model = learn(SOURCE, TARGET)
    assert model.probability("ein", "book") > 0
    assert model.probability("Haus", "book") == 0
    assert model.probability("Katze", "the") == model.probability("das", "cat") == 0


def test_directions():
    forward, inverse = (align(SOURCE, TARGET, how=how) for how in ("none", "inverse"))
    for s in range(len(SOURCE)):
        assert len({t for _, t in forward[s]}) == len(forward[s])
        assert len({e for e, _ in inverse[s]}) == len(inverse[s])
    assert forward[0] == [(0, 0), (1, 1)]
    # Each of two equal source words chooses for itself, and both take the first Haus.
    assert [link for link in inverse[3] if link[0] in (1, 3)] == [(1, 0), (3, 0)]


def test_extra_text_is_learned_from_but_not_aligned():
    alone = align([["red", "cat"]], [["neko", "akai"]])
    taught = align([["red", "cat"]], [["neko", "akai"]], extra=([["cat"]] * 3, [["neko"]] * 3))
    assert alone[0] == [(0, 0), (0, 1)]  # all are equally likely, and the first is taken
    assert list(taught) == [[(0, 1), (1, 0)]]


def test_progress_is_told_of_every_iteration():
    steps = []
    align(SOURCE, TARGET, iterations=3, how="union", advance=steps.append)
    assert steps == [1] * 3 * ibm1.directions("union")


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [([["a"], ["b"]], [["x"]], "2 source and 1 target sentences"), ([["a"]], [[]], "no target")],
)
def test_what_cannot_be_learned_from(source, target, message):
    with pytest.raises(PreorderEvalError, match=message):
        learn(source, target)


def combined(forward, inverse, how):
    return symmetrize(Alignments.of([forward]), Alignments.of([inverse]), how)[0]


# Input and output of the tests of rgeorgi/intent (intent/tests/align_tests.py).
FORWARD, INVERSE = [(1, 1), (2, 1), (3, 2)], [(1, 1), (3, 2), (4, 4)]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("none", FORWARD),
        ("inverse", INVERSE),
        ("intersection", [(1, 1), (3, 2)]),
        ("union", [(1, 1), (2, 1), (3, 2), (4, 4)]),
        ("grow-diag", [(1, 1), (2, 1), (3, 2)]),
        # 4-4 touches nothing, but both its words are free.
        ("grow-diag-final", [(1, 1), (2, 1), (3, 2), (4, 4)]),
        ("grow-diag-final-and", [(1, 1), (2, 1), (3, 2), (4, 4)]),
    ],
)
def test_known_example(how, expected):
    assert combined(FORWARD, INVERSE, how) == expected


def of_moses(forward, inverse, how, size):
    """The pseudo-code of Moses, on matrices."""
    union = [[(s, t) in forward or (s, t) in inverse for t in range(size)] for s in range(size)]
    grid = [[(s, t) in forward and (s, t) in inverse for t in range(size)] for s in range(size)]

    def source_free(s):
        return not any(grid[s])

    def target_free(t):
        return not any(row[t] for row in grid)

    added = True
    while added:
        added = False
        for s in range(size):
            for t in range(size):
                if not grid[s][t]:
                    continue
                steps = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]
                for ds, dt in steps:
                    a, b = s + ds, t + dt
                    if not (0 <= a < size and 0 <= b < size) or grid[a][b]:
                        continue
                    if (source_free(a) or target_free(b)) and union[a][b]:
                        grid[a][b] = added = True
    for links in (forward, inverse) if how != "grow-diag" else ():
        for s in range(size):
            for t in range(size):
                free = source_free(s), target_free(t)
                wanted = any(free) if how == "grow-diag-final" else all(free)
                if wanted and (s, t) in links:
                    grid[s][t] = True
    return [(s, t) for s in range(size) for t in range(size) if grid[s][t]]


@pytest.mark.parametrize("how", ["grow-diag", "grow-diag-final", "grow-diag-final-and"])
def test_growing_is_that_of_moses(how):
    rng = random.Random(0)
    differ = 0
    for _ in range(400):
        size = rng.randint(1, 7)
        forward = {(rng.randrange(size), t) for t in range(size) if rng.random() < 0.8}
        inverse = {(s, rng.randrange(size)) for s in range(size) if rng.random() < 0.8}
        # Directions that share links, or there would be little to grow from.
        inverse |= {link for link in forward if rng.random() < 0.4}
        expected = of_moses(forward, inverse, how, size)
        assert combined(forward, inverse, how) == expected
        differ += set(expected) not in (forward & inverse, forward | inverse)
    assert differ > 100


def test_what_cannot_be_combined():
    one, two = Alignments.of([[(0, 0)]]), Alignments.of([[], []])
    with pytest.raises(PreorderEvalError, match="links of 1 and of 2 sentences"):
        symmetrize(one, two, "union")
    with pytest.raises(UnknownNameError, match="did you mean 'grow-diag'"):
        symmetrize(one, one, "growdiag")
