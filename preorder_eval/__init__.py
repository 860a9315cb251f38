"""Find out, without training a translation system, whether word order got better.

>>> import preorder_eval as pe
>>> result = pe.evaluate("en-ja", parsers=["gold"], rules=["none", "en-ja"])
>>> result  # doctest: +ELLIPSIS
en-ja orders better than none: FRS +0.613 (0.332 → 0.946), 296 sentences
...
rules     FRS      τ  vs. none [95%]
none    0.332  0.617
en-ja†  0.946  0.984  +0.613 [+0.592, +0.635] **
...
>>> comparison = pe.compare(result, metrics=["kendall"])
>>> comparison.metrics[0].difference.mark
'+**'
>>> comparison.sentences(1)  # doctest: +ELLIPSIS
Sentences whose τ changed most
...

A result is written to a run folder by `pe.write_run(result, folder)` and read by
`pe.read_run(folder)`; `pe.report([folder], "report.html")` makes a page of it. This module exports
the whole public interface; every name is imported when it is first used, so that scoring loads no
more than it needs.

The rooms, in the order in which data flow; the first eight are the kernel, which scores word order:
`base` (files, text, tables, statistics), `orders` and word alignments, `trees`, `metrics`,
`references` to compare with, `rules` that reorder, `parsers`, `evaluation`; then `judgments` of
humans, `analysis` of errors, `learning` of parsers and rules, the `manual` and commands (`cli`). A
diagram on the manual's page on developing shows how a sentence passes through them.
"""

from __future__ import annotations

import functools
import importlib
import inspect

from preorder_eval.base.arguments import checked
from preorder_eval.base.version import __version__ as __version__

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
# The module of every public name; a test compares them with the stub.
HOMES = {
    "ablate": "preorder_eval.analysis.ablate",
    "Analysis": "preorder_eval.analysis.analyse",
    "analyse": "preorder_eval.analysis.analyse",
    "analyse_outputs": "preorder_eval.analysis.analyse_outputs",
    "analyse_parsers": "preorder_eval.analysis.analyse_parsers",
    "oracle": "preorder_eval.analysis.oracle",
    "parser_check": "preorder_eval.analysis.parser_check",
    "report": "preorder_eval.analysis.report",
    "FormatError": "preorder_eval.base.errors",
    "PreorderEvalError": "preorder_eval.base.errors",
    "Interval": "preorder_eval.base.stats.bootstrap",
    "Difference": "preorder_eval.base.stats.significance",
    "Comparison": "preorder_eval.evaluation.compare",
    "compare": "preorder_eval.evaluation.compare",
    "evaluate": "preorder_eval.evaluation.evaluate",
    "parse": "preorder_eval.evaluation.parse",
    "Parsed": "preorder_eval.evaluation.parsed",
    "reorder": "preorder_eval.evaluation.reorder",
    "Result": "preorder_eval.evaluation.result",
    "read_run": "preorder_eval.evaluation.runs.run_reading",
    "write_run": "preorder_eval.evaluation.runs.run_writing",
    "Sampling": "preorder_eval.evaluation.sampling",
    "score": "preorder_eval.evaluation.score",
    "System": "preorder_eval.evaluation.systems",
    "Verdict": "preorder_eval.evaluation.verdict.verdict",
    "read_human_scores": "preorder_eval.judgments.human_score_files",
    "HumanScores": "preorder_eval.judgments.human_scores",
    "meta": "preorder_eval.judgments.meta",
    "MetaEvaluation": "preorder_eval.judgments.meta_result",
    "tune": "preorder_eval.judgments.tune",
    "learn_rules": "preorder_eval.learning.learn_rules",
    "select": "preorder_eval.learning.select",
    "self_train": "preorder_eval.learning.self_train",
    "train": "preorder_eval.learning.train",
    "metric": "preorder_eval.metrics",
    "Metric": "preorder_eval.metrics.base",
    "align": "preorder_eval.orders.align",
    "read_alignment": "preorder_eval.orders.alignment_files",
    "Alignments": "preorder_eval.orders.alignments",
    "Orders": "preorder_eval.orders.orders",
    "ReferenceOrders": "preorder_eval.orders.orders",
    "reference_order": "preorder_eval.orders.reference_orders",
    "reference_orders": "preorder_eval.orders.reference_orders",
    "from_docs": "preorder_eval.parsers.from_docs",
    "load_parser": "preorder_eval.parsers.load_parser",
    "load_pipeline": "preorder_eval.parsers.load_parser",
    "Parser": "preorder_eval.parsers.parser",
    "to_docs": "preorder_eval.parsers.to_docs",
    "reference_agreement": "preorder_eval.references.reference_agreement",
    "reference_build": "preorder_eval.references.reference_build",
    "reference_check": "preorder_eval.references.reference_check",
    "load_reference": "preorder_eval.references.reference_folder",
    "ReferenceSet": "preorder_eval.references.reference_set",
    "consensus_orders": "preorder_eval.rules.consensus_orders",
    "load_rules": "preorder_eval.rules.rule_reading",
    "RuleSet": "preorder_eval.rules.rule_set",
    "read_conllu": "preorder_eval.trees.conllu",
    "in_ud": "preorder_eval.trees.in_ud",
    "Treebank": "preorder_eval.trees.treebank",
}
__all__ = sorted(HOMES.keys() - _TYPES)


@functools.cache  # and no global, in which doctest would find it once more
def __getattr__(name: str) -> object:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(HOMES[name]), name)
    return checked(value) if inspect.isfunction(value) else value


def __dir__() -> list[str]:
    return __all__
