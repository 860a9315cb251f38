"""Self-training and rule learning in one: a parser and rules of its own, judged by nested folds.

Neither a parser that learns from selected parses nor rules learned on its trees can be judged on
sentences that the other has learned from. So each fold is held out of all steps. Parser and rules
are made of the other sentences alone, with a seed of its own, and reorder the held-out sentences.
Together these are the score of all sentences. Then both are made once more of all sentences.

The folder of the work holds `fold-1`, … with the products of each (`rounds`), and `whole` with
those of all sentences. It also holds the run folder `runs/held-out`, and the results: `parser` and
`rules.toml`. What is there is not made again.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np

from preorder_eval.analysis.rules.learning import LearnedRules, learn_rules
from preorder_eval.data.arrays import Bools
from preorder_eval.data.orders import Orders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.errors import require_between
from preorder_eval.formats.files import read_json
from preorder_eval.formats.rule_reading import load_rules
from preorder_eval.formats.writing import format_json
from preorder_eval.metrics import order_metric
from preorder_eval.parsers.loading import find_parser, load_parser
from preorder_eval.parsers.parser import Parser, with_options
from preorder_eval.reordering.consensus import consensus_trees
from preorder_eval.reordering.rule_set import RuleSet
from preorder_eval.resources import DEFAULT_PARSER
from preorder_eval.results.comparison import Comparison, compare
from preorder_eval.results.decision import Decision
from preorder_eval.results.defaults import objective
from preorder_eval.results.parsed import Parsed
from preorder_eval.results.result import Result
from preorder_eval.results.rule_defaults import reference_of
from preorder_eval.results.systems import Progress, System, no_progress
from preorder_eval.tables import Column, Shown, Table
from preorder_eval.training.recipe import Recipe
from preorder_eval.training.resumable import once, resumable
from preorder_eval.training.rounds import KEPT, Work, train_in_rounds
from preorder_eval.training.self_training import (
    ACCURACIES,
    SeededTrainings,
    SelfTraining,
    train_with_seed,
    train_with_seeds,
)

CONSENSUS = 16  # trees a sentence
_PARSER, _RULES = "self-trained", "learned"
_HELD_OUT = 5  # one of so many sentences, the last ones: neighbours are of one text


@dataclass(frozen=True, eq=False)
class LearnedBoth(Shown):
    """A parser and rules that were learned, and what both are worth on sentences held out.

    `folder` holds `parser` and `rules.toml`; `held_out` are the scores of the start, of each of the
    two alone, of both, and of both by consensus; `comparison` compares both with the start; `dev`
    are the accuracies on gold trees of the start and of the parser.
    """

    folder: Path
    folds: int
    held_out: Result
    comparison: Comparison
    dev: dict[str, dict[str, dict[str, float]]]

    @property
    def adopted(self) -> bool:
        """Return whether both are significantly better than the start, by the first metric."""
        return self.comparison.metrics[0].decision() == Decision.BETTER

    @property
    def verdict(self) -> str:
        """State whether to use parser and rules, and what they gain and cost."""
        start, _ = self.comparison.names
        advice = f"Keep {start}"
        if self.adopted:
            advice = f"Adopt parser {self.folder / KEPT} with rules {self.folder / 'rules.toml'}"
            reference = self.held_out.inputs.reference
            text = "the source" if reference is None else reference.name
            advice += f" for text such as {text}, and test them on other text"
        before, after = (scores["as it is"]["las"] for scores in self.dev.values())
        return (
            f"{advice}. On sentences held out, {self.comparison.verdict} LAS "
            f"{after - before:+.3f} ({before:.3f} → {after:.3f})."
        )

    def _facts(self) -> dict[str, Any]:
        return {
            "adopted": self.adopted,
            "parser": str(self.folder / KEPT),
            "rules": str(self.folder / "rules.toml"),
            "folds": self.folds,
            "comparison": self.comparison.to_dict(),
        }

    def tables(self) -> list[Table]:
        return [replace(self.held_out.tables()[0], key="held_out"), self._accuracies()]

    def view(self, whole: bool = False) -> list[Table]:
        scores, *further = self.held_out.view(whole)
        notes = [
            *scores.notes,
            f"held out: {self.folds} folds, each reordered by parsers and rules that have learned "
            "from the others, with a seed of its own",
        ]
        return [replace(scores, notes=notes), *further, self._accuracies()]

    def _accuracies(self) -> Table:
        columns = [Column("name", "parser", label=True)]
        columns += [Column(key, name, ".3f") for key, (name, *_) in ACCURACIES.items()]
        rows = [
            [name, *(scores[case][kind] for _, case, kind in ACCURACIES.values())]
            for name, scores in self.dev.items()
        ]
        return Table("dev", columns, rows)


def self_train(
    out: str | Path,
    reference: str | Path | ReferenceSet,
    treebank: str | Path,
    dev: str | Path,
    *,
    parser: str | Path = DEFAULT_PARSER,
    rules: str | Path = "en-ja",
    evaluation: str | Path | ReferenceSet | None = None,
    metric: str | None = None,
    seeds: int = 1,
    folds: int | None = None,
    also: Sequence[str | Path | ReferenceSet] = (),
    resamples: int = 1000,
    arguments: Sequence[str] = (),
    log: IO[str] = sys.stderr,
    progress: Progress = no_progress,
    jobs: int = 1,
    **recipe: Any,
) -> SelfTraining | SeededTrainings | LearnedBoth:
    """Train a parser on its own parses of a reference set, those that reorder well.

    Parameters: `out` the folder of all products, where the same call continues; `treebank` and
    `dev` CoNLL-U files to continue training on and to score on; `evaluation` the sentences to
    score on in the end, by default the last fifth of `reference`, which is not learned from then;
    `metric` selects parses, by default the first of `objective`. With `folds` rules are learned,
    too, from `reference` and from `also` (as in `learn_rules`), and both judged on folds of
    `reference` (`learn_both`). `recipe` are fields of `Recipe`,
    such as `steps=500`; `seeds` are counted up from `seed`.

    Raises FormatError for unreadable files and a folder of other work, and PreorderEvalError if
    there is nothing to train or nothing is selected.
    """
    data = reference_of(reference, [rules])
    held_out = None if evaluation is None else reference_of(evaluation, [rules])
    by = objective(data).first if metric is None else order_metric(metric)
    if held_out is None:
        held_out, first = data, len(data) - max(1, len(data) // _HELD_OUT)
        if first and folds is None:
            held_out = data.take(range(first, len(data)), f"{data.name}-held-out")
            data = data.take(range(first), data.name)
    work = Work(
        Path(out),
        parser,
        Path(treebank),
        Path(dev),
        data,
        held_out,
        Recipe(str(by), **recipe),
        rules,
        resamples,
        arguments=arguments,
        log=log,
        progress=progress,
        jobs=jobs,
        also=[reference_of(of, [rules]) for of in also],
    )
    if folds is not None:
        return learn_both(work, folds)
    if seeds == 1:
        return train_with_seed(work)
    return train_with_seeds(work, range(work.recipe.seed, work.recipe.seed + seeds))


def learn_both(work: Work, folds: int = 5) -> LearnedBoth:
    """Self-train a parser and learn rules on its trees, and judge both.

    The same call goes on where a killed one was. Raises what `train_with_seed` raises, and
    PreorderEvalError for fewer than two folds or more than sentences.
    """
    data, out = work.data, work.out
    require_between("folds", folds, 2, len(data))
    with resumable(out, {**work.settings(), "folds": folds}):
        learner = _Learner(work, load_rules(work.rules), find_parser(work.parser, jobs=work.jobs))
        fold = np.arange(len(data)) * folds // len(data)  # neighbouring sentences are in one
        parts = [learner.held_out(fold == number, number) for number in range(folds)]
        last = learner.learn("whole", data, 0)
        work.keep(last)
        rules = out / "whole" / "rules.toml"
        once(out / "rules.toml", partial(rules.read_text, encoding="utf-8"))
        parsers = {learner.start: work.parser, _PARSER: last}
        dev = {name: work.dev_scores(name, parser) for name, parser in parsers.items()}
        result = work.scored(
            "held-out", lambda: {"reference": data, "systems": learner.systems(parts)}
        )
        compared = compare(result, systems=[result.systems[0], result.systems[3]])
    return LearnedBoth(out, folds, result, compared, dev)


@dataclass(frozen=True, eq=False)
class _Learner:
    """A learner of parsers and rules for a work, with the rules and parser that it starts from."""

    work: Work
    rules: RuleSet
    parser: Parser

    @property
    def start(self) -> str:
        """The name of the parser to start from, which the one learned must not have."""
        name = self.parser.identity.name
        return "start" if name == _PARSER else name

    def learn(self, name: str, data: ReferenceSet, seed: int) -> Path:
        """Make a parser of sentences, whose folder is returned, and `rules.toml` beside it."""
        part = self.work.part(name, self.work.recipe.seed + seed, data)
        *_, last = train_in_rounds(part)
        parser = load_parser(last.parser, jobs=part.jobs)
        once(part.out / "rules.toml", lambda: self.rules_on(parser, data).toml())
        return last.parser

    def rules_on(self, parser: Parser, data: ReferenceSet) -> LearnedRules:
        """Learn rules on a parser's trees of sentences, and on those of the further texts."""
        also = [
            of if of.trees is not None else replace(of, trees=parser.parse(of.source))
            for of in self.work.also
        ]
        return learn_rules(parser.parse(data.source), data, also=also, name=_RULES)

    def held_out(self, held: Bools, number: int) -> list[list[list[int]]]:
        """Return the orders of the sentences of a fold, held out, by every system in turn."""
        name = f"fold-{number + 1}"
        folder = self.work.out / name

        def orders() -> str:
            rest, data = (
                self.work.data.take(np.flatnonzero(chosen).tolist(), self.work.data.name)
                for chosen in (~held, held)
            )
            parser = load_parser(self.learn(name, rest, number), jobs=self.work.jobs)
            both = load_rules(folder / "rules.toml")
            alone = self.rules_on(self.parser, rest).rules
            before, after = self.parser.parse(data.source), parser.parse(data.source)
            agreed = consensus_trees(parser.parse(data.source, CONSENSUS), both)
            systems = [(self.rules, before), (alone, before), (self.rules, after), (both, after)]
            systems.append((both, agreed))
            return format_json({"orders": [list(r.reorder(trees)) for r, trees in systems]})

        by_system: list[list[list[int]]] = read_json(once(folder / "orders.json", orders))["orders"]
        return by_system

    def systems(self, parts: Sequence[list[list[list[int]]]]) -> list[System]:
        """Return the systems, in the order in which `held_out` has them."""
        by_consensus = with_options(_PARSER, {"consensus": str(CONSENSUS)})
        given = "start" if self.rules.name == _RULES else self.rules.name
        names = [(p, r) for p in (self.start, _PARSER) for r in (given, _RULES)]
        names.append((by_consensus, _RULES))
        # What the start has learned from its successors know, and nothing else of the held out.
        identity = Parsed.by(self.parser, self.work.data).identity
        known = {key: identity[key] for key in ("tuned_on", "learned_from") if key in identity}
        tuned = {given: {"tuned_on": list(self.rules.tuned_on)}}
        return [
            System(
                f"{parser}/{rules}",
                Orders.of(order for part in parts for order in part[number]),
                made_by={
                    "parser": {"name": parser} | known,
                    "rules": {"name": rules} | tuned.get(rules, {}),
                },
            )
            for number, (parser, rules) in enumerate(names)
        ]
