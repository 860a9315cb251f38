"""A function as a parser: it takes the words of a sentence and returns their tree."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.errors import PreorderEvalError
from preorder_eval.parsers.parser import Advance, ParserIdentity, Sentences


class FunctionParser:
    """A parser whose trees a function makes: of the words of a sentence a `Tree` of these words.

    It gives no lists. It is identified by the function's name and a hash of its code.

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
        self, sentences: Sentences, n: int | None = None, advance: Advance | None = None
    ) -> Any:
        """Parse each sentence into its tree.

        Raises PreorderEvalError with `n`, and if the function returns anything else or fails; the
        function's own error is then the cause.
        """
        called = f"the function {self.identity.name}"
        if n is not None:
            raise PreorderEvalError(f"{called} gives no lists of trees")
        trees = []
        for number, words in enumerate(sentences, 1):
            try:
                tree = self._function(list(words))
            except PreorderEvalError:
                raise
            except Exception as error:
                raise PreorderEvalError(
                    f"{called} failed on sentence {number}: {type(error).__name__}: {error}"
                ) from error
            if not isinstance(tree, Tree) or list(tree.words) != list(words):
                raise PreorderEvalError(
                    f"{called} gave no tree of the words of sentence {number}; return a "
                    "Tree(words, heads, labels, upos, xpos), heads from 0, -1 at the root"
                )
            trees.append(tree)
            if advance:
                advance(1)
        return Treebank.of(trees)
