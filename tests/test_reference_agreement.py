"""How well two annotations of the same sentences agree."""

from __future__ import annotations

import itertools
import os
import re
import unicodedata
from statistics import mean

import pytest
from allowed_orders import allowed_orders
from hypothesis import given
from hypothesis import strategies as st
from treebanks import FOUND

from preorder_eval.base.errors import InputWarning, PreorderEvalError
from preorder_eval.base.resources import bundled
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Alternatives
from preorder_eval.references.reference_agreement import reference_agreement
from preorder_eval.references.reference_folder import reference_names
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.references.standoff import TREEBANKS
from preorder_eval.trees.treebank import Tree, Treebank


def annotated(name, *sentences, ids=None):
    """A set of sentences, each its source, its target and its links like `0-0 1-1`."""
    links = [[tuple(map(int, link.split("-"))) for link in s[2].split()] for s in sentences]
    words = [s[0].split() for s in sentences]
    trees = ids and [
        Tree(w, [-1] + [0] * (len(w) - 1), ["root"] + ["dep"] * (len(w) - 1), *[["X"] * len(w)] * 2,
             (f"# sent_id = {i}",))
        for w, i in zip(words, ids, strict=True)
    ]  # fmt: skip
    targets = [s[1].split() for s in sentences]
    return ReferenceSet(
        name, words, Alignments.of(links), targets, Treebank.of(trees) if trees else None
    )


FISH = ("I eat fish", "私 は 魚 を 食べる", "0-0 0-1 2-2 2-3 1-4")
OTHER_FISH = ("I eat fish", "僕 は 魚 を 食べる", "0-0 0-1 2-2 2-3 1-4")
FREE = ("they will go", "go they", "0-1 1-0 2-0")
FIXED = ("they will go", "go will they", "0-2 1-1 2-0")


def test_links_of_the_same_translation_are_positions():
    """Two words that are spelt alike are two."""
    words = ("come come", "来い 来い")
    agreement = reference_agreement(
        annotated("a", (*words, "0-0 1-1")), annotated("b", (*words, "0-1 1-0"))
    )
    assert agreement.intervals["links"].value == 0
    assert agreement.intervals["words"].value == 1


def test_sentences_are_paired_by_their_ids():
    first = annotated("a", FISH, FREE, FIXED, ids=["fish", "go", "gone"])
    reworded = ("they may go", *FIXED[1:])
    second = annotated("b", FIXED, OTHER_FISH, reworded, ids=["go", "fish", "gone"])
    agreement = reference_agreement(first, second)
    assert [tree.sentence_id for tree in agreement.first.trees] == ["go", "fish"]
    assert agreement.left_out == (1, 1)
    assert agreement.sentences["links"].tolist() == [4 / 6, 8 / 10]
    assert "not in both: 1 sentence of a, 1 sentence of b" in repr(agreement)


def test_sentences_with_one_id_are_paired_by_their_words():
    first = annotated("a", FISH, FREE, FREE, ids=["same"] * 3)
    second = annotated("b", FREE, FIXED, FISH, ids=["same"] * 3)
    agreement = reference_agreement(first, second)
    assert (len(agreement.first), agreement.left_out) == (3, (0, 0))
    assert agreement.first.source == agreement.second.source
    with pytest.raises(PreorderEvalError, match=r"several sentences have the sent_id 'same'.*1, 2"):
        first.find("same")
    assert first.find("2") == 1


def test_sentences_in_other_normal_forms_are_left_out_and_counted():
    forms = [
        annotated(form, (unicodedata.normalize(form, "café open"), "u v", "0-1 1-0"), FREE)
        for form in ("NFC", "NFD")
    ]
    with pytest.warns(
        InputWarning, match="1 sentence of NFC and NFD differ only in the Unicode normal form"
    ):
        assert len(reference_agreement(*forms).first) == 1


def test_sentences_without_links_are_left_out():
    silent = (*FREE[:2], "")
    agreement = reference_agreement(annotated("a", FISH, silent), annotated("b", FISH, FREE))
    assert (len(agreement.first), agreement.left_out) == (1, (1, 1))


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (
            annotated("b", FISH, FREE),
            "a has 1 sentence and b 2; .* give each sentence a comment '# sent_id",
        ),
        (annotated("b", FREE), "a and b share no sentence"),
    ],
)
def test_sets_that_cannot_be_paired(second, said):
    with pytest.raises(PreorderEvalError, match=said):
        reference_agreement(annotated("a", FISH), second)


@st.composite
def pairs_of_sets(draw):
    """Two sets of the same sentences of different words, with several orders each."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    sets = []
    for name in "ab":
        links, orders = [], []
        for size in sizes:
            place = st.lists(st.integers(0, 3), min_size=size, max_size=size)
            ranked = [draw(place) for _ in range(draw(st.integers(1, 3)))]
            links.append(list(enumerate(ranked[0])))
            orders.append([grouped(ranks) for ranks in ranked])
        words = [[f"w{i}" for i in range(size)] for size in sizes]
        sets.append(
            ReferenceSet(name, words, Alignments.of(links), alternatives=Alternatives.of(orders))
        )
    return sets


def grouped(ranks):
    return [[i for i, r in enumerate(ranks) if r == rank] for rank in sorted(set(ranks))]


@given(pairs_of_sets())
def test_orders_by_brute_force(sets):
    agreement = reference_agreement(*sets, resamples=1)
    expected = {"fuzzy(match=word)": [], "kendall": []}
    for s in range(len(sets[0])):
        written = [[i for group in data.references[s] for i in group] for data in sets]
        allowed = [data.orders_of(s) for data in sets][::-1]
        for name, value in (("fuzzy(match=word)", kept), ("kendall", same_side)):
            expected[name].append(
                mean(
                    max(value(order, groups) for groups in orders)
                    for order, orders in zip(written, allowed, strict=True)
                )
            )
    for name, values in expected.items():
        assert agreement.sentences[name].tolist() == pytest.approx(values)
        assert agreement.intervals[name].value == pytest.approx(mean(values))


def kept(order, groups):
    """The share of neighbours that are neighbours in some order that the ties allow."""
    neighbours = set(itertools.pairwise(order))
    most = max(len(neighbours & set(itertools.pairwise(way))) for way in allowed_orders(groups))
    return most / len(neighbours) if neighbours else 1


def same_side(order, groups):
    """The share of the pairs of different groups that stand the same way round."""
    fixed = {pair for a, b in itertools.combinations(groups, 2) for pair in itertools.product(a, b)}
    return len(fixed & set(itertools.combinations(order, 2))) / len(fixed) if fixed else 1


@given(pairs_of_sets())
def test_links_by_brute_force_and_symmetry(sets):
    agreement, turned = (reference_agreement(*order, resamples=1) for order in (sets, sets[::-1]))
    for s in range(len(sets[0])):
        first, second = (set(data.alignments[s]) for data in sets)
        size = len(first) + len(second)
        assert agreement.sentences["links"][s] == 2 * len(first & second) / size
    for name, values in agreement.sentences.items():
        assert turned.sentences[name].tolist() == pytest.approx(values.tolist())


def slow(name):
    return pytest.param(name, marks=pytest.mark.slow)


SECOND = [name for name in reference_names() if name.endswith("@second")]


@pytest.mark.slow
@pytest.mark.parametrize("name", [slow(n) if "-ewt@" in n else n for n in SECOND])
def test_second_annotations_agree_as_their_datasheets_say(name, monkeypatch):
    first = name.removesuffix("@second")
    datasheet = (bundled("reference_data") / first / "DATASHEET.md").read_text(encoding="utf-8")
    parts, form, between = [""] if "-ja" in name else ["/dev", "/test"], ".4f", "  "
    if "-ewt@" in name:
        if not FOUND:
            pytest.skip("needs UD English EWT and PUD")
        monkeypatch.setenv(TREEBANKS, os.pathsep.join(map(str, FOUND)))
        parts = ["/test", "/pud"] if "-ja" in name else ["/test"]
        first, form, between = f"{first}@first", ".3f", " | "
    agreements = [reference_agreement(first + part, name + part) for part in parts]
    for measure in agreements[0].intervals:
        found = [agreement.intervals[measure] for agreement in agreements]
        figures = [f"{i.value:{form}} [{i.low:{form}}, {i.high:{form}}]" for i in found]
        figure = re.escape(between.join(figures))
        assert re.search(f"{re.escape(measure)} +(?:[|] )?{figure}", datasheet)
    for agreement in agreements:
        assert agreement.left_out[1] == 0
        assert agreement.intervals["kendall"].value > 0.95
        # Written anew, not copied.
        assert agreement.intervals["words"].value < 0.95
