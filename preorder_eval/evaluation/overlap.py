"""Overlap between the scored text and the training data of parsers and rule sets."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.evaluation.systems import System
from preorder_eval.references.reference_set import ReferenceSet

SEEN = 0.05  # of the sentences, below which it does not matter that they were seen


def seen(systems: Iterable[System], reference: ReferenceSet) -> dict[str, int]:
    """Count the sentences of a reference set that the systems' parsers and rules have seen.

    Parsers and rules have seen the sentences of the sets that they were trained or tuned on,
    whatever the target language. Sets are compared by their sentences; one that cannot be loaded is
    compared by its name.

    >>> import preorder_eval as pe
    >>> data = pe.load_reference("en-ja-web/dev")
    >>> seen([pe.Parsed.by("gold", data).reordered("en-ja")], data)
    {'rules en-ja': 250}
    """
    makers = {}
    for system in systems:
        makers[f"parser {system.parser}"] = system.maker("parser")
        makers[f"rules {system.rules}"] = system.maker("rules")
    counts = {}
    for called, maker in makers.items():
        loaded = {name: _sentences_of(name) for name in maker.get("tuned_on", [])}
        known = frozenset().union(*filter(None, loaded.values()))
        count = sum(tuple(words) in known for words in reference.source) if known else 0
        if reference.name in loaded and loaded[reference.name] is None:
            count = len(reference)
        count = max(count, int(maker.get("learned_from", 0)))
        if count:
            counts[called] = count
    return counts


def learned(system: System, reference: str) -> dict[str, list[str]]:
    """Return the parsers and rules that learned from other splits of a set, and which splits.

    >>> rules = {"name": "en-ja", "tuned_on": ["en-ja", "en-ja-web/dev"]}
    >>> learned(System("mine", made_by={"rules": rules}), "en-ja-web/test")
    {'rules en-ja': ['en-ja-web/dev']}
    """
    name, slash, part = reference.rpartition("/")
    found = {}
    for what in ("parser", "rules"):
        maker = system.maker(what)
        named = [str(one).rpartition("/") for one in maker.get("tuned_on", [])]
        splits = [f"{name}/{p}" for n, _, p in named if slash and n == name and p != part]
        if splits:
            found[f"{what} {maker['name']}"] = splits
    return found


@lru_cache(maxsize=16)
def _sentences_of(name: str) -> frozenset[tuple[str, ...]] | None:
    from preorder_eval.references.reference_folder import source_sentences  # for what was trained

    with suppress(PreorderEvalError):
        return frozenset(map(tuple, source_sentences(name)))
    return None
