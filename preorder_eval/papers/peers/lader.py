"""What lader's `evaluate-lader` prints (Neubig, Watanabe & Mori 2012).

Reference orders are lader's own (`lader_ranks`).

Two neighbours of the system order are contiguous if the second has the same rank or the next.
The chunk loss counts the neighbours that are not, and a border of the sentence where another
than the first or last rank stands, out of n + 1; where all words are tied it is 0 of 0. The τ
loss counts the inversions, out of the pairs of different rank. Losses are summed over the corpus.
A sentence without links is not left out: it is all tied, and prints a score of 1.

By these rules the orders `1 2 3 4 0` and `0 2 1 3 4` both have a chunk score of 0.5; by equation
1 of Talbot et al. (2011) they have 0.75 and 0.25.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.alignments import Alignments, reference_orders
from preorder_eval.data.arrays import Longs, in_order
from preorder_eval.data.orders import Orders, ReferenceOrders
from preorder_eval.data.sentences import Sentences, sentence_lengths
from preorder_eval.errors import PreorderEvalError
from preorder_eval.metrics.kendall import inversions, untied_pairs
from preorder_eval.metrics.shared.base import same_lengths
from preorder_eval.papers.peers.breaks import breaks
from preorder_eval.papers.peers.lader_ranks import AttachNull, reference_ranks

Strings = NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class LaderResult:
    """What lader makes of a corpus.

    `references` are its reference orders; `chunk` and `tau` int64[S, 2] hold each sentence's
    loss and its largest loss, (0, 0) where all words are tied.
    """

    orders: Orders
    source: Sequence[Sequence[str]]
    references: ReferenceOrders
    chunk: Longs
    tau: Longs

    def scores(self) -> tuple[float, float]:
        """The corpus values of chunk and τ; NaN where nothing can be lost."""
        return _score(*self.chunk.sum(axis=0)), _score(*self.tau.sum(axis=0))

    def reference_text(self, sentence: int) -> str:
        """The words of a sentence in reference order, ties in double braces."""
        return self.references[sentence].braces(self.source[sentence])

    def sentence_line(self, sentence: int) -> str:
        """The line with a sentence's scores and losses."""
        return _loss_line(
            self.chunk[sentence].tolist(), self.tau[sentence].tolist(), if_nothing="1"
        )

    def total_line(self) -> str:
        """The line with the corpus's scores and losses."""
        # What a division of 0 by 0 prints on x86-64, where the tool is used.
        return _loss_line(
            self.chunk.sum(axis=0).tolist(), self.tau.sum(axis=0).tolist(), if_nothing="-nan"
        )

    def lines(self) -> Iterator[str]:
        """All that the tool prints, line by line."""
        words = self._words().tolist()
        references = self._in_reference_order().tolist()
        offsets = self.orders.offsets
        numbers = list(map(str, range(int(np.diff(offsets).max(initial=0)))))
        spans = itertools.pairwise(offsets.tolist())
        losses = zip(self.chunk.tolist(), self.tau.tolist(), strict=True)
        for (first, last), loss in zip(spans, losses, strict=True):
            order = self.orders.positions[first:last].tolist()
            yield "sys_ord:\t" + " ".join(map(numbers.__getitem__, order))
            yield "src:\t" + " ".join(words[first:last])
            yield "ref:\t" + " ".join(references[first:last])
            yield _loss_line(*loss, if_nothing="1")
            yield ""
        yield "Total:"
        yield self.total_line()

    def _words(self) -> Strings:
        """The words of all sentences; object[N]."""
        if isinstance(self.source, Sentences):
            return np.array(self.source.words.names, dtype=object)[self.source.words.codes]
        return np.array([word for words in self.source for word in words], dtype=object)

    def _in_reference_order(self) -> Strings:
        """All words in reference order, the first and the last of a tie with their braces."""
        ranks, lengths = self.references.ranks, np.diff(self.references.offsets)
        sentence = np.repeat(np.arange(len(lengths)), lengths)
        sorted_by_rank = in_order(sentence, ranks)
        ranks = ranks[sorted_by_rank]
        tied = np.zeros(len(ranks) + 1, dtype=bool)  # with the word before
        tied[1:-1] = (ranks[1:] == ranks[:-1]) & (sentence[1:] == sentence[:-1])
        texts = self._words()[sorted_by_rank]
        texts[~tied[:-1] & tied[1:]] = "{{ " + texts[~tied[:-1] & tied[1:]]
        texts[tied[:-1] & ~tied[1:]] += " }}"
        return texts


def evaluate(
    alignments: Alignments,
    orders: Orders,
    source: Sequence[Sequence[str]],
    *,
    attach_null: AttachNull = "right",
    combine_blocks: bool = True,
) -> LaderResult:
    """Score system orders as `evaluate-lader` does.

    Parameters: `source` the words of the source sentences, which are needed for the brackets;
    `attach_null` and `combine_blocks` lader's options of the same name. Raises PreorderEvalError
    where lengths differ or a link is outside its sentence.

    >>> links, words = [(i, i) for i in range(5)], list("abcde")
    >>> both = Orders.of([[1, 2, 3, 4, 0], [0, 2, 1, 3, 4]])
    >>> result = evaluate(Alignments.of([links] * 2), both, [words] * 2)
    >>> result.chunk.tolist(), result.tau.tolist()
    ([[3, 6], [3, 6]], [[4, 10], [1, 10]])
    """
    if attach_null not in ("right", "left"):
        raise PreorderEvalError(f"attach_null is {attach_null!r}, not 'right' or 'left'")
    # The paper's reference orders check the links and tell which words have one.
    checked = reference_orders(alignments, sentence_lengths(source))
    same_lengths(orders.offsets, checked.offsets, "source")
    ranks = reference_ranks(alignments, source, checked.offsets, attach_null, combine_blocks)
    references = ReferenceOrders(checked.offsets, ranks, checked.aligned)

    sequence = references.ranks[orders.tokens]
    pairs = untied_pairs(references)
    borders = np.where(pairs > 0, np.diff(orders.offsets) + 1, 0)
    chunk = np.column_stack([breaks(sequence, orders.offsets), borders])
    tau = np.column_stack([inversions(sequence, orders.offsets), pairs])
    return LaderResult(orders, source, references, chunk, tau)


def _score(loss: int, largest: int) -> float:
    return 1 - loss / largest if largest else math.nan


def _loss_line(chunk: Iterable[int], tau: Iterable[int], if_nothing: str) -> str:
    return f"chunk={_loss(*chunk, if_nothing)}\ttau={_loss(*tau, if_nothing)}"


@functools.lru_cache(maxsize=1 << 16)
def _loss(loss: int, largest: int, if_nothing: str) -> str:
    score = f"{1 - loss / largest:g}" if largest else if_nothing
    return f"{score} (loss {loss:g}/{largest:g})"
