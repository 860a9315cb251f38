"""Trees on other words of the same text."""

from __future__ import annotations

import itertools
import re
import unicodedata
import warnings
from dataclasses import replace

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokenizer import Tokenizer

import preorder_eval as pe
from preorder_eval.base.errors import InputWarning, PreorderEvalError
from preorder_eval.trees.conllu import format_conllu, parse_conllu
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.retokenize import (
    CharacterAlignment,
    first_unlike_character,
    fitted,
    fitted_lists,
    retokenized,
)
from preorder_eval.trees.treebank import Tree, Treebank, comment_value, single_trees


def tree(text):
    """A tree of rows "word head label tag", heads from 1, separated by slashes."""
    words, heads, labels, upos = zip(*(row.split() for row in text.split(" / ")), strict=True)
    heads = [int(head) - 1 for head in heads]
    return Tree(list(words), heads, list(labels), list(upos), ["_"] * len(words))


def written(trees):
    """Every tree as `tree` reads it."""
    return [
        " / ".join(
            f"{word} {head + 1} {label} {tag}"
            for word, head, label, tag in zip(t.words, t.heads, t.labels, t.upos, strict=True)
        )
        for t in trees
    ]


@pytest.mark.parametrize(
    ("trees", "sentences", "expected"),
    [
        pytest.param(["I 3 nsubj PRON / don't 3 aux AUX / go 0 root VERB"], ["I do n't go"],
            ["I 4 nsubj PRON / do 4 aux AUX / n't 4 aux AUX / go 0 root VERB"],
            id="parts of a word stand beside each other"),
        pytest.param(["old 2 amod ADJ / John's 3 nmod:poss PROPN / dog 0 root NOUN"],
            ["old John 's dog"],
            ["old 2 amod ADJ / John 4 nmod:poss PROPN / 's 4 nmod:poss PROPN / dog 0 root NOUN"],
            id="what hung on a word hangs on its first part"),
        pytest.param(["Let's. 0 root VERB"], ["Let 's ."],
            ["Let 0 root VERB / 's 1 dep VERB / . 1 punct PUNCT"],
            id="parts of a root and punctuation hang below"),
        pytest.param(["well-known 2 amod ADJ / man 0 root NOUN"], ["well - known man"],
            ["well 4 amod ADJ / - 1 punct PUNCT / known 4 amod ADJ / man 0 root NOUN"],
            id="a hyphen hangs below"),
        pytest.param(["Go 0 root VERB / home. 1 advmod ADV"], ["Go home ."],
            ["Go 0 root VERB / home 1 advmod ADV / . 1 punct PUNCT"],
            id="what ends a sentence hangs on its root"),
        pytest.param(
            [
                "New 2 compound PROPN / York 4 obl PROPN / - 4 punct PUNCT / based 5 amod VERB / "
                "firms 0 root NOUN"
            ],
            ["New York-based firms"],
            ["New 2 compound PROPN / York-based 3 amod VERB / firms 0 root NOUN"],
            id="a word of several is the one nearest to the root",
        ),
        pytest.param(["Go 0 root VERB / so 3 advmod ADV / far 1 advmod ADV / . 1 punct PUNCT"],
            ["Go sofar."], ["Go 0 root VERB / sofar. 1 advmod ADV"],
            id="a word with punctuation is the word"),
        pytest.param(["a 2 det DET / bc 3 obj NOUN / d 0 root VERB"], ["ab c d"],
            ["ab 3 obj NOUN / c 3 obj NOUN / d 0 root VERB"], id="neither is finer than the other"),
        pytest.param(
            [
                "Go 0 root VERB / home 1 advmod ADV",
                ". 0 root PUNCT",
                "Run 0 root VERB / Stop 1 conj VERB / now 2 advmod ADV",
            ],
            ["Go home .", "Run", "Stop now"],
            [
                "Go 0 root VERB / home 1 advmod ADV / . 1 punct PUNCT",
                "Run 0 root VERB",
                "Stop 0 root VERB / now 1 advmod ADV",
            ],
            id="sentences are cut elsewhere",
        ),
        pytest.param(["Go 0 root VERB / home 1 advmod ADV", "He 2 nsubj PRON / runs 0 root VERB"],
            ["Go home He runs"],
            ["Go 0 root VERB / home 1 advmod ADV / He 4 nsubj PRON / runs 1 parataxis VERB"],
            id="two sentences are one"),
    ],
)  # fmt: skip
def test_rules(trees, sentences, expected):
    wanted = [sentence.split() for sentence in sentences]
    assert written(retokenized(Treebank.of(list(map(tree, trees))), wanted)[0]) == expected


@st.composite
def another_tokenisation(draw):
    """Trees and the same text cut into other words and sentences."""
    trees = draw(st.lists(strategies.trees(), min_size=1, max_size=3))
    kinds = st.sampled_from([("a", "NOUN"), ("bc", "VERB"), ("d.e", "X"), (".", "PUNCT")])
    for number, t in enumerate(trees):
        words, tags = zip(*(draw(kinds) for _ in t.words), strict=True)
        trees[number] = replace(t, words=list(words), upos=list(tags))
    words = draw(cut("".join(word for t in trees for word in t.words)))
    return trees, draw(cut(words))


@st.composite
def cut(draw, whole):
    """A text or list in stretches."""
    borders = draw(st.sets(st.integers(1, len(whole) - 1))) if len(whole) > 1 else set()
    return [whole[a:b] for a, b in itertools.pairwise([0, *sorted(borders), len(whole)])]


@given(another_tokenisation())
def test_whatever_the_words_there_is_one_tree_for_each_sentence(case):
    trees, wanted = case
    treebank = Treebank.of(trees)
    again, cut_words = retokenized(treebank, wanted)
    assert again.sentences == wanted
    # Back on its own words a tree that was only refined is itself again.
    if not len(cut_words) and [len(t) for t in trees] == list(map(len, wanted)):
        assert again.heads.tolist() == treebank.heads.tolist()
    assert retokenized(treebank, treebank.sentences)[0] is treebank


@given(st.lists(strategies.trees(), min_size=1, max_size=3))
def test_words_cut_into_letters_and_put_together_again_are_as_they_were(trees):
    treebank = Treebank.of([replace(t, words=["xyz"] * len(t)) for t in trees])
    letters, cut_words = retokenized(treebank, [list("".join(w)) for w in treebank.sentences])
    assert len(cut_words) == 3 * len(treebank.words)
    back, _ = retokenized(letters, treebank.sentences)
    assert back.heads.tolist() == treebank.heads.tolist()


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        (["I do n't go", "now"], "sentence 2, token 1: trees have nothing, source has 'now'"),
        (["I"], 'sentence 1, token 2: trees have "don\'t", source has nothing'),
        (["I", "do not go"],
         "2 sentences; sentence 2, token 1: trees have \"don't\", source has 'do'"),
    ],
)  # fmt: skip
def test_other_text_is_refused(sentences, message):
    trees = Treebank.of([tree("I 3 nsubj PRON / don't 3 aux AUX / go 0 root VERB")])
    with pytest.raises(PreorderEvalError, match=message + "; trees and source must have the"):
        retokenized(trees, [sentence.split() for sentence in sentences])


@pytest.mark.slow
def test_documents_with_other_tokens_are_evaluated(bundled_reference):
    """The bundled parser on text whose contractions and punctuation are not cut off."""
    nlp = pe.load_pipeline()
    nlp.tokenizer = Tokenizer(nlp.vocab)
    texts = [re.sub(r" ([.,?!]|n't|'s)", r"\1", " ".join(s)) for s in bundled_reference.source]
    trees = pe.from_docs(nlp.pipe(texts))
    with pytest.warns(InputWarning, match="raw: 878 of 4,444 words, in 292 of 300 sen"):
        result = pe.evaluate(bundled_reference, trees={"raw": trees}, rules=["en-ja"], resamples=10)
    tokenised = pe.evaluate(bundled_reference, parsers=["en-web"], rules=["en-ja"], resamples=10)
    assert 0 < tokenised.value("en-ja") - result.value("raw/en-ja") < 0.12


def test_words_of_multiword_tokens_are_on_the_token():
    row = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_"
    lines = [
        row.format(1, "Va", "VERB", 0, "root"),
        "2-3\tau" + "\t_" * 8,
        row.format(2, "à", "ADP", 4, "case"),
        row.format(3, "le", "DET", 4, "det"),
        row.format(4, "lit", "NOUN", 1, "obl"),
    ]
    trees = parse_conllu("\n".join([*lines, "", ""]))
    again, cut_words = retokenized(trees, [["Va", "au", "lit"]])
    assert written(again) == ["Va 0 root VERB / au 3 case ADP / lit 1 obl NOUN"]
    assert cut_words.tolist() == [1]
    assert not len(retokenized(trees, [["Va", "à", "le", "lit"]])[1])
    assert retokenized(trees, [["Va", "à", "lelit"]])[0][0].words == ["Va", "à", "lelit"]


two_tokenisations = st.text("abc", min_size=1, max_size=12).flatmap(
    lambda text: st.tuples(cut(text), cut(text))
)


def owners(words):
    """For every character the word that it is of."""
    return [number for number, word in enumerate(words) for _ in word]


@given(two_tokenisations)
def test_words_that_share_characters(tokenisations):
    words, others = tokenisations
    shared = [
        {b for a, b in zip(owners(words), owners(others), strict=True) if a == number}
        for number in range(len(words))
    ]
    aligned = CharacterAlignment.of(words, others)
    assert aligned.first.tolist() == list(map(min, shared))
    assert aligned.last.tolist() == list(map(max, shared))
    alone = [
        len(numbers) == 1 and owners(others).count(min(numbers)) == len(words[i])
        for i, numbers in enumerate(shared)
    ]
    assert aligned.same.tolist() == alone
    assert first_unlike_character(words, others) is None
    assert first_unlike_character(words, [*others, "x"]) == (len(words), len(others))


@pytest.mark.parametrize(
    ("words", "others", "expected"),
    [
        (["a", "bark", "b"], ["a", "barks", "b"], (1, 1)),
        (["ab", "c"], ["a", "bx", "c"], (0, 1)),
        (["a b", "c"], ["ab", "x"], (1, 1)),  # white space is no character
    ],
)
def test_a_difference_is_of_whole_words(words, others, expected):
    assert first_unlike_character(words, others) == expected


READS = """\
# sent_id = a
# text = She reads old books.
1\tShe\tshe\tPRON\tPRP\tCase=Nom\t2\tnsubj\t2:nsubj\t_
2\treads\tread\tVERB\tVBZ\t_\t0\troot\t0:root\tx=1
3\told\told\tADJ\tJJ\t_\t4\tamod\t4:amod\t_
4\tbooks\tbook\tNOUN\tNNS\tNumber=Plur\t2\tobj\t2:obj\tSpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t2\tpunct\t2:punct\t_

"""
SAYS = """\
# sent_id = b
1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t2:nsubj\t_
2\tsays:\tsay\tVERB\tVBZ\tTense=Pres\t0\troot\t0:root\tSpaceAfter=No|ner=B-PERSON

"""
DU = """\
# sent_id = du
1\tVa\taller\tVERB\t_\t_\t0\troot\t_\t_
2-3\t{}\t_\t_\t_\t_\t_\t_\t_\t_
2\tde\tde\tADP\t_\t_\t4\tcase\t_\t_
3\tle\tle\tDET\t_\t_\t4\tdet\t_\t_
4\tlit\tlit\tNOUN\t_\t_\t1\tobl\t_\t_

"""


def test_every_column_and_comment_is_kept():
    whole = parse_conllu(READS + SAYS + DU.format("du"))
    lines = ["She reads old books .", "He says :", "Va de le lit"]
    again, cut_words = retokenized(whole, [line.split() for line in lines])
    assert cut_words.tolist() == [6, 7]
    first, second, third = format_conllu(again).split("\n\n")[:3]
    assert (first + "\n\n", third + "\n\n") == (READS, DU.format("du"))
    assert second.split("\n") == [
        "# sent_id = b",
        "1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\t_",
        "2\tsays\t_\tVERB\tVBZ\tTense=Pres\t0\troot\t_\tSpaceAfter=No|ner=B-PERSON",
        "3\t:\t_\tPUNCT\tVBZ\t_\t2\tpunct\t_\tner=I-PERSON",
    ]


@pytest.mark.parametrize("token", ["du", "à"])  # of one letter for two words, too
def test_each_line_has_a_contraction_or_its_words(token):
    trees = parse_conllu(3 * DU.format(token))
    lines = [["Va", "de", "le", "lit"], ["Va", token, "lit"], ["Va", "de", "le", "lit"]]
    again, cut_words = retokenized(trees, lines)
    assert again.sentences == lines
    assert [tree.heads for tree in again] == [[-1, 3, 3, 0], [-1, 2, 0], [-1, 3, 3, 0]]
    assert cut_words.tolist() == [5]
    with pytest.raises(PreorderEvalError, match=f"token 2: trees have '{token}', source has 'x'"):
        retokenized(trees, [["Va", "x"]])


def test_lines_of_several_trees_are_in_the_order_of_their_trees():
    apart = parse_conllu(SAYS.replace("says:", "says") + READS)
    joined, _ = retokenized(apart, [[word for words in apart.sentences for word in words]])
    assert joined[0].heads == [1, -1, 3, 1, 5, 3, 3]
    assert comment_value(joined[0].comments, "sent_id") == "b"
    expected = [word for words in pe.reorder(apart, "en-ja") for word in words]
    for trees in (joined, parse_conllu(format_conllu(joined))):  # MISC tells where each begins
        assert pe.reorder(trees, "en-ja") == [expected]
    assert single_trees(joined).heads.tolist() == apart.heads.tolist()


def test_white_space_as_a_word_need_not_be_in_the_trees():
    trees = parse_conllu(READS)
    words = ["\u3000", "She", "reads", "\xa0", "old", "books", "."]
    again, cut_words = retokenized(trees, [words])
    assert (again[0].words, cut_words.tolist()) == (words, [0, 3])
    assert again[0].heads == [2, 2, -1, 2, 5, 2, 2]
    assert retokenized(again, trees.sentences)[0].heads.tolist() == trees.heads.tolist()


def test_other_normal_forms_are_told_apart():
    trees = parse_conllu(READS.replace("old\told", "oldé\told"))
    words = unicodedata.normalize("NFD", " ".join(trees[0].words)).split()
    with pytest.raises(PreorderEvalError, match=r"in NFC, source has .* in NFD;"):
        retokenized(trees, [words])


@pytest.mark.slow
@given(st.lists(strategies.trees(), min_size=2, max_size=6), st.data())
def test_any_lines_are_in_the_order_of_their_trees(trees, data):
    """Whatever trees a line has, and by rules with a default of their own."""
    apart = Treebank.of(trees)
    lines = data.draw(cut(apart.sentences[:]))
    joined, _ = retokenized(apart, [[word for words in line for word in words] for line in lines])
    for name in ("en-ja", "reverse"):
        rules = pe.load_rules(name)
        ordered = iter(in_order(rules, apart))
        expected = [[word for _ in line for word in next(ordered)] for line in lines]
        assert in_order(rules, joined) == expected


def in_order(rules, trees):
    """The words in their order, whatever labels the trees have."""
    orders = zip(trees.sentences, rules.reorder_unchecked(trees), strict=True)
    return [[words[i] for i in order] for words, order in orders]


@pytest.mark.parametrize(("misc", "expected"), [("_", ""), ("Gloss=x", "Gloss=x|")])
def test_a_tree_that_begins_within_a_line_is_marked_beside_what_stands_there(misc, expected):
    row = "1\tRun\t_\tVERB\t_\t_\t0\troot\t_\t{}\n\n"
    trees = parse_conllu(row.format("_") + row.format(misc) + row.format("_"))
    again, _ = retokenized(trees, [["Run", "Run"], ["Run"]])
    lines = format_conllu(again).split("\n")
    assert [line.rpartition("\t")[2] for line in lines if line] == [
        "_",
        f"{expected}NewTree=Yes",
        "_",
    ]


ROW = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t{}"


def conllu(text, *others):
    """CoNLL-U of rows "word head label tag [misc]", and other lines, each before a row."""
    rows = [[*row.split(), "_"][:5] for row in text.split(" / ")]
    lines = [ROW.format(n, r[0], r[3], r[1], r[2], r[4]) for n, r in enumerate(rows, 1)]
    for place, line in reversed(others):
        lines.insert(place, line)
    return "\n".join([*lines, "", ""])


GIVE = "Eu 2 nsubj PRON / quero 0 root VERB / dar 2 xcomp VERB / {} 3 iobj PRON / . 2 punct PUNCT"
OF_MASTER = "masterr 3 nmod:poss NOUN / 's 1 case PART / wife 0 root NOUN"


@pytest.mark.parametrize(
    ("text", "token", "source", "expected"),
    [
        (GIVE.format("lhe"), (2, "3-4\tdar-lhe"), "Eu quero dar -lhe .", GIVE.format("-lhe")),
        (GIVE.format("-lhe"), (2, "3-4\tdar-lhe"), "Eu quero dar -lhe .", GIVE.format("-lhe")),
        (GIVE.format("lhe"), (2, "3-4\tdar-lhe"), "Eu quero dar- lhe .",
            GIVE.format("lhe").replace("dar", "dar-")),
        (OF_MASTER, (0, "1-2\tmaster's"), "master 's wife", OF_MASTER.replace("masterr", "master")),
        (OF_MASTER, (0, "1-2\tmaster's"), "master's wife",
            "master's 2 nmod:poss NOUN / wife 0 root NOUN"),
    ],
)  # fmt: skip
def test_arcs_within_a_token_stay_if_the_source_has_as_many_pieces(text, token, source, expected):
    place, line = token
    trees = parse_conllu(conllu(text, (place, line + "\t_" * 8)))
    lists = NBest(trees.take(np.array([0, 0])), np.array([0, 2]), np.array([-1.0, -2.0]))
    again, _ = retokenized(trees, [source.split()])
    assert written(again) == [expected]
    with warnings.catch_warnings(action="ignore"):  # of the word that is cut otherwise
        assert written(fitted_lists(lists, [source.split()], "x").trees) == [expected] * 2


def test_the_warning_tells_that_heads_changed():
    trees = parse_conllu(conllu(GIVE.format("lhe"), (2, "3-4\tdar-lhe" + "\t_" * 8)))
    with pytest.warns(InputWarning, match="by characters; the head of 1 word changed$"):
        fitted(trees, [["Eu", "quero", "da", "r", "-lhe", "."]], "x")
    with pytest.warns(InputWarning, match="by characters$"):
        fitted(trees, [["Eu", "quero", "dar-lhe", "."]], "x")


LINES = {
    "words in another line": (
        ["She 2 nsubj PRON / reads 0 root VERB / books 2 obj NOUN / He 2 conj PRON",
            "sees 0 root VERB / it 1 obj PRON", "Go 0 root VERB"],
        ["She reads books", "He sees it", "Go"], "in 2 of 3 sentences (the first: 1);",
        [["# text = She reads books"], ["# text = He sees it"], ["# text = x", "# text_en = y"]],
        ["nsubj", "root", "obj", "parataxis", "root", "obj", "root"],
    ),
    "a tree over two lines": (
        ["She 2 nsubj PRON / reads 0 root VERB SpaceAfter=No / . 2 punct PUNCT / Go 2 conj VERB"],
        ["She reads .", "Go"], "in 2 of 2 sentences (the first: 1);",
        [["# text = She reads."], ["# text = Go"]], ["nsubj", "root", "punct", "root"],
    ),
    "two trees in a line": (
        ["Go 0 root VERB", "She 2 nsubj PRON / reads 0 root VERB"],
        ["Go She reads"], "in 1 of 1 sentences (the first: 1);",
        [["# text = Go She reads"]], ["root", "nsubj", "parataxis"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "source", "message", "texts", "labels"), LINES.values(), ids=LINES
)
def test_trees_on_other_lines_are_warned_of_and_their_text_is_true(
    rows, source, message, texts, labels
):
    trees = parse_conllu("".join(f"# text = x\n# text_en = y\n{conllu(row)}" for row in rows))
    with pytest.warns(InputWarning, match=re.escape(f"from those of the source {message}")):
        again = fitted(trees, [line.split() for line in source], "x")
    assert list(map(list, again.comments)) == texts
    assert list(again.labels) == labels


def test_a_part_of_a_word_has_not_the_place_of_the_word():
    misc = "start_char=0|end_char=5|TokenRange=0:5|SpacesAfter=\\n|x=1"
    trees = parse_conllu(conllu(f"don't 0 root VERB {misc} / go 1 xcomp VERB start_char=6"))
    again, _ = retokenized(trees, [["do", "n't", "go"]])
    assert list(again.columns["misc"]) == ["SpaceAfter=No|x=1", "x=1", "start_char=6"]
