"""Metrics by name: those of this package, and those of other packages.

A metric of this package is a class with a line in `_BUNDLED`. Other packages bring theirs by an
entry point (`preorder_eval.base.plugins`). A name loads the module of that metric alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from preorder_eval.base.errors import PreorderEvalError, UnknownNameError, argument
from preorder_eval.base.plugins import Named, Registry
from preorder_eval.base.text.tokenization import Tokenize
from preorder_eval.metrics.base import Metric, build_metric, parameter_types, parse_signature
from preorder_eval.metrics.needs import LINKED
from preorder_eval.metrics.orders.order import OrderMetric

_BUNDLED = {
    "bleu": "outputs.bleu:Bleu",
    "cder": "outputs.error_rates:BlockMovementErrorRate",
    "chrf": "outputs.chrf:Chrf",
    "ebleu": "outputs.tag_sequences:Ebleu",
    "errors": "given:GivenErrors",
    "exact": "orders.order:Exact",
    "fmeasure": "outputs.unigrams:FMeasure",
    "footrule": "orders.order:Footrule",
    "fuzzy": "orders.fuzzy:Fuzzy",
    "gtm": "outputs.gtm:Gtm",
    "hamming": "orders.order:Hamming",
    "hlepor": "outputs.lepor:Hlepor",
    "hppr": "outputs.tag_sequences:Hppr",
    "kendall": "orders.order:Kendall",
    "lepor": "outputs.lepor:Lepor",
    "lrscore": "outputs.lrscore:LRScore",
    "meteor": "outputs.meteor:Meteor",
    "modifier": "outputs.ribes:NktModifier",
    "nist": "outputs.nist:Nist",
    "nkt": "outputs.ribes:NormalizedKendall",
    "nlepor": "outputs.lepor:Nlepor",
    "nsr": "outputs.ribes:NormalizedSpearman",
    "per": "outputs.error_rates:PositionIndependentErrorRate",
    "precision": "outputs.unigrams:Precision",
    "recall": "outputs.unigrams:Recall",
    "ribes": "outputs.ribes:Ribes",
    "rouge_l": "outputs.rouge:RougeL",
    "rouge_n": "outputs.rouge:RougeN",
    "rouge_s": "outputs.rouge:RougeS",
    "rouge_su": "outputs.rouge:RougeSU",
    "rouge_w": "outputs.rouge:RougeW",
    "scores": "given:GivenScores",
    "spearman": "orders.order:Spearman",
    "tag_f": "outputs.tag_sequences:TagF",
    "ter": "outputs.ter:Ter",
    "ulam": "orders.order:Ulam",
    "wer": "outputs.error_rates:WordErrorRate",
}
# The four variants of Birch & Osborne (2010), and other names in use.
LR_VARIANTS = {
    "LR-HB1": "lrscore(distance=hamming,ngram=1)",
    "LR-HB4": "lrscore(distance=hamming,ngram=4)",
    "LR-KB1": "lrscore(distance=kendall,ngram=1)",
    "LR-KB4": "lrscore(distance=kendall,ngram=4)",
}
_SPOKEN = {
    "frs": "fuzzy",
    "tau": "kendall",
    "τ": "kendall",
    "rho": "spearman",
    "ρ": "spearman",
    "f1": "fmeasure",
    "f_measure": "fmeasure",
}


def metric(signature: str, **parameters: Any) -> Metric:
    """Make a metric from its signature, or from its name and parameters.

    Other names in use are understood (`written_out`). Raises UnknownNameError, with the
    legal values, for an unknown metric or parameter.

    >>> import preorder_eval as pe
    >>> str(pe.metric("fuzzy"))
    'fuzzy(match=word)'
    >>> str(pe.metric("fuzzy(match=position)", unaligned="drop"))
    'fuzzy(match=position,unaligned=drop)'
    >>> str(pe.metric("LR-HB1(alpha=0.2)"))
    'lrscore(distance=hamming,ngram=1,alpha=0.2)'
    >>> str(pe.metric("rouge_l(like=rouge-score)"))
    'rouge_l(beta=1.0,tokenize=rouge_score)'
    >>> str(pe.metric("lepor(pair=cs-en)"))
    'lepor(alpha=1.0,beta=9.0,n=2,system=A)'
    """
    name, written = _resolved(signature, like=parameters.pop("like", ""))
    return build_metric(metric_type(name), {**written, **parameters})


def order_metric(signature: str) -> OrderMetric:
    """Make a metric that compares orders, from its signature."""
    parsed = metric(signature)
    if not isinstance(parsed, OrderMetric):
        names = [n for n, t in metric_types().items() if issubclass(t, OrderMetric)]
        raise UnknownNameError("order metric", signature, names)
    return parsed


@cache
def metric_type(name: str) -> type[Metric]:
    """Return the class of the metric of that name; the user's program may have defined it.

    Raises UnknownNameError with the known names, and PreorderEvalError for another package's metric
    that cannot be loaded or is no metric.
    """
    known = entries()
    if name not in known:
        if own := [kind for kind in _subclasses(Metric) if getattr(kind, "name", None) == name]:
            return own[-1]
        given = "; scores of other programs: "
        given += argument("scores={NAME: FILE}", "--scores NAME=FILE")
        raise UnknownNameError("metric", name, known, given)
    kind: type[Metric] = known[name].load()
    is_metric = isinstance(kind, type) and issubclass(kind, Metric) and not inspect.isabstract(kind)
    if not is_metric or getattr(kind, "name", None) != name:
        raise known[name].wrong(f"a complete subclass of Metric whose name is {name!r}")
    return kind


@cache
def metric_types() -> dict[str, type[Metric]]:
    """Return every metric by its name; this loads them all."""
    return {name: metric_type(name) for name in entries()}


@cache
def entries() -> Mapping[str, Named]:
    """Return the entries registered under each name, without loading any."""
    package = __name__.rpartition(".")[0]
    return Registry("metrics", {name: f"{package}.{place}" for name, place in _BUNDLED.items()})


def written_out(signature: str) -> str:
    """Return a signature with the metric's own name and all parameters that an alias stands for.

    Aliases are the name in other letters (ROUGE-L, FRS, tau, rho), the variants of `lrscore`
    (LR-HB1), and parameters tuned for language pairs (`pair`).

    >>> written_out("LR-KB4(alpha=?)"), written_out("FRS(match=position)"), written_out("tau")
    ('lrscore(distance=kendall,ngram=4,alpha=?)', 'fuzzy(match=position)', 'kendall')
    >>> written_out("LEPOR(pair=cs-en,n=1)")
    'lepor(alpha=1,beta=9,n=1)'
    """
    name, written = _resolved(signature)
    settings = ",".join(f"{key}={value}" for key, value in written.items())
    return f"{name}({settings})" if settings else name


def _resolved(signature: str, like: str = "") -> tuple[str, dict[str, str]]:
    """Return the metric's own name and parameters, as text, with aliases resolved."""
    spoken, written = parse_signature(signature)
    name, known = spoken, entries()
    if name.upper().startswith("LR-"):
        if name.upper() not in LR_VARIANTS:
            raise UnknownNameError("variant of lrscore", name, LR_VARIANTS)
        name, preset = parse_signature(LR_VARIANTS[name.upper()])
        for key in preset.keys() & written.keys():
            raise PreorderEvalError(
                f"metric {signature!r}: {spoken} has {key}={preset[key]}; omit {key}"
            )
        written = preset | written
    elif name not in known:
        plain = name.lower().replace("-", "_")
        plain = _SPOKEN.get(plain, plain)
        name = plain if plain in known else name
    if "pair" in written:
        tuned = metric_type(name).tuned_for
        if not tuned:
            raise PreorderEvalError(f"metric {name}: pair is for hlepor, lepor, nlepor")
        pair = written.pop("pair")
        if pair not in tuned:
            raise UnknownNameError("language pair", pair, tuned)
        written = parse_signature(f"{name}({tuned[pair]})")[1] | written
    if program := written.pop("like", like):
        equals = metric_type(name).equals
        if program not in equals:
            raise UnknownNameError(f"program that {name} equals", program, equals)
        written = parse_signature(f"{name}({equals[program]})")[1] | written
    return name, written


def shared_settings(signature: str, tokenize: str | None, lower: bool) -> dict[str, str]:
    """Return the settings that all metrics of texts share, except those that a signature sets.

    Metrics that split texts in a way of their own have no `tokenize`.

    >>> shared_settings("wer", "char", True), shared_settings("ebleu", "char", False)
    ({'tokenize': 'char', 'lower': 'true'}, {})
    >>> shared_settings("ter", "char", False)
    {}
    """
    name, written = _resolved(signature)
    shared = {"tokenize": tokenize} if tokenize else {}
    shared |= {"lower": "true"} if lower else {}
    kind = metric_type(name)
    if "hyp" not in kind().needs:
        return {}
    known = parameter_types(kind)
    return {key: value for key, value in shared.items() if key in known and key not in written}


def splitting(
    metrics: Sequence[Metric], of_text: Tokenize, of_links: Tokenize = "auto", language: str = ""
) -> list[Metric]:
    """Return the metrics with a tokenizer, if they name none themselves.

    It is that of the text, or `of_links` for metrics that use links, whose words are those that the
    links count.

    >>> list(map(str, splitting([metric("per"), metric("per(tokenize=zh)")], "char")))
    ['per(tokenize=char)', 'per(tokenize=zh)']
    """
    return [m.splitting(of_links if LINKED & {*m.needs} else of_text, language) for m in metrics]


def _subclasses(kind: Any) -> list[type[Metric]]:
    """Return the classes derived from one that can be made, in the order of their definition."""
    found = [each for below in kind.__subclasses__() for each in (below, *_subclasses(below))]
    return [each for each in found if not inspect.isabstract(each)]


def short_names(signatures: Sequence[str]) -> tuple[list[str], str]:
    """Name metrics for people, with settings only where they tell two metrics of one name apart.

    Returns also a note that has the full signature of each name.

    >>> short_names(["fuzzy(match=word)", "kendall"])
    (['FRS', 'τ'], 'FRS: fuzzy(match=word); τ: kendall')
    >>> short_names(["nkt(alpha=0.0,bp=false,lower=true)", "nkt(alpha=0.5,bp=false,lower=true)"])[0]
    ['NKT', 'NKT(alpha=0.5)']
    """
    read = [_for_people(signature) for signature in signatures]
    names = []
    for name, settings, _ in read:
        shared = set.intersection(*(set(other.settings) for other in read if other.name == name))
        telling = ",".join(setting for setting in settings if setting not in shared)
        names.append(f"{name}({telling})" if telling else name)
    full = (f"{name}: {each.signature}" for name, each in zip(names, read, strict=True))
    return names, "; ".join(dict.fromkeys(full))  # those by several references once


class _ForPeople(NamedTuple):
    """A metric's name for people, its parameters not at their defaults, and its full signature."""

    name: str
    settings: tuple[str, ...]
    signature: str


@lru_cache(maxsize=1024)  # results name their metrics wherever they show them
def _for_people(signature: str) -> _ForPeople:
    name, written = parse_signature(signature)
    _, usual = parse_signature(str(metric_type(name)()))
    settings = [f"{key}={value}" for key, value in written.items() if usual.get(key) != value]
    made = metric(signature)
    return _ForPeople(made.called, tuple(settings), made.signature())
