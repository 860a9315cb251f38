"""The four kinds of reference of Table 7 of Talbot et al. (2011)."""

from __future__ import annotations

import pytest
from preorder_eval.papers.reference_kinds import reference_kinds

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.errors import PreorderEvalError


def reference(name, source, target, links, ids):
    words = [text.split(" ") for text in source]
    trees = [
        Tree(
            own,
            [-1] + [0] * (len(own) - 1),
            ["root"] + ["dep"] * (len(own) - 1),
            ["X"] * len(own),
            ["_"] * len(own),
            (f"# sent_id = {i}",) if i else (),
        )
        for own, i in zip(words, ids, strict=True)
    ]
    translations = [text.split(" ") for text in target]
    return ReferenceSet(name, words, Alignments.of(links), translations, Treebank.of(trees))


ORIENTED = reference(
    "oriented",
    ["see the dog", "the cat", "a dog"],
    ["inu miru", "neko", "inu"],
    [[(0, 1), (2, 0)], [(1, 0)], [(1, 0)]],
    ["s1", "s2", "s3"],
)
STANDARD = reference(
    "standard",
    ["a dog", "see the dog"],
    ["inu desu", "miru inu"],
    [[(1, 0)], [(0, 0), (2, 1)]],
    ["s3", "s1"],
)


def test_the_four_kinds_hold_the_same_sentences():
    kinds = reference_kinds(ORIENTED, STANDARD, how="intersection")
    assert [(kind.translation, kind.alignment) for kind in kinds] == [
        ("alignment-oriented", "manual"),
        ("alignment-oriented", "ibm1"),
        ("standard", "manual"),
        ("standard", "ibm1"),
    ]
    for kind in kinds:
        assert kind.reference.source == STANDARD.source
        assert kind.reference.trees is STANDARD.trees
    oriented, automatic, standard, _ = (kind.reference for kind in kinds)
    assert oriented.target == automatic.target == [["inu"], ["inu", "miru"]]
    assert standard.target == STANDARD.target
    assert [oriented.alignments[s] for s in range(2)] == [[(1, 0)], [(0, 1), (2, 0)]]
    assert [standard.alignments[s] for s in range(2)] == [[(1, 0)], [(0, 0), (2, 1)]]
    assert kinds[0].aligned == 3 / 5


def test_the_model_learns_from_all_pairs():
    # "dog" and "inu" meet in four pairs of five, in both sets.
    for kind in reference_kinds(ORIENTED, STANDARD, how="intersection"):
        if kind.alignment == "ibm1":
            assert (1, kind.reference.target[0].index("inu")) in kind.reference.alignments[0]


def test_extra_text_changes_the_automatic_references_only():
    extra = ([["a"]] * 9, [["inu"]] * 9)
    plain = reference_kinds(ORIENTED, STANDARD, how="none")
    taught = reference_kinds(ORIENTED, STANDARD, how="none", extra=extra)
    for before, after in zip(plain, taught, strict=True):
        same = before.reference.alignments[0] == after.reference.alignments[0]
        assert same == (after.alignment == "manual")
        assert len(after.reference) == 2


@pytest.mark.parametrize(
    ("standard", "message"),
    [
        (
            reference("other", ["a dog"], ["inu"], [[(1, 0)]], ["s9"]),
            "reference other: sentence s9 is not in oriented",
        ),
        (
            reference("other", ["a cat"], ["neko"], [[(1, 0)]], ["s3"]),
            "sentence s3 has other words in other than in oriented",
        ),
        (
            reference("other", ["a dog"], ["inu"], [[(1, 0)]], [None]),
            "reference other: needs a source.conllu with a sent_id of its own",
        ),
        (
            reference("other", ["a dog"] * 2, ["inu"] * 2, [[(1, 0)]] * 2, ["s3", "s3"]),
            "reference other: needs a source.conllu with a sent_id of its own",
        ),
        (
            ReferenceSet("other", [["a", "dog"]], Alignments.of([[]]), [["inu"]]),
            "reference other: needs a source.conllu",
        ),
        (
            ReferenceSet("other", STANDARD.source, STANDARD.alignments, None, STANDARD.trees),
            "reference other has no translations to align",
        ),
    ],
)
def test_sets_that_do_not_fit_together(standard, message):
    with pytest.raises(PreorderEvalError, match=message):
        reference_kinds(ORIENTED, standard)
