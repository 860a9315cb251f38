"""Metrics of word order and of translations, by name.

`registry` looks them up by name, `base` defines a metric, and `order` and `lexical` hold the common
code of metrics of orders and of metrics of words. Each other module is a family of metrics.
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
