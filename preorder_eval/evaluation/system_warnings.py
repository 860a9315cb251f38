"""Warnings of parsers and rules that do not fit a text: of another language, or tuned on it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np

from preorder_eval.base.errors import argument, warn
from preorder_eval.base.resources import bundled_names
from preorder_eval.orders.orders import ReferenceOrders
from preorder_eval.references.objective import ANY
from preorder_eval.references.reference_set import ReferenceSet

if TYPE_CHECKING:
    from preorder_eval.rules.rule_set import RuleSet

_LANGUAGES = re.compile(r"([a-z]{2,3})-([a-z]{2,3})")
SOME = 20  # sentences by which a pattern is no chance, nor are trees that equal others
_LOOKED_AT = 2000  # words
_FEWEST = 50  # words by which a language can be told
# Those of the thirty most frequent words of English that neighbouring languages do not have.
_ENGLISH = {"the", "of", "and", "to", "is", "that", "it", "for", "with", "you"}
_ENGLISH |= {"as", "are", "this", "be", "not", "have", "from", "by"}
_ENGLISH_SHARE = 0.05  # in English texts of many kinds it is between 0.15 and 0.35


def _fix() -> str:
    parser, trees = argument("parsers=…", "--parser"), argument("trees=…")
    return f"use a parser for its language ({parser}), or give trees ({trees})"


def warn_of_rules(rules: RuleSet, reference: ReferenceSet) -> None:
    """Warn of rules that were learned on other text, or are for other languages."""
    if rules.learned and reference.name not in rules.tuned_on:
        warn(
            f"rule set {rules.name} was {rules.description}; on other text, such as "
            f"{reference.name}, learned rules can reorder worse than hand-written ones: compare "
            "both"
        )
    pair = _LANGUAGES.fullmatch(reference.languages)
    if pair is None:
        return
    for side, wanted, there in zip(
        ("source", "target"), pair.groups(), (rules.source, rules.target), strict=True
    ):
        if there not in (ANY, wanted):
            named = f"{rules.source}-{rules.target}"
            fixes = [argument(f"rules={reference.languages}")] * (
                reference.languages in bundled_names("rules")
            )
            known = named in bundled_names("reference_data")
            fixes += [argument(f"reference={named}") if known else f"a reference set of {named}"]
            warn(
                f"rule set {rules.name} is for the {side} language {there}, but reference "
                f"{reference.name} has {wanted}; use {' or '.join(fixes)}"
            )


def warn_of_text(
    language: str, parser: str, sentences: Sequence[Sequence[str]], languages: str = ""
) -> None:
    """Warn of text that is in another language or script than a parser's.

    Parameters: `language` the code of the parser's language, empty if it is not known; `languages`
    those of the reference set, like `en-ja`, if they are known.
    """
    pair = _LANGUAGES.fullmatch(languages)
    if language and pair is not None and pair[1] != language:
        warn(f"parser {parser} is for {language}, but the source is {pair[1]}; {_fix()}")
    elif language == "en":
        words = list(islice(chain.from_iterable(sentences), _LOOKED_AT))
        letters = [c for word in words for c in word if c.isalpha()]
        latin = sum(unicodedata.name(c, "").startswith("LATIN") for c in letters)
        frequent = sum(word.lower() in _ENGLISH for word in words)
        if len(letters) >= _FEWEST and 2 * latin < len(letters):
            warn(f"parser {parser} is for English, but the source is in another script; {_fix()}")
        elif len(words) >= _FEWEST and frequent < _ENGLISH_SHARE * len(words):
            warn(
                f"parser {parser} is for English, but the source has hardly any frequent English "
                f"words; if it is in another language, {_fix()}"
            )


def moves(orders: ReferenceOrders) -> bool:
    """Return whether the reference order of any sentence differs from its source order."""
    starts = np.zeros(len(orders.ranks) + 1, dtype=bool)  # of sentences
    starts[orders.offsets] = True
    return bool(((np.diff(orders.ranks) < 0) & ~starts[1:-1]).any())


def warn_if_nothing_moves(reference: ReferenceSet) -> None:
    """Warn of links that leave every sentence as it is."""
    if not moves(reference.references) and reference.informative.sum() >= SOME:
        warn(
            f"reference {reference.name}: every reference order equals the source order, so "
            "there is nothing to reorder; check the links and their direction"
        )
