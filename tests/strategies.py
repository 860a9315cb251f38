"""Random trees and rule sets for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from preorder_eval.data.treebank import Tree
from preorder_eval.reordering.rule_set import HEAD, OTHER, Rule, RuleSet, Slot

LABELS = ["nsubj", "obj", "obl", "obl:tmod", "advmod", "nmod", "nmod:poss", "punct"]
TAGS = ["VERB", "NOUN", "ADV", "PUNCT"]
WORDS = ["not", "that", "Cats", "run"]


@st.composite
def trees(draw: st.DrawFn, most: int = 9) -> Tree:
    """A tree, projective or not, with random labels, tags and words."""
    size = draw(st.integers(1, most))
    order = draw(st.permutations(range(size)))
    heads = [-1] * size
    for k, token in enumerate(order[1:], 1):
        heads[token] = order[draw(st.integers(0, k - 1))]
    labels = ["root" if head < 0 else draw(st.sampled_from(LABELS)) for head in heads]
    tags = [draw(st.sampled_from(TAGS)) for _ in heads]
    words = [draw(st.sampled_from(WORDS)) for _ in heads]
    return Tree(words, heads, labels, tags, [tag[:2] for tag in tags])


@st.composite
def slots(draw: st.DrawFn, label: str) -> Slot:
    """A slot for a label, with random conditions."""
    return Slot(
        (label,),
        side=draw(st.sampled_from([None, None, "before", "after"])),
        tags=tuple(draw(st.lists(st.sampled_from(TAGS), max_size=1))),
        words=tuple(draw(st.lists(st.sampled_from(["not", "that"]), max_size=1))),
        reverse=draw(st.booleans()),
    )


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
    return RuleSet("random", "ud", tuple(rules), default=draw(st.sampled_from(["keep", "reverse"])))
