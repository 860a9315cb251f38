"""Self-training as users call it: the sentences to learn from, and those to evaluate on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from preorder_eval.arguments import checked
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.metrics import order_metric
from preorder_eval.resources import DEFAULT_PARSER
from preorder_eval.results.defaults import objective
from preorder_eval.results.rule_defaults import reference_of
from preorder_eval.results.systems import Progress, no_progress
from preorder_eval.training.recipe import Recipe
from preorder_eval.training.rounds import Work
from preorder_eval.training.self_training import (
    SeededTrainings,
    SelfTraining,
    train_with_seed,
    train_with_seeds,
)

_HELD_OUT = 5  # one of so many sentences, the last ones: neighbours are of one text


def self_train(
    out: str | Path,
    reference: str | Path | ReferenceSet,
    treebank: str | Path,
    dev: str | Path,
    *,
    parser: str | Path = DEFAULT_PARSER,
    rules: str | Path = "en-ja",
    evaluation: str | Path | ReferenceSet | None = None,
    metric: str | None = None,
    seeds: int = 1,
    resamples: int = 1000,
    arguments: Sequence[str] = (),
    log: IO[str] | None = None,
    progress: Progress = no_progress,
    jobs: int = 1,
    **recipe: Any,
) -> SelfTraining | SeededTrainings:
    """Train a parser on its own parses of a reference set, those that reorder well.

    Parameters: `out` the folder of all products, where the same call continues; `treebank` and
    `dev` CoNLL-U files to continue training on and to score on; `evaluation` the sentences to
    score on in the end, by default the last fifth of `reference`, which is not learned from then;
    `metric` selects parses, by default the first of `objective`. `recipe` are fields of `Recipe`,
    such as `steps=500`; `seeds` are counted up from `seed`.

    Raises FormatError for unreadable files and a folder of other work, and PreorderEvalError if
    there is nothing to train or nothing is selected.
    """
    data = reference_of(reference, [rules])
    held_out = None if evaluation is None else reference_of(evaluation, [rules])
    by = objective(data).first if metric is None else order_metric(metric)
    if held_out is None:
        held_out, first = data, len(data) - max(1, len(data) // _HELD_OUT)
        if first:
            held_out = data.take(range(first, len(data)), f"{data.name}-held-out")
            data = data.take(range(first), data.name)
    work = Work(
        Path(out),
        parser,
        Path(treebank),
        Path(dev),
        data,
        held_out,
        checked(Recipe)(str(by), **recipe),
        rules,
        resamples,
        arguments=arguments,
        log=log,
        progress=progress,
        jobs=jobs,
    )
    if seeds == 1:
        return train_with_seed(work)
    return train_with_seeds(work, range(work.recipe.seed, work.recipe.seed + seeds))
