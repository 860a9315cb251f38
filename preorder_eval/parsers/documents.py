"""Between sentences of ours and documents of spaCy."""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Doc
from spacy.vocab import Vocab

from preorder_eval.data.treebank import Tree

# spaCy refuses empty tokens and treats white space as no word at all; such a token is given to
# the parser as this harmless one and keeps its own text in the result.
_STAND_IN = "."


# The key in a pipeline's meta data that says whether it has learned in lower case only.
LOWER_CASE = "lower_case"


def document(vocab: Vocab, words: Sequence[str], *, lower: bool = False) -> Doc:
    """A document of one sentence with exactly these words, or these in lower case.

    The sentence start is set beforehand, and that is what keeps the parser from splitting it:
    every tree has one root.
    """
    starts: list[bool | int | None] = [i == 0 for i in range(len(words))]
    return Doc(vocab, words=_visible(words, lower), sent_starts=starts)


def set_sentence(doc: Doc) -> None:
    """Make one sentence of a document again, whatever components have made of it."""
    for i in (doc.to_array(["SENT_START"])[1:] == 1).nonzero()[0].tolist():
        doc[i + 1].is_sent_start = False


def gold_document(vocab: Vocab, tree: Tree, *, lower: bool = False) -> Doc:
    """A document that carries a tree's heads, labels and tags, to learn from.

    A tag that is `_` is missing: nothing is learned from it.
    """
    return Doc(
        vocab,
        words=_visible(tree.words, lower),
        heads=[i if head < 0 else head for i, head in enumerate(tree.heads)],
        deps=[
            "ROOT" if head < 0 else label
            for head, label in zip(tree.heads, tree.labels, strict=True)
        ],
        tags=_without_missing(tree.xpos),
        pos=_without_missing(tree.upos),
    )


def _visible(words: Sequence[str], lower: bool) -> list[str]:
    shown = (word if word.strip() else _STAND_IN for word in words)
    return [word.lower() if lower else word for word in shown]


def _without_missing(tags: Sequence[str]) -> list[str]:
    """The tags as spaCy has them, "" where there is none."""
    return ["" if tag == "_" else tag for tag in tags]
