"""Results of orders and of outputs of the same systems as one result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from preorder_eval.analysis.orders.overview import orders_first
from preorder_eval.errors import PreorderEvalError
from preorder_eval.meta_evaluation.scores import by_reference
from preorder_eval.results.comparison import in_all
from preorder_eval.results.result import Result
from preorder_eval.results.scoring import rescored


def beside(results: Sequence[Result]) -> Result:
    """The systems that have orders and outputs, by all metrics, those of orders first.

    A system has the same name in all results; those that lack one of the two are left out with a
    warning. Raises PreorderEvalError where none has both, and where references differ.

    >>> from preorder_eval.results.scoring import evaluate, score
    >>> orders = evaluate("en-ko", parsers=["gold"], rules=["none"], metrics=["kendall"])
    >>> target = [" ".join(words) for words in orders.inputs.reference.target]
    >>> both = beside([orders, score({"gold/none": target}, target, ["wer"])])
    >>> both.systems, [str(metric) for metric in both.metrics]
    (['gold/none'], ['kendall', 'wer'])
    """
    both = in_all(results)
    chosen = [[name for name in result.systems if name in both] for result in results]
    joined = by_reference(
        [result.chosen(names) for result, names in zip(results, chosen, strict=True) if names]
    )
    if len(joined) > 1:
        raise PreorderEvalError(
            f"the runs are on several references, {', '.join(joined)}; make a report of each"
        )
    [result] = joined.values()
    compared = replace(result.sampling, against="all" if len(both) > 1 else "none")
    return rescored(result.chosen(both), orders_first(result.metrics), compared)
