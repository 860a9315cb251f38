"""Dependency trees of a whole corpus as flat arrays, and one tree as a view of them.

A corpus of S sentences and N tokens is one array per column, N long, and an array of
S + 1 offsets. Everything that works at corpus scale works on these arrays; `Tree` is the
friendly face of one sentence. networkx explains what is wrong with a broken tree.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from preorder_eval.data.arrays import Ints, Longs, Offsets, described, gather, offsets_of
from preorder_eval.errors import PreorderEvalError

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, eq=False)
class Column:
    """A column of names (labels, tags) as one integer code per token.

    `codes` is int32[N], `names[c]` the name of code c.

    >>> Column.of(["NOUN", "VERB", "NOUN"]).codes.tolist()
    [0, 1, 0]
    """

    codes: Ints
    names: tuple[str, ...]

    def __repr__(self) -> str:
        return described("Column", token=len(self), name=len(self.names))

    @classmethod
    def of(cls, values: Iterable[str]) -> Column:
        """Code the names in the order in which they first occur."""
        index: dict[str, int] = {}
        codes = np.fromiter((index.setdefault(v, len(index)) for v in values), dtype=np.int32)
        return cls(codes, tuple(index))

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, tokens: Longs) -> Column:
        """The names of these tokens."""
        return Column(self.codes[tokens], self.names)

    def strings(self, start: int = 0, stop: int | None = None) -> list[str]:
        """The names of the tokens from `start` to `stop`."""
        return [self.names[c] for c in self.codes[start:stop].tolist()]


@dataclass(frozen=True)
class Tree:
    """One sentence's dependency tree; positions are 0-based, the root's head is -1.

    >>> tree = Tree(["dogs", "bark"], [1, -1], ["nsubj", "root"], ["NOUN", "VERB"], ["NNS", "VBP"])
    >>> sorted(tree.to_networkx().edges(data="label"))
    [(1, 0, 'nsubj')]
    """

    words: list[str]
    heads: list[int]
    labels: list[str]
    upos: list[str]
    xpos: list[str]
    comments: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.words)

    @property
    def sentence_id(self) -> str | None:
        """The value of the `# sent_id = …` comment, if there is one."""
        return comment_value(self.comments, "sent_id")

    def to_networkx(self) -> nx.DiGraph[int]:
        """The tree as a directed graph from heads to dependents, tokens as node attributes."""
        import networkx as nx

        graph: nx.DiGraph[int] = nx.DiGraph()
        columns = zip(self.words, self.upos, self.xpos, strict=True)
        for i, (word, upos, xpos) in enumerate(columns):
            graph.add_node(i, word=word, upos=upos, xpos=xpos)
        for i, (head, label) in enumerate(zip(self.heads, self.labels, strict=True)):
            if head >= 0:
                graph.add_edge(head, i, label=label)
        return graph


@dataclass(frozen=True, eq=False)
class Treebank:
    """The trees of a corpus.

    `offsets` int64[S + 1]; `words` N strings; `heads` int32[N], positions within the sentence,
    -1 for the root; `labels`, `upos`, `xpos` columns of N names. `columns` holds what only
    CoNLL-U needs (lemma, feats, deps, misc: N strings each), `comments` the comment lines of
    each sentence, `extra_lines` the multiword-token and empty-node lines of a sentence with
    the position of the token they stand before. `scores` are log-probabilities, if the trees
    come from a parser that gives them.

    Every tree has one root and no cycle; the constructor checks that.

    >>> tree = Tree(["dogs", "bark"], [1, -1], ["nsubj", "root"], ["NOUN", "VERB"], ["NNS", "VBP"])
    >>> Treebank.of([tree])
    <Treebank: 1 sentence, 2 tokens>
    """

    offsets: Offsets
    words: list[str]
    heads: Ints
    labels: Column
    upos: Column
    xpos: Column
    columns: Mapping[str, list[str]] = field(default_factory=dict)
    comments: Sequence[tuple[str, ...]] = ()
    extra_lines: Mapping[int, list[tuple[int, str]]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return described("Treebank", sentence=len(self), token=len(self.words))

    def __post_init__(self) -> None:
        bad = np.flatnonzero(broken_trees(self.heads, self.offsets))
        if bad.size:
            sentence = int(bad[0])
            start, stop = self.offsets[sentence], self.offsets[sentence + 1]
            raise PreorderEvalError(
                f"sentence {sentence + 1}: {tree_defect(self.heads[start:stop].tolist())}"
            )

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> Treebank:
        """Flatten single trees.

        >>> tree = Tree(["Go", "!"], [-1, 0], ["root", "punct"], ["VERB", "PUNCT"], ["VB", "."])
        >>> len(Treebank.of([tree, tree]))
        2
        """
        return cls(
            offsets_of(len(t) for t in trees),
            [w for t in trees for w in t.words],
            np.array([h for t in trees for h in t.heads], dtype=np.int32),
            Column.of(x for t in trees for x in t.labels),
            Column.of(x for t in trees for x in t.upos),
            Column.of(x for t in trees for x in t.xpos),
            comments=[t.comments for t in trees],
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, sentence: int) -> Tree:
        if not 0 <= sentence < len(self):
            raise IndexError(f"sentence {sentence} of {len(self)}")
        start, stop = int(self.offsets[sentence]), int(self.offsets[sentence + 1])
        return Tree(
            self.words[start:stop],
            self.heads[start:stop].tolist(),
            self.labels.strings(start, stop),
            self.upos.strings(start, stop),
            self.xpos.strings(start, stop),
            self.comments[sentence] if self.comments else (),
        )

    def __iter__(self) -> Iterator[Tree]:
        return (self[i] for i in range(len(self)))

    def take(self, sentences: Longs) -> Treebank:
        """The trees of these numbers, in that order; without lemmas and what only files need."""
        offsets, tokens = gather(self.offsets, sentences)
        feats = self.columns.get("feats")
        return Treebank(
            offsets,
            [self.words[i] for i in tokens.tolist()],
            self.heads[tokens],
            self.labels.take(tokens),
            self.upos.take(tokens),
            self.xpos.take(tokens),
            {"feats": [feats[i] for i in tokens.tolist()]} if feats else {},
            comments=[self.comments[s] for s in sentences.tolist()] if self.comments else (),
        )

    @property
    def lengths(self) -> Longs:
        """Tokens per sentence, int64[S]."""
        return np.diff(self.offsets)

    @property
    def sentences(self) -> list[list[str]]:
        """The words of each sentence."""
        bounds = self.offsets.tolist()
        return [self.words[a:b] for a, b in itertools.pairwise(bounds)]

    @cached_property
    def lower_words(self) -> Column:
        """The words in lower case as a column."""
        column = Column.of(self.words)
        lower = Column.of(map(str.lower, column.names))
        return Column(lower.codes[column.codes], lower.names)

    @cached_property
    def feats(self) -> Column:
        """The morphological features as a column, `_` where the trees have none."""
        return Column.of(self.columns.get("feats") or ["_"] * len(self.words))

    @cached_property
    def sentence_starts(self) -> Longs:
        """For every token, where its sentence starts; int64[N]."""
        return np.repeat(self.offsets[:-1], self.lengths)

    @cached_property
    def parents(self) -> Longs:
        """For every token the flat index of its head, of itself for a root; int64[N]."""
        here = np.arange(len(self.words))
        return np.where(self.heads < 0, here, self.heads + self.sentence_starts)

    @cached_property
    def subtree_sizes(self) -> Longs:
        """For every token the number of tokens in its subtree, itself included; int64[N].

        After k rounds a token has counted its descendants fewer than 2^k steps below, so the
        number of rounds grows with the logarithm of the depth and deep chains cost little.
        """
        ancestor = self.parents
        sizes = np.ones(len(ancestor), dtype=np.int64)
        open_ = self.heads >= 0  # whether the ancestor is there, or only the root instead
        while open_.any():
            below = np.bincount(ancestor[open_], weights=sizes[open_], minlength=len(sizes))
            sizes = sizes + below.astype(np.int64)
            open_ = open_ & open_[ancestor]
            ancestor = ancestor[ancestor]
        return sizes


def comment_value(comments: Iterable[str], key: str) -> str | None:
    """The value of the comment line `# key = value`.

    >>> comment_value(["# sent_id = a-1"], "sent_id")
    'a-1'
    """
    for line in comments:
        name, equals, value = line.lstrip("#").partition("=")
        if equals and name.strip() == key:
            return value.strip()
    return None


def broken_trees(heads: Ints, offsets: Offsets) -> NDArray[np.bool_]:
    """Which sentences are not trees (head out of range, not one root, or a cycle); bool[S]."""
    lengths = np.diff(offsets)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    inside = (heads >= -1) & (heads < lengths[sentence])
    broken = np.zeros(len(lengths), dtype=bool)
    broken[sentence[~inside]] = True
    broken |= np.bincount(sentence[heads == -1], minlength=len(lengths)) != 1
    here = np.arange(len(heads))
    ancestor = np.where(inside & (heads >= 0), heads + offsets[:-1][sentence], here)
    for _ in range(int(lengths.max(initial=0)).bit_length()):
        ancestor = ancestor[ancestor]
    broken[sentence[inside & (heads[ancestor] != -1)]] = True
    return broken


def tree_defect(heads: Sequence[int]) -> str | None:
    """What keeps one sentence's heads (0-based, -1 for the root) from being a tree.

    Returns None for a tree. Tokens are named by their 1-based number, as in CoNLL-U.

    >>> tree_defect([1, 2, 0])
    'no root'
    >>> tree_defect([1, 0, -1])
    'a cycle of heads: 1 → 2 → 1'
    """
    import networkx as nx

    for i, head in enumerate(heads):
        if not -1 <= head < len(heads):
            return f"token {i + 1} has head {head + 1}, but there are {len(heads)} tokens"
    roots = [str(i + 1) for i, head in enumerate(heads) if head == -1]
    if len(roots) != 1:
        return f"{len(roots)} roots: tokens {', '.join(roots)}" if roots else "no root"
    graph = nx.DiGraph([(i, head) for i, head in enumerate(heads) if head >= 0])
    try:
        cycle = nx.find_cycle(graph)
    except nx.NetworkXNoCycle:
        return None
    return "a cycle of heads: " + " → ".join(
        str(i + 1) for i in [cycle[0][0], *(b for _, b in cycle)]
    )
