"""The scorer by which `spacy train` selects the model that reorders best.

`select_by_fuzzy.cfg` beside this module is a config that uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isnan
from typing import Any

from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry

from preorder_eval.data.orders import Orders
from preorder_eval.data.retokenize import CharacterAlignment, text_of
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.parsers.docs import words_of
from preorder_eval.results.defaults import objective


@registry.scorers("preorder_eval.fuzzy_scorer.v1")  # type: ignore[untyped-decorator]
def fuzzy_scorer(reference: str) -> Callable[..., dict[str, Any]]:
    """Return the scores `fuzzy` and `kendall` of the orders that the component `preorder` has set.

    They are those of the reference's `objective`, as in `evaluate` with trees of the same pipeline.
    Parameters: `reference` the name or folder of a reference set. The examples must be sentences of
    it, one a document and tokenised in any way; others are left out. Where no example is in the
    reference the scores are None, which spaCy prints as a dash.
    """
    data = load_reference(reference)
    metrics = objective(data)
    by_text: dict[str, list[int]] = {}
    for number, words in enumerate(data.source):
        by_text.setdefault(text_of(words), []).append(number)

    def score(examples: Iterable[Example], **settings: Any) -> dict[str, Any]:
        # A sentence that the reference has twice may have two orders there: each in its turn.
        turns = {text: iter(numbers) for text, numbers in by_text.items()}
        orders: list[list[int]] = []
        chosen: list[int] = []
        for example in examples:
            doc = example.predicted
            number = next(turns.get(text_of(w.text for w in words_of(doc)), iter(())), None)
            if number is not None:
                orders.append(_order_of(data.source[number], doc))
                chosen.append(number)
        if not chosen:
            return {metric.name: None for metric in metrics}
        part = data.take(chosen, data.name)
        scores = {
            metric.name: metric.score(Orders.of(orders), part.allowed, part.words).corpus
            for metric in metrics
        }
        return {name: None if isnan(value) else value for name, value in scores.items()}

    return score


def _order_of(words: list[str], doc: Doc) -> list[int]:
    """Return the order of a reference's words: each comes out where its first character does."""
    tokens = words_of(doc)
    indices = [token.i for token in tokens]
    place = {index: place for place, index in enumerate(doc._.preorder)}
    holder = CharacterAlignment.of(words, [token.text for token in tokens]).first
    places = [place[indices[number]] for number in holder.tolist()]
    return sorted(range(len(words)), key=places.__getitem__)
