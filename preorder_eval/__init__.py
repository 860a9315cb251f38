"""Find out, without training a translation system, whether word order got better.

>>> import preorder_eval as pe
>>> result = pe.evaluate("en-ja", parsers=["gold"], rules=["none", "en-ja"])
>>> result  # doctest: +ELLIPSIS
en-ja orders better than none: FRS +0.599 (0.332 → 0.932), 295 sentences
...
rules     FRS      τ  vs. none [95%]
none    0.332  0.617
en-ja†  0.932  0.979  +0.599 [+0.577, +0.622] **
...
>>> comparison = pe.compare(result, metrics=["kendall"])
>>> comparison.metrics[0].difference.mark
'+**'
>>> comparison.sentences(1)  # doctest: +ELLIPSIS
Changed most by τ
...

A result is written to a run folder by `pe.write_run(result, folder)` and read by
`pe.read_run(folder)`; `pe.report([folder], "report.html")` makes a page of it. What this module
names is the whole tool; every name is imported when it is first used, so that scoring loads no more
than it needs.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from pathlib import Path

from preorder_eval.base.arguments import checked
from preorder_eval.base.version import __version__ as __version__

_IMPORT = re.compile(r"^from ([\w.]+) import \(?\s*(\w+) as", re.MULTILINE)
# Types for annotations, which no program needs to make.
_TYPES = {
    "Analysis",
    "Difference",
    "HumanScores",
    "Interval",
    "MetaEvaluation",
    "Metric",
    "Parser",
    "Sampling",
    "Verdict",
}
# The module of every public name. The stub has them once for this module and for type checkers.
HOMES = {
    name: module
    for module, name in _IMPORT.findall(Path(__file__).with_suffix(".pyi").read_text("utf-8"))
}
__all__ = sorted(HOMES.keys() - _TYPES - {"__version__"})


@functools.cache  # and no global, in which doctest would find it once more
def __getattr__(name: str) -> object:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(HOMES[name]), name)
    return checked(value) if inspect.isfunction(value) else value


def __dir__() -> list[str]:
    return __all__
