"""Find out, without training a translation system, whether word order got better.

>>> import preorder_eval as pe
>>> result = pe.evaluate("en-ja", parsers=["gold"], rules=["none", "en-ja"])
>>> result  # doctest: +ELLIPSIS
en-ja orders better than none: FRS +0.597 (0.332 → 0.929), 294 sentences
...
rules     FRS      τ  vs. none [95%]
none    0.332  0.617
en-ja†  0.929  0.978  +0.597 [+0.574, +0.619] **
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
from typing import TYPE_CHECKING

from preorder_eval.arguments import checked
from preorder_eval.version import __version__ as __version__

if TYPE_CHECKING:
    from preorder_eval.alignment.aligning import align as align
    from preorder_eval.analysis.orders.error_analysis import Analysis as Analysis
    from preorder_eval.analysis.orders.error_analysis import analyse as analyse
    from preorder_eval.analysis.orders.parsers_apart import analyse_parsers as analyse_parsers
    from preorder_eval.analysis.outputs.output_analysis import analyse_outputs as analyse_outputs
    from preorder_eval.analysis.reference.check import reference_check as reference_check
    from preorder_eval.analysis.reference.two_annotations import (
        reference_agreement as reference_agreement,
    )
    from preorder_eval.analysis.rules.ablation import ablate as ablate
    from preorder_eval.analysis.rules.by_parser import parser_check as parser_check
    from preorder_eval.analysis.rules.learning import learn_rules as learn_rules
    from preorder_eval.analysis.rules.oracle import oracle as oracle
    from preorder_eval.data.alignments import Alignments as Alignments
    from preorder_eval.data.alignments import reference_order as reference_order
    from preorder_eval.data.alignments import reference_orders as reference_orders
    from preorder_eval.data.judgments import HumanScores as HumanScores
    from preorder_eval.data.orders import Orders as Orders
    from preorder_eval.data.orders import ReferenceOrders as ReferenceOrders
    from preorder_eval.data.reference_set import ReferenceSet as ReferenceSet
    from preorder_eval.data.treebank import Treebank as Treebank
    from preorder_eval.errors import FormatError as FormatError
    from preorder_eval.errors import PreorderEvalError as PreorderEvalError
    from preorder_eval.formats.alignment import read_alignment as read_alignment
    from preorder_eval.formats.conllu import read_conllu as read_conllu
    from preorder_eval.formats.judgment_files import read_human_scores as read_human_scores
    from preorder_eval.formats.reference_folder import load_reference as load_reference
    from preorder_eval.formats.reference_from_files import reference_build as reference_build
    from preorder_eval.formats.rule_reading import load_rules as load_rules
    from preorder_eval.meta_evaluation.evaluation import meta as meta
    from preorder_eval.meta_evaluation.meta_result import MetaEvaluation as MetaEvaluation
    from preorder_eval.meta_evaluation.tuning import tune as tune
    from preorder_eval.metrics import metric as metric
    from preorder_eval.metrics.base import Metric as Metric
    from preorder_eval.parsers.docs import from_docs as from_docs
    from preorder_eval.parsers.documents import to_docs as to_docs
    from preorder_eval.parsers.loading import load_parser as load_parser
    from preorder_eval.parsers.loading import load_pipeline as load_pipeline
    from preorder_eval.parsers.parser import Parser as Parser
    from preorder_eval.reordering.consensus import consensus_orders as consensus_orders
    from preorder_eval.reordering.rule_set import RuleSet as RuleSet
    from preorder_eval.reporting.build import report as report
    from preorder_eval.results.comparison import Comparison as Comparison
    from preorder_eval.results.comparison import compare as compare
    from preorder_eval.results.order_scoring import evaluate as evaluate
    from preorder_eval.results.orders_of_trees import parse as parse
    from preorder_eval.results.orders_of_trees import reorder as reorder
    from preorder_eval.results.parsed import Parsed as Parsed
    from preorder_eval.results.result import Result as Result
    from preorder_eval.results.run_reading import read_run as read_run
    from preorder_eval.results.run_writing import write_run as write_run
    from preorder_eval.results.sampling import Sampling as Sampling
    from preorder_eval.results.scoring import score as score
    from preorder_eval.results.systems import System as System
    from preorder_eval.results.verdict.verdict import Verdict as Verdict
    from preorder_eval.stats.bootstrap import Interval as Interval
    from preorder_eval.stats.significance import Difference as Difference
    from preorder_eval.training.loop import self_train as self_train
    from preorder_eval.training.selection import select as select
    from preorder_eval.training.train import train as train

HOMES = {
    "Alignments": "data.alignments",
    "Comparison": "results.comparison",
    "FormatError": "errors",
    "Orders": "data.orders",
    "Parsed": "results.parsed",
    "PreorderEvalError": "errors",
    "ReferenceOrders": "data.orders",
    "ReferenceSet": "data.reference_set",
    "Result": "results.result",
    "RuleSet": "reordering.rule_set",
    "System": "results.systems",
    "Treebank": "data.treebank",
    "ablate": "analysis.rules.ablation",
    "align": "alignment.aligning",
    "analyse": "analysis.orders.error_analysis",
    "analyse_outputs": "analysis.outputs.output_analysis",
    "analyse_parsers": "analysis.orders.parsers_apart",
    "compare": "results.comparison",
    "consensus_orders": "reordering.consensus",
    "evaluate": "results.order_scoring",
    "from_docs": "parsers.docs",
    "learn_rules": "analysis.rules.learning",
    "load_parser": "parsers.loading",
    "load_pipeline": "parsers.loading",
    "load_reference": "formats.reference_folder",
    "load_rules": "formats.rule_reading",
    "meta": "meta_evaluation.evaluation",
    "metric": "metrics",
    "oracle": "analysis.rules.oracle",
    "parse": "results.orders_of_trees",
    "parser_check": "analysis.rules.by_parser",
    "read_alignment": "formats.alignment",
    "read_conllu": "formats.conllu",
    "read_human_scores": "formats.judgment_files",
    "read_run": "results.run_reading",
    "reference_agreement": "analysis.reference.two_annotations",
    "reference_build": "formats.reference_from_files",
    "reference_check": "analysis.reference.check",
    "reference_order": "data.alignments",
    "reference_orders": "data.alignments",
    "reorder": "results.orders_of_trees",
    "report": "reporting.build",
    "score": "results.scoring",
    "select": "training.selection",
    "self_train": "training.loop",
    "to_docs": "parsers.documents",
    "train": "training.train",
    "tune": "meta_evaluation.tuning",
    "write_run": "results.run_writing",
}
__all__ = list(HOMES)
# Types for annotations, which no program needs to make.
_TYPES = {
    "Analysis": "analysis.orders.error_analysis",
    "MetaEvaluation": "meta_evaluation.meta_result",
    "Metric": "metrics.base",
    "HumanScores": "data.judgments",
    "Parser": "parsers.parser",
    "Sampling": "results.sampling",
    "Interval": "stats.bootstrap",
    "Difference": "stats.significance",
    "Verdict": "results.verdict.verdict",
}


@functools.cache  # and no global, in which doctest would find it once more
def __getattr__(name: str) -> object:
    home = HOMES.get(name) or _TYPES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{home}")
    value = getattr(module, name)
    return checked(value) if inspect.isfunction(value) else value


def __dir__() -> list[str]:
    return sorted(HOMES)
