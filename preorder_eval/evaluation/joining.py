"""Results over the same sentences, put together: their systems and their metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations

from preorder_eval.base.errors import PreorderEvalError, warn
from preorder_eval.evaluation.inputs import Inputs
from preorder_eval.evaluation.result import Result, make_result
from preorder_eval.evaluation.sampling import Against, Sampling
from preorder_eval.evaluation.score import score_systems
from preorder_eval.metrics.base import Metric, Scores


def joined(
    results: Sequence[Result],
    metrics: Sequence[Metric],
    sampling: Sampling | None = None,
    *,
    against: Against | None = None,
) -> Result:
    """Join the systems of several results over the same sentences in one result.

    Systems of the same name are distinguished by the name of their result's folder, or by a number.
    Scores that exist are not computed again. Raises PreorderEvalError if the sentences differ.

    Parameters: `sampling` how intervals and differences are drawn, by default as in the first
    result and with the first baseline that a result names; `against` then names the pairs that are
    compared.
    """
    if not results:
        raise PreorderEvalError("give at least one result")
    check_same(*results)
    names = [name for result in results for name in result.systems]
    taken, renamed, baselines = list[str](), list[Inputs](), list[str]()
    for number, result in enumerate(results, 1):
        label = str(number) if result.folder is None else result.folder.name
        systems = []
        for system in result.inputs.systems:
            name = f"{label}:{system.name}" if names.count(system.name) > 1 else system.name
            taken.append(f"{number}:{system.name}" if name in taken else name)
            systems.append(system.named(taken[-1]))
            if system.name == result.sampling.baseline:
                baselines.append(taken[-1])
        renamed.append(replace(result.inputs, systems=tuple(systems)))
    inputs = reduce(Inputs.joined, renamed)
    metrics = inputs.splitting(metrics)
    scores = _known_scores(results, inputs, metrics)
    if sampling is None:
        first = results[0].sampling
        baseline = baselines[0] if baselines else ""
        sampling = replace(first, against=against or first.against, baseline=baseline)
    return make_result(inputs, metrics, scores, sampling)


def shared_metrics(results: Sequence[Result]) -> list[Metric]:
    """Return the metrics that all results have. Raises PreorderEvalError if there is none."""
    shared = [metric for metric in results[0].metrics if all(metric in r.metrics for r in results)]
    if not shared:
        raise PreorderEvalError("the runs share no metric")
    return shared


def _known_scores(
    results: Sequence[Result], inputs: Inputs, metrics: Sequence[Metric]
) -> list[list[Scores]]:
    """Return the scores of the systems of all results, in the order of `inputs`.

    They are computed again only if a result does not have them.
    """
    if not all({*metrics} <= {*result.metrics} for result in results):
        return score_systems(inputs, metrics)
    return [
        [of_system[result.metrics.index(metric)] for metric in metrics]
        for result in results
        for of_system in result.scores
    ]


def in_all(results: Sequence[Result]) -> list[str]:
    """Return the names of the systems that have both orders and outputs.

    If no result has orders, or none has outputs, these are all systems. Systems that lack one of
    the two are left out with a warning; PreorderEvalError if no system is left.
    """
    numbered = [(r.inputs, number) for r in results for number in range(len(r.systems))]
    ordered = [i.systems[n].name for i, n in numbered if "orders" in i.of(n)]
    outputs = [i.systems[n].name for i, n in numbered if "hyp" in i.of(n)]
    names = list(dict.fromkeys(inputs.systems[number].name for inputs, number in numbered))
    if not ordered or not outputs:
        return names
    both = [name for name in names if name in ordered and name in outputs]
    if not both:
        raise PreorderEvalError(
            "no system has both orders and outputs: orders are of "
            f"{', '.join(dict.fromkeys(ordered))}, outputs of "
            f"{', '.join(dict.fromkeys(outputs))}; use the same name in both, as in LABEL=FILE"
        )
    lacking = [name for name in names if name not in both]
    if lacking:
        warn(f"skipped, because they lack orders or outputs: {', '.join(lacking)}")
    return both


def check_same(*results: Result) -> None:
    """Raise PreorderEvalError unless every two results are over the same sentences."""
    for first, second in combinations(results, 2):
        difference = first.inputs.difference(second.inputs)
        if difference:
            raise PreorderEvalError(
                f"{first.name} and {second.name} differ in the {difference}; compare runs on the "
                "same reference set"
            )
