"""Rounds of targeted self-training (Katz-Brown et al. 2011; Talbot et al. 2011, section 4.1).

A round: the parser parses sentences that have a reference order into n-best lists, the parse of
each list that reorders best is selected, and the parser goes on learning from the treebank and the
selected parses. The next round starts from the parser of this one. Work killed at any point goes on
after the last finished part of a selection, or at the beginning of a training.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO

from preorder_eval.analysis.attachment import attachment
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import FormatError
from preorder_eval.formats.conllu import read_conllu
from preorder_eval.formats.reference_set import parts_of
from preorder_eval.formats.writing import format_json
from preorder_eval.metrics import order_metric
from preorder_eval.parsers.base import Parser
from preorder_eval.parsers.loading import find_parser
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.results.systems import Progress, no_progress
from preorder_eval.training.recipe import BATCH_WORDS, Recipe, TrainingSettings
from preorder_eval.training.resumable import once
from preorder_eval.training.selection import PART, Filter, SelectionCounts, select_parts
from preorder_eval.training.train import train_parser


@dataclass(frozen=True)
class Task:
    """The input of self-training.

    `dev` is the development part of the treebank, `data` the sentences to select parses of, and
    `cached` whether lists are looked up in the user's cache.
    """

    rules: RuleSet
    treebank: Path
    dev: Path
    data: ReferenceSet
    recipe: Recipe
    jobs: int = 1
    cached: bool = False


@dataclass(frozen=True)
class Round:
    """A finished round: the folder of its parser, and the counts of what was selected for it."""

    number: int
    parser: Path
    counts: SelectionCounts

    @property
    def name(self) -> str:
        """The round's name in file names."""
        return f"round-{self.number}"


def train_in_rounds(
    folder: Path, start: str | Path, task: Task, *, log: IO[str], progress: Progress = no_progress
) -> Iterator[Round]:
    """Train in rounds from the parser `start`, a name or path, and yield every round when done.

    `folder` is the work's own and keeps all products; `log` gets a line for each evaluation in
    training, `progress` opens a progress bar. Raises PreorderEvalError if nothing is selected.
    """
    parser = start
    for number in range(1, task.recipe.rounds + 1):
        name = f"round-{number}"
        selected = folder / "selected" / f"{name}.conllu"
        counts = select_parses(selected, parser, task, progress)
        if not selected.stat().st_size:
            hint = "use a smaller --margin"
            raise FormatError("no parse was selected", file=selected, hint=hint)
        files = {task.treebank: 1, selected: task.recipe.weight}
        settings = further_training(task.recipe, parser, files)
        parser = folder / "parsers" / name
        if not parser.exists():
            parser.parent.mkdir(parents=True, exist_ok=True)
            train_parser(list(files), task.dev, parser, settings, log=log)
        yield Round(number, parser, counts)


def select_parses(
    out: Path, parser: str | Path, task: Task, progress: Progress = no_progress
) -> SelectionCounts:
    """Write the selected parses to `out`, by finished parts, with the counts beside it in JSON."""
    report, recipe = out.with_suffix(".json"), task.recipe
    if not report.exists():
        files = {
            first: out.with_name(f"{out.stem}.part-{first}-of-{PART}.json")
            for first in range(1, len(task.data) + 1, PART)
        }
        left = [first for first, file in files.items() if not file.exists()]
        if left:
            loaded = find_parser(parser, task.cached, task.jobs)
            metric = order_metric(recipe.metric)
            parts = (part for part in parts_of(task.data, PART) if part[0] in left)
            sentences = sum(min(PART, len(task.data) - first + 1) for first in left)
            with progress(f"parsing, {recipe.n}-best", sentences) as advance:
                lists = (
                    (n, part, loaded.parse(part.source, recipe.n, advance)) for n, part in parts
                )
                wanted = Filter(recipe.only_changed, recipe.margin)
                selected = select_parts(lists, task.rules, metric, wanted)
                for first, (counts, trees) in zip(left, selected, strict=True):
                    facts = {"counts": asdict(counts), "trees": trees}
                    once(files[first], partial(format_json, facts))
        stored = [json.loads(file.read_bytes()) for file in files.values()]
        total = sum((SelectionCounts(**part["counts"]) for part in stored), SelectionCounts())
        once(out, lambda: "".join(part["trees"] for part in stored))
        once(report, lambda: format_json(asdict(total)))
    for file in out.parent.glob(f"{out.stem}.part-*.json"):
        file.unlink()
    return SelectionCounts(**json.loads(report.read_bytes()))


def further_training(
    recipe: Recipe, parser: str | Path, files: Mapping[Path, int]
) -> TrainingSettings:
    """Return how a parser goes on learning by a recipe, from files with their weights."""
    steps = recipe.steps
    if recipe.epochs is not None:
        words = sum(weight * len(read_conllu(file).words) for file, weight in files.items())
        steps = max(1, round(recipe.epochs * words / BATCH_WORDS))
    return TrainingSettings(
        steps=steps,
        lower=recipe.lower,
        seed=recipe.seed,
        evaluate_every=steps,
        learn_rate=recipe.learn_rate,
        weights=tuple(files.values()),
        resume=parser,
        keep="last",
    )


def dev_scores(parser: Parser, gold: Treebank) -> dict[str, dict[str, float]]:
    """Return attachment and tagging accuracy on gold trees, as they are and in lower case."""
    lower = replace(gold, words=gold.lower_words)
    return {
        case: asdict(attachment(trees, parser.parse(trees.sentences)))
        for case, trees in (("as it is", gold), ("lower case", lower))
    }
