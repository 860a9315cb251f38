"""Trees on other words of the same text."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokenizer import Tokenizer

import preorder_eval as pe
from preorder_eval.data.retokenize import CharacterAlignment, first_difference, retokenized
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.errors import InputWarning, PreorderEvalError
from preorder_eval.formats.conllu import parse_conllu


def tree(*rows):
    """A tree of rows word, head (from 1), label and tag."""
    words, heads, labels, upos = zip(*(row.split() for row in rows), strict=True)
    heads = [int(head) - 1 for head in heads]
    return Tree(list(words), heads, list(labels), list(upos), ["_"] * len(words))


def rows(trees):
    """Every tree as rows."""
    return [
        [
            f"{word} {head + 1} {label} {tag}"
            for word, head, label, tag in zip(t.words, t.heads, t.labels, t.upos, strict=True)
        ]
        for t in trees
    ]


def again(trees, *sentences):
    return rows(retokenized(Treebank.of(trees), [s.split() for s in sentences]).trees)


def test_parts_of_a_word_stand_beside_each_other():
    given_tree = tree("I 3 nsubj PRON", "don't 3 aux AUX", "go 0 root VERB")
    assert again([given_tree], "I do n't go") == [
        ["I 4 nsubj PRON", "do 4 aux AUX", "n't 4 aux AUX", "go 0 root VERB"]
    ]


def test_what_hung_on_a_word_hangs_on_its_first_part():
    given_tree = tree("old 2 amod ADJ", "John's 3 nmod:poss PROPN", "dog 0 root NOUN")
    assert again([given_tree], "old John 's dog")[0][:3] == [
        "old 2 amod ADJ", "John 4 nmod:poss PROPN", "'s 4 nmod:poss PROPN",
    ]  # fmt: skip


def test_parts_of_a_root_and_punctuation_hang_below():
    assert again([tree("Let's. 0 root VERB")], "Let 's .") == [
        ["Let 0 root VERB", "'s 1 dep VERB", ". 1 punct PUNCT"]
    ]
    hyphens = tree("well-known 2 amod ADJ", "man 0 root NOUN")
    assert again([hyphens], "well - known man")[0][:3] == [
        "well 4 amod ADJ", "- 1 punct PUNCT", "known 4 amod ADJ",
    ]  # fmt: skip


def test_what_ends_a_sentence_hangs_on_its_root():
    given_tree = tree("Go 0 root VERB", "home. 1 advmod ADV")
    assert again([given_tree], "Go home .") == [
        ["Go 0 root VERB", "home 1 advmod ADV", ". 1 punct PUNCT"]
    ]


def test_a_word_of_several_is_the_one_nearest_to_the_root():
    given_tree = tree(
        "New 2 compound PROPN", "York 4 obl PROPN", "- 4 punct PUNCT", "based 5 amod VERB",
        "firms 0 root NOUN",
    )  # fmt: skip
    assert again([given_tree], "New York-based firms") == [
        ["New 2 compound PROPN", "York-based 3 amod VERB", "firms 0 root NOUN"]
    ]


def test_a_word_with_punctuation_is_the_word():
    given_tree = tree("Go 0 root VERB", "so 3 advmod ADV", "far 1 advmod ADV", ". 1 punct PUNCT")
    assert again([given_tree], "Go sofar.") == [["Go 0 root VERB", "sofar. 1 advmod ADV"]]


def test_words_that_overlap():
    """Neither tokenisation is finer than the other."""
    given_tree = tree("a 2 det DET", "bc 3 obj NOUN", "d 0 root VERB")
    assert again([given_tree], "ab c d") == [["ab 3 obj NOUN", "c 3 obj NOUN", "d 0 root VERB"]]


def test_sentences_that_are_cut_elsewhere():
    one = tree("Go 0 root VERB", "home 1 advmod ADV")
    stop = tree(". 0 root PUNCT")
    run = tree("Run 0 root VERB", "Stop 1 conj VERB", "now 2 advmod ADV")
    assert again([one, stop, run], "Go home .", "Run", "Stop now") == [
        ["Go 0 root VERB", "home 1 advmod ADV", ". 1 punct PUNCT"],
        ["Run 0 root VERB"],
        ["Stop 0 root VERB", "now 1 advmod ADV"],
    ]
    two = tree("He 2 nsubj PRON", "runs 0 root VERB")
    assert again([one, two], "Go home He runs") == [
        ["Go 0 root VERB", "home 1 advmod ADV", "He 4 nsubj PRON", "runs 1 parataxis VERB"]
    ]


@st.composite
def another_tokenisation(draw):
    """Trees and the same text cut into other words and sentences."""
    trees = draw(st.lists(strategies.trees(), min_size=1, max_size=3))
    kinds = st.sampled_from([("a", "NOUN"), ("bc", "VERB"), ("d.e", "X"), (".", "PUNCT")])
    for number, t in enumerate(trees):
        words, tags = zip(*(draw(kinds) for _ in t.words), strict=True)
        trees[number] = replace(t, words=list(words), upos=list(tags))
    text = "".join(word for t in trees for word in t.words)
    borders = sorted(draw(st.sets(st.integers(1, len(text) - 1)))) if len(text) > 1 else []
    words = [text[a:b] for a, b in itertools.pairwise([0, *borders, len(text)])]
    ends = sorted(draw(st.sets(st.integers(1, len(words) - 1)))) if len(words) > 1 else []
    return trees, [words[a:b] for a, b in itertools.pairwise([0, *ends, len(words)])]


@given(another_tokenisation())
def test_whatever_the_words_there_is_one_tree_for_each_sentence(case):
    trees, wanted = case
    made = retokenized(Treebank.of(trees), wanted)
    assert made.trees.sentences == wanted
    # Back on its own words a tree that was only refined is itself again.
    if made.words == 0 and [len(t) for t in trees] == list(map(len, wanted)):
        assert made.trees.heads.tolist() == Treebank.of(trees).heads.tolist()


@given(st.lists(strategies.trees(), min_size=1, max_size=3))
def test_trees_on_their_own_words_stay_as_they_are(trees):
    treebank = Treebank.of(trees)
    assert retokenized(treebank, treebank.sentences).trees is treebank


@given(st.lists(strategies.trees(), min_size=1, max_size=3))
def test_merged_and_cut_again_heads_of_first_parts_are_the_same(trees):
    """Each word cut into letters and put together again is as it was."""
    trees = [replace(t, words=["xyz"] * len(t)) for t in trees]
    treebank = Treebank.of(trees)
    letters = retokenized(treebank, [list("".join(words)) for words in treebank.sentences])
    assert letters.words == 3 * len(treebank.words)
    back = retokenized(letters.trees, treebank.sentences).trees
    assert back.heads.tolist() == treebank.heads.tolist()


def test_counts_are_of_words_and_sentences():
    trees = [tree("can't 0 root AUX"), tree("Go 0 root VERB", "on 1 advmod ADV")]
    made = retokenized(Treebank.of(trees), [["can't"], ["Goon"]])
    assert (made.words, made.sentences) == (1, 1)
    made = retokenized(Treebank.of(trees), [["ca", "n't"], ["Go", "on"]])
    assert (made.words, made.sentences) == (2, 1)


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        (["I do n't go", "now"], "sentence 2, token 1: trees have nothing, source has 'now'"),
        (["I"], 'sentence 1, token 2: trees have "don\'t", source has nothing'),
        (
            ["I", "do not go"],
            "2 sentences; sentence 2, token 1: trees have \"don't\", source has 'do'",
        ),
    ],
)
def test_other_text_is_refused(sentences, message):
    trees = Treebank.of([tree("I 3 nsubj PRON", "don't 3 aux AUX", "go 0 root VERB")])
    with pytest.raises(PreorderEvalError, match=message + "; trees and source must be of the"):
        retokenized(trees, [sentence.split() for sentence in sentences])


def test_documents_with_other_tokens_are_evaluated(bundled_reference):
    """The bundled parser on text whose contractions and punctuation are not cut off."""
    nlp = pe.load_pipeline()
    nlp.tokenizer = Tokenizer(nlp.vocab)
    texts = [re.sub(r" ([.,?!]|n't|'s)", r"\1", " ".join(s)) for s in bundled_reference.source]
    docs = list(nlp.pipe(texts))
    assert [token.text for token in docs[0]][-1] == "cheaply?"
    with pytest.warns(InputWarning, match="raw: 878 of 4,444 words, in 292 of 300 sen"):
        result = pe.evaluate(
            bundled_reference, trees={"raw": pe.from_docs(docs)}, rules=["en-ja"], resamples=10
        )
    assert result.value("raw/en-ja") == pytest.approx(0.757, abs=0.005)


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
    made = retokenized(trees, [["Va", "au", "lit"]])
    assert rows(made.trees) == [["Va 0 root VERB", "au 3 case ADP", "lit 1 obl NOUN"]]
    assert made.words == 1
    assert retokenized(trees, [["Va", "à", "le", "lit"]]).words == 0
    assert retokenized(trees, [["Va", "à", "lelit"]]).trees[0].words == ["Va", "à", "lelit"]


@st.composite
def two_tokenisations(draw):
    """Two ways to cut a text into words."""
    text = draw(st.text("abc", min_size=1, max_size=12))

    def cut():
        borders = draw(st.sets(st.integers(1, len(text) - 1))) if len(text) > 1 else set()
        places = [0, *sorted(borders), len(text)]
        return [text[a:b] for a, b in itertools.pairwise(places)]

    return cut(), cut()


def owners(words):
    """For every character the word that it is of."""
    return [number for number, word in enumerate(words) for _ in word]


@given(two_tokenisations())
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


@given(two_tokenisations())
def test_the_same_characters_do_not_differ(tokenisations):
    words, others = tokenisations
    assert first_difference(words, others) is None
    assert first_difference(words, [*others, "x"]) == (len(words), len(others))
    assert first_difference([*words, "x"], others) == (len(words), len(others))


def test_a_difference_is_of_whole_words():
    assert first_difference(["a", "bark", "b"], ["a", "barks", "b"]) == (1, 1)
    assert first_difference(["ab", "c"], ["a", "bx", "c"]) == (0, 1)
