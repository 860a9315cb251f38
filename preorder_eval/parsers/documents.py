"""Between sentences of ours and documents of spaCy."""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Doc
from spacy.vocab import Vocab

from preorder_eval.treebank import Tree

# spaCy refuses empty tokens and treats white space as no word at all; such a token is given to
# the parser as this harmless one and keeps its own text in the result.
_STAND_IN = "."


def document(vocab: Vocab, words: Sequence[str]) -> Doc:
    """A document of one sentence with exactly these words.

    The sentence start is set beforehand, and that is what keeps the parser from splitting it:
    every tree has one root.
    """
    visible = [word if word.strip() else _STAND_IN for word in words]
    starts: list[bool | int | None] = [i == 0 for i in range(len(words))]
    return Doc(vocab, words=visible, sent_starts=starts)


def gold_document(vocab: Vocab, tree: Tree, *, lower: bool = False) -> Doc:
    """A document that carries a tree's heads, labels and tags, to learn from."""
    return Doc(
        vocab,
        words=[word.lower() if lower else word for word in tree.words],
        heads=[i if head < 0 else head for i, head in enumerate(tree.heads)],
        deps=[
            "ROOT" if head < 0 else label
            for head, label in zip(tree.heads, tree.labels, strict=True)
        ],
        tags=tree.xpos,
        pos=tree.upos,
    )
