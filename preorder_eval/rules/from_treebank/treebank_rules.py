"""Rules from a treebank of the target language, without a parallel sentence.

A treebank shows in which order its language puts a verb and its object, a noun and its adjective,
and so on. Items turn where the source language prefers the opposite order (`turning`), which is
written as rules with few pairs (`turning_pairs`). The languages with the most similar order of
heads and children are named, too: one of them may have rules already.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from preorder_eval.base.arrays import Longs
from preorder_eval.base.errors import FormatError
from preorder_eval.base.files.files import stem
from preorder_eval.base.tables import Caveat, Column, Form, Shown, Table
from preorder_eval.base.visible import quantity
from preorder_eval.rules.conditions import Slot
from preorder_eval.rules.from_treebank.preference_bars import Preference, preference_bars
from preorder_eval.rules.from_treebank.treebank_counts import (
    CLASSES,
    ENOUGH,
    GENITIVE,
    GROUPS,
    KINDS,
    NOMINAL,
    NUMBER,
    OF,
    OTHERS,
    VERBAL,
    TreebankCounts,
    shipped_table,
)
from preorder_eval.rules.from_treebank.turning import ALIKE, GAIN, Turning, find_turning
from preorder_eval.rules.from_treebank.turning_pairs import (
    KindPair,
    pairs_of_groups,
    rules_of_pairs,
)
from preorder_eval.rules.rule import Pair
from preorder_eval.rules.rule_set import FROM_TREEBANK, RuleSet
from preorder_eval.rules.rule_writing import format_rules
from preorder_eval.trees.conllu import read_conllu
from preorder_eval.trees.in_ud import in_ud, in_version_1, label_counts
from preorder_eval.trees.schemes import likely_scheme
from preorder_eval.trees.treebank import Treebank

_NEAREST, _SHOWN = 3, 5  # languages and labels that the verdict names
THIN = 200  # sentences: fewer show preferences only roughly
_OFTEN = 50  # children of a kind in each treebank, to say on which side they stand
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

    - `sentences` is the number of sentences of the target's treebank.
    - `net` is a share of all pairs of a child and its head: those that are probably turned rightly,
      minus those that are probably turned wrongly. It predicts `gain`.
    - `opposite` lists the kinds of children that stand mostly before their head in one language and
      mostly behind it in the other, of those with 50 children or more in both treebanks.
    - `english` tells whether English is the source, for which alone the gain can be predicted.
    - `nearest` lists the languages whose counts are shipped, the most similar first. Beside each is
      the mean difference, over the kinds of children, between the shares before their head.
    """

    rules: RuleSet
    pairs: list[TreebankPair]
    sentences: int
    net: float
    opposite: list[str]
    english: bool
    nearest: list[tuple[str, float]] = field(default_factory=list)

    @property
    def gain(self) -> float | None:
        """The gain in FRS to expect with an automatic parser; None unless English is the source."""
        return GAIN * self.net if self.english else None

    @property
    def own_warnings(self) -> list[Caveat]:
        if self.sentences >= THIN:
            return []
        only = f"The treebank has only {quantity(self.sentences, 'sentence')}"
        return [Caveat("thin", f"{only}, so its preferences are uncertain.")]

    @property
    def verdict(self) -> str:
        """The gain to expect, and the languages with the most similar word order."""
        pairs = quantity(len(self.pairs), "pair")
        parts = []
        if self.net >= ALIKE:
            if self.gain is None:
                parts.append(f"{pairs}. The gain can be predicted only if the source is English.")
            else:
                parts.append(
                    f"Expect {self.gain:+.2f} FRS over the source order (± 0.10). {pairs}."
                )
        else:
            if not self.opposite:
                parts.append("The two languages have similar word order: expect no gain.")
            elif self.pairs:
                parts.append(
                    f"Few preferences are reliable enough to invert the source order: {pairs}."
                )
            else:
                parts.append("No pair is reversed: no preference is reliable enough.")
            if self.opposite:
                parts.append(
                    f"The two languages put these on opposite sides of the head: {self._opposite}."
                )
        parts += [caveat.text for caveat in self.own_warnings]
        if self.nearest:
            near = ", ".join(f"{name} ({far:.2f})" for name, far in self.nearest[:_NEAREST])
            parts.append(f"Nearest languages: {near}.")
        return " ".join(parts)

    @property
    def _opposite(self) -> str:
        shown = ", ".join(self.opposite[:_SHOWN])
        more = len(self.opposite) - _SHOWN
        return f"{shown} and {more} more" if more > 0 else shown

    def tables(self) -> list[Table]:
        return [
            Table.of("pairs", _PAIRS, self.pairs),
            Table("languages", _LANGUAGES, [list(row) for row in self.nearest], only="json"),
        ]

    def view(self, whole: bool = False) -> list[Table]:
        pairs, languages = self.tables()
        pairs = replace(pairs, notes=_LEGEND)
        return [pairs, languages] if whole else [pairs.head(_TOP)] * bool(pairs.rows)

    def _drawn(self, form: Form, whole: bool, digits: int, caption: str = "") -> str:
        """Return the output; HTML also has bars of what both languages prefer, for all pairs."""
        drawn = super()._drawn(form, whole, digits, caption)
        if form != "html":
            return drawn
        turning = [
            one
            for one in self.pairs
            if one.pair.order == "first" and one.right is not None and any(one.target)
        ]
        preferences = [
            Preference(str(one.pair), one.heads, one.source, one.target, one.like)
            for one in turning
        ]
        return "\n\n".join(filter(None, [drawn, preference_bars(preferences)]))

    def _facts(self) -> dict[str, Any]:
        return {
            "rules": self.rules.name,
            "sentences": self.sentences,
            "net": self.net,
            "gain": self.gain,
            "opposite": self.opposite,
        }

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
_LEGEND = [
    "target, source: how often the language has the order that the pair makes, and the opposite",
    "right: probability that translations reverse the items",
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
    trees, file = _trees(treebank)
    target = TreebankCounts.of(trees)
    genitive = Slot(("nmod",), with_words=(OF,))
    if source_treebank is None:
        source, english = TreebankCounts.of_english(), True
    else:
        others, _ = _trees(source_treebank)
        source, english = TreebankCounts.of(others), False
        if OF not in others.lower_words.names:
            genitive = Slot(("nmod",), feats=(GENITIVE,))
    title = title or file
    of = f" ({quantity(len(trees), 'sentence')}, {target.words:,} words)"
    description = f"{FROM_TREEBANK} of the target language, not checked by a speaker: {title}{of}"
    turning = find_turning(target, source)
    found = pairs_of_groups(turning, source)
    rules, origin = rules_of_pairs(found, genitive)
    languages = re.match(r"([a-z]{2,3})-([a-z]{2,3})(?![a-z])", name)
    here, there = languages.groups() if languages else ("en" if english else "any", "any")
    rule_set = RuleSet(name, "ud", rules, description, here, there)
    pairs = [
        _evidence(rule.name, pair, *origin[rule.name, pair], target, source, turning)
        for rule in rules
        for pair in rule.pairs
        if (rule.name, pair) in origin
    ]
    net, opposite = turning.net(source), _opposite(target.sides, source.sides)
    return TreebankRules(
        rule_set, pairs, len(trees), net, opposite, english, nearest=_nearest(target)
    )


def _trees(treebank: str | Path | Treebank) -> tuple[Treebank, str]:
    """Return the trees of a treebank that shows how its language orders, and the file's name."""
    if isinstance(treebank, Treebank):
        trees, title = treebank, "a treebank"
    else:
        trees, title = in_ud(read_conllu(treebank), file=treebank), stem(treebank)
    unfit = _unfit(trees, int(TreebankCounts.of(trees).sides.sum()))
    if unfit:
        file = "the treebank" if isinstance(treebank, Treebank) else treebank
        raise FormatError(unfit, file=file, hint="give a treebank of UD")
    return trees, title


def _opposite(target: Longs, source: Longs) -> list[str]:
    """Return the kinds of children that two languages mostly put on opposite sides of the head.

    Each table has a row for each kind: how many stand before their head, and how many behind it.
    """
    often = (target.sum(axis=1) >= _OFTEN) & (source.sum(axis=1) >= _OFTEN)
    sides = [table[:, 0] > table[:, 1] for table in (target, source)]
    return [KINDS[kind] for kind in np.flatnonzero(often & (sides[0] != sides[1]))]


def _unfit(trees: Treebank, counted: int) -> str:
    """Return the reason why trees do not show the order of a language, or "".

    Parameters: `counted` how many children have a label that order depends on.
    """
    if len(trees) < _LEAST_TREES:
        few = quantity(len(trees), "sentence")
        return f"has {few}; at least {_LEAST_TREES} are needed to show the word order of a language"
    if old := in_version_1(label_counts(trees.labels)):
        return f"has {old}"
    best, fitting = likely_scheme(trees.labels, "ud")
    if best != "ud" or 2 * fitting < len(trees.words):
        looks = f"; it looks like {best.upper()}" if best != "ud" else ""
        return f"does not have UD labels{looks}"
    tagged = trees.upos.where((*VERBAL, *NOMINAL, *OTHERS).__contains__)
    if 2 * int(tagged.sum()) < len(trees.words):
        return "most words have no universal tag (UPOS, the fourth column)"
    if _LEAST_SHARE * len(trees.words) > counted:
        return "has too few labels that determine word order (nsubj, obj, case, …)"
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
    both = (sides.sum(axis=1) >= ENOUGH) & (others.sum(axis=1) >= ENOUGH)
    shares = [counts[both, 0] / counts[both].sum(axis=1) for counts in (sides, others)]
    return float(np.abs(shares[0] - shares[1]).mean()) if both.any() else float("nan")
