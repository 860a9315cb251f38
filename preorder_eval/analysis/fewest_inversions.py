"""The order of a tree, every subtree kept whole, that is best by Kendall's τ.

Of two words that are in different items of a block, which of them comes first is decided there and
nowhere else. So the inversions of a sentence are a sum over blocks of a sum over pairs of items,
and every block can be ordered by itself: a linear ordering problem of a few items.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from preorder_eval.analysis.tree_blocks import blocks_of, laid_out, members_of, pair_costs
from preorder_eval.reordering.linear_ordering import best_order, order_cost


def fewest_inversions(
    heads: Sequence[int], ranks: ArrayLike, linked: ArrayLike
) -> tuple[list[int], float]:
    """An order of the words with few inversions, and how many any order has at least.

    Parameters: of each word its head's position, -1 for the root, its rank in the reference, and
    whether it counts. The order is best where it has as many inversions as the second number,
    which is so unless more items of a block are tangled than `best_order` solves. What costs
    nothing stays in source order.

    >>> fewest_inversions([1, -1, 1], [0, 2, 1], [True] * 3)
    ([0, 2, 1], 0.0)
    >>> fewest_inversions([2, 2, -1, 0], [0, 1, 2, 3], [True] * 4)  # the last hangs on the first
    ([0, 3, 1, 2], 2.0)
    """
    blocks = blocks_of(heads)
    cost = pair_costs(members_of(blocks), ranks, linked)
    least = 0.0
    for phrase, items in blocks.items():
        if len(items) == 1:
            continue
        here = cost[np.ix_(items, items)]
        order, proven = best_order(here)
        blocks[phrase] = [items[i] for i in order]
        if proven:
            least += order_cost(here, order)
        else:
            least += float(np.triu(np.minimum(here, here.T), 1).sum())
    return laid_out(blocks, len(heads) + heads.index(-1), len(heads)), least
