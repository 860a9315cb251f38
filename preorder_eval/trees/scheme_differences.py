"""Words that trees converted from ClearNLP label or attach otherwise than UD, whoever parsed them.

ClearNLP does not make some distinctions of UD: it calls the *it* of "it is fun to ski" a subject
and has no label for a vocative. Its trees contain others, such as the heads of punctuation, but the
conversion sets them by rule. On such words a converted parser differs from gold trees of UD
although it may be right by its own scheme, so that the difference is no error of the parser.

The kinds were found on UD English EWT. A parser of ClearNLP gives the other label in nearly all
cases: *it* 25 of 26, clauses beside it 16 of 16, adjectives in names 54 of 61, emoticons 11 of 11.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from preorder_eval.base.arrays import Bools, Longs
from preorder_eval.base.ragged import NameColumn
from preorder_eval.trees.schemes import base_label
from preorder_eval.trees.treebank import Treebank

PUNCTUATION = "punctuation"
_NAMES = "names"
# Labels of UD that ClearNLP has no counterpart of, so that the conversion never gives them.
LACKING = ("dislocated", "goeswith", "list", "orphan", "reparandum", "vocative")
# The kinds, with what converted trees have instead.
SCHEME_DIFFERENCES = {
    PUNCTUATION: "attached by a rule of the conversion",
    _NAMES: "headed by the last word, unless a name finder marks them",
    "it that stands for a clause": "nsubj for expl",
    "clauses that it stands for": "xcomp or ccomp for csubj",
    "adjectives in names": "compound for amod",
    "titles": "compound for nmod",
    "emoticons": "punct for discourse",
    "labels that ClearNLP lacks": ", ".join(LACKING),
}


def differing_kinds(gold: Treebank) -> NameColumn:
    """Return for each word of gold trees of UD its kind of `SCHEME_DIFFERENCES`, or an empty name.

    >>> from preorder_eval.trees.treebank import Tree
    >>> heads, labels = [2, 2, -1, 4, 2, 2], ["expl", "cop", "root", "mark", "csubj", "punct"]
    >>> tree = Tree("it is fun to ski .".split(), heads, labels, ["_"] * 6, ["_"] * 6)
    >>> [kind for kind in differing_kinds(Treebank.of([tree])) if kind]
    ['it that stands for a clause', 'clauses that it stands for', 'punctuation']
    """
    labels, parents, words = gold.labels, gold.parents, len(gold.words)
    base = labels.renamed(base_label)
    flat = base.where("flat".__eq__)
    first = np.zeros(words, dtype=bool)
    first[parents[flat]] = True
    it = base.where("expl".__eq__) & gold.lower_words.where("it".__eq__)
    beside = np.zeros(words, dtype=bool)
    beside[parents[it]] = True
    symbol = gold.upos.where(lambda tag: tag in ("SYM", "PUNCT"))
    found: list[Bools] = [
        base.where("punct".__eq__),
        flat | first,
        it,
        base.where("csubj".__eq__) & beside[parents],
        base.where("amod".__eq__) & gold.xpos.where(lambda tag: tag in ("NNP", "NNPS")),
        labels.where("nmod:desc".__eq__),
        base.where("discourse".__eq__) & symbol,
        base.where(LACKING.__contains__),
    ]
    codes = np.zeros(words, dtype=np.int32)
    for number, of_kind in reversed(list(enumerate(found, 1))):
        codes[of_kind] = number
    return NameColumn(codes, ("", *SCHEME_DIFFERENCES))


def heads_of_names(gold: Treebank) -> Longs:
    """Return for each word the number of the first word of its name, its own outside of names.

    Two heads in one name are the same head, as schemes head names by their first or last word.
    """
    first = np.where(gold.labels.where(_is_flat), gold.parents, np.arange(len(gold.words)))
    while (first[first] != first).any():
        first = first[first]
    return first


def of_schemes(converted: Treebank, gold: Treebank) -> Bools:
    """Return the words on which converted trees and gold trees of UD may differ by their schemes.

    These are all words of a kind, and those attached to another word of the same name.
    """
    names = heads_of_names(gold)
    same_name = (names[converted.parents] == names[gold.parents]) & (converted.heads >= 0)
    return differing_kinds(gold).where(bool) | (same_name & (converted.heads != gold.heads))


def without_differences(parsed: Treebank, gold: Treebank) -> Treebank:
    """Return a parser's trees as if its scheme were that of the gold trees of the same words.

    Words on which the schemes differ get the gold label if their head is right, and punctuation
    with nothing below it the gold head, too.
    """
    kinds = differing_kinds(gold)
    leaf = np.ones(len(gold.words), dtype=bool)
    leaf[parsed.parents[parsed.heads >= 0]] = False
    marks = kinds.where(PUNCTUATION.__eq__) & leaf & (parsed.heads >= 0) & (gold.heads >= 0)
    alike = marks | kinds.where(bool) & (parsed.heads == gold.heads)
    both = NameColumn.joined([parsed.labels, gold.labels])
    own, right = np.split(both.codes, 2)
    return replace(
        parsed,
        heads=np.where(marks, gold.heads, parsed.heads).astype(np.int32),
        labels=NameColumn(np.where(alike, right, own), both.names),
    )


def _is_flat(label: str) -> bool:
    return base_label(label) == "flat"
