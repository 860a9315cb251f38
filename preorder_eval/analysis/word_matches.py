"""Which words of outputs are right: those of the reference, as often as it has them.

Words match as in BLEU's unigrams: a word counts as right at most as often as the reference has it,
its first instances first. Of several references each sentence is held against the one that shares
most words with it (by F), the first on a tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Bools, Ints, Longs, offsets_of
from preorder_eval.data.segments import Segments, Tokens
from preorder_eval.metrics.ngrams import matched_ngrams


@dataclass(frozen=True, eq=False)
class WordMatches:
    """The words of outputs beside those of the nearest reference of each sentence.

    `hypotheses` has N tokens and `references` M; `right` bool[N] and `found` bool[M] tell which
    match. `which` int64[S] is the number of the reference, from 0, and `place` int64[M] says where
    its tokens stand among those of all streams of references, one after the other.

    >>> matches = word_matches(Segments.of(["a b b", "c"], [["b a", "d"], ["a", "c d"]]))
    >>> matches.right.tolist(), matches.found.tolist(), matches.which.tolist()
    ([True, True, False, True], [True, True, True, False], [0, 1])
    """

    hypotheses: Tokens
    references: Tokens
    right: Bools
    found: Bools
    which: Longs
    place: Longs

    def __repr__(self) -> str:
        return f"<WordMatches: {self.right.sum():,} of {len(self.right):,} words>"

    def of_references(self, streams: Sequence[Ints]) -> Ints:
        """Of what the tokens of every stream of references have, what the chosen ones have."""
        return np.concatenate(streams)[self.place]


def word_matches(segments: Segments) -> WordMatches:
    """Hold every output against its nearest reference, word by word."""
    outputs, streams = segments.hypotheses, segments.references
    shared = np.stack([matched_ngrams(outputs, [stream], [1])[:, 0] for stream in streams])
    both = np.stack([outputs.lengths + stream.lengths for stream in streams])
    which = np.argmax(shared / np.maximum(both, 1), axis=0)
    place, references = _picked(streams, which)
    size = max(len(segments.names), 1)
    keys = [side.sentences * size + side.codes for side in (outputs, references)]
    return WordMatches(
        outputs, references, _first(keys[0], keys[1]), _first(keys[1], keys[0]), which, place
    )


def _picked(streams: Sequence[Tokens], which: Longs) -> tuple[Longs, Tokens]:
    """Where the tokens of the stream that is chosen for each sentence stand, and these tokens."""
    sentence = np.arange(len(which))
    before = np.cumsum([0, *(len(stream.codes) for stream in streams[:-1])])
    lengths = np.stack([stream.lengths for stream in streams])[which, sentence]
    starts = np.stack([stream.offsets[:-1] for stream in streams])[which, sentence] + before[which]
    offsets = offsets_of(lengths.tolist())
    place = np.repeat(starts - offsets[:-1], lengths) + np.arange(offsets[-1])
    codes = np.concatenate([stream.codes for stream in streams])
    return place, Tokens(offsets, codes[place])


def _first(keys: Longs, others: Longs) -> Bools:
    """Of equal keys the first ones, as many as there are among the others."""
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    instance = np.empty(len(keys), dtype=np.int64)
    instance[order] = np.arange(len(keys)) - np.repeat(starts, np.diff(starts, append=len(keys)))
    known, counts = np.unique(others, return_counts=True)
    place = np.searchsorted(known, keys)
    there = np.append(known, -1)[place] == keys
    matched: Bools = instance < np.where(there, np.append(counts, 0)[place], 0)
    return matched
