"""What the metrics of the LEPOR family share: factors, system level, and part-of-speech tags.

A segment's score comes from its factors. At system level (Han 2014, section 3.2) A is the mean of
the sentence scores (3-8) and B the same formula with the mean of each factor (3-9, 3-10).

With part-of-speech tags (section 4.3) the same algorithm runs on words and on tags, and the score
is (w_hw · words + w_hp · tags) / (w_hw + w_hp) (4-11, 4-12).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.data.inputs import SystemInputs
from preorder_eval.data.segments import Segments, Stream
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.shared.base import Scores, quiet
from preorder_eval.metrics.shared.lexical import LexicalMetric
from preorder_eval.visible import quantity

Tags = Segments | tuple[Stream, Stream | Sequence[Stream]]


@dataclass(frozen=True)
class LeporMetric(LexicalMetric):
    """A metric of the LEPOR family; a subclass says what its factors are and how they combine.

    Case does not count (section 3.1.2) unless `lower=False`. Tags have the weights of recall and
    precision that words have, unless `tag_alpha` and `tag_beta` say others (Table 5-3).
    """

    alpha: float = 9.0
    beta: float = 1.0
    n: int = 2
    system: Literal["A", "B"] = "A"
    mix: str = quiet("1:0")
    tag_alpha: float | Literal["same"] = quiet("same")
    tag_beta: float | Literal["same"] = quiet("same")
    lower: bool = quiet(True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require("alpha", 0, 10**6)
        self.require("beta", 0, 10**6)
        self.require("n", 0)
        if self.alpha + self.beta == 0:
            raise PreorderEvalError(f"metric {self.name}: alpha and beta must not both be 0")
        read_ratio(self, "mix", 2)
        for parameter in ("tag_alpha", "tag_beta"):
            if getattr(self, parameter) != "same":
                self.require(parameter, 0)
        if self._tag_ratio == (0, 0):
            raise PreorderEvalError(
                f"metric {self.name}: tag_alpha and tag_beta must not both be 0"
            )

    @property
    def _tag_ratio(self) -> tuple[float, float]:
        """The weights of recall and precision of tags."""
        return (
            self.alpha if self.tag_alpha == "same" else self.tag_alpha,
            self.beta if self.tag_beta == "same" else self.tag_beta,
        )

    @property
    def needs(self) -> tuple[str, ...]:
        return ("hyp", "ref", "hyp_tags", "ref_tags") if self.counts_tags else ("hyp", "ref")

    @property
    def counts_tags(self) -> bool:
        """Whether part-of-speech tags have a weight."""
        return read_ratio(self, "mix", 2)[1] > 0

    def statistics_of(self, inputs: SystemInputs) -> Floats:
        return self.statistics(inputs.segments, inputs.tags if self.counts_tags else None)

    @abstractmethod
    def factors(self, segments: Segments) -> Floats:
        """The factors of each of some segments, which are prepared already; float64[S, k]."""

    @abstractmethod
    def combine(self, factors: Floats, of_tags: bool) -> Floats:
        """The score from a sentence's factors or from their means: float64[…, k] to float64[…]."""

    def statistics(self, segments: Segments, tags: Segments | None = None) -> Floats:
        """Per segment the score (A) or the factors (B), and one segment counted; float64[S, k].

        Where tags are mixed in, the factors of the words come before those of the tags.
        """
        words = self.prepared(segments)
        self._check(words, tags)
        factors = self.factors(words)
        if tags is not None:
            alpha, beta = self._tag_ratio
            of_tags = replace(self, alpha=alpha, beta=beta).factors(tags)
            factors = np.concatenate([factors, of_tags], axis=1)
        summed = self._mixed(factors)[:, None] if self.system == "A" else factors
        return np.column_stack([summed, np.ones(len(segments))])

    def finish(self, statistics: Floats) -> Floats:
        means = statistics[..., :-1] / statistics[..., -1:]
        return means[..., 0] if self.system == "A" else self._mixed(means)

    def score(
        self,
        hypotheses: Segments | Stream,
        references: Stream | Sequence[Stream] = (),
        tags: Tags | None = None,
    ) -> Scores:
        """Score hypotheses against one or several references each.

        Parameters: `Segments`, or what `Segments.of` makes them from; `tags`, where `mix` gives
        part-of-speech tags a weight, the tags of the same words of hypotheses and references
        in the same form.

        Returns `Scores`; raises PreorderEvalError where there is nothing to score, a reference
        is missing, or tags are missing or do not fit the words.
        """
        if not isinstance(hypotheses, Segments):
            hypotheses = Segments.of(hypotheses, references)
        if not len(hypotheses):
            raise PreorderEvalError("no sentence to score")
        if tags is not None and not isinstance(tags, Segments):
            tags = Segments.of(*tags)
        return self.scores_of(self.statistics(hypotheses, tags))

    def _mixed(self, factors: Floats) -> Floats:
        of_words, of_tags = read_ratio(self, "mix", 2)
        if not of_tags:
            return self.combine(factors, of_tags=False)
        words, tags = np.split(factors, 2, axis=-1)
        score = of_words * self.combine(words, False) + of_tags * self.combine(tags, True)
        return score / (of_words + of_tags)

    def _check(self, words: Segments, tags: Segments | None) -> None:
        """Raise PreorderEvalError unless tags are given where they count, one for every word."""
        if tags is None:
            if self.counts_tags:
                raise PreorderEvalError(
                    f"metric {self.name}: mix={self.mix} needs part-of-speech tags; "
                    "give them as tags=, or leave them out with mix=1:0"
                )
            return
        if not self.counts_tags:
            raise PreorderEvalError(
                f"metric {self.name}: mix={self.mix} gives the part-of-speech tags no weight; "
                "say how much words and tags count, such as mix=1:9"
            )
        if len(tags.references) != len(words.references):
            raise PreorderEvalError(
                f"tags of {len(tags.references)} references, words of {len(words.references)}"
            )
        sides = (words.hypotheses, *words.references)
        for number, (ours, theirs) in enumerate(
            zip(sides, (tags.hypotheses, *tags.references), strict=True)
        ):
            side = f"reference {number}" if number else "hypotheses"
            if len(ours) != len(theirs):
                raise PreorderEvalError(
                    f"{side}: words of {quantity(len(ours), 'sentence')}, tags of {len(theirs)}"
                )
            for s in np.flatnonzero(ours.lengths != theirs.lengths)[:1]:
                raise PreorderEvalError(
                    f"{side}, sentence {s + 1}: {ours.lengths[s]} words, {theirs.lengths[s]} tags"
                )


def read_ratio(
    metric: LexicalMetric, parameter: str, count: int | None = None
) -> tuple[float, ...]:
    """The numbers of a parameter written as a ratio, as in 3:2:1.

    Raises PreorderEvalError unless it is `count` numbers from 0 up (any number of them without
    `count`), not all 0.
    """
    text = str(getattr(metric, parameter))
    try:
        ratio = tuple(float(part) for part in text.split(":"))
    except ValueError:
        ratio = ()
    fine = all(0 <= part < math.inf for part in ratio) and sum(ratio) > 0
    if not fine or count not in (None, len(ratio)):
        wanted = f"{count or ''} weights from 0 up, not all 0, written as 3:2:1".lstrip()
        raise PreorderEvalError(f"metric {metric.name}: {parameter}={text} is not {wanted}")
    return ratio
