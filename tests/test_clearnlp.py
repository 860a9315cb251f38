"""The labels of ClearNLP turned into those of UD: constructions, random trees, n-best lists."""

from dataclasses import replace

import numpy as np
import pytest

from preorder_eval.base.ragged import NameColumn
from preorder_eval.trees.clearnlp import lists_to_ud, to_ud
from preorder_eval.trees.in_ud import is_clearnlp
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.schemes import LABELS, UPOS, XPOS
from preorder_eval.trees.treebank import Tree, Treebank

# Words with tag, head and label as spaCy's models give them, then head and label in UD; UPOS where
# the tag does not tell it.
CONSTRUCTIONS = {
    "a person's name with a title": """
        Mr.    NNP/PROPN 3 compound  2 nmod:desc
        John   NNP/PROPN 3 compound  4 nsubj      ner=B-PERSON
        Smith  NNP/PROPN 4 nsubj     2 flat       ner=I-PERSON
        met    VBD 0 root            0 root
        York   NNP/PROPN 6 compound  6 compound   ner=B-GPE
        City   NNP/PROPN 8 poss      8 nmod:poss  ner=I-GPE
        's     POS/PART 6 case       6 case
        mayor  NN 4 dobj             4 obj
        Ann    NNP/PROPN 10 compound 8 appos      ner=B-PERSON|SpaceAfter=No
        Lee    NNP/PROPN 8 appos     9 flat       SpaceAfter=No|ner=I-PERSON""",
    "a name at the start": """
        Ann    NNP/PROPN 3 compound  4 nsubj      ner=B-PERSON
        Mary   NNP/PROPN 3 compound  1 flat       ner=I-PERSON
        Lee    NNP/PROPN 4 nsubj     1 flat       ner=I-PERSON
        left   VBD 0 root            0 root""",
    "a name before a noun": """
        Ford   NNP/PROPN 2 compound  2 compound   ner=B-PERSON
        cars   NNS 3 nsubj           3 nsubj
        sell   VBP 0 root            0 root""",
    "passive with agent": """
        Books NNS 3 nsubjpass     3 nsubj:pass
        were  VBD/AUX 3 auxpass   3 aux:pass
        read  VBN 0 root          0 root
        by    IN 3 agent          5 case
        them  PRP 4 pobj          3 obl:agent""",
    "copula with an adjective": """
        She   PRP 2 nsubj         4 nsubj
        was   VBD/AUX 0 root      4 cop
        not   RB/PART 2 neg       4 advmod
        happy JJ 2 acomp          0 root
        .     . 2 punct           4 punct""",
    "copula with a phrase, below a conjunction": """
        We    PRP 2 nsubj         2 nsubj
        know  VBP 0 root          0 root
        that  IN/SCONJ 5 mark     7 mark
        he    PRP 5 nsubj         7 nsubj
        is    VBZ/AUX 2 ccomp     7 cop
        in    IN 5 prep           7 case
        Tokyo NNP 6 pobj          2 ccomp""",
    "copula with a clause": """
        The   DT 2 det            2 det
        point NN 3 nsubj          6 nsubj:outer
        is    VBZ/AUX 0 root      6 cop
        that  IN/SCONJ 6 mark     6 mark
        he    PRP 6 nsubj         6 nsubj
        left  VBD 3 ccomp         0 root""",
    "question with a copula": """
        Where WRB 2 advmod        0 root
        is    VBZ/AUX 0 root      1 cop
        he    PRP 2 nsubj         1 nsubj
        ?     . 2 punct           1 punct""",
    "existential": """
        There EX 2 expl           2 expl
        is    VBZ/VERB 0 root     0 root
        a     DT 4 det            4 det
        cat   NN 2 attr           2 nsubj""",
    "auxiliaries": """
        He    PRP 4 nsubj         4 nsubj
        will  MD/AUX 4 aux        4 aux
        have  VB/AUX 4 aux        4 aux
        left  VBN 0 root          0 root""",
    "prepositions below verbs and nouns": """
        He    PRP 2 nsubj         2 nsubj
        reads VBZ 0 root          0 root
        books NNS 2 dobj          2 obj
        of    IN 3 prep           5 case
        poems NNS 4 pobj          3 nmod
        at    IN 2 prep           7 case
        home  NN 6 pobj           2 obl""",
    "a preposition below a preposition": """
        He    PRP 2 nsubj         2 nsubj
        ran   VBD 0 root          0 root
        out   IN 2 prep           6 case
        of    IN 3 prep           6 case
        the   DT 6 det            6 det
        house NN 4 pobj           2 obl""",
    "a clause below a preposition": """
        He    PRP 2 nsubj         2 nsubj
        left  VBD 0 root          0 root
        after IN 2 prep           4 mark
        eating VBG 3 pcomp        2 advcl
        fish  NN 4 dobj           4 obj""",
    "a chain of conjuncts": """
        He    PRP 2 nsubj         2 nsubj
        buys  VBZ 0 root          0 root
        tea   NN 2 dobj           2 obj
        ,     , 3 punct           5 punct
        milk  NN 3 conj           3 conj
        ,     , 5 punct           8 punct
        and   CC 5 cc             8 cc
        rice  NN 5 conj           3 conj""",
    "a relative clause": """
        the   DT 2 det            2 det
        man   NN 0 root           0 root
        who   WP 4 nsubj          4 nsubj
        lives VBZ 2 relcl         2 acl:relcl
        here  RB 4 advmod         4 advmod""",
    "a reduced relative clause": """
        books NNS 0 root          0 root
        written VBN 1 acl         1 acl
        by    IN 2 agent          4 case
        him   PRP 3 pobj          2 obl:agent""",
    "complements": """
        He    PRP 2 nsubj         2 nsubj
        says  VBZ 0 root          0 root
        she   PRP 4 nsubj         4 nsubj
        wants VBZ 2 ccomp         2 ccomp
        to    TO/PART 6 aux       6 mark
        go    VB 4 xcomp          4 xcomp""",
    "speech before its verb": """
        Go    VB 4 ccomp          0 root
        ,     , 4 punct           4 punct
        he    PRP 4 nsubj         4 nsubj
        said  VBD 0 root          1 parataxis
        .     . 4 punct           1 punct""",
    "a small clause": """
        Let   VB 0 root           0 root
        them  PRP 3 nsubj         1 obj
        go    VB 1 ccomp          1 xcomp""",
    "two objects": """
        He    PRP 2 nsubj         2 nsubj
        gave  VBD 0 root          0 root
        her   PRP 2 dative        2 iobj
        books NNS 2 dobj          2 obj""",
    "an object behind a preposition": """
        He    PRP 2 nsubj         2 nsubj
        gave  VBD 0 root          0 root
        books NNS 2 dobj          2 obj
        to    IN 2 dative         5 case
        her   PRP 4 pobj          2 obl""",
    "a particle": """
        Turn  VB 0 root           0 root
        it    PRP 1 dobj          1 obj
        off   RP 1 prt            1 compound:prt""",
    "a noun as an adverb": """
        They  PRP 2 nsubj         2 nsubj
        left  VBD 0 root          0 root
        last  JJ 4 amod           4 amod
        week  NN 2 npadvmod       2 obl:unmarked""",
    "numbers and determiners": """
        all   PDT/DET 3 predet    3 det:predet
        the   DT 3 det            3 det
        cats  NNS 0 root          0 root
        about RB 5 quantmod       5 advmod
        ten   CD 3 nummod         3 nummod""",
    "a date": """
        He    PRP 2 nsubj         2 nsubj
        left  VBD 0 root          0 root
        on    IN 2 prep           5 case
        May   NNP 3 pobj          5 nmod:unmarked
        6     CD 4 nummod         2 obl
        ,     , 4 punct           5 punct
        1868  CD 4 nummod         5 nmod:unmarked""",
    "a date at the start": """
        May   NNP 4 npadvmod      2 nmod:unmarked
        6     CD 1 nummod         4 obl:unmarked
        he    PRP 4 nsubj         4 nsubj
        left  VBD 0 root          0 root""",
    "a part of a whole": """
        Many  JJ 4 nsubj          4 nsubj
        of    IN 1 prep           3 case
        them  PRP 2 pobj          1 nmod
        left  VBD 0 root          0 root""",
    "brackets and quotation marks": """
        He    PRP 2 nsubj         2 nsubj
        saw   VBD 0 root          0 root
        the   DT 6 det            6 det
        "     ``/PUNCT 6 punct    6 punct
        old   JJ 6 amod           6 amod
        cat   NN 2 dobj           2 obj
        "     ''/PUNCT 2 punct    6 punct
        (     -LRB-/PUNCT 6 punct 9 punct
        mine  PRP 6 appos         6 appos
        )     -RRB-/PUNCT 6 punct 9 punct
        !!    . 2 punct           2 punct""",
    "a fixed expression": """
        He    PRP 2 nsubj         2 nsubj
        left  VBD 0 root          0 root
        because IN/SCONJ 2 prep   5 case
        of    IN 3 pcomp          3 fixed
        rain  NN 3 pobj           2 obl""",
}  # fmt: skip
UPOS_OF = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "VB": "VERB", "VBD": "VERB", "VBG": "VERB",
    "VBN": "VERB", "VBP": "VERB", "VBZ": "VERB", "PRP": "PRON", "PRP$": "PRON", "WP": "PRON",
    "EX": "PRON", "DT": "DET", "IN": "ADP", "JJ": "ADJ", "RB": "ADV", "WRB": "SCONJ", "RP": "ADP",
    "CC": "CCONJ", "CD": "NUM", ".": "PUNCT", ",": "PUNCT",
}  # fmt: skip


def read(table):
    """The tree as it is, and heads and labels as they should be."""
    rows = [line.split() for line in table.strip().splitlines()]
    tags = [row[1].split("/") for row in rows]
    tree = Tree(
        [row[0] for row in rows],
        [int(row[2]) - 1 for row in rows],
        [row[3] for row in rows],
        [more[0] if more else UPOS_OF[xpos] for xpos, *more in tags],
        [xpos for xpos, *_ in tags],
    )
    tree = Treebank.of([tree])
    names = [row[6] if len(row) > 6 else "_" for row in rows]
    tree = replace(tree, columns={"misc": NameColumn.of(names)})
    return tree, [int(row[4]) - 1 for row in rows], [row[5] for row in rows]


@pytest.mark.parametrize("name", CONSTRUCTIONS)
def test_constructions_are_those_of_ud(name):
    tree, heads, labels = read(CONSTRUCTIONS[name])
    [converted], [tree] = to_ud(tree), tree
    assert (converted.words, converted.xpos) == (tree.words, tree.xpos)
    found = list(zip(tree.words, converted.heads, converted.labels, strict=True))
    assert found == list(zip(tree.words, heads, labels, strict=True))


def random_trees():
    """Trees that no parser would make: whatever hangs on what, the conversion is to stand it."""
    rng = np.random.default_rng(0)
    words = ["is", "was", "'s", "of", "out", "at", "least", "because", "as", "well", "cats"]
    words += [",", ".", "(", ")", '"']
    labels, upos, xpos = sorted(LABELS["clearnlp"] - {"root", "ROOT"}), sorted(UPOS), sorted(XPOS)
    trees = []
    for _ in range(500):
        size = int(rng.integers(1, 14))
        order, heads = rng.permutation(size), np.full(size, -1)
        for k in range(1, size):
            heads[order[k]] = order[rng.integers(max(0, k - 3), k)]
        columns = (rng.choice(names, size).tolist() for names in (words, labels, upos, xpos))
        shown, deps, *tags = columns
        deps[order[0]] = "root"
        trees.append(Tree(shown, heads.tolist(), deps, *tags))
    trees = Treebank.of(trees)
    named = rng.choice(["_", "ner=B-PERSON", "ner=I-PERSON", "ner=B-GPE"], len(trees.words))
    return replace(trees, columns={"misc": NameColumn.of(named.tolist())})


def test_whatever_the_trees_they_stay_trees_with_labels_of_ud():
    trees = random_trees()
    converted = to_ud(trees)  # a Treebank has one root and no cycle in each sentence
    assert set(converted.labels.names) <= LABELS["ud"]
    assert set(converted.upos.names) <= UPOS
    assert (converted.words, converted.xpos) == (trees.words, trees.xpos)
    assert (converted.heads < 0).tolist() == converted.labels.where("root".__eq__).tolist()
    for number in range(0, len(trees), 50):  # whatever stands around it
        assert to_ud(trees.part(number, number + 1))[0] == converted[number]


def test_a_chain_of_thousands_of_words_is_converted_like_any_other():
    size = 5000
    tree = Tree(
        ["of"] * size, list(range(-1, size - 1)), ["root", *["pobj"] * (size - 1)],
        ["ADP"] * size, ["IN"] * size,
    )  # fmt: skip
    [converted] = to_ud(Treebank.of([tree]))
    assert converted.heads == [size - 1] * (size - 1) + [-1]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("nsubj root prep pobj dobj punct", True),
        ("nsubj root acomp", True),
        ("nsubj root obj obl case punct", False),
        ("nsubjpass auxpass root dobj nmod case neg", False),  # UD as it was before 2017
        ("ROOT sb oa nk punct cc", False),  # spaCy's German pipelines
        ("subj root comp:obj mod", False),
        ("poss case ROOT punct", True),  # "John 's book ."
        ("nsubj ROOT dobj", True),
        ("nsubj ROOT punct", False),
    ],
)
def test_what_is_clearnlp(labels, expected):
    assert is_clearnlp(NameColumn.of(labels.split())) is expected


def test_trees_of_a_list_that_become_the_same_are_one():
    words, tags = ["He", "is", "in", "Tokyo"], (["PRON", "AUX", "ADP", "PROPN"], ["_"] * 4)
    by_verb = Tree(words, [1, -1, 1, 2], ["nsubj", "root", "prep", "pobj"], *tags)
    by_noun = Tree(words, [3, 3, 3, -1], ["nsubj", "cop", "case", "root"], *tags)
    other = Tree(words, [1, -1, 1, 1], ["nsubj", "root", "advmod", "dobj"], *tags)
    trees = Treebank.of([other, by_verb, by_noun, other])
    converted = lists_to_ud(NBest(trees, np.array([0, 3, 4]), np.log([0.4, 0.35, 0.25, 1])))
    assert (converted.offsets.tolist(), np.exp(converted.scores).round(6).tolist()) == (
        [0, 2, 3],
        [0.6, 0.4, 1.0],
    )
    assert converted.trees[0].heads == by_noun.heads
