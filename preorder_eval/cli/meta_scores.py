"""How `meta` scores outputs: by metrics of words, of aligned words, and of words with tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from preorder_eval.cli.tune_inputs import Further
    from preorder_eval.meta.scores import MetricScores
    from preorder_eval.results.scoring import Texts
    from preorder_eval.results.scoring_inputs import OutputMetric

Kind = Literal["words", "aligned", "tagged"]


@dataclass(frozen=True)
class Scorer:
    """The options that say how texts are split, aligned and tagged."""

    tokenize: str | None = None
    lower: bool = False
    source: Path | None = None
    source_tokenize: str | None = None
    tagger: str | None = None

    def metrics(self, signatures: Sequence[str]) -> list[OutputMetric]:
        """The metrics; raises PreorderEvalError unless just what they need is given.

        LRscore splits no words, as they are aligned: they are split before.
        """
        from preorder_eval.errors import PreorderEvalError
        from preorder_eval.metrics.lrscore import LRScore
        from preorder_eval.results.scoring_inputs import ESTIMATES, output_metric, with_settings

        measures = []
        for signature in signatures:
            kind = type(output_metric(signature))
            if issubclass(kind, ESTIMATES):
                raise PreorderEvalError(
                    f"metric {signature} compares tags, which meta does not read"
                )
            tokenize = None if kind is LRScore else self.tokenize
            measures.append(with_settings(signature, tokenize, self.lower))
        kinds = [_kind(measure) for measure in measures]
        for option, value, needed in (
            ("--source", self.source, "aligned"),
            ("--source-tokenize", self.source_tokenize, "aligned"),
            ("--tagger", self.tagger, "tagged"),
        ):
            if value and needed not in kinds:
                raise PreorderEvalError(f"{option}: none of the metrics needs it")
        for measure, own in zip(measures, kinds, strict=True):
            self._further(own, measure)
        return measures

    def score(
        self,
        measures: Sequence[OutputMetric],
        outputs: list[Texts],
        references: list[Texts],
    ) -> list[MetricScores]:
        """The scores of every metric, in order; words are aligned or tagged once."""
        from preorder_eval.cli.progress import progress
        from preorder_eval.meta.scores import score_systems

        kinds = [_kind(measure) for measure in measures]
        found: dict[int, MetricScores] = {}
        for kind in dict.fromkeys(kinds):
            numbers = [number for number, own in enumerate(kinds) if own == kind]
            chosen = [measures[number] for number in numbers]
            further = self._further(kind, chosen[0])
            texts = further.read(outputs, references) if further else (outputs, references, None)
            with progress(f"scoring {kind}", len(outputs)) as advance:
                scores = score_systems(texts[0], texts[1], chosen, texts[2], advance)
            found |= dict(zip(numbers, scores, strict=True))
        return [found[number] for number in range(len(measures))]

    def _further(self, kind: Kind, measure: OutputMetric) -> Further | None:
        """What aligns or tags words for a metric, checked."""
        from preorder_eval.cli.tune_inputs import Further

        if kind == "words":
            return None
        if kind == "tagged":
            return Further(measure, self.tokenize, tagger=self.tagger)
        return Further(measure, self.tokenize, self.source, self.source_tokenize, align="ibm1")


def _kind(measure: OutputMetric) -> Kind:
    from preorder_eval.metrics.lrscore import LRScore
    from preorder_eval.results.scoring_inputs import counts_tags

    if isinstance(measure, LRScore):
        return "aligned"
    return "tagged" if counts_tags(measure) else "words"
