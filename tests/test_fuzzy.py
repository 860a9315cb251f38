import itertools
import random

import numpy as np
import pytest
from allowed_orders import allowed_orders, best, every_case, every_repetition
from published import TALBOT_FIGURES, TALBOT_REFERENCE

from preorder_eval.metrics.fuzzy import Fuzzy


def equation_1(places):
    """1 - (C - 1) / (M - 1) from the reference places of the words in system order."""
    chunks = 1 + sum(right != left + 1 for left, right in itertools.pairwise(places))
    return 1.0 if len(places) == 1 else 1 - (chunks - 1) / (len(places) - 1)


def by_words(order, groups, words):
    """The best value if the first unmatched instance of a word in the reference is taken."""

    def value(allowed):
        free = list(allowed)
        places = []
        for i in order:
            match = next(j for j in free if words[j] == words[i])
            free.remove(match)
            places.append(allowed.index(match))
        return equation_1(places)

    return max(value(allowed) for allowed in allowed_orders(groups))


@pytest.mark.parametrize(("system", "score"), TALBOT_FIGURES)
def test_figures_of_the_paper(system, score):
    reference = TALBOT_REFERENCE.split()
    order = [reference.index(word) for word in system.split()]
    groups = [[i] for i in range(len(order))]
    for match in ("word", "position"):
        assert Fuzzy(match=match).score([order], [groups], [reference]).corpus == score


@pytest.mark.parametrize(
    ("order", "groups", "score"),
    [
        ([1, 2, 3, 4, 0], [[0], [1], [2], [3], [4]], 0.75),
        ([0, 2, 1, 3, 4], [[0], [1], [2], [3], [4]], 0.25),
        # Neighbours of the same or the next group, but only one pair can cross the border.
        ([0, 2, 1, 3], [[0, 1], [2, 3]], 1 / 3),
        # The run that is entered first cannot be the one that is left last.
        ([0, 1, 3, 2], [[0], [1, 2], [3]], 1 / 3),
    ],
)
def test_values(order, groups, score):
    assert Fuzzy().score([order], [groups]).corpus == pytest.approx(score)
    assert best(equation_1, order, groups) == pytest.approx(score)


def test_repeated_words_match_first_instance_first():
    words = ["the", "cat", "the", "dog"]
    order, groups = [2, 1, 0, 3], [[0], [1], [2], [3]]
    assert Fuzzy().score([order], [groups], [words]).corpus == 1
    assert Fuzzy(match="position").score([order], [groups], [words]).corpus == 0


def test_a_run_is_torn_once_only_where_it_is_entered_and_left():
    words = ["y", "P", "x", "y", "N", "x"]
    order, groups = [0, 1, 2, 3, 4, 5], [[0, 2, 3, 5], [4], [1]]
    score = Fuzzy().score([order], [groups], [words]).corpus
    assert score == pytest.approx(by_words(order, groups, words)) == pytest.approx(0.2)


def test_every_order_and_tie():
    orders, references = every_case(6)
    scores = Fuzzy(match="position").score(orders, references).sentence
    expected = [best(equation_1, *case) for case in zip(orders, references, strict=True)]
    np.testing.assert_allclose(scores, expected, atol=1e-12)


@pytest.mark.parametrize("longest", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_every_order_tie_and_repetition(longest):
    cases = [
        (order, groups, words)
        for order, groups in zip(*every_case(longest), strict=True)
        for words in every_repetition(len(order))
    ]
    orders, references, numbers = map(list, zip(*cases, strict=True))
    words = [[f"w{number}" for number in sentence] for sentence in numbers]
    scores = Fuzzy().score(orders, references, words).sentence
    np.testing.assert_allclose(scores, [by_words(*case) for case in cases], atol=1e-12)


def test_long_sentences_with_repeated_words():
    rng = random.Random(1)
    for _ in range(300):
        size = rng.randint(6, 7)
        order = rng.sample(range(size), size)
        ranks = [rng.randrange(3) for _ in range(size)]
        groups = [[i for i in range(size) if ranks[i] == r] for r in sorted(set(ranks))]
        words = [rng.choice("abc") for _ in range(size)]
        score = Fuzzy().score([order], [groups], [words]).corpus
        assert score == pytest.approx(by_words(order, groups, words))
