"""Several experiments on the same sentences as one study, as in the paper's Tables 6 and 7."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from preorder_eval.data.judgments import HumanScores
from preorder_eval.papers.study import Study
from preorder_eval.results.comparison import joined


def pooled(studies: Sequence[Study]) -> Study | None:
    """A study of all systems of several; None where their sentences or metrics differ.

    A system of the same name in two of them is two systems: its ratings depend on what judges saw
    beside it.
    """
    first = studies[0]
    rated = [study.ratings for study in studies if study.ratings is not None]
    if len(rated) < len(studies) or not all(_alike(first, other) for other in studies[1:]):
        return None
    results = {
        kind: joined([study.results[kind] for study in studies], result.metrics)
        for kind, result in first.results.items()
    }
    systems = next(iter(results.values())).systems
    return Study(" and ".join(study.label for study in studies), results, _joined(rated, systems))


def _alike(one: Study, other: Study) -> bool:
    """Whether two studies have the same kinds of references of the same text, and metrics."""
    return list(one.results) == list(other.results) and all(
        result.metrics == other.results[kind].metrics
        and not result.inputs.difference(other.results[kind].inputs)
        for kind, result in one.results.items()
    )


def _joined(ratings: Sequence[HumanScores], systems: Sequence[str]) -> HumanScores:
    """The ratings of all systems, which are numbered through; judges are others in each."""
    first_system = np.cumsum([0, *(len(each.systems) for each in ratings)])
    first_judge = np.cumsum([0, *(int(each.judge.max()) + 1 for each in ratings)])
    return HumanScores(
        tuple(systems),
        ratings[0].segments,
        np.concatenate([r.system + n for r, n in zip(ratings, first_system, strict=False)]),
        np.concatenate([r.segment for r in ratings]),
        np.concatenate([r.score for r in ratings]),
        np.concatenate([r.judge + n for r, n in zip(ratings, first_judge, strict=False)]),
    )
