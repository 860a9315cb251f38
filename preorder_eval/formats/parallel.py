"""Parallel text: in two files, or in one with a line per sentence pair, `source ||| target`.

The latter is what fast_align (Dyer et al. 2013) reads. All sentences are tokenised.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.text import (
    join_tokens,
    read_lines,
    read_sentences,
    same_length,
    split_tokens,
    warn_if_raw,
    write_text,
)

SEPARATOR = "|||"

Pairs = tuple[list[list[str]], list[list[str]]]  # source and target sentences, as many


def read_pairs(sources: Sequence[Path], targets: Sequence[Path]) -> Pairs:
    """The sentence pairs of several files, each source file with its target file.

    Raises PreorderEvalError for more files of one side, and FormatError for a pair of files that
    have not as many sentences.
    """
    if len(sources) != len(targets):
        raise PreorderEvalError(f"{len(sources)} source files with {len(targets)} target files")
    pairs: Pairs = ([], [])
    for source, target in zip(sources, targets, strict=True):
        sentences, translations = read_sentences(source), read_sentences(target)
        same_length("sentence", len(translations), target, str(source), len(sentences))
        warn_if_raw(sentences, source)
        warn_if_raw(translations, target)
        pairs[0].extend(sentences)
        pairs[1].extend(translations)
    return pairs


def read_parallel(path: str | Path) -> Pairs:
    """The tokenised source and target sentences; `-` is standard input.

    Raises FormatError with file and line for a line without exactly one separator, or with
    nothing on one side of it.
    """
    source, target = [], []
    for number, line in enumerate(read_lines(path), 1):
        tokens = split_tokens(line, path, number)
        count = tokens.count(SEPARATOR)
        at = tokens.index(SEPARATOR) if count else 0
        if count != 1 or not 0 < at < len(tokens) - 1:
            fault = f"{count} separators" if count != 1 else "nothing on one side"
            raise FormatError(
                f"{fault} instead of source {SEPARATOR} target",
                file=path,
                line=number,
                mend=f"separate the two sentences by one {SEPARATOR} between spaces",
            )
        source.append(tokens[:at])
        target.append(tokens[at + 1 :])
    return source, target


def write_parallel(
    path: Path, source: Sequence[Sequence[str]], target: Sequence[Sequence[str]]
) -> None:
    """Write parallel text.

    Raises PreorderEvalError for a token that would read as the separator, or as several tokens.
    """
    lines = []
    for pair in zip(source, target, strict=True):
        if any(SEPARATOR in tokens for tokens in pair):
            raise PreorderEvalError(f"token {SEPARATOR!r} cannot be written as parallel text")
        lines.append(f" {SEPARATOR} ".join(map(join_tokens, pair)) + "\n")
    write_text(path, "".join(lines))
