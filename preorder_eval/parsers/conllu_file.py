"""A CoNLL-U file as a parser: the trees that some other parser has made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from preorder_eval.errors import FormatError
from preorder_eval.formats.conllu import read_conllu
from preorder_eval.formats.text import file_hash
from preorder_eval.parsers.base import ParserIdentity
from preorder_eval.treebank import Treebank


class ConlluParser:
    """Gives out the trees of a CoNLL-U file, for just the sentences that it holds."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.treebank = read_conllu(path)
        self.identity = ParserIdentity(self.path.stem, "", file_hash(path))

    def parse(
        self, sentences: Sequence[Sequence[str]], advance: Callable[[int], None] | None = None
    ) -> Treebank:
        """The trees of the file.

        Raises FormatError where the file's sentences are not the given ones, token by token.
        """
        trees = self.treebank.sentences
        if len(trees) != len(sentences):
            raise FormatError(f"{len(trees)} trees for {len(sentences)} sentences", file=self.path)
        for number, (words, own) in enumerate(zip(sentences, trees, strict=True), 1):
            if list(words) != own:
                at = next(
                    (i for i, (a, b) in enumerate(zip(words, own, strict=False)) if a != b),
                    min(len(words), len(own)),
                )
                here, there = (repr(x[at]) if at < len(x) else "nothing" for x in (own, words))
                raise FormatError(
                    f"sentence {number}, token {at + 1}: trees have {here}, source has {there}",
                    file=self.path,
                    mend="trees and source must have the same tokens",
                )
        if advance:
            advance(len(sentences))
        return self.treebank
