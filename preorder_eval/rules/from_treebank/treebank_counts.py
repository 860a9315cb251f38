"""How often one kind of item stands before another in a treebank, by kind of head.

A head and its children are its items, as in the rules. A child's kind is its label. A label is
divided into several kinds where their word order differs: possessive pronouns, genitives, relative
clauses, particles, phrases of time. Heads are main verbs, those with an auxiliary, verbs of
subordinate clauses, nouns and others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from preorder_eval.base.arrays import Bools, Longs, in_order, within
from preorder_eval.rules.conditions import HEAD
from preorder_eval.trees.schemes import base_label
from preorder_eval.trees.treebank import Treebank

VERBAL = ("VERB", "AUX")
NOMINAL = ("NOUN", "PROPN", "PRON", "NUM", "SYM", "X", "DET")
OTHERS = ("ADJ", "ADV", "ADP", "CCONJ", "SCONJ", "PART", "INTJ", "PUNCT")
SUBORDINATE = ("acl", "advcl", "csubj", "ccomp", "xcomp")
# Each kind of head with its tags, and the labels that it is itself attached by.
GROUPS = {
    "verbs": (VERBAL, ()),
    "verbs with auxiliary": (VERBAL, ()),
    "subordinate verbs": (VERBAL, SUBORDINATE),
    "nouns": (NOMINAL, ()),
    "other heads": (OTHERS, ()),
}
CLASSES = np.array([0, 0, 0, 1, 2])  # verbs, nouns, others
POSSESSIVE = ("PRON", "DET", "ADJ")  # tags of a possessive that is a pronoun
OF, GENITIVE = "of", "Case=Gen"  # what English marks a genitive with, and other languages
TIME = ("obl:tmod", "obl:unmarked", "obl:npmod")
KINDS = (
    *(HEAD, "conj", "flat", "nsubj", "csubj", "expl", "obj", "iobj", "obl", "advmod", "advcl"),
    *("ccomp", "xcomp", "aux", "cop", "mark", "case", "clf", "det", "nummod", "amod", "compound"),
    *(
        "nmod",
        "acl",
        "appos",
        "compound:prt",
        "acl:relcl",
        "nmod:poss",
        "poss",
        "obl:tmod",
        "genitive",
    ),
)
# Parts of verbs and reduplication: not what English calls a compound.
_WITH_VERB = {f"compound:{kind}" for kind in ("lvc", "svc", "dir", "ext", "vo", "vv", "redup", "a")}
# Of *five* in *five hundred*, under a numeral; parsers take *hundred* in *two hundred five million*
# for an adverb.
NUMERAL_PARTS = ("compound", "nummod", "flat", "advmod")
NUMBER = {kind: number for number, kind in enumerate(KINDS)}
RARE = 0.002  # of all children
ENOUGH = 20  # examples: fewer show nothing
BEFORE, ACROSS, BEHIND = range(3)  # where two items stand: both before the head, …
PLACE_NAMES = ("before", "across", "behind")
PLACES = {BEFORE: (-1, -1), ACROSS: (-1, 1), BEHIND: (1, 1)}  # the sides of each


def kind_of(tag: str, label: str, possessive: bool) -> int:
    """Return the number of a child's kind in `KINDS`; -1 if it never moves by itself."""
    base = base_label(label)
    own = label in ("nmod:poss", "det:poss") or (possessive and base in ("det", "nmod", "amod"))
    if tag in POSSESSIVE and own:
        return NUMBER["poss"]
    if label in TIME:
        return NUMBER["obl:tmod"]
    if label in _WITH_VERB:
        return -1
    return NUMBER.get(label, NUMBER.get(base, -1))


def kinds_of(treebank: Treebank) -> Longs:
    """Return the kind of every token as a child; int64[N]. Parts of numerals never move: -1."""
    tags, labels = treebank.upos, treebank.labels
    own = treebank.feats.where(lambda feats: "Poss=Yes" in feats.split("|"))
    table = np.array(
        [
            [[kind_of(tag, label, poss) for poss in (False, True)] for label in labels.names]
            for tag in tags.names
        ]
    )
    kinds: Longs = table[tags.codes, labels.codes, own.astype(np.int64)]
    number = tags.where("NUM".__eq__)
    part = number & number[treebank.parents] & labels.where(_is_numeral_part)
    kinds = np.where(part | labels.where(_contrary(treebank).__contains__), -1, kinds)
    return np.where(_genitives(treebank), NUMBER["genitive"], kinds)


def _is_numeral_part(label: str) -> bool:
    return base_label(label) in NUMERAL_PARTS


def _genitives(treebank: Treebank) -> Bools:
    """Return which nouns modify another as a genitive: with *of*, or by their case alone."""
    plain = treebank.labels.where(
        lambda label: base_label(label) == "nmod" and label != "nmod:poss"
    )
    adposition = (treebank.heads >= 0) & treebank.labels.where(
        lambda label: base_label(label) == "case"
    )
    of = adposition & treebank.lower_words.where(OF.__eq__)
    with_adposition, with_of = (np.zeros(len(plain), dtype=bool) for _ in range(2))
    with_adposition[treebank.parents[adposition]] = True
    with_of[treebank.parents[of]] = True
    genitive = treebank.feats.where(lambda feats: GENITIVE in feats.split("|"))
    return plain & (with_of | (genitive & ~with_adposition))


def _contrary(treebank: Treebank) -> set[str]:
    """Return the subtypes that prefer the other side of their head than their label does.

    Clitic auxiliaries, for example, do not show where other auxiliaries stand.
    """
    names, codes = treebank.labels.names, treebank.labels.codes
    child = treebank.heads >= 0
    first = child & (treebank.heads > within(treebank.offsets))
    counts = [np.bincount(codes[one], minlength=len(names)) for one in (first, child & ~first)]
    sides = dict(zip(names, np.stack(counts, axis=1).tolist(), strict=True))
    contrary = set()
    for label, (one, two) in sides.items():
        base = base_label(label)
        if label == base or label in (*NUMBER, *TIME) or base not in sides:
            continue
        before, behind = sides[base]
        if min(one + two, before + behind) >= ENOUGH and (one > two) != (before > behind):
            contrary.add(label)
    return contrary


def groups_of(treebank: Treebank) -> Longs:
    """Return the kind of head that every token is, by its number in `GROUPS`; int64[N]."""
    under = treebank.labels.where(lambda label: base_label(label) in SUBORDINATE)
    auxiliary = treebank.labels.where(lambda label: base_label(label) == "aux")
    helped = np.zeros(len(under), dtype=bool)
    helped[treebank.parents[auxiliary]] = True
    verbal = treebank.upos.where(VERBAL.__contains__)
    nominal = treebank.upos.where(NOMINAL.__contains__)
    return np.where(verbal, np.where(under, 2, helped), np.where(nominal, 3, 4))


@dataclass(frozen=True, eq=False)
class TreebankCounts:
    """How often items stand in which order in a treebank of so many `words`.

    `pairs` int64[5, K, K, 3] counts, under each kind of head (`GROUPS`), how often an item of one
    kind (`KINDS`) stands anywhere before an item of another kind: both before the head, on either
    side of it, or both behind it.
    """

    pairs: Longs
    words: int

    @classmethod
    def of(cls, treebank: Treebank) -> TreebankCounts:
        """Count the pairs of items of a treebank.

        >>> import preorder_eval as pe
        >>> from preorder_eval.base.resources import bundled
        >>> file = bundled("reference_data") / "en-ja" / "source.conllu"
        >>> before, behind = TreebankCounts.of(pe.read_conllu(file)).sides[KINDS.index("obj")]
        >>> bool(before < behind)  # English objects follow their verbs
        True
        """
        kind, group = kinds_of(treebank), groups_of(treebank)
        child = np.flatnonzero((treebank.heads >= 0) & (kind >= 0))
        heads = np.unique(treebank.parents[child])
        # The items of all heads, each head among its own, sorted by head and position.
        head = np.concatenate([treebank.parents[child], heads])
        token = np.concatenate([child, heads])
        order = in_order(head, token)
        head, token = head[order], token[order]
        side = np.sign(token - head)
        kinds = np.where(side == 0, 0, kind[token])
        pairs = np.zeros((len(GROUPS), len(KINDS), len(KINDS), 3), dtype=np.int64)
        first, distance = np.arange(len(head)), 0
        while first.size:  # at distance 1, then 2, …
            distance += 1
            first = first[first + distance < len(head)]
            first = first[head[first] == head[first + distance]]
            second = first + distance
            place = place_of(side[first], side[second])
            np.add.at(pairs, (group[head[first]], kinds[first], kinds[second], place), 1)
        return cls(pairs, len(treebank.words))

    @classmethod
    def of_english(cls) -> TreebankCounts:
        """Return the bundled counts of English: those of the training split of EWT."""
        pairs = np.zeros((len(GROUPS), len(KINDS), len(KINDS), 3), dtype=np.int64)
        groups, words = list(GROUPS), 0
        for group, first, second, place, count in shipped_table("english"):
            if group == "all words":
                words = int(count)
            else:
                at = groups.index(group), NUMBER[first], NUMBER[second], PLACE_NAMES.index(place)
                pairs[at] = int(count)
        return cls(pairs, words)

    @cached_property
    def sides(self) -> Longs:
        """How often each kind stands before its head, and behind it; int64[K, 2]."""
        every = self.pairs.sum(axis=(0, 3))
        return np.stack([every[:, 0], every[0]], axis=1)

    @cached_property
    def known(self) -> Bools:
        """Whether a kind is common enough to show where it stands; bool[K]."""
        kinds = self.sides.sum(axis=1)
        common: Bools = kinds > RARE * max(int(kinds.sum()), 1)
        return common


def shipped_table(name: str) -> Iterator[list[str]]:
    """Yield the rows of a table that is shipped, without its comments and its header."""
    text = Path(__file__).with_name(f"{name}.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    yield from rows[1:]


def place_of(first: Longs, second: Longs) -> Longs:
    """Return the place of two items by their sides: before the head, across it, or behind it."""
    return np.where(second <= 0, BEFORE, np.where(first >= 0, BEHIND, ACROSS))
