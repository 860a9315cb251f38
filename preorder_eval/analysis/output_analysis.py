"""What outputs have right and wrong: by frequency, part of speech, length, n-gram and sentence.

The tables are those that compare-mt made usual (Neubig et al. 2019, "compare-mt: A Tool for
Holistic Comparison of Language Generation Systems"). One system is described, two are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.analysis.ngram_differences import NgramDifference
from preorder_eval.analysis.orders.sentences import CorpusPart, corpus_parts
from preorder_eval.analysis.orders.words import length_buckets
from preorder_eval.analysis.output_words import OutputWords
from preorder_eval.analysis.word_accuracy import WordGroup
from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.formats.files import read_lines
from preorder_eval.formats.tables import Table, known
from preorder_eval.formats.tsv import escape_text
from preorder_eval.results.comparison import Moved, compare
from preorder_eval.results.result import Result
from preorder_eval.results.systems import Progress, no_progress
from preorder_eval.visible import quantity

_TWO = "that takes two systems"
# All tables, with what is to blame where a result has nothing for one.
TABLES = {
    "frequency": "",
    "upos": "the run has no tags of its outputs and references; name a --tagger",
    "length": "",
    "ngrams": _TWO,
    "sentences": _TWO,
}


@dataclass(frozen=True)
class Example:
    """A sentence whose score differs, with all its texts; `source` is empty where not known."""

    number: int
    first_score: float
    second_score: float
    source: str
    references: tuple[str, ...]
    first: str
    second: str


@dataclass(frozen=True, eq=False)
class OutputAnalysis:
    """What one system has right, or where two differ.

    `systems` are their names and `tokenize` how words are split. `words` holds groups of words by
    `frequency` and `upos`; `lengths` for the signature of every metric the scores by number of
    words of the first reference; `ngrams` for the name of either system what it has right more
    often than the other; `gained` and `lost` the sentences on which the second system is better or
    worse by the first metric, the largest change first.
    """

    run: str
    systems: tuple[str, ...]
    sentences: int
    tokenize: str
    words: Mapping[str, Sequence[WordGroup]]
    lengths: Mapping[str, Sequence[CorpusPart]]
    ngrams: Mapping[str, Sequence[NgramDifference]]
    metric: str
    gained: Sequence[Example]
    lost: Sequence[Example]

    def __repr__(self) -> str:
        return f"<OutputAnalysis of {' and '.join(self.systems)}: {self.sentences} sentences>"

    def narrowed(
        self, tables: Sequence[str] | None = None, *, least: int = 1, top: int = 0
    ) -> OutputAnalysis:
        """The same with only some of its TABLES, all that there are if None.

        Groups of fewer words in the references than `least` are left out, and n-grams that a system
        has right less often; of n-grams and sentences all but the first `top`, unless that is 0.
        Raises UnknownNameError for a table that is not one of TABLES and PreorderEvalError for one
        that there is nothing for.
        """
        there = [*self.words, "length", *(["ngrams", "sentences"] if self.ngrams else [])]
        for name in tables or []:
            if name not in TABLES:
                raise UnknownNameError("table", name, TABLES)
            if name not in there:
                raise PreorderEvalError(f"no table by {name} for {self.run}: {TABLES[name]}")
        wanted = there if tables is None else tables
        rows = slice(top or None)
        return replace(
            self,
            words={
                by: [g for g in groups if max(s.references for s in g.systems) >= least]
                for by, groups in self.words.items()
                if by in wanted
            },
            lengths=self.lengths if "length" in wanted else {},
            ngrams={
                system: [d for d in found if d.first >= least][rows]
                for system, found in self.ngrams.items()
                if "ngrams" in wanted
            },
            gained=self.gained[rows] if "sentences" in wanted else (),
            lost=self.lost[rows] if "sentences" in wanted else (),
        )

    def summary(self) -> dict[str, Any]:
        """What `--json` prints: the rows of all tables under their names."""
        named = {
            name: [dict(zip(header, row, strict=True)) for row in rows]
            for name, (header, rows) in self._named_tables().items()
        }
        return {
            "systems": list(self.systems),
            "sentences": self.sentences,
            "tokenize": self.tokenize,
            "metric": self.metric,
            **named,
        }

    def tables(self) -> list[Table]:
        """Header and rows of the words, lengths, n-grams and sentences."""
        return list(self._named_tables().values())

    def _named_tables(self) -> dict[str, Table]:
        scores = ["recall", "precision", "f", "f low", "f high", "difference", "significance", "p"]
        tables: dict[str, Table] = {
            "words": (
                ["by", "group", "system", "references", "found", "outputs", "right", *scores],
                self._word_rows(),
            ),
            "lengths": (
                ["metric", "length", "sentences", "system", "score", "low", "high"],
                [
                    [
                        metric,
                        part.name,
                        part.sentences,
                        system,
                        known(x.value),
                        *map(known, (x.low, x.high)),
                    ]
                    for metric, parts in self.lengths.items()
                    for part in parts
                    for system, x in zip(self.systems, part.scores, strict=True)
                ],
            ),
            "ngrams": (
                [
                    "more often by",
                    "ngram",
                    "references",
                    "right",
                    "right by other",
                    "share",
                    "numbers",
                ],
                [
                    [
                        system,
                        escape_text(d.ngram),
                        d.references,
                        d.first,
                        d.second,
                        d.share,
                        " ".join(map(str, d.sentences)),
                    ]
                    for system, found in self.ngrams.items()
                    for d in found
                ],
            ),
            "moved": (
                ["sentence", "change", *self.systems, "source", "references"],
                [
                    [
                        e.number,
                        e.second_score - e.first_score,
                        *map(escape_text, (e.first, e.second, e.source)),
                        escape_text(" | ".join(e.references)),
                    ]
                    for e in (*self.gained, *self.lost)
                ],
            ),
        }
        return {name: table for name, table in tables.items() if table[1]}

    def _word_rows(self) -> list[list[object]]:
        rows: list[list[object]] = []
        for by, groups in self.words.items():
            for group in groups:
                for number, (system, own) in enumerate(
                    zip(self.systems, group.systems, strict=True)
                ):
                    counts = [own.references, own.found, own.outputs, own.right]
                    values = [own.recall, own.precision, own.f.value, own.f.low, own.f.high]
                    against = group.difference if number else None
                    compared: list[object] = [None, None, None]
                    if against is not None:
                        compared = [known(against.value), against.mark, known(against.p)]
                    rows.append([by, group.name, system, *counts, *map(known, values), *compared])
        return rows


def analyse_outputs(
    result: Result,
    systems: Sequence[str] = (),
    *,
    training: str | Path | None = None,
    source: str | Path | None = None,
    tokenize: str = "",
    tagger: str = "",
    progress: Progress = no_progress,
) -> OutputAnalysis:
    """Find out what one system of a result has right, or where two differ.

    Parameters: `systems` the names of one or two, by default the first and the last; `training` a
    text by which words are frequent, by default the references; `source` the source, one sentence a
    line, where the result has none; `tokenize` how words are split, by default as the metrics do;
    `tagger` a parser that tags them, by default they have the tags of the result, if any.

    Raises UnknownNameError for a system that there is not, FormatError for a source of other
    sentences, and PreorderEvalError for a result without outputs.

    >>> from preorder_eval.results.scoring import score
    >>> result = score({"a": ["x y", "z"], "b": ["y x", "z"]}, ["x y", "z"], ["wer"])
    >>> [(d.ngram, d.first, d.second) for d in analyse_outputs(result).ngrams["a"]]
    [('x y', 1, 0)]
    """
    names = list(systems) or list(dict.fromkeys([result.systems[0], result.systems[-1]]))
    if len(names) > 2:
        raise PreorderEvalError(f"{len(names)} systems: one is described, or two are compared")
    texts = source_texts(result, source)
    chosen = result.chosen(names)
    words = OutputWords(chosen, tokenize, training, tagger, progress)
    streams = [text.sentences for text in chosen.inputs.references]
    outputs = [system.hyp or [] for system in chosen.inputs.systems]
    ngrams: dict[str, Sequence[NgramDifference]] = {}
    gained: list[Example] = []
    lost: list[Example] = []
    if len(names) == 2:
        ngrams = {names[n]: words.ngrams.differences(n, 1 - n) for n in (0, 1)}
        [compared] = compare(chosen, metrics=[chosen.metrics[0]]).metrics

        def example(moved: Moved) -> Example:
            s = moved.number - 1
            return Example(
                moved.number,
                moved.first_score,
                moved.second_score,
                texts[s] if texts else "",
                tuple(stream[s] for stream in streams),
                outputs[0][s],
                outputs[1][s],
            )

        better, worse = compared.moved(len(chosen), lambda s: ("", "", ""))
        gained, lost = list(map(example, better)), list(map(example, worse))
    return OutputAnalysis(
        run=result.name,
        systems=tuple(names),
        sentences=len(result),
        tokenize=words.tokenize,
        words=words.groups(),
        lengths=by_length(chosen, words),
        ngrams=ngrams,
        metric=str(chosen.metrics[0]),
        gained=gained,
        lost=lost,
    )


def by_length(result: Result, words: OutputWords) -> dict[str, list[CorpusPart]]:
    """Every metric's scores by the number of words of the first reference."""
    sizes = words.segments[0].references[0].lengths
    groups = length_buckets(np.maximum(sizes, 1))
    return {
        str(metric): corpus_parts(result, number, groups, ordered=True)
        for number, metric in enumerate(result.metrics)
    }


def source_texts(result: Result, file: str | Path | None = None) -> list[str]:
    """The source sentences of a result, from a file or as it holds them; none where it does not.

    Raises FormatError for a file with another number of lines.
    """
    if file is not None:
        lines = read_lines(Path(file), blank=True)
        if len(lines) != len(result):
            own = f"{len(result)} sentences of {result.name}"
            defect = f"{quantity(len(lines), 'line')} for the {own}"
            raise FormatError(defect, file=Path(file))
        return lines
    inputs = result.inputs
    tokens = inputs.shared.get("source") or (inputs.reference and inputs.reference.source) or []
    return [" ".join(words) for words in tokens]
