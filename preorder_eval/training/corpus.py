"""CoNLL-U files as a corpus that spaCy's training loop reads."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator

from spacy.language import Language
from spacy.training import Example
from spacy.util import registry

from preorder_eval.formats.conllu import read_conllu
from preorder_eval.parsers.documents import document, gold_document


@registry.readers("preorder_eval.treebank.v1")  # type: ignore[untyped-decorator]
def treebank_corpus(
    path: str, lower: float = 0.0, seed: int = 0, shuffle: bool = False
) -> Callable[[Language], Iterable[Example]]:
    """One example a sentence; the share `lower` of them, drawn anew each epoch, in lower case."""
    treebank = read_conllu(path)
    trees = list(treebank)
    rng = random.Random(seed)  # noqa: S311 (not for secrets)

    def read(nlp: Language) -> Iterator[Example]:
        if shuffle:
            rng.shuffle(trees)
        for tree in trees:
            gold = gold_document(nlp.vocab, tree, lower=rng.random() < lower)
            yield Example(document(nlp.vocab, [token.text for token in gold]), gold)

    return read
