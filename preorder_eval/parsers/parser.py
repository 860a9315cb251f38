"""The interface of parsers: how they are called, and what identifies them in results."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, overload

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.progress import Advance
from preorder_eval.base.text.tokenization import TokenLists
from preorder_eval.trees.clearnlp import lists_to_ud

if TYPE_CHECKING:
    from preorder_eval.trees.nbest import NBest
    from preorder_eval.trees.treebank import Treebank


TRUSTING: ContextVar[bool] = ContextVar("TRUSTING", default=False)  # what --trust sets
_LONGEST_SENTENCE = 10_000  # tokens
_LONGEST_LIST = 10_000  # trees: the width of the beam that makes them

# Options that can stand in a parser's name, with their values.
_OPTIONS: dict[str, tuple[str, ...] | range] = {
    "truecase": ("auto", "always", "never"),
    "labels": ("own", "ud", "clearnlp"),
    "consensus": range(1, _LONGEST_LIST + 1),
}
_WITH_OPTIONS = re.compile(r"(.+)\((\w+=[^()]*)\)")


def split_options(name: str) -> tuple[str, dict[str, str]]:
    """Split a parser's name from the options behind it.

    Raises PreorderEvalError for an unknown option, and for a value that an option does not have.

    >>> split_options("en_core_web_sm(truecase=never,labels=own)")
    ('en_core_web_sm', {'truecase': 'never', 'labels': 'own'})
    """
    named = _WITH_OPTIONS.fullmatch(name)
    if named is None:
        return name, {}
    options = {}
    for option in named[2].split(","):
        key, _, value = option.strip().partition("=")
        if key not in _OPTIONS:
            raise PreorderEvalError(f"{name}: {key} is not one of {', '.join(_OPTIONS)}")
        legal = _OPTIONS[key]
        if value not in map(str, legal):
            wanted = f"not one of {', '.join(map(str, legal))}"
            if isinstance(legal, range):
                wanted = f"not from {legal[0]} to {legal[-1]}"
            raise PreorderEvalError(f"{name}: {option.strip()} is {wanted}")
        options[key] = value
    return named[1], options


def with_options(name: str, options: Mapping[str, str]) -> str:
    """Return a parser's name with its options behind it."""
    return f"{name}({','.join(map('='.join, options.items()))})" if options else name


@dataclass(frozen=True)
class ParserIdentity:
    """The identity of a parser in results: name, version and a SHA-256 of the model.

    `truecase` specifies which sentences it reads truecased (`parsers.truecase`); it is empty for a
    parser that has not learned the case of words. `consensus` is the number of trees from which the
    rules choose one (`ConsensusParser`), 0 if they take the parser's tree. `converted` is the
    annotation scheme from which its trees are converted to UD (`trees.clearnlp`), empty if they are
    not.
    """

    name: str
    version: str
    sha256: str
    truecase: str = ""
    consensus: int = 0
    converted: str = ""


class Parser(Protocol):
    """Turns tokenised sentences into one tree each, without changing the tokens.

    A parser may also have: `tokenize` for raw text (`tokenizer_of`); `language`, a code used to
    detect text in another language; `tuned_on`, the names of the reference sets, with their splits,
    on which it was trained or selected; and `learned_from`, which counts how many of the given
    sentences were in its training data.
    """

    @property
    def identity(self) -> ParserIdentity:
        """Name, version and hash."""
        ...

    @overload
    def parse(
        self, sentences: TokenLists, n: None = None, advance: Advance | None = None
    ) -> Treebank: ...

    @overload
    def parse(self, sentences: TokenLists, n: int, advance: Advance | None = None) -> NBest: ...

    def parse(
        self, sentences: TokenLists, n: int | None = None, advance: Advance | None = None
    ) -> Treebank | NBest:
        """Parse each sentence into one tree, or with `n` into a list of up to n trees, best first.

        The trees of a list are all different. The one tree is always in the list, but not always
        its first, because the search for lists is wider. `advance` is called with the number of
        further sentences done. Raises PreorderEvalError for a sentence without tokens, for one that
        cannot get a tree, and for n < 1.
        """
        ...


class ListParser:
    """A parser whose `_lists` makes both single trees and n-best lists.

    `_lists` returns trees with the parser's own labels; `parse` converts them if the parser's
    identity specifies it.
    """

    identity: ParserIdentity

    def _lists(self, sentences: TokenLists, n: int | None, advance: Advance | None) -> NBest:
        """Parse into lists of up to n trees; without `n` into lists of one, the one tree."""
        raise NotImplementedError

    def parse(
        self, sentences: TokenLists, n: int | None = None, advance: Advance | None = None
    ) -> Any:
        """Parse each sentence into one tree, or up to `n` trees (`Parser.parse`)."""
        if n is not None and not 1 <= n <= _LONGEST_LIST:
            raise PreorderEvalError(f"a list of {n} trees: n must be from 1 to {_LONGEST_LIST}")
        lists = self._lists(sentences, n, advance)
        if self.identity.converted:
            lists = lists_to_ud(lists)
        return lists.trees if n is None else lists


class OuterParser:
    """A wrapper of an inner parser, which does the parsing and provides all other attributes."""

    def __init__(self, parser: Parser) -> None:
        self.wrapped: Any = parser

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the inner parser: its identity, its language, its tokenizer, …"""
        if name == "wrapped" or name.startswith("__"):  # asked for while a copy is being made
            raise AttributeError(name)
        return getattr(self.wrapped, name)


class ConsensusParser(OuterParser):
    """A parser of n-best lists, from which the rules choose a tree (`rules.consensus_orders`).

    Because the choice depends on the rules, the parser itself gives only lists.
    """

    def __init__(self, parser: Parser, n: int, name: str) -> None:
        super().__init__(parser)
        self.identity = replace(parser.identity, name=name, consensus=n)

    def parse(
        self, sentences: TokenLists, n: int | None = None, advance: Advance | None = None
    ) -> Any:
        """Parse each sentence into up to `n` trees; PreorderEvalError without `n`."""
        if n is None:
            raise consensus_refused(self.identity.name)
        return self.wrapped.parse(sentences, n, advance)


def consensus_refused(parser: str) -> PreorderEvalError:
    """Return the error for a parser by consensus where trees are needed before there are rules."""
    return PreorderEvalError(
        f"{parser}: trees are needed before rules can choose them by consensus; omit consensus=…"
    )


def tokenizer_of_parser(parser: Parser) -> Callable[[str], list[str]]:
    """Return the function that splits raw text into words as a parser expects them.

    Raises PreorderEvalError for a parser without `tokenize`, which takes only tokenised sentences.
    """
    tokenize: Callable[[str], list[str]] | None = getattr(parser, "tokenize", None)
    if tokenize is None:
        raise PreorderEvalError(
            f"parser {parser.identity.name} has no tokenizer for raw text; tokenise the text"
        )
    return tokenize


def refuse_bad_length(sentences: TokenLists) -> None:
    """Raise PreorderEvalError for a sentence without tokens or with more than 10,000."""
    for number, words in enumerate(sentences, 1):
        if isinstance(words, str):  # whose letters would be words
            raise PreorderEvalError(f"sentence {number} is a string: split it into words")
        if not words:
            raise PreorderEvalError(f"sentence {number} has no tokens")
        if len(words) > _LONGEST_SENTENCE:
            raise PreorderEvalError(
                f"sentence {number} has {len(words):,} tokens; parsers take at most "
                f"{_LONGEST_SENTENCE:,}: give one sentence per line"
            )
