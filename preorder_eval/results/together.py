"""Several results over the same sentences taken together as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.shared.base import Metric
from preorder_eval.results.result import Result, Sampling
from preorder_eval.results.systems import System

_MEND = "compare runs over the same reference set"


def together(
    results: Sequence[Result], metrics: Sequence[Metric], sampling: Sampling | None = None
) -> Result:
    """The systems of several results over the same sentences as one result.

    Systems of the same name are told apart by the name of their result's folder, or by a number.
    Raises PreorderEvalError where the sentences differ.
    """
    check_same(*results)
    first = results[0]
    names = [name for result in results for name in result.systems]
    inputs = None
    for number, result in enumerate(results, 1):
        label = str(number) if result.stored is None else result.stored.folder.name
        systems: list[System] = []
        for system in result.inputs.systems:
            name = system.name
            taken = [earlier.name for earlier in systems + list(inputs.systems if inputs else ())]
            if names.count(name) > 1:
                name = f"{label}:{name}"
            systems.append(system.named(name if name not in taken else f"{number}:{system.name}"))
        renamed = replace(result.inputs, systems=tuple(systems))
        inputs = renamed if inputs is None else inputs.joined(renamed)
    if inputs is None:
        raise PreorderEvalError("nothing to do without a result")
    joined = Result(inputs, tuple(metrics), sampling or first.sampling)
    if all("scores" in vars(r) and {*metrics} <= {*r.metrics} for r in results):
        # Every system is there as it was: what has been scored is not scored again.
        vars(joined)["scores"] = [
            [of_system[result.metrics.index(metric)] for metric in metrics]
            for result in results
            for of_system in result.scores
        ]
    return joined


def shared_metrics(results: Sequence[Result]) -> list[Metric]:
    """The metrics that all results have; PreorderEvalError where there is none."""
    shared = [metric for metric in results[0].metrics if all(metric in r.metrics for r in results)]
    if not shared:
        raise PreorderEvalError("the runs share no metric")
    return shared


def check_same(*results: Result) -> None:
    """Raise PreorderEvalError unless every two results are over the same sentences."""
    for first, second in combinations(results, 2):
        difference = first.inputs.difference(second.inputs)
        if difference:
            raise PreorderEvalError(
                f"{first.name} and {second.name} differ in the {difference}; {_MEND}"
            )
