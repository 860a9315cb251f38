"""Between spaCy's documents and sentences of ours, without spaCy.

A document is known by what it can do, so that nothing here imports spaCy: who has documents has
imported it already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from preorder_eval.errors import PreorderEvalError


class Token(Protocol):
    """What is used of a token of spaCy."""

    @property
    def i(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def whitespace_(self) -> str: ...
    @property
    def is_space(self) -> bool: ...
    @property
    def head(self) -> Token: ...
    @property
    def dep_(self) -> str: ...
    @property
    def pos_(self) -> str: ...
    @property
    def tag_(self) -> str: ...
    @property
    def lemma_(self) -> str: ...
    @property
    def morph(self) -> object: ...


class Document(Protocol):
    """What is used of a document of spaCy."""

    @property
    def sents(self) -> Iterator[Iterable[Token]]: ...
    def has_annotation(self, attr: str, /) -> bool: ...
    def __iter__(self) -> Iterator[Token]: ...
    def __len__(self) -> int: ...


class Pipeline(Protocol):
    """What is used of a pipeline of spaCy."""

    @property
    def vocab(self) -> object: ...
    def make_doc(self, text: str, /) -> Any: ...


class Sentence(NamedTuple):
    """A sentence's words with the columns of CoNLL-U; heads are 0-based, -1 at the one root."""

    words: list[str]
    heads: list[int]
    labels: list[str]
    upos: list[str]
    xpos: list[str]
    lemma: list[str]
    feats: list[str]
    misc: list[str]


def sentences(docs: Iterable[Document], *, whole: bool) -> Iterator[Sentence]:
    """The sentences of parsed documents, one for each document if it is to stay `whole`.

    Raises PreorderEvalError, with the document's number, for one that has no parse or no word.
    """
    for number, doc in enumerate(docs, 1):
        words = words_of(doc)
        if not words:
            raise PreorderEvalError(f"document {number} has no words; leave it out")
        if not doc.has_annotation("DEP"):
            raise PreorderEvalError(
                f"document {number} has no dependency parse; run it through a parser"
            )
        for part in [words] if whole else map(words_of, doc.sents):
            if part:
                yield _sentence(part)


def words_of(tokens: Iterable[Token]) -> list[Token]:
    """The tokens that are words: spaCy makes tokens of further white space, too."""
    return [token for token in tokens if not token.is_space]


def _sentence(tokens: Sequence[Token]) -> Sentence:
    """The tokens as a tree with one root, wherever spaCy has put borders of sentences.

    Further roots, of sentences that spaCy has seen inside of this one, hang below the first; what
    hangs on white space hangs on what that hangs on.
    """
    place = {token.i: number for number, token in enumerate(tokens)}
    heads, labels = [], []
    for token in tokens:
        head = token.head
        while head.is_space and head.head.i != head.i:
            head = head.head
        above = place.get(head.i, -1)
        heads.append(-1 if head.i == token.i else above)
        labels.append(token.dep_ or "_")
    roots = [number for number, head in enumerate(heads) if head < 0]
    for number in roots[1:]:
        heads[number] = roots[0]
        labels[number] = "punct" if tokens[number].pos_ == "PUNCT" else "parataxis"
    labels[roots[0]] = "root"
    last = len(tokens) - 1
    return Sentence(
        [token.text for token in tokens],
        heads,
        labels,
        [token.pos_ or "_" for token in tokens],
        [token.tag_ or "_" for token in tokens],
        [token.lemma_ or "_" for token in tokens],
        [str(token.morph) or "_" for token in tokens],
        [
            "_" if token.whitespace_ or number == last else "SpaceAfter=No"
            for number, token in enumerate(tokens)
        ],
    )


def document(nlp: Pipeline, sentence: Sentence) -> Any:
    """A document of one sentence, with the pipeline's vocabulary.

    Raises PreorderEvalError for what spaCy cannot take: an empty word or an unknown UPOS tag.
    """
    kind = type(nlp.make_doc(""))

    def known(names: Sequence[str]) -> list[str]:
        return ["" if name == "_" else name for name in names]

    try:
        return kind(
            nlp.vocab,
            words=sentence.words,
            spaces=["SpaceAfter=No" not in entry.split("|") for entry in sentence.misc],
            heads=[i if head < 0 else head for i, head in enumerate(sentence.heads)],
            deps=["ROOT" if label == "root" else label for label in known(sentence.labels)],
            pos=known(sentence.upos),
            tags=known(sentence.xpos),
            lemmas=known(sentence.lemma),
            morphs=known(sentence.feats),
        )
    except (ValueError, KeyError) as error:
        reason = " ".join(str(error).split())
        raise PreorderEvalError(
            f"sentence {' '.join(sentence.words)!r:.60} cannot be a spaCy document: {reason:.150}"
        ) from error
