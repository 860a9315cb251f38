"""Lines of raw text, which may hold several sentences: each is parsed by itself.

A line stays a line. Its trees are joined under the first root, and MISC marks where each begins
(`trees.retokenize`), so that rules apply within each. Sentences end where spaCy's `sentencizer`
ends them: at `.`, `!`, `?` and the like, and what closes after these.
"""

from __future__ import annotations

import heapq
import itertools
import unicodedata
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from preorder_eval.base.arrays import offsets_of
from preorder_eval.base.progress import Advance
from preorder_eval.base.text.tokenization import TokenLists
from preorder_eval.parsers.parser import OuterParser, Parser
from preorder_eval.parsers.tree_file import TreeFile
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.retokenize import retokenized
from preorder_eval.trees.treebank import Treebank

# Trees of the sentences of a line, by their numbers, after the logarithm of how probable they are.
_Together = tuple[float, tuple[int, ...]]
_ENDS = frozenset(".!?。．！？｡؟۔।॥።")


class LineParser(OuterParser):
    """A parser for lines of tokenised raw text; a line may hold several sentences.

    >>> import preorder_eval as pe
    >>> parser = by_lines(pe.load_parser("en-web"))
    >>> [tree] = parser.parse(["He sleeps . She reads .".split()])
    >>> tree.heads
    [1, -1, 1, 4, 1, 4]
    """

    def parse(
        self, sentences: TokenLists, n: int | None = None, advance: Advance | None = None
    ) -> Any:
        """Parse each line into one tree, or up to `n` trees (`Parser.parse`)."""
        parts = [part for words in sentences for part in split_line(words)]
        if len(parts) == len(sentences):
            return self.wrapped.parse(sentences, n, advance)
        joined: Treebank | NBest
        if n is None:
            joined, _ = retokenized(self.wrapped.parse(parts), list(map(list, sentences)))
        else:
            joined = _joined(self.wrapped.parse(parts, n), sentences, n)
        if advance:
            advance(len(sentences))
        return joined


def by_lines(parser: Parser) -> Parser:
    """Return a parser for lines of raw text; a file of trees has trees of lines already."""
    lines: Any = LineParser(parser)
    return parser if isinstance(parser, TreeFile) else lines


def split_line(words: Sequence[str]) -> list[list[str]]:
    """Return the sentences of a line of words.

    >>> split_line(["“", "Go", "!", "”", "He", "went", "."])
    [['“', 'Go', '!', '”'], ['He', 'went', '.']]
    """
    parts, ended = [list[str]()], False
    for word in words:
        if ended and not all(unicodedata.category(char).startswith("P") for char in word):
            parts.append([])
            ended = False
        parts[-1].append(word)
        ended = ended or word in _ENDS
    return parts


def _joined(parts: NBest, lines: TokenLists, n: int) -> NBest:
    """Return n-best lists for lines, combined from the n-best lists of their sentences."""
    lists, at = list(parts.lists()), 0
    chosen: list[_Together] = []
    sizes = []
    for words in lines:
        best: list[_Together] = [(0.0, ())]
        for of_part in lists[at : (at := at + len(split_line(words)))]:
            # Of those with i better ones before them at most n / (i + 1) of this part can count.
            combined = (
                (before + parts.scores[tree], (*trees, tree))
                for i, (before, trees) in enumerate(best)
                for tree in of_part[: n // (i + 1)]
            )
            best = heapq.nlargest(n, combined, key=itemgetter(0))
        chosen += best
        sizes.append(len(best))
    repeated = [list(words) for words, size in zip(lines, sizes, strict=True) for _ in range(size)]
    flat = list(itertools.chain.from_iterable(trees for _, trees in chosen))
    trees, _ = retokenized(parts.trees.take(np.array(flat)), repeated)
    return NBest(trees, offsets_of(sizes), np.array([score for score, _ in chosen]))
