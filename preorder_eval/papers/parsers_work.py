"""The Parsers and Rules experiments as a work in a folder, which is taken up again when killed.

The folder keeps P1, P2 and the control, and in a folder of its own for each recipe what depends on
that: another recipe finds the first parsers trained already.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.formats.files import file_hash, text_hash
from preorder_eval.formats.rules import rules_hash
from preorder_eval.formats.writing import format_json
from preorder_eval.metrics import order_metric
from preorder_eval.papers.parsers_experiment import Design, Experiment, Split, cross, held_out
from preorder_eval.papers.parsers_outcome import Outcome
from preorder_eval.results.defaults import BASELINES
from preorder_eval.results.run import write_run
from preorder_eval.results.systems import Progress, no_progress
from preorder_eval.training.recipe import METRICS
from preorder_eval.training.resumable import library_versions, resumable


@dataclass(frozen=True, eq=False)
class ParsersWork:
    """Training five parsers and scoring them and five rule sets; see `parsers_experiment`.

    `treebank` and `dev` are CoNLL-U files to learn from and to score the parsers on. `data` are the
    sentences to reorder: the first `select` of them to select parses of, the last `evaluate` to
    evaluate on, or with `folds` all, each evaluated by parsers that have learned from the other
    parts. `rules` is what all parsers reorder by. `arguments`, of the command line, are kept in the
    run folders; `log` gets a line for each evaluation in training; `jobs` is how many processes
    parse.
    """

    treebank: Path
    dev: Path
    data: ReferenceSet
    rules: str = "en-ja"
    select: int = 437
    evaluate: int = 200
    folds: int | None = None
    design: Design = field(default_factory=Design)
    metrics: Sequence[str] = METRICS
    resamples: int = 1000
    arguments: Sequence[str] = ()
    log: IO[str] = sys.stderr
    progress: Progress = no_progress
    jobs: int = 1

    def splits(self) -> list[Split]:
        """The parts to learn from and to evaluate on; PreorderEvalError if they are too many."""
        if self.folds:
            return cross(len(self.data), self.folds)
        return held_out(len(self.data), self.select, self.evaluate)

    def settings(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What decides P1, P2 and the control, and what else decides the outcome.

        Raises FormatError for files that cannot be read, and PreorderEvalError for metrics that
        there are not and for more sentences than there are.
        """
        for signature in self.metrics:
            order_metric(signature)
        self.splits()
        design = asdict(self.design)
        recipe = design.pop("recipe")
        first = {
            "treebank": file_hash(self.treebank),
            "dev": file_hash(self.dev),
            **design,
            "seed": self.design.recipe.seed,
            "versions": library_versions(),
        }
        split = {"select": self.select, "evaluate": self.evaluate}
        then = {
            "data": self.data.hashes,
            "rules": rules_hash(self.rules),
            "split": {"folds": self.folds} if self.folds else split,
            "recipe": recipe,
        }
        return first, then

    def run(self, out: Path) -> Outcome:
        """Do it in the folder `out`; the same call goes on where a killed one was.

        Nothing is made again for other `metrics`. Raises what `settings` raises, and FormatError
        for a folder of other work.
        """
        first_settings, recipe_settings = self.settings()
        seed = self.design.recipe.seed
        work = out / f"recipe-{text_hash(format_json(recipe_settings))[:8]}"
        with resumable(out, first_settings), resumable(work, recipe_settings):
            experiment = Experiment(
                out,
                work,
                self.treebank,
                self.dev,
                self.data,
                self.splits(),
                self.design,
                log=self.log,
                progress=self.progress,
                jobs=self.jobs,
            )
            outcome = experiment.run(
                self.rules,
                [name for name in BASELINES if name != self.rules],
                list(map(order_metric, self.metrics)),
                resamples=self.resamples,
                seed=seed,
            )
            for name, part in (("parsers", outcome.parsers), ("rules", outcome.rules)):
                run = work / "runs" / name
                shutil.rmtree(run, ignore_errors=True)
                run.parent.mkdir(exist_ok=True)
                write_run(part, run, self.arguments)
        return outcome
