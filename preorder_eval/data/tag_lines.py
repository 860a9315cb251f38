"""Tags of a sentence as a line of text: a tag for every word, or trees in brackets.

A line such as `PRON VERB NOUN` has one tag for every word. A line with the phrases of a sentence,
such as `(S (NP (PRP It)) (VP (VBZ is)))`, has two for every word: its part of speech, and the
phrase that it stands in, which is the lowest one (Han 2014, Figure 7-2). Labels of phrases are
taken up to the first - or =, so that `NP-SBJ` is an NP, and traces (`-NONE-`) are no words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from preorder_eval.errors import PreorderEvalError

_PIECE = re.compile(r"\(|\)|[^\s()]+")
_TREE = re.compile(r"\(\s*\(|\([^\s()]")
_TRACE = "-NONE-"
Tagged = tuple[str, str]


def parts_of_speech(line: str) -> list[str]:
    """The part of speech of every word; of a line without brackets its tags.

    >>> parts_of_speech("(S (NP-SBJ (PRP It)) (VP (VBZ is)))"), parts_of_speech("PRP VBZ")
    (['PRP', 'VBZ'], ['PRP', 'VBZ'])
    """
    return [tag for tag, _ in tagged_words(line)]


def phrases(line: str) -> list[str]:
    """The phrase that every word stands in; of a line without brackets its tags.

    >>> phrases("(S (NP-SBJ (PRP It)) (VP (VBZ is)) (. .))")
    ['NP', 'VP', 'S']
    """
    return [phrase for _, phrase in tagged_words(line)]


def tagged_words(line: str) -> list[Tagged]:
    """The part of speech and the phrase of every word; both the same without brackets.

    Raises PreorderEvalError for brackets that do not close, or a word that has no tag.
    """
    if not is_tree(line):
        return [(tag, tag) for tag in line.split(" ") if tag]
    words: list[Tagged] = []
    open_labels: list[str] = []  # from the outermost on
    atoms: list[list[str]] = []  # what stands directly in each open bracket, its label first
    for piece in _PIECE.findall(line):
        if piece == "(":
            if atoms and len(atoms[-1]) > 1:
                raise PreorderEvalError(f"{atoms[-1][1]!r} stands between the brackets of a tree")
            atoms.append([])
            open_labels.append("")
        elif not atoms:
            raise PreorderEvalError(f"{piece!r} stands outside the brackets of a tree")
        elif piece == ")":
            inside = atoms.pop()
            open_labels.pop()
            if len(inside) > 2:
                raise PreorderEvalError(f"({' '.join(inside)}) is not a tag with its word")
            if len(inside) == 2 and inside[0] != _TRACE:
                parent = next((label for label in reversed(open_labels) if label), inside[0])
                words.append((inside[0], _bare(parent)))
        else:
            atoms[-1].append(piece)
            if len(atoms[-1]) == 1:
                open_labels[-1] = piece
    if atoms:
        raise PreorderEvalError(f"{len(atoms)} brackets of a tree are not closed")
    return words


def is_tree(line: str) -> bool:
    """Whether a line has trees in brackets; a tag may be a bracket too, with spaces around it.

    >>> is_tree("( (S (NP (PRP It))))"), is_tree("( NN )")
    (True, False)
    """
    return bool(_TREE.match(line.lstrip()))


def format_tagged(words: Iterable[Tagged]) -> str:
    """A line with the part of speech and the phrase of every word, each in brackets of its own.

    >>> format_tagged([("PRON", "NP"), ("AUX", "VP")])
    '(NP (PRON _)) (VP (AUX _))'
    """
    return " ".join(f"({phrase} ({tag} _))" for tag, phrase in words)


def _bare(label: str) -> str:
    """A phrase's label without its function: NP of NP-SBJ and of NP=2."""
    return re.split("[-=]", label, maxsplit=1)[0] or label
