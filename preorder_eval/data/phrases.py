"""The phrase that every word of a dependency tree stands in, as universal categories.

HPPR (Han 2014, section 7.3.2) compares sequences of phrases, for which the thesis takes parsers of
constituents. In a tree of Universal Dependencies the subtree of a content word is its phrase, of
the category of its part of speech. A word stands in the lowest phrase of a constituent parser that
holds it, so that (as in the thesis's Figure 7-2)

- a noun, pronoun, verb, or an adverb is in its own phrase, also without dependents;
- an adjective or participle before its noun is in the noun's phrase, unless it has dependents;
- an adposition (`case`) is in a PP of its own, around the noun phrase;
- determiners, numbers, particles and conjunctions are in the phrase of their head;
- a word that introduces a clause (`mark`) and the punctuation of a clause are in S.
"""

from __future__ import annotations

from collections.abc import Callable

from preorder_eval.data.treebank import Tree

_OF_CONTENT = {
    "NOUN": "NP",
    "PROPN": "NP",
    "PRON": "NP",
    "VERB": "VP",
    "AUX": "VP",
    "ADJ": "AJP",
    "ADV": "AVP",
    "NUM": "NP",
    "ADP": "PP",
}
_WITH_HEAD = {"det", "nummod", "flat", "fixed", "compound", "cc", "goeswith", "clf"}
_MODIFIERS = {"amod", "nmod", "advmod", "acl"}


def phrase_categories(tree: Tree) -> list[str]:
    """The universal category of the phrase that every word stands in.

    >>> words = "the graphic part of styling".split()
    >>> upos = ["DET", "ADJ", "NOUN", "ADP", "NOUN"]
    >>> labels = ["det", "amod", "root", "case", "nmod"]
    >>> phrase_categories(Tree(words, [2, 2, -1, 4, 2], labels, upos, ["_"] * 5))
    ['NP', 'NP', 'NP', 'PP', 'NP']
    """
    heads = set(tree.heads)

    def category(word: int) -> str:
        return _category(tree, word, word in heads, category)

    return [category(word) for word in range(len(tree))]


def _category(tree: Tree, word: int, has_dependents: bool, category: Callable[[int], str]) -> str:
    head, upos = tree.heads[word], tree.upos[word]
    label = tree.labels[word].partition(":")[0]
    own = _OF_CONTENT.get(upos, "X")
    if label == "case":
        return "PP"
    if head < 0:
        return own
    of_clause = tree.upos[head] in ("VERB", "AUX", "ADJ") or tree.heads[head] < 0
    if label == "mark":
        return "VP" if upos == "PART" else "S"
    if label == "punct":
        return "S" if of_clause else category(head)
    if label in ("aux", "cop"):
        return "VP"
    joined = label in _WITH_HEAD or upos in ("DET", "PART", "CCONJ")
    modifies_noun = upos == "ADJ" and label in _MODIFIERS and tree.upos[head] in ("NOUN", "PROPN")
    if joined or (modifies_noun and not has_dependents):
        return category(head)
    return own
