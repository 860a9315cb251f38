"""Outputs analysed: scores by length, and the sentences that differ most. Two are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.analysis.misplaced import length_buckets
from preorder_eval.analysis.sentences import CorpusPart, corpus_parts
from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.base.files.files import read_lines
from preorder_eval.base.stats.unit import EACH_SENTENCE, Unit
from preorder_eval.base.tables import Caveat, Column, Shown, Table, ends
from preorder_eval.base.text.tokenization import TokenLists, as_written, tokenizer_of
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.compare import MovedSentences, compare
from preorder_eval.evaluation.notes import interval_by, warnings_below
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.words_or_order import WordsOrOrder, words_or_order
from preorder_eval.metrics import WordMetric, short_names
from preorder_eval.metrics.segments import Tokens

_TWO = "needs two systems"
_TOP = 10  # sentences that are shown
# All tables, with what is to blame where a result has nothing for one.
OUTPUT_TABLES = {"parts": _TWO, "length": "", "sentences": _TWO}


@dataclass(frozen=True, eq=False)
class OutputAnalysis(Shown):
    """Scores of one system by length, or of two with their differences.

    `systems` are their names, and `tokenize` is how words are split. `lengths` has for the
    signature of every metric the scores by the number of words of the first reference. `moved` has
    the sentences on which the second system is better or worse by the first metric, and `parts`
    whether the two differ in words or in order; both are None for one system. `unit` is the unit
    that intervals and tests resample, and `decimals` are those of each metric.
    """

    run: str
    systems: tuple[str, ...]
    sentences: int
    tokenize: str
    lengths: Mapping[str, Sequence[CorpusPart]]
    metric: str
    moved: MovedSentences | None
    parts: WordsOrOrder | None = None
    unit: Unit = EACH_SENTENCE
    unfit: Sequence[Caveat] = ()
    below: Sequence[Caveat] = ()
    decimals: Mapping[str, int] = field(default_factory=dict)

    def narrowed(self, tables: Sequence[str] | None = None, *, top: int = 0) -> OutputAnalysis:
        """Return the same with only some of its `OUTPUT_TABLES`, all that there are if None.

        The first `top` sentences are kept, or all if `top` is 0. Raises UnknownNameError for
        another table, PreorderEvalError for one without data.
        """
        there = ["length", *(["parts", "sentences"] if self.moved is not None else [])]
        for name in tables or []:
            if name not in OUTPUT_TABLES:
                raise UnknownNameError("table", name, OUTPUT_TABLES)
            if name not in there:
                raise PreorderEvalError(f"no table by {name} for {self.run}: {OUTPUT_TABLES[name]}")
        wanted = there if tables is None else tables
        rows, moved = slice(top or None), self.moved if "sentences" in wanted else None
        return replace(
            self,
            lengths=self.lengths if "length" in wanted else {},
            parts=self.parts if "parts" in wanted else None,
            moved=moved and replace(moved, gained=moved.gained[rows], lost=moved.lost[rows]),
        )

    @property
    def own_warnings(self) -> list[Caveat]:
        return [*self.unfit, *self.below]

    @property
    def verdict(self) -> str:
        split = "words between spaces" if self.tokenize == "none" else f"words by {self.tokenize}"
        texts = quantity(self.sentences, "sentence")
        texts += f" in {self.unit.drawn}" * bool(self.unit.drawn)
        return f"{self.run}  {' and '.join(self.systems)}, {texts}, {split}"

    def tables(self) -> list[Table]:
        lengths = [
            [metric, part.name, part.sentences, system, ends(interval)]
            for metric, parts in self.lengths.items()
            for part in parts
            for system, interval in zip(self.systems, part.scores, strict=True)
        ]
        tables = [Table("lengths", _LENGTHS, lengths)]
        if self.moved is not None:
            moved = self.moved.tables()
            tables += [replace(t, key=("moved", str(t.key)), only="") for t in moved]
        if self.parts is not None:
            tables.insert(0, self.parts.table)
        return [table for table in tables if table.rows]

    def _facts(self) -> dict[str, Any]:
        return {
            "systems": self.systems,
            "sentences": self.sentences,
            **self.unit.facts(),
            "tokenize": self.tokenize,
            "metric": self.metric,
        }

    def view(self, whole: bool = False) -> list[Table]:
        tables = [self.parts.table] if self.parts is not None else []
        for metric in list(self.lengths)[: None if whole else 1]:
            columns = [Column("length", label=True), Column("sentences")]
            form = f".{self.decimals[metric]}f"
            columns += [Column(name, format=form, interval=True) for name in self.systems]
            rows = [
                [part.name, part.sentences, *map(ends, part.scores)]
                for part in self.lengths[metric]
            ]
            title = f"By number of words in the reference, {short_names([metric])[0][0]}"
            notes = [f"score{interval_by(self.unit.drawn)}"]
            tables.append(Table("lengths", columns, rows, title, notes))
        moved = self.moved
        if moved is not None and (moved.gained or moved.lost):
            if not whole:
                moved = replace(moved, gained=moved.gained[:_TOP], lost=moved.lost[:_TOP])
            tables += moved.view(whole)
        notes = [caveat.text for caveat in self.below]
        notes += [f"warning: {caveat.text}" for caveat in self.unfit]
        last = [replace(table, notes=[*table.notes, *notes]) for table in tables[-1:]]
        return [*tables[:-1], *last]


_LENGTHS = [
    Column("metric", label=True),
    Column("length", label=True),
    Column("sentences"),
    Column("system", label=True),
    Column("score", interval=True, fields=("score", "low", "high")),
]


def analyse_outputs(
    result: Result,
    systems: Sequence[str] = (),
    *,
    source: str | Path | None = None,
    tokenize: str = "",
) -> OutputAnalysis:
    """Find out how one system scores by length, or where two differ.

    Parameters: `systems` the names of one or two, by default the first and the last; `source` the
    source, one sentence a line, if the result has none; `tokenize` how words are split, by default
    as the metrics do.

    Raises UnknownNameError for an unknown system, FormatError for a source of other sentences, and
    PreorderEvalError for a result without outputs.

    >>> import preorder_eval as pe
    >>> result = pe.score({"a": ["x y", "z"], "b": ["y x", "z"]}, ["x y", "z"], ["wer"])
    >>> [each.number for each in pe.analyse_outputs(result).moved.lost]
    [1]
    """
    names = list(systems) or list(dict.fromkeys([result.systems[0], result.systems[-1]]))
    if len(names) > 2:
        raise PreorderEvalError(
            f"{len(names)} systems are named; name one to describe it, or two to compare them"
        )
    sources = source_texts(result, source)
    chosen = result.chosen(names)
    words = output_words(chosen, tokenize=tokenize)
    moved = None
    if len(names) == 2:
        outputs = [system.hyp or [] for system in chosen.inputs.systems]

        def texts(s: int) -> tuple[str, str, str] | tuple[str, str, str, str, None]:
            reference = " | ".join(text.sentences[s] for text in chosen.inputs.references)
            if sources:
                return sources[s], outputs[0][s], outputs[1][s], reference, None
            return reference, outputs[0][s], outputs[1][s]

        [compared] = compare(chosen, systems=names, metrics=[chosen.metrics[chosen.lead]]).metrics
        labels = ("source" if sources else "reference", names[0], names[1])
        moved = MovedSentences.of(compared, len(chosen), texts, labels)
    return OutputAnalysis(
        run=result.name,
        systems=tuple(names),
        sentences=len(result),
        tokenize=words.tokenize,
        lengths=by_length(words),
        metric=str(chosen.metrics[chosen.lead]),
        moved=moved,
        parts=words_or_order(chosen, tokenize=words.tokenize) if len(names) == 2 else None,
        unfit=chosen.unfit,
        below=warnings_below(chosen),
        unit=result.unit,
        decimals={str(each): each.decimals for each in chosen.metrics},
    )


def by_length(words: OutputWords) -> dict[str, list[CorpusPart]]:
    """Return every metric's scores by the number of words of the first reference."""
    sizes = np.array([max(len(sentence), 1) for sentence in words.references[0]])
    groups = length_buckets(sizes)
    metrics = words.result.metrics
    parts = corpus_parts(words.result, range(len(metrics)), groups, ordered=True)
    return dict(zip(map(str, metrics), parts, strict=True))


def source_texts(result: Result, file: str | Path | None = None) -> list[str]:
    """Return the source sentences of a result, from a file or as it holds them, if it does.

    Raises FormatError for a file with another number of lines.
    """
    if file is not None:
        lines = read_lines(Path(file), blank=True)
        if len(lines) != len(result):
            wanted = f"{quantity(len(result), 'sentence')} of {result.name}"
            defect = f"{quantity(len(lines), 'line')} for the {wanted}"
            raise FormatError(defect, file=Path(file))
        return lines
    inputs = result.inputs
    tokens = inputs.shared.get("source") or (inputs.reference and inputs.reference.source) or []
    return list(map(as_written, tokens))


@dataclass(frozen=True, eq=False)
class OutputWords:
    """The outputs of a result and its references, in words that `tokenize` makes.

    `outputs` are those of each system, and `references` those of each stream of references.
    """

    result: Result
    tokenize: str
    outputs: Sequence[TokenLists]
    references: Sequence[TokenLists]

    @property
    def nearest(self) -> list[list[int]]:
        """The number, from 0, of the reference that shares most words with each output."""
        return [nearest_references(words, self.references) for words in self.outputs]


def output_words(result: Result, *, tokenize: str = "") -> OutputWords:
    """Split a result's outputs and references into words.

    Parameters: `tokenize` how words are split, by default as by the first of the result's metrics
    that splits words at all. Raises PreorderEvalError for a result without outputs or references.
    """
    inputs = result.inputs
    if not inputs.references or any(system.hyp is None for system in inputs.systems):
        raise PreorderEvalError(f"{result.name} has no outputs with references")
    if not tokenize:
        chosen = [metric.tokenize for metric in result.metrics if isinstance(metric, WordMetric)]
        chosen = chosen or [tokenizer_of(inputs.references[0].sentences)]
        tokenize = next((name for name in chosen if name != "none"), "none")
    segments = [inputs.of(n).segments.prepared(tokenize) for n in range(len(result.systems))]
    first = segments[0]
    return OutputWords(
        result,
        tokenize,
        [_sentences(each.hypotheses, each.names) for each in segments],
        [_sentences(stream, first.names) for stream in first.references],
    )


def _sentences(tokens: Tokens, names: Sequence[str]) -> TokenLists:
    words = [names[code] for code in tokens.codes.tolist()]
    return [words[start:stop] for start, stop in pairwise(tokens.offsets.tolist())]


def nearest_references(outputs: TokenLists, references: Sequence[TokenLists]) -> list[int]:
    """Return the number, from 0, of the reference that shares most words with each output, by F."""
    nearest = []
    for output, *texts in zip(outputs, *references, strict=True):
        words = Counter(output)
        shares = [
            (words & Counter(text)).total() / max(len(output) + len(text), 1) for text in texts
        ]
        nearest.append(shares.index(max(shares)))
    return nearest
