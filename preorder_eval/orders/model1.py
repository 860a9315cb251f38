"""IBM Model 1 (Brown et al. 1993) in both directions: the aligners `agree` and `ibm1`.

Every word f of one side comes from a word e of the other side of its sentence, or from nothing. Its
weight t(f | e) does not depend on positions. That is why Talbot et al. (2011, section 4.2) take
this model for automatic links: one that prefers the diagonal, as fast_align or an HMM, prefers the
order of the source. Learning is expectation maximization. E-step: f comes from e with the share
that t(f | e) has in the sum over all words of the sentence. M-step: t(f | e) is the expected number
of times that e gives f over the number of times that it gives anything.

`ibm1` is the textbook model: the empty word (*nothing*) is one more word of each sentence, t starts
uniform, and each direction is trained for five rounds. A link is kept if each of its words is the
likeliest partner of the other.

`agree` is for the few hundred pairs of a test set, where precision matters most:

* After five rounds alone both directions count with q(i, j) = p(j | i) · p(i | j). This takes two
  rounds (Liang, Taskar & Klein 2006). More rounds raise the shares of wrong links, too.
* Nothing gives half of all words, frequent ones sooner. Its weight for f is the share of f in the
  text times the length of the other side (cf. Moore 2004). It is not learned.
* Words count folded (`folded`). Numbers and Latin words that are the same on both sides are counted
  beforehand.
* A link is kept where q is .5 or more. Equal words of a sentence share their weight, so that none
  of them is linked rather than the first. No neighbour lends support, as in grow-diag, which
  prefers the order of the source again.

A *pair* is a source and a target form that meet in a sentence pair, a *cell* a pair of tokens of
it. Both are flat arrays, in blocks small enough for the processor's cache, 25 bytes a cell.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from preorder_eval.base.arrays import Bools, Floats, Ints, Longs, Offsets, offsets_of, within
from preorder_eval.base.errors import warn
from preorder_eval.base.progress import Advance
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.text.tokenization import TokenLists
from preorder_eval.orders.aligners import STEPS
from preorder_eval.orders.alignments import Alignments

_ALONE = 5  # rounds
_AGREEING = STEPS - _ALONE
_FEW = 200  # sentence pairs: of fewer is warned
_NULL = 0.5  # share of the words that come from nothing
_THRESHOLD = 0.5
_TIE = 1e-9  # of a share: differences that rounding makes
_ALIKE, _ALIKE_START = 0.5, 25.0  # counts of equal forms: in every round, and in the first weights
_PRECISE, _LINKS = 0.8, 3  # expected precision, and links of a sentence, below which is warned
_BLOCK = 1 << 19  # cells

_LETTERS = {"LATIN": 5, "CYRILLIC": 5, "GREEK": 5, "ARABIC": 5, "HEBREW": 5, "HANGUL": 2}
_LITERAL = re.compile("[0-9a-z]")


def agree(
    source: TokenLists, target: TokenLists, own: int, advance: Advance | None = None
) -> Alignments:
    """Align sentence pairs by Model 1 in two directions that agree.

    Parameters: tokenised sentences, as many on both sides; the links of the first `own` pairs are
    returned; `advance` as for `align`. Warns of fewer than 200 pairs, of few links, and if the mean
    posterior of the links, an estimate of their precision, is below .8.

    >>> from preorder_eval import load_reference
    >>> data = load_reference("en-ja")
    >>> links = agree(data.source, data.target, 300)
    >>> links.aligner
    'agree(pairs=300,precision=0.86)'
    >>> right = [link in data.alignments[n] for n in range(300) for link in links[n]]
    >>> f"precision {sum(right) / len(right):.2f}"
    'precision 0.95'
    """
    model = learn(source, target, agreeing=_AGREEING, null=_NULL, fold=folded, advance=advance)
    links, posterior = model.links(own, _agreed)
    precision = float(posterior.mean()) if len(posterior) else 0.0
    _warn_of(len(source), precision, len(posterior) / max(own, 1))
    return replace(links, aligner=f"agree(pairs={len(source)},precision={precision:.2f})")


def ibm1(
    source: TokenLists, target: TokenLists, own: int, advance: Advance | None = None
) -> Alignments:
    """Align sentence pairs by Model 1, and keep the links that both directions choose.

    Of equally likely words the first is chosen. A word stays without a link only if *nothing* is
    likelier than every word. This aligner needs tens of thousands of sentence pairs. Parameters as
    in `agree`.

    >>> ibm1([["the", "house"], ["the"]], [["das", "Haus"], ["das"]], 1)[0]
    [(0, 0), (1, 1)]
    """
    links, _ = learn(source, target, advance=advance).links(own, _chosen_by_both)
    return replace(links, aligner=f"ibm1(pairs={len(source)})")


def folded(word: str) -> str:
    """Return the form under which a word is counted.

    Case and width are folded, and words cut to five letters in alphabets, to two syllables in
    Hangul: few pairs show the same form of a word twice.

    >>> folded("Religions"), folded("２０"), folded("大統領"), folded("정부는")
    ('relig', '20', '大統領', '정부')
    """
    word = unicodedata.normalize("NFKC", word).casefold()
    if word.isalpha():
        script = unicodedata.name(word[0], "").partition(" ")[0]
        word = word[: _LETTERS.get(script)]
    return word


@dataclass(frozen=True, eq=False)
class _Side:
    """One side of a text: the number of each token's form, the forms, where sentences start."""

    codes: Ints
    forms: tuple[str, ...]
    offsets: Offsets

    @classmethod
    def of(cls, sentences: TokenLists, fold: Callable[[str], str]) -> _Side:
        words = NameColumn.of(word for sentence in sentences for word in sentence).renamed(fold)
        return cls(words.codes, words.names, offsets_of(map(len, sentences)))

    def tokens(self, first: int, last: int) -> Ints:
        """Return the forms' numbers of the sentences from `first` up to `last`."""
        return self.codes[self.offsets[first] : self.offsets[last]]


@dataclass(frozen=True, eq=False)
class _Block:
    """The cells of the sentence pairs from `first` up to `last`, by source and then target token.

    `heights` and `widths` are the numbers of source and target tokens of each; `pairs` int32[U]
    the numbers, in the text, of the pairs that occur, and `cells` int32[C] which of these.
    """

    first: int
    heights: Longs
    widths: Longs
    pairs: Ints | Longs
    cells: Ints

    @property
    def last(self) -> int:
        return self.first + len(self.heights)

    def tokens(self) -> tuple[Longs, Longs]:
        """Return the source and the target token of each cell, numbered within the block."""
        return _cell_tokens(self.heights, self.widths)

    def positions(self, cells: Longs) -> tuple[Longs, Longs, Longs]:
        """Return the sentence of some cells, and the positions of their tokens in it."""
        source, target = (tokens[cells] for tokens in self.tokens())
        sentence = np.repeat(np.arange(len(self.heights)), self.heights)[source]
        high, wide = offsets_of(self.heights), offsets_of(self.widths)
        return self.first + sentence, source - high[sentence], target - wide[sentence]


def _cell_tokens(heights: Longs, widths: Longs) -> tuple[Longs, Longs]:
    width_of = np.repeat(widths, heights)  # of each source token: the cells that it has
    starts = np.repeat(offsets_of(widths)[:-1], heights)
    target = within(offsets_of(width_of)) + np.repeat(starts, width_of)
    return np.repeat(np.arange(len(width_of)), width_of), target


class Shares(NamedTuple):
    """The sources of the words of a block, by one direction.

    `cells` float64[C], the share of each cell in its token; `nothing` float64[T].
    """

    cells: Floats
    nothing: Floats


@dataclass(frozen=True, eq=False)
class _Lexicon:
    """The weights of one direction, of each pair and of nothing for each form.

    `given` is, for each pair, the number of the form that it is given; `scaled` whether the weight
    of nothing counts once for every word of the other side.
    """

    weights: Floats
    nothing: Floats
    given: Ints
    scaled: bool

    def shares(self, block: _Block, token: Longs, codes: Ints, others: Longs) -> Shares:
        """Return the shares of a block's tokens of these forms, beside `others` many words each."""
        nothing = self.nothing[codes]
        if self.scaled:
            nothing = nothing * np.maximum(others, 1)
        weights = self.weights[block.pairs][block.cells]
        total = np.bincount(token, weights, minlength=len(nothing)) + nothing
        return Shares(weights / total[token], nothing / total)


@dataclass(frozen=True, eq=False)
class Model1:
    """A text, and what was learned of it.

    `to_target` has t(target form | source form), `to_source` the reverse.
    """

    source: _Side
    target: _Side
    blocks: Sequence[_Block]
    to_target: _Lexicon
    to_source: _Lexicon

    def shares(self, block: _Block) -> tuple[Shares, Shares]:
        """Compute the E-step of a block: shares of source words in target words, and reversed."""
        source, target = block.tokens()
        heights, widths = block.heights, block.widths
        target_codes = self.target.tokens(block.first, block.last)
        source_codes = self.source.tokens(block.first, block.last)
        return (
            self.to_target.shares(block, target, target_codes, np.repeat(heights, widths)),
            self.to_source.shares(block, source, source_codes, np.repeat(widths, heights)),
        )

    def improved(self, prior: Floats, *, agreeing: bool) -> Model1:
        """Return the model after one more round; `prior` are counts of pairs beforehand."""
        counts, inverse = prior.copy(), prior.copy()
        nothing, of_source = np.zeros(len(self.target.forms)), np.zeros(len(self.source.forms))
        for block in self.blocks:
            target, source = self.shares(block)
            agreed = [target.cells * source.cells] * 2 if agreeing else [target.cells, source.cells]
            for into, cells in zip((counts, inverse), agreed, strict=True):
                into[block.pairs] += np.bincount(block.cells, cells, minlength=len(block.pairs))
            for total, side, shares in (
                (nothing, self.target, target),
                (of_source, self.source, source),
            ):
                codes = side.tokens(block.first, block.last)
                total += np.bincount(codes, shares.nothing, minlength=len(total))
        return replace(
            self,
            to_target=_maximized(self.to_target, counts, nothing),
            to_source=_maximized(self.to_source, inverse, of_source),
        )

    def links(
        self, sentences: int, kept: Callable[[Shares, Shares, _Block], Bools]
    ) -> tuple[Alignments, Floats]:
        """Return the cells of the first sentences that `kept` chooses, and the q of each."""
        places, posterior = [], []
        for block in self.blocks:
            shares = self.shares(block)
            cells = np.flatnonzero(kept(*shares, block))
            places.append(np.array(block.positions(cells)))
            posterior.append(shares[0].cells[cells] * shares[1].cells[cells])
        place, q = np.concatenate(places, axis=1), np.concatenate(posterior)
        mine = place[0] < sentences
        sure = np.zeros(int(mine.sum()), dtype=bool)
        sentence, source, target = place[:, mine]
        return Alignments.of_arrays(sentence, source, target, sure, sentences), q[mine]


def learn(
    source: TokenLists,
    target: TokenLists,
    *,
    agreeing: int = 0,
    null: float | None = None,
    fold: Callable[[str], str] = str,
    advance: Advance | None = None,
) -> Model1:
    """Learn Model 1 in both directions: five rounds alone, then `agreeing` rounds together.

    Parameters: tokenised sentences, as many on both sides; `null` the share of words that come from
    nothing, which is learned if it is None; `fold` maps a word to the form under which it is
    counted.

    >>> model = learn([["the", "house"], ["the", "book"]], [["das", "Haus"], ["das", "Buch"]])
    >>> target, _ = model.shares(model.blocks[0])
    >>> target.cells[:4].reshape(2, 2).round(2).tolist()  # the: das, Haus; house: das, Haus
    [[0.45, 0.11], [0.1, 0.77]]
    """
    sides = _Side.of(source, fold), _Side.of(target, fold)
    blocks, pairs = _blocks(*sides)
    of_source, of_target = (n.astype(np.int32) for n in np.divmod(pairs, len(sides[1].forms)))
    # Forms that are equal on both sides, and stand for themselves, are known beforehand.
    known = {form: number for number, form in enumerate(sides[1].forms)}
    twin = [known.get(f, -1) if null and _LITERAL.search(f) else -1 for f in sides[0].forms]
    alike = np.array(twin, dtype=np.int64)[of_source] == of_target

    def lexicon(side: _Side, given: Ints) -> _Lexicon:
        size = len(side.forms)
        nothing = np.full(size, 1 / size)
        if null is not None:
            nothing = null / (1 - null) * np.bincount(side.codes, minlength=size) / len(side.codes)
        return _Lexicon((1 + _ALIKE_START * alike) / size, nothing, given, null is not None)

    model = Model1(*sides, blocks, lexicon(sides[1], of_source), lexicon(sides[0], of_target))
    for number in range(STEPS):
        if number < _ALONE + agreeing:
            model = model.improved(_ALIKE * alike, agreeing=number >= _ALONE)
        if advance:
            advance(1)
    return model


def _maximized(lexicon: _Lexicon, counts: Floats, nothing: Floats) -> _Lexicon:
    """Return the weights from these counts (M-step); that of *nothing* only if it is learned."""
    weights = counts / np.bincount(lexicon.given, counts)[lexicon.given]
    if lexicon.scaled:
        return replace(lexicon, weights=weights)
    return replace(lexicon, weights=weights, nothing=nothing / nothing.sum())


def _agreed(target: Shares, source: Shares, block: _Block) -> Bools:
    """Choose the cells whose posterior, the product of both shares, is .5 or more."""
    return target.cells * source.cells >= _THRESHOLD


def _chosen_by_both(target: Shares, source: Shares, block: _Block) -> Bools:
    """Choose the cells that are the likeliest of both their tokens."""
    of_source, of_target = block.tokens()
    return _likeliest(target, of_target) & _likeliest(source, of_source)


def _likeliest(shares: Shares, token: Longs) -> Bools:
    """Choose each token's likeliest cell, the first on a tie, unless the empty word is likelier."""
    highest = shares.nothing.copy()
    np.maximum.at(highest, token, shares.cells)
    best = np.flatnonzero(shares.cells >= (1 - _TIE) * highest[token])
    chosen = np.zeros(len(token), dtype=bool)
    chosen[best[np.unique(token[best], return_index=True)[1]]] = True
    return chosen


def _warn_of(pairs: int, precision: float, links: float) -> None:
    """Warn of links that are unsafe, with the reasons."""
    reasons = []
    if pairs < _FEW:
        reasons.append(f"they were trained on {pairs} sentence pairs (give {_FEW}, better 300)")
    if links < _LINKS:
        reasons.append(f"there are {links:.1f} links per sentence")
    if links and precision < _PRECISE:
        reasons.append(f"their mean posterior, an estimate of precision, is {precision:.2f}")
    if reasons:
        warn(f"automatic links are unreliable: {'; '.join(reasons)}")


def _blocks(source: _Side, target: _Side) -> tuple[list[_Block], Longs]:
    """Return the cells of a text, and its pairs: source form · target forms + target form."""
    heights, widths = np.diff(source.offsets), np.diff(target.offsets)
    cells = np.cumsum(heights * widths)
    borders = np.searchsorted(cells, np.arange(_BLOCK, cells[-1], _BLOCK)).tolist()
    blocks = []
    for first, last in itertools.pairwise(sorted({0, *borders, len(heights)})):
        size = heights[first:last], widths[first:last]
        rows, columns = _cell_tokens(*size)
        of_source = source.tokens(first, last).astype(np.int64)[rows]
        pair = of_source * len(target.forms) + target.tokens(first, last)[columns]
        pairs, numbers = np.unique(pair, return_inverse=True)
        blocks.append(_Block(first, *size, pairs, numbers.astype(np.int32)))
    every = np.unique(np.concatenate([block.pairs for block in blocks]))
    number_of = [np.searchsorted(every, block.pairs).astype(np.int32) for block in blocks]
    return [replace(b, pairs=n) for b, n in zip(blocks, number_of, strict=True)], every
