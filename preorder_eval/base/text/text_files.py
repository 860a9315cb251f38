"""Tokenised text, one sentence a line, and parallel text in two files.

Tokens are separated by the plain space: U+3000, U+2028 and other space-like characters can be part
of a token.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from preorder_eval.base.errors import FormatError, PreorderEvalError, argument, warn
from preorder_eval.base.files.files import (
    WORDS,
    check_words,
    decode_text,
    read_decoded,
    read_input,
    uncompressed,
)
from preorder_eval.base.files.scanning import scan_sentences
from preorder_eval.base.ragged import Lines, Sentences
from preorder_eval.base.text.tokenization import unsegmented
from preorder_eval.base.visible import quantity

SentencePairs = tuple[list[list[str]], list[list[str]]]  # source and target sentences, as many

_LOOKED_AT = 1000  # sentences by which raw text is told
_RAW_END = re.compile(r"[^.]*\w[.?!]+[\"')\]”’»]*")
# How files of mark-up begin: those of the translation tasks, of memories, and XML of any kind.
_MARKUP = re.compile(
    r"\s*<(\?xml|!doctype|!entity|((ref|src|tst)set|mteval|dataset|doc|seg|tmx|xliff)\b[^<]*>)",
    re.IGNORECASE,
)
_BREAKS = re.compile(r"[ \t\n\r\0]")


def read_text(path: str | Path) -> Lines:
    """Read lines of text, of which there may be millions; blank lines are kept.

    Raises FormatError for a file of trees, and if the text itself is given instead of a file.
    """
    if " " in str(path) and not Path(path).exists():
        raise no_such_text(path)
    if uncompressed(path).suffix in (".conllu", ".conll"):
        hint = "give the sentences as text, one per line"
        raise FormatError("is CoNLL-U with trees", file=path, hint=hint)
    text = read_decoded(path, blank=True)
    refuse_markup(text, path)
    return Lines.of(text)


def refuse_markup(text: str, path: str | Path) -> None:
    """Raise FormatError if a text begins as SGM or XML does; only its beginning need be given.

    >>> refuse_markup('<refset setid="x">', "ref.sgm")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    preorder_eval.base.errors.FormatError: ref.sgm:1: is SGM or XML, not text; extract its ...
    """
    if _MARKUP.match(text):
        line = text.count("\n", 0, len(text) - len(text.lstrip())) + 1
        hint = "extract its segments: sed -n 's/.*<seg[^>]*>\\(.*\\)<\\/seg>.*/\\1/p' FILE"
        raise FormatError("is SGM or XML, not text", file=path, line=line, hint=hint)


def no_such_text(name: str | Path) -> FormatError:
    """Return the error for a missing file whose name is perhaps meant as the text itself."""
    instead = argument("[TEXT, …]", "<(echo TEXT)")
    hint = (
        f"if it is text and not a file name, write it as {instead}, or to a file, one "
        "sentence per line"
    )
    return FormatError("no such file", file=name, hint=hint)


def read_sentences(path: str | Path) -> Sentences:
    """Read tokenised sentences.

    Raises FormatError for a blank line or a tab, with the line.
    """
    return parse_sentences(read_input(path), path)


def parse_sentences(data: bytes, path: str | Path) -> Sentences:
    """Read tokenised sentences from bytes; see `read_sentences`.

    >>> parse_sentences("das  Haus\\nes brennt\\n".encode(), "de.txt")[0]
    ['das', 'Haus']
    """
    text = decode_text(data, path)
    refuse_markup(text, path)
    data = text.encode()
    sentences = scan_sentences(data)
    lengths = sentences.lengths
    faults = np.flatnonzero((lengths == 0) | (lengths > WORDS))[:1].tolist()
    if (tab := data.find(b"\t")) >= 0:
        faults.append(data.count(b"\n", 0, tab))
    for line in sorted(faults):
        split_tokens(data.split(b"\n")[line].decode(), path, line + 1)  # which names the fault
    return sentences


def split_tokens(line: str, file: str | Path, number: int) -> list[str]:
    """Split line `number` of `file` into its tokens; FormatError where it is no sentence."""
    if "\t" in line:
        hint = "separate tokens with spaces"
        if line.count("\t") == 9:
            hint = "let the name of a CoNLL-U file end in .conllu"
            if str(file).endswith((".conllu", ".conllu.gz")):
                hint = "this option takes tokenised sentences, not CoNLL-U"
        raise FormatError("a tab in tokenised text", file=file, line=number, hint=hint)
    tokens = [token for token in line.split(" ") if token]
    if not tokens:
        raise FormatError(
            "a blank line", file=file, line=number, hint="every line must have a sentence"
        )
    check_words(len(tokens), file, number)
    return tokens


def warn_if_raw(sentences: Sequence[Sequence[str]], name: str | Path, hint: str = "") -> None:
    """Warn of sentences that do not look tokenised.

    In most of them the full stop is part of the last word, or there are no spaces between words.
    """
    ends = [words[-1] for words in sentences[:_LOOKED_AT]]
    # An abbreviation has a full stop inside, too.
    raw = [word for word in ends if _RAW_END.fullmatch(word)]
    if 2 * len(raw) > len(ends):
        warn(
            f"{name} looks like raw text: {len(raw)} of its first {len(ends)} lines end like "
            f"{raw[0]!r}, with punctuation attached to the last word; tokenise it{hint}"
        )
    elif unsegmented(map(" ".join, sentences)):
        warn(f"{name} looks like raw text: it has no spaces between words; tokenise it{hint}")


def same_length(what: str, count: int, file: str | Path, other: str, other_count: int) -> None:
    """Raise FormatError unless two files have the same number of sentences.

    The error names the first line that only one of the files has.
    """
    if count != other_count:
        hint = "both must have the same sentences"
        defect = f"{quantity(count, what)}, but {other} has {quantity(other_count, 'sentence')}"
        raise FormatError(defect, file=file, line=min(count, other_count) + 1, hint=hint)


def whole_number(field: str) -> int | None:
    """Return the number that a field of one to nine digits stands for; None for anything else.

    >>> whole_number("12"), whole_number("-1"), whole_number("٣")
    (12, None, None)
    """
    return int(field) if field.isascii() and field.isdigit() and len(field) <= 9 else None


def join_tokens(tokens: Sequence[str]) -> str:
    r"""Join the tokens of a sentence to a line, which `split_tokens` splits into the same tokens.

    Raises PreorderEvalError for no tokens, and for a token that is empty or holds a space, a tab, a
    line end or a NUL.

    >>> join_tokens(["New", "York"])
    'New York'
    """
    if not tokens:
        raise PreorderEvalError("a sentence without tokens cannot be written")
    for token in tokens:
        if not token or _BREAKS.search(token):
            raise PreorderEvalError(f"token {token!r} cannot be written as tokenised text")
    return " ".join(tokens)


def read_pairs(sources: Sequence[Path], targets: Sequence[Path]) -> SentencePairs:
    """Read the sentence pairs of several files, each source file with its target file.

    Raises PreorderEvalError if one side has more files, and FormatError if two files of a pair have
    different numbers of sentences.
    """
    if len(sources) != len(targets):
        raise PreorderEvalError(f"{len(sources)} source files with {len(targets)} target files")
    pairs: SentencePairs = ([], [])
    for source, target in zip(sources, targets, strict=True):
        sentences, translations = read_sentences(source), read_sentences(target)
        same_length("sentence", len(translations), target, str(source), len(sentences))
        warn_if_raw(sentences, source)
        warn_if_raw(translations, target)
        pairs[0].extend(sentences)
        pairs[1].extend(translations)
    return pairs
