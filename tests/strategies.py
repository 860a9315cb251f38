"""Random trees and rule sets for property tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from preorder_eval.orders.orders import ReferenceOrder, ReferenceOrders
from preorder_eval.rules.conditions import HEAD, OTHER, Slot
from preorder_eval.rules.rule import Pair, Rule
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.treebank import Tree, Treebank

LABELS = ["nsubj", "obj", "obl", "obl:tmod", "obl:unmarked", "advmod", "nmod", "nmod:poss", "punct"]
TAGS = ["VERB", "NOUN", "ADV", "PUNCT"]
WORDS = ["not", "that", "Cats", "run", "Running", "~run"]


@st.composite
def heads(draw: st.DrawFn, size: int) -> list[int]:
    """The heads of a tree of so many words, projective or not."""
    order = draw(st.permutations(range(size)))
    heads = [-1] * size
    for k, token in enumerate(order[1:], 1):
        heads[token] = order[draw(st.integers(0, k - 1))]
    return heads


@st.composite
def trees(draw: st.DrawFn, most: int = 9, least: int = 1) -> Tree:
    """A tree, projective or not, with random labels, tags and words."""
    drawn = draw(heads(draw(st.integers(least, most))))
    labels = ["root" if head < 0 else draw(st.sampled_from(LABELS)) for head in drawn]
    tags = [draw(st.sampled_from(TAGS)) for _ in drawn]
    words = [draw(st.sampled_from(WORDS)) for _ in drawn]
    return Tree(words, drawn, labels, tags, [tag[:2] for tag in tags])


@st.composite
def parses(draw: st.DrawFn, most: int = 5) -> list[list[Tree]]:
    """Lists of trees of a few sentences; those of a list have other heads."""
    drawn = draw(st.lists(trees(most), min_size=1, max_size=4))
    others = [draw(st.lists(heads(len(tree)), max_size=5)) for tree in drawn]
    return [
        [tree, *(replace(tree, heads=other) for other in of_tree)]
        for tree, of_tree in zip(drawn, others, strict=True)
    ]


@st.composite
def corpora(draw: st.DrawFn, most: int = 7) -> tuple[Treebank, ReferenceOrders]:
    """Trees with reference orders that have ties and unaligned words, some no link at all."""
    drawn = draw(st.lists(trees(most), min_size=1, max_size=4))
    references = []
    for tree in drawn:
        ranks = draw(st.lists(st.integers(0, 5), min_size=len(tree), max_size=len(tree)))
        groups = [[i for i, r in enumerate(ranks) if r == rank] for rank in sorted({*ranks})]
        some = st.lists(st.booleans(), min_size=len(tree), max_size=len(tree))
        linked = draw(some | some | st.just([False] * len(tree)))
        references.append(ReferenceOrder(groups, linked))
    return Treebank.of(drawn), ReferenceOrders.of(references)


@st.composite
def slots(draw: st.DrawFn, label: str) -> Slot:
    """A slot for a label, with random conditions."""
    return Slot(
        (label,),
        side=draw(st.sampled_from([None, None, "before", "after"])),
        tags=tuple(draw(st.lists(st.sampled_from(TAGS), max_size=1))),
        words=tuple(draw(st.lists(st.sampled_from(["not", "that", "~runs", "~~run"]), max_size=1))),
        reverse=draw(st.booleans()),
        **(draw(surroundings()) if draw(st.integers(0, 3)) == 0 else {}),
    )


@st.composite
def surroundings(draw: st.DrawFn) -> dict[str, Any]:
    """Some of the conditions that look beyond the child itself."""
    few = {"min_size": 1, "max_size": 2, "unique": True}
    conditions = {
        "head_tags": st.lists(st.sampled_from(TAGS), **few).map(tuple),
        "head_words": st.lists(st.sampled_from(["not", "cats", "~cat"]), **few).map(tuple),
        "head_labels": st.lists(st.sampled_from([*LABELS, "root"]), **few).map(tuple),
        "siblings": st.lists(st.sampled_from([*LABELS, "obl<", "nmod>"]), **few).map(tuple),
        "above_words": st.lists(st.sampled_from(["not", "cats", "~cat"]), **few).map(tuple),
        "above_labels": st.lists(st.sampled_from([*LABELS, "root"]), **few).map(tuple),
        "above_with_words": st.lists(st.sampled_from(["not", "~cat"]), **few).map(tuple),
        "sibling_words": st.lists(st.sampled_from(["not", "cats", "~cat"]), **few).map(tuple),
        "siblings_with": st.lists(st.sampled_from(["not", "cats", "~cat"]), **few).map(tuple),
        "precedes": st.lists(st.sampled_from(LABELS), **few).map(tuple),
        "follows": st.lists(st.sampled_from(LABELS), **few).map(tuple),
        "with_words": st.lists(st.sampled_from(["not", "~cat", "$us"]), **few).map(tuple),
        "with_labels": st.lists(st.sampled_from(LABELS), **few).map(tuple),
        "at_least": st.integers(1, 3),
        "at_most": st.integers(1, 3),
    }
    chosen = draw(
        st.lists(st.sampled_from(sorted(conditions)), min_size=1, max_size=2, unique=True)
    )
    return {key: draw(conditions[key]) for key in chosen}


@st.composite
def pair_rules(draw: st.DrawFn) -> RuleSet:
    """A rule set with up to three rules of pairs, and sometimes rules of slots."""

    def item() -> Slot:
        label = draw(st.sampled_from([HEAD, HEAD, OTHER, *LABELS]))
        side = None if label == HEAD else draw(st.sampled_from([None, "before", "after"]))
        more = draw(surroundings()) if draw(st.booleans()) else {}
        return Slot((label,), side=side, **more)

    def itself(pair: Pair) -> bool:
        if pair.order == "first" and pair.first == pair.second:
            return True
        return pair.first.labels == pair.second.labels == (HEAD,)

    places = st.tuples(st.sampled_from(["VERB", "NOUN", "*"]), st.sampled_from(["", "obl", "root"]))
    rules = []
    for head, label in draw(st.lists(places, min_size=1, max_size=3, unique=True)):
        orders = st.sampled_from(["first", "first", "reverse", "keep"])
        drawn = [Pair(item(), item(), draw(orders)) for _ in range(draw(st.integers(1, 5)))]
        pairs = tuple(pair for pair in drawn if not itself(pair))
        if pairs:
            rules.append(Rule((head,), labels=(label,) if label else (), pairs=pairs))
    slots = draw(st.just(RuleSet("random", "ud", source="en")) | rule_sets())
    return replace(slots, rules=(*rules, *slots.rules))


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """A rule set with up to three rules."""
    rules = []
    for heads, labels in draw(
        st.lists(
            st.tuples(
                st.sampled_from(["VERB", "NOUN", "*"]), st.sampled_from(["", "obl", "nmod:poss"])
            ),
            max_size=3,
            unique=True,
        )
    ):
        named = draw(st.lists(st.sampled_from(LABELS), max_size=5, unique=True))
        placed = [draw(slots(label)) for label in named]
        placed += [
            Slot((HEAD, *draw(st.sampled_from([(), ("amod",)]))), reverse=draw(st.booleans())),
            Slot((OTHER,), reverse=draw(st.booleans())),
        ]
        rules.append(
            Rule((heads,), tuple(draw(st.permutations(placed))), (labels,) if labels else ())
        )
    if draw(st.booleans()):
        lift = st.builds(replace, st.sampled_from(LABELS).flatmap(slots), reverse=st.just(False))
        lifted = tuple(draw(st.lists(lift, min_size=1, max_size=2)))
        label = draw(st.sampled_from([(), ("obl",)]))
        at = draw(st.integers(0, len(rules)))
        rules.insert(at, Rule((draw(st.sampled_from(["NOUN", "*"])),), (), label, lift=lifted))
    default = draw(st.sampled_from(["keep", "reverse"]))
    return RuleSet("random", "ud", tuple(rules), source="en", default=default)


# What words begin with: letters of one to four bytes, and bytes that are next to padding.
_STEMS = ["abcdefghijklmnopqrstuvwxyz", "абвгдежзийклм", "日本語文字列単語", "😀" * 7, "\x01" * 26]


@st.composite
def border_words(draw: st.DrawFn) -> str:
    """A word that shares its beginning with others and ends at or beside a border of 8 bytes."""
    stem = draw(st.sampled_from(_STEMS)).encode()
    size = draw(st.sampled_from([1, 7, 8, 9, 15, 16, 17, 18, 24, 25]))
    begun = stem[:size].decode(errors="ignore") or "a"
    return begun + draw(st.sampled_from(["", "", "", "a", "\x01", "\u2028", "é"]))


@st.composite
def mutated(draw: st.DrawFn, data: bytes) -> bytes:
    """A file with up to three bytes put in, left out or replaced, mostly by its own ones."""
    content = list(data)
    bytes_of = st.sampled_from(sorted({*content, *b" \n\t\r0-9|_?pSP,"})) | st.integers(0, 255)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(content)))
        content[at : at + draw(st.integers(0, 1))] = draw(st.lists(bytes_of, max_size=2))
    return bytes(content)
