"""Targeted self-training with every round evaluated, and the end compared with the start.

The folder of the work holds the products of the rounds (`rounds`), and for the start and every
round a run folder in `runs/` and accuracies on gold trees in `dev/`; `comparison.json` in the end.
What is there is not made again.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any

from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.conllu import read_conllu
from preorder_eval.formats.files import file_hash, read_json
from preorder_eval.formats.rules import load_rules, rules_hash
from preorder_eval.formats.tables import Table, format_json, known
from preorder_eval.formats.text_table import format_table
from preorder_eval.parsers.loading import find_parser, load_parser
from preorder_eval.parsers.tree_file import is_tree_file
from preorder_eval.results.comparison import Comparison, compare
from preorder_eval.results.evaluation import evaluate
from preorder_eval.results.result import Result
from preorder_eval.results.run import read_run, write_result
from preorder_eval.results.systems import Progress, no_progress
from preorder_eval.training.recipe import METRICS, Recipe
from preorder_eval.training.resumable import library_versions, once, resumable
from preorder_eval.training.rounds import Task, dev_scores, train_in_rounds
from preorder_eval.training.selection_counts import SelectionCounts

_MEANS = ("mean_1best", "mean_selected", "mean_list")
_MEANT = """\
1-best, selected, list: mean {metric} on the sentences to learn from, of the parser's
best parse, of the best of its list, and of all in its list"""


@dataclass(frozen=True, eq=False)
class EvaluatedRound:
    """A round, or the start, evaluated.

    `run` is how its parser reorders, `dev` its accuracies on gold trees by case, `selection` what
    was selected for it, None for the start.
    """

    name: str
    run: Result
    dev: dict[str, dict[str, float]]
    selection: SelectionCounts | None = None

    def __repr__(self) -> str:
        return f"<EvaluatedRound {self.name}>"

    def summary(self) -> dict[str, Any]:
        """Everything as plain values."""
        scores = self.run.summary()["systems"][0]["scores"]
        summary = {"name": self.name, "run": f"runs/{self.name}", "scores": scores, "dev": self.dev}
        if self.selection is None:
            return summary
        return {**summary, "selection": self.selection.summary()}


@dataclass(frozen=True, eq=False)
class SelfTraining:
    """What self-training came to: the start and every round, and the end compared with the start.

    `folder` holds the parsers: `parsers/round-1`, …
    """

    folder: Path
    recipe: Recipe
    rounds: list[EvaluatedRound]
    comparison: Comparison

    def summary(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "recipe": asdict(self.recipe),
            "rounds": [evaluated.summary() for evaluated in self.rounds],
            "comparison": self.comparison.summary(20),
        }

    def table(self) -> Table:
        """Header and a row for every round as plain values; selection is None for the start."""
        selection = list(SelectionCounts().summary())
        header = ["name", *METRICS, "las", "las_lower", "upos", *selection]
        rows: list[list[object]] = []
        for evaluated in self.rounds:
            accuracies = [evaluated.dev["as it is"]["las"], evaluated.dev["lower case"]["las"]]
            counts = {} if evaluated.selection is None else evaluated.selection.summary()
            values = [known(interval.value) for interval in evaluated.run.intervals[0]]
            row = [evaluated.name, *values, *accuracies, evaluated.dev["as it is"]["upos"]]
            rows.append([*row, *map(counts.get, selection)])
        return header, rows

    def __repr__(self) -> str:
        header = ["", "learned from", "1-best", "selected", "list", *METRICS]
        header += ["LAS", "lower case", "UPOS"]
        rows = []
        for evaluated in self.rounds:
            cells = [evaluated.name, *["-"] * 4]
            if evaluated.selection is not None:
                counts = evaluated.selection.summary()
                cells[1:] = [str(counts["kept"]), *(f"{counts[mean]:.4f}" for mean in _MEANS)]
            cells += [f"{interval.value:.4f}" for interval in evaluated.run.intervals[0]]
            cells += [f"{evaluated.dev[case]['las']:.4f}" for case in ("as it is", "lower case")]
            rows.append([*cells, f"{evaluated.dev['as it is']['upos']:.4f}"])
        return f"{format_table(header, rows)}\n\n{_MEANT.format(metric=self.recipe.metric)}"


@dataclass(frozen=True, eq=False)
class Work:
    """Targeted self-training: parse, select, retrain and evaluate, for the rounds of a recipe.

    `parser` is a spaCy pipeline to start from, by name or path; `treebank` and `dev` are CoNLL-U
    files to go on learning from and to score every round on; `data` are sentences with reference
    orders to select parses of, `evaluation` those to evaluate on. `arguments`, of the command line,
    are kept in the run folders; `log` gets a line for each evaluation in training; `jobs` is how
    many processes parse.
    """

    parser: str | Path
    treebank: Path
    dev: Path
    data: ReferenceSet
    evaluation: ReferenceSet
    rules: str | Path = "en-ja"
    recipe: Recipe = field(default_factory=Recipe)
    resamples: int = 1000
    arguments: Sequence[str] = ()
    log: IO[str] = sys.stderr
    progress: Progress = no_progress
    jobs: int = 1

    def settings(self) -> dict[str, Any]:
        """What decides the outcome.

        Raises FormatError for files that cannot be read, and PreorderEvalError for a parser that
        cannot learn.
        """
        if is_tree_file(self.parser):
            mend = "name a spaCy pipeline"
            raise PreorderEvalError(f"{self.parser}: trees cannot be trained; {mend}")
        identity = find_parser(self.parser).identity
        return {
            "parser": {"sha256": identity.sha256, "truecase": identity.truecase},
            "rules": rules_hash(self.rules),
            "treebank": file_hash(self.treebank),
            "dev": file_hash(self.dev),
            "selection": self.data.hashes,
            "evaluation": self.evaluation.hashes,
            "recipe": asdict(self.recipe),
            "resamples": self.resamples,
            "versions": library_versions(),
        }

    def _warn_of_known(self) -> None:
        """Say in the log how many sentences to evaluate on are learned from, too."""
        seen = set(map(tuple, self.data.source))
        both = sum(tuple(words) in seen for words in self.evaluation.source)
        if both:
            of = f"{both} of {len(self.evaluation)} sentences to evaluate on"
            print(f"preorder-eval: warning: {of} are learned from, too", file=self.log)

    def run(self, out: Path, like: Path | None = None) -> SelfTraining:
        """Do it in the folder `out`; the same call goes on where a killed one was.

        `like` is the folder of the same work with another seed, which selects the same parses for
        the first round: they are taken from there.

        Raises FormatError for files that cannot be read and for a folder of other work, and
        PreorderEvalError where there is nothing to train or nothing is selected.
        """
        settings, gold = self.settings(), read_conllu(self.dev)
        rules = load_rules(self.rules)
        task = Task(rules, self.treebank, self.dev, self.data, self.recipe, self.jobs)
        judge = _Judge(self, out, gold)
        if like is None:
            self._warn_of_known()
        with resumable(out, settings):
            if like is not None:
                for name in ("round-1.conllu", "round-1.json"):
                    once(out / "selected" / name, partial(_text, like / "selected" / name))
            rounds = [judge.evaluate("start", self.parser)]
            rounds += [
                judge.evaluate(trained.name, trained.parser, trained.counts)
                for trained in train_in_rounds(
                    out, self.parser, task, log=self.log, progress=self.progress
                )
            ]
            ends = rounds[0].run, rounds[-1].run
            comparison = compare(*ends, resamples=self.resamples, seed=self.recipe.seed)
            once(out / "comparison.json", lambda: format_json(comparison.summary(20)))
        return SelfTraining(out, self.recipe, rounds, comparison)


def _text(file: Path) -> str:
    return file.read_bytes().decode()


@dataclass(frozen=True)
class _Judge:
    """Evaluates parsers on the same sentences and gold trees, each once."""

    work: Work
    folder: Path
    gold: Treebank

    def evaluate(
        self, name: str, parser: str | Path, selection: SelectionCounts | None = None
    ) -> EvaluatedRound:
        """A parser's run and its scores on gold trees, which are kept."""
        run, file = self.folder / "runs" / name, self.folder / "dev" / f"{name}.json"
        work = self.work
        if not run.exists():
            loaded = load_parser(parser, jobs=work.jobs)
            once(file, lambda: format_json(dev_scores(loaded, self.gold)))
            result = evaluate(
                work.evaluation,
                metrics=METRICS,
                parsers=[loaded],
                rules=[work.rules],
                resamples=work.resamples,
                seed=work.recipe.seed,
            )
            write_result(result, run, work.arguments)
        return EvaluatedRound(name, read_run(run), read_json(file), selection)
