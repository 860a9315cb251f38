"""IBM Model 1 (Brown et al. 1993): word alignments from parallel text alone.

Every target word f comes from one of the I source words e of its sentence or from NULL, all
equally likely beforehand: p(f_1 … f_J | e) is proportional to Π_j Σ_i t(f_j | e_i) / (I + 1). The
order of the words plays no part, which is why Talbot et al. (2011, section 4.2) take this model
for their automatic alignments.

Learning is expectation maximization from a uniform start. E-step: word f_j comes from e_i with
probability t(f_j | e_i) / Σ_k t(f_j | e_k). M-step: t(f | e) is the expected number of times that
e gives f over the expected number of times that e gives anything. The likelihood never falls.

A *pair* is a source and a target word that occur in one sentence pair, a *cell* a pair of tokens
of it. Both are flat arrays; tokens are taken a block at a time, small enough for the processor's
cache, with the pairs of a block numbered anew. That is why NLTK's IBMModel1 is not used here: on
10,000 pairs of 20 words five iterations take it 33 seconds, and 3 this way. (It also counts a
target word that stands twice in its sentence only once; apart from that the two agree.)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from preorder_eval.alignment.symmetrization import Symmetrization, symmetrize
from preorder_eval.data.alignments import Alignments
from preorder_eval.data.arrays import Floats, Ints, Longs, Offsets, offsets_of, within
from preorder_eval.data.ragged import NameColumn
from preorder_eval.errors import PreorderEvalError

Sentences = Sequence[Sequence[str]]
_BLOCK = 1 << 19  # cells


@dataclass(frozen=True, eq=False)
class Model1:
    """Translation probabilities, and the text that they were learned from.

    `pairs` int64[P], sorted: number of the source word · target words + number of the target
    word; `probabilities` float64[P], t(target word | source word). NULL is the source word after
    the last. `log_likelihoods`: of the text before each iteration, without the constant factors;
    `target_offsets` int64[S + 1]: its target tokens; `blocks`: its cells.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    pairs: Longs
    probabilities: Floats
    log_likelihoods: tuple[float, ...]
    target_offsets: Offsets
    blocks: list[_Block]

    def probability(self, target: str, source: str | None) -> float:
        """Return t(target | source), with None for NULL; 0 for words that never met."""
        if target not in self.target or (source is not None and source not in self.source):
            return 0.0
        number = len(self.source) if source is None else self.source.index(source)
        pair = number * len(self.target) + self.target.index(target)
        at = int(np.searchsorted(self.pairs, pair))
        met = at < len(self.pairs) and self.pairs[at] == pair
        return float(self.probabilities[at]) if met else 0.0

    def best(self) -> Alignments:
        """Link every target word to the likeliest source word, unless that is NULL.

        Of equally likely source words the first is taken, and NULL only if it is likelier.
        """
        source = np.concatenate([block.best(self.probabilities) for block in self.blocks])
        lengths = np.diff(self.target_offsets)
        sentence = np.repeat(np.arange(len(lengths)), lengths)
        linked = source >= 0
        return Alignments.of_arrays(
            sentence[linked],
            source[linked].astype(np.int32),
            within(self.target_offsets)[linked].astype(np.int32),
            np.zeros(int(linked.sum()), dtype=bool),
            sentences=len(lengths),
        )


@dataclass(frozen=True, eq=False)
class _Block:
    """Some sentences' target tokens, each with a cell for every source token and one for NULL.

    `pairs` int64[U]: the numbers, in the model, of the pairs that occur; `cells` int32[C]: which
    of these; `starts` int64[T + 1]: each target token's first cell.
    """

    pairs: Longs
    cells: Ints
    starts: Longs

    def expect(self, probabilities: Floats, counts: Floats) -> float:
        """Add to the expected counts (E-step); returns the log-likelihood of the block."""
        of_cell = probabilities[self.pairs][self.cells]
        of_token = np.add.reduceat(of_cell, self.starts[:-1])
        width = np.diff(self.starts)
        of_cell /= np.repeat(of_token, width)
        counts[self.pairs] += np.bincount(self.cells, of_cell, minlength=len(self.pairs))
        return float(np.log(of_token / width).sum())

    def best(self, probabilities: Floats) -> Longs:
        """Return for every target token its likeliest source position, -1 for NULL."""
        of_cell = probabilities[self.pairs][self.cells]
        width = np.diff(self.starts)
        highest = np.maximum.reduceat(of_cell, self.starts[:-1])
        at = np.flatnonzero(of_cell == np.repeat(highest, width))
        source = at[np.searchsorted(at, self.starts[:-1])] - self.starts[:-1]
        return np.where(source < width - 1, source, -1)  # the last cell is NULL's


def learn(
    source: Sentences,
    target: Sentences,
    iterations: int = 5,
    advance: Callable[[int], None] | None = None,
) -> Model1:
    """Learn how source words are translated from sentence pairs.

    Parameters: tokenised sentences, as many on both sides; `advance` is called after every
    iteration. Needs about 30 bytes for every pair of tokens in a sentence pair.

    >>> model = learn([["the", "house"], ["the", "book"]], [["das", "Haus"], ["das", "Buch"]])
    >>> round(model.probability("das", "the"), 2), round(model.probability("Haus", "house"), 2)
    (0.76, 0.84)
    """
    if len(source) != len(target):
        raise PreorderEvalError(f"{len(source)} source and {len(target)} target sentences")
    if not any(map(len, target)):
        raise PreorderEvalError("no target words to learn from")
    source_words = NameColumn.of(word for words in source for word in words)
    target_words = NameColumn.of(word for words in target for word in words)
    blocks, pairs = _blocks(source_words, target_words, source, target)
    of_source = pairs // len(target_words.names)
    probabilities = np.full(len(pairs), 1 / len(target_words.names))
    log_likelihoods = []
    for _ in range(iterations):
        counts = np.zeros(len(pairs))
        log_likelihoods.append(sum(block.expect(probabilities, counts) for block in blocks))
        totals = np.bincount(of_source, counts)[of_source]
        # A word that has lost all its translations to others gives nothing any more.
        probabilities = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
        if advance:
            advance(1)
    return Model1(
        source_words.names,
        target_words.names,
        pairs,
        probabilities,
        tuple(log_likelihoods),
        offsets_of(map(len, target)),
        blocks,
    )


def align(
    source: Sentences,
    target: Sentences,
    *,
    iterations: int = 5,
    how: Symmetrization = "none",
    extra: tuple[Sentences, Sentences] = ((), ()),
    advance: Callable[[int], None] | None = None,
) -> Alignments:
    """Align sentence pairs by Model 1, learned from them and from `extra` pairs.

    One direction is learned for `none` (target words out of source words) and `inverse`, both for
    the others, 0-based links (source, target) each. `advance` is called after every iteration.

    >>> source, target = [["the", "house"], ["the"]], [["das", "Haus"], ["das"]]
    >>> align(source, target, how="intersection")[0]
    [(0, 0), (1, 1)]
    """
    sources, targets = [*source, *extra[0]], [*target, *extra[1]]
    forward = inverse = Alignments.of([[]] * len(source))
    if how != "inverse":
        forward = _first(learn(sources, targets, iterations, advance).best(), len(source))
    if how != "none":
        turned = _first(learn(targets, sources, iterations, advance).best(), len(source))
        inverse = Alignments(turned.offsets, turned.target, turned.source)
    return symmetrize(forward, inverse, how)


def directions(how: Symmetrization) -> int:
    """Return how many models a symmetrization needs."""
    return 1 if how in ("none", "inverse") else 2


def _first(alignments: Alignments, count: int) -> Alignments:
    links = alignments.offsets[count]
    return Alignments(
        alignments.offsets[: count + 1], alignments.source[:links], alignments.target[:links]
    )


def _blocks(
    source_words: NameColumn, target_words: NameColumn, source: Sentences, target: Sentences
) -> tuple[list[_Block], Longs]:
    """Return the cells of the corpus, and its pairs sorted."""
    target_offsets = offsets_of(map(len, target))
    offsets = offsets_of(map(len, source))
    codes = np.insert(source_words.codes.astype(np.int64), offsets[1:], len(source_words.names))
    offsets = offsets + np.arange(len(offsets))  # NULL stands at the end of every sentence

    cells = np.cumsum(np.diff(offsets) * np.diff(target_offsets))
    borders = np.searchsorted(cells, np.arange(_BLOCK, cells[-1], _BLOCK)).tolist()
    blocks = []
    for first, last in itertools.pairwise(sorted({0, *borders, len(source)})):
        lengths = np.diff(target_offsets[first : last + 1])
        width = np.repeat(np.diff(offsets[first : last + 1]), lengths)
        starts = offsets_of(width)
        of_source = within(starts) + np.repeat(np.repeat(offsets[first:last], lengths), width)
        of_target = target_words.codes[target_offsets[first] : target_offsets[last]]
        pair = codes[of_source] * len(target_words.names) + np.repeat(of_target, width)
        pairs, numbers = np.unique(pair, return_inverse=True)
        blocks.append(_Block(pairs, numbers.astype(np.int32), starts))
    every = np.unique(np.concatenate([block.pairs for block in blocks]))
    return [replace(block, pairs=np.searchsorted(every, block.pairs)) for block in blocks], every
