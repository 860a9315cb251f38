import pytest

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.orders import Alternatives, Orders, ReferenceOrder, ReferenceOrders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.results.comparison import nearest_reference, shown_reference

WORDS = ["I", "eat", "fish"]
SEVERAL = [[[0], [2], [1]], [[2], [0], [1]]]


@pytest.fixture
def small():
    links = Alignments.of([[(0, 0), (1, 2), (2, 1)], []])
    orders = Alternatives.of([SEVERAL, [ReferenceOrder([[0], [1], [2]], [False] * 3)]])
    return ReferenceSet(
        "small", [WORDS, WORDS], links, [["私", "魚", "食べる"], []], alternatives=orders
    )


def test_the_nearest_of_several_is_taken(small):
    assert nearest_reference(small, 0, [2, 0, 1]) == SEVERAL[1]
    assert nearest_reference(small, 0, [0, 2, 1]) == SEVERAL[0]


def test_a_sentence_without_links_has_none(small):
    assert nearest_reference(small, 1, [0, 1, 2]) is None
    assert shown_reference(small, 1, [0, 1, 2]) == (None, None)


def test_the_reference_is_shown_with_its_translation(small):
    assert shown_reference(small, 0, [2, 0, 1]) == ("fish I eat", "私 魚 食べる")


def test_what_is_shown_is_what_the_sentence_is_scored_by():
    data = load_reference("en-ja-web")
    several = [s for s in range(len(data)) if len(data.orders_of(s)) > 1][:20]
    orders = Orders.of([list(range(len(words))) for words in data.source])
    best = Fuzzy(match="position").score(orders, data.allowed).sentence
    for s in several:
        nearest = nearest_reference(data, s, orders[s])
        single = Fuzzy(match="position").score(
            Orders.of([orders[s]]), ReferenceOrders.of([nearest])
        )
        assert single.corpus == pytest.approx(best[s])
