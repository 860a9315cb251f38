"""Parsing and reordering: sentences of a file, some at a time, or sentences in memory."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from preorder_eval.base.errors import PreorderEvalError, argument, warn
from preorder_eval.base.files.files import count_lines, iterate_lines
from preorder_eval.base.files.outputs import refuse_inputs
from preorder_eval.base.files.writing import write_parts
from preorder_eval.base.resources import DEFAULT_PARSER
from preorder_eval.base.text.text_files import join_tokens, refuse_markup, split_tokens, warn_if_raw
from preorder_eval.base.visible import quantity
from preorder_eval.evaluation.parsed import in_scheme_of, trees_for
from preorder_eval.evaluation.system_warnings import warn_of_text
from preorder_eval.evaluation.systems import Progress, Rules, no_progress
from preorder_eval.orders.order_files import format_order
from preorder_eval.parsers.lines import by_lines
from preorder_eval.parsers.loading import find_parser
from preorder_eval.parsers.parser import Advance, Parser, tokenizer_of
from preorder_eval.parsers.tree_file import TreeFile, iterate_lists
from preorder_eval.rules.reordered_conllu import (
    multiword_tokens,
    reordered_trees,
    sentences_with_offsets,
)
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.conllu import conllu_parts, format_conllu, is_conllu
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.nbest_files import format_nbest
from preorder_eval.trees.treebank import Tree, Treebank

AT_ONCE = 4096  # sentences parsed and written at a time

OutputForm = Literal["text", "order", "conllu"]


class _Piece(NamedTuple):
    """Some sentences of a file, with their texts; the number of the first line, from 1."""

    first: int
    sentences: list[list[str]]
    texts: list[str]

    @property
    def comments(self) -> list[tuple[str, ...]]:
        """What CoNLL-U says of each sentence."""
        return [
            (f"# sent_id = {number}", f"# text = {text}")
            for number, text in enumerate(self.texts, self.first)
        ]


def parse(
    sentences: Sequence[str | Sequence[str]],
    parser: str | Path | Parser = DEFAULT_PARSER,
    n: int | None = None,
    *,
    raw: bool = False,
    jobs: int = 1,
) -> Treebank | NBest:
    """Parse sentences into trees, or into n-best lists if `n` is given.

    A sentence is a list of words, or a text with spaces between its words; a text alone is one
    sentence. Text that is `raw` is tokenised by the parser's tokenizer. All else is as in
    `parse_file`.

    >>> parse(["He reads books"])[0].heads
    [1, -1, 1]
    >>> type(parse(["He reads books"], n=2)).__name__
    'NBest'
    """
    loaded, words = _given(sentences, parser, raw, jobs)
    return loaded.parse(words) if n is None else loaded.parse(words, n)


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

    >>> reorder(["He reads books"], "en-ja")
    [['He', 'books', 'reads']]
    """
    rule_set = load_rules(rules)
    if isinstance(sentences, Sequence) and not isinstance(sentences, Treebank):
        trees = [given for given in sentences if isinstance(given, Tree)]
        sentences = Treebank.of(trees) if trees and len(trees) == len(sentences) else sentences
    if isinstance(sentences, Treebank):
        sentences = in_scheme_of(sentences, [rule_set])
    else:
        sentences = trees_for(*_given(sentences, parser, raw, jobs), rule_set)
    orders = zip(sentences.sentences, rule_set.reorder(sentences), strict=True)
    return [[words[i] for i in order] for words, order in orders]


def _given(
    sentences: Sequence[Any], parser: str | Path | Parser, raw: bool, jobs: int
) -> tuple[Parser, list[list[str]]]:
    """Return a parser and the words of sentences; raises FormatError for one without any."""
    loaded = find_parser(parser, jobs=jobs)
    if isinstance(sentences, str):
        sentences = [sentences]
    split = tokenizer_of(loaded) if raw else str.split
    words = [split(given) if isinstance(given, str) else list(given) for given in sentences]
    for number, each in enumerate(words, 1):
        if not each:
            split_tokens("", "sentences", number)  # the error of a blank line
    return by_lines(loaded) if raw else loaded, words


def parse_file(
    source: str | Path,
    out: Path | IO[str],
    parser: str | Path | Parser = DEFAULT_PARSER,
    n: int | None = None,
    *,
    raw: bool = False,
    cache: bool = True,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> None:
    """Parse tokenised sentences, one a line, and write their trees as CoNLL-U.

    Parameters: `source` a file, `-` for standard input; `parser` by name or path; with `n`
    n-best lists of up to n different trees are written, best first. `out` is a file, which
    appears whole or not at all, or open already. `raw` lines are tokenised by the parser's
    tokenizer, and each of their sentences is parsed by itself (`parsers.lines`). Without `cache`
    everything is parsed anew; `jobs` is how many processes parse.

    Raises FormatError for a file that cannot be read or written, with the line of what is wrong.

    >>> import sys, tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".en") as file:
    ...     _ = file.write("Stop")
    ...     file.flush()
    ...     parse_file(file.name, sys.stdout)  # doctest: +NORMALIZE_WHITESPACE
    # sent_id = 1
    # text = Stop
    1  Stop  _  VERB  VB  _  0  root  _  _
    <BLANKLINE>
    """
    _refuse_inputs(out, source, parser)
    loaded = find_parser(parser, cache, jobs)
    with progress(f"parsing with {loaded.identity.name}", count_lines(source)) as advance:
        parts = _parts(source, tokenizer_of(loaded) if raw else None)
        _write(out, _parsed(by_lines(loaded) if raw else loaded, parts, n, advance))


def _parts(source: str | Path, tokenize: Callable[[str], list[str]] | None) -> Iterator[_Piece]:
    """Yield some sentences at a time, with their texts."""
    name = "standard input" if str(source) == "-" else source
    lines = enumerate(iterate_lines(source), 1)
    while part := list(itertools.islice(lines, AT_ONCE)):
        sentences = []
        if part[0][0] == 1:
            refuse_markup(part[0][1], name)
        for number, line in part:
            words = split_tokens(line, name, number) if tokenize is None else tokenize(line)
            if not words:
                split_tokens("", name, number)  # the error of a blank line
            sentences.append(words)
        texts = [line for _, line in part]
        if tokenize is None:
            warn_if_raw(sentences, name, f", or let the parser do that ({argument('raw=True')})")
            texts = list(map(" ".join, sentences))
        yield _Piece(part[0][0], sentences, texts)


def _parsed(
    parser: Parser, parts: Iterable[_Piece], n: int | None, advance: Advance | None
) -> Iterator[str]:
    """Yield the CoNLL-U of some sentences at a time, numbered through."""
    language = getattr(parser, "language", "")
    for part in parts:
        sentences, comments = part.sentences, part.comments
        warn_of_text(language, parser.identity.name, sentences)
        if n is None:
            trees = parser.parse(sentences, advance=advance)
            yield format_conllu(replace(trees, comments=comments))
        else:
            nbest = parser.parse(sentences, n, advance)
            repeated = [comments[s] for s in nbest.sentence_of.tolist()]
            yield format_nbest(replace(nbest, trees=replace(nbest.trees, comments=repeated)))


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
    _refuse_inputs(out, source, parser, rules, trees)
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
        read = list(_parts(source, tokenizer_of(loaded) if raw else None))
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
        _write(out, _reordered(parts, rule_set, output, advance))


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
                format_order(order) if output == "order" else _text([words[i] for i in order])
                for words, order in zip(trees.sentences, orders, strict=True)
            )
            yield "".join(line + "\n" for line in lines)
        if advance:
            advance(len(trees))
    if offsets:
        warn(
            f"offsets of characters in MISC (TokenRange, start_char) are left out of "
            f"{quantity(offsets, 'sentence')} whose words move"
        )
    if together < multiword:
        broken = f"{multiword - together} of {multiword} multiword tokens are broken up"
        warn(f"{broken}, because their words come apart; SourceToken in MISC names them")


def _text(words: Sequence[str]) -> str:
    """Return a line of text. Raises PreorderEvalError for a word that would be several in it."""
    try:
        return join_tokens(words)
    except PreorderEvalError as error:
        way = argument('output="order"', "--output order")
        raise PreorderEvalError(f"{error}, which has a space between words; take {way}") from error


def _refuse_inputs(out: Path | IO[str], *given: object) -> None:
    if isinstance(out, Path):
        refuse_inputs(out, given)


def _write(out: Path | IO[str], parts: Iterable[str]) -> None:
    if isinstance(out, Path):
        write_parts(out, parts)
    else:
        out.writelines(parts)
