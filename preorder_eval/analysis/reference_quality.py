"""What a reference set's alignments leave to be wished for.

The guidelines of Talbot et al. (2011, section 3.1) can be checked: all source words are aligned
but articles and punctuation; no source word is aligned to separate stretches of the target; every
target word is aligned to some source word. They are made for translations meant for alignment;
a translation made as usual breaks them, and its set is held to its structure only: one whose
sentences say `# translation = standard` in their comments, or that is checked for its structure.

A reference order in which a phrase of the gold tree does not stay together is no fault: it is
counted for information, because rules that move whole subtrees cannot reach such an order.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from preorder_eval.analysis.reference_consistency import (
    cut_two_ways,
    distant_ties,
    near_duplicates,
)
from preorder_eval.analysis.reference_habits import Place, unusual_links, unusual_orders
from preorder_eval.analysis.torn_subtrees import torn_subtrees
from preorder_eval.data.arrays import Bools, offsets_of, sums, within
from preorder_eval.data.reference_set import ReferenceSet
from preorder_eval.data.treebank import comment_value

ARTICLES = frozenset({"a", "an", "the"})

Level = Literal["structure", "guideline", "information"]

# Every check with its level; only the first two levels are warnings.
CHECKS: dict[str, Level] = {
    "no links": "structure",
    "repeated sentence id": "structure",
    "unaligned content words": "guideline",
    "separate target stretches": "guideline",
    "unaligned target words": "guideline",
    "ties over a distance": "guideline",
    "near-duplicates": "guideline",
    "strings cut in two ways": "information",
    "subtrees torn apart": "information",
    "phrases ordered unlike elsewhere": "information",
    "words linked unlike elsewhere": "information",
}

# Those that links have nothing to do with.
OF_WORDS = frozenset({"repeated sentence id", "near-duplicates", "strings cut in two ways"})
_OF_TREES = {
    "repeated sentence id",
    "subtrees torn apart",
    "phrases ordered unlike elsewhere",
    "words linked unlike elsewhere",
}


@dataclass(frozen=True)
class Finding:
    """What one check finds in one sentence.

    `sentence` is 0-based; `positions` are the 0-based positions of the words concerned, in the
    target for unaligned target words and in the source otherwise, and `words` these words.
    """

    sentence: int
    check: str
    positions: tuple[int, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def level(self) -> Level:
        """Whether it concerns the structure or a guideline, or is for information."""
        return CHECKS[self.check]

    @property
    def is_warning(self) -> bool:
        """Whether it is something to mend."""
        return self.level != "information"

    @property
    def count(self) -> int:
        """How many words it concerns; 1 where it concerns the sentence as a whole."""
        return max(1, len(self.positions))


def checks_for(reference: ReferenceSet, *, structure_only: bool = False) -> list[str]:
    """The checks that can be made on a set: not all have sentence ids, translations and trees.

    >>> from preorder_eval.formats.reference_folder import load_reference
    >>> checks_for(load_reference("en-ja"), structure_only=True)
    ['no links', 'repeated sentence id']
    """
    structure_only = structure_only or _is_standard(reference)
    impossible = set()
    if reference.trees is None:
        impossible |= _OF_TREES
    if reference.target is None:
        impossible |= {"unaligned target words", "strings cut in two ways"}
    return [
        check
        for check, level in CHECKS.items()
        if check not in impossible and (level == "structure" or not structure_only)
    ]


def _is_standard(reference: ReferenceSet) -> bool:
    """Whether the translations say of themselves that they were not made for alignment."""
    comments = reference.trees.comments if reference.trees else ()
    return bool(comments) and all(comment_value(c, "translation") == "standard" for c in comments)


def check_reference(reference: ReferenceSet, *, structure_only: bool = False) -> list[Finding]:
    """What the checks find, by sentence and in the order of `CHECKS`.

    A sentence without links is reported as such and by no other guideline check.

    >>> from preorder_eval.formats.reference_folder import load_reference
    >>> any(finding.is_warning for finding in check_reference(load_reference("en-ja")))
    False
    """
    return findings_of(reference, checks_for(reference, structure_only=structure_only))


def findings_of(reference: ReferenceSet, checks: Sequence[str]) -> list[Finding]:
    """What these checks find, by sentence and in the order of the checks."""
    findings = [finding for check in checks for finding in _FINDERS[check](reference, check)]
    return sorted(findings, key=lambda finding: (finding.sentence, checks.index(finding.check)))


def _no_links(reference: ReferenceSet, check: str) -> Iterator[Finding]:
    for s in np.flatnonzero(~reference.references.informative).tolist():
        yield Finding(s, check)


def _repeated_ids(reference: ReferenceSet, check: str) -> Iterator[Finding]:
    seen: set[str] = set()
    for s, tree in enumerate(reference.trees or ()):
        if tree.sentence_id in seen:
            yield Finding(s, check)
        elif tree.sentence_id:
            seen.add(tree.sentence_id)


def _unaligned_source(reference: ReferenceSet, check: str) -> Iterator[Finding]:
    unaligned = content_words(reference) & ~reference.references.aligned
    return _words(check, unaligned, reference, reference.source)


def _separate(reference: ReferenceSet, check: str) -> Iterator[Finding]:
    return _words(check, separate_stretches(reference), reference, reference.source)


def _unaligned_target(reference: ReferenceSet, check: str) -> Iterator[Finding]:
    target, links = reference.target or [], reference.alignments
    offsets = offsets_of(map(len, target))
    alone = np.ones(offsets[-1], dtype=bool)
    alone[links.target + np.repeat(offsets[:-1], np.diff(links.offsets))] = False
    return _words(check, alone, reference, target)


def _torn(reference: ReferenceSet, check: str) -> Iterator[Finding]:
    if reference.trees is not None:
        torn = torn_subtrees(reference.trees, reference.references)
        yield from _words(check, torn, reference, reference.source)


def _distant_ties(reference: ReferenceSet, check: str) -> Iterator[Finding]:
    for sentence, tied in distant_ties(reference):
        words = reference.source[sentence]
        yield Finding(sentence, check, tuple(tied), tuple(words[i] for i in tied))


def _near_duplicates(reference: ReferenceSet, check: str) -> Iterator[Finding]:
    pairs = reference.trees and [comment_value(c, "pair") for c in reference.trees.comments]
    for first, second, _ in near_duplicates(reference.source):
        if pairs and pairs[first] and pairs[first] == pairs[second]:
            continue  # Minimal pairs are meant to be alike.
        yield Finding(second, check, (first + 1,), ("of sentence",))


def _cut_two_ways(reference: ReferenceSet, check: str) -> Iterator[Finding]:
    target = reference.target or []
    rare = {min(ways, key=lambda way: way[1])[0]: text for text, ways in cut_two_ways(target)}
    for s, tokens in enumerate(target):
        for size in (1, 2, 3):
            for start in range(len(tokens) - size + 1):
                parts = tuple(tokens[start : start + size])
                if " ".join(parts) in rare:
                    yield Finding(s, check, tuple(range(start, start + size)), parts)


def _unusual_orders(reference: ReferenceSet, check: str) -> Iterator[Finding]:
    return _at(unusual_orders(reference), reference, check)


def _unusual_links(reference: ReferenceSet, check: str) -> Iterator[Finding]:
    return _at(unusual_links(reference), reference, check)


def _at(places: Iterable[Place], reference: ReferenceSet, check: str) -> Iterator[Finding]:
    for s, positions in places:
        words = reference.source[s]
        yield Finding(s, check, positions, tuple(words[i] for i in positions))


_FINDERS: dict[str, Callable[[ReferenceSet, str], Iterable[Finding]]] = {
    "no links": _no_links,
    "repeated sentence id": _repeated_ids,
    "unaligned content words": _unaligned_source,
    "separate target stretches": _separate,
    "unaligned target words": _unaligned_target,
    "ties over a distance": _distant_ties,
    "near-duplicates": _near_duplicates,
    "strings cut in two ways": _cut_two_ways,
    "subtrees torn apart": _torn,
    "phrases ordered unlike elsewhere": _unusual_orders,
    "words linked unlike elsewhere": _unusual_links,
}


def _words(
    check: str, marked: Bools, reference: ReferenceSet, sentences: Sequence[Sequence[str]]
) -> Iterator[Finding]:
    """A finding for every sentence with links that has marked words."""
    offsets = offsets_of(map(len, sentences))
    places = within(offsets)
    informative = reference.references.informative
    for s in np.flatnonzero((sums(marked, offsets) > 0) & informative).tolist():
        part = slice(offsets[s], offsets[s + 1])
        positions: list[int] = places[part][marked[part]].tolist()
        yield Finding(s, check, tuple(positions), tuple(sentences[s][i] for i in positions))


def content_words(reference: ReferenceSet) -> Bools:
    """Which source tokens the guidelines want aligned: all but articles and punctuation; bool[N].

    Articles are the English ones, tagged DET, and punctuation is what is tagged PUNCT; without
    tags they go by the word, and punctuation is a word of punctuation characters alone.
    """
    article = [w.lower() in ARTICLES for words in reference.source for w in words]
    trees = reference.trees
    if trees is not None and set(trees.upos.names) - {"_", ""}:
        tags = list(trees.upos)
        content = [
            tag != "PUNCT" and not (tag == "DET" and is_article)
            for tag, is_article in zip(tags, article, strict=True)
        ]
    else:
        words = (w for sentence in reference.source for w in sentence)
        content = [
            not is_article and not all(unicodedata.category(c).startswith("P") for c in word)
            for word, is_article in zip(words, article, strict=True)
        ]
    return np.array(content, dtype=bool)


def separate_stretches(reference: ReferenceSet) -> Bools:
    """Which source tokens are aligned to target words that do not stand together; bool[N]."""
    offsets, links = reference.references.offsets, reference.alignments
    token = links.source + np.repeat(offsets[:-1], np.diff(links.offsets))
    # Sorted by token and target, neighbours of one token must not be more than one step apart.
    order = np.lexsort((links.target, token))
    apart = (np.diff(token[order]) == 0) & (np.diff(links.target[order]) > 1)
    marked = np.zeros(offsets[-1], dtype=bool)
    marked[token[order][1:][apart]] = True
    return marked
