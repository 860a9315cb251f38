"""What the metrics that follow sacrebleu (Post 2018) have in common: its scorers' signatures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as Scorer


class SacrebleuSignature(ABC):
    """Mixed into a metric that has a scorer of sacrebleu to compare with."""

    @abstractmethod
    def scorer(self) -> Scorer:
        """sacrebleu's scorer with the same parameters."""

    def sacrebleu_signature(self, references: int = 1) -> str:
        """The signature that sacrebleu prints for its scorer with these parameters.

        Parameters: `references` the number of references of each segment. Empty where sacrebleu
        has no such metric: of stems, or with references left out in turn.
        """
        if getattr(self, "stem", False) or getattr(self, "jackknife", False):
            return ""
        scorer: Any = self.scorer()
        scorer.num_refs = references  # sacrebleu learns it when it scores
        return str(scorer.get_signature())
