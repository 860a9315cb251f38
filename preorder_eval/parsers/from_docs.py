"""Trees of spaCy's documents, without importing spaCy.

Only attributes of documents and tokens are used. A caller who has documents has already imported
spaCy.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from preorder_eval.base.arrays import offsets_of
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.ragged import NameColumn
from preorder_eval.trees.clearnlp import PERSON
from preorder_eval.trees.in_ud import Labels, in_ud, scheme_by_labels
from preorder_eval.trees.treebank import Treebank

Doc = Any  # a spaCy document
Token = Any  # a token of one
_COLUMNS: dict[str, Callable[[Token], str]] = {
    "words": lambda token: token.text,
    "upos": lambda token: token.pos_ or "_",
    "xpos": lambda token: token.tag_ or "_",
    "lemma": lambda token: token.lemma_ or "_",
    "feats": lambda token: str(token.morph) or "_",
}


def from_docs(docs: Iterable[Doc], *, labels: Labels = "auto") -> Treebank:
    """Return the trees of spaCy's documents, one for each of their sentences.

    White space between words is left out (`words_of`). Tags may be missing. `labels` states the
    annotation scheme: `ud`; `clearnlp`, as in spaCy's English pipelines, whose trees are converted
    to UD (`trees.clearnlp`); or `own`, for labels to be kept. By default the scheme is detected
    once for all documents, from their labels, or from the pipeline if all documents share its
    vocabulary. Raises PreorderEvalError for a document without a parse or without a word, and if
    the labels' scheme matters and cannot be decided.

    >>> import preorder_eval as pe
    >>> list(pe.from_docs([pe.load_pipeline()("She doesn't read.")]).sentences)
    [['She', 'does', "n't", 'read', '.']]
    """
    parts: list[list[Token]] = []
    of_clearnlp = True
    for number, doc in enumerate([docs] if hasattr(docs, "sents") else docs, 1):
        if not hasattr(doc, "sents"):
            raise PreorderEvalError(f"document {number} is not a spaCy document: {doc!r:.60}")
        words = words_of(doc)
        if not words:
            raise PreorderEvalError(f"document {number} has no words; remove it")
        if not doc.has_annotation("DEP"):
            raise PreorderEvalError(
                f"document {number} has no dependency parse; run it through a parser"
            )
        of_clearnlp = of_clearnlp and _is_of_clearnlp(doc.vocab.strings)
        parts += filter(None, map(words_of, doc.sents))
    trees = list(map(_heads_and_labels, parts))
    tokens = list(itertools.chain.from_iterable(parts))
    ends = {id(part[-1]) for part in parts}
    columns = {name: NameColumn.of(map(of, tokens)) for name, of in _COLUMNS.items()}
    columns["misc"] = NameColumn.of(
        misc(token.ent_iob, token.ent_type_, space=token.whitespace_ or id(token) in ends)
        for token in tokens
    )
    treebank = Treebank(
        offsets_of(map(len, parts)),
        columns["words"],
        np.array([head for heads, _ in trees for head in heads], dtype=np.int32),
        NameColumn.of(label for _, labels in trees for label in labels),
        columns["upos"],
        columns["xpos"],
        columns={name: columns[name] for name in ("lemma", "feats", "misc")},
    )
    if labels == "own":
        return replace(treebank, scheme="own")
    if labels == "auto" and of_clearnlp and parts:
        known = scheme_by_labels(Counter(label for _, labels in trees for label in labels))
        labels = "ud" if known == "ud" else "clearnlp"
    return in_ud(treebank, labels)


def _is_of_clearnlp(strings: Container[str]) -> bool:
    """Return whether a vocabulary belongs to a pipeline with ClearNLP labels.

    A vocabulary holds the labels of the pipeline's parser, but also all labels built into spaCy.
    """
    return "dative" in strings and "predet" in strings and "nsubj:pass" not in strings


def misc(iob: int, kind: str, *, space: object = True) -> str:
    """Return the MISC column of a token: a person's name, in Stanza's notation, and spacing.

    >>> misc(3, "PERSON"), misc(1, "PERSON", space=False), misc(3, "GPE")
    ('ner=B-PERSON', 'SpaceAfter=No|ner=I-PERSON', '_')
    """
    name = f"ner={'B' if iob == 3 else 'I'}-{PERSON}" if kind == PERSON else ""
    return "|".join(filter(None, ["" if space else "SpaceAfter=No", name])) or "_"


def words_of(tokens: Iterable[Token]) -> list[Token]:
    """Return the tokens that are words.

    spaCy also makes tokens of superfluous white space; these are not followed by a space. If a
    white-space token such as U+3000 is followed by a space, it was given as a word and is kept.
    """
    return [token for token in tokens if not _is_layout(token)]


def _is_layout(token: Token) -> bool:
    given_as_word = token.whitespace_ and not set(token.text) & set(" \t\n\v\f\r")
    return bool(token.is_space and not given_as_word)


def _heads_and_labels(tokens: Sequence[Token]) -> tuple[list[int], list[str]]:
    """Return heads, -1 at the one root, and labels of the tokens of a sentence.

    Further roots are attached to the first root. Dependents of white space are attached to its
    head.
    """
    place = {token.i: number for number, token in enumerate(tokens)}
    heads, labels = [], []
    for token in tokens:
        head = token.head
        while _is_layout(head) and head.head.i != head.i:
            head = head.head
        heads.append(-1 if head.i == token.i else place.get(head.i, -1))
        labels.append(token.dep_ or "_")
    first, *further = (number for number, head in enumerate(heads) if head < 0)
    labels[first] = "root"
    for number in further:
        heads[number] = first
        labels[number] = "punct" if tokens[number].pos_ == "PUNCT" else "parataxis"
    return heads, labels
