"""The amount of reordering in a reference set, overall and by a comment such as phenomenon.

The crossing degree is the share of a set's pairs of links, of one sentence each, that cross (the
crossing score of Genzel 2010 over the largest possible one). A sentence is monotone if its
reference order can be its source order, ties resolved in favour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.arrays import Bools, Longs, sums
from preorder_eval.data.orders import Orders
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import comment_value
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.order import OrderMetric, inversions
from preorder_eval.stats.bootstrap import Interval, bootstrap
from preorder_eval.stats.measurement import Measurement

NO_VALUE = "(none)"


@dataclass(frozen=True)
class ReferenceStats:
    """The figures of a group of sentences; `group` is None for the whole set.

    `aligned` is the share of source tokens with a link, `ties` the number of groups of more than
    one word; `crossing` is the crossing degree, `monotone` the share of monotone sentences among
    those with links (`informative`); `unchanged` the score of the unchanged source order by each
    metric. A share or score of nothing is None.
    """

    group: str | None
    sentences: int
    informative: int
    tokens: int
    links: int
    ties: int
    aligned: float | None
    crossing: float | None
    monotone: float | None
    unchanged: list[Interval | None]


def reference_stats(
    reference: ReferenceSet,
    metrics: Sequence[OrderMetric],
    *,
    by: str | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> list[ReferenceStats]:
    """Return the figures of a whole set, or of its parts by the value of a comment of its trees.

    Parts come with the lowest score of the first metric first, those without a score last. Raises
    PreorderEvalError where no sentence has the comment.
    """
    unchanged = Orders.unchanged(reference.references.offsets)
    scores = [metric.score(unchanged, reference.allowed, reference.words) for metric in metrics]
    counts = _counts(reference)

    def figures(group: str | None, chosen: Bools) -> ReferenceStats:
        counted = chosen & reference.informative
        measured = [
            Measurement(of_metric.statistics[None, counted], metric.finish)
            for metric, of_metric in zip(metrics, scores, strict=True)
            if counted.any()
        ]
        drawn = bootstrap(measured, resamples=resamples, seed=seed) if measured else []
        total = {name: int(values[chosen].sum()) for name, values in counts.items()}
        return ReferenceStats(
            group=group,
            sentences=int(chosen.sum()),
            informative=int(counted.sum()),
            tokens=total["tokens"],
            links=total["links"],
            ties=total["ties"],
            aligned=_share(total["aligned"], total["tokens"]),
            crossing=_share(total["crossing"], total["link_pairs"]),
            monotone=_share(total["monotone"], int(counted.sum())),
            unchanged=[each.interval(0) for each in drawn] or [None] * len(metrics),
        )

    if by is None:
        return [figures(None, np.ones(len(reference), dtype=bool))]
    values = np.array(_comment_values(reference, by))
    parts = [figures(value, values == value) for value in dict.fromkeys(values.tolist())]
    return sorted(
        parts, key=lambda part: next((i.value for i in part.unchanged[:1] if i), float("inf"))
    )


def _comment_values(reference: ReferenceSet, key: str) -> list[str]:
    """Return the value of the comment `# key = …` of every sentence, or NO_VALUE."""
    comments = reference.trees.comments if reference.trees is not None else ()
    values = [comment_value(lines, key) for lines in comments]
    if not any(values):
        raise PreorderEvalError(
            f"reference {reference.name}: no sentence has a comment '# {key} = …' to go by"
        )
    return [value or NO_VALUE for value in values]


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _counts(reference: ReferenceSet) -> dict[str, Longs]:
    """Return what is counted in each sentence, int64[S] each."""
    references, links = reference.references, reference.alignments
    lengths, of_links = np.diff(references.offsets), np.diff(links.offsets)
    sentence = np.repeat(np.arange(len(references)), lengths)
    falls = np.diff(references.ranks, prepend=0) < 0
    falls[references.offsets[:-1][lengths > 0]] = False

    group = references.ranks + references.offsets[:-1][sentence]
    size = np.bincount(group, minlength=len(group))
    ties = np.zeros(len(group), dtype=bool)
    ties[: len(size)] = size > 1
    return {
        "tokens": lengths,
        "links": of_links,
        "aligned": sums(references.aligned, references.offsets),
        "ties": sums(ties, references.offsets),
        "crossing": crossing_links(links),
        "link_pairs": of_links * (of_links - 1) // 2,
        "monotone": ((sums(falls, references.offsets) == 0) & references.informative).astype(int),
    }


def crossing_links(alignments: Alignments) -> Longs:
    """Count for every sentence the pairs of links that cross; int64[S]."""
    of_link = np.repeat(np.arange(len(alignments)), np.diff(alignments.offsets))
    order = np.lexsort((alignments.target, alignments.source, of_link))
    # Target positions as ranks: `inversions` wants numbers below the length.
    width = int(alignments.target.max(initial=0)) + 1
    places, ranks = np.unique(of_link * width + alignments.target, return_inverse=True)
    first = np.searchsorted(places, np.arange(len(alignments)) * width)
    return inversions((ranks - first[of_link])[order].astype(np.int32), alignments.offsets)
