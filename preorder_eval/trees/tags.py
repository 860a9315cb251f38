"""Tags of the words of a sentence, and the phrases that the words stand in.

A line such as `PRON VERB NOUN` has one tag for every word. A line with the phrases of a sentence,
such as `(S (NP (PRP It)) (VP (VBZ is)))`, has two for every word. They are its part of speech and
the lowest phrase that it stands in (Han 2014, Figure 7-2). Labels of phrases are truncated before
the first - or =, so that `NP-SBJ` is an NP, and traces (`-NONE-`) are no words.

A tree of Universal Dependencies has phrases too. HPPR (Han 2014, section 7.3.2) compares sequences
of phrases, for which the thesis takes parsers of constituents. The subtree of a content word is its
phrase, of the category of its part of speech. A word stands in the lowest phrase of a constituent
parser that holds it, so that

- a noun, pronoun, verb, or an adverb is in its own phrase, also without dependents;
- an adjective or participle before its noun is in the noun's phrase, unless it has dependents;
- an adposition (`case`) is in a PP of its own, around the noun phrase;
- determiners, numbers, particles and conjunctions are in the phrase of their head;
- a word that introduces a clause (`mark`) and the punctuation of a clause are in S.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.trees.treebank import Tree

_PIECE = re.compile(r"\(|\)|[^\s()]+")
_TREE = re.compile(r"\(\s*\(|\([^\s()]")
_TRACE = "-NONE-"
Tagged = tuple[str, str]

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


def parts_of_speech(line: str) -> list[str]:
    """Return the part of speech of every word; a line without brackets holds these already.

    >>> parts_of_speech("(S (NP-SBJ (PRP It)) (VP (VBZ is)))"), parts_of_speech("PRP VBZ")
    (['PRP', 'VBZ'], ['PRP', 'VBZ'])
    """
    return [tag for tag, _ in tagged_words(line)]


def phrases(line: str) -> list[str]:
    """Return the phrase that every word stands in; a line without brackets holds these already.

    >>> phrases("(S (NP-SBJ (PRP It)) (VP (VBZ is)) (. .))")
    ['NP', 'VP', 'S']
    """
    return [phrase for _, phrase in tagged_words(line)]


def tagged_words(line: str) -> list[Tagged]:
    """Return part of speech and phrase of every word; in a line without brackets they are the same.

    Raises PreorderEvalError for a bracket that is not closed, and for a word that has no tag.
    """
    if not is_tree(line):
        return [(tag, tag) for tag in line.split(" ") if tag]
    words: list[Tagged] = []
    brackets: list[list[str]] = []  # those open: what stands directly in each, its label first
    for piece in _PIECE.findall(line):
        if piece == "(":
            if brackets and len(brackets[-1]) > 1:
                word = brackets[-1][1]
                raise PreorderEvalError(f"{word!r} is between the brackets of a tree")
            brackets.append([])
        elif not brackets:
            raise PreorderEvalError(f"{piece!r} is outside the brackets of a tree")
        elif piece == ")":
            inside = brackets.pop()
            if len(inside) > 2:
                raise PreorderEvalError(f"({' '.join(inside)}) is not a tag with its word")
            if len(inside) == 2 and inside[0] != _TRACE:
                labels = (bracket[0] for bracket in reversed(brackets) if bracket)
                label = next(labels, inside[0])
                # Without its function: NP of NP-SBJ and of NP=2.
                words.append((inside[0], re.split("[-=]", label, maxsplit=1)[0] or label))
        else:
            brackets[-1].append(piece)
    if brackets:
        raise PreorderEvalError(f"{len(brackets)} brackets of a tree are not closed")
    return words


def is_tree(line: str) -> bool:
    """Return whether a line has trees in brackets; a bracket between spaces can also be a tag.

    >>> is_tree("( (S (NP (PRP It))))"), is_tree("( NN )")
    (True, False)
    """
    return bool(_TREE.match(line.lstrip()))


def format_tagged(words: Iterable[Tagged]) -> str:
    """Write the part of speech and the phrase of every word, each in brackets of its own.

    >>> format_tagged([("PRON", "NP"), ("AUX", "VP")])
    '(NP (PRON _)) (VP (AUX _))'
    """
    return " ".join(f"({phrase} ({tag} _))" for tag, phrase in words)


def phrase_categories(tree: Tree) -> list[str]:
    """Return the universal category of the phrase that every word stands in.

    >>> words = "the graphic part of styling".split()
    >>> upos = ["DET", "ADJ", "NOUN", "ADP", "NOUN"]
    >>> labels = ["det", "amod", "root", "case", "nmod"]
    >>> phrase_categories(Tree(words, [2, 2, -1, 4, 2], labels, upos, ["_"] * 5))
    ['NP', 'NP', 'NP', 'PP', 'NP']
    """
    heads = set(tree.heads)

    def category(word: int) -> str:
        head, upos = tree.heads[word], tree.upos[word]
        label = tree.labels[word].partition(":")[0]
        content = _OF_CONTENT.get(upos, "X")
        if label == "case":
            return "PP"
        if head < 0:
            return content
        if label == "mark":
            return "VP" if upos == "PART" else "S"
        if label == "punct":
            of_clause = tree.upos[head] in ("VERB", "AUX", "ADJ") or tree.heads[head] < 0
            return "S" if of_clause else category(head)
        if label in ("aux", "cop"):
            return "VP"
        joined = label in _WITH_HEAD or upos in ("DET", "PART", "CCONJ")
        of_noun = label in _MODIFIERS and tree.upos[head] in ("NOUN", "PROPN")
        if joined or (upos == "ADJ" and of_noun and word not in heads):
            return category(head)
        return content

    return [category(word) for word in range(len(tree))]
