"""Targeted self-training with every round evaluated, with one seed or several.

The folder of the work holds the products of the rounds (`rounds`), and `comparison.json` in the
end. For the start and every round it holds a run folder in `runs/` and accuracies on gold trees in
`dev/`. What is there is not made again.

The seeds of one recipe can differ by as much as two recipes do. With several seeds the folder holds
a folder for each, and `parser`. That is the last parser of the median seed by the sentences to
evaluate on: the best would be so by chance, and worse elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from preorder_eval.errors import warn
from preorder_eval.formats.writing import format_json
from preorder_eval.metrics.registry import short_names
from preorder_eval.parsers.loading import load_parser
from preorder_eval.results.comparison import Comparison, compare
from preorder_eval.results.result import Result
from preorder_eval.results.verdict.caveats import ONE_SEED
from preorder_eval.stats.measurement import spread
from preorder_eval.tables import Column, Shown, Table, ends
from preorder_eval.training.recipe import Recipe
from preorder_eval.training.resumable import once, resumable
from preorder_eval.training.rounds import KEPT, Work, train_in_rounds
from preorder_eval.training.selection import SelectionCounts

_FEWEST_SEEDS = 3  # that tell of a recipe
_MEANS = ("mean_1best", "mean_selected", "mean_list")
ACCURACIES = {
    "las": ("LAS", "as it is", "las"),
    "las_lower": ("LAS, lower case", "lower case", "las"),
    "upos": ("UPOS", "as it is", "upos"),
}


@dataclass(frozen=True, eq=False, repr=False)
class EvaluatedRound:
    """A round, or the start, evaluated.

    `run` is how its parser reorders; `dev` its accuracies on gold trees by case; `selection` the
    counts of what was selected for it, None for the start.
    """

    name: str
    run: Result
    dev: dict[str, dict[str, float]]
    selection: SelectionCounts | None = None

    def scores(self) -> dict[str, float]:
        """Return the scores by the metrics, and the accuracies."""
        values = [interval.value for interval in self.run.intervals[0]]
        accuracies = {key: self.dev[case][kind] for key, (_, case, kind) in ACCURACIES.items()}
        return dict(zip(map(str, self.run.metrics), values, strict=True)) | accuracies


@dataclass(frozen=True, eq=False)
class SelfTraining(Shown):
    """A self-training: the start and every round, and the end compared with the start.

    `folder` holds the parsers: `parsers/round-1`, …
    """

    folder: Path
    recipe: Recipe
    rounds: list[EvaluatedRound]
    comparison: Comparison

    @property
    def verdict(self) -> str:
        """State how the end compares with the start."""
        return self.comparison.verdict

    def _facts(self) -> dict[str, Any]:
        return {"recipe": asdict(self.recipe), "comparison": self.comparison.to_dict()}

    def tables(self) -> list[Table]:
        counts = list(SelectionCounts().summary())
        columns = [Column("name", "", label=True), Column("run", only="json")]
        columns += [
            Column(("scores", str(metric)), interval=True) for metric in self.rounds[0].run.metrics
        ]
        columns += [
            Column(("dev", case, kind), only="" if kind in ("las", "upos") else "data")
            for case, kinds in self.rounds[0].dev.items()
            for kind in kinds
        ]
        columns += [Column(("selection", name), sparse=True) for name in counts]
        rows = []
        for done in self.rounds:
            accuracies = [value for kinds in done.dev.values() for value in kinds.values()]
            selected = done.selection.summary() if done.selection else {}
            intervals = map(ends, done.run.intervals[0])
            row = [done.name, f"runs/{done.name}", *intervals, *accuracies]
            rows.append([*row, *map(selected.get, counts)])
        return [Table("rounds", columns, rows)]

    def view(self, whole: bool = False) -> list[Table]:
        columns = [Column("name", "", label=True), Column("kept", "learned from")]
        columns += [Column(mean, mean.removeprefix("mean_"), ".3f") for mean in _MEANS]
        columns += self.score_columns()
        rows = []
        for done in self.rounds:
            selected = done.selection.summary() if done.selection else {}
            rows.append([done.name, *map(selected.get, ("kept", *_MEANS)), *done.scores().values()])
        notes = [
            f"1best, selected, list: mean {self.recipe.metric} on the sentences to learn from, of "
            "the parser's best parse, of the best of its list, and of all in its list"
        ]
        return [Table("rounds", columns, rows, notes=notes), *self.comparison.view()]

    def score_columns(self) -> list[Column]:
        """Return the columns of the scores of a round."""
        signatures = list(map(str, self.rounds[0].run.metrics))
        headings = dict(zip(signatures, short_names(signatures)[0], strict=True))
        headings |= {key: heading for key, (heading, *_) in ACCURACIES.items()}
        return [Column(key, heading, ".3f") for key, heading in headings.items()]


@dataclass(frozen=True, eq=False)
class SeededTrainings(Shown):
    """A self-training with each of several seeds; `folder` holds one for each, and `parser`."""

    folder: Path
    seeds: tuple[int, ...]
    trainings: list[SelfTraining]

    @property
    def typical(self) -> int:
        """The seed whose parser is kept: by the first metric the median, of two the lower."""
        ends = [next(iter(training.rounds[-1].scores().values())) for training in self.trainings]
        return self.seeds[sorted(range(len(ends)), key=ends.__getitem__)[(len(ends) - 1) // 2]]

    @property
    def kept(self) -> SelfTraining:
        """The training with that seed, which is not the only one."""
        kept = self.trainings[self.seeds.index(self.typical)]
        caveats = () if len(self.seeds) >= _FEWEST_SEEDS else kept.comparison.caveats
        return replace(kept, comparison=replace(kept.comparison, caveats=caveats))

    @property
    def verdict(self) -> str:
        """State how the end of the training that is kept compares with its start."""
        return self.kept.verdict

    def _facts(self) -> dict[str, Any]:
        recipe = asdict(self.kept.recipe)
        del recipe["seed"]
        kept = {"seed": self.typical, "parser": KEPT}
        trainings = [training.to_dict() for training in self.trainings]
        return {"recipe": recipe, "seeds": list(self.seeds), "kept": kept, "trainings": trainings}

    def tables(self) -> list[Table]:
        start = self.trainings[0].rounds[0].scores()
        ended = [training.rounds[-1].scores() for training in self.trainings]
        rows: list[list[object]] = [["start", False, *start.values()]]
        for seed, scores in zip(self.seeds, ended, strict=True):
            rows.append([f"seed-{seed}", seed == self.typical, *scores.values()])
        spreads = [spread([scores[name] for scores in ended]) for name in start]
        rows += [[name, False, *(each[name] for each in spreads)] for name in spreads[0]]
        gains = [each["mean"] - start[name] for name, each in zip(start, spreads, strict=True)]
        rows.append(["gain", False, *gains])
        columns = [Column("name", "", label=True), Column("kept", "", "kept")]
        columns += self.trainings[0].score_columns()
        return [Table("scores", columns, rows)]

    def view(self, whole: bool = False) -> list[Table]:
        notes = [
            f"mean, sd, min and max are of the {len(self.seeds)} seeds; gain: mean minus start",
            f"kept: the median seed, whose score is what to expect; its parser is "
            f"{self.folder / KEPT}",
        ]
        [scores] = self.tables()
        return [replace(scores, notes=notes), *self.kept.comparison.view()]


def train_with_seed(work: Work) -> SelfTraining:
    """Do a work; the same call goes on where a killed one was.

    Raises FormatError for unreadable files and a folder of other work, and PreorderEvalError if
    there is nothing to train or nothing is selected.
    """
    with resumable(work.out, work.settings()):
        seen = set(map(tuple, work.data.source))
        known = sum(tuple(words) in seen for words in work.evaluation.source)
        if known:
            of = f"{known} of {len(work.evaluation)} sentences to evaluate on"
            warn(f"{of} are learned from, too")
        rounds = [_evaluated(work, "start", work.parser)]
        rounds += [
            _evaluated(work, done.name, done.parser, done.counts) for done in train_in_rounds(work)
        ]
        drawn: dict[str, Any] = {"resamples": work.resamples, "seed": work.recipe.seed}
        comparison = compare(rounds[0].run, rounds[-1].run, sentences=20, **drawn)
        comparison = replace(comparison, caveats=(ONE_SEED,))
        once(work.out / "comparison.json", lambda: format_json(comparison.to_dict()))
    return SelfTraining(work.out, work.recipe, rounds, comparison)


def _evaluated(
    work: Work, name: str, parser: str | Path, selection: SelectionCounts | None = None
) -> EvaluatedRound:
    """Evaluate a parser on the sentences and on gold trees, unless that is in the folder."""

    def systems() -> dict[str, Any]:
        loaded = load_parser(parser, jobs=work.jobs)
        return {"reference": work.evaluation, "parsers": [loaded], "rules": [work.rules]}

    return EvaluatedRound(
        name, work.scored(name, systems), work.dev_scores(name, parser), selection
    )


def train_with_seeds(work: Work, seeds: Sequence[int]) -> SeededTrainings:
    """Do a work once with each of several seeds, and keep one's parser.

    The same call goes on where a killed one was. Raises what `train_with_seed` raises.
    """
    settings = work.settings()
    del settings["recipe"]["seed"]
    with resumable(work.out, {**settings, "seeds": list(seeds)}):
        trainings = [train_with_seed(work.part(f"seed {n}", n, work.data)) for n in seeds]
        result = SeededTrainings(work.out, tuple(seeds), trainings)
        work.keep(result.kept.folder / "parsers" / result.kept.rounds[-1].name)
    return result
