"""The metrics, found by name. A new metric is one new file in this folder, called by its name.

Other packages bring theirs by an entry point (`preorder_eval.plugins`). One metric's name loads
that metric alone.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any

from preorder_eval.data.tokenization import tokenizer_for
from preorder_eval.errors import UnknownNameError
from preorder_eval.metrics.shared.base import Metric, OrderMetric
from preorder_eval.metrics.shared.lexical import LexicalMetric
from preorder_eval.metrics.shared.signatures import build, parse_signature
from preorder_eval.plugins import Named, named

# What metrics are called in speech.
_SPOKEN = {"frs": "fuzzy", "tau": "kendall", "rho": "spearman", "f1": "fmeasure"}


@cache
def metric_type(name: str) -> type[Metric]:
    """The metric of that name, without its parameters.

    Raises UnknownNameError with the known names, and PreorderEvalError for another package's
    metric that cannot be loaded or is none.
    """
    known = _metrics()
    if name not in known:
        raise UnknownNameError("metric", name, known)
    return _loaded(known[name])


@cache
def metric_types() -> dict[str, type[Metric]]:
    """Every metric by its name; this loads them all."""
    return {name: metric_type(name) for name in _metrics()}


def metric(signature: str, **parameters: Any) -> Metric:
    """A metric from its signature or its name and parameters.

    Other names that people use are understood (`written_out`). Raises UnknownNameError, with the
    legal values, for an unknown metric or parameter.

    >>> str(metric("fuzzy"))
    'fuzzy(match=word)'
    >>> str(metric("fuzzy(match=position)", unaligned="drop"))
    'fuzzy(match=position,unaligned=drop)'
    >>> str(metric("LR-HB1(alpha=0.2)"))
    'lrscore(distance=hamming,ngram=1,alpha=0.2)'
    >>> str(metric("lepor(pair=cs-en)"))
    'lepor(alpha=1.0,beta=9.0,n=2,system=A)'
    """
    name, written = parse_signature(written_out(signature))
    return build(metric_type(name), {**written, **parameters})


def written_out(signature: str) -> str:
    """A signature with the metric's own name and parameters where people use others.

    These are its name in other letters, such as ROUGE-L, FRS, tau and rho, the variants of
    `lrscore`, such as LR-HB1, and Han's parameters for language pairs (`pair`).

    >>> written_out("LR-KB4(alpha=?)"), written_out("FRS(match=position)"), written_out("tau")
    ('lrscore(distance=kendall,ngram=4,alpha=?)', 'fuzzy(match=position)', 'kendall')
    >>> written_out("LEPOR(pair=cs-en,n=1)")
    'lepor(alpha=1,beta=9,n=1)'
    """
    name, bracket, settings = (part.strip() for part in signature.partition("("))
    if bracket and "pair" in settings:
        from preorder_eval.metrics.shared.lepor_presets import with_preset

        written = with_preset(_own_name(name), parse_signature(signature)[1])
        return f"{_own_name(name)}({','.join(f'{key}={value}' for key, value in written.items())})"
    if not name.upper().startswith("LR-"):
        return f"{_own_name(name)}{bracket}{settings}"
    from preorder_eval.metrics.lrscore import VARIANTS

    if name.upper() not in VARIANTS:
        raise UnknownNameError("variant of lrscore", name, VARIANTS)
    variant = VARIANTS[name.upper()]
    return f"{variant.removesuffix(')')},{settings}" if bracket else variant


def _own_name(name: str) -> str:
    """A metric's name as it is written here, for one that people type for it."""
    known = _metrics()
    if name in known:
        return name
    plain = name.lower().replace("-", "_")
    plain = _SPOKEN.get(plain, plain)
    return plain if plain in known else name


def shared_settings(
    signature: str, tokenize: str | None, lower: bool, language: str | None = None
) -> dict[str, str]:
    """The settings of all metrics of words, as far as a signature does not say them itself.

    Parameters: `tokenize` and `lower` for all; `language`, where `tokenize` is None, of the text,
    for metrics whose published numbers split it by its language.

    >>> shared_settings("wer", "char", True), shared_settings("ebleu", "char", False)
    ({'tokenize': 'char', 'lower': 'true'}, {})
    >>> shared_settings("bleu", None, False, "zh"), shared_settings("wer", None, False, "zh")
    ({'tokenize': 'zh'}, {})
    """
    name, written = parse_signature(written_out(signature))
    shared = {"tokenize": tokenize} if tokenize else {}
    shared |= {"lower": "true"} if lower else {}
    if language is not None and splits_by_language(signature):
        shared.setdefault("tokenize", tokenizer_for(language))
    if "hyp" not in metric_type(name)().needs:
        return {}
    return {key: value for key, value in shared.items() if key not in written}


def splits_by_language(signature: str) -> bool:
    """Whether a metric's published numbers split the text by its language."""
    kind = metric_type(parse_signature(written_out(signature))[0])
    return issubclass(kind, LexicalMetric) and kind.splits_by_language


def order_metric(signature: str) -> OrderMetric:
    """A metric that compares orders, from its signature."""
    parsed = metric(signature)
    if not isinstance(parsed, OrderMetric):
        names = [n for n, t in metric_types().items() if issubclass(t, OrderMetric)]
        raise UnknownNameError("order metric", signature, names)
    return parsed


def output_metrics() -> list[str]:
    """The names of the metrics of outputs that need no more than references."""
    types = metric_types()
    return [n for n, t in types.items() if not t.required() and t().needs == ("hyp", "ref")]


@cache
def _metrics() -> Mapping[str, Named]:
    modules = (module.name for module in pkgutil.iter_modules(__path__) if not module.ispkg)
    return named("metrics", {name: f"{__name__}.{name}" for name in modules})


def _loaded(entry: Named) -> type[Metric]:
    """The class of a metric, which a module of this folder holds under whatever name."""
    loaded = entry.load()
    values = vars(loaded).values() if isinstance(loaded, ModuleType) else [loaded]
    for value in values:
        if isinstance(value, type) and issubclass(value, Metric) and _is_called(value, entry.name):
            return value
    raise entry.wrong(f"a complete subclass of Metric whose name is {entry.name!r}")


def _is_called(kind: type[Metric], name: str) -> bool:
    return getattr(kind, "name", None) == name and not inspect.isabstract(kind)
