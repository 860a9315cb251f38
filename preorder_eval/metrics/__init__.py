"""Metrics of word order and of translations, by name.

`registry` finds them, `base` has what they are, `order` and `lexical` what those of orders and
those of words have in common. Each other module is a family.
"""

from preorder_eval.metrics.base import Metric, Scores, parse_signature, quiet
from preorder_eval.metrics.orders.order import OrderMetric
from preorder_eval.metrics.outputs.lexical import LexicalMetric, SentenceMetric, WordMetric
from preorder_eval.metrics.registry import (
    metric,
    metric_type,
    metric_types,
    order_metric,
    shared_settings,
    short_names,
    splitting,
    written_out,
)

__all__ = [
    "LexicalMetric",
    "Metric",
    "OrderMetric",
    "Scores",
    "SentenceMetric",
    "WordMetric",
    "metric",
    "metric_type",
    "metric_types",
    "order_metric",
    "parse_signature",
    "quiet",
    "shared_settings",
    "short_names",
    "splitting",
    "written_out",
]
