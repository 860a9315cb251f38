"""LRscore: word order and words of a translation (Birch & Osborne 2010).

LRscore = α · R + (1 - α) · BLEU. R is the mean over sentences of d · BP, where d compares the
source words' permutations by reference and by translation. It is the share of words in their place
(section 2.1) or of word pairs in order (section 2.2). BP = exp(1 - r/t) where the translation is
not longer than its closest reference.

The permutations are made from word alignments by the paper's conventions (section 2). A source word
aligned to several target words stands for the first of them. Several source words aligned to the
same target word keep their order. An unaligned word goes right after the previous source word (at
the start of a sentence, before all others). So a sentence without links is in source order.

The paper's four variants, such as `LR-HB1`, have the initial of the distance and the longest
n-grams of BLEU. It fits their α to human judgments of each language pair.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from preorder_eval.base.arrays import Floats, Longs, within
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.text.tokenization import Tokenize, tokenizer
from preorder_eval.base.visible import quantity
from preorder_eval.metrics.base import Metric, Scores, limited, quiet
from preorder_eval.metrics.needs import SystemInputs
from preorder_eval.metrics.orders.order import Hamming, Kendall, OrderMetric
from preorder_eval.metrics.outputs.bleu import Bleu, Smooth, closest_lengths
from preorder_eval.metrics.outputs.lexical import as_segments, in_segment_order
from preorder_eval.metrics.segments import Segments, Stream
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import Orders, ReferenceOrders
from preorder_eval.orders.reference_orders import reference_orders


@dataclass(frozen=True)
class LRScore(Metric):
    """Birch and Osborne's mean of word order and BLEU, from 0 to 1.

    Parameters: `distance` of the permutations; `ngram` the longest n-grams of BLEU, 1 or 4; `alpha`
    the weight of word order from 0 to 1 (the paper recommends no value); `smooth` as in `bleu`;
    `tokenize` how texts are split into the aligned words, by default at plain spaces; `lower=True`
    lower-cases the words for BLEU.

    The corpus value combines the mean of the sentences' R with BLEU of the corpus. Both BLEU
    values use effective order: they omit n-grams longer than the hypothesis, for the corpus than
    all hypotheses, where `bleu` alone would be 0. The closest of several reference orders counts.
    An empty hypothesis scores 0; a source of no or one word is always in order.

    >>> swapped, straight = Alignments.of([[(0, 1), (1, 0)]]), Alignments.of([[(0, 0), (1, 1)]])
    >>> result = LRScore("kendall", 1).score(
    ...     ["a b"], ["b a"], alignments=(straight, [swapped]), source_lengths=[2]
    ... )
    >>> result.corpus, result.metric
    (0.5, 'lrscore(distance=kendall,ngram=1,alpha=0.5,tokenize=none)')
    """

    name: ClassVar[str] = "lrscore"
    short_name: ClassVar[str] = "LRscore"
    paper: ClassVar[str] = "Birch & Osborne 2010"
    equation: ClassVar[str] = "α · mean(d · BP) + (1 − α) · BLEU"
    needs: ClassVar[tuple[str, ...]] = ("hyp", "ref", "source", "hyp_alignment", "ref_alignment")
    whole_corpus: ClassVar[bool] = False

    distance: Literal["hamming", "kendall"] = "kendall"
    ngram: int = 4
    alpha: float = limited(0.5, 0, 1)
    smooth: Smooth = quiet("exp")
    tokenize: Tokenize = quiet("auto", stated=True)
    lower: bool = quiet(False, stated=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ngram not in (1, 4):
            raise PreorderEvalError(f"metric lrscore: ngram={self.ngram} is not 1 or 4")

    @property
    def bleu(self) -> Bleu:
        """The metric that is combined with the word order."""
        return Bleu(order=self.ngram, smooth=self.smooth, effective_order=True, lower=self.lower)

    def statistics_of(self, inputs: SystemInputs) -> Floats:
        links = (inputs.hyp_alignment, inputs.ref_alignment)
        return self.statistics(inputs.segments, links, inputs.source_lengths)

    def score(
        self,
        hypotheses: Segments | Stream,
        references: Stream | Sequence[Stream] = (),
        *,
        alignments: tuple[Alignments, Sequence[Alignments]],
        source_lengths: Sequence[int],
    ) -> Scores:
        """Score hypotheses against references and their word orders, as every `LexicalMetric`.

        Parameters: `alignments`, the links of the source with the hypotheses, and those with each
        stream of references; `source_lengths`, the numbers of source words. Raises
        PreorderEvalError also if numbers differ, and for a link outside its sentences.
        """
        segments, by = as_segments(hypotheses, references), self.splitting("none")
        return by.scores_of(by.statistics(segments, alignments, source_lengths))

    def splitting(self, tokenizer: Tokenize, language: str = "") -> Self:
        return replace(self, tokenize=tokenizer) if self.tokenize == "auto" else self

    @property
    def words(self) -> Callable[[str], Sequence[str]]:
        return tokenizer("none" if self.tokenize == "auto" else self.tokenize)

    def statistics(
        self,
        segments: Segments,
        alignments: tuple[Alignments, Sequence[Alignments]],
        source_lengths: Sequence[int],
    ) -> Floats:
        """Return R, one segment counted, and the statistics of the words; float64[S, 2 + k]."""
        if self.tokenize not in ("auto", "none"):
            segments = segments.prepared(self.tokenize)
        segments = replace(segments, are_tokens=True)
        output, references = alignments
        if len(references) != len(segments.references):
            raise PreorderEvalError(
                f"alignments of {len(references)} references, but there are "
                f"{len(segments.references)}"
            )
        self._check_links("hypotheses", output, segments.hypotheses.lengths, source_lengths)
        for number, (links, side) in enumerate(
            zip(references, segments.references, strict=True), 1
        ):
            self._check_links(f"reference {number}", links, side.lengths, source_lengths)
        groups = list(segments.by_references())
        if any(len(streams) < len(references) for _, streams, _ in groups):
            parts = []
            for which, streams, part in groups:
                of_part = output.take(which), [references[n].take(which) for n in streams]
                lengths = [source_lengths[s] for s in which.tolist()]
                parts.append((which, self.statistics(part, of_part, lengths)))
            return in_segment_order(parts)
        order = permutations(output, source_lengths)
        d = np.max(
            [self._similarity(permutations(r, source_lengths), order) for r in references], axis=0
        )
        t = segments.hypotheses.lengths
        penalty = np.exp(np.minimum(1 - closest_lengths(segments) / np.maximum(t, 1), 0))
        r = d * np.where(t > 0, penalty, 0.0)
        return np.column_stack([r, np.ones(len(r)), self.bleu.statistics(segments)])

    def finish(self, statistics: Floats) -> Floats:
        order = statistics[..., 0] / statistics[..., 1]
        words = self.bleu.finish(statistics[..., 2:]) / 100
        return self.alpha * order + (1 - self.alpha) * words

    def _similarity(self, reference: Orders, order: Orders) -> Floats:
        """Return 1 - distance of two permutations of each sentence; 1 where nothing can differ."""
        ranks = np.empty(len(reference.tokens), dtype=np.int32)
        ranks[reference.tokens] = within(reference.offsets)
        ranked = ReferenceOrders(reference.offsets, ranks, np.ones(len(ranks), dtype=bool))
        by: OrderMetric = Hamming() if self.distance == "hamming" else Kendall()
        loss, worst = by.losses(order, ranked, None)
        return 1 - loss / np.maximum(worst, 1)

    @staticmethod
    def _check_links(
        what: str, links: Alignments, lengths: Longs, source_lengths: Sequence[int]
    ) -> None:
        if not len(links) == len(lengths) == len(source_lengths):
            raise PreorderEvalError(
                f"{what}: alignments of {quantity(len(links), 'sentence')}, lengths of "
                f"{quantity(len(source_lengths), 'source')}, {quantity(len(lengths), 'sentence')}"
            )
        sentence = np.repeat(np.arange(len(links)), np.diff(links.offsets))
        outside = np.flatnonzero(links.target >= lengths[sentence])
        if outside.size:
            i = int(outside[0])
            raise PreorderEvalError(
                f"{what}, sentence {sentence[i] + 1}: link {links.source[i]}-{links.target[i]} is "
                f"outside its {quantity(lengths[sentence[i]], 'token')}"
            )


def permutations(alignments: Alignments, source_lengths: Sequence[int]) -> Orders:
    """Return the source words in the order of the target, by the paper's conventions.

    Parameters: `alignments` of S sentences and the numbers of their source words. Raises
    PreorderEvalError for a link outside its source sentence.

    >>> permutations(Alignments.of([[(0, 2), (2, 0), (2, 3), (3, 0)]]), [5])[0]
    [2, 3, 4, 0, 1]
    """
    offsets = reference_orders(alignments, source_lengths).offsets  # checks the links
    lengths = np.diff(offsets)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    of_link = np.repeat(offsets[:-1], np.diff(alignments.offsets))
    none = np.iinfo(np.int32).max
    first = np.full(int(offsets[-1]), none)
    np.minimum.at(first, alignments.source + of_link, alignments.target)
    # The word itself if it is aligned, else the last one before it that is.
    here = np.arange(len(first))
    aligned = np.maximum.accumulate(np.where(first < none, here, -1))
    place = np.where(aligned >= offsets[:-1][sentence], first[aligned], -1)
    in_order = np.lexsort((here, place, sentence))
    return Orders(offsets, (in_order - offsets[:-1][sentence]).astype(np.int32))
