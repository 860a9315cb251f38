"""Parsing: sentences of a file, some at a time, or sentences in memory."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, NamedTuple

from preorder_eval.base.errors import argument
from preorder_eval.base.files.destinations import check_output, require_file
from preorder_eval.base.files.files import count_lines, iterate_lines
from preorder_eval.base.files.writing import write_parts
from preorder_eval.base.progress import Advance, Progress, no_progress
from preorder_eval.base.resources import DEFAULT_PARSER
from preorder_eval.base.text.text_files import refuse_markup, split_tokens, warn_if_raw
from preorder_eval.evaluation.system_warnings import warn_of_text
from preorder_eval.parsers.lines import by_lines
from preorder_eval.parsers.load_parser import find_parser
from preorder_eval.parsers.parser import Parser, tokenizer_of_parser
from preorder_eval.trees.conllu import format_conllu
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.nbest_files import format_nbest
from preorder_eval.trees.treebank import Treebank

AT_ONCE = 4096  # sentences parsed and written at a time


class TextPiece(NamedTuple):
    """Some sentences of a file, with their texts; the number of the first line, from 1."""

    first: int
    sentences: list[list[str]]
    texts: list[str]

    @property
    def comments(self) -> list[tuple[str, ...]]:
        """The CoNLL-U comments of each sentence."""
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

    >>> import preorder_eval as pe
    >>> pe.parse(["He reads books"])[0].heads
    [1, -1, 1]
    >>> type(pe.parse(["He reads books"], n=2)).__name__
    'NBest'
    """
    loaded, words = given_words(sentences, parser, raw, jobs)
    return loaded.parse(words) if n is None else loaded.parse(words, n)


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
    refuse_given(out, source, parser)
    loaded = find_parser(parser, cache, jobs)
    with progress(f"parsing with {loaded.identity.name}", count_lines(source)) as advance:
        parts = read_pieces(source, tokenizer_of_parser(loaded) if raw else None)
        write_pieces(out, _parsed(by_lines(loaded) if raw else loaded, parts, n, advance))


def _parsed(
    parser: Parser, parts: Iterable[TextPiece], n: int | None, advance: Advance | None
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


def given_words(
    sentences: Sequence[Any], parser: str | Path | Parser, raw: bool, jobs: int
) -> tuple[Parser, list[list[str]]]:
    """Return a parser and the words of sentences; raises FormatError for one without any."""
    loaded = find_parser(parser, jobs=jobs)
    if isinstance(sentences, str):
        sentences = [sentences]
    split = tokenizer_of_parser(loaded) if raw else str.split
    words = [split(given) if isinstance(given, str) else list(given) for given in sentences]
    for number, each in enumerate(words, 1):
        if not each:
            split_tokens("", "sentences", number)  # the error of a blank line
    return by_lines(loaded) if raw else loaded, words


def read_pieces(
    source: str | Path, tokenize: Callable[[str], list[str]] | None
) -> Iterator[TextPiece]:
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
        yield TextPiece(part[0][0], sentences, texts)


def refuse_given(out: Path | IO[str], *given: object) -> None:
    if isinstance(out, Path):
        check_output(out, given)
        require_file(out)


def write_pieces(out: Path | IO[str], parts: Iterable[str]) -> None:
    if isinstance(out, Path):
        write_parts(out, parts)
    else:
        out.writelines(parts)
