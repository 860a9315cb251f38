"""Several results over the same sentences taken together as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from preorder_eval.errors import PreorderEvalError, warn
from preorder_eval.metrics.base import Metric
from preorder_eval.results.inputs import Inputs
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


def in_all(results: Sequence[Result]) -> list[str]:
    """The systems that have orders and outputs, where some results are of one and some of other.

    Of results of one kind they are all. The others are left out with a warning; PreorderEvalError
    where no system is left.
    """
    systems = [(result.inputs, system) for result in results for system in result.inputs.systems]
    ordered = [system.name for inputs, system in systems if _has_orders(inputs, system)]
    outputs = [system.name for _, system in systems if system.hyp is not None]
    names = list(dict.fromkeys(system.name for _, system in systems))
    if not ordered or not outputs:
        return names
    both = [name for name in names if name in ordered and name in outputs]
    if not both:
        raise PreorderEvalError(
            f"no system has orders and outputs: orders are of {', '.join(dict.fromkeys(ordered))}, "
            f"outputs of {', '.join(dict.fromkeys(outputs))}; give it one name in both, as in "
            "LABEL=FILE"
        )
    lacking = [name for name in names if name not in both]
    if lacking:
        warn(f"left out, as they have not both orders and outputs: {', '.join(lacking)}")
    return both


def _has_orders(inputs: Inputs, system: System) -> bool:
    """Whether a system has orders, or links that they are made of."""
    return system.orders is not None or (
        inputs.ordered is not None and "hyp_alignment" in system.inputs
    )


def check_same(*results: Result) -> None:
    """Raise PreorderEvalError unless every two results are over the same sentences."""
    for first, second in combinations(results, 2):
        difference = first.inputs.difference(second.inputs)
        if difference:
            raise PreorderEvalError(
                f"{first.name} and {second.name} differ in the {difference}; {_MEND}"
            )
