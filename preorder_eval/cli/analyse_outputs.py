"""What `preorder-eval analyse` prints of outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from preorder_eval.visible import visible

if TYPE_CHECKING:
    from preorder_eval.analysis.ngram_differences import NgramDifference
    from preorder_eval.analysis.orders.sentences import CorpusPart
    from preorder_eval.analysis.output_analysis import Example, OutputAnalysis
    from preorder_eval.analysis.word_accuracy import WordGroup

_BY = {"frequency": "By how often a word occurs in", "upos": "By part of speech"}
_FEW = 5  # sentences whose numbers are shown


def text(result: OutputAnalysis, counted: str) -> str:
    """All tables of an analysis, lengths by its first metric alone.

    `counted` is the text by which words are frequent.
    """
    from preorder_eval import __version__
    from preorder_eval.metrics.registry import short_names

    systems = [visible(name) for name in result.systems]
    split = "words between spaces" if result.tokenize == "none" else f"words by {result.tokenize}"
    parts = [
        f"{visible(result.run)}  {' and '.join(systems)}, {result.sentences} sentences, {split}; "
        f"preorder-eval {__version__}"
    ]
    for by, groups in result.words.items():
        title = f"{_BY[by]} {counted}" if by == "frequency" else _BY[by]
        parts.append(f"{title}:\n{_words(groups, systems)}")
    if result.lengths:
        name = short_names(list(result.lengths))[0][0]
        table = _lengths(result.lengths[result.metric], systems)
        parts.append(f"By number of words of the reference, {name}:\n{table}")
    for number, system in enumerate(result.systems if result.ngrams else []):
        if found := result.ngrams[system]:
            parts.append(
                f"What {systems[number]} has right more often than {systems[1 - number]}:\n"
                + _ngrams(found, [systems[number], systems[1 - number]])
            )
    for heading, examples in (("better", result.gained), ("worse", result.lost)):
        if examples:
            shown = [f"Sentences on which {systems[1]} is {heading} by {result.metric}:"]
            parts.append("\n\n".join(shown + [_example(e, systems) for e in examples]))
    return "\n\n".join(parts)


def _words(groups: Sequence[WordGroup], systems: Sequence[str]) -> str:
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_interval

    header = ["", "system", "references", "found", "outputs", "right", "recall", "precision", "F"]
    rows = []
    for group in groups:
        for number, own in enumerate(group.systems):
            counts = (own.references, own.found, own.outputs, own.right)
            mark = group.difference.mark if group.difference is not None and number else ""
            rows.append(
                [
                    *(visible(group.name) if not number else "", systems[number]),
                    *map(str, counts),
                    *(_four(own.recall), _four(own.precision), format_interval(own.f), mark),
                ]
            )
    marked = any(row[-1] for row in rows)
    return format_table([*header, *([""] * marked)], [row if marked else row[:-1] for row in rows])


def _lengths(parts: Sequence[CorpusPart], systems: Sequence[str]) -> str:
    from preorder_eval.formats.text_table import format_table
    from preorder_eval.results.text import format_interval

    return format_table(
        ["length", "sentences", *systems],
        [[part.name, str(part.sentences), *map(format_interval, part.scores)] for part in parts],
    )


def _ngrams(found: Sequence[NgramDifference], systems: Sequence[str]) -> str:
    from preorder_eval.formats.text_table import format_table

    return format_table(
        ["n-gram", "references", *systems, "share", "sentences"],
        [
            [
                *(visible(d.ngram), str(d.references), str(d.first), str(d.second)),
                *(f"{d.share:.3f}", " ".join(map(str, d.sentences[:_FEW]))),
            ]
            for d in found
        ],
    )


def _example(example: Example, systems: Sequence[str]) -> str:
    change = example.second_score - example.first_score
    rows = [("source", example.source)] if example.source else []
    rows += [("reference", reference) for reference in example.references]
    rows += zip(systems, (example.first, example.second), strict=True)
    wide = max(len(name) for name, _ in rows)
    return "\n".join(
        [
            f"{example.number}  {change:+.4f}  "
            f"({example.first_score:.4f} → {example.second_score:.4f})",
            *(f"  {name:{wide}}  {visible(words)}" for name, words in rows),
        ]
    )


def _four(value: float) -> str:
    return "-" if value != value else f"{value:.4f}"
