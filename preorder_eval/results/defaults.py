"""Defaults: the metrics of a reference set or of outputs, and the rule sets of a language pair."""

from __future__ import annotations

from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.resources import bundled_names

SOURCE_ORDER = "none"  # the rule set that leaves the source as it is
BASELINES = [SOURCE_ORDER, "reverse", "head-final-reverse-before", "head-final-reverse-after"]
ORDER_METRICS = ("fuzzy", "kendall")
ENOUGH_LINKED = 0.9
# What is quick and widely known, each kind once.
OUTPUT_METRICS: tuple[str, ...] = ("bleu", "chrf", "ribes", "nkt", "rouge_l", "hlepor", "meteor")
OUTPUT_METRICS += ("nist", "wer", "per", "fmeasure")


def default_metrics(reference: ReferenceSet) -> tuple[str, ...]:
    """Return FRS and Kendall's τ; where few words are linked, also without unaligned words.

    An unaligned word stands beside its neighbour in the reference order (Talbot et al. 2011, 3.1).
    That is meant for texts that link all words but articles and punctuation. Where less than 90 %
    of the words have a link it rewards leaving the source as it is.

    >>> from preorder_eval.data.alignments import Alignments
    >>> default_metrics(ReferenceSet("mine", [["a", "b"]], Alignments.of([[(0, 0)]])))[2:]
    ('fuzzy(unaligned=drop)', 'kendall(unaligned=drop)')
    """
    if enough_linked(reference.coverage):
        return ORDER_METRICS
    return (*ORDER_METRICS, *(f"{name}(unaligned=drop)" for name in ORDER_METRICS))


def enough_linked(coverage: float) -> bool:
    """Return whether 90 % of the source words, rounded to whole percent, have a link."""
    return round(coverage, 2) >= ENOUGH_LINKED


def bundled_rules(languages: str = "") -> list[str]:
    """Return the names of the bundled rule sets: R1 to R4 of the paper, then those of a pair.

    Of those written for a pair of languages, the one for `languages`, or all if there is none for
    them. Variants, such as one for trees of another scheme, have to be asked for.

    >>> bundled_rules("en-ja")[-2:]
    ['head-final-reverse-after', 'en-ja']
    """
    pairs = {name for name in bundled_names("rules") if name.count("-") == 1}
    of_languages = sorted(pairs - set(BASELINES))
    return [*BASELINES, *([languages] if languages in of_languages else of_languages)]
