"""Helpers of several analyses: gold trees of a result's sentences, and scores of parts of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from preorder_eval.base.arrays import Bools
from preorder_eval.base.errors import FormatError, UnknownNameError
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.stats.bootstrap import Interval, bootstrap
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.result import Result
from preorder_eval.references.reference_folder import load_reference, reference_folder
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.trees.conllu import read_conllu
from preorder_eval.trees.in_ud import in_ud
from preorder_eval.trees.treebank import Treebank


def gold_trees(result: Result, file: str | Path | None = None) -> Treebank | None:
    """Return gold trees of a result's sentences, from a CoNLL-U file or wherever they are found.

    They are looked for in the reference set, in the run folder (the trees of the parser `gold`),
    and in the bundled reference set of the same name, if that is unchanged (`changed_since`).
    Returns None if there are none. Raises FormatError for a file with trees of other sentences.
    """
    reference = result.inputs.ordered
    if reference is None:
        return None
    if file is None and reference.trees is not None:
        return reference.trees
    if file is None and result.folder is not None:
        kept = result.folder / "trees" / "gold.conllu"
        file = kept if kept.exists() else None
    if file is None:
        known = _of_that_name(reference)
        return None if known is None or changed_since(result) else known.trees
    path = Path(file)
    trees = in_ud(read_conllu(path), file=path)
    if len(trees) != len(reference):
        raise FormatError(
            f"{quantity(len(trees), 'tree')} for the {len(reference)} sentences of {result.name}",
            file=path,
        )
    for number, words in enumerate(zip(trees.sentences, reference.source, strict=True), 1):
        if words[0] != words[1]:
            raise FormatError(f"sentence {number} has other words than in {result.name}", file=path)
    return trees


def changed_since(result: Result) -> str:
    """Describe how a result's source differs from the reference set that has its name now.

    It is empty if it does not differ.
    """
    reference = result.inputs.ordered
    known = None if reference is None else _of_that_name(reference)
    if reference is None or known is None:
        return ""
    for name, now in known.hashes.items():
        then = reference.hashes.get(name, "")
        if name.startswith("source.") and then != now:
            sums = f"SHA-256 {then[:8] or 'unknown'} in the run, {now[:8]} now"
            return f"{reference.name} has changed since: {name} ({sums}); score it again"
    return ""


def _of_that_name(reference: ReferenceSet) -> ReferenceSet | None:
    """Return the bundled or installed reference set of the same name, or None."""
    try:
        if reference_folder(re.split("[@/]", reference.name)[0]) is None:
            return None
        return load_reference(reference.name)
    except UnknownNameError:  # of a part
        return None


@dataclass(frozen=True)
class CorpusPart:
    """A part of the corpus: its sentences, and every system's score by one metric."""

    name: str
    sentences: int
    scores: list[Interval]


def corpus_parts(
    result: Result, metrics: Sequence[int], groups: NameColumn, *, ordered: bool = False
) -> list[list[CorpusPart]]:
    """Score the parts of a corpus by some metrics, by the group that each sentence is in.

    Parts without a scored sentence are left out. Unless the groups are `ordered`, the part on which
    the best system scores lowest comes first.
    """
    found: list[list[CorpusPart]] = [[] for _ in metrics]
    # Metrics within parts: those of a part share its draws.
    for number, name in enumerate(groups.names):
        of_part = groups.codes == number
        for parts, metric in zip(found, metrics, strict=True):
            scores = [of_system[metric] for of_system in result.scores]
            chosen = of_part & ~np.isnan(scores[0].sentence)
            if chosen.any():
                parts.append(_part(result, metric, name, chosen))
    if ordered:
        return found
    return [
        _worst_first(result, metric, parts) for metric, parts in zip(metrics, found, strict=True)
    ]


def _part(result: Result, metric: int, name: str, chosen: Bools) -> CorpusPart:
    statistics = np.stack([of_system[metric].statistics[chosen] for of_system in result.scores])
    sampling, finish = result.sampling, result.metrics[metric].finish
    measurement = result.unit.measurement(statistics, finish, chosen)
    [sampled] = bootstrap([measurement], resamples=sampling.resamples, seed=sampling.seed)
    intervals = [sampled.interval(s) for s in range(len(statistics))]
    return CorpusPart(name, int(chosen.sum()), intervals)


def _worst_first(result: Result, metric: int, parts: Sequence[CorpusPart]) -> list[CorpusPart]:
    by = result.metrics[metric]
    better = 1 if by.higher_is_better else -1
    values = [better * of_system[metric].value for of_system in result.intervals]
    best = values.index(max(values))
    return sorted(parts, key=lambda part: better * part.scores[best].value)
