"""A rule file scored again on every save (`watch`).

Sentences are parsed once. Every version is compared with the one before and with the first one, on
the same random draws.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from preorder_eval.base.arrays import sums
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.tables import Column, screen
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.compare import Comparison, compare
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.systems import System
from preorder_eval.metrics import short_names
from preorder_eval.metrics.orders.order import OrderMetric
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_files import extended_files
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.treebank import Treebank

_PATIENCE = 10  # looks at a file that is gone or empty before it is taken for that


@dataclass(frozen=True, eq=False)
class Save:
    """A version of the rules: its result, compared with the last and with the first, if any."""

    rules: RuleSet
    result: Result
    since_last: Comparison | None = None
    since_start: Comparison | None = None

    @property
    def reordered(self) -> int:
        """The number of sentences that come out in another order than before."""
        if self.since_last is None:
            return 0
        one, other = (self.since_last.both.inputs.of(number).orders for number in (0, 1))
        return int(np.count_nonzero(sums(one.positions != other.positions, one.offsets)))

    def lines(self, most: int) -> list[str]:
        """Return scores, differences, and up to `most` sentences that gained or lost most."""
        now = time.strftime("%H:%M:%S")
        names, signatures = short_names(list(map(str, self.result.metrics)))
        [system] = self.result.systems
        scores = [f"{now}  {name} {self.result.value(system, name):.3f}" for name in names]
        if self.since_last is None or self.since_start is None:
            return [*scores, signatures]
        lines = [
            f"{score}   since last save {_change(self.since_last, m)}"
            f"   since start {_change(self.since_start, m)}"
            for m, score in enumerate(scores)
        ]
        by = self.since_last.metrics[0]
        reordered = quantity(self.reordered, "sentence")
        lines.append(f"{reordered} reordered: {by.better} better, {by.worse} worse")
        moved = self.since_last.sentences(most)
        for heading, sentences in (("Gained", moved.gained), ("Lost", moved.lost)):
            lines += [f"{heading} most:"] * bool(sentences)
            lines += [
                sentence.view(("source", "before", "after")).text(**screen())
                for sentence in sentences
            ]
        return [*lines, ""]


def _change(comparison: Comparison, metric: int) -> str:
    difference = comparison.metrics[metric].difference
    cell = (difference.value, difference.at_95.low, difference.at_95.high)
    [change] = Column("change", format="+.3f", interval=True).strings([cell])
    return f"{change} {difference.mark.strip('+-0')}".rstrip()


@dataclass(eq=False)
class Session:
    """Versions of a rule set on the sentences of a reference set, whose parses are `trees`.

    Raises PreorderEvalError if no sentence has a link.
    """

    reference: ReferenceSet
    trees: Treebank
    metrics: Sequence[OrderMetric]
    resamples: int = 1000
    seed: int = 0
    saved: int = 0
    _versions: list[Result] = field(default_factory=list)  # the first and the last

    def __post_init__(self) -> None:
        if not self.reference.informative.any():
            raise PreorderEvalError(
                f"{self.reference.name}: no sentence has a link, so nothing can be scored"
            )

    def save(self, rules: RuleSet) -> Save:
        """Score the next version. One that raises PreorderEvalError does not count as a version."""
        system = System(f"version {self.saved + 1}", rules.reorder(self.trees))
        result = evaluate(
            self.reference,
            [system],
            self.metrics,
            resamples=self.resamples,
            seed=self.seed,
            significance=False,
        )
        start, last = self._versions or (None, None)
        self._versions = [start or result, result]
        self.saved += 1
        if start is None or last is None:
            return Save(rules, result)
        return Save(rules, result, compare(last, result), compare(start, result))


def watch(path: Path, session: Session) -> Iterator[Save | PreorderEvalError]:
    """Score a rule file now and on every save, without end; errors in it are yielded, too."""
    for _ in saves(path):
        try:
            yield session.save(load_rules(path))
        except PreorderEvalError as error:
            yield error


def saves(path: Path, every: float = 0.03) -> Iterator[bytes | None]:
    """Yield the content of a rule file now and whenever it changes; None if it is gone.

    It is also yielded when a file that it extends has changed. The files themselves are read every
    `every` seconds: modification times can be too coarse, or be restored. Before a content is used
    it is read again, because the file may be half written. A file that is gone or empty may be
    about to be replaced, and gets more time.
    """
    files: list[Path] = [path]
    known: list[bytes | None] = []
    while True:
        contents = [_content(file) for file in files]
        if contents != known and _lasts(files, contents, every):
            files = [path]
            with suppress(PreorderEvalError):  # while something is wrong in it
                files += extended_files(path)
            known = [_content(file) for file in files]
            yield known[0]
        time.sleep(every)


def _lasts(files: Sequence[Path], contents: Sequence[bytes | None], every: float) -> bool:
    """Return whether the contents stay the same for a while."""
    for _ in range(1 if all(contents) else _PATIENCE):
        time.sleep(every)
        if [_content(file) for file in files] != contents:
            return False
    return True


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
