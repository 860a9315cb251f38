"""Parameters of the LEPOR family that Han (2014) tuned for language pairs.

`HLEPOR` is Table 5-3, tuned on the WMT 2008 corpora: weights of HPR:LP:NPosPenal of words and of
tags, α:β, and w_hw:w_hp. Tags were not used where the table has N/A. α:β of tags is that of words
throughout. For LEPOR (section 5.2.1) and nLEPOR (section 6.2) only α:β was tuned: 9:1, and 1:9 for
Czech to English. Czech is `cs`, in the table CZ.
"""

from __future__ import annotations

from dataclasses import replace

from preorder_eval.errors import UnknownNameError
from preorder_eval.metrics.hlepor import Hlepor
from preorder_eval.metrics.lepor import Lepor
from preorder_eval.metrics.nlepor import Nlepor
from preorder_eval.metrics.shared.lepor_base import LeporMetric

HLEPOR = {
    "cs-en": Hlepor(alpha=1.0, beta=9.0, weights="7:2:1"),
    "de-en": Hlepor(alpha=9.0, beta=1.0, weights="3:2:1", tag_weights="3:2:1", mix="1:9"),
    "es-en": Hlepor(alpha=1.0, beta=9.0, weights="7:2:1"),
    "fr-en": Hlepor(alpha=9.0, beta=1.0, weights="3:2:1", tag_weights="3:2:1", mix="9:1"),
    "en-cs": Hlepor(alpha=9.0, beta=1.0, weights="3:2:1"),
    "en-de": Hlepor(alpha=9.0, beta=1.0, weights="1:3:7", tag_weights="7:2:1", mix="1:9"),
    "en-es": Hlepor(alpha=9.0, beta=1.0, weights="3:2:1"),
    "en-fr": Hlepor(alpha=9.0, beta=1.0, weights="3:2:1", tag_weights="3:2:1", mix="9:1"),
}
_RECALL, _PRECISION = (9.0, 1.0), (1.0, 9.0)
LEPOR = {pair: _PRECISION if pair == "cs-en" else _RECALL for pair in HLEPOR}


def lepor_preset(pair: str, metric: str = "hlepor", tags: bool = True) -> LeporMetric:
    """The metric with the parameters tuned for a language pair.

    Parameters: `pair` source and target, such as `en-cs`; `metric` `lepor`, `hlepor` or `nlepor`;
    `tags=False` leaves part-of-speech tags out where the parameters mix them in (hLEPOR of pairs
    with German and French), so that words are enough.

    Raises UnknownNameError, with the legal values, for another pair or metric.

    >>> str(lepor_preset("en-de"))
    'hlepor(alpha=9.0,beta=1.0,n=2,system=A,weights=1:3:7,mix=1:9,tag_weights=7:2:1)'
    >>> str(lepor_preset("cs-en", "lepor"))
    'lepor(alpha=1.0,beta=9.0,n=2,system=A)'
    """
    if pair not in HLEPOR:
        raise UnknownNameError("language pair", pair, HLEPOR)
    alpha, beta = LEPOR[pair]
    if metric == "lepor":
        return Lepor(alpha=alpha, beta=beta)
    if metric == "nlepor":
        return Nlepor(alpha=alpha, beta=beta)
    if metric != "hlepor":
        raise UnknownNameError("metric with presets", metric, ["hlepor", "lepor", "nlepor"])
    return HLEPOR[pair] if tags else replace(HLEPOR[pair], mix="1:0", tag_weights="3:2:1")
