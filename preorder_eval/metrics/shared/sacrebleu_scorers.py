"""What the metrics that follow sacrebleu (Post 2018) have in common: its scorers' signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as Scorer


class _HasScorer(Protocol):
    def scorer(self) -> Scorer: ...


class SacrebleuSignature:
    """Mixed into a metric that has a scorer of sacrebleu to compare with."""

    def sacrebleu_signature(self: _HasScorer, references: int = 1) -> str:
        """The signature that sacrebleu prints for its scorer with these parameters.

        Parameters: `references` the number of references of each segment.
        """
        scorer: Any = self.scorer()
        scorer.num_refs = references  # sacrebleu learns it when it scores
        return str(scorer.get_signature())
