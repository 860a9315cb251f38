"""Targeted self-training with every round evaluated, with one seed or several.

The folder of the work holds the products of the rounds (`rounds`), and `comparison.json` in the
end. For the start and every round it holds a run folder in `runs/` and accuracies on gold trees in
`dev/`. With a control, `control/` holds the same products of learning from the parser's own best
parses. Existing products are not made again. With several seeds the folder holds a folder for each,
and `parser`, the last one of the median seed.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from preorder_eval.analysis.attachment import attachment
from preorder_eval.base.arguments import checked
from preorder_eval.base.errors import require_between, warn
from preorder_eval.base.files.files import read_json
from preorder_eval.base.files.writing import format_json, new_folder
from preorder_eval.base.progress import Progress, no_progress
from preorder_eval.base.resources import DEFAULT_PARSER
from preorder_eval.evaluation.compare import compare
from preorder_eval.evaluation.evaluate import evaluate, reference_of
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.runs.run_writing import write_run
from preorder_eval.evaluation.verdict.caveats import of_a_recipe
from preorder_eval.learning.recipe import MOST_TRAINING_SEED, Recipe
from preorder_eval.learning.resumable import once, resumable
from preorder_eval.learning.rounds import Work, train_in_rounds
from preorder_eval.learning.self_training import KEPT, EvaluatedRound, SeededTrainings, SelfTraining
from preorder_eval.metrics import order_metric
from preorder_eval.parsers.load_parser import load_parser
from preorder_eval.references.objective import objective
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.trees.conllu import read_conllu

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
    progress: Progress = no_progress,
    jobs: int = 1,
    **recipe: Any,
) -> SelfTraining | SeededTrainings:
    """Train a parser on its own parses of a reference set, those that reorder well.

    Parameters: `out` the folder of all products, where the same call continues; `treebank` and
    `dev` CoNLL-U files to continue training on and to score on; `evaluation` the sentences to
    score on in the end, by default the last fifth of `reference` in whole documents, which is not
    learned from then;
    `metric` selects parses, by default the first of `objective`. `recipe` are fields of `Recipe`,
    such as `steps=500`; `seeds` are counted up from `seed`.

    Raises FormatError for unreadable files and a folder of other work, and PreorderEvalError if
    there is nothing to train or nothing is selected.
    """
    data = reference_of(reference, [rules])
    held_out = None if evaluation is None else reference_of(evaluation, [rules])
    by = objective(data).first if metric is None else order_metric(metric)
    if held_out is None:
        data, held_out = held_out_of(data)
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
        progress=progress,
        jobs=jobs,
    )
    require_between("seeds", seeds, 1, MOST_TRAINING_SEED + 1 - work.recipe.seed)
    if seeds == 1:
        return _with_seed(work)
    return _with_seeds(work, range(work.recipe.seed, work.recipe.seed + seeds))


def held_out_of(data: ReferenceSet) -> tuple[ReferenceSet, ReferenceSet]:
    """Return the sentences to learn from and those to evaluate on; a single one is both.

    Where documents are known, those to evaluate on begin with a document, unless it is the first.
    """
    first = len(data) - max(1, len(data) // _HELD_OUT)
    if not first:
        return data, data
    names = data.documents or range(len(data))
    begins = [s for s in range(1, len(data)) if names[s] != names[s - 1]]
    before = [s for s in begins if s <= first]
    first = before[-1] if before else begins[0] if begins else first
    held_out = data.take(range(first, len(data)), f"{data.name}-held-out")
    return data.take(range(first), data.name), held_out


def _with_seed(work: Work) -> SelfTraining:
    """Do a work with the seed of its recipe."""
    with resumable(work.out, work.settings()):
        seen = set(map(tuple, work.data.source))
        known = sum(tuple(words) in seen for words in work.evaluation.source)
        if known:
            of = f"{known} of {len(work.evaluation)} evaluation sentences"
            warn(f"{of} are also in the training data")
        rounds = [_evaluated(work, "start", work.parser)]
        rounds += [_evaluated(work, r.name, r.parser, **r.learned) for r in train_in_rounds(work)]
        control = None
        if work.recipe.control:
            *_, last = train_in_rounds(work.part("control", work.recipe.seed), own=True)
            control = _evaluated(work, "control", last.parser, **last.learned)
        drawn: dict[str, Any] = {"resamples": work.resamples, "seed": work.recipe.seed}
        comparison = compare(rounds[0].run, rounds[-1].run, sentences=20, **drawn)
        comparison = replace(comparison, caveats=of_a_recipe(1, control=control is not None))
        once(work.out / "comparison.json", lambda: format_json(comparison.to_dict()))
    return SelfTraining(work.out, work.recipe, rounds, comparison, control)


def _evaluated(work: Work, name: str, parser: str | Path, **learned: Any) -> EvaluatedRound:
    """Evaluate a parser on the sentences and on gold trees, unless that is in the folder."""

    @cache
    def loaded() -> Any:
        found: Any = load_parser(parser, jobs=work.jobs)
        if learned:
            found.identity = replace(found.identity, name=name)
        return found

    def dev() -> str:
        gold = read_conllu(work.dev)
        cases = {"as it is": gold, "lower case": replace(gold, words=gold.lower_words)}
        scores = {
            case: asdict(attachment(trees, loaded().parse(trees.sentences)))
            for case, trees in cases.items()
        }
        return format_json(scores)

    run = work.out / "runs" / name
    if not run.exists():
        drawn: dict[str, Any] = {"resamples": work.resamples, "seed": work.recipe.seed}
        result = evaluate(work.evaluation, parsers=[loaded()], rules=[work.rules], **drawn)
        write_run(result, run, work.arguments)
    accuracies = read_json(once(work.out / "dev" / f"{name}.json", dev))
    return EvaluatedRound(name, read_run(run), accuracies, learned)


def _with_seeds(work: Work, seeds: Sequence[int]) -> SeededTrainings:
    """Do a work once with each of several seeds, and keep the parser of one."""
    settings = work.settings()
    del settings["recipe"]["seed"]
    with resumable(work.out, {**settings, "seeds": list(seeds)}):
        trainings = [_with_seed(work.part(f"seed {n}", n)) for n in seeds]
        result = SeededTrainings(work.out, tuple(seeds), trainings)
        if not (work.out / KEPT).exists():
            parser = result.kept.folder / "parsers" / result.kept.rounds[-1].name
            with new_folder(work.out / KEPT) as kept:
                shutil.copytree(parser, kept, dirs_exist_ok=True)
    return result
