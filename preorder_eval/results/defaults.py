"""Defaults: the reference of rules, its metrics and rule sets, and the metrics of outputs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, TypeVar

from preorder_eval.data.orders import Alternatives, ReferenceOrders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.rule_reading import load_rules
from preorder_eval.metrics.base import Metric
from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.metrics.order import Kendall, OrderMetric
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.resources import DEFAULT_REFERENCE, bundled_names

ANY = "any"  # the language of rules that are for every one
SOURCE_ORDER = "none"  # the rule set that leaves the source as it is
BASELINES = [SOURCE_ORDER, "reverse", "head-final-reverse-before", "head-final-reverse-after"]
_ENOUGH_LINKED = 0.9
# What is quick and widely known, each kind once.
OUTPUT_METRICS: tuple[str, ...] = ("bleu", "chrf", "ribes", "nkt", "rouge_l", "hlepor", "meteor")
OUTPUT_METRICS += ("nist", "ter", "wer", "per", "fmeasure")
Of = TypeVar("Of", bound=OrderMetric)


class Objective(NamedTuple):
    """The two metrics that reorderings are scored by, the first one first wherever they stand."""

    first: OrderMetric
    second: OrderMetric

    @property
    def tau(self) -> Kendall:
        """The one of the two that is τ."""
        return next(metric for metric in self if isinstance(metric, Kendall))


def objective(reference: ReferenceSet | ReferenceOrders | Alternatives) -> Objective:
    """Return what a reference is scored by unless metrics are named: FRS and Kendall's τ.

    Everything that scores, compares, analyses, learns or selects asks here. An unaligned word
    stands beside its neighbour in the reference order (Talbot et al. 2011, 3.1). That is meant for
    texts that link all words but articles and punctuation. Where less than 90% of the words have a
    link it rewards leaving the source as it is, and unaligned words are left out instead. So are
    they where an aligner made the links, and then τ leads: FRS counts neighbours, and where few
    words have links, these are seldom neighbours.

    >>> from preorder_eval.data.alignments import Alignments
    >>> links = Alignments.of([[(0, 0)]])
    >>> [str(by) for by in objective(ReferenceSet("mine", [["a"]], links))]
    ['fuzzy(match=word)', 'kendall']
    >>> [str(by) for by in objective(ReferenceSet("mine", [["a", "b"]], links))]
    ['fuzzy(match=word,unaligned=drop)', 'kendall(unaligned=drop)']
    """
    return objective_at(reference.coverage, automatic=bool(reference.aligner))


def objective_at(coverage: float, *, automatic: bool = False) -> Objective:
    """Return the objective where this share of the source words has a link."""
    if automatic or not enough_linked(coverage):
        frs, tau = Fuzzy(unaligned="drop"), Kendall(unaligned="drop")
        return Objective(tau, frs) if automatic else Objective(frs, tau)
    return Objective(Fuzzy(), Kendall())


def enough_linked(coverage: float) -> bool:
    """Return whether 90% of the source words, rounded to whole percent, have a link."""
    return round(coverage, 2) >= _ENOUGH_LINKED


def of_kind(kind: type[Of], metrics: Iterable[Metric], reference: ReferenceSet) -> Of:
    """Return the first metric of a kind among those that a reference was scored by.

    Where none is, one of that kind that counts the same words and reference orders as the first
    metric of orders does; where there is none of these either, as the `objective` does.
    """
    of_orders = [metric for metric in metrics if isinstance(metric, OrderMetric)]
    first = [*of_orders, *objective(reference)][0]
    like = kind(unaligned=first.unaligned, references=first.references, average=first.average)
    return next((metric for metric in of_orders if isinstance(metric, kind)), like)


def reference_for(rules: Iterable[str | Path | RuleSet] = ()) -> str:
    """Return the reference set for rules unless one is named: the bundled one of their target.

    Without rules it is `DEFAULT_REFERENCE`. Raises PreorderEvalError for rules of several targets
    or of none, and for a target that no bundled set has.

    >>> [reference_for(rules) for rules in ([], ["none", "en-tr"], ["en-ja"])]
    ['en-ja-web', 'en-tr', 'en-ja-web']
    """
    named = list(map(load_rules, rules))
    pairs = dict.fromkeys((r.source, r.target) for r in named if r.target != ANY)
    if not named:
        return DEFAULT_REFERENCE
    if len(pairs) == 1:
        [(source, target)] = pairs
        pair = f"{'en' if source == ANY else source}-{target}"
        for name in (f"{pair}-web", pair):
            if name in bundled_names("reference_data"):
                return name
        problem = f"no bundled reference set is {pair}, as rule set {named[-1].name} is"
    elif pairs:
        problem = f"the rule sets have several targets: {', '.join(t for _, t in pairs)}"
    else:
        names = ", ".join(rule_set.name for rule_set in named)
        problem = f"no reference is named, and rules {names} name no target language"
    sets = ", ".join(bundled_names("reference_data"))
    raise PreorderEvalError(
        f"{problem}; give a reference: --reference with one of {sets} or your folder, or "
        "--alignment with --source"
    )


def bundled_rules(languages: str = "") -> list[str]:
    """Return the names of the rule sets that are scored unless some are named: `none` and others.

    Of those written for a pair of languages, the one for `languages`, or all if there is none for
    them. Variants, such as one for trees of another scheme, have to be asked for.

    >>> bundled_rules("en-ja")
    ['none', 'en-ja']
    """
    pairs = {name for name in bundled_names("rules") if name.count("-") == 1}
    of_languages = sorted(pairs - set(BASELINES))
    return [SOURCE_ORDER, *([languages] if languages in of_languages else of_languages)]
