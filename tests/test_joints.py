import itertools
import random

import numpy as np
from allowed_orders import allowed_orders, every_case, every_repetition
from test_kept_joints import joints

from preorder_eval.analysis.joints import inversions_of, placement
from preorder_eval.data.arrays import sums
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.metrics.fuzzy import Fuzzy, kept_by_reference
from preorder_eval.metrics.order import Kendall


def corpus(longest, seed):
    """Orders, references and words: every case of up to `longest` words, words repeated."""
    rng = random.Random(seed)
    repetitions = {size: list(every_repetition(size)) for size in range(1, longest + 1)}
    orders, references = every_case(longest)
    words = [[f"w{n}" for n in rng.choice(repetitions[len(order)])] for order in orders]
    return orders, references, words


def arrays(orders, references, words):
    return Orders.of(orders), ReferenceOrders.of(references), SourceWords.of(words)


def test_kept_joints_are_those_of_a_best_allowed_order():
    orders, references, words = corpus(5, seed=3)
    flat = arrays(orders, references, words)
    kept = kept_by_reference(*flat)
    for s, (order, groups, own) in enumerate(zip(orders, references, words, strict=True)):
        found = kept[flat[0].offsets[s] : flat[0].offsets[s + 1]].tolist()
        assert not found.pop()
        possible = [joints(order, allowed, own) for allowed in allowed_orders(groups)]
        assert found in possible
        assert sum(found) == max(map(sum, possible))


def test_halves_of_broken_joints_add_up_to_what_the_metrics_count():
    flat = arrays(*corpus(6, seed=4))
    placed = placement(*flat)
    lost, _ = Fuzzy().losses(*flat)
    np.testing.assert_array_equal(sums(placed.broken, flat[0].offsets), 2 * lost)
    inversions, _ = Kendall().losses(*flat)
    np.testing.assert_array_equal(sums(placed.inversions, flat[0].offsets), 2 * inversions)


def test_words_beside_a_broken_joint_are_wrong():
    words = ["I", "gave", "him", "books", "today"]
    order, groups = [0, 3, 2, 1, 4], [[0], [2], [3], [1], [4]]
    placed = placement(*arrays([order], [groups], [words]))
    # I | books | him | gave today
    assert placed.broken.tolist() == [1, 1, 2, 2, 0]
    assert placed.wrong.tolist() == [True, True, True, True, False]
    assert placed.inversions.tolist() == [0, 0, 1, 1, 0]


def test_moved_that_should_have_stayed_and_stayed_that_should_have_moved():
    words = ["see", "the", "big", "dog", "now"]
    order, groups = [2, 1, 0, 3, 4], [[1], [2], [3], [0], [4]]
    placed = placement(*arrays([order], [groups], [words]))
    # The reference keeps "the big" and "big dog" together, and parts "dog now".
    assert placed.parted.tolist() == [False, True, True, True, False]
    assert placed.missed.tolist() == [False, False, False, True, True]


def test_a_word_that_stays_is_not_matched_with_its_double():
    words = ["the", "man", "in", "the", "house"]
    order, groups = [0, 1, 2, 3, 4], [[3], [4], [2], [0], [1]]
    placed = placement(*arrays([order], [groups], [words]))
    # The score matches the first "the" with the one that comes first in the reference.
    assert placed.broken.tolist() == [1, 2, 1, 1, 1]
    assert placed.missed.tolist() == [False, True, True, True, False]


def test_kept_joints_by_position():
    orders, references, words = corpus(5, seed=6)
    flat = arrays(orders, references, words)
    kept = kept_by_reference(*flat[:2], None)
    lost, possible = Fuzzy(match="position").losses(*flat)
    np.testing.assert_array_equal(sums(kept, flat[0].offsets), possible - lost)


def test_a_right_order_has_nothing_to_blame():
    _, references, words = corpus(5, seed=5)
    rights = [[i for group in groups for i in group] for groups in references]
    placed = placement(*arrays(rights, references, words))
    assert not placed.wrong.any()
    assert not placed.inversions.any()


def test_inversions_of_sentences_of_all_lengths():
    rng = random.Random(2)
    sentences = [[rng.randrange(n) for _ in range(n)] for n in (0, 1, 2, 7, 8, 9, 40, 200, 3)]
    flat = np.array([x for sentence in sentences for x in sentence], dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(sentence) for sentence in sentences])])
    expected = [
        sum(x > y for y in sentence[i + 1 :]) + sum(y > x for y in sentence[:i])
        for sentence in sentences
        for i, x in enumerate(sentence)
    ]
    assert inversions_of(flat, offsets).tolist() == expected


def test_the_end_of_a_sentence_is_no_joint():
    orders, references, words = (
        [[0], [1, 0], [0]],
        [[[0]], [[0], [1]], [[0]]],
        [["a"], ["b", "c"], ["d"]],
    )
    placed = placement(*arrays(orders, references, words))
    assert placed.broken.tolist() == [0, 1, 1, 0]
    assert list(itertools.chain(placed.parted, placed.missed)).count(True) == 2
