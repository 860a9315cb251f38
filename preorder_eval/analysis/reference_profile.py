"""Whether the sentences of a reference set are of the kind of a corpus: lengths and features.

A set of invented sentences is a yardstick for a kind of text only if it looks like it. A profile is
the share of sentences of each length, and of those with a feature that tells English genres apart:
parentheses, addresses, fragments, contractions, questions, kinds of clauses. Where sentences say
their `# genre`, on both sides, genres count as well.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from preorder_eval.data.arrays import Bools, sums
from preorder_eval.data.columns import Column
from preorder_eval.data.treebank import Treebank, comment_value
from preorder_eval.formats.tables import Table, known

FACTOR = 1.5  # by which shares may differ
_BANDS = {  # lengths, the last included
    "1-10": (1, 10),
    "11-20": (11, 20),
    "21-30": (21, 30),
    "31-40": (31, 40),
    "41+": (41, sys.maxsize),
}
_CLITIC = re.compile("(n[’']t|[’'](m|re|ve|ll|d))", re.IGNORECASE)


def profile(trees: Treebank) -> dict[str, float]:
    """The shares of sentences by length, and of those with each feature; and the mean length.

    >>> from preorder_eval.formats.reference_folder import load_reference
    >>> shares = profile(load_reference("en-ja-web/all").trees)
    >>> round(shares["mean length"], 2), shares["parentheses"]
    (16.23, 0.06)
    """
    lengths = trees.lengths
    values = {"mean length": float(lengths.mean()) if len(lengths) else math.nan}
    for name, (least, most) in _BANDS.items():
        values[f"length {name}"] = _share((lengths >= least) & (lengths <= most))
    return values | {name: _share(has(trees)) for name, has in FEATURES.items()} | _genres(trees)


@dataclass(frozen=True)
class Likeness:
    """How often a feature is found in a set and in a corpus, as shares of their sentences."""

    feature: str
    in_set: float
    in_corpus: float

    @property
    def ratio(self) -> float:
        """Of the set to the corpus; NaN where the corpus has none."""
        return self.in_set / self.in_corpus if self.in_corpus else math.nan

    @property
    def is_far(self) -> bool:
        """Whether the shares differ by more than a factor of 1.5."""
        return not self.in_corpus / FACTOR <= self.in_set <= self.in_corpus * FACTOR


def likenesses(trees: Treebank, corpus: Treebank) -> list[Likeness]:
    """The profile of a set beside that of a corpus, without what neither has.

    >>> from preorder_eval.formats.reference_folder import load_reference
    >>> web, suite = (load_reference(name).trees for name in ("en-ja-web/all", "en-ja"))
    >>> [likeness.feature for likeness in likenesses(suite, web) if likeness.is_far][:2]
    ['length 11-20', 'length 21-30']
    """
    own, other = profile(trees), profile(corpus)
    genres = {name for name in own.keys() | other.keys() if name.startswith(_GENRE)}
    if not all(any(name in shares for name in genres) for shares in (own, other)):
        genres = set()
    names = [name for name in own if not name.startswith(_GENRE)] + sorted(genres)
    rows = [Likeness(name, own.get(name, 0.0), other.get(name, 0.0)) for name in names]
    return [row for row in rows if row.in_set or row.in_corpus]


def likeness_table(rows: Sequence[Likeness]) -> Table:
    """Header and rows as plain values."""
    header = ["feature", "set", "corpus", "ratio", "far"]
    return header, [
        [row.feature, row.in_set, row.in_corpus, known(row.ratio), row.is_far] for row in rows
    ]


def _share(sentences: Bools) -> float:
    return float(sentences.mean()) if len(sentences) else math.nan


_GENRE = "genre "


def _genres(trees: Treebank) -> dict[str, float]:
    values = [comment_value(comments, "genre") for comments in trees.comments]
    counts = Counter(value for value in values if value)
    return {f"{_GENRE}{value}": count / len(values) for value, count in sorted(counts.items())}


def _tokens(column: Column, fits: Callable[[str], object]) -> Bools:
    """Which tokens have a name that fits; bool[N]."""
    return np.array([bool(fits(name)) for name in column.names], dtype=bool)[column.codes]


def _some(trees: Treebank, tokens: Bools) -> Bools:
    """Which sentences have one of these tokens; bool[S]."""
    some: Bools = sums(tokens, trees.offsets) > 0
    return some


def _words(pattern: str) -> Callable[[Treebank], Bools]:
    fits = re.compile(pattern).search
    return lambda trees: _some(trees, _tokens(trees.words, fits))


def _clause(label: str) -> Callable[[Treebank], Bools]:
    """Whether a label is there, with any subtype."""
    return lambda trees: _some(
        trees, _tokens(trees.labels, lambda name: name.partition(":")[0] == label)
    )


def _tagged(*tags: str) -> Callable[[Treebank], Bools]:
    return lambda trees: _some(trees, _tokens(trees.upos, lambda name: name in tags))


def _dashes(trees: Treebank) -> Bools:
    dash = _tokens(trees.words, re.compile("[-–—]+").fullmatch)
    return _some(trees, dash & ~_tokens(trees.xpos, lambda tag: tag == "HYPH"))


def _contractions(trees: Treebank) -> Bools:
    clitic = _tokens(trees.words, _CLITIC.fullmatch)
    s = _tokens(trees.words, re.compile("[’']s").fullmatch)
    possessive = _tokens(trees.xpos, lambda tag: tag in ("PRP$", "POS"))
    return _some(trees, clitic | (s & ~possessive))


def _lower_starts(trees: Treebank) -> Bools:
    return _tokens(trees.words, lambda word: word[0].islower())[trees.offsets[:-1]]


def _no_final_punctuation(trees: Treebank) -> Bools:
    return _tokens(trees.words, lambda word: word[-1].isalnum())[trees.offsets[1:] - 1]


FEATURES: dict[str, Callable[[Treebank], Bools]] = {
    "parentheses": _words(r"^[()]$"),
    "dashes": _dashes,
    "addresses": _words(r"://|www\.|\w@\w"),
    "lower-case starts": _lower_starts,
    "contractions": _contractions,
    "I": _words("^[Ii]$"),
    "exclamation marks": _words("!"),
    "question marks": _words(r"\?"),
    "numbers": _tagged("NUM"),
    "no verb": lambda trees: ~_tagged("VERB", "AUX")(trees),
    "no final punctuation": _no_final_punctuation,
    "quotation marks": _words('^["“”]$'),
    "lists": _clause("list"),
    "parataxis": _clause("parataxis"),
    "adverbial clauses": _clause("advcl"),
    "clauses of nouns": _clause("acl"),
    "complement clauses": _clause("ccomp"),
    "open complements": _clause("xcomp"),
}
