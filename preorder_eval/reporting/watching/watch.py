"""A rule file scored again on every save, and what a save changed as lines for people."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.rules import load_rules
from preorder_eval.reporting.watching.saves import saves
from preorder_eval.reporting.watching.session import Save, Session
from preorder_eval.results.comparison import MetricComparison
from preorder_eval.results.text import format_ends
from preorder_eval.tables import screen


def watch(path: Path, session: Session) -> Iterator[Save | PreorderEvalError]:
    """The rule file scored now and on every save, without end.

    Yields the error instead where something is wrong in the file; the next save is awaited.
    """
    for _ in saves(path):
        try:
            yield session.save(load_rules(path))
        except PreorderEvalError as error:
            yield error


def step_lines(session: Session, step: Save, most: int) -> list[str]:
    """The scores with the time and by how much they differ, and the sentences that moved.

    Up to `most` sentences are shown that gained, and that lost, most since the last save.
    """
    now, first = time.strftime("%H:%M:%S"), step.version is step.before
    lines = []
    for last, start in zip(step.since_last, step.since_start, strict=True):
        line = f"{now}  {last.metric} {last.values[1]:.4f}"
        if not first:
            line += f"   since last save {_change(last)}   since start {_change(start)}"
        lines.append(line)
    if first:
        return lines
    by = step.since_last[0]
    lines.append(f"{step.reordered} sentences reordered: {by.better} better, {by.worse} worse")
    for heading, moved in zip(("Gained", "Lost"), session.moved(step, most), strict=True):
        if moved:
            lines.append(f"{heading} most:")
            labels = ("source", "before", "after")
            lines += [sentence.view(labels).text(**screen()) for sentence in moved]
    return [*lines, ""]


def _change(comparison: MetricComparison) -> str:
    difference = comparison.difference
    return f"{difference.value:+.4f} {format_ends(difference.at_95)} {difference.mark}"
