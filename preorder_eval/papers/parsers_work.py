"""The Parsers and Rules experiments as a work in a folder, which is taken up again when killed.

The folder keeps P1, P2 and the control, and in a folder of its own for each recipe what depends on
that: another recipe finds the first parsers trained already.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO

from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.formats.rules_toml import rules_hash
from preorder_eval.formats.tables import format_json
from preorder_eval.formats.text import file_hash, text_hash
from preorder_eval.metrics import order_metric
from preorder_eval.papers.parsers_experiment import Design, Experiment, cross, held_out
from preorder_eval.papers.parsers_outcome import Outcome
from preorder_eval.results.evaluation import BASELINES
from preorder_eval.results.run import write_result
from preorder_eval.results.systems import Progress, no_progress
from preorder_eval.training.recipe import METRICS
from preorder_eval.training.resumable import library_versions, resumable


def parsers_experiment(
    treebank: Path,
    dev: Path,
    data: ReferenceSet,
    *,
    out: Path,
    rules: str = "en-ja",
    select: int = 437,
    evaluate: int = 200,
    folds: int | None = None,
    design: Design | None = None,
    metrics: Sequence[str] = METRICS,
    resamples: int = 1000,
    arguments: Sequence[str] = (),
    log: IO[str] = sys.stderr,
    progress: Progress = no_progress,
) -> Outcome:
    """Train five parsers and score them and five rule sets; see `parsers_experiment`'s module.

    Parameters: `treebank` and `dev` CoNLL-U files to learn from and to score the parsers on;
    `data` the sentences to reorder: the first `select` of them to select parses of, the last
    `evaluate` to evaluate on, or with `folds` all, each evaluated by parsers that have learned
    from the other parts. `rules` is what all parsers reorder by. `out` is the folder of the work;
    the same call goes on where a killed one was, and nothing is made again for other `metrics`.
    `arguments`, of the command line, are kept in the run folders; `log` gets a line for each
    evaluation in training.

    Raises FormatError for files that cannot be read and for a folder of other work, and
    PreorderEvalError for more sentences than there are.
    """
    design = design or Design()
    chosen = [order_metric(signature) for signature in metrics]
    splits = cross(len(data), folds) if folds else held_out(len(data), select, evaluate)
    recipe_settings = {
        "data": data.hashes,
        "rules": rules_hash(rules),
        "split": {"folds": folds} if folds else {"select": select, "evaluate": evaluate},
        "recipe": asdict(design.recipe),
    }
    seed = design.recipe.seed
    first_settings = {
        "treebank": file_hash(treebank),
        "dev": file_hash(dev),
        **{name: value for name, value in asdict(design).items() if name != "recipe"},
        "seed": seed,
        "versions": library_versions(),
    }
    baselines = [name for name in BASELINES if name != rules]
    work = out / f"recipe-{text_hash(format_json(recipe_settings))[:8]}"
    with resumable(out, first_settings), resumable(work, recipe_settings):
        experiment = Experiment(
            out, work, treebank, dev, data, splits, design, log=log, progress=progress
        )
        outcome = experiment.run(rules, baselines, chosen, resamples=resamples, seed=seed)
        for name, part in (("parsers", outcome.parsers), ("rules", outcome.rules)):
            run = work / "runs" / name
            shutil.rmtree(run, ignore_errors=True)
            run.parent.mkdir(exist_ok=True)
            write_result(part, run, arguments)
    return outcome
