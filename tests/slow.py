"""Slow, obvious versions of what the package does in arrays."""

from __future__ import annotations

from preorder_eval.data.treebank import Tree
from preorder_eval.reordering.rule_set import HEAD, OTHER, Rule, RuleSet, Slot


def subtree_size(tree: Tree, token: int) -> int:
    """Tokens in the subtree of a token, by recursion."""
    return 1 + sum(subtree_size(tree, i) for i, head in enumerate(tree.heads) if head == token)


def reorder(rules: RuleSet, tree: Tree) -> list[int]:
    """The order of one sentence, by recursion from the root."""
    tags = tree.upos if rules.tags == "upos" else tree.xpos
    has_applied = False

    def lay_out(head: int) -> list[int]:
        nonlocal has_applied
        children = [i for i, h in enumerate(tree.heads) if h == head]
        rule = _rule_for(rules, tags[head], tree.labels[head])
        if rule is None:
            items = sorted([*children, head], reverse=rules.default == "reverse")
        else:
            has_applied = has_applied or bool(children)
            filled: list[list[int]] = [[] for _ in rule.slots]
            for child in children:
                filled[_slot_for(rule, tree, tags, child, head)].append(child)
            items = []
            for slot, members in zip(rule.slots, filled, strict=True):
                members += [head] if HEAD in slot.labels else []
                items += sorted(members, reverse=slot.reverse)
        return [i for item in items for i in ([item] if item == head else lay_out(item))]

    order = lay_out(tree.heads.index(-1))
    if not has_applied:
        return sorted(order, reverse=rules.default == "reverse")
    return order


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(p == name or (p.endswith("*") and name.startswith(p[:-1])) for p in patterns)


def _rule_for(rules: RuleSet, tag: str, label: str) -> Rule | None:
    fitting = []
    for number, rule in enumerate(rules.rules):
        if not _fits(tag, rule.heads):
            continue
        if not rule.labels:
            fitting.append((0, tag in rule.heads, -number))
        elif label in rule.labels:
            fitting.append((2, tag in rule.heads, -number))
        elif label.split(":")[0] in rule.labels:
            fitting.append((1, tag in rule.heads, -number))
    return rules.rules[-max(fitting)[2]] if fitting else None


def _slot_for(rule: Rule, tree: Tree, tags: list[str], child: int, head: int) -> int:
    side = "before" if child < head else "after"
    label = tree.labels[child]

    def closeness(slot: Slot) -> tuple[bool, bool, int, bool] | None:
        if slot.side not in (None, side):
            return None
        if slot.tags and not _fits(tags[child], slot.tags):
            return None
        if slot.words and tree.words[child].lower() not in slot.words:
            return None
        if label in slot.labels:
            named = 2 if ":" in label else 1
        elif label.split(":")[0] in slot.labels:
            named = 1
        elif OTHER in slot.labels:
            named = 0
        else:
            return None
        return bool(slot.words), bool(slot.tags), named, bool(slot.side)

    fitting = [(c, n) for n, slot in enumerate(rule.slots) if (c := closeness(slot)) is not None]
    return max(fitting)[1]
