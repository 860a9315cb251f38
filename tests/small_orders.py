"""Orders of three systems, from good to poor, on thirty small sentences."""

import numpy as np

from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.systems import System
from preorder_eval.orders.alignments import Alignments
from preorder_eval.references.reference_set import ReferenceSet

SENTENCES = 30


def reference(links=None):
    """Sentences of five words in target order; the last has no links."""
    source = [[f"w{s}", "b", "c", "d", "b"] for s in range(SENTENCES)]
    listed = [[(i, i) for i in range(5)] for _ in range(SENTENCES - 1)] + [[]]
    return ReferenceSet("small", source, Alignments.of(links or listed))


def evaluated(systems, data=None, metrics=("fuzzy", "kendall"), **options):
    """The result of systems given by their orders."""
    data = data or reference()
    made = [System.from_orders(orders, data, name=name) for name, orders in systems.items()]
    return evaluate(data, made, metrics, **{"resamples": 10} | options)


def shuffled(seed, share):
    """Orders of which about `share` are not the reference's."""
    rng = np.random.default_rng(seed)
    keep = rng.random(SENTENCES) >= share
    return [list(range(5)) if k else rng.permutation(5).tolist() for k in keep]


GOOD, FAIR, POOR = shuffled(1, 0.2), shuffled(2, 0.5), shuffled(3, 1.0)
THREE = {"good": GOOD, "fair": FAIR, "poor": POOR}
