"""Parsers from users and other packages: a function, or an object with `parse`.

If their code raises an error, or its result is not a tree of the given words, a one-line error
names the parser. An error of their code is kept as its cause.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.progress import Advance
from preorder_eval.base.text.tokenization import TokenLists
from preorder_eval.base.visible import quantity
from preorder_eval.parsers.parser import OuterParser, ParserIdentity
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.treebank import Tree, Treebank


class FunctionParser:
    """A parser made from a function, which returns a `Tree` for the words of a sentence.

    It gives no n-best lists. It is identified by the function's name and a hash of its code.

    >>> def chain(words):
    ...     heads = [n + 1 for n in range(len(words) - 1)] + [-1]
    ...     labels = ["dep"] * (len(words) - 1) + ["root"]
    ...     return Tree(words, heads, labels, ["X"] * len(words), ["X"] * len(words))
    >>> FunctionParser(chain).parse([["Go", "home"]])[0].heads
    [1, -1]
    """

    def __init__(self, function: Callable[[Sequence[str]], Any]) -> None:
        name = getattr(function, "__name__", type(function).__name__)
        code = getattr(getattr(function, "__code__", None), "co_code", name.encode())
        self.identity = ParserIdentity(name, "", hashlib.sha256(code).hexdigest())
        self._function = function

    def parse(
        self, sentences: TokenLists, n: int | None = None, advance: Advance | None = None
    ) -> Any:
        """Parse each sentence into its tree; PreorderEvalError with `n`."""
        called = f"the function {self.identity.name}"
        if n is not None:
            raise PreorderEvalError(f"{called} does not return lists of trees")
        trees = []
        for number, words in enumerate(sentences, 1):
            with _blamed(called, f" on sentence {number}"):
                tree = self._function(list(words))
            if not isinstance(tree, Tree) or list(tree.words) != list(words):
                raise PreorderEvalError(
                    f"{called} returned no tree for the words of sentence {number}; return a "
                    "Tree(words, heads, labels, upos, xpos) of preorder_eval.trees.treebank, with "
                    "heads from 0 and -1 for the root"
                )
            trees.append(tree)
            if advance:
                advance(1)
        return Treebank.of(trees)


class GivenParser(OuterParser):
    """A parser object that a user or another package has made."""

    def parse(
        self, sentences: TokenLists, n: int | None = None, advance: Advance | None = None
    ) -> Any:
        """Parse each sentence into one tree, or up to `n` trees (`Parser.parse`)."""
        called = f"the parser {self.identity.name}"
        given = {"n": n, "advance": advance}
        asked: dict[str, Any] = {name: of for name, of in given.items() if of is not None}
        with _blamed(called):
            made = self.wrapped.parse(sentences, **asked)
        kind = Treebank if n is None else NBest
        if not isinstance(made, kind) or len(made) != len(sentences):
            what = f"{kind.__name__} of the {quantity(len(sentences), 'sentence')}"
            raise PreorderEvalError(f"{called} returned no {what}")
        trees, sizes = (made, 1) if isinstance(made, Treebank) else (made.trees, made.sizes)
        for words, s in zip(trees.sentences, np.repeat(range(len(made)), sizes), strict=True):
            if list(words) != list(sentences[s]):
                raise PreorderEvalError(
                    f"{called} returned a tree with other words for sentence {s + 1}"
                )
        return made


@contextmanager
def _blamed(called: str, where: str = "") -> Iterator[None]:
    """Turn an error raised by a user's code into an error that names this code."""
    try:
        yield
    except PreorderEvalError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise PreorderEvalError(f"{called} failed{where}: {reason}") from error
