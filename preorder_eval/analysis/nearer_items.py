"""Where the steps of a trace leave the reference order although they need not.

Every head with its children can be laid out by itself (`fewest_inversions`), so that each step can
be held against the order of its items that is best by Kendall's τ.
"""

from __future__ import annotations

from collections.abc import Sequence

from preorder_eval.analysis.fewest_inversions import fewest_inversions
from preorder_eval.analysis.pair_costs import pair_costs
from preorder_eval.data.orders import ReferenceOrder, ReferenceOrders
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.reordering.trace import Item, Step


def nearer_items(
    tree: Tree, steps: Sequence[Step], reference: ReferenceOrder
) -> dict[int, tuple[Item, ...]]:
    """For the heads whose items could stand nearer to the reference order: in which order.

    Items that have nothing to do with that stand in source order.

    >>> tree = Tree(["Eat", "fish"], [-1, 0], ["root", "obj"], ["VERB", "NOUN"], ["_"] * 2)
    >>> items = Item(0, 1, None, ""), Item(1, 1, None, "")
    >>> step = Step(0, 0, None, "", items, items)
    >>> [item.token for item in nearer_items(tree, [step], ReferenceOrder([[1], [0]]))[0]]
    [1, 0]
    """
    treebank, references = Treebank.of([tree]), ReferenceOrders.of([reference])
    orders, _ = fewest_inversions(treebank, references)
    best = {token: place for place, token in enumerate(orders[0])}
    costs = pair_costs(treebank, references)
    columns = (costs.block, costs.first, costs.second, costs.keep, costs.turn)
    pairs = list(zip(*(column.tolist() for column in columns), strict=True))

    def inversions(head: int, items: Sequence[Item]) -> float:
        place = {item.token: number for number, item in enumerate(items)}
        return sum(
            float(keep if place[first] < place[second] else turn)
            for block, first, second, keep, turn in pairs
            if block == head
        )

    nearer = {}
    for step in steps:
        wanted = tuple(sorted(step.before, key=lambda item: best[item.token]))
        if inversions(step.head, wanted) < inversions(step.head, step.after):
            nearer[step.head] = wanted
    return nearer
