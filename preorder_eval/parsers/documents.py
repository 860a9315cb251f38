"""Between sentences of ours and documents of spaCy."""

from __future__ import annotations

from collections.abc import Sequence

from spacy.language import Language
from spacy.tokens import Doc
from spacy.vocab import Vocab

from preorder_eval.data.treebank import Tree
from preorder_eval.parsers.pipelines import TRUECASE
from preorder_eval.parsers.truecase import Truecaser

# spaCy refuses empty tokens and treats white space as no word at all; such a token is given to
# the parser as this harmless one and keeps its own text in the result.
_STAND_IN = "."


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


def keep_case(nlp: Language, words: Sequence[str]) -> None:
    """Put what a truecaser knows among a pipeline's tables of words, with which it is written."""
    forget_case(nlp)
    nlp.vocab.lookups.add_table(TRUECASE, {word.lower(): word for word in words})


def forget_case(nlp: Language) -> None:
    """Take it out again, if there is any."""
    if TRUECASE in nlp.vocab.lookups:
        nlp.vocab.lookups.remove_table(TRUECASE)


def truecaser(nlp: Language, truecase: str) -> Truecaser | None:
    """The truecaser of a pipeline that is to truecase as this says, None for none."""
    if truecase not in ("auto", "always"):
        return None
    words = nlp.vocab.lookups.get_table(TRUECASE).values()
    return Truecaser(words, always=truecase == "always")
