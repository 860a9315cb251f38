"""Find out, without training a translation system, whether word order got better.

>>> import preorder_eval as pe
>>> reference = pe.reference_order([(0, 2), (1, 0)], source_length=3)
>>> pe.metric("fuzzy").score([[1, 0, 2]], [reference], words=[["eat", "fish", "."]]).corpus
1.0
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from preorder_eval.data.alignments import reference_order as reference_order
    from preorder_eval.data.alignments import reference_orders as reference_orders
    from preorder_eval.data.orders import Orders as Orders
    from preorder_eval.data.orders import ReferenceOrders as ReferenceOrders
    from preorder_eval.data.treebank import Tree as Tree
    from preorder_eval.data.treebank import Treebank as Treebank
    from preorder_eval.errors import FormatError as FormatError
    from preorder_eval.errors import PreorderEvalError as PreorderEvalError
    from preorder_eval.formats.conllu import read_conllu as read_conllu
    from preorder_eval.formats.reference_set import load_reference as load_reference
    from preorder_eval.formats.rules_toml import load_rules as load_rules
    from preorder_eval.metrics import metric as metric
    from preorder_eval.parsers import load_parser as load_parser
    from preorder_eval.results.evaluation import evaluate as evaluate
    from preorder_eval.results.systems import System as System

# Imported when first used, so that `--help` and scoring load no more than they need.
_HOMES = {
    "FormatError": "errors",
    "Orders": "data.orders",
    "PreorderEvalError": "errors",
    "ReferenceOrders": "data.orders",
    "System": "results.systems",
    "Tree": "data.treebank",
    "Treebank": "data.treebank",
    "evaluate": "results.evaluation",
    "load_parser": "parsers",
    "load_reference": "formats.reference_set",
    "load_rules": "formats.rules_toml",
    "metric": "metrics",
    "read_conllu": "formats.conllu",
    "reference_order": "data.alignments",
    "reference_orders": "data.alignments",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
