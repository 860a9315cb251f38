"""Order metrics computed by hand: one and three reference orders, their mean and the best."""

import pytest

from preorder_eval.metrics import order_metric
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Orders, SourceWords
from preorder_eval.orders.reference_orders import alternatives

# Two sentences of four words. The first has the reference orders 0 1 2 3, 3 2 1 0 and 1 0 2 3, the
# second 0 1 2 3 alone. The system leaves the first as it is and swaps the last words of the second.
ORDERS = Orders.of([[0, 1, 2, 3], [0, 1, 3, 2]])
FIRST = [
    [(n, n) for n in range(4)],
    [(n, 3 - n) for n in range(4)],
    [(0, 1), (1, 0), (2, 2), (3, 3)],
]
MONOTONE, NOTHING = [(n, n) for n in range(4)], []
THREE = [
    (Alignments.of([links, MONOTONE if n == 0 else NOTHING]), ()) for n, links in enumerate(FIRST)
]
WORDS = SourceWords.of([["a", "b", "c", "d"]] * 2)


def value(metric, translations):
    several, cut = alternatives([4, 4], translations)
    assert not cut
    return order_metric(metric).score(ORDERS, several, WORDS).corpus


# By FRS the first sentence has 1 by the first reference, 0 by the second, and by the third, which
# keeps the pair 2 3 alone, 1/3. By τ it has 1, 0 and 5/6. The second has 1/3 and 5/6.
@pytest.mark.parametrize(
    ("metric", "one", "three"),
    [
        ("fuzzy(references=best)", (1 + 1 / 3) / 2, (1 + 1 / 3) / 2),
        ("fuzzy(references=mean)", (1 + 1 / 3) / 2, ((1 + 0 + 1 / 3) / 3 + 1 / 3) / 2),
        ("fuzzy(references=first)", (1 + 1 / 3) / 2, (1 + 1 / 3) / 2),
        ("kendall(references=best)", (1 + 5 / 6) / 2, (1 + 5 / 6) / 2),
        ("kendall(references=mean)", (1 + 5 / 6) / 2, ((1 + 0 + 5 / 6) / 3 + 5 / 6) / 2),
        ("exact(references=mean)", 1 / 2, (1 / 3 + 0) / 2),
        ("hamming(references=mean)", (1 + 1 / 2) / 2, ((1 + 0 + 1 / 2) / 3 + 1 / 2) / 2),
    ],
)
def test_means_and_bests(metric, one, three):
    assert value(metric, THREE[:1]) == pytest.approx(one)
    assert value(metric, THREE) == pytest.approx(three)
