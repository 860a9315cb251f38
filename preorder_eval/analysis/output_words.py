"""The words of a result's outputs: which are right, and what groups they are in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from preorder_eval.analysis.ngram_differences import NgramMatches
from preorder_eval.analysis.word_accuracy import WordGroup, word_accuracy
from preorder_eval.analysis.word_groups import (
    WordGroups,
    by_frequency,
    by_part_of_speech,
    word_counts,
)
from preorder_eval.analysis.word_matches import WordMatches, word_matches
from preorder_eval.data.segments import Segments
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.files import read_lines
from preorder_eval.results.reading import tagged
from preorder_eval.results.result import Result
from preorder_eval.results.systems import Progress, no_progress

_TAGS = ("hyp_tags", "ref_tags")


@dataclass(frozen=True, eq=False)
class OutputWords:
    """The outputs of a result beside its references, split into words.

    `tokenize` says how; by default as the result's metrics do that split them at all. `training` is
    a text, one sentence a line, by which words are frequent or not, by default the references.
    `tagger` is a parser that tags the words, by default they have the tags of the result, if any.
    Raises PreorderEvalError for a result without outputs or references.

    >>> from preorder_eval.results.scoring import score
    >>> words = OutputWords(score({"mt": ["a b"]}, ["b c"], ["wer"]))
    >>> words.matches, words.groups()["frequency"][1].systems[0].recall
    ([<WordMatches: 1 of 2 words>], 0.5)
    """

    result: Result
    tokenize: str = ""
    training: str | Path | None = None
    tagger: str = ""
    progress: Progress = no_progress

    def __post_init__(self) -> None:
        inputs = self.result.inputs
        if not inputs.references or any(system.hyp is None for system in inputs.systems):
            raise PreorderEvalError(f"{self.result.name} has no outputs with references")
        if not self.tokenize:
            chosen = [getattr(metric, "tokenize", "none") for metric in self.result.metrics]
            usual = next((name for name in chosen if name != "none"), "none")
            object.__setattr__(self, "tokenize", usual)

    @property
    def counted(self) -> str:
        """What the text is called by which words are frequent."""
        return "the references" if self.training is None else Path(self.training).name

    @cached_property
    def segments(self) -> list[Segments]:
        """Every system's outputs with the references."""
        return [own.prepared(self.tokenize) for own in self._plain]

    @cached_property
    def matches(self) -> list[WordMatches]:
        """Which words of every system's outputs are right."""
        return list(map(word_matches, self.segments))

    @cached_property
    def ngrams(self) -> NgramMatches:
        """The n-grams that the outputs have right."""
        outputs = [own.hypothesis_texts for own in self.segments]
        return NgramMatches(outputs, self.segments[0].reference_texts)

    @cached_property
    def _plain(self) -> list[Segments]:
        inputs = self.result.inputs
        return [inputs.of(number).segments for number in range(len(inputs.systems))]

    def groups(self) -> dict[str, list[WordGroup]]:
        """The accuracy of all systems by frequency and, where there are tags, by `upos`."""
        counts = None
        if self.training is not None:
            known = {word for own in self.segments for word in own.names}
            lines = read_lines(Path(self.training), blank=True)
            counts = word_counts(lines, known, self.tokenize)
        by = {
            "frequency": self._accuracy(
                self.matches,
                [
                    by_frequency(*own, counts)
                    for own in zip(self.segments, self.matches, strict=True)
                ],
            )
        }
        of_words = self._tagged()
        if of_words is not None:
            segments, tags = of_words
            matches = (
                self.matches if segments is self.segments else list(map(word_matches, segments))
            )
            groups = list(map(by_part_of_speech, segments, matches, tags))
            by["upos"] = self._accuracy(matches, groups)
        return by

    def _tagged(self) -> tuple[list[Segments], list[Segments]] | None:
        """The words that have tags, and the tags; None where nothing has any."""
        inputs, every = self.result.inputs, range(len(self.result.systems))
        if self.tagger:
            references = self.segments[0].reference_texts
            texts = [*(own.hypothesis_texts for own in self.segments), *references]
            tags, _ = tagged(self.tagger, texts, self.progress)
            of_references = tags[len(self.segments) :]
            return self.segments, [Segments.of(tags[n], of_references) for n in every]
        if not all(name in inputs.of(n) for name in _TAGS for n in every):
            return None
        # Every word between spaces has one.
        return self._plain, [inputs.of(n).tags for n in every]

    def _accuracy(
        self, matches: Sequence[WordMatches], groups: Sequence[WordGroups]
    ) -> list[WordGroup]:
        return word_accuracy(matches, groups, self.result.sampling)
