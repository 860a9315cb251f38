"""Checks of reference sets: structure, guidelines, consistency, torn phrases."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
import strategies
from hypothesis import given

from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.reference_orders import alternatives
from preorder_eval.references.findings import checks_for, content_words, findings_of, torn_subtrees
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.trees.treebank import Tree, Treebank


def reference(source, links, target=None, treebank=None):
    target = None if target is None else [text.split(" ") for text in target]
    words = [text.split(" ") for text in source]
    return ReferenceSet("x", words, Alignments.of(links), target, treebank)


def check_reference(data, **options):
    return findings_of(data, checks_for(data, **options))


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


@pytest.mark.parametrize(
    ("source", "links", "target", "expected"),
    [
        (["Dogs bark ."], [[(0, 0), (1, 1), (2, 2)]], ["犬 吠える 。"], []),
        (
            ["The dogs bark loudly ."], [[(2, 2)]], ["犬 は 吠える"],
            [
                (0, "unaligned content words", ("dogs", "loudly")),
                (0, "unaligned target words", ("犬", "は")),
            ],
        ),
        (["gave up soon"], [[(0, 0), (0, 2), (1, 1), (2, 5), (2, 3), (2, 4)]], ["a b c d e f"],
         [(0, "separate target spans", ("gave",))]),
        # A sentence without links is reported once.
        (["a b", "c"], [[], [(0, 0)]], ["x y", "z"], [(0, "no links", ())]),
        # Without translations target words are not checked.
        (["dogs bark"], [[(0, 0), (1, 7)]], None, []),
    ],
)  # fmt: skip
def test_guidelines(source, links, target, expected):
    data = reference(source, links, target)
    assert found(data) == expected
    for finding in check_reference(data):
        assert finding.count == max(1, len(finding.words))
        sentences = data.target if "target words" in finding.check else data.source
        words = sentences[finding.sentence]
        assert finding.words == tuple(words[i] for i in finding.positions)


def test_structure_only():
    data = reference(["a dog", "c"], [[], []], ["x y", "z"])
    assert found(data, structure_only=True) == [(0, "no links", ()), (1, "no links", ())]
    data = reference(["b dog"], [[(0, 0)]], ["x y"])
    assert found(data, structure_only=True) == []


def test_repeated_sentence_ids():
    same = ["# sent_id = a"]
    own = [tagged(["Go"], ["VERB"], same), tagged(["Go"], ["VERB"], same)]
    own += [tagged(["Go"], ["VERB"]), tagged(["Go"], ["VERB"])]
    data = reference(["Go"] * 4, [[(0, 0)]] * 4, treebank=Treebank.of(own))
    assert found(data) == [(1, "repeated sentence id", ())]


@pytest.mark.parametrize(
    ("words", "tags", "expected"),
    [
        ("An A % - the", "DET NOUN SYM PUNCT PRON", [0, 1, 1, 0, 1]),
        # Without tags punctuation is what Unicode calls so: % is, $ is a symbol.
        ("An A % ... 、 $ the this", "_ _ _ _ _ _ _ _", [0, 0, 0, 0, 0, 1, 0, 1]),
        ("An A % ... 、 $ the this", "", [0, 0, 0, 0, 0, 1, 0, 1]),
    ],
)
def test_content_words_by_tag_or_else_by_word(words, tags, expected):
    trees = Treebank.of([tagged(words.split(), tags.split())]) if tags else None
    data = reference([words], [[]], treebank=trees)
    assert content_words(data).tolist() == list(map(bool, expected))


def test_german_has_nothing_for_do():
    trees = Treebank.of([tagged(["Did", "Ann", "do", "it"], ["AUX", "PROPN", "VERB", "PRON"])])
    data = replace(reference(["Did Ann do it"], [[]], treebank=trees), languages="en-de")
    assert content_words(data).tolist() == [False, True, True, True]
    assert content_words(replace(data, languages="en-ja")).all()


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ([(0, 0), (1, 1), (2, 2)], []),
        ([(0, 0), (1, 2), (2, 2)], ["bark"]),
        ([(0, 0), (1, 1), (1, 2), (2, 2)], []),  # a comma beside a word
        ([(0, 2), (1, 2), (2, 2)], ["Dogs", "bark"]),
        ([(0, 0), (2, 1)], []),  # without any link it is another finding
    ],
)
def test_content_words_that_are_linked_to_punctuation_alone(links, expected):
    trees = Treebank.of([tagged(["Dogs", "bark", "!"], ["NOUN", "VERB", "PUNCT"])])
    data = reference(["Dogs bark !"], [links], ["Hunde bellen !"], trees)
    found = findings_of(data, ["linked to punctuation alone"])
    assert [word for finding in found for word in finding.words] == expected


def test_torn_subtrees_are_information():
    tree = tagged(["big", "dogs", "bark"], ["ADJ", "NOUN", "VERB"], heads=[1, 2, -1])
    data = reference(["big dogs bark"], [[(0, 0), (1, 2), (2, 1)]], treebank=Treebank.of([tree]))
    [finding] = check_reference(data)
    assert (finding.check, finding.words) == ("subtrees torn apart", ("dogs",))
    assert not finding.is_warning


@pytest.mark.parametrize("name", ["en-ja-standard", "en-ja-web-standard/all"])
def test_bundled_standard_translations_are_sound(name):
    data = load_reference(name)
    assert check_reference(data) == []
    trees = replace(data.trees, comments=[()] * len(data))
    kinds = {finding.check for finding in check_reference(replace(data, trees=trees))}
    assert {"unaligned content words", "unaligned target words"} <= kinds


def test_a_standard_translation_among_alignment_oriented_ones_is_a_warning():
    standard = load_reference("en-ja-standard")
    comments = [*standard.trees.comments]
    comments[1] = ()
    data = replace(standard, trees=replace(standard.trees, comments=comments))
    mixed = [f for f in check_reference(data) if f.check == "mixed kinds of translation"]
    assert [f.sentence for f in mixed] == [s for s in range(len(data)) if s != 1]
    assert all(f.is_warning for f in mixed)


def test_a_second_translation_with_fewer_links_is_of_another_kind():
    words, target = [["We", "sold", "the", "car", "."]] * 2, [["ア"] * 4] * 2
    first = Alignments.of([[(0, 0), (1, 2), (3, 1), (4, 3)]] * 2)
    full = [(0, 1), (1, 2), (3, 0), (4, 3)]
    further = Alignments.of([full, [link for link in full if link[0] not in (0, 4)]])
    several, _ = alternatives([5, 5], [(first, ()), (further, ())])
    data = ReferenceSet("x", words, first, target, alternatives=several)
    assert found(data) == [(1, "mixed kinds of translation", ("We",))]
    assert found(data, structure_only=True) == []


# Consistency


def test_ties_over_a_distance_are_those_with_a_linked_word_between():
    links = [[(0, 0), (1, 1), (2, 0)], [(0, 0), (1, 0), (2, 1)], [(0, 0), (2, 0)]]
    data = ReferenceSet("x", [["a", "b", "c"]] * 3, Alignments.of(links))
    [finding] = findings_of(data, ["ties over a distance"])
    assert (finding.sentence, finding.positions) == (0, (0, 2))


def test_a_verb_and_its_particle_may_be_tied_over_their_object():
    words = ["put", "it", "on"]
    trees = [
        Tree(words, [-1, 0, head], ["root", "obj", "compound:prt"], ["X"] * 3, ["_"] * 3)
        for head in (0, 1)
    ]
    links = Alignments.of([[(0, 0), (1, 1), (2, 0)]] * 2)
    data = ReferenceSet("x", [words] * 2, links, trees=Treebank.of(trees))
    # In the second tree the particle is that of another word.
    assert [f.sentence for f in findings_of(data, ["ties over a distance"])] == [1]


# Phrases that a reference order tears apart


def torn_slowly(tree, groups):
    """The heads whose subtrees stand together in no order that the ties allow."""
    torn = []
    for head in range(len(tree)):
        subtree = {head}
        for _ in tree.heads:
            subtree |= {i for i, h in enumerate(tree.heads) if h in subtree}
        together = False
        for choice in itertools.product(*map(itertools.permutations, groups)):
            order = [i for group in choice for i in group]
            places = [k for k, i in enumerate(order) if i in subtree]
            together |= places[-1] - places[0] == len(places) - 1
        torn.append(not together)
    return torn


@given(strategies.corpora(6))
def test_torn_subtrees_are_the_slow_version(corpus):
    expected = [torn for case in zip(*corpus, strict=True) for torn in torn_slowly(*case)]
    assert torn_subtrees(*corpus).tolist() == expected
