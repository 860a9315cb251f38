"""Self-training with several seeds: what it comes to on average, how far the seeds lie apart, and
the best of them.

The seeds of one recipe can differ by as much as two recipes do, so that one training tells little.
The folder of the work holds a folder for each seed, with all that a training with this seed alone
gives. `best` there is the last parser of the seed that reorders best the sentences learned from,
by the metric that selected their parses. The sentences to evaluate on have no say in it: what is
chosen by a score is no longer measured by it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.files import read_json
from preorder_eval.formats.tables import Table, format_json, known
from preorder_eval.formats.text_table import format_table
from preorder_eval.parsers.loading import load_parser
from preorder_eval.results.evaluation import evaluate
from preorder_eval.stats.spread import Spread
from preorder_eval.training.recipe import METRICS
from preorder_eval.training.resumable import once, resumable
from preorder_eval.training.self_training import EvaluatedRound, SelfTraining, Work

_BEST = "best"
_SCORES = (*METRICS, "las", "las_lower", "upos")


@dataclass(frozen=True, eq=False)
class SeededTrainings:
    """What self-training came to with each of several seeds.

    `learned` are the scores of the last parsers on the sentences learned from, by the recipe's
    metric; `folder` holds the folder of each seed and the best parser.
    """

    folder: Path
    seeds: tuple[int, ...]
    trainings: list[SelfTraining]
    learned: list[float]

    @property
    def best(self) -> int:
        """The seed whose last parser is kept: the one that scores highest on what it learned."""
        return self.seeds[self.learned.index(max(self.learned))]

    @property
    def kept(self) -> SelfTraining:
        """The training with that seed."""
        return self.trainings[self.seeds.index(self.best)]

    def spreads(self) -> dict[str, Spread]:
        """The spread of every score of the last parsers, and of the one that the best is by."""
        ends = [_scores(training.rounds[-1]) for training in self.trainings]
        spreads = {name: Spread.of(scores[name] for scores in ends) for name in _SCORES}
        return spreads | {"learned": Spread.of(self.learned)}

    def summary(self) -> dict[str, Any]:
        """Everything as plain values."""
        recipe = asdict(self.kept.recipe)
        del recipe["seed"]
        return {
            "recipe": recipe,
            "seeds": list(self.seeds),
            "best": {"seed": self.best, "parser": _BEST, "by": recipe["metric"], "of": "learned"},
            "learned": dict(zip(map(str, self.seeds), self.learned, strict=True)),
            "spread": {name: spread.summary() for name, spread in self.spreads().items()},
            "trainings": [training.summary() for training in self.trainings],
        }

    def table(self) -> Table:
        """Header and rows: the start, the end by every seed, their mean, spread and mean gain."""
        start = _scores(self.trainings[0].rounds[0])
        rows: list[list[object]] = [["start", None, *start.values(), None]]
        for seed, training, learned in zip(self.seeds, self.trainings, self.learned, strict=True):
            scores = _scores(training.rounds[-1]).values()
            rows.append([f"seed-{seed}", seed == self.best, *scores, learned])
        spreads = self.spreads()
        rows += [
            [name, None, *(spread.summary()[name] for spread in spreads.values())]
            for name in ("mean", "sd", "min", "max")
        ]
        gains = [spreads[name].mean - start[name] for name in _SCORES]
        rows.append(["gain", None, *gains, None])
        values = [[*row[:2], *map(_plain, row[2:])] for row in rows]
        return ["name", "best", *_SCORES, "learned"], values

    def __repr__(self) -> str:
        _, rows = self.table()
        header = ["", "", *METRICS, "LAS", "lower case", "UPOS", "learned"]
        cells = [
            [str(name), "best" if best else "", *map(_cell, scores)] for name, best, *scores in rows
        ]
        number = len(self.seeds)
        return (
            f"{format_table(header, cells)}\n\n"
            f"mean, sd, min and max are of the {number} seeds; gain: mean minus start\n"
            f"learned: {self.kept.recipe.metric} on the sentences to learn from, which the best is "
            f"chosen by; its parser is {self.folder / _BEST}"
        )


def train_with_seeds(work: Work, out: Path, seeds: Sequence[int]) -> SeededTrainings:
    """Do a work once with each of several seeds, in the folder `out`, and keep the best parser.

    The same call goes on where a killed one was. Raises what `Work.run` raises, and
    PreorderEvalError without a seed or with one twice.
    """
    if not seeds or len(set(seeds)) < len(seeds):
        raise PreorderEvalError(f"seeds {list(seeds)}: give one or more, each once")
    settings = work.settings()
    del settings["recipe"]["seed"]
    trainings, learned, first = [], [], None
    with resumable(out, {**settings, "seeds": list(seeds)}):
        for seed in seeds:
            name = f"seed-{seed}"
            training = _of_seed(work, seed).run(out / name, like=first)
            file = out / "learned" / f"{name}.json"
            once(file, partial(_learned, work, training))
            trainings.append(training)
            learned.append(float(read_json(file)["score"]))
            first = first or out / name
        result = SeededTrainings(out, tuple(seeds), trainings, learned)
        _keep(_last_parser(result.kept), out / _BEST)
    return result


def _of_seed(work: Work, seed: int) -> Work:
    """The work with a seed, which its progress bars name."""

    def progress(label: str, total: int | None) -> AbstractContextManager[Any]:
        return work.progress(f"seed {seed}, {label}", total)

    return replace(work, recipe=replace(work.recipe, seed=seed), progress=progress)


def _last_parser(training: SelfTraining) -> Path:
    return training.folder / "parsers" / training.rounds[-1].name


def _learned(work: Work, training: SelfTraining) -> str:
    """How well the last parser reorders the sentences that it has learned from, as JSON."""
    metric = work.recipe.metric
    parser = load_parser(_last_parser(training), jobs=work.jobs)
    result = evaluate(
        work.data, metrics=[metric], parsers=[parser], rules=[work.rules], progress=work.progress
    )
    return format_json({"metric": metric, "score": result.value(result.systems[0])})


def _keep(parser: Path, out: Path) -> None:
    """Copy a parser's folder, which appears whole or not at all."""
    if not out.exists():
        temporary = out.with_name(f".{out.name}.{os.getpid()}.tmp")
        shutil.copytree(parser, temporary)
        temporary.rename(out)


def _scores(evaluated: EvaluatedRound) -> dict[str, float]:
    """The scores of a round by their names in tables."""
    values = [interval.value for interval in evaluated.run.intervals[0]]
    dev = evaluated.dev
    accuracies = [dev["as it is"]["las"], dev["lower case"]["las"], dev["as it is"]["upos"]]
    return dict(zip(_SCORES, [*values, *accuracies], strict=True))


def _plain(value: object) -> object:
    return known(value) if isinstance(value, float) else value


def _cell(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else ""
