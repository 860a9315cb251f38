"""What languages leave free: classes of dependents, blocks by the list, exceptions."""

from __future__ import annotations

import os

import pytest
from treebanks import FOUND, needs_treebanks

from preorder_eval.base.errors import FormatError
from preorder_eval.orders.reference_orders import free_orders
from preorder_eval.references.free_order import (
    dependent_class,
    exchanges,
    free_blocks,
    listed_blocks,
)
from preorder_eval.references.reference_check import reference_check
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.references.standoff import TREEBANKS
from preorder_eval.trees.treebank import Tree

SUITES = ["contrast@ja", "contrast@ko", "contrast@tr"]
TARGETS = ["de", "hi", "ja", "ko", "tr", "zh"]
LISTED = [*SUITES, "en-ja-web", *(f"en-{target}" for target in TARGETS)]
LISTED += [f"constructions@{target}" for target in ["ar", "fr", *TARGETS]]
OF_TREEBANKS = [f"en-{target}-ewt/all" for target in TARGETS]
OF_TREEBANKS += [
    f"en-{target}-ewt@{layer}/test" for target in TARGETS for layer in ("first", "second")
]
OF_TREEBANKS = [pytest.param(name, marks=needs_treebanks) for name in OF_TREEBANKS]
NOT_MARKED, NOT_LISTED = "listed free order not marked", "free order not in the list"


def tree(text):
    """A tree of rows `word upos xpos head label`, heads from 1."""
    rows = [row.split() for row in text.strip().splitlines()]
    words, upos, xpos, heads, labels = zip(*rows, strict=True)
    heads = [int(head) - 1 for head in heads]
    return Tree(list(words), heads, list(labels), list(upos), list(xpos))


SAT = tree("""
    We        PRON  PRP 2 nsubj
    met       VERB  VBD 0 root
    our       PRON  PRP$ 4 nmod:poss
    friend    NOUN  NN  2 obj
    near      ADP   IN  6 case
    Bonn      PROPN NNP 2 obl
    last      ADJ   JJ  8 amod
    week      NOUN  NN  2 obl:unmarked
    quietly   ADV   RB  2 advmod
    ,         PUNCT ,   12 punct
    he        PRON  PRP 12 nsubj
    says      VERB  VBZ 2 parataxis
""")


def test_dependents_are_classed_by_label_words_and_children():
    classes = [dependent_class(SAT, word) for word in range(len(SAT))]
    assert classes == [
        *("pronoun subject", None, None, "definite object", None, "place", None, "time"),
        *("adverb", None, "pronoun subject", None),
    ]


@pytest.mark.parametrize(
    ("rows", "word", "expected"),
    [
        ("live VERB VBP 0 root|in ADP IN 3 case|Bonn X NNP 1 obl", 2, "complement"),
        ("met VERB VBP 0 root|in ADP IN 3 case|May X NNP 1 obl", 2, "time"),
        ("met VERB VBP 0 root|for ADP IN 3 case|ages X NNS 1 obl", 2, "duration"),
        ("Who PRON WP 2 nsubj|met VERB VBD 0 root", 0, "question word"),
        ("met VERB VBD 0 root|which DET WDT 3 det|day X NN 1 obl", 2, "question word"),
        ("met VERB VBD 0 root|it PRON PRP 1 obj", 1, "pronoun"),
        ("met VERB VBD 0 root|when ADV WRB 3 advmod|came VERB VBD 1 advcl", 2, "clause"),
        ("cheap ADJ JJ 0 root|than SCONJ IN 3 mark|said VERB VBD 1 advcl", 2, "complement"),
    ],
)  # fmt: skip
def test_what_looks_alike_is_told_apart(rows, word, expected):
    assert dependent_class(tree(rows.replace("|", "\n")), word) == expected


LINKS = [(0, 0), (3, 1), (2, 1), (4, 3), (5, 2), (6, 4), (7, 5), (8, 7), (1, 8)]
TARGET = ["私", "友", "ボン", "近く", "先", "週", "、", "静か", "会う"]


@pytest.mark.parametrize(
    ("language", "links", "expected"),
    [
        ("ja", LINKS, [((2, 3), (4, 6), (7, 7))]),
        ("de", LINKS, [((2, 3), (4, 6), (7, 7))]),
        ("zh", LINKS, []),
        # A word of another phrase inside: the phrase is no stretch.
        ("ja", [*LINKS[:5], (6, 4), (7, 7), (8, 5), (1, 8)], []),
        # Something between that is no comma.
        ("ja", [*LINKS[:6], (7, 4), *LINKS[7:]], [((2, 3), (4, 4))]),
        # The pronoun before the time, which it may change places with.
        ("ja", [(3, 3), (0, 4), (7, 5), (6, 5), (1, 6)], [((4, 4), (5, 5))]),
    ],
)
def test_blocks_are_runs_of_neighbours_that_may_all_be_exchanged(language, links, expected):
    assert free_blocks(SAT, links, TARGET, exchanges(language)) == expected


def test_a_block_may_stand_inside_a_span_of_another():
    text = tree("""
        We    PRON  PRP 2 nsubj
        left  VERB  VBD 0 root
        when  ADV   WRB 6 advmod
        he    PRON  PRP 6 nsubj
        today ADV   RB  6 advmod
        came  VERB  VBD 2 advcl
    """)
    links = [(0, 0), (2, 3), (3, 1), (4, 2), (5, 3), (1, 4)]
    nested = [((0, 0), (1, 3)), ((1, 1), (2, 2))]
    assert free_blocks(text, links, list("abcde"), exchanges("hi")) == nested
    assert free_blocks(text, links, list("abcde"), exchanges("de")) == []
    orders = [dict(free)[1] for free in free_orders([(1, 2)], nested)]
    assert orders == [2, 1, 1, 0]
    inside_the_first = [((0, 2), (3, 3)), ((0, 0), (1, 2))]
    assert [dict(free)[0] for free in free_orders([(0, 0)], inside_the_first)] == [0, 1, 2, 3]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*LISTED, *OF_TREEBANKS])
def test_bundled_sets_mark_what_the_list_says_and_every_exception_is_one(name, monkeypatch):
    if FOUND:
        monkeypatch.setenv(TREEBANKS, os.pathsep.join(map(str, FOUND)))
    reference = load_reference(name)
    if "/" in reference.name and "/" not in name:
        reference = load_reference(f"{name}/all")
    listed = listed_blocks(reference)
    excepted = reference.exceptions or [[]] * len(reference)
    for marked, by_list, settled in zip(reference.free, listed, excepted, strict=True):
        assert set(marked) ^ set(by_list) == set(settled)
    assert not reference.cut


CONLLU = """# sent_id = {0}
1	We	_	PRON	PRP	_	2	nsubj	_	_
2	rest	_	VERB	VBP	_	0	root	_	_
3	today	_	ADV	RB	_	2	advmod	_	_

"""


@pytest.fixture
def folder(tmp_path):
    files = {
        "source.conllu": CONLLU.format("a") + CONLLU.format("b").replace("today", "now"),
        "target.ja": "私 今日 休む\n私 今 休む\n",
        "en-ja.align": "0-0 2-1 1-2\n" * 2,
        "en-ja.free": "0|1\n\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def found(folder):
    [checked] = reference_check([folder], resamples=5).sets
    return [(f.sentence, f.check, f.words) for f in checked.findings]


def test_check_tells_what_is_marked_or_not_against_the_list(folder):
    assert found(folder) == [(1, NOT_MARKED, ("私", "今"))]
    (folder / "en-ja.free").write_text("0|1\n0|1-2\n")
    assert [(s, check) for s, check, _ in found(folder)] == [(1, NOT_LISTED), (1, NOT_MARKED)]
    (folder / "en-ja.exceptions").write_text("b\t0|1\tnow is not today\n")
    assert found(folder) == [(1, NOT_LISTED, ("私", "今", "休む"))]
    assert reference_check([folder], resamples=5).is_clean
    assert "en-ja.exceptions" in load_reference(folder).hashes
    part = load_reference(folder).take([1], "part")
    assert (part.free, part.exceptions) == ([[((0, 0), (1, 2))]], [[((0, 0), (1, 1))]])


def findings(work):
    return [finding for sentence in work.findings for finding in sentence[0]]


def test_languages_without_a_list_are_not_held_to_one(folder):
    for kind in ("align", "free"):
        (folder / f"en-ja.{kind}").rename(folder / f"en-xx.{kind}")
    assert found(folder) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a\t0|1", "no exception with its reason"),
        ("a\t0|1\t ", "no exception with its reason"),
        ("z\t0|1\twhy", "no sentence 'z'"),
        ("a\t2|3\twhy", "exceeds its sentence of 3 tokens"),
    ],
)
def test_wrong_exceptions_are_refused_with_their_line(folder, line, message):
    (folder / "en-ja.exceptions").write_text(f"b\t0|1\tnow is not today\n{line}\n")
    with pytest.raises(FormatError, match=rf"en-ja.exceptions:2: .*{message}"):
        load_reference(folder)
