"""The interface of parsers: what one gives, and what identifies it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, overload

from preorder_eval.errors import PreorderEvalError
from preorder_eval.reordering.clearnlp import lists_to_ud

if TYPE_CHECKING:
    from preorder_eval.data.nbest import NBest
    from preorder_eval.data.treebank import Treebank

Sentences = Sequence[Sequence[str]]
Advance = Callable[[int], None]
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
    """Split a parser's name from its options; raises PreorderEvalError for those that it has not.

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
            raise PreorderEvalError(f"{name}: {key} is none of {', '.join(_OPTIONS)}")
        legal = _OPTIONS[key]
        if value not in map(str, legal):
            wanted = f"none of {', '.join(map(str, legal))}"
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

    `truecase` names the sentences that it reads truecased (`parsers.truecase`); it is empty for a
    parser that has learned nothing about case. `consensus` is the number of trees of a sentence
    that rules choose from (`ConsensusParser`), 0 where they take the parser's one. `converted` is
    the annotation scheme that its trees were in before they were made those of UD
    (`reordering.clearnlp`), empty for trees as they are.
    """

    name: str
    version: str
    sha256: str
    truecase: str = ""
    consensus: int = 0
    converted: str = ""


class Parser(Protocol):
    """Turns tokenised sentences into one tree each, keeping the tokens as they are.

    It may also have a `tokenize` for raw text (`tokenizer_of`) and a `language`, a code by which
    text in another language is detected. `tuned_on` names the reference sets, with their splits,
    whose sentences it has learned from or was chosen by. `learned_from` counts the given sentences
    that it has learned from.
    """

    @property
    def identity(self) -> ParserIdentity:
        """Name, version and hash."""
        ...

    @overload
    def parse(
        self, sentences: Sentences, n: None = None, advance: Advance | None = None
    ) -> Treebank: ...

    @overload
    def parse(self, sentences: Sentences, n: int, advance: Advance | None = None) -> NBest: ...

    def parse(
        self, sentences: Sentences, n: int | None = None, advance: Advance | None = None
    ) -> Treebank | NBest:
        """Parse each sentence into one tree, or with `n` into a list of up to n, best first.

        The trees of a list differ. The one tree is always among them, not always at the head: the
        list's search is wider. `advance` is called with the number of further sentences done.

        Raises PreorderEvalError for a sentence without tokens or that cannot be given a tree, and
        for n < 1.
        """
        ...


class ListParser:
    """A parser that finds one tree and lists of trees in one way: its `_lists`.

    They have the labels of the parser itself; `parse` converts them if its identity states so.
    """

    identity: ParserIdentity

    def _lists(self, sentences: Sentences, n: int | None, advance: Advance | None) -> NBest:
        """Parse into lists of up to n trees; without `n` into lists of one, the one tree."""
        raise NotImplementedError

    def parse(
        self, sentences: Sentences, n: int | None = None, advance: Advance | None = None
    ) -> Any:
        """Parse each sentence into one tree, or up to `n` trees (`Parser.parse`)."""
        if n is not None and not 1 <= n <= _LONGEST_LIST:
            raise PreorderEvalError(f"a list of {n} trees: n must be from 1 to {_LONGEST_LIST}")
        lists = self._lists(sentences, n, advance)
        if self.identity.converted:
            lists = lists_to_ud(lists)
        return lists.trees if n is None else lists


class ConsensusParser:
    """A parser of whose n-best list rules choose the tree (`reordering.consensus`).

    Which tree that is depends on the rules, so that it gives lists alone.
    """

    def __init__(self, parser: Parser, n: int, name: str) -> None:
        self.identity = replace(parser.identity, name=name, consensus=n)
        self.language = getattr(parser, "language", "")
        self.tuned_on = getattr(parser, "tuned_on", ())
        self.learned_from = getattr(parser, "learned_from", None)
        self._parser = parser

    def tokenize(self, text: str) -> list[str]:
        """Cut raw text into words by the parser's tokenizer."""
        return tokenizer_of(self._parser)(text)

    def parse(
        self, sentences: Sentences, n: int | None = None, advance: Advance | None = None
    ) -> Any:
        """Parse each sentence into up to `n` trees; PreorderEvalError without `n`."""
        if n is None:
            raise consensus_refused(self.identity.name)
        return self._parser.parse(sentences, n, advance)


def consensus_refused(parser: str) -> PreorderEvalError:
    """Return the error of a parser by consensus where trees are wanted, and no orders."""
    return PreorderEvalError(
        f"{parser}: rules choose the trees by consensus, but here trees are needed before them; "
        "leave consensus=… out"
    )


def tokenizer_of(parser: Parser) -> Callable[[str], list[str]]:
    """Return what cuts raw text into the words that a parser knows.

    Raises PreorderEvalError for a parser that takes tokenised sentences only: it has no `tokenize`.
    """
    tokenize: Callable[[str], list[str]] | None = getattr(parser, "tokenize", None)
    if tokenize is None:
        raise PreorderEvalError(
            f"parser {parser.identity.name} has no tokenizer for raw text; tokenise the text"
        )
    return tokenize


def refuse_bad_length(sentences: Sentences) -> None:
    """Raise PreorderEvalError for a sentence without tokens, or with more than any sentence has."""
    for number, words in enumerate(sentences, 1):
        if not words:
            raise PreorderEvalError(f"sentence {number} has no tokens")
        if len(words) > _LONGEST_SENTENCE:
            raise PreorderEvalError(
                f"sentence {number} has {len(words):,} tokens; parsers take up to "
                f"{_LONGEST_SENTENCE:,}: give one sentence a line"
            )
