"""Which of several reference orders of a sentence an order is held against when it is shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from preorder_eval.data.orders import Orders, ReferenceOrder, ReferenceOrders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.metrics.fuzzy import Fuzzy


def nearest_reference(
    reference: ReferenceSet, sentence: int, order: Sequence[int]
) -> ReferenceOrder | None:
    """The reference order of a sentence, from 0, that an order is nearest to by FRS.

    The first on a tie; None where the sentence has no link.

    >>> from preorder_eval.formats.reference_folder import load_reference
    >>> en_ja = load_reference("en-ja")
    >>> [order.braces(en_ja.source[0]) for order in en_ja.orders_of(0)]
    ['tourists Where bicycles cheaply rent can ?', 'tourists Where cheaply bicycles rent can ?']
    >>> nearest_reference(en_ja, 0, [2, 0, 5, 4, 3, 1, 6]).braces(en_ja.source[0])
    'tourists Where cheaply bicycles rent can ?'
    """
    known = [known for known in reference.orders_of(sentence) if any(known.aligned)]
    if not known:
        return None
    orders = Orders.of([list(order)] * len(known))
    scores = Fuzzy(match="position").score(orders, ReferenceOrders.of(known)).sentence
    return known[int(np.argmax(scores))]


def shown_reference(
    reference: ReferenceSet, sentence: int, order: Sequence[int]
) -> tuple[str | None, str | None]:
    """The nearest reference order of a sentence as text, and its translation; None for none."""
    words, nearest = reference.source[sentence], nearest_reference(reference, sentence, order)
    target = "" if reference.target is None else " ".join(reference.target[sentence])
    return (None if nearest is None else nearest.braces(words)), target or None
