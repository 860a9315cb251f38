"""What a parser is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from preorder_eval.errors import PreorderEvalError
from preorder_eval.treebank import Treebank


@dataclass(frozen=True)
class ParserIdentity:
    """What identifies a parser in results: its name, its version and a SHA-256 of the model."""

    name: str
    version: str
    sha256: str


class Parser(Protocol):
    """Turns tokenised sentences into one tree each, keeping the tokens as they are."""

    @property
    def identity(self) -> ParserIdentity:
        """Name, version and hash."""
        ...

    def parse(
        self, sentences: Sequence[Sequence[str]], advance: Callable[[int], None] | None = None
    ) -> Treebank:
        """One tree a sentence; `advance` is told how many more sentences are done.

        Raises PreorderEvalError where a sentence has no tokens or cannot be given a tree.
        """
        ...


def refuse_empty(sentences: Sequence[Sequence[str]]) -> None:
    """Raise PreorderEvalError for a sentence without tokens."""
    for number, words in enumerate(sentences, 1):
        if not words:
            raise PreorderEvalError(f"sentence {number} has no tokens")
