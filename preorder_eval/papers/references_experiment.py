"""The same systems scored on four kinds of reference (Talbot et al. 2011, Table 7).

The paper correlates the scores with human ratings; here they stand side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from preorder_eval import __version__
from preorder_eval.alignment.ibm1 import Sentences, directions
from preorder_eval.alignment.symmetrization import Symmetrization
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.tables import Table
from preorder_eval.formats.text_table import format_table
from preorder_eval.papers.reference_kinds import ReferenceKind, reference_kinds
from preorder_eval.parsers.base import Parser
from preorder_eval.resources import DEFAULT_PARSER
from preorder_eval.results.defaults import ORDER_METRICS
from preorder_eval.results.result import Result
from preorder_eval.results.scoring import evaluate, reordered
from preorder_eval.results.systems import Progress, Rules, no_progress
from preorder_eval.results.text import format_interval


@dataclass(frozen=True, eq=False)
class ScoredKinds:
    """Every kind of reference with the systems' result on it.

    `model` says how the automatic alignments were made.
    """

    results: list[tuple[ReferenceKind, Result]]
    model: dict[str, Any]

    def summary(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "paper": "Talbot et al. 2011, Table 7",
            "automatic": self.model,
            "references": [
                {
                    "translation": kind.translation,
                    "alignment": kind.alignment,
                    "aligned": kind.aligned,
                    **result.to_dict(),
                }
                for kind, result in self.results
            ],
        }

    def table(self) -> Table:
        """Header and a row for each kind and system as plain values."""
        header, _ = self.results[0][1].tables()[0].flat()
        rows = [
            [kind.translation, kind.alignment, kind.aligned, *row]
            for kind, result in self.results
            for row in result.tables()[0].flat()[1]
        ]
        return ["translation", "alignment", "aligned", *header], rows

    def __repr__(self) -> str:
        first, drawn = self.results[0][1], self.results[0][1].sampling
        names = [metric.name for metric in first.metrics]
        header = ["translation", "alignment", "rules", *names, "sentences", "left out", "aligned"]
        rows = [
            [
                *(kind.translation, kind.alignment, system.rules),
                *map(format_interval, intervals),
                *(str(len(result) - len(result.left_out)), str(len(result.left_out))),
                f"{kind.aligned:.1%}",
            ]
            for kind, result in self.results
            for system, intervals in zip(result.inputs.systems, result.intervals, strict=True)
        ]
        metrics, model = " and ".join(map(str, first.metrics)), self.model
        notes = [
            f"parser {first.inputs.systems[0].parser}; {metrics}: mean [95 % interval from "
            f"{drawn.resamples} bootstrap resamples, seed {drawn.seed}]",
            f"ibm1: IBM Model 1, {model['iterations']} iterations on {model['pairs']} sentence "
            f"pairs, symmetrization {model['symmetrize']}; left out: sentences without links; "
            "aligned: share of the source words",
            f"preorder-eval {__version__}",
        ]
        return "\n".join([format_table(header, rows), "", *notes])


def score_kinds(
    oriented: str | Path | ReferenceSet = "en-ja",
    standard: str | Path | ReferenceSet = "en-ja-standard",
    *,
    parser: str | Path | Parser = DEFAULT_PARSER,
    rules: Sequence[Rules] = ("none", "en-ja"),
    how: Symmetrization = "none",
    iterations: int = 5,
    extra: tuple[Sentences, Sentences] = ((), ()),
    resamples: int = 1000,
    seed: int = 0,
    progress: Progress = no_progress,
) -> ScoredKinds:
    """Score a parser with rule sets on alignment-oriented and standard translations.

    Both are aligned by hand and by IBM Model 1 (`reference_kinds`, which says what `how`,
    `iterations` and `extra` are). Reference sets come by name or folder, or in memory; `parser`
    may be `gold`. Raises PreorderEvalError where the sets do not fit together.

    >>> scored = score_kinds(parser="gold", rules=["none"], iterations=1, resamples=10)
    >>> [kind.reference.name for kind, _ in scored.results][:2]
    ['alignment-oriented/manual', 'alignment-oriented/ibm1']
    """
    sets = [
        reference if isinstance(reference, ReferenceSet) else load_reference(reference)
        for reference in (oriented, standard)
    ]
    with progress("learning Model 1", iterations * directions(how)) as advance:
        kinds = reference_kinds(
            sets[0], sets[1], how=how, iterations=iterations, extra=extra, advance=advance
        )
    systems = reordered(kinds[0].reference, [parser], {}, rules, progress=progress)
    results = [
        (kind, evaluate(kind.reference, systems, ORDER_METRICS, resamples=resamples, seed=seed))
        for kind in kinds
    ]
    model = {
        "model": "ibm1",
        "iterations": iterations,
        "symmetrize": how,
        "pairs": sum(map(len, sets)) + len(extra[0]),
    }
    return ScoredKinds(results, model)
