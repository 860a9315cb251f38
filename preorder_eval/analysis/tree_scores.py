"""Parsers' trees scored against gold trees, and beside that by how well they reorder.

The scores of trees are those of `attachment`. A parser that is better by them is not always better
for reordering.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from preorder_eval.analysis.attachment import attachment_intervals
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.alignment import AUTO, read_alignment
from preorder_eval.formats.conllu import read_conllu
from preorder_eval.formats.files import labelled
from preorder_eval.formats.tables import Table
from preorder_eval.formats.text_table import format_table
from preorder_eval.parsers.base import Parser
from preorder_eval.parsers.loading import find_parser
from preorder_eval.parsers.tree_file import TreeFile
from preorder_eval.results.evaluation import evaluate
from preorder_eval.results.systems import Progress, Rules, no_progress
from preorder_eval.results.text import format_interval
from preorder_eval.stats.bootstrap import Interval


@dataclass(frozen=True)
class TreeScores:
    """The scores of several parsers' trees of the same sentences, by name and score.

    `gold` is the gold trees' file; `sentences` and `words` count what it holds, and `same_words`
    tells whether all the trees are of these words.
    """

    gold: str
    sentences: int
    words: int
    scores: dict[str, dict[str, Interval]]
    resamples: int
    seed: int
    same_words: bool = True

    @property
    def names(self) -> list[str]:
        """The names of the scores."""
        return list(next(iter(self.scores.values())))

    def summary(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "gold": self.gold,
            "bootstrap": {"level": 0.95, "resamples": self.resamples, "seed": self.seed},
            "trees": [
                {
                    "name": name,
                    "scores": {
                        score: {"value": interval.value, "low": interval.low, "high": interval.high}
                        for score, interval in values.items()
                    },
                }
                for name, values in self.scores.items()
            ],
        }

    def table(self) -> Table:
        """Header and a row for each parser as plain values."""
        header = [cell for name in self.names for cell in (name, f"{name} low", f"{name} high")]
        rows: list[list[object]] = [
            [
                name,
                *(
                    end
                    for interval in values.values()
                    for end in (interval.value, interval.low, interval.high)
                ),
            ]
            for name, values in self.scores.items()
        ]
        return ["trees", *header], rows

    def __repr__(self) -> str:
        rows = [
            [name, *(format_interval(values[name]) for values in self.scores.values())]
            for name in self.names
        ]
        share = "share of words" if self.same_words else "F1 over the words of both"
        return (
            f"{format_table(['score', *self.scores], rows)}\n\n"
            f"{self.sentences} sentences, {self.words} words; {share} [95 % interval "
            f"from {self.resamples} bootstrap resamples, seed {self.seed}]"
        )


def score_trees(
    gold: str | Path,
    trees: Sequence[str | Path] = (),
    parsers: Sequence[str | Path | Parser] = (),
    *,
    alignment: Path | None = None,
    form: str = AUTO,
    rules: Rules | None = None,
    resamples: int = 1000,
    seed: int = 0,
    cache: bool = True,
    progress: Progress = no_progress,
) -> TreeScores:
    """Score CoNLL-U files of trees, and parsers, against a CoNLL-U file of gold trees.

    Parameters: `trees` files of the same text, of n-best lists the first of each counts;
    `parsers` by name or path. With `alignment`, a file in format `form`, and `rules` the orders
    that the rules make of the trees are scored, too, and those of the gold trees stand beside.
    Without `cache` everything is parsed anew.

    Raises FormatError for files that cannot be read or are not of the same text, and
    PreorderEvalError where there is nothing to score.

    >>> from preorder_eval.resources import bundled
    >>> gold = bundled("reference_data") / "en-ja" / "source.conllu"
    >>> score_trees(gold, [gold], resamples=10).scores[str(gold)]["LAS"].value
    1.0
    """
    if not trees and not parsers:
        raise PreorderEvalError("no trees to score; name a file of trees or a parser")
    if (alignment is None) != (rules is None):
        raise PreorderEvalError("reordering takes both an alignment and rules")
    right = read_conllu(gold)
    treebanks: dict[str, Treebank] = {}
    on_own_words: dict[str, Treebank] = {}
    for path in trees:
        label, name = labelled(path)
        file = TreeFile(name)
        treebanks[label or name] = file.parse(right.sentences)
        on_own_words[label or name] = file.best
    for choice in parsers:
        if isinstance(choice, str | Path):
            label, name = labelled(choice)
            parser, name = find_parser(name, cache), label or name
        else:
            parser, name = choice, choice.identity.name
        with progress(f"parsing with {name}", len(right)) as advance:
            treebanks[name] = parser.parse(right.sentences, advance=advance)
    if alignment is not None:
        treebanks["gold"] = right
    scores = {
        name: attachment_intervals(
            right, on_own_words.get(name, treebank), resamples=resamples, seed=seed
        )
        for name, treebank in treebanks.items()
    }
    if alignment is not None and rules is not None:
        links = read_alignment(alignment, right.lengths.tolist(), None, form)
        data = ReferenceSet(alignment.stem, right.sentences, links)
        result = evaluate(data, trees=treebanks, rules=[rules], resamples=resamples, seed=seed)
        for system, intervals in zip(result.inputs.systems, result.intervals, strict=True):
            scores[system.parser] |= dict(zip(map(str, result.metrics), intervals, strict=True))
    same = all(trees.words == right.words for trees in on_own_words.values())
    return TreeScores(str(gold), len(right), len(right.words), scores, resamples, seed, same)
