"""The result of self-training: its rounds with their scores, for one seed or several.

Two seeds of one recipe can differ as much as two recipes. So the parser of the median seed on the
evaluation sentences is kept: the best seed would be best by chance, and worse on other text.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from preorder_eval.base.stats.measurement import spread
from preorder_eval.base.tables import Caveat, Column, Shown, Table, ends, figure, signed
from preorder_eval.evaluation.compare import Comparison, compare
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.verdict import wording
from preorder_eval.evaluation.verdict.caveats import of_a_recipe
from preorder_eval.learning.recipe import Recipe
from preorder_eval.metrics.registry import short_names

KEPT = "parser"  # the folder of the one for use
_MEANS = ("mean_1best", "mean_selected", "mean_after")
ACCURACIES = {
    "las": ("LAS", "as it is", "las"),
    "las_lower": ("LAS, lower case", "lower case", "las"),
    "upos": ("UPOS", "as it is", "upos"),
}


@dataclass(frozen=True, eq=False, repr=False)
class EvaluatedRound:
    """A round, or the start, evaluated.

    `run` is how its parser reorders; `dev` its accuracies on gold trees by case; `learned` what it
    has learned from (see `Round`), empty for the start.
    """

    name: str
    run: Result
    dev: dict[str, dict[str, float]]
    learned: dict[str, Any] = field(default_factory=dict)

    def scores(self) -> dict[str, float]:
        """Return the scores by the metrics, and the accuracies."""
        values = [interval.value for interval in self.run.intervals[0]]
        accuracies = {key: self.dev[case][kind] for key, (_, case, kind) in ACCURACIES.items()}
        return dict(zip(map(str, self.run.metrics), values, strict=True)) | accuracies


@dataclass(frozen=True, eq=False)
class SelfTraining(Shown):
    """A self-training: the start and every round, and the end compared with the start.

    `folder` holds the parsers: `parsers/round-1`, … `control` is the end of the same training on
    the parser's own best parses, None if there was none.
    """

    folder: Path
    recipe: Recipe
    rounds: list[EvaluatedRound]
    comparison: Comparison
    control: EvaluatedRound | None = None

    @property
    def verdict(self) -> str:
        """State how the end compares with the start and the control, and what was learned."""
        told, learned = [self.comparison.verdict], self.rounds[-1].learned
        if self.over_control is not None:
            told.append(f"Against the control: {wording.answered(self.over_control.found)}")
        if learned["share_learned"] is not None:
            means = (figure(learned[mean], ".3f") for mean in ("mean_1best", "mean_after"))
            told.append(
                f"On the training sentences, {learned['share_learned']:.0%} of the list's gain "
                f"was learned ({' → '.join(means)}, list {learned['mean_selected']:.3f})."
            )
        return " ".join(told)

    @property
    def own_warnings(self) -> list[Caveat]:
        """The warnings of the comparisons."""
        compared = [self.comparison, *([self.over_control] if self.over_control else [])]
        return list(dict.fromkeys(caveat for each in compared for caveat in each.own_warnings))

    @cached_property
    def over_control(self) -> Comparison | None:
        """The end compared with the control."""
        if self.control is None:
            return None
        return compare(self.control.run, self.rounds[-1].run, sentences=0)

    @property
    def evaluated(self) -> list[EvaluatedRound]:
        """The start, every round, and the control if there is one."""
        return [*self.rounds, *([self.control] if self.control else [])]

    def _facts(self) -> dict[str, Any]:
        over = {"over_control": self.over_control.to_dict()} if self.over_control else {}
        return {"recipe": asdict(self.recipe), "comparison": self.comparison.to_dict()} | over

    def tables(self) -> list[Table]:
        counts = list(self.rounds[-1].learned)
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
        for done in self.evaluated:
            accuracies = [value for kinds in done.dev.values() for value in kinds.values()]
            intervals = map(ends, done.run.intervals[0])
            row = [done.name, f"runs/{done.name}", *intervals, *accuracies]
            rows.append([*row, *map(done.learned.get, counts)])
        return [Table("rounds", columns, rows)]

    def view(self, whole: bool = False) -> list[Table]:
        columns = [Column("name", "", label=True), Column("kept", "learned from")]
        columns += [Column(mean, mean.removeprefix("mean_"), ".3f") for mean in _MEANS]
        columns += [Column("share_learned", "learned", ".0%"), *self.score_columns()]
        rows = []
        for done in self.evaluated:
            learned = map(done.learned.get, ("kept", *_MEANS, "share_learned"))
            rows.append([done.name, *learned, *done.scores().values()])
        notes = [
            f"1best, selected, after: mean {self.recipe.metric} on the training sentences of the "
            "parser's best parse, of the best parse in its list, and of the new parser's best "
            "parse",
            "learned: (after - 1best) / (selected - 1best), the share of the list's gain",
        ]
        if self.control:
            notes.append("control: the same training on the parser's own best parses")
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
        caveats = of_a_recipe(len(self.seeds), control=kept.recipe.control)
        return replace(kept, comparison=replace(kept.comparison, caveats=caveats))

    @property
    def own_warnings(self) -> list[Caveat]:
        return self.kept.own_warnings

    @property
    def verdict(self) -> str:
        """State how the end of the training that is kept compares with its start, and the gain."""
        gains = {row[0]: row[2] for row in self.tables()[0].rows}
        told = f"Seed {self.typical}, the median: {self.kept.verdict} Over {len(self.seeds)} seeds "
        told += f"the mean gain is {signed(gains['gain'])}"
        over = gains.get("over control")
        return f"{told}{'' if over is None else f', {signed(over)} over the control'}."

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
        controls = [training.control.scores() for training in self.trainings if training.control]
        if controls:
            means = [spread([scores[name] for scores in controls])["mean"] for name in start]
            over = [each["mean"] - mean for each, mean in zip(spreads, means, strict=True)]
            rows += [["control", False, *means], ["over control", False, *over]]
        columns = [Column("name", "", label=True), Column("kept", "", "kept")]
        columns += self.trainings[0].score_columns()
        return [Table("scores", columns, rows)]

    def view(self, whole: bool = False) -> list[Table]:
        notes = [
            f"mean, sd, min and max over the {len(self.seeds)} seeds; gain: mean minus start",
            *["over control: mean minus the mean of the controls"]
            * bool(self.trainings[0].control),
            "kept: the median seed, whose score is the one to expect; its parser is "
            f"{self.folder / KEPT}",
        ]
        [scores] = self.tables()
        return [replace(scores, notes=notes), *self.kept.comparison.view()]
