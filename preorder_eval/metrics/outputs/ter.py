"""Translation edit rate (Snover et al. 2006) as sacrebleu computes it (Post 2018)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from preorder_eval.base.arrays import Floats
from preorder_eval.base.text.tokenization import language_of
from preorder_eval.metrics.base import NO_SPACES, quiet
from preorder_eval.metrics.outputs.lexical import LexicalMetric
from preorder_eval.metrics.segments import Segments

_SPLIT = ("ja", "zh")  # languages whose characters the option `asian` takes apart


@dataclass(frozen=True)
class Ter(LexicalMetric):
    """Edits and shifts per reference word, in per cent; lower is better, above 100 possible.

    A shift moves a sequence of words at once; shifts are found by tercom's greedy search.
    Lower-cases unless `lower=False`, as sacrebleu and tercom do by default. Of several references
    the one with the fewest edits counts, over the mean of their lengths. An empty reference:
    100 if the hypothesis has words, 0 if it has none. The corpus value is that of the edits and
    lengths of all segments together.

    TER splits texts in its own way, at white space. `normalized=True` takes punctuation off words
    before that, with `asian=True` also Chinese and Japanese characters off each other;
    `punct=False` leaves punctuation out. All are options of tercom and sacrebleu.

    In very long or repetitive segments fewer shifts are tried (`ter_shifts`); the last statistic is
    1 there.

    >>> Ter().score(["d e f a b c"], ["a b c d e f"]).corpus
    16.666666666666664
    >>> Ter().sacrebleu_signature().partition("|version")[0]
    'nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no'
    """

    name: ClassVar[str] = "ter"
    short_name: ClassVar[str] = "TER"
    paper: ClassVar[str] = "Snover et al. 2006; Post 2018 (sacrebleu)"
    equation: ClassVar[str] = "(insertions + deletions + substitutions + shifts) / |r|"
    range: ClassVar[tuple[float, float]] = (0.0, math.inf)
    decimals: ClassVar[int] = 1
    equals: ClassVar[Mapping[str, str]] = {"sacrebleu": ""}
    higher_is_better: ClassVar[bool] = False

    lower: bool = quiet(True, stated=True)
    normalized: bool = quiet(False)
    punct: bool = quiet(True)
    asian: bool = quiet(False)

    def scorer(self) -> Any:
        from sacrebleu.metrics.ter import TER

        return TER(
            normalized=self.normalized,
            no_punct=not self.punct,
            asian_support=self.asian,
            case_sensitive=not self.lower,
        )

    def statistics(self, segments: Segments) -> Floats:
        """Return sacrebleu's, the edits and the mean length of the references, and whether the
        search for shifts was cut short; float64[S, 3]."""
        from preorder_eval.metrics.outputs.ter_shifts import edits  # late: it loads rapidfuzz

        segments, split = self.prepared(segments), self._split()
        rows = []
        for texts in zip(segments.hypothesis_texts, *segments.reference_texts, strict=True):
            # sacrebleu normalises references twice: in "40's," the second time cuts off 's.
            hypothesis, *references = (
                split(each).split() for each in (texts[0], *map(split, texts[1:]))
            )
            counts, cut_short = zip(
                *(edits(hypothesis, words) for words in references), strict=True
            )
            mean_length = sum(map(len, references)) / len(references)
            rows.append((min(counts), mean_length, any(cut_short)))
        return np.array(rows, dtype=np.float64).reshape(len(segments), 3)

    def _split(self) -> Callable[[str], str]:
        """Return a tokenizer: text → words with spaces between them."""
        plain = self.punct and not self.normalized
        return str if plain else self.scorer()._preprocess_segment  # noqa: SLF001

    @property
    def words(self) -> Callable[[str], Sequence[str]]:
        split = self._split()
        return lambda text: split(text).split()

    def cannot_read(
        self, references: Sequence[str], statistics: Sequence[Floats] = ()
    ) -> tuple[str, str] | None:
        if super().cannot_read(references) is None:
            return None
        if language_of(references) in _SPLIT:
            return NO_SPACES, "split words with ter(normalized=true,asian=true)"
        return NO_SPACES, (
            "split words with a program for the language, or use wer, which splits characters"
        )

    def cut_short(self, statistics: Floats) -> int:
        return int(np.count_nonzero(statistics[:, 2]))

    def finish(self, statistics: Floats) -> Floats:
        edits, words = statistics[..., 0], statistics[..., 1]
        no_words = np.where(edits > 0, 1.0, 0.0)
        return 100 * np.divide(edits, words, out=no_words, where=words > 0)
