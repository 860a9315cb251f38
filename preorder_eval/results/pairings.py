"""Warnings about inputs that are right by themselves and do not go together."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import chain, islice

import numpy as np

from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.tags import parts_of_speech
from preorder_eval.errors import warn
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.resources import bundled_names

_LANGUAGES = re.compile(r"([a-z]{2,3})-([a-z]{2,3})")
_ANY = "any"
_SOME = 20  # sentences by which a pattern is no chance
_LOOKED_AT = 2000  # words
_FEWEST = 50  # words by which a language can be told
# Those of the thirty most frequent words of English that neighbouring languages do not have.
_ENGLISH = {"the", "of", "and", "to", "is", "that", "it", "for", "with", "you"}
_ENGLISH |= {"as", "are", "this", "be", "not", "have", "from", "by"}
_ENGLISH_SHARE = 0.05  # in English texts of many kinds it is between 0.15 and 0.35
_SHARED = 0.1  # of the tags, punctuation and the like, that two tagsets may have in common
_NAMED = 4  # tags
_MEND = "take a parser of its language (--parser), or its trees (--trees)"


def warn_of_rules(rules: RuleSet, reference: ReferenceSet) -> None:
    """Warn of rules for another pair of languages than the reference's, or tuned on its test."""
    warn_of_tuning(f"rule set {rules.name}", rules.tuned_on, reference)
    pair = _LANGUAGES.fullmatch(reference.languages)
    if pair is None:
        return
    for side, wanted, there in zip(
        ("source", "target"), pair.groups(), (rules.source, rules.target), strict=True
    ):
        if there not in (_ANY, wanted):
            named = f"{rules.source}-{rules.target}"
            mends = [f"--rules {reference.languages}"] * (
                reference.languages in bundled_names("rules")
            )
            mends += [f"--reference {named}"] * (named in bundled_names("reference_data"))
            warn(
                f"rule set {rules.name} is for the {side} language {there}, but reference "
                f"{reference.name} has {wanted}; {' or '.join(mends) or 'take one of the same'}"
            )


def warn_of_tuning(what: str, tuned_on: Sequence[str], reference: ReferenceSet) -> None:
    """Warn of what was tuned on sentences that it is to be tested on."""
    seen = reference.seen_by(tuned_on)
    if seen is not None:
        warn(
            f"{what} was tuned on {seen}: its scores on {reference.name} flatter; tune on the part "
            "dev, and score on sentences that it has not seen"
        )


def warn_of_default(rules: RuleSet, reference: ReferenceSet) -> None:
    """Warn of rules for no language in particular on a reference that nobody has named."""
    if rules.target == _ANY and rules.name not in bundled_names("rules"):
        warn(
            f"rule set {rules.name} does not say its target language, and is scored on reference "
            f"{reference.name}; name another with --reference, or write target = in the rules"
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
        warn(f"parser {parser} is for {language}, but the source is {pair[1]}; {_MEND}")
    elif language == "en":
        words = list(islice(chain.from_iterable(sentences), _LOOKED_AT))
        letters = [c for word in words for c in word if c.isalpha()]
        latin = sum(unicodedata.name(c, "").startswith("LATIN") for c in letters)
        frequent = sum(word.lower() in _ENGLISH for word in words)
        if len(letters) >= _FEWEST and 2 * latin < len(letters):
            warn(f"parser {parser} is for English, but the source is in another script; {_MEND}")
        elif len(words) >= _FEWEST and frequent < _ENGLISH_SHARE * len(words):
            warn(
                f"parser {parser} is for English, but hardly any of the source's words is a "
                f"frequent one of English; if it is another language, {_MEND}"
            )


def warn_of_tagsets(outputs: Sequence[str], source: Sequence[str]) -> None:
    """Warn of lines of tags of outputs that are hardly any of the source's."""
    tags, others = (
        Counter(islice(chain.from_iterable(map(parts_of_speech, lines)), _LOOKED_AT))
        for lines in (outputs, source)
    )
    shared = sum(count for tag, count in tags.items() if tag in others)
    if tags.total() >= _FEWEST and shared < _SHARED * tags.total():
        some, other = (
            " ".join(tag for tag, _ in of_side.most_common(_NAMED)) for of_side in (tags, others)
        )
        warn(
            f"the tags of outputs ({some} …) are hardly any of the source's ({other} …), as if of "
            "another tagset; see --map-tags and --map-source-tags"
        )


def warn_if_nothing_moves(reference: ReferenceSet) -> None:
    """Warn of links that leave every sentence as it is."""
    orders = reference.references
    falls = np.diff(orders.ranks) < 0
    inside = np.ones(len(falls), dtype=bool)
    inside[orders.offsets[1:-1][orders.offsets[1:-1] <= len(falls)] - 1] = False
    if not (falls & inside).any() and reference.informative.sum() >= _SOME:
        warn(
            f"reference {reference.name}: every reference order is that of the source, there is "
            "nothing to reorder; see whether --alignment is of these sentences and --direction "
            "is right"
        )
