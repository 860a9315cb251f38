"""The Parsers and Rules experiments of Talbot et al. (2011, section 4.1) on data of one's own.

Five parsers with the same rules: P1 learns greedily; P2 is P1 that has gone on learning with a
beam; P3 and P4 are P1 after targeted self-training on half and on all of the sentences to select
from; P5 is the same as P4, but in lower case from its first update on, and it reads everything in
lower case. Beyond the paper, the *control* is P1 in lower case, from which P5 starts: it tells what
case and what self-training does. Then P5 with five rule sets.

The paper's P3 to P5 search with a beam. Here they do where the recipe has a `beam`, and without it
they do not: a greedy spaCy parser gives better n-best lists than one that has learned with a beam,
and learns three times as fast.

The sentences to learn from and those to evaluate on are different ones. With folds the corpus is
cut into as many blocks of neighbouring sentences (a text's sentences are alike), each evaluated by
parsers that have learned from the others, so that every sentence is evaluated once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

import numpy as np

from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.conllu import format_conllu, read_conllu
from preorder_eval.formats.files import read_json
from preorder_eval.formats.rules import load_rules
from preorder_eval.formats.writing import format_json
from preorder_eval.metrics.order import OrderMetric
from preorder_eval.papers.parsers_outcome import Outcome
from preorder_eval.parsers.cache import ParseCache
from preorder_eval.parsers.loading import load_parser
from preorder_eval.parsers.truecase import Truecase
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.results.result import Result
from preorder_eval.results.scoring import evaluate
from preorder_eval.results.systems import Parsed, Progress, Rules, System, no_progress
from preorder_eval.training.recipe import Recipe, TrainingSettings
from preorder_eval.training.resumable import once
from preorder_eval.training.rounds import Round, Task, dev_scores, train_in_rounds, train_once
from preorder_eval.training.selection import SelectionCounts

PARSERS = ("P1", "P2", "P3", "P4", "P5", "control")
LAST = "P5"


@dataclass(frozen=True)
class Split:
    """The numbers of the sentences to select parses of, and of those to evaluate on."""

    name: str
    learn: Sequence[int]
    test: Sequence[int]


@dataclass(frozen=True)
class Design:
    """What decides the outcome: how much P1 and P2 learn, and the recipe of P3 to P5.

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


def held_out(sentences: int, select: int, evaluate: int) -> list[Split]:
    """One split: the first sentences to select from, the last ones to evaluate on.

    >>> [split] = held_out(10, select=6, evaluate=3)
    >>> list(split.learn), list(split.test)
    ([0, 1, 2, 3, 4, 5], [7, 8, 9])
    """
    if select + evaluate > sentences:
        raise PreorderEvalError(
            f"{select} sentences to select from and {evaluate} to evaluate on are more than "
            f"the {sentences} there are"
        )
    return [Split("held-out", range(select), range(sentences - evaluate, sentences))]


def cross(sentences: int, folds: int) -> list[Split]:
    """As many splits as folds, each with one block of the sentences to evaluate on.

    >>> [(split.name, list(split.test)) for split in cross(5, folds=2)]
    [('fold-1', [0, 1, 2]), ('fold-2', [3, 4])]
    """
    if not 2 <= folds <= sentences:
        raise PreorderEvalError(f"{folds} folds of {sentences} sentences")
    blocks = [block.tolist() for block in np.array_split(np.arange(sentences), folds)]
    return [
        Split(f"fold-{k + 1}", [s for other in blocks if other is not test for s in other], test)
        for k, test in enumerate(blocks)
    ]


@dataclass(frozen=True)
class Experiment:
    """The experiment: what it is given, and where it tells what it does.

    `folder` keeps P1, P2, the control and the lists of parses, `work` what depends on the recipe,
    the rules and the data.
    """

    folder: Path
    work: Path
    treebank: Path
    dev: Path
    data: ReferenceSet
    splits: Sequence[Split]
    design: Design
    log: IO[str]
    progress: Progress = no_progress
    jobs: int = 1

    def run(
        self,
        rules: str,
        baselines: Sequence[str],
        metrics: Sequence[OrderMetric],
        *,
        resamples: int = 1000,
        seed: int = 0,
    ) -> Outcome:
        """Train, parse and score; what is in the folder already is not made again.

        The Parsers experiment has the one rule set, the Rules experiment the baselines beside it.
        """
        tested: dict[str, list[_Tested]] = {name: [] for name in PARSERS}
        selections: dict[str, SelectionCounts] = {}
        for split in self.splits:
            folders = self._first_parsers()
            for name, done in self._self_trained(split, load_rules(rules), folders).items():
                folders[name] = done.parser
                selections[name] = selections.get(name, SelectionCounts()) + done.counts
            for name in PARSERS:
                tested[name].append(self._test(split, name, folders[name]))

        numbers = [s for split in self.splits for s in split.test]
        data = self.data.take(numbers, self.data.name)
        trees = {
            name: Treebank.of([tree for part in parts for tree in part.trees])
            for name, parts in tested.items()
        }

        def system(name: str, rule_set: Rules) -> System:
            identity = {"name": name, "sha256": [part.sha256 for part in tested[name]]}
            return System.from_trees(Parsed(identity, trees[name]), rule_set)

        def score(systems: list[System]) -> Result:
            return evaluate(
                data, systems, metrics, resamples=resamples, seed=seed, significance=True
            )

        return Outcome(
            self.work,
            score([system(name, rules) for name in PARSERS]),
            score([system(LAST, rule_set) for rule_set in (*baselines, rules)]),
            trees,
            {name: _means([part.dev for part in parts]) for name, parts in tested.items()},
            selections,
        )

    def _first_parsers(self) -> dict[str, Path]:
        """P1, P2 and the control, which know nothing of the reference orders."""
        design = self.design
        folders = {name: self.folder / name for name in ("P1", "P2", "control")}
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
        self, split: Split, rules: RuleSet, start: Mapping[str, Path]
    ) -> dict[str, Round]:
        """The last rounds of P3, P4 and P5."""
        half = split.learn[: len(split.learn) // 2]
        rounds = {}
        for name, learn, first, lower in (
            ("P3", half, "P1", self.design.lower),
            ("P4", split.learn, "P1", self.design.lower),
            ("P5", split.learn, "control", 1.0),
        ):
            recipe = replace(self.design.recipe, lower=lower)
            data = self.data.take(learn, f"{split.name}, {name}")
            task = Task(rules, self.treebank, self.dev, data, recipe, self.jobs)
            work = self.work / split.name / name
            *_, rounds[name] = train_in_rounds(
                work, start[first], task, log=self.log, progress=self.progress, cache=self._cache
            )
        return rounds

    def _test(self, split: Split, name: str, folder: Path) -> _Tested:
        """A parser's trees of the test part and its scores on gold trees, kept beside it."""
        parser = load_parser(folder, self._cache, self.jobs)
        source = [self.data.source[s] for s in split.test]
        trees = self.work / split.name / f"{name}.conllu"
        once(trees, lambda: format_conllu(parser.parse(source)))
        scores = folder.with_name(f"{folder.name}.dev.json")
        once(scores, lambda: format_json(dev_scores(parser, read_conllu(self.dev))))
        return _Tested(read_conllu(trees), read_json(scores), parser.identity.sha256)

    @property
    def _cache(self) -> ParseCache:
        # P3 and P4 select from the same lists, and the sentences of the folds are the same.
        return ParseCache(self.folder / "parses.sqlite", lambda line: print(line, file=self.log))


@dataclass(frozen=True)
class _Tested:
    """A parser's trees of a test part, its scores on gold trees, and its hash."""

    trees: Treebank
    dev: dict[str, dict[str, float]]
    sha256: str


def _means(scores: Sequence[dict[str, dict[str, float]]]) -> dict[str, dict[str, float]]:
    """The mean over dictionaries with the same keys."""
    return {
        case: {name: float(np.mean([score[case][name] for score in scores])) for name in values}
        for case, values in scores[0].items()
    }
