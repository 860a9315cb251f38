"""Parameters of the LEPOR family that Han (2014) tuned for language pairs: `hlepor(pair=en-de)`.

`_HLEPOR` is Table 5-3, tuned on the WMT 2008 corpora: weights of HPR:LP:NPosPenal of words and of
tags, α:β of words and of tags, and w_hw:w_hp. Tags were not used where the table has N/A. For LEPOR
(section 5.2.1) and nLEPOR (section 6.2) only α:β was tuned: 9:1, and 1:9 for Czech to English.
Czech is `cs`, in the table CZ.
"""

from __future__ import annotations

from preorder_eval.errors import PreorderEvalError, UnknownNameError

_RECALL, _PRECISION = "alpha=9,beta=1", "alpha=1,beta=9"
_TAGS = "tag_alpha=9,tag_beta=1"
_HLEPOR = {
    "cs-en": f"{_PRECISION},weights=7:2:1",
    "de-en": f"{_RECALL},weights=3:2:1,{_TAGS},tag_weights=3:2:1,mix=1:9",
    "es-en": f"{_PRECISION},weights=7:2:1",
    "fr-en": f"{_RECALL},weights=3:2:1,{_TAGS},tag_weights=3:2:1,mix=9:1",
    "en-cs": f"{_RECALL},weights=3:2:1",
    "en-de": f"{_RECALL},weights=1:3:7,{_TAGS},tag_weights=7:2:1,mix=1:9",
    "en-es": f"{_RECALL},weights=3:2:1",
    "en-fr": f"{_RECALL},weights=3:2:1,{_TAGS},tag_weights=3:2:1,mix=9:1",
}
PAIRS = tuple(_HLEPOR)
_OTHERS = {pair: _PRECISION if pair == "cs-en" else _RECALL for pair in _HLEPOR}
_PRESETS = {"hlepor": _HLEPOR, "lepor": _OTHERS, "nlepor": _OTHERS}


def with_preset(metric: str, written: dict[str, str]) -> dict[str, str]:
    """The parameters of a metric, where `pair` is replaced by those tuned for the pair.

    What is written beside `pair` holds: `mix=1:0` leaves out the tags that hLEPOR mixes in for
    pairs with German and French. Raises UnknownNameError, with the legal values, for another pair,
    and PreorderEvalError for a metric that has none.

    >>> with_preset("lepor", {"pair": "cs-en", "n": "1"})
    {'alpha': '1', 'beta': '9', 'n': '1'}
    """
    if "pair" not in written:
        return written
    if metric not in _PRESETS:
        raise PreorderEvalError(f"metric {metric}: pair is for {', '.join(_PRESETS)}")
    presets = _PRESETS[metric]
    if written["pair"] not in presets:
        raise UnknownNameError("language pair", written["pair"], presets)
    tuned = dict(setting.split("=") for setting in presets[written["pair"]].split(","))
    return tuned | {key: value for key, value in written.items() if key != "pair"}
