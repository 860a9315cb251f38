"""Constructions by parser: on which constructions the errors of a parser make rules fail.

A *cell* is a sentence of the bundled set `constructions` in one target language. A cell counts if
the rules of that language order it rightly with gold trees. If they fail with a parser's trees, the
parser is at fault. If trees were converted from ClearNLP, words on which that scheme differs from
UD (`trees.scheme_differences`) are taken from the gold trees, for all parsers alike. The three
sentences of a construction are alike, so tests draw whole constructions, not single sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import add
from typing import Any

import numpy as np

from preorder_eval.analysis.check_rules import CONSTRUCTIONS, EXACT
from preorder_eval.analysis.trees_and_orders import learned_by
from preorder_eval.base.arrays import Bools, Floats
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.progress import Progress, no_progress
from preorder_eval.base.resources import bundled_names
from preorder_eval.base.stats import Test
from preorder_eval.base.stats.bootstrap import clustered_wilson
from preorder_eval.base.stats.measurement import Measurement
from preorder_eval.base.stats.significance import compare_systems
from preorder_eval.base.tables import Caveat, Column, Shown, Table
from preorder_eval.evaluation.decision import DecidedDifference, Decision
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.systems import Rules, listed
from preorder_eval.parsers.load_parser import AnyParser
from preorder_eval.references.reference_files import target_languages
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.scheme_differences import without_differences
from preorder_eval.trees.schemes import base_label
from preorder_eval.trees.treebank import Treebank, comment_value

_PATTERN = 2  # of three sentences of a construction that are wrong
_SHORT = (
    "all sentences are short: they do not show how a parser attaches prepositional phrases in "
    "long sentences"
)


@dataclass(frozen=True, eq=False)
class ByParser(Shown):
    """The cells that rules order rightly with the trees of one or two parsers.

    - `names` are the P parsers, `languages` the L targets of the rules. `constructions` and
      `groups` name for each of the S `sentences` what it shows.
    - `gold` bool[L, S] marks the cells that count: the rules order them rightly with gold trees.
      `right` bool[P, L, S] marks those ordered rightly with each parser's trees.
    - `faults` lists for each parser and sentence the words with a wrong head or label.
    - `as_parsed` counts the cells that are right if words on which label schemes differ stay as
      they are. It is empty if no trees were converted.
    - `found` compares the second parser with the first, by constructions; None for one parser.
    - `learned` states what the parsers and rules learned from the constructions.
    """

    names: tuple[str, ...]
    languages: tuple[str, ...]
    constructions: tuple[str, ...]
    groups: tuple[str, ...]
    sentences: Sequence[Sequence[str]]
    gold: Bools
    right: Bools
    faults: Sequence[Sequence[Sequence[str]]]
    as_parsed: tuple[int, ...] = ()
    found: DecidedDifference | None = None
    learned: Sequence[Caveat] = ()

    @property
    def own_warnings(self) -> Sequence[Caveat]:
        return self.learned

    @property
    def counts(self) -> tuple[int, ...]:
        """How many of the cells that count are ordered rightly with each parser's trees."""
        return tuple(int((right & self.gold).sum()) for right in self.right)

    @property
    def verdict(self) -> str:
        cells = int(self.gold.sum())
        shares = [f"{count / max(1, cells):.0%}" for count in self.counts]
        of = "of the orders right that gold trees get right"
        if self.found is None:
            return f"{self.names[0]} gets {shares[0]} {of} ({self.counts[0]} of {cells})."
        (first, second), decision = self.names, self.found.decision
        gained = f"{self.counts[1] - self.counts[0]:+} of {cells}"
        change = f"{second} gets {shares[1]}, {first} {shares[0]} {of} ({gained}"
        if decision == Decision.SAME:
            return f"No difference between {first} and {second}: both get {shares[0]} {of}."
        if decision == Decision.CANNOT_BE_SHOWN:
            told = f"No difference between {first} and {second} can be shown"
            return f"{told}: {change}; {self.found.too_few()})."
        how = f"{decision.kind} than" if decision.kind else "differently from"
        told = f"{second} orders {how} {first}"
        if not decision.direction:
            told = f"{'Weak' if decision.weak else 'No'} evidence that {told}"
        return f"{told}: {change}, {self.found.sure}, tested by construction)."

    @property
    def for_paper(self) -> str:
        learned = (f" {caveat.text[0].upper()}{caveat.text[1:]}." for caveat in self.learned)
        return self.verdict + "".join(learned)

    @property
    def wrong(self) -> Bools:
        """The sentences wrong with each parser in half of the languages or more; bool[P, S]."""
        lost = (self.gold & ~self.right).sum(axis=1)
        wrong: Bools = (lost > 0) & (2 * lost >= self.gold.sum(axis=0))
        return wrong

    def _facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"parsers": self.names, "languages": self.languages}
        cells = int(self.gold.sum())
        facts |= {"cells": cells, "right": self.counts}
        if self.as_parsed:
            facts["right_as_parsed"] = self.as_parsed
        facts["shares"] = [count / max(1, cells) for count in self.counts]
        if self.found is not None:
            facts["gained"] = self.counts[1] - self.counts[0]
            facts["verdict"] = self.found.facts()
        return facts

    def tables(self) -> list[Table]:
        rows = []
        grouped: dict[str, list[int]] = {}
        for kind, group in dict(zip(self.constructions, self.groups, strict=True)).items():
            its = np.array([name == kind for name in self.constructions])
            counts = (self.wrong & its).sum(axis=1).tolist()
            numbers = [*counts, int(its.sum())]
            rows.append([kind, group, *numbers, *self._example(its, counts)])
            grouped[group] = list(map(add, grouped.get(group, [0] * len(numbers)), numbers))
        columns = [Column("construction", label=True), Column("group", label=True)]
        columns += [Column(("wrong", name), name) for name in self.names]
        columns += [Column("of"), Column("sentence"), Column("arcs")]
        shares = [Column(("right", name), interval=True, only="json") for name in self.names]
        groups = [[group, *numbers, *self._shares(group)] for group, numbers in grouped.items()]
        of_groups = [*columns[1:-2], *shares]
        return [Table("groups", of_groups, groups), Table("constructions", columns, rows)]

    def _shares(self, group: str) -> list[tuple[float, float, float] | None]:
        """Return for each parser the share of a group's cells that are right, by constructions."""
        its = np.array([name == group for name in self.groups])
        _, cluster = np.unique(np.array(self.constructions)[its], return_inverse=True)
        counts: Floats = np.bincount(cluster, weights=self.gold.sum(axis=0)[its]).astype(float)
        counted = counts > 0
        if not counted.any():
            return [None] * len(self.names)
        one_row = np.zeros(int(counted.sum()), dtype=np.int64)
        shares: list[tuple[float, float, float] | None] = []
        for right in (self.right & self.gold).sum(axis=1):
            hits: Floats = np.bincount(cluster, weights=right[its]).astype(float)
            [[low, high]] = clustered_wilson(hits[counted], counts[counted], one_row, 1).tolist()
            shares.append((float(hits.sum() / counts.sum()), low, high))
        return shares

    def _example(self, its: Bools, counts: Sequence[int]) -> tuple[str, str]:
        """Return a sentence with the most usual fault of the parser with more wrong sentences."""
        worst = int(np.argmax(counts))
        numbers = np.flatnonzero(self.wrong[worst] & its).tolist()
        faults = [(n, fault) for n in numbers for fault in self.faults[worst][n]]
        if not faults:
            return " ".join(self.sentences[numbers[0]]) if numbers else "", ""
        kinds = [fault.partition(": ")[2] for _, fault in faults]
        [(usual, times)] = Counter(kinds).most_common(1)
        n, fault = faults[kinds.index(usual)]
        return " ".join(self.sentences[n]), f"{fault} ({times})"

    def view(self, whole: bool = False) -> list[Table]:
        groups, constructions = self.tables()
        letters = dict(zip(self.names, "AB" if self.found else self.names, strict=False))
        for name, letter in letters.items():
            groups = groups.change(("wrong", name), heading=letter)
        wrong = [any(row[1 : 1 + len(self.names)]) for row in groups.rows]
        groups = groups if whole else groups.where(wrong)
        title = "Sentences wrong in at least half of the languages"
        patterns = []
        for construction, _, *counts, _, sentence, arcs in constructions.rows:
            if max(counts) >= _PATTERN and (len(counts) == 1 or max(counts) - min(counts) >= 2):
                whose = list(letters.values())[int(np.argmax(counts))] if self.found else ""
                times = f"{whose} {':'.join(map(str, counts))}".strip()
                patterns.append([times, construction, sentence, arcs])
        listed = {row[1] for row in patterns}
        singly = sum(
            bool(self.wrong[:, s].any()) and name not in listed
            for s, name in enumerate(self.constructions)
        )
        columns = [Column("wrong", label=True), Column("construction", label=True)]
        columns += [Column("sentence", label=True), Column("arcs", "arcs at fault", label=True)]
        more = ", at least 2 more than with the other parser" if self.found else ""
        notes = [
            f"{singly} more sentence{'s' * (singly != 1)} with isolated errors, possibly chance"
        ]
        notes += [f"{b}: {a}" for a, b in letters.items()] if self.found else []
        if self.as_parsed:
            cells = max(1, int(self.gold.sum()))
            pairs = zip(letters.values(), self.as_parsed, strict=True)
            kept = ", ".join(f"{name} gets {count / cells:.0%} right" for name, count in pairs)
            notes.append(
                "words on which ClearNLP and UD differ have their gold annotation; as parsed, "
                f"{kept}"
            )
        notes.append(f"rules for {', '.join(self.languages)}; {_SHORT}")
        notes += [caveat.text for caveat in self.learned]
        heading = f"Constructions with 2 or 3 of 3 sentences wrong{more}"
        groups = replace(groups, title=title)
        if not patterns:
            return [replace(groups, notes=notes)]
        return [groups, Table("patterns", columns, patterns, heading, notes)]


def parser_check(
    parsers: AnyParser | Parsed | Sequence[AnyParser | Parsed],
    rules: Rules | Sequence[Rules] = (),
    *,
    resamples: int = 1000,
    seed: int = 0,
    test: Test = "randomization",
    progress: Progress = no_progress,
) -> ByParser:
    """Find out on which constructions rules fail with a parser's trees, or with which of two more.

    Parameters: `parsers` one or two, each a name, a path, a file with trees of the constructions, a
    parser in memory, or the constructions as `Parsed`; `rules` one or several rule sets whose
    targets are languages of the set, by default the bundled rules of all its languages. With two
    parsers `test` compares them, by `resamples` draws of whole constructions.

    Raises PreorderEvalError for more than two parsers and for rules of another target,
    UnknownNameError and FormatError.

    >>> import preorder_eval as pe
    >>> found = pe.parser_check("gold", "en-ja")
    >>> found.counts == (int(found.gold.sum()),)
    True
    """
    named = listed(parsers)
    if len(named) not in (1, 2):
        raise PreorderEvalError(f"{len(named)} parsers are named; give one or two")
    targets = target_languages(bundled_names("reference_data")[CONSTRUCTIONS])
    rule_sets = _rule_sets(listed(rules), targets)
    first = load_reference(f"{CONSTRUCTIONS}@{targets[0]}")
    gold_trees = first.trees
    if gold_trees is None:
        raise PreorderEvalError(f"{first.name} has no gold trees")
    parsed = [
        one if isinstance(one, Parsed) else Parsed.by(one, first, progress=progress)
        for one in named
    ]
    names = tuple(one.name for one in parsed)
    if len(set(names)) < len(names):
        raise PreorderEvalError(f"two parsers are called {names[0]}; rename one, as in NAME=FILE")
    trees = [[one.trees_for(rule_set) for one in parsed] for rule_set in rule_sets]
    as_parsed: tuple[int, ...] = ()
    if any(one.identity.get("converted") for one in parsed):
        cells, marks = _right_orders(rule_sets, gold_trees, trees)
        as_parsed = tuple((marks & cells).sum(axis=(1, 2)).tolist())
        trees = [[without_differences(own, gold_trees) for own in of_rules] for of_rules in trees]
    cells, marks = _right_orders(rule_sets, gold_trees, trees)
    learned = dict.fromkeys(
        caveat
        for rule_set in rule_sets
        for one in parsed
        for caveat in learned_by(
            load_reference(f"{CONSTRUCTIONS}@{rule_set.target}"), one.identity, rule_set
        )
    )
    constructions, groups = (
        tuple(comment_value(lines, key) or "" for lines in gold_trees.comments)
        for key in ("construction", "phenomenon")
    )
    found = None
    if len(parsed) == 2:
        how: dict[str, Any] = {"test": test, "resamples": resamples, "seed": seed}
        found = _decided(constructions, cells, marks, **how)
    return ByParser(
        names,
        tuple(rule_set.target for rule_set in rule_sets),
        constructions,
        groups,
        first.source,
        cells,
        marks,
        [_faults(own, gold_trees) for own in trees[-1]],
        as_parsed,
        found,
        [*learned],
    )


def _rule_sets(rules: Sequence[Rules], targets: Sequence[str]) -> list[RuleSet]:
    """Load rules, by default the bundled ones of all targets. Raises for those of another."""
    known = bundled_names("rules")
    usual = [f"en-{target}" for target in targets if f"en-{target}" in known]
    rule_sets = list(map(load_rules, rules or usual))
    for rule_set in rule_sets:
        if rule_set.target not in targets:
            raise PreorderEvalError(
                f"{rule_set.name} has target {rule_set.target or 'any'}; {CONSTRUCTIONS} has "
                f"{', '.join(targets)}"
            )
    return rule_sets


def _right_orders(
    rule_sets: Sequence[RuleSet], gold: Treebank, trees: Sequence[Sequence[Treebank]]
) -> tuple[Bools, Bools]:
    """Return which sentences each rule set orders rightly.

    By gold trees bool[R, S], and bool[P, R, S] by those of each parser, `trees` [R][P].
    """
    of_gold, right = [], []
    for rule_set, of_parsers in zip(rule_sets, trees, strict=True):
        data = load_reference(f"{CONSTRUCTIONS}@{rule_set.target}")
        for each in (gold, *of_parsers):
            rule_set.check(each)
        # All trees at once: what takes time is that rules have hundreds of conditions.
        orders = rule_set.reorder_unchecked(Treebank.joined([gold, *of_parsers]))
        exact = [
            EXACT.score(orders.part(first, first + len(gold)), data.allowed).sentence == 1
            for first in range(0, len(orders), len(gold))
        ]
        of_gold.append(exact[0])
        right.append(exact[1:])
    return np.array(of_gold), np.array(right).swapaxes(0, 1)


def _decided(
    constructions: Sequence[str], cells: Bools, marks: Bools, **how: Any
) -> DecidedDifference:
    """Test the difference of two parsers on the cells, by draws of whole constructions."""
    kinds = {name: n for n, name in enumerate(dict.fromkeys(constructions))}
    statistics = np.zeros((2, len(kinds), 2))  # how many cells are right, of how many
    for s, name in enumerate(constructions):
        statistics[:, kinds[name], 0] += (marks & cells)[:, :, s].sum(axis=1)
        statistics[:, kinds[name], 1] += cells[:, s].sum()
    share = Measurement(statistics, lambda sums: sums[..., 0] / np.maximum(sums[..., 1], 1))
    [[pair]] = compare_systems([share], higher_is_better=[True], **how)
    return DecidedDifference(pair.difference, units=(len(kinds), "construction"))


def _faults(parsed: Treebank, gold: Treebank) -> list[list[str]]:
    """Return for each sentence the words with a wrong head or label: `It: nsubj for expl`.

    If no head or label is wrong, return the words with a wrong tag, since rules also test tags, and
    the punctuation with a wrong head.
    """
    faults: list[list[str]] = []
    for tree, right in zip(parsed, gold, strict=True):
        main: list[str] = []
        others: list[str] = []
        for n, word in enumerate(right.words):
            label, wanted = base_label(tree.labels[n]), base_label(right.labels[n])
            if label != wanted:
                main.append(f"{word}: {label} for {wanted}")
            elif tree.heads[n] != right.heads[n]:
                (others if wanted == "punct" else main).append(f"{word}: head of {wanted}")
            elif tree.upos[n] != right.upos[n]:
                others.append(f"{word}: {tree.upos[n]} for {right.upos[n]}")
        faults.append(main or others)
    return faults
