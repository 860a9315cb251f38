"""A CoNLL-U file as a parser: the trees that some other parser has made."""

from __future__ import annotations

from pathlib import Path
from typing import overload

from preorder_eval.data.nbest import NBest
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import FormatError
from preorder_eval.formats.nbest import read_nbest
from preorder_eval.formats.text import file_hash
from preorder_eval.parsers.base import Advance, ParserIdentity, Sentences, refuse_bad_n


class ConlluParser:
    """Gives out the trees of a CoNLL-U file, for just the sentences that it holds."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.lists = read_nbest(path)
        self.best = self.lists.top(1).trees
        self.identity = ParserIdentity(self.path.stem, "", file_hash(path))

    @overload
    def parse(
        self, sentences: Sentences, n: None = None, advance: Advance | None = None
    ) -> Treebank: ...

    @overload
    def parse(self, sentences: Sentences, n: int, advance: Advance | None = None) -> NBest: ...

    def parse(
        self, sentences: Sentences, n: int | None = None, advance: Advance | None = None
    ) -> Treebank | NBest:
        """The trees of the file, of an n-best file the first of each list.

        With `n`, up to n of each list; the lists of a file that is none have one tree each.

        Raises FormatError where the file's sentences are not the given ones, token by token.
        """
        refuse_bad_n(n)
        trees = self.best.sentences
        if len(trees) != len(sentences):
            raise FormatError(f"{len(trees)} trees for {len(sentences)} sentences", file=self.path)
        for number, (words, tokens) in enumerate(zip(sentences, trees, strict=True), 1):
            if list(words) != tokens:
                at = next(
                    (i for i, (a, b) in enumerate(zip(words, tokens, strict=False)) if a != b),
                    min(len(words), len(tokens)),
                )
                here, there = (repr(x[at]) if at < len(x) else "nothing" for x in (tokens, words))
                raise FormatError(
                    f"sentence {number}, token {at + 1}: trees have {here}, source has {there}",
                    file=self.path,
                    mend="trees and source must have the same tokens",
                )
        if advance:
            advance(len(sentences))
        return self.best if n is None else self.lists.top(n)
