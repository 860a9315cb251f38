"""Word alignments: the links between the words of a sentence and of its translation.

Links are sure or possible, and made by annotators or by an aligner; `reference_orders` makes orders
from them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import index

import numpy as np

from preorder_eval.base.arrays import (
    Bools,
    Integers,
    Ints,
    blocks,
    described,
    first_of_equals,
    in_order,
    offsets_of,
    sums,
)
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.ragged import Ragged
from preorder_eval.base.visible import quantity

Link = tuple[int, int]
_LONGEST = 100_000  # words of a sentence
_TOGETHER = 1 << 8  # links that are tuples of Python at a time


@dataclass(frozen=True, eq=False, repr=False)
class Alignments(Ragged[list[Link]]):
    """The links of a corpus, (source position, target position), 0-based.

    `offsets` int64[S + 1] counts links per sentence; `source` and `target` int32[L]; `possible`
    bool[L] marks the links that the annotators marked as possible rather than sure (Och & Ney
    2003); by default none. A sentence's links are a set: `of` and `of_arrays` sort them and merge
    those given twice, as a sure one if either was sure. `aligner` is the signature of the program
    that made the links, empty where people did.

    >>> import preorder_eval as pe
    >>> pe.Alignments.of([[(0, 1), (1, 0)], []])
    <Alignments: 2 sentences, 2 links>
    """

    source: Ints
    target: Ints
    possible: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))
    aligner: str = ""

    def __repr__(self) -> str:
        return described("Alignments", sentence=len(self), link=len(self.source))

    def __post_init__(self) -> None:
        if not len(self.possible):
            object.__setattr__(self, "possible", np.zeros(len(self.source), dtype=bool))

    @classmethod
    def of(
        cls, sentences: Iterable[Iterable[Link]], possible: Iterable[Iterable[Link]] = ()
    ) -> Alignments:
        """Flatten links given as lists of pairs.

        Parameters: `sentences` the links of each sentence; `possible`, if given, further links
        of each sentence, those marked possible. Raises PreorderEvalError where the two are not
        of the same number of sentences.

        >>> import preorder_eval as pe
        >>> pe.Alignments.of([[(1, 0)]], possible=[[(0, 0)]]).possible.tolist()
        [True, False]
        """
        try:
            sure, maybe = (
                [[(index(i), index(j)) for i, j in links] for links in given]
                for given in (sentences, possible)
            )
        except (TypeError, ValueError) as error:
            hint = "give a list of pairs of positions for each sentence, as in [[(0, 1), (1, 0)]]"
            raise PreorderEvalError(f"these are not links: {error}; {hint}") from error
        if maybe and len(maybe) != len(sure):
            raise PreorderEvalError(
                f"possible links of {quantity(len(maybe), 'sentence')}, sure links of {len(sure)}"
            )
        listed = [*sure, *maybe]
        flat = np.array([link for links in listed for link in links], dtype=np.int32).reshape(-1, 2)
        numbers = np.concatenate([np.arange(len(sure)), np.arange(len(maybe))])
        is_possible = np.arange(len(listed)) >= len(sure)
        counts = [len(links) for links in listed]
        return cls.of_arrays(
            np.repeat(numbers, counts),
            flat[:, 0],
            flat[:, 1],
            np.repeat(is_possible, counts),
            sentences=len(sure),
        )

    @classmethod
    def of_arrays(
        cls, sentence: Integers, source: Integers, target: Integers, possible: Bools, sentences: int
    ) -> Alignments:
        """Group links by sentence.

        Parameters: for each link, in any order, the number of its sentence from 0, its source and
        its target position, and whether it is marked possible; `sentences` is the number of
        sentences.

        >>> import preorder_eval as pe
        >>> import numpy as np
        >>> numbers = np.array([1, 0, 1]), np.array([2, 0, 2]), np.array([1, 0, 1])
        >>> possible = np.array([True, False, False])
        >>> alignments = pe.Alignments.of_arrays(*numbers, possible, sentences=2)
        >>> alignments[1], alignments.possible.tolist()
        ([(2, 1)], [False, False])
        """
        starts = offsets_of([len(sentence)])
        if (sentence[1:] >= sentence[:-1]).all():
            starts = np.searchsorted(sentence, np.arange(sentences + 1))
        sources, targets = np.empty((2, len(sentence)), dtype=np.int32)
        marks = np.zeros(len(sentence), dtype=bool)  # which takes no memory where it is not written
        counts, size = np.zeros(sentences, dtype=np.int64), 0
        for first, last in blocks(starts):
            here = slice(starts[first], starts[last])
            columns = [column[here] for column in (sentence, source, target)]
            order = in_order(*columns, possible[here].astype(np.int8))
            links = [column[order] for column in columns]
            new = first_of_equals(*links)  # of a link given twice the sure one comes first
            numbers, *positions = (column[new] for column in links)
            kept = slice(size, size := size + len(numbers))
            sources[kept], targets[kept] = positions
            if possible[here].any():
                marks[kept] = possible[here][order][new]
            counts += np.bincount(numbers, minlength=sentences)
        return cls(offsets_of(counts), sources[:size], targets[:size], marks[:size])

    def _sentence(self, sentence: int) -> list[Link]:
        return self._links(self.span(sentence))

    def _sentences(self, numbers: range) -> Iterator[list[Link]]:
        if numbers.step != 1:
            yield from super()._sentences(numbers)
            return
        for first, last in blocks(self.offsets[numbers.start : numbers.stop + 1], _TOGETHER):
            bounds = self.offsets[numbers.start + first : numbers.start + last + 1].tolist()
            links = self._links(slice(bounds[0], bounds[-1]))
            for start, stop in itertools.pairwise(bounds):
                yield links[start - bounds[0] : stop - bounds[0]]

    def _links(self, span: slice) -> list[Link]:
        return list(zip(self.source[span].tolist(), self.target[span].tolist(), strict=True))

    def marks(self, sentence: int) -> list[bool]:
        """Return for each link of a sentence whether it is marked possible."""
        marks: list[bool] = self.possible[self.span(sentence)].tolist()
        return marks

    @property
    def sure(self) -> Alignments:
        """The alignments without the links that are marked possible.

        >>> import preorder_eval as pe
        >>> pe.Alignments.of([[(0, 0)]], possible=[[(1, 1)]]).sure[0]
        [(0, 0)]
        """
        keep = ~self.possible
        offsets = offsets_of(sums(keep, self.offsets))
        return Alignments(offsets, self.source[keep], self.target[keep], aligner=self.aligner)
