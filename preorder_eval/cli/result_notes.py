"""What there is to know of a table of results, in lines below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from preorder_eval.visible import quantity

if TYPE_CHECKING:
    from preorder_eval.data.reference_set import ReferenceSet
    from preorder_eval.results.result import Result

_SOME = 10  # numbers of sentences that are named


def notes_of(result: Result, verbose: bool = False) -> list[str]:
    """What there is to know of the table; `verbose` adds sacrebleu's signatures."""
    from preorder_eval import __version__
    from preorder_eval.results.summary import sacrebleu_signatures
    from preorder_eval.results.text import (
        few_sentences,
        lower_is_better,
        marks_legend,
        searches_cut_short,
    )

    inputs, sampling = result.inputs, result.sampling
    scored = len(result) - len(result.left_out)
    if inputs.reference is not None:
        known = inputs.reference.coverage
        linked = f"{100 * known:.0f} % of its words linked{_several(inputs.reference)}"
        first = f"reference {inputs.reference.name}: {linked}"
    else:
        many = len(inputs.references)
        first = f"{quantity(len(result), 'sentence')}, {quantity(many, 'reference')}"
    texts = f" of {len(set(result.documents))} documents" if result.documents else ""
    drawn = f"{sampling.resamples} bootstrap resamples{texts}, seed {sampling.seed}"
    notes = [first, f"score [95 % interval from {drawn}]; preorder-eval {__version__}"]
    if sampling.against == "first" and len(result.systems) > 1:
        notes.append(f"differences from {result.systems[0]}:")
        notes.append(marks_legend(sampling.test, sampling.resamples, sampling.seed))
    notes += _truecased(result)
    notes += _without_links(result)
    notes += lower_is_better(result.metrics)
    notes += searches_cut_short(result)
    notes += few_sentences(scored)
    notes += _not_split(result)
    notes += _in_characters(result)
    left_out = result.left_out
    if left_out:
        more = ", …" if len(left_out) > _SOME else ""
        some = ", ".join(map(str, left_out[:_SOME])) + more
        of = [str(metric) for metric in result.metrics if "orders" in metric.needs]
        by = f" of {', '.join(of)}" if len(of) < len(result.metrics) else ""
        notes.append(f"left out{by}: {len(left_out)} without links (sentences {some})")
    if verbose:
        notes += [f"{ours}: {theirs}" for ours, theirs in sacrebleu_signatures(result).items()]
    return notes


def _not_split(result: Result) -> list[str]:
    """A warning where words are compared of a text that has no spaces between them."""
    from preorder_eval.data.tokenization import unsegmented
    from preorder_eval.metrics.lexical import LexicalMetric

    of_words = [
        metric.name
        for metric in result.metrics
        if isinstance(metric, LexicalMetric)
        and metric.tokenize == "none"
        and {"hyp", "ref"} <= set(metric.needs)
        and metric.name != "chrf"
    ]
    if not of_words or not any(unsegmented(t.sentences) for t in result.inputs.references):
        return []
    names = ", ".join(dict.fromkeys(of_words))
    return [
        "warning: the references have no spaces between words, and what stands between spaces is\n"
        f"a word to {names};\nsplit them with --tokenize (char, zh, ja-mecab)"
    ]


def _in_characters(result: Result) -> list[str]:
    """Where BLEU of Japanese is not what others publish, as MeCab is not installed."""
    from preorder_eval.data.tokenization import language_of, tokenizer_for
    from preorder_eval.metrics.lexical import LexicalMetric

    by_language = [
        metric
        for metric in result.metrics
        if isinstance(metric, LexicalMetric) and metric.splits_by_language
    ]
    if not any(metric.tokenize == "char" == tokenizer_for("ja") for metric in by_language):
        return []
    if not any(language_of(text.sentences) == "ja" for text in result.inputs.references):
        return []
    return [
        f"{by_language[0].name} is of characters; of Japanese others publish it by MeCab's words\n"
        "(tokenize=ja-mecab), the default after pip install 'preorder-eval[ja]'"
    ]


def _truecased(result: Result) -> list[str]:
    """How many sentences parsers have read in another case than they have."""
    from preorder_eval.parsers.truecase import without_capital

    made_by = {system.parser: system.made_by.get("parser") for system in result.inputs.systems}
    parsers = [
        name
        for name, identity in made_by.items()
        if isinstance(identity, Mapping) and identity.get("truecase") == "auto"
    ]
    if not parsers or result.inputs.reference is None:
        return []
    count = sum(map(without_capital, result.inputs.reference.source))
    if not count:
        return []
    which = quantity(count, "sentence")
    return [f"truecased for {', '.join(parsers)}: {which} without a capital"]


def _without_links(result: Result) -> list[str]:
    """Why words without links are left out too, and the metrics that this turns round."""
    from preorder_eval.results.evaluation import ENOUGH_LINKED

    signatures = list(map(str, result.metrics))
    pairs = [(own, without) for own in signatures if (without := _without(own)) in signatures]
    notes = [
        f"{metric} finds {best} best, {without} {other}"
        for metric, without in pairs
        if (best := _best(result, metric)) != (other := _best(result, without))
    ]
    reference = result.inputs.reference
    if pairs and reference is not None and round(reference.coverage, 2) < ENOUGH_LINKED:
        notes.append(
            "less than 90 % linked: words without a link stand beside their source neighbours,\n"
            "which rewards leaving the source as it is; unaligned=drop leaves these words out"
        )
    return notes


def _without(signature: str) -> str:
    """The same metric without the words that have no link."""
    name, _, parameters = signature.rstrip(")").partition("(")
    return f"{name}({','.join(filter(None, [parameters, 'unaligned=drop']))})"


def _best(result: Result, metric: str) -> str:
    values = [result.value(system, metric) for system in result.systems]
    return result.systems[values.index(max(values))]


def _several(reference: ReferenceSet) -> str:
    """How many sentences have several reference orders, and what is made of that."""
    from preorder_eval.data.alignments import MOST

    if reference.alternatives is None:
        return ""
    count = int((reference.alternatives.counts > 1).sum())
    cut = f", {len(reference.cut)} of them cut to {MOST}" if reference.cut else ""
    return f"; the best of several reference orders for {quantity(count, 'sentence')}{cut}"
