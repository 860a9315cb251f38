"""The model card that a trained parser comes with: all that is needed to train it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from pathlib import Path

from preorder_eval.analysis.attachment import Attachment
from preorder_eval.data.treebank import Treebank
from preorder_eval.formats.files import file_hash

_INTRODUCTION = """\
# {name}

A dependency parser for tokenised sentences of language `{lang}`, a pipeline of spaCy {spacy}:
{components}.
It gives every sentence one tree with one root and keeps the tokens as they are.

| | |
|---|---|
"""
_ACCURACY = """
Accuracy on {dev} ({words:,} words, punctuation included, gold tokens):

| | UAS | LAS | LAS with subtypes | UPOS | XPOS |
|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class UsedFile:
    """A file that a training has used, as its card tells it.

    `size` is the number of sentences and of words, None where a file has no such thing.
    """

    name: str
    sha256: str
    size: tuple[int, int] | None = None
    weight: int = 1

    @classmethod
    def of(cls, path: Path, treebank: Treebank | None = None, weight: int = 1) -> UsedFile:
        """The file at a path, and the treebank it was read as."""
        size = (len(treebank), len(treebank.words)) if treebank else None
        return cls(path.name, file_hash(path), size, weight)

    def __str__(self) -> str:
        sentences, words = self.size or (0, 0)
        size = f": {sentences:,} sentences, {words:,} words" if self.size else ""
        often = f", {self.weight} times in each epoch" if self.weight > 1 else ""
        return f"{self.name}{size}{often}; SHA-256 `{self.sha256}`"


def model_card(
    name: str, lang: str, spacy: str, components: str, facts: Mapping[str, object]
) -> str:
    """The card, but for the accuracy: what the pipeline is, and a table of facts about it."""
    rows = "".join(f"| {fact} | {value} |\n" for fact, value in facts.items() if value)
    return _INTRODUCTION.format(name=name, lang=lang, spacy=spacy, components=components) + rows


def accuracy_table(dev: str, words: int, scores: Mapping[str, Attachment]) -> str:
    """The part of the card on accuracy: a row of scores in percent for each way of parsing.

    A score that is NaN has no meaning, such as that of a tag that the pipeline does not give.
    """
    rows = "".join(f"| {way} | {_cells(score)} |\n" for way, score in scores.items())
    return _ACCURACY.format(dev=dev, words=words) + rows


def _cells(scores: Attachment) -> str:
    values = (scores.uas, scores.las, scores.las_full, scores.upos, scores.xpos)
    return " | ".join("–" if isnan(value) else f"{100 * value:.1f}" for value in values)
