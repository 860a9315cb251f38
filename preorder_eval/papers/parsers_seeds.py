"""The Parsers and Rules experiments with several seeds: means, and how far the seeds lie apart.

Significance tests ask what other sentences would do to the scores of these parsers; seeds tell what
another training would do to the parsers. The whole experiment is done with each seed, P1 included,
in a folder of its own, as it is with this seed alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.tables import Table, known
from preorder_eval.formats.text_table import format_table
from preorder_eval.papers.parsers_outcome import Outcome
from preorder_eval.papers.parsers_work import ParsersWork
from preorder_eval.results.result import Result
from preorder_eval.stats.spread import Spread
from preorder_eval.training.resumable import resumable

_ACCURACIES = {
    "las as it is": "LAS",
    "las lower case": "LAS, lower case",
    "upos as it is": "UPOS",
    "upos lower case": "UPOS, lower case",
}


@dataclass(frozen=True, eq=False)
class SeededOutcomes:
    """What the experiments came to with each of several seeds; `folder` holds one for each."""

    folder: Path
    seeds: tuple[int, ...]
    outcomes: list[Outcome]

    def summary(self) -> dict[str, Any]:
        """Everything but the trees as plain values."""
        parts: dict[str, Any] = {}
        for name, (header, rows) in (("scores", self.table()), ("differences", self.pairs())):
            parts[name] = [dict(zip(header, row, strict=True)) for row in rows]
        outcomes = [outcome.summary() for outcome in self.outcomes]
        return {"seeds": list(self.seeds), **parts, "outcomes": outcomes}

    def table(self) -> Table:
        """Header and a row for every score of every system as plain values."""
        header = ["experiment", "parser", "rules", "score", *self._columns]
        rows: list[list[object]] = []
        for experiment, results in self._experiments():
            for system in results[0].inputs.systems:
                scores = _scores(results, system.name)
                if experiment == "parsers":
                    scores |= self._accuracies(system.parser)
                named = [experiment, system.parser, system.rules]
                rows += [[*named, score, *_cells(spread)] for score, spread in scores.items()]
        return header, rows

    def pairs(self) -> Table:
        """Header and a row for every pair of systems: by how much the second is above the first."""
        header = ["experiment", "metric", "row", "column", *self._columns]
        rows: list[list[object]] = []
        for experiment, results in self._experiments():
            for metric in map(str, results[0].metrics):
                for pair in combinations(results[0].systems, 2):
                    cells = _cells(_difference(results, metric, *pair))
                    rows.append([experiment, metric, *pair, *cells])
        return header, rows

    def __repr__(self) -> str:
        parts = []
        for experiment, results in self._experiments():
            parts.append(f"{experiment.capitalize()}\n\n{self._text(experiment, results)}")
            parts += [
                f"The column's system minus the row's, by {metric}:\n{_matrix(results, metric)}"
                for metric in map(str, results[0].metrics)
            ]
        return "\n\n".join(parts)

    @property
    def _columns(self) -> list[str]:
        return ["mean", "sd", "min", "max", *(f"seed-{seed}" for seed in self.seeds)]

    def _experiments(self) -> Iterator[tuple[str, list[Result]]]:
        """Both experiments by name, with the result of each seed."""
        yield "parsers", [outcome.parsers for outcome in self.outcomes]
        yield "rules", [outcome.rules for outcome in self.outcomes]

    def _accuracies(self, parser: str) -> dict[str, Spread]:
        """The spread of a parser's accuracies on gold trees."""
        every = [outcome.dev[parser] for outcome in self.outcomes]
        return {
            f"{name} {case}": Spread.of(scores[case][name] for scores in every)
            for case, accuracies in every[0].items()
            for name in accuracies
        }

    def _text(self, experiment: str, results: Sequence[Result]) -> str:
        shown = _ACCURACIES if experiment == "parsers" else {}
        rows = []
        for system in results[0].inputs.systems:
            row = [system.name, *map(str, _scores(results, system.name).values())]
            accuracies = self._accuracies(system.parser) if shown else {}
            rows.append([*row, *(_percent(accuracies[name]) for name in shown)])
        return format_table(["", *map(str, results[0].metrics), *shown.values()], rows)


def parsers_with_seeds(work: ParsersWork, out: Path, seeds: Sequence[int]) -> SeededOutcomes:
    """Do the experiments once with each of several seeds, in the folder `out`.

    The same call goes on where a killed one was. Raises what `ParsersWork.run` raises, and
    PreorderEvalError without a seed or with one twice.
    """
    if not seeds or len(set(seeds)) < len(seeds):
        raise PreorderEvalError(f"seeds {list(seeds)}: give one or more, each once")
    settings, _ = work.settings()
    del settings["seed"]
    with resumable(out, {**settings, "seeds": list(seeds)}):
        outcomes = [_of_seed(work, seed).run(out / f"seed-{seed}") for seed in seeds]
    return SeededOutcomes(out, tuple(seeds), outcomes)


def _of_seed(work: ParsersWork, seed: int) -> ParsersWork:
    """The work with a seed, which its progress bars name."""
    recipe = replace(work.design.recipe, seed=seed)

    def progress(
        label: str, total: int | None
    ) -> AbstractContextManager[Callable[[int], None] | None]:
        return work.progress(f"seed {seed}, {label}", total)

    return replace(work, design=replace(work.design, recipe=recipe), progress=progress)


def _scores(results: Sequence[Result], system: str) -> dict[str, Spread]:
    """The spread of a system's scores by every metric."""
    return {
        str(metric): Spread.of(result.value(system, m) for result in results)
        for m, metric in enumerate(results[0].metrics)
    }


def _difference(results: Sequence[Result], metric: str, first: str, second: str) -> Spread:
    """The spread of what a second system has above a first one."""
    return Spread.of(r.value(second, metric) - r.value(first, metric) for r in results)


def _matrix(results: Sequence[Result], metric: str) -> str:
    systems = results[0].systems
    rows = []
    for i, first in enumerate(systems):
        cells = [
            f"{spread.mean:+.4f} ± {spread.sd:.4f}"
            for second in systems[i + 1 :]
            for spread in [_difference(results, metric, first, second)]
        ]
        rows.append([str(i + 1), first, *[""] * (len(systems) - 1 - len(cells)), *cells])
    return format_table(["", "", *(str(j + 1) for j in range(1, len(systems)))], rows)


def _cells(spread: Spread) -> list[object]:
    return [*map(known, spread.summary().values()), *spread.values]


def _percent(spread: Spread) -> str:
    return f"{100 * spread.mean:.1f} ± {100 * spread.sd:.1f}"
