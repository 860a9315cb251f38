"""Scorer and corpus with which spaCy's own training selects the model that reorders best.

`select_by_fuzzy.cfg` beside this module is a config that uses it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from math import isnan
from typing import Any

from spacy.language import Language
from spacy.pipeline.dep_parser import parser_score
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry

from preorder_eval.evaluation.parsed import in_scheme_of
from preorder_eval.parsers.from_docs import from_docs, words_of
from preorder_eval.parsers.to_docs import document, gold_document
from preorder_eval.references.objective import objective
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.trees.retokenize import fitted, text_of


@registry.scorers("preorder_eval.fuzzy_scorer.v1")  # type: ignore[untyped-decorator]
def fuzzy_scorer(reference: str, rules: str) -> Callable[..., dict[str, Any]]:
    """Return a scorer for the parser of a pipeline: `fuzzy` and `kendall`, beside spaCy's scores.

    They are the metrics of the reference's `objective`, as in `evaluate` with the same trees.
    Parameters: `reference` the name or folder of a reference set, `rules` the name or file of a
    rule set. Examples are sentences of the set, one a document and tokenised in any way; others are
    left out. Where no example is in the set the scores are None, which spaCy prints as a dash.

    A pipeline names its scorer, and loads without the reference: that is read for the first score.
    """
    read = cache(lambda: (load_reference(reference), load_rules(rules)))

    def score(examples: Iterable[Example], **settings: Any) -> dict[str, Any]:
        scored = list(examples)
        (data, rule_set), docs = read(), [example.predicted for example in scored]
        metrics, numbers = objective(data), _numbers_of(docs, data.source)
        scores: dict[str, float | None] = dict.fromkeys(by.name for by in metrics)
        known = [number for number in numbers if number is not None]
        if known:
            part = data.take(known, data.name)
            of_part = [doc for doc, n in zip(docs, numbers, strict=True) if n is not None]
            trees = in_scheme_of(from_docs(of_part, labels="own"), [rule_set])
            orders = rule_set.reorder(fitted(trees, part.source, data.name))
            for by in metrics:
                value = by.score(orders, part.allowed, part.words).corpus
                scores[by.name] = None if isnan(value) else value
        return {**parser_score(scored, **settings), **scores}

    return score


def _numbers_of(docs: Iterable[Doc], source: Iterable[list[str]]) -> list[int | None]:
    """Return the number of each document's sentence; repeated sentences are matched in order."""
    by_text: dict[str, list[int]] = {}
    for number, words in enumerate(source):
        by_text.setdefault(text_of(words), []).append(number)
    taken: Counter[str] = Counter()
    numbers: list[int | None] = []
    for doc in docs:
        text = text_of(word.text for word in words_of(doc))
        known = by_text.get(text, [])
        numbers.append(known[taken[text]] if taken[text] < len(known) else None)
        taken[text] += 1
    return numbers


@registry.readers("preorder_eval.reference.v1")  # type: ignore[untyped-decorator]
def reference_corpus(reference: str) -> Callable[[Language], Iterable[Example]]:
    """Yield an example for each sentence of a reference set, with its gold tree if there is one."""
    data = load_reference(reference)

    def read(nlp: Language) -> Iterator[Example]:
        trees = [None] * len(data) if data.trees is None else list(data.trees)
        for words, tree in zip(data.source, trees, strict=True):
            gold = document(nlp.vocab, words) if tree is None else gold_document(nlp.vocab, tree)
            yield Example(document(nlp.vocab, words), gold)

    return read
