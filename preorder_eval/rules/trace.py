"""The steps by which a rule set reorders a sentence.

Reordering a tree is laying out every head with its children, from the root down (section 4 of
Talbot et al. 2011). Each step holds the rule that applies to a head and the order of its items.
"""

from __future__ import annotations

from dataclasses import dataclass

from preorder_eval.rules.conditions import HEAD
from preorder_eval.rules.matching import Fit
from preorder_eval.rules.rule import Rule
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.treebank import Tree, Treebank


@dataclass(frozen=True)
class TracedItem:
    """A head itself or one of its children, which moves with its whole subtree.

    `token` is its position in the source, and `size` the number of words that move. `slot` is the
    number of its slot in the rule and `slot_name` its name in tables; without a rule they are None
    and empty. Under a rule of pairs `slot` is None, and `slot_name` is HEAD or the label with its
    side. `lifted` is True if a rule has lifted it from another head.
    """

    token: int
    size: int
    slot: int | None
    slot_name: str
    lifted: bool = False


@dataclass(frozen=True)
class Step:
    """A head with children, laid out.

    `head` is its position in the source, `depth` its distance from the root; `rule` the number
    of the rule that applies and `rule_name` its name in tables, None and empty if none does;
    `before` and `after` are the head and its children in source order and as they come out.
    """

    head: int
    depth: int
    rule: int | None
    rule_name: str
    before: tuple[TracedItem, ...]
    after: tuple[TracedItem, ...]

    @property
    def changed(self) -> bool:
        """Return whether the items came out in another order."""
        return self.before != self.after


def trace(rules: RuleSet, tree: Tree) -> list[Step]:
    """Return the steps of reordering a tree: its heads that have children, from the root down.

    Heads and children are those after lifting. A head comes before the heads below it, and those
    come in their target order. If no head with children falls under a rule, there are no steps.
    Raises PreorderEvalError as `RuleSet.reorder` does.

    >>> import preorder_eval as pe
    >>> [tree] = pe.parse(["I wait until he comes"])
    >>> [_, step] = trace(pe.load_rules("en-ja"), tree)
    >>> step.rule_name, step.changed, [item.slot_name for item in step.after]  # he comes until
    ('VERB|AUX', True, ['nsubj', 'HEAD', 'mark reversed'])
    """
    treebank = Treebank.of([tree])
    fit = rules.fit(treebank)
    if (fit.above < 0).all():
        return []
    place = rules.reorder_unchecked(treebank).places
    children: list[list[int]] = [[] for _ in tree.heads]
    for token, head in enumerate(fit.treebank.heads.tolist()):
        if head >= 0:
            children[head].append(token)

    steps = []
    waiting = [(tree.heads.index(-1), 0)]
    while waiting:
        head, depth = waiting.pop()
        if not children[head]:
            continue
        number = int(fit.rule[head])
        rule = rules.rules[number] if number >= 0 else None
        before = [_item(token, head, rule, tree, fit) for token in sorted([head, *children[head]])]
        # Subtrees come out as wholes: a token of each tells in which order.
        after = sorted(before, key=lambda item: place[item.token])
        applied = None if rule is None else number
        name = "" if rule is None else str(rule)
        steps.append(Step(head, depth, applied, name, tuple(before), tuple(after)))
        below = sorted(children[head], key=lambda token: -place[token])
        waiting += [(token, depth + 1) for token in below]
    return steps


def _item(token: int, head: int, rule: Rule | None, tree: Tree, fit: Fit) -> TracedItem:
    size = 1 if token == head else int(fit.treebank.subtree_sizes[token])
    lifted = token != head != tree.heads[token]
    if rule is None:
        return TracedItem(token, size, None, "", lifted)
    if rule.pairs:
        kind = tree.labels[token] + ("<" if token < head else ">")
        return TracedItem(token, size, None, HEAD if token == head else kind, lifted)
    slot = int(fit.own_slot[head] if token == head else fit.slot[token])
    return TracedItem(token, size, slot, str(rule.slots[slot]), lifted)
