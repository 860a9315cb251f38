"""The Parsers and Rules experiments of Talbot et al. (2011, section 4.1) on data of one's own.

Five parsers with the same rules: P1 learns greedily; P2 is P1 that has gone on learning with a
beam; P3 and P4 are P1 after targeted self-training on half and on all of the sentences to select
from; P5 is the same as P4, but in lower case from its first update on, and it reads everything in
lower case. Beyond the paper, the *control* is P1 in lower case, from which P5 starts: it tells what
case and what self-training does. Then P5 with five rule sets. The paper's P3 to P5 search with a
beam; here they do not, as a greedy spaCy parser gives better n-best lists than one that has learned
with a beam.

The sentences to learn from and those to evaluate on are different ones. With folds the corpus is
cut into as many blocks of neighbouring sentences (a text's sentences are alike), each evaluated by
parsers that have learned from the others, so that every sentence is evaluated once.

The folder of the work keeps P1, P2 and the control, and in a folder for each recipe what depends on
that: another recipe finds the first parsers trained already. Significance tests ask what other
sentences would do to the scores of these parsers; several seeds show what another training would do
to the parsers: the whole experiment is done with each, in a folder of its own.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.conllu import format_conllu, read_conllu
from preorder_eval.formats.files import file_hash, read_json, text_hash
from preorder_eval.formats.rules import load_rules, rules_hash
from preorder_eval.formats.writing import format_json
from preorder_eval.metrics import order_metric
from preorder_eval.parsers.cache import ParseCache
from preorder_eval.parsers.loading import load_parser
from preorder_eval.parsers.truecase import Truecase
from preorder_eval.results.defaults import BASELINES
from preorder_eval.results.result import Result
from preorder_eval.results.run import write_run
from preorder_eval.results.scoring import evaluate
from preorder_eval.results.systems import Parsed, Progress, Rules, System, no_progress
from preorder_eval.stats.measurement import Spread
from preorder_eval.tables import Column, Shown, Table
from preorder_eval.training.recipe import METRICS, Recipe, TrainingSettings
from preorder_eval.training.resumable import library_versions, once, resumable
from preorder_eval.training.rounds import Task, dev_scores, train_in_rounds, train_once
from preorder_eval.training.selection import SelectionCounts

PARSERS = ("P1", "P2", "P3", "P4", "P5", "control")
LAST = "P5"
_SCORES = [Column(name, label=True) for name in ("experiment", "parser", "rules", "score")]
_DIFFERENCES = [Column(name, label=True) for name in ("experiment", "metric", "row", "column")]


@dataclass(frozen=True)
class TrainingSplit:
    """The numbers of the sentences to select parses of, and of those to evaluate on."""

    name: str
    learn: Sequence[int]
    test: Sequence[int]


def held_out(sentences: int, select: int, evaluate: int) -> list[TrainingSplit]:
    """Return one split: the first sentences to select from, the last ones to evaluate on."""
    if select + evaluate > sentences:
        raise PreorderEvalError(
            f"{select} sentences to select from and {evaluate} to evaluate on are more than "
            f"the {sentences} there are"
        )
    return [TrainingSplit("held-out", range(select), range(sentences - evaluate, sentences))]


def cross(sentences: int, folds: int) -> list[TrainingSplit]:
    """Return as many splits as folds, each with one block of the sentences to evaluate on.

    >>> [(split.name, list(split.test)) for split in cross(5, folds=2)]
    [('fold-1', [0, 1, 2]), ('fold-2', [3, 4])]
    """
    if not 2 <= folds <= sentences:
        raise PreorderEvalError(f"{folds} folds of {sentences} sentences")
    blocks = [block.tolist() for block in np.array_split(np.arange(sentences), folds)]
    return [
        TrainingSplit(
            f"fold-{k + 1}", [s for other in blocks if other is not test for s in other], test
        )
        for k, test in enumerate(blocks)
    ]


@dataclass(frozen=True)
class Design:
    """The settings that decide the outcome: how much P1 and P2 learn, and the recipe of P3 to P5.

    `steps` updates of P1 and the control; `beam` the width and `beam_steps` the updates with which
    P2 goes on, at `beam_learn_rate`; `lower` the share of sentences that P1 to P4 learn in lower
    case, and `truecase` which ones they read truecased.
    """

    steps: int = 8500
    lower: float = 0.0
    beam: int = 8
    beam_steps: int = 1000
    beam_learn_rate: float = 0.001
    truecase: Truecase = "auto"
    recipe: Recipe = field(default_factory=Recipe)


@dataclass(frozen=True, eq=False)
class Outcome(Shown):
    """The parsers with one rule set, P5 with several, and the parsers' scores on gold trees.

    `folder` holds the run folders of both, `runs/parsers` and `runs/rules`; `dev` are every
    parser's accuracies on the development data by case, means over the splits; `selections` counts
    what was selected for P3 to P5, summed over the splits.
    """

    folder: Path
    parsers: Result
    rules: Result
    dev: dict[str, dict[str, dict[str, float]]]
    selections: dict[str, SelectionCounts]

    def tables(self) -> list[Table]:
        tables = []
        for name, result in self.experiments().items():
            for table in result.tables():
                within = (table.key,) if isinstance(table.key, str) else table.key
                tables.append(replace(table, key=(name, *within)))
        return [*tables, self._dev(), self._selections()]

    def view(self, whole: bool = False) -> list[Table]:
        parsers, rules = (
            [replace(first, title=f"{name.capitalize()}: {first.title}"), *others]
            for name, (first, *others) in (
                (name, result.view(whole)) for name, result in self.experiments().items()
            )
        )
        runs = f"runs for compare: {self.folder}/runs/parsers, {self.folder}/runs/rules"
        last = replace(rules[-1], notes=[*rules[-1].notes, runs])
        return [*parsers, self._dev(), self._selections(), *rules[:-1], last]

    def facts(self) -> dict[str, Any]:
        paper = "Talbot et al. 2011, section 4.1, Tables 1 to 5 and 8"
        results = {name: result.facts() for name, result in self.experiments().items()}
        return {"folder": str(self.folder), "paper": paper, **results}

    def experiments(self) -> dict[str, Result]:
        """Return both results by the name of the experiment."""
        return {"parsers": self.parsers, "rules": self.rules}

    def _dev(self) -> Table:
        scores = list(self.dev["P1"]["as it is"])
        columns = [Column("parser", label=True, once=True), Column("case", label=True)]
        columns += [Column(name, name.upper(), ".1%") for name in scores]
        rows = [
            [parser, case, *values.values()]
            for parser, by_case in self.dev.items()
            for case, values in by_case.items()
        ]
        return Table("dev", columns, rows, title="Accuracy on the development data")

    def _selections(self) -> Table:
        shown = {"kept": "learned from", "mean_1best": "1-best", "mean_selected": "selected"}
        shown["mean_list"] = "list"
        rows = {name: counts.summary() for name, counts in self.selections.items()}
        columns = [Column("parser", label=True)]
        for name in rows["P3"]:
            form = ".3f" if name.startswith("mean") else ""
            columns.append(
                Column(name, shown.get(name), form, only="" if name in shown else "data")
            )
        cells = [[name, *summary.values()] for name, summary in rows.items()]
        return Table("selections", columns, cells, title="Selected parses, by mean score")


@dataclass(frozen=True, eq=False)
class SeededOutcomes(Shown):
    """What the experiments came to with each of several seeds; `folder` holds one for each."""

    folder: Path
    seeds: tuple[int, ...]
    outcomes: list[Outcome]

    def tables(self) -> list[Table]:
        numbers = [Column(name, format=".3f") for name in ("mean", "sd", "min", "max")]
        numbers += [Column(f"seed-{seed}", format=".3f") for seed in self.seeds]
        return [
            Table("scores", [*_SCORES, *numbers], list(self._scores())),
            Table("differences", [*_DIFFERENCES, *numbers], list(self._differences())),
        ]

    def view(self, whole: bool = False) -> list[Table]:
        scores, differences = self.tables()
        notes = [
            f"mean and standard deviation (sd) of {len(self.seeds)} trainings of every parser; "
            "las and upos are on the development data",
            f"the runs of each seed: {self.folder}/seed-*",
        ]
        title = "The column's system minus the row's"
        return [scores, replace(differences, title=title, notes=notes)]

    def facts(self) -> dict[str, Any]:
        outcomes = [outcome.to_dict() for outcome in self.outcomes]
        return {"seeds": list(self.seeds), "outcomes": outcomes}

    def _experiments(self) -> Iterator[tuple[str, list[Result]]]:
        """Yield both experiments by name, with the result of each seed."""
        for name in self.outcomes[0].experiments():
            yield name, [outcome.experiments()[name] for outcome in self.outcomes]

    def _scores(self) -> Iterator[list[object]]:
        for experiment, results in self._experiments():
            for system in results[0].inputs.systems:
                named = [experiment, system.parser, system.rules]
                for m, metric in enumerate(results[0].metrics):
                    values = [result.value(system.name, m) for result in results]
                    yield [*named, str(metric), *_spread(values)]
                accuracies = self.outcomes[0].dev[system.parser] if experiment == "parsers" else {}
                for case, scores in accuracies.items():
                    for name in scores:
                        values = [o.dev[system.parser][case][name] for o in self.outcomes]
                        yield [*named, f"{name} {case}", *_spread(values)]

    def _differences(self) -> Iterator[list[object]]:
        for experiment, results in self._experiments():
            for m, metric in enumerate(results[0].metrics):
                for first, second in combinations(results[0].systems, 2):
                    values = [r.value(second, m) - r.value(first, m) for r in results]
                    yield [experiment, str(metric), first, second, *_spread(values)]


def _spread(values: Sequence[float]) -> list[float]:
    return [*Spread.of(values).summary().values(), *values]


class _Tested(NamedTuple):
    """A parser's trees of a test part, its scores on gold trees, and its hash."""

    trees: Treebank
    dev: dict[str, dict[str, float]]
    sha256: str


@dataclass(frozen=True, eq=False)
class ParsersWork:
    """Training five parsers and scoring them and five rule sets.

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

    def splits(self) -> list[TrainingSplit]:
        """Return the parts to learn from and to evaluate on; raise if they are too many."""
        if self.folds:
            return cross(len(self.data), self.folds)
        return held_out(len(self.data), self.select, self.evaluate)

    def settings(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what decides P1, P2 and the control, and what else decides the outcome.

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
        """Train, parse and score in the folder `out`; the same call goes on where one was killed.

        Nothing is made again for other `metrics`. Raises what `settings` raises, and FormatError
        for a folder of other work.
        """
        first, then = self.settings()
        work = out / f"recipe-{text_hash(format_json(then))[:8]}"
        with resumable(out, first), resumable(work, then):
            outcome = self._outcome(out, work)
            for name, result in outcome.experiments().items():
                run = work / "runs" / name
                shutil.rmtree(run, ignore_errors=True)
                run.parent.mkdir(exist_ok=True)
                write_run(result, run, self.arguments)
        return outcome

    def _outcome(self, out: Path, work: Path) -> Outcome:
        # P3 and P4 select from the same lists, and the sentences of the folds are the same.
        cache = ParseCache(out / "parses.sqlite", lambda line: print(line, file=self.log))
        tested: dict[str, list[_Tested]] = {name: [] for name in PARSERS}
        selections: dict[str, SelectionCounts] = {}
        for split in self.splits():
            folders = self._first_parsers(out)
            for name, start in (("P3", "P1"), ("P4", "P1"), ("P5", "control")):
                folders[name], counts = self._self_trained(work, split, name, folders[start], cache)
                selections[name] = selections.get(name, SelectionCounts()) + counts
            for name in PARSERS:
                trees = work / split.name / f"{name}.conllu"
                tested[name].append(self._test(trees, split, folders[name], cache))

        numbers = [s for split in self.splits() for s in split.test]
        data = self.data.take(numbers, self.data.name)

        def system(name: str, rules: Rules) -> System:
            identity = {"name": name, "sha256": [part.sha256 for part in tested[name]]}
            trees = Treebank.of([tree for part in tested[name] for tree in part.trees])
            return System.from_trees(Parsed(identity, trees), rules)

        def score(systems: list[System]) -> Result:
            metrics, seed = list(map(order_metric, self.metrics)), self.design.recipe.seed
            drawn: dict[str, Any] = {"resamples": self.resamples, "seed": seed}
            return evaluate(data, systems, metrics, significance=True, **drawn)

        baselines = [name for name in BASELINES if name != self.rules]
        return Outcome(
            work,
            score([system(name, self.rules) for name in PARSERS]),
            score([system(LAST, rules) for rules in (*baselines, self.rules)]),
            {name: _means([part.dev for part in parts]) for name, parts in tested.items()},
            selections,
        )

    def _first_parsers(self, out: Path) -> dict[str, Path]:
        """Train P1, P2 and the control, which learn nothing from the reference orders."""
        design, folders = self.design, {name: out / name for name in ("P1", "P2", "control")}
        greedy = TrainingSettings(
            steps=design.steps,
            lower=design.lower,
            seed=design.recipe.seed,
            truecase=design.truecase,
        )
        beam = replace(
            greedy,
            resume=folders["P1"],
            steps=design.beam_steps,
            beam=design.beam,
            learn_rate=design.beam_learn_rate,
        )
        every = (greedy, beam, replace(greedy, lower=1.0))
        for folder, settings in zip(folders.values(), every, strict=True):
            train_once([self.treebank], self.dev, folder, settings, log=self.log)
        return folders

    def _self_trained(
        self, work: Path, split: TrainingSplit, name: str, start: Path, cache: ParseCache
    ) -> tuple[Path, SelectionCounts]:
        """Return the folder of P3, P4 or P5 after its last round, and what was selected for it."""
        learn = split.learn[: len(split.learn) // 2] if name == "P3" else split.learn
        lower = 1.0 if name == "P5" else self.design.lower
        recipe = replace(self.design.recipe, lower=lower)
        data = self.data.take(learn, f"{split.name}, {name}")
        task = Task(load_rules(self.rules), self.treebank, self.dev, data, recipe, self.jobs)
        *_, last = train_in_rounds(
            work / split.name / name,
            start,
            task,
            log=self.log,
            progress=self.progress,
            cache=cache,
        )
        return last.parser, last.counts

    def _test(self, trees: Path, split: TrainingSplit, folder: Path, cache: ParseCache) -> _Tested:
        """Return a parser's trees of the test part and its scores on gold trees, kept beside it."""
        parser = load_parser(folder, cache, self.jobs)
        source = [self.data.source[s] for s in split.test]
        once(trees, lambda: format_conllu(parser.parse(source)))
        scores = folder.with_name(f"{folder.name}.dev.json")
        once(scores, lambda: format_json(dev_scores(parser, read_conllu(self.dev))))
        return _Tested(read_conllu(trees), read_json(scores), parser.identity.sha256)


def _means(scores: Sequence[Mapping[str, dict[str, float]]]) -> dict[str, dict[str, float]]:
    """Return the mean over dictionaries with the same keys."""
    return {
        case: {name: float(np.mean([score[case][name] for score in scores])) for name in values}
        for case, values in scores[0].items()
    }


def parsers_with_seeds(work: ParsersWork, out: Path, seeds: Sequence[int]) -> SeededOutcomes:
    """Do the experiments once with each of several seeds, in the folder `out`.

    The same call goes on where one was killed. Raises what `ParsersWork.run` raises, and
    PreorderEvalError without a seed or with one twice.
    """
    if not seeds or len(set(seeds)) < len(seeds):
        raise PreorderEvalError(f"seeds {list(seeds)}: give one or more, each once")
    settings, _ = work.settings()
    del settings["seed"]
    outcomes = []
    with resumable(out, {**settings, "seeds": list(seeds)}):
        for seed in seeds:
            recipe = replace(work.design.recipe, seed=seed)
            of_seed = replace(work, design=replace(work.design, recipe=recipe))
            outcomes.append(of_seed.run(out / f"seed-{seed}"))
    return SeededOutcomes(out, tuple(seeds), outcomes)
