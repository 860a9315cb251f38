"""What a parser in training is to know of the case of words."""

from __future__ import annotations

from collections.abc import Iterable

from spacy.language import Language

from preorder_eval.data.treebank import Treebank
from preorder_eval.parsers.base import Parser
from preorder_eval.parsers.truecase import (
    TRUECASE,
    Truecase,
    Truecaser,
    forget_case,
    keep_case,
)
from preorder_eval.training.corpus import READER


def set_case(
    nlp: Language,
    start: Parser | None,
    treebanks: Iterable[Treebank],
    wanted: Truecase | None,
    *,
    lower: bool,
) -> str:
    """Let a pipeline keep the case of words, and return how it truecases, empty if it does not.

    A parser that goes on learning keeps what it knows; a new one, and one that goes on from a
    parser which knows nothing, knows the words of its treebanks. It truecases as `wanted`, or else
    as the one that it goes on from, or else `auto`; one that never does, or learns in `lower` case
    only, forgets.

    What goes on learning sees its corpora as it sees sentences to parse: truecased where it will
    truecase. A new one learns the case of words from them, and sees them as they are.
    """
    known = start.identity.truecase if start else ""
    truecase = wanted or known or "auto"
    if not known:
        words = Truecaser.learned(words for trees in treebanks for words in trees.sentences).words
        truecase = truecase if words else "never"
        keep_case(nlp, words)
    if lower or "never" in (known, truecase):
        forget_case(nlp)
        nlp.meta.pop(TRUECASE, None)
        return ""
    nlp.meta[TRUECASE] = truecase
    for corpus in nlp.config["corpora"].values() if start else ():
        if corpus.get("@readers") == READER:
            corpus["truecase"] = truecase
    return truecase
