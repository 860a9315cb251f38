"""What the script of a report on outputs draws from: texts, scores, and tables of words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from preorder_eval.analysis.ngram_differences import NgramDifference
from preorder_eval.analysis.output_analysis import by_length
from preorder_eval.analysis.output_words import OutputWords
from preorder_eval.analysis.word_accuracy import GroupAccuracy
from preorder_eval.data.arrays import Longs
from preorder_eval.reporting.payload import Json, ends, four, packed
from preorder_eval.results.result import Result

_MOST_NGRAMS = 15  # for either of two systems


def output_data(result: Result, source: Sequence[str]) -> Json:
    """The data of a report on outputs, but for what it opens with, and for its words."""
    return {
        "kind": "outputs",
        "translations": [list(text.sentences) for text in result.inputs.references],
        "source": list(source) or None,
        "ids": [""] * len(result),
        "systems": [
            {
                "name": system.name,
                "intervals": list(map(ends, intervals)),
                "outputs": list(system.hyp or []),
                "scores": [list(map(four, by_metric.sentence.tolist())) for by_metric in scores],
            }
            for system, intervals, scores in zip(
                result.inputs.systems, result.intervals, result.scores, strict=True
            )
        ],
    }


def word_data(words: OutputWords) -> Json:
    """What outputs have right: by group of words, and n-grams of any two systems.

    `nearest` are the references that the words of every system are held against, None for one;
    `tokenize` and `tagged` say what words are, and what the words that have tags are.
    """
    result = words.result
    several = len(result.inputs.references) > 1
    return {
        "tokenize": words.tokenize,
        "tagged": words.tokenize if words.tagger else "none",
        "nearest": [packed(own.which.tolist()) for own in words.matches] if several else None,
        "groups": {
            by: [[group.name, list(map(_accuracy, group.systems))] for group in groups]
            for by, groups in words.groups().items()
        },
        "ngrams": {
            f"{a}-{b}": [
                list(map(_ngram, words.ngrams.differences(*pair, _MOST_NGRAMS)))
                for pair in ((a, b), (b, a))
            ]
            for a, b in combinations(range(len(result.systems)), 2)
        },
    }


def length_data(words: OutputWords) -> Json:
    """How long sentences are, by their first reference, and every metric's scores by that."""
    return {
        "lengths": packed(words.segments[0].references[0].lengths.tolist()),
        "parts": [
            {"length": [[p.name, p.sentences, list(map(ends, p.scores))] for p in parts]}
            for parts in by_length(words.result, words).values()
        ],
    }


def _accuracy(own: GroupAccuracy) -> list[Any]:
    """Counts and F with its interval; words.js names them, as those of an n-gram."""
    return [own.references, own.found, own.outputs, own.right, *ends(own.f)]


def _ngram(found: NgramDifference) -> list[Any]:
    numbers: Longs = np.diff(np.array([0, *found.sentences]))
    return [found.ngram, found.references, found.first, found.second, packed(numbers.tolist())]
