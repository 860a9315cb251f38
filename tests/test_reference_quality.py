"""Checks of reference sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from preorder_eval.analysis.reference_quality import (
    CHECKS,
    check_reference,
    checks_for,
    content_words,
)
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.resources import bundled_names

# Standard translations are not made for it, and the first edition is kept with its faults.
NOT_FOR_LINKS = {"en-ja-standard", "en-ja@1"}


def reference(source, links, target=None, treebank=None):
    target = None if target is None else [text.split(" ") for text in target]
    words = [text.split(" ") for text in source]
    return ReferenceSet("x", words, Alignments.of(links), target, treebank)


def found(data, **options):
    return [
        (finding.sentence, finding.check, finding.words)
        for finding in check_reference(data, **options)
    ]


def tagged(words, tags, comments=(), heads=None):
    """A tree that hangs all words from the first, unless heads are given."""
    heads = heads or [-1] + [0] * (len(words) - 1)
    labels = ["root" if head < 0 else "dep" for head in heads]
    return Tree(words, heads, labels, tags, ["_"] * len(words), tuple(comments))


def test_a_clean_set_has_no_findings():
    data = reference(["Dogs bark ."], [[(0, 0), (1, 1), (2, 2)]], ["犬 吠える 。"])
    assert check_reference(data) == []


def test_unaligned_words_on_both_sides():
    data = reference(["The dogs bark loudly ."], [[(2, 2)]], ["犬 は 吠える"])
    assert found(data) == [
        (0, "unaligned content words", ("dogs", "loudly")),
        (0, "unaligned target words", ("犬", "は")),
    ]
    assert [f.positions for f in check_reference(data)] == [(1, 3), (0, 1)]
    assert [f.count for f in check_reference(data)] == [2, 2]


def test_separate_stretches():
    links = [(0, 0), (0, 2), (1, 1), (2, 5), (2, 3), (2, 4)]
    data = reference(["gave up soon"], [links], ["a b c d e f"])
    assert found(data) == [(0, "separate target stretches", ("gave",))]


def test_a_sentence_without_links_is_reported_once():
    data = reference(["a b", "c"], [[], [(0, 0)]], ["x y", "z"])
    assert found(data) == [(0, "no links", ())]
    assert check_reference(data)[0].count == 1


def test_structure_only():
    data = reference(["a dog", "c"], [[], []], ["x y", "z"])
    assert found(data, structure_only=True) == [(0, "no links", ()), (1, "no links", ())]
    data = reference(["b dog"], [[(0, 0)]], ["x y"])
    assert found(data, structure_only=True) == []


def test_without_translations_target_words_are_not_checked():
    data = reference(["dogs bark"], [[(0, 0), (1, 7)]])
    assert "unaligned target words" not in checks_for(data)
    assert check_reference(data) == []


def test_repeated_sentence_ids():
    same = ["# sent_id = a"]
    own = [tagged(["Go"], ["VERB"], same), tagged(["Go"], ["VERB"], same)]
    own += [tagged(["Go"], ["VERB"]), tagged(["Go"], ["VERB"])]
    data = reference(["Go"] * 4, [[(0, 0)]] * 4, treebank=Treebank.of(own))
    assert found(data) == [(1, "repeated sentence id", ())]


def test_content_words_by_tag():
    words = ["An", "A", "%", "-", "the"]
    tree = tagged(words, ["DET", "NOUN", "SYM", "PUNCT", "PRON"])
    data = reference([" ".join(words)], [[]], treebank=Treebank.of([tree]))
    assert content_words(data).tolist() == [False, True, True, False, True]


@pytest.mark.parametrize("with_trees", [False, True])
def test_content_words_without_tags(with_trees):
    words = ["An", "A", "%", "...", "、", "$", "the", "this"]
    tree = Treebank.of([tagged(words, ["_"] * len(words))]) if with_trees else None
    data = reference([" ".join(words)], [[]], treebank=tree)
    # Without tags punctuation is what Unicode calls so: % is, $ is a symbol.
    expected = [False, False, False, False, False, True, False, True]
    assert content_words(data).tolist() == expected


def test_torn_subtrees_are_information():
    tree = tagged(["big", "dogs", "bark"], ["ADJ", "NOUN", "VERB"], heads=[1, 2, -1])
    data = reference(["big dogs bark"], [[(0, 0), (1, 2), (2, 1)]], treebank=Treebank.of([tree]))
    [finding] = check_reference(data)
    assert (finding.check, finding.words) == ("subtrees torn apart", ("dogs",))
    assert not finding.is_warning


@pytest.mark.parametrize("name", sorted(set(bundled_names("reference_data")) - NOT_FOR_LINKS))
def test_bundled_sets_follow_the_guidelines(name):
    data = load_reference("en-ja-web/all" if name == "en-ja-web" else name)
    assert checks_for(data) == list(CHECKS)
    assert [finding for finding in check_reference(data) if finding.is_warning] == []


def test_bundled_standard_translations_are_sound():
    data = load_reference("en-ja-standard")
    assert check_reference(data) == []
    trees = replace(data.trees, comments=[()] * len(data))
    kinds = {finding.check for finding in check_reference(replace(data, trees=trees))}
    assert {"unaligned content words", "unaligned target words"} <= kinds


def test_breaking_a_link_of_a_bundled_set_is_noticed(bundled_reference):
    links = bundled_reference.alignments
    kept = np.ones(len(links.source), dtype=bool)
    kept[[2, 3]] = False
    fewer = Alignments.of_arrays(
        np.repeat(np.arange(len(links)), np.diff(links.offsets))[kept],
        links.source[kept],
        links.target[kept],
        links.possible[kept],
        sentences=len(links),
    )
    data = ReferenceSet(
        "x", bundled_reference.source, fewer, bundled_reference.target, bundled_reference.trees
    )
    assert {f.sentence for f in check_reference(data) if f.is_warning} == {0}
