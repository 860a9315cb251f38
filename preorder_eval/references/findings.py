"""Checks of a reference set's alignments.

Three guidelines of Talbot et al. (2011, section 3.1) can be checked: all source words except
articles and punctuation are aligned; no source word is aligned to separate spans of the target;
every target word is aligned to some source word. A translation that was not made for alignment does
not follow them. A set of such translations, marked by comments `# translation = standard`, is
checked for its structure only. A set with both kinds gets a warning: metrics take the best order of
a sentence, so that the sparse links of a standard translation give any output a high score.

If only content words are linked, as in PUD (`links_content_words`), words without a link are
information, not a fault. A noun, verb or adjective whose only link is punctuation mostly shows that
the links slipped by one. A tie with an aligned word between its members is mostly a mistake, too:
tied words may stand in any order, so that no metric would ever notice it.

Phrases of the gold trees that a reference order splits are information: rules that move whole
subtrees cannot produce such an order. So are free blocks that differ from the list of the language
(`free_order`).
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from preorder_eval.base.arrays import Bools, Longs, Offsets, offsets_of, sums
from preorder_eval.orders.orders import ReferenceOrders
from preorder_eval.orders.reference_orders import Block
from preorder_eval.references.free_order import exchanges, listed_blocks
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.trees.treebank import Tree, Treebank, comment_value, subtrees

ARTICLES = frozenset({"a", "an", "the"})
_DO = frozenset({"do", "does", "did"})
_BE = frozenset({"am", "are", "is", "'m", "'re", "'s"})
_NO_WORD = {"en-de": _DO, "en-fr": _DO, "en-ar": _DO | _BE}  # auxiliaries that the target has not
# Particles of verbs, which EWT calls compound:prt or, if they also tell a direction, advmod.
_PARTICLES = {"about", "along", "apart", "around", "away", "back", "by", "down", "forward", "in"}
_PARTICLES |= {"off", "on", "out", "over", "through", "together", "up"}
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ"})
_FUNCTION = frozenset({"ADP", "AUX", "PART", "SCONJ", "CCONJ"})
_NEARLY_ALL, _MOST = 0.85, 0.75  # of content words with a link, and at most of function words

Level = Literal["structure", "guideline", "information"]  # only the first two are warnings
WordsAt = tuple[int, tuple[int, ...]]  # a sentence, and positions of words in it
FreePlace = tuple[int, tuple[int, ...], Block]


@dataclass(frozen=True)
class Finding:
    """A finding of one check in one sentence.

    `sentence` counts from 0. `positions` are the positions of the words concerned, from 0, on the
    finding's `side`, and `words` are these words. `block` has the stretches of a free order.
    `level` is usually that of the check.
    """

    sentence: int
    check: str
    positions: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    block: Block = ()
    level: Level = "guideline"

    @property
    def side(self) -> Literal["source", "target"]:
        """The side that the words are on."""
        return "target" if "target" in CHECKS[self.check].needs else "source"

    @property
    def is_warning(self) -> bool:
        """Return whether there is something to fix."""
        return self.level != "information"

    @property
    def count(self) -> int:
        """Return the number of words it concerns; 1 if it concerns the sentence as a whole."""
        return max(1, len(self.positions))


def checks_for(reference: ReferenceSet, *, structure_only: bool = False) -> list[str]:
    """Return the checks that can be made on a set: not all have ids, translations and trees.

    Automatic links and standard translations do not follow the guidelines.
    """
    structure_only = structure_only or bool(reference.aligner or _standard(reference).all())
    listed = exchanges(reference.languages.rpartition("-")[2]) and reference.free is not None
    there = {"trees": reference.trees is not None, "target": reference.target is not None}
    there |= {"translation": there["target"], "free": bool(listed)}
    return [
        name
        for name, check in CHECKS.items()
        if all(there[needed] for needed in check.needs)
        and (check.level == "structure" or not structure_only)
    ]


def level_of(check: str, reference: ReferenceSet) -> Level:
    """Return the level of a check of a set."""
    by_kind = check in _OF_LINKED and links_content_words(reference)
    return "information" if by_kind else CHECKS[check].level


def links_content_words(reference: ReferenceSet) -> bool:
    """Return whether a set links content words, but at most three quarters of the function words.

    It is computed from the tags, on the sentences with links; without tags it is false.
    """
    if reference.trees is None:
        return False
    linked = np.repeat(reference.references.informative, np.diff(reference.references.offsets))
    shares = []
    for tags in (_CONTENT, _FUNCTION):
        chosen = linked & reference.trees.upos.where(tags.__contains__)
        shares.append(reference.references.aligned[chosen].mean() if chosen.any() else np.nan)
    return bool(shares[0] >= _NEARLY_ALL and shares[1] <= _MOST)


def _standard(reference: ReferenceSet) -> Bools:
    """Return which sentences are marked as standard translations; bool[S]."""
    comments = reference.trees.comments if reference.trees else [()] * len(reference)
    standard = [comment_value(lines, "translation") == "standard" for lines in comments]
    return np.array(standard, dtype=bool)


def findings_of(reference: ReferenceSet, checks: Sequence[str]) -> list[Finding]:
    """Return the findings of these checks, by sentence and in the order of the checks.

    A sentence without links is reported as such and by no other guideline check.
    """
    findings = []
    for check in checks:
        of, level = CHECKS[check], level_of(check, reference)
        sentences = (reference.target or []) if "target" in of.needs else reference.source
        for s, *where in of.find(reference):
            positions, block = (*where, ())[:2]
            words = tuple(sentences[s][i] for i in positions)
            findings.append(Finding(s, check, positions, words, block, level))
    return sorted(findings, key=lambda finding: (finding.sentence, checks.index(finding.check)))


def _no_links(reference: ReferenceSet) -> Iterator[WordsAt]:
    for s in np.flatnonzero(~reference.references.informative).tolist():
        yield s, ()


def _repeated_ids(reference: ReferenceSet) -> Iterator[WordsAt]:
    seen: set[str] = set()
    for s, tree in enumerate(reference.trees or ()):
        if tree.sentence_id in seen:
            yield s, ()
        elif tree.sentence_id:
            seen.add(tree.sentence_id)


def _unaligned_source(reference: ReferenceSet) -> Iterator[WordsAt]:
    return _marked(content_words(reference) & ~reference.references.aligned, reference)


def content_words(reference: ReferenceSet) -> Bools:
    """Return the source tokens that should be aligned: all but articles and punctuation; bool[N].

    Articles are the English ones tagged DET, and punctuation is tagged PUNCT. Without tags,
    articles go by the word, and punctuation is a word of punctuation characters alone. German,
    French and Arabic have nothing for the English auxiliary *do*, which is tagged AUX, and Arabic
    nothing for *be* in the present.
    """
    words = [word for sentence in reference.source for word in sentence]
    trees = reference.trees
    if trees is not None and set(trees.upos.names) - {"_", ""}:
        empty = {"DET": ARTICLES, "AUX": _NO_WORD.get(reference.languages, frozenset())}
        content = [
            tag != "PUNCT" and word.lower() not in empty.get(tag, ())
            for word, tag in zip(words, trees.upos, strict=True)
        ]
    else:
        content = [
            word.lower() not in ARTICLES
            and not all(unicodedata.category(c).startswith("P") for c in word)
            for word in words
        ]
    return np.array(content, dtype=bool)


def _separate(reference: ReferenceSet) -> Iterator[WordsAt]:
    """Find source tokens that are aligned to target words that are not adjacent."""
    token, links = _source_tokens(reference), reference.alignments
    # Sorted by token and target, neighbours of one token must not be more than one step apart.
    order = np.lexsort((links.target, token))
    apart = (np.diff(token[order]) == 0) & (np.diff(links.target[order]) > 1)
    marked = np.zeros(reference.references.offsets[-1], dtype=bool)
    marked[token[order][1:][apart]] = True
    return _marked(marked, reference)


def _source_tokens(reference: ReferenceSet) -> Longs:
    """Return the source token of every link, counted through the whole set; int64[L]."""
    links, starts = reference.alignments, reference.references.offsets[:-1]
    return np.repeat(starts, np.diff(links.offsets)) + links.source


def _target_tokens(reference: ReferenceSet) -> Longs:
    """Return the target token of every link, counted through the whole set; int64[L]."""
    links, starts = reference.alignments, offsets_of(map(len, reference.target or ()))[:-1]
    return np.repeat(starts, np.diff(links.offsets)) + links.target


def _only_punctuation(reference: ReferenceSet) -> Iterator[WordsAt]:
    """Find nouns, verbs and adjectives whose links all go to punctuation."""
    of_letters, target_of_letters = (
        np.array([any(map(str.isalnum, word)) for words in sentences for word in words], dtype=bool)
        for sentences in (reference.source, reference.target or ())
    )
    marked = reference.references.aligned & content_words(reference) & of_letters
    if reference.trees is not None:
        marked &= reference.trees.upos.where(_CONTENT.__contains__)
    to_letters = target_of_letters[_target_tokens(reference)]
    marked[_source_tokens(reference)[to_letters]] = False
    return _marked(marked, reference)


def _unaligned_target(reference: ReferenceSet) -> Iterator[WordsAt]:
    offsets = offsets_of(map(len, reference.target or []))
    alone = np.ones(offsets[-1], dtype=bool)
    alone[_target_tokens(reference)] = False
    return _marked(alone, reference, offsets)


def _marked(
    marked: Bools, reference: ReferenceSet, offsets: Offsets | None = None
) -> Iterator[WordsAt]:
    """Yield the marked words (source words without `offsets`) of every sentence with links."""
    offsets = reference.references.offsets if offsets is None else offsets
    for s in np.flatnonzero((sums(marked, offsets) > 0) & reference.references.informative):
        yield int(s), tuple(np.flatnonzero(marked[offsets[s] : offsets[s + 1]]).tolist())


def _distant_ties(reference: ReferenceSet) -> Iterator[WordsAt]:
    """Find words tied to one target word (not verb and particle) with aligned words in between."""
    for s, order in enumerate(reference.references):
        tree = reference.trees[s] if reference.trees is not None else None
        for group in order:
            tied = [i for i in group if order.aligned[i] and not _own_particle(tree, i, group)]
            between = range(min(tied, default=0), max(tied, default=0))
            if any(order.aligned[i] and i not in group for i in between):
                yield s, tuple(tied)


def _own_particle(tree: Tree | None, word: int, group: Sequence[int]) -> bool:
    """Return whether a word is the particle of a verb of the group."""
    if tree is None or tree.heads[word] not in group:
        return False
    label = tree.labels[word]
    return label == "compound:prt" or (label == "advmod" and tree.words[word].lower() in _PARTICLES)


def _mixed_kinds(reference: ReferenceSet) -> Iterator[WordsAt]:
    """Yield sentences that mix standard and alignment-oriented translations.

    Either they are marked as standard in a set where others are not, or the first translation links
    content words that a further one does not.
    """
    marked = _standard(reference)
    for s in np.flatnonzero(marked).tolist() if not marked.all() else []:
        yield s, ()
    content, offsets = content_words(reference), reference.references.offsets
    for s in np.flatnonzero(~marked).tolist() if reference.alternatives else []:
        part = slice(offsets[s], offsets[s + 1])
        orders = [order.aligned for order in reference.orders_of(s)]
        lost = content[part] & orders[0] & ~np.logical_and.reduce(orders)
        if lost.any():
            yield s, tuple(np.flatnonzero(lost).tolist())


def _torn(reference: ReferenceSet) -> Iterable[WordsAt]:
    if reference.trees is None:
        return ()
    return _marked(torn_subtrees(reference.trees, reference.references), reference)


def torn_subtrees(trees: Treebank, references: ReferenceOrders) -> Bools:
    """Return the heads of subtrees that cannot be contiguous in the reference order; bool[N].

    Ties are resolved in favour of the subtree. So a subtree is torn if a word outside it has a rank
    between the lowest and the highest rank of its words.
    """
    torn = np.zeros(len(trees.words), dtype=bool)
    for tree, (start, stop) in zip(trees, itertools.pairwise(trees.offsets.tolist()), strict=True):
        ranks, inside = references.ranks[start:stop], subtrees(tree.heads)
        lowest = np.where(inside, ranks, len(tree)).min(axis=1, initial=len(tree))
        highest = np.where(inside, ranks, -1).max(axis=1, initial=-1)
        between = (ranks > lowest[:, None]) & (ranks < highest[:, None])
        torn[start:stop] = (between & ~inside).any(axis=1)
    return torn


def _unlisted(reference: ReferenceSet) -> Iterator[FreePlace]:
    return _unsettled(reference, reference.free or [], listed_blocks(reference))


def _unmarked(reference: ReferenceSet) -> Iterator[FreePlace]:
    return _unsettled(reference, listed_blocks(reference), reference.free or [])


def _unsettled(
    reference: ReferenceSet, some: Sequence[Sequence[Block]], others: Sequence[Sequence[Block]]
) -> Iterator[FreePlace]:
    """Yield the free blocks that are not among the others and that no exception explains."""
    for s, settled in enumerate(reference.exceptions or [()] * len(some)):
        for block in some[s]:
            if block not in {*others[s], *settled}:
                yield s, tuple(range(block[0][0], block[-1][1] + 1)), block


@dataclass(frozen=True)
class _Check:
    """A check: its level, the function that makes it, and what a set needs for it.

    A check that needs a `target` finds words of the target, all others words of the source. One
    that needs a `translation` shows the target, but finds source words. A check `of_words` looks at
    the words alone, not at the links.
    """

    level: Level
    find: Callable[[ReferenceSet], Iterable[WordsAt] | Iterable[FreePlace]]
    needs: tuple[Literal["trees", "target", "translation", "free"], ...] = ()
    of_words: bool = False


CHECKS = {
    "no links": _Check("structure", _no_links),
    "repeated sentence id": _Check("structure", _repeated_ids, ("trees",), of_words=True),
    "unaligned content words": _Check("guideline", _unaligned_source),
    "separate target spans": _Check("guideline", _separate),
    "linked to punctuation alone": _Check("guideline", _only_punctuation, ("trees", "translation")),
    "unaligned target words": _Check("guideline", _unaligned_target, ("target",)),
    "ties over a distance": _Check("guideline", _distant_ties),
    "mixed kinds of translation": _Check("guideline", _mixed_kinds),
    "subtrees torn apart": _Check("information", _torn, ("trees",)),
    "free order not in the list": _Check("information", _unlisted, ("trees", "target", "free")),
    "listed free order not marked": _Check("information", _unmarked, ("trees", "target", "free")),
}
_OF_LINKED = ("unaligned content words", "unaligned target words")
