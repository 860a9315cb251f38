"""N-best parsing: a beam over a transition-based parser that adds up log-probabilities.

spaCy's own beam adds up the raw scores of transitions (arc-eager, Nivre 2003). If a parser was
trained greedily, such sums cannot be compared between sequences: the wider the beam, the worse its
best tree. Here a softmax over all transitions first turns the scores of every step into
log-probabilities; the probability of transitions that are not valid in a state is discarded. The
score of a tree is the logarithm of the summed probabilities of all sequences in the beam that build
it.

A finished sequence stays in the beam until the others are finished, as in spaCy. Until then it is
ranked by its mean score per step; at the end its true log-probability is restored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from spacy.pipeline._parser_internals import nonproj
from spacy.pipeline._parser_internals._beam_utils import BeamBatch
from spacy.pipeline.dep_parser import DependencyParser
from spacy.tokens import Doc

# States that are scored together: enough to make a step's overhead small, few enough to fit
# into the processor's cache.
_STATES = 256

# A tree as heads (positions, -1 at roots) and the codes of the labels.
Arcs = tuple[tuple[int, ...], tuple[int, ...]]


def candidates(
    parser: DependencyParser, docs: Sequence[Doc], width: int
) -> Iterator[dict[Arcs, float]]:
    """Yield the final trees of a beam of `width` for each document, best first.

    Scores are log-probabilities, at most 0. The components before the parser must have run on the
    documents.
    """
    moved = (move.partition("-")[2] for move in parser.move_names)
    decorated = {parser.vocab.strings[label] for label in moved if nonproj.is_decorated(label)}
    group = max(1, _STATES // width)
    for start in range(0, len(docs), group):
        part = docs[start : start + group]
        for doc, beam in zip(part, _search(parser, part, width), strict=True):
            score_of: dict[Arcs, float] = {}
            for arcs, score in zip(_trees(doc, beam.batch, decorated), beam.scores(), strict=True):
                score_of[arcs] = np.logaddexp(score_of.get(arcs, -np.inf), score)
            yield best_first({arcs: _rounded(score) for arcs, score in score_of.items()})


def best_first(score_of: dict[Arcs, float]) -> dict[Arcs, float]:
    """Return trees with their scores, best first."""
    return dict(sorted(score_of.items(), key=lambda tree: -tree[1]))


def own_scores(parser: DependencyParser, docs: Sequence[Doc]) -> list[float]:
    """Return the log-probability of the transitions that the parser takes in each document."""
    if not docs:
        return []
    width = parser.cfg["beam_width"]
    histories = None
    if width > 1:
        density = parser.cfg["beam_density"]
        beams = parser.beam_parse(docs, beam_width=width, beam_density=density)
        histories = [beam.histories[0] for beam in beams]
    return [_rounded(beam.scores()[0]) for beam in _search(parser, docs, 1, histories)]


class _Beam:
    """One document's beam, and the number of its steps."""

    def __init__(self, batch: BeamBatch, history: Sequence[int] | None) -> None:
        self.batch = batch
        self.steps = 0
        self._history = history

    def advance(self, scores: NDArray[np.float32]) -> None:
        """Extend all unfinished sequences; with a history, only by its next transition."""
        if self._history is not None:
            forced = np.full_like(scores, -np.inf)
            forced[0, self._history[self.steps]] = scores[0, self._history[self.steps]]
            scores = forced
        self.batch.advance(scores)
        self.steps += 1

    def scores(self) -> list[float]:
        """Return the log-probability of each sequence."""
        (beam,) = self.batch
        probabilities = np.array(beam.probs)
        scores = beam.score + np.log(probabilities / probabilities[0])
        lengths = [len(history) for history in beam.histories[: len(beam)]]
        # Since it was finished after l of t steps a score has grown by (l+1)/l · … · t/(t-1).
        return [float(score) for score in scores * lengths / max(self.steps, 1)]


def _search(
    parser: DependencyParser,
    docs: Sequence[Doc],
    width: int,
    histories: Sequence[Sequence[int]] | None = None,
) -> list[_Beam]:
    """Search with a separate beam for every document; a shared beam would change their results."""
    beams = [
        _Beam(BeamBatch(parser.moves, [state], None, width), histories[i] if histories else None)
        for i, state in enumerate(parser.moves.init_batch(docs))
    ]
    model = parser.model.predict(docs)
    unfinished = [beam for beam in beams if not beam.batch.is_done]
    while unfinished:
        waiting = [beam.batch.get_unfinished_states() for beam in unfinished]
        together = [state for states in waiting for state in states]
        below = model.predict(together)
        below = below - below.max(axis=1, keepdims=True)
        scores = below - np.log(np.exp(below).sum(axis=1, keepdims=True))  # log softmax
        start = 0
        for beam, states in zip(unfinished, waiting, strict=True):
            beam.advance(scores[start : start + len(states)])
            start += len(states)
        unfinished = [beam for beam in unfinished if not beam.batch.is_done]
    return beams


def _rounded(score: float) -> float:
    return min(0.0, round(float(score), 6)) + 0.0  # never -0.0


def _trees(doc: Doc, batch: BeamBatch, decorated: set[int]) -> Iterator[Arcs]:
    """Yield the tree of each sequence; some labels are decorated, see `_reattached`."""
    root = doc.vocab.strings["ROOT"]
    for state in batch.get_states():
        heads, labels = [-1] * len(doc), [root] * len(doc)
        for arc in state.arcs:
            heads[arc["child"]], labels[arc["child"]] = arc["head"], arc["label"]
        if not decorated.isdisjoint(labels):
            heads, labels = _reattached(doc, heads, labels)
        yield tuple(heads), tuple(labels)


def _reattached(doc: Doc, heads: list[int], labels: list[int]) -> tuple[list[int], list[int]]:
    """Reattach tokens by their decorated labels (`obj||xcomp`; Nivre and Nilsson 2005)."""
    tree = Doc(
        doc.vocab,
        words=[token.text for token in doc],
        heads=[i if head < 0 else head for i, head in enumerate(heads)],
        deps=[doc.vocab.strings[label] for label in labels],
    )
    nonproj.deprojectivize(tree)
    heads = [-1 if token.head.i == token.i else token.head.i for token in tree]
    return heads, [token.dep for token in tree]
