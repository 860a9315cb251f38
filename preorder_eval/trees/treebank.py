"""Dependency trees of a whole corpus as flat arrays, and one tree as a view of them.

Everything at corpus scale works on the arrays; `Tree` is a convenient view of one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import index
from types import MappingProxyType

import numpy as np

from preorder_eval.base.arrays import Bools, Ints, Longs, Offsets, blocks, cut, gather, offsets_of
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.ragged import NameColumn, Ragged, Sentences, joined_offsets
from preorder_eval.base.visible import quantity

_AT_ONCE = 1 << 16  # tokens: what is made of so many stays in the processor's cache


@dataclass(frozen=True)
class Tree:
    """One sentence's dependency tree; positions are 0-based, the root's head is -1.

    Raises PreorderEvalError unless there is a head, a label and both tags for every word.

    >>> tree = Tree(["dogs", "bark"], [1, -1], ["nsubj", "root"], ["NOUN", "VERB"], ["NNS", "VBP"])
    >>> len(tree), tree.heads
    (2, [1, -1])
    """

    words: list[str]
    heads: list[int]
    labels: list[str]
    upos: list[str]
    xpos: list[str]
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        sizes = [len(column) for column in (self.heads, self.labels, self.upos, self.xpos)]
        if sizes != [len(self.words)] * 4:
            heads, labels, upos, xpos = sizes
            raise PreorderEvalError(
                f"a tree of {quantity(len(self.words), 'word')} with {heads} heads, {labels} "
                f"labels, {upos} upos and {xpos} xpos tags; give one for each word"
            )

    def __len__(self) -> int:
        return len(self.words)

    @property
    def sentence_id(self) -> str | None:
        """The value of the `# sent_id = …` comment, if there is one."""
        return comment_value(self.comments, "sent_id")


_OF_PARTS = ("feats", "misc")
# In MISC of a word with which another tree of the same line begins.
NEW_TREE = "NewTree=Yes"


@dataclass(frozen=True, eq=False, repr=False)
class Treebank(Ragged[Tree]):
    """The trees of a corpus.

    `words`, `labels`, `upos` and `xpos` are columns of N names; `heads` int32[N], positions within
    the sentence, -1 for the root. `columns` holds what only CoNLL-U needs (lemma, feats, deps,
    misc); `comments` the comment lines of each sentence; `extra_lines` its multiword-token and
    empty-node lines with the position of the token they stand before. `take` keeps all of these,
    `part` only feats and misc, which rules need.

    `scheme` is `ud` if the labels are known to be those of UD (`trees.in_ud.in_ud`), and
    `own` if they are to stay.

    Every tree has one root and no cycle; the constructor raises PreorderEvalError for others.

    >>> import preorder_eval as pe
    >>> from preorder_eval.trees.treebank import Tree
    >>> tree = Tree(["dogs", "bark"], [1, -1], ["nsubj", "root"], ["NOUN", "VERB"], ["NNS", "VBP"])
    >>> pe.Treebank.of([tree])
    <Treebank: 1 sentence, 2 tokens>
    """

    words: NameColumn
    heads: Ints
    labels: NameColumn
    upos: NameColumn
    xpos: NameColumn
    columns: Mapping[str, NameColumn] = field(default_factory=dict)
    comments: Sequence[tuple[str, ...]] = ()
    extra_lines: Mapping[int, list[tuple[int, str]]] = field(default_factory=dict)
    scheme: str = ""

    def __post_init__(self) -> None:
        bad = np.flatnonzero(broken_trees(self.heads, self.offsets))
        if bad.size:
            sentence = int(bad[0])
            defect = tree_defect(self.heads[self.span(sentence)].tolist())
            raise PreorderEvalError(f"sentence {sentence + 1}: {defect}")

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> Treebank:
        """Flatten single trees; raise PreorderEvalError for heads that form no tree."""
        listed = isinstance(trees, Sequence) and not isinstance(trees, str)
        if not listed or not all(isinstance(tree, Tree) for tree in trees):
            raise PreorderEvalError(f"{trees!r:.60} is not a list of trees; make them with Tree(…)")
        try:
            heads = [index(head) for tree in trees for head in tree.heads]
        except TypeError as error:
            raise PreorderEvalError(
                f"heads are positions of words, -1 at a root: {error}"
            ) from error
        return cls(
            offsets_of(len(t) for t in trees),
            NameColumn.of(w for t in trees for w in t.words),
            np.array(heads, dtype=np.int32),
            NameColumn.of(x for t in trees for x in t.labels),
            NameColumn.of(x for t in trees for x in t.upos),
            NameColumn.of(x for t in trees for x in t.xpos),
            comments=[t.comments for t in trees],
        )

    @classmethod
    def joined(cls, parts: Sequence[Treebank]) -> Treebank:
        """Return the trees of all parts, one part after the other."""
        names = [(part.words, part.labels, part.upos, part.xpos) for part in parts]
        words, labels, upos, xpos = map(NameColumn.joined, zip(*names, strict=True))
        nothing = [NameColumn.same("_", len(part.words)) for part in parts]
        kept = dict.fromkeys(key for part in parts for key in part.columns)
        starts = offsets_of(map(len, parts)).tolist()
        return cls(
            joined_offsets(parts),
            words,
            np.concatenate([part.heads for part in parts]),
            labels,
            upos,
            xpos,
            {
                key: NameColumn.joined(
                    [p.columns.get(key, none) for p, none in zip(parts, nothing, strict=True)]
                )
                for key in kept
            },
            [lines for part in parts for lines in part.comments or [()] * len(part)]
            if any(part.comments for part in parts)
            else (),
            {
                start + sentence: lines
                for start, part in zip(starts, parts, strict=False)
                for sentence, lines in part.extra_lines.items()
            },
        )

    def _sentence(self, sentence: int) -> Tree:
        span = self.span(sentence)
        return Tree(
            self.words[span],
            self.heads[span].tolist(),
            self.labels[span],
            self.upos[span],
            self.xpos[span],
            self.comments[sentence] if self.comments else (),
        )

    def take(self, sentences: Longs) -> Treebank:
        """Return the trees of these numbers, with everything that they have."""
        numbers, lines = sentences.tolist(), self.extra_lines
        return self._cut(
            *gather(self.offsets, sentences),
            tuple(self.columns),
            [self.comments[s] for s in numbers] if self.comments else (),
            {new: lines[s] for new, s in enumerate(numbers) if s in lines},
        )

    def _cut(
        self,
        offsets: Offsets,
        tokens: slice | Longs,
        kept: Iterable[str] = _OF_PARTS,
        comments: Sequence[tuple[str, ...]] = (),
        lines: Mapping[int, list[tuple[int, str]]] = MappingProxyType({}),
    ) -> Treebank:
        return Treebank(
            offsets,
            self.words.take(tokens),
            self.heads[tokens],
            self.labels.take(tokens),
            self.upos.take(tokens),
            self.xpos.take(tokens),
            {key: self.columns[key].take(tokens) for key in kept if key in self.columns},
            comments,
            lines,
            self.scheme,
        )

    def with_own_heads(self) -> Treebank:
        """Return the same trees, which `rehang` may change."""
        new = copy(self)
        vars(new).update(heads=self.heads.copy(), parents=self.parents.copy())
        if "subtree_sizes" in vars(self):
            vars(new)["subtree_sizes"] = self.subtree_sizes.copy()
        return new

    def with_labels(self, labels: NameColumn, scheme: str) -> Treebank:
        """Return the same trees with other labels, without another check of their heads."""
        new = copy(self)
        vars(new).update(labels=labels, scheme=scheme)
        return new

    def rehang(self, tokens: Longs, heads: Ints) -> None:
        """Move tokens to the heads of their heads, in place; the head of none is a root."""
        self._take_away(tokens)
        self.heads[tokens] = heads
        self.parents[tokens] = heads + self.sentence_starts[tokens]

    def _take_away(self, tokens: Longs) -> None:
        """Take tokens that move to the head of their head away from the sizes of subtrees."""
        if "subtree_sizes" not in vars(self):
            return
        above, moves = self.parents[tokens], np.zeros(len(self.words), dtype=bool)
        moves[tokens] = True
        if moves[above].any():  # out of what moves itself
            vars(self).pop("subtree_sizes")
        else:
            np.subtract.at(self.subtree_sizes, above, self.subtree_sizes[tokens])

    @property
    def sentences(self) -> Sentences:
        """The words of each sentence."""
        return Sentences(self.offsets, self.words)

    @cached_property
    def lower_words(self) -> NameColumn:
        """The words in lower case as a column."""
        return self.words.renamed(str.lower)

    @cached_property
    def feats(self) -> NameColumn:
        """The morphological features as a column, `_` where the trees have none."""
        return self.columns.get("feats", NameColumn.same("_", len(self.words)))

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
        """Return the number of tokens in the subtree of every token, itself included; int64[N].

        After k rounds a token has counted its descendants fewer than 2^k steps below. So the number
        of rounds grows with the logarithm of the depth, and deep chains cost little.
        """
        ancestor, sizes = self.parents.copy(), np.ones(len(self.heads), dtype=np.int64)
        open_ = self.heads >= 0  # whether the ancestor is there, or only the root instead
        below = np.flatnonzero(open_)
        while len(below):
            above = ancestor[below]
            np.add.at(sizes, above, sizes[below])
            further = open_[above]
            open_[below[~further]] = False
            ancestor[below] = ancestor[above]
            below = below[further]
        return sizes


def subtrees(heads: Sequence[int] | Ints) -> Bools:
    """Return which words the subtree of each word has, itself included.

    It is bool[n, n], or bool[S, n, n] for the heads of several sentences of n words, int32[S, n].

    >>> subtrees([1, -1, 1]).astype(int).tolist()
    [[1, 0, 0], [1, 1, 1], [0, 0, 1]]
    """
    of_each = np.atleast_2d(np.asarray(heads))
    sentences, words = np.ogrid[: of_each.shape[0], : of_each.shape[1]]
    above, inside = words, np.zeros((*of_each.shape, of_each.shape[1]), dtype=bool)
    inside[sentences, words, words] = True
    parents = np.where(of_each < 0, words, of_each)
    while ((upper := parents[sentences, above]) != above).any():
        above = upper
        inside[sentences, above, words] = True
    return inside if np.ndim(heads) > 1 else inside[0]


def single_trees(trees: Treebank) -> Treebank:
    """Return trees in which lines of several trees are taken apart; the same object if none is one.

    Where the trees of a line were joined to one, MISC marks the first word of each further one
    (`NEW_TREE`). Raises PreorderEvalError if the parts are no trees.
    """
    misc = trees.columns.get("misc")
    if misc is None or not any(NEW_TREE in name for name in misc.names):
        return trees
    begins = np.flatnonzero(misc.where(lambda name: NEW_TREE in name.split("|")))
    offsets = np.union1d(trees.offsets, begins)
    if len(offsets) == len(trees.offsets):  # they are apart
        return trees
    tree = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    inside = (trees.heads >= 0) & (tree[trees.parents] == tree)
    heads = np.where(inside, trees.parents - offsets[tree], -1).astype(np.int32)
    root = np.int32(len(trees.labels.names))
    codes = np.where(heads < 0, root, trees.labels.codes).astype(np.int32)
    labels = NameColumn(codes, (*trees.labels.names, "root"))
    return replace(trees, offsets=offsets, heads=heads, labels=labels, comments=(), extra_lines={})


def newdoc(line: str) -> str | None:
    """Return the id of the document that a comment begins, perhaps empty; None for another comment.

    >>> newdoc("# newdoc id = a"), newdoc("# newdoc"), newdoc("# sent_id = a")
    ('a', '', None)
    """
    if "newdoc" not in line:  # as nearly all
        return None
    key, _, value = line.lstrip("#").partition("=")
    return value.strip() if key.split() in (["newdoc"], ["newdoc", "id"]) else None


def document_names(comments: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Return the name of each sentence's document, by the comments `# newdoc`; () without one.

    Sentences from one `# newdoc` to the next belong together, and those of one id in any place. A
    sentence before the first belongs to no document, and stands for itself.

    >>> document_names([["# sent_id = 1"], ["# newdoc id = a"], [], ["# newdoc"]])
    ('sentence 1', 'a', 'a', 'document 2')
    """
    names, name, count = list[str](), "", 0
    for number, lines in enumerate(comments, 1):
        begun = [known for line in lines if (known := newdoc(line)) is not None]
        if begun:
            count += 1
            name = begun[0] or f"document {count}"
        names.append(name or f"sentence {number}")
    return tuple(names) if count else ()


def comment_value(comments: Iterable[str], key: str) -> str | None:
    """Return the value of the comment line `# key = value`, or None.

    >>> comment_value(["# sent_id = a-1"], "sent_id")
    'a-1'
    """
    for line in comments:
        name, equals, value = line.lstrip("#").partition("=")
        if equals and name.strip() == key:
            return value.strip()
    return None


def broken_trees(heads: Ints, offsets: Offsets) -> Bools:
    """Find sentences that are no trees (head out of range, not one root, or a cycle); bool[S]."""
    broken = np.zeros(len(offsets) - 1, dtype=bool)
    for first, last in blocks(offsets, _AT_ONCE):
        part, tokens = cut(offsets, first, last)
        broken[first:last] = _broken(heads[tokens], part)
    return broken


def _broken(heads: Ints, offsets: Offsets) -> Bools:
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
    """Return the reason why one sentence's heads (0-based, -1 for the root) are no tree.

    Returns None for a tree. Tokens are named by their 1-based number, as in CoNLL-U.

    >>> tree_defect([1, 2, 0])
    'no root'
    >>> tree_defect([1, 0, -1])
    'a cycle of heads: 1 → 2 → 1'
    """
    import networkx as nx

    for i, head in enumerate(heads):
        if not -1 <= head < len(heads):
            there = quantity(len(heads), "token")
            return f"token {i + 1} has head {head + 1}, but its sentence has {there}"
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
