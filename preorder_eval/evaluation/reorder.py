"""Reordering: sentences or trees of a file, some at a time, or in memory, in target word order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Literal

from preorder_eval.base.errors import PreorderEvalError, argument, warn
from preorder_eval.base.progress import Advance, Progress, no_progress
from preorder_eval.base.ragged import Sentences
from preorder_eval.base.resources import DEFAULT_PARSER
from preorder_eval.base.text.text_files import join_tokens
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.parse import given_words, read_pieces, refuse_given, write_pieces
from preorder_eval.evaluation.parsed import in_scheme_of, trees_for
from preorder_eval.evaluation.system_warnings import warn_of_text
from preorder_eval.evaluation.systems import Rules
from preorder_eval.orders.order_files import format_order
from preorder_eval.orders.orders import Orders
from preorder_eval.parsers.lines import by_lines
from preorder_eval.parsers.load_parser import find_parser
from preorder_eval.parsers.parser import Parser, tokenizer_of_parser
from preorder_eval.parsers.tree_file import TreeFile, iterate_lists
from preorder_eval.rules.reordered_conllu import (
    multiword_tokens,
    reordered_trees,
    sentences_with_offsets,
)
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.conllu import conllu_parts, is_conllu
from preorder_eval.trees.treebank import Tree, Treebank

OutputForm = Literal["text", "order", "conllu"]


def reorder(
    sentences: Treebank | Sequence[Tree | str | Sequence[str]],
    rules: Rules,
    parser: str | Path | Parser = DEFAULT_PARSER,
    *,
    raw: bool = False,
    jobs: int = 1,
) -> list[list[str]]:
    """Return the words of each sentence, or of each tree, in target word order.

    Parameters as in `parse`. Trees with the labels of ClearNLP become trees of UD, as in a file,
    for rules of UD. Raises PreorderEvalError if the labels do not decide and it matters.

    >>> import preorder_eval as pe
    >>> pe.reorder(["He reads books"], "en-ja")
    [['He', 'books', 'reads']]
    """
    rule_set = load_rules(rules)
    if isinstance(sentences, Sequence) and not isinstance(sentences, Treebank):
        trees = [given for given in sentences if isinstance(given, Tree)]
        sentences = Treebank.of(trees) if trees and len(trees) == len(sentences) else sentences
    if isinstance(sentences, Treebank):
        sentences = in_scheme_of(sentences, [rule_set])
    else:
        sentences = trees_for(*given_words(sentences, parser, raw, jobs), rule_set)
    return list(_reordered_words(sentences, rule_set.reorder(sentences)))


def reorder_file(
    source: str | Path,
    out: Path | IO[str],
    rules: Rules,
    parser: str | Path | Parser = DEFAULT_PARSER,
    *,
    trees: Path | None = None,
    output: OutputForm = "text",
    raw: bool = False,
    cache: bool = True,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> None:
    """Write sentences in target word order.

    Parameters: `output` is `text`; `order`, which writes the source positions in output order; or
    `conllu`, which writes the trees in that order. With `trees`, a file, its sentences are
    reordered and nothing is parsed. All else is as in `parse_file`. Raises PreorderEvalError for
    trees that the rules cannot read, too.

    >>> import sys, tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".en") as file:
    ...     _ = file.write("Go home")
    ...     file.flush()
    ...     reorder_file(file.name, sys.stdout, "reverse")
    home Go
    """
    refuse_given(out, source, parser, rules, trees)
    rule_set = load_rules(rules)
    parts: Iterable[Treebank]
    total: int | None
    if trees is not None:
        parts = (
            (lists.trees for lists in iterate_lists(trees, None if output == "conllu" else 1))
            if is_conllu(trees)
            else [TreeFile(trees).best]
        )
        total = None
    else:
        loaded = find_parser(parser, cache, jobs)
        # All is read before anything is written: no output for text that is not whole.
        read = list(read_pieces(source, tokenizer_of_parser(loaded) if raw else None))
        total = sum(len(part.sentences) for part in read)
        loaded = by_lines(loaded) if raw else loaded
        language = getattr(loaded, "language", "")
        for part in read:
            warn_of_text(language, loaded.identity.name, part.sentences)
        parts = (
            replace(trees_for(loaded, part.sentences, rule_set), comments=part.comments)
            for part in read
        )
    with progress("reordering", total) as advance:
        write_pieces(out, _reordered(parts, rule_set, output, advance))


def _reordered(
    parts: Iterable[Treebank], rules: RuleSet, output: OutputForm, advance: Advance | None
) -> Iterator[str]:
    """Yield the lines of some sentences at a time."""
    multiword = together = offsets = 0
    for trees in parts:
        orders = rules.reorder(trees)
        if output == "conllu":
            written = reordered_trees(trees, orders)
            offsets += sentences_with_offsets(trees, orders)
            multiword += multiword_tokens(trees)
            together += multiword_tokens(written)
            yield from conllu_parts(written)
        else:
            lines = (
                map(format_order, orders)
                if output == "order"
                else map(_text, _reordered_words(trees, orders))
            )
            yield "".join(line + "\n" for line in lines)
        if advance:
            advance(len(trees))
    if offsets:
        warn(
            "character offsets in MISC (TokenRange, start_char) are removed from "
            f"{quantity(offsets, 'sentence')} whose words move"
        )
    if together < multiword:
        broken = f"{multiword - together} of {multiword} multiword tokens are split"
        warn(f"{broken}, because the order separates their words; SourceToken in MISC names them")


def _reordered_words(trees: Treebank, orders: Orders) -> Sentences:
    return Sentences(trees.offsets, trees.words.take(orders.tokens))


def _text(words: Sequence[str]) -> str:
    """Return a line of text. Raises PreorderEvalError for a word that would be several in it."""
    try:
        return join_tokens(words)
    except PreorderEvalError as error:
        way = argument('output="order"', "--output order")
        raise PreorderEvalError(f"{error}, which has a space between words; use {way}") from error
