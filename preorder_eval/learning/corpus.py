"""CoNLL-U files as a corpus that spaCy's training loop reads."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from spacy.language import Language
from spacy.training import Example
from spacy.util import registry

from preorder_eval.parsers.pipelines import READER
from preorder_eval.parsers.to_docs import document, gold_document
from preorder_eval.parsers.truecase import pipeline_truecaser
from preorder_eval.trees.conllu import read_conllu


@registry.readers(READER)  # type: ignore[untyped-decorator]
def treebank_corpus(
    path: str | list[str],
    weights: list[int] | None = None,
    lower: float = 0.0,
    seed: int = 0,
    shuffle: bool = False,
    known_tags: bool = False,
    truecase: str = "",
) -> Callable[[Language], Iterable[Example]]:
    """Yield an example for each sentence of one or several files.

    Parameters: `weights` how often each file is used; `lower` the share of the examples that are in
    lower case, drawn anew whenever the corpus is read; `truecase` as in `parsers.truecase`, applied
    before. Tags that are `_` are not learned. With `known_tags`, XPOS tags that the pipeline's
    tagger lacks are not learned either, because a trained tagger cannot get new ones.
    """
    paths = [path] if isinstance(path, str) else path
    trees = [
        tree
        for file, weight in zip(paths, weights or [1] * len(paths), strict=True)
        for tree in list(read_conllu(file)) * weight
    ]
    rng = random.Random(seed)  # noqa: S311 (not for secrets)

    def read(nlp: Language) -> Iterator[Example]:
        tagger: Any = nlp.get_pipe("tagger") if known_tags and "tagger" in nlp.pipe_names else None
        if shuffle:
            rng.shuffle(trees)
        casing = pipeline_truecaser(nlp, truecase)
        for given in trees:
            tree = replace(given, words=casing.read(given.words)) if casing else given
            gold = gold_document(nlp.vocab, tree, lower=rng.random() < lower)
            for token in gold if tagger else ():
                if token.tag_ not in tagger.labels:
                    token.tag_ = ""
            yield Example(document(nlp.vocab, [token.text for token in gold]), gold)

    return read
