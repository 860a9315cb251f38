"""What makes heads a tree: one root, no cycle. networkx explains what is wrong with others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from preorder_eval.data.arrays import Bools, Ints, Offsets, blocks, cut

_AT_ONCE = 1 << 16  # tokens: what is made of so many stays in the processor's cache


def broken_trees(heads: Ints, offsets: Offsets) -> Bools:
    """Which sentences are not trees (head out of range, not one root, or a cycle); bool[S]."""
    broken = np.zeros(len(offsets) - 1, dtype=bool)
    for first, last in blocks(offsets, _AT_ONCE):
        own, tokens = cut(offsets, first, last)
        broken[first:last] = _broken(heads[tokens], own)
    return broken


def _broken(heads: Ints, offsets: Offsets) -> Bools:
    lengths = np.diff(offsets)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    inside = (heads >= -1) & (heads < lengths[sentence])
    broken = np.zeros(len(lengths), dtype=bool)
    broken[sentence[~inside]] = True
    broken |= np.bincount(sentence[heads == -1], minlength=len(lengths)) != 1
    here = np.arange(len(heads))
    ancestor = np.where(inside & (heads >= 0), heads + offsets[:-1][sentence], here)
    for _ in range(int(lengths.max(initial=0)).bit_length()):
        ancestor = ancestor[ancestor]
    broken[sentence[inside & (heads[ancestor] != -1)]] = True
    return broken


def tree_defect(heads: Sequence[int]) -> str | None:
    """What keeps one sentence's heads (0-based, -1 for the root) from being a tree.

    Returns None for a tree. Tokens are named by their 1-based number, as in CoNLL-U.

    >>> tree_defect([1, 2, 0])
    'no root'
    >>> tree_defect([1, 0, -1])
    'a cycle of heads: 1 → 2 → 1'
    """
    import networkx as nx

    for i, head in enumerate(heads):
        if not -1 <= head < len(heads):
            return f"token {i + 1} has head {head + 1}, but there are {len(heads)} tokens"
    roots = [str(i + 1) for i, head in enumerate(heads) if head == -1]
    if len(roots) != 1:
        return f"{len(roots)} roots: tokens {', '.join(roots)}" if roots else "no root"
    graph = nx.DiGraph([(i, head) for i, head in enumerate(heads) if head >= 0])
    try:
        cycle = nx.find_cycle(graph)
    except nx.NetworkXNoCycle:
        return None
    return "a cycle of heads: " + " → ".join(
        str(i + 1) for i in [cycle[0][0], *(b for _, b in cycle)]
    )
