"""Rules from a treebank of the target language, without a parallel sentence.

A treebank shows in which order its language puts a verb and its object, a noun and its adjective,
and so on. Items turn where the source language prefers the opposite order (`turning`), which is
written as rules with few pairs (`turning_pairs`). The languages with the most similar order of
heads and children are named, too: one of them may have rules already.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.analysis.rules.treebank_counts import (
    CLASSES,
    GROUPS,
    KINDS,
    NOMINAL,
    NUMBER,
    OTHERS,
    VERBAL,
    TreebankCounts,
    shipped_table,
)
from preorder_eval.analysis.rules.turning import ALIKE, GAIN, Turning, find_turning
from preorder_eval.analysis.rules.turning_pairs import KindPair, pairs_of_groups, rules_of_pairs
from preorder_eval.data.arrays import Longs
from preorder_eval.data.treebank import Treebank
from preorder_eval.errors import FormatError
from preorder_eval.formats.conllu import read_conllu
from preorder_eval.formats.files import stem
from preorder_eval.formats.rule_writing import format_rules
from preorder_eval.reordering.labelling import in_ud, in_version_1, label_counts
from preorder_eval.reordering.rule import Pair
from preorder_eval.reordering.rule_set import FROM_TREEBANK, RuleSet
from preorder_eval.reordering.schemes import likely_scheme
from preorder_eval.tables import Column, Shown, Table
from preorder_eval.visible import quantity

_ENOUGH = 20  # children of a kind, to compare languages by
_NEAREST = 3
_LEAST_SHARE = 0.25  # of the words are children that show an order: half to nine tenths in UD
_LEAST_TREES = 20


@dataclass(frozen=True)
class TreebankPair:
    """A pair of the rule named `rule`, with the evidence for it under one kind of `heads`.

    `target` and `source` count how often each language has the items in the order that the pair
    makes, and how often in the other order. If the target's treebank hardly has these kinds of
    items, `like` names the kinds that were counted instead; otherwise it is empty. `right` is the
    probability that translations turn these items, None for a pair that turns nothing.
    """

    rule: str
    pair: Pair
    heads: str
    target: tuple[int, int]
    source: tuple[int, int]
    like: str
    right: float | None

    @property
    def note(self) -> str:
        """The comment behind the pair in the rule file."""
        if not any(self.target):
            return "mirrored" if self.pair.order == "reverse" else "as in the source"
        like = f", as {self.like}" if self.like else ""
        right = "" if self.right is None else f", right {self.right:.0%}"
        (one, two), (here, there) = self.target, self.source
        return f"{one} : {two}{like}, source {here} : {there}{right}"


@dataclass(frozen=True, eq=False)
class TreebankRules(Shown):
    """Rules from a treebank, the evidence for each of their `pairs`, and what to expect of them.

    `net` is a share of all pairs of a child and its head: those that are probably turned rightly,
    minus those that are probably turned wrongly. It predicts `gain`. `nearest` lists the languages
    whose counts are shipped, the most similar first. Beside each is the mean difference, over the
    kinds of children, between the shares that stand before their head.
    """

    rules: RuleSet
    pairs: list[TreebankPair]
    net: float
    nearest: list[tuple[str, float]] = field(default_factory=list)

    @property
    def gain(self) -> float:
        """The gain in FRS to expect with an automatic parser."""
        return GAIN * self.net

    @property
    def verdict(self) -> str:
        """The gain to expect, and the languages with the most similar word order."""
        near = ", ".join(f"{name} ({far:.2f})" for name, far in self.nearest[:_NEAREST])
        kin = f" Nearest languages: {near}." if near else ""
        pairs = quantity(len(self.pairs), "pair")
        if self.net < ALIKE:
            turned = f"Only what is nearly sure turns: {pairs}." if self.pairs else "Nothing turns."
            return f"These languages order alike: expect no gain. {turned}{kin}"
        return f"Expect {self.gain:+.2f} FRS over source order, give or take 0.10. {pairs}.{kin}"

    def tables(self) -> list[Table]:
        return [
            Table.of("pairs", _PAIRS, self.pairs),
            Table("languages", _LANGUAGES, [list(row) for row in self.nearest], only="json"),
        ]

    def view(self, whole: bool = False) -> list[Table]:
        pairs, languages = self.tables()
        return [pairs, languages] if whole else [pairs.head(_TOP)] * bool(pairs.rows)

    def _facts(self) -> dict[str, Any]:
        return {"rules": self.rules.name, "net": self.net, "gain": self.gain}

    def toml(self) -> str:
        """Return the rule file, every pair with the counts of both languages."""
        return format_rules(self.rules, {(one.rule, one.pair): one.note for one in self.pairs})


_TOP = 20
_PAIRS = [
    Column("pair", of=lambda one: str(one.pair), label=True),
    Column("heads"),
    Column("target", of=lambda one: "{} : {}".format(*one.target) if any(one.target) else ""),
    Column("source", of=lambda one: "{} : {}".format(*one.source) if any(one.source) else ""),
    Column("like", "counts of"),
    Column("right", format=".2f"),
]
_LANGUAGES = [Column("language", label=True), Column("difference", format=".2f")]


def rules_from_treebank(
    treebank: str | Path | Treebank,
    source_treebank: str | Path | Treebank | None = None,
    *,
    name: str = "learned",
    title: str = "",
) -> TreebankRules:
    """Make rules from a treebank of the target language, as `learn_rules` does.

    Parameters: `title` names the treebank in the description of the rules, by default its file.
    """
    target, file, sentences = _counts(treebank)
    english = source_treebank is None
    source = TreebankCounts.of_english() if source_treebank is None else _counts(source_treebank)[0]
    title = title or file
    of = f" ({quantity(sentences, 'sentence')}, {target.words:,} words)"
    description = f"{FROM_TREEBANK} of the target language, not checked by a speaker: {title}{of}"
    turning = find_turning(target, source)
    found = pairs_of_groups(turning, source)
    rules, origin = rules_of_pairs(found)
    languages = re.match(r"([a-z]{2,3})-([a-z]{2,3})(?![a-z])", name)
    here, there = languages.groups() if languages else ("en" if english else "any", "any")
    rule_set = RuleSet(name, "ud", rules, description, here, there)
    pairs = [
        _evidence(rule.name, pair, *origin[rule.name, pair], target, source, turning)
        for rule in rules
        for pair in rule.pairs
        if (rule.name, pair) in origin
    ]
    return TreebankRules(rule_set, pairs, turning.net(source), _nearest(target))


def _counts(treebank: str | Path | Treebank) -> tuple[TreebankCounts, str, int]:
    """Return the counts of a treebank, the name of its file, and its number of sentences."""
    file = None if isinstance(treebank, Treebank) else treebank
    trees = treebank if isinstance(treebank, Treebank) else read_conllu(treebank)
    trees = trees if file is None else in_ud(trees, file=file)
    counts = TreebankCounts.of(trees)
    unfit = _unfit(trees, int(counts.sides.sum()))
    if unfit:
        raise FormatError(unfit, file=file or "the treebank", hint="give a treebank of UD")
    return counts, "a treebank" if file is None else stem(file), len(trees)


def _unfit(trees: Treebank, counted: int) -> str:
    """Return why trees do not show how a language orders, or "".

    Parameters: `counted` how many children have a label that order depends on.
    """
    if len(trees) < _LEAST_TREES:
        few = quantity(len(trees), "sentence")
        return f"has {few}; it takes {_LEAST_TREES} to show how a language orders"
    if old := in_version_1(label_counts(trees.labels)):
        return f"has {old}"
    best, fitting = likely_scheme(trees.labels, "ud")
    if best != "ud" or 2 * fitting < len(trees.words):
        looks = f"; it looks like {best.upper()}" if best != "ud" else ""
        return f"is not labelled as UD does{looks}"
    tagged = trees.upos.where((*VERBAL, *NOMINAL, *OTHERS).__contains__)
    if 2 * int(tagged.sum()) < len(trees.words):
        return "lacks the universal tags of most words (UPOS, the fourth column)"
    if _LEAST_SHARE * len(trees.words) > counted:
        return "has too few labels that order depends on (nsubj, obj, case, …)"
    return ""


def _evidence(
    rule: str,
    pair: Pair,
    group: str,
    kinds: KindPair,
    target: TreebankCounts,
    source: TreebankCounts,
    turning: Turning,
) -> TreebankPair:
    """Return a pair with its evidence: counts under heads of its kind, of its class, or of all.

    The first of these with five examples is taken.
    """
    one, other = NUMBER[kinds.first[0]], NUMBER[kinds.second[0]]
    like = turning.target.like if 0 in (one, other) else turning.target.like_placed
    number = list(GROUPS).index(group)
    related = CLASSES[number] == CLASSES

    def counted(counts: TreebankCounts, first: int, second: int) -> tuple[int, int]:
        both = np.stack([counts.pairs[:, first, second], counts.pairs[:, second, first]])
        both = both.sum(axis=2)
        for found in (both[:, number], both[:, related].sum(axis=1), both.sum(axis=1)):
            if found.sum() >= 5:
                break
        return int(found[0]), int(found[1])

    stands_for = int(like[one]), int(like[other])
    same = stands_for[0] == stands_for[1]
    named = "" if stands_for == (one, other) else " and ".join(KINDS[k] for k in stands_for)
    sure = turning.probable[number, [other, one], [one, other]]
    cells = sure[turning.turns[number, [other, one], [one, other]]]
    return TreebankPair(
        rule,
        pair,
        group,
        (0, 0) if same else counted(target, *stands_for),
        (0, 0) if same else counted(source, one, other),
        "" if same else named,
        float(cells.max()) if cells.size else None,
    )


def _nearest(counts: TreebankCounts) -> list[tuple[str, float]]:
    """Return the languages of the shipped table, the most similar first."""
    tables: defaultdict[str, Longs] = defaultdict(lambda: np.zeros_like(counts.sides))
    for language, kind, before, behind in shipped_table("languages"):
        tables[language][NUMBER[kind]] = int(before), int(behind)
    far = {language: difference(counts.sides, sides) for language, sides in tables.items()}
    return sorted(
        ((name, share) for name, share in far.items() if not np.isnan(share)), key=lambda of: of[1]
    )


def difference(sides: Longs, others: Longs) -> float:
    """Return the mean difference of P(before its head), over the kinds that both have often.

    It is NaN if there is no such kind.

    >>> one = np.array([[90, 10], [10, 90], [1, 0]])
    >>> round(difference(one, np.array([[80, 20], [10, 90], [0, 9]])), 3)
    0.05
    """
    both = (sides.sum(axis=1) >= _ENOUGH) & (others.sum(axis=1) >= _ENOUGH)
    shares = [counts[both, 0] / counts[both].sum(axis=1) for counts in (sides, others)]
    return float(np.abs(shares[0] - shares[1]).mean()) if both.any() else float("nan")
