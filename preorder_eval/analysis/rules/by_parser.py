"""Constructions by parser: on which of them a parser's errors make rules fail.

A *cell* is a sentence of the bundled set `constructions` in one target language. Those count that
the rules of the language have right with gold trees, so that what is wrong is the parser's. The
sentences of a construction are alike: tests draw constructions whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from preorder_eval.analysis.rules.constructions import CONSTRUCTIONS, EXACT
from preorder_eval.data.arrays import Bools, Floats, Longs
from preorder_eval.data.treebank import Treebank, comment_value
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.reference_files import target_languages
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.rule_reading import load_rules
from preorder_eval.parsers.loading import AnyParser
from preorder_eval.reordering.schemes import base_label
from preorder_eval.resources import bundled_names
from preorder_eval.results.decision import Decision, certainty, decided
from preorder_eval.results.parsed import Parsed
from preorder_eval.results.systems import Progress, Rules, listed, no_progress
from preorder_eval.stats import Test
from preorder_eval.stats.measurement import Measurement
from preorder_eval.stats.significance import Difference, compare_systems
from preorder_eval.tables import Column, Shown, Table
from preorder_eval.visible import quantity

_PATTERN = 2  # of three sentences of a construction that are wrong
_SHORT = (
    "all are short sentences: they do not show how a parser attaches prepositional phrases in long "
    "ones"
)


@dataclass(frozen=True, eq=False)
class ByParser(Shown):
    """What one or two parsers reach of the constructions that gold trees have right.

    `languages` L are the targets of the rules, `constructions` and `groups` those of S sentences.
    `gold` bool[L, S] marks the cells; `right` bool[P, L, S] those that the rules have right with
    the trees of each parser, `names`. `faults` lists for each parser and sentence the words whose
    head or label is wrong. `difference` is that of two parsers, None for one.
    """

    names: tuple[str, ...]
    languages: tuple[str, ...]
    constructions: tuple[str, ...]
    groups: tuple[str, ...]
    sentences: Sequence[Sequence[str]]
    gold: Bools
    right: Bools
    faults: Sequence[Sequence[Sequence[str]]]
    difference: Difference | None = None

    @property
    def counts(self) -> tuple[int, ...]:
        """The cells that each parser has right, of those of gold trees."""
        return tuple(int((right & self.gold).sum()) for right in self.right)

    @property
    def verdict(self) -> str:
        cells = int(self.gold.sum())
        shares = [f"{count / max(1, cells):.0%}" for count in self.counts]
        of = "of what gold trees have right"
        if self.difference is None:
            return f"{self.names[0]}: {shares[0]} {of} ({self.counts[0]} of {cells})."
        first, second = self.names
        decision = decided(self.difference)
        gained = self.counts[1] - self.counts[0]
        told = f"{second} orders {decision.kind} than {first}"
        if decision.weak:
            told = f"Weak evidence that {told}"
        if decision in (Decision.NO_EVIDENCE, Decision.CANNOT_BE_SHOWN):
            told = f"No evidence that {second} orders otherwise than {first}"
        if decision == Decision.SAME:
            return f"No difference between {first} and {second}: {shares[0]} {of}."
        sure = f"{gained:+} of {cells}, {certainty(self.difference)}, constructions drawn whole"
        return f"{told}: {shares[1]} against {shares[0]} {of} ({sure})."

    @property
    def wrong(self) -> Bools:
        """The sentences that each parser has wrong in half of the languages or more; bool[P, S]."""
        lost = (self.gold & ~self.right).sum(axis=1)
        wrong: Bools = (lost > 0) & (2 * lost >= self.gold.sum(axis=0))
        return wrong

    def _facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"parsers": self.names, "languages": self.languages}
        cells = int(self.gold.sum())
        facts |= {"cells": cells, "right": self.counts}
        facts["shares"] = [count / max(1, cells) for count in self.counts]
        if self.difference is not None:
            facts |= {"decision": str(decided(self.difference)), "p": self.difference.p}
        return facts

    def tables(self) -> list[Table]:
        wrong = self.wrong
        kinds = list(dict.fromkeys(self.constructions))
        group_of = dict(zip(self.constructions, self.groups, strict=True))
        rows = []
        for kind in kinds:
            its = np.array([name == kind for name in self.constructions])
            counts = (wrong & its).sum(axis=1).tolist()
            rows.append(
                [kind, group_of[kind], *counts, int(its.sum()), *self._example(its, counts)]
            )
        columns = [Column("construction", label=True), Column("group", label=True)]
        columns += [Column(("wrong", name), name) for name in self.names]
        columns += [Column("of"), Column("sentence"), Column("arcs")]
        grouped: dict[str, Longs] = {}
        for row in rows:
            numbers = np.array(row[2 : 3 + len(self.names)], dtype=np.int64)
            grouped[str(row[1])] = grouped.get(str(row[1]), 0) + numbers
        groups = [[group, *counts.tolist()] for group, counts in grouped.items()]
        return [
            Table("groups", [columns[1], *columns[2:-2]], groups),
            Table("constructions", columns, rows),
        ]

    def _example(self, its: Bools, counts: Sequence[int]) -> tuple[str, str]:
        """Return a sentence of a construction that one parser has wrong, and the usual fault."""
        worst = int(np.argmax(counts))
        numbers = np.flatnonzero(self.wrong[worst] & its).tolist()
        if not numbers:
            return "", ""
        faults = Counter(
            fault.partition(": ")[2] for n in numbers for fault in self.faults[worst][n]
        )
        if not faults:
            return " ".join(self.sentences[numbers[0]]), ""
        [(usual, times)] = faults.most_common(1)
        for n in numbers:
            shown = next((f for f in self.faults[worst][n] if f.partition(": ")[2] == usual), None)
            if shown is not None:
                return " ".join(self.sentences[n]), f"{shown} ({times})"
        return "", ""

    def view(self, whole: bool = False) -> list[Table]:
        groups, constructions = self.tables()
        letters = dict(zip(self.names, "AB" if self.difference else self.names, strict=False))
        for name, letter in letters.items():
            groups = groups.change(("wrong", name), heading=letter)
        groups = groups if whole else groups.where(any(row[1:-1]) for row in groups.rows)
        title = "Sentences wrong in half of the languages or more"
        patterns = []
        for construction, _, *counts, _, sentence, arcs in constructions.rows:
            if max(counts) >= _PATTERN and (len(counts) == 1 or max(counts) - min(counts) >= 2):
                whose = list(letters.values())[int(np.argmax(counts))] if self.difference else ""
                times = f"{whose} {':'.join(map(str, counts))}".strip()
                patterns.append([times, construction, sentence, arcs])
        listed = {row[1] for row in patterns}
        singly = sum(
            bool(self.wrong[:, s].any()) and name not in listed
            for s, name in enumerate(self.constructions)
        )
        columns = [Column("wrong", label=True), Column("construction", label=True)]
        columns += [Column("sentence", label=True), Column("arcs", "arcs at fault", label=True)]
        more = ", and 2 more than by the other" if self.difference else ""
        notes = [
            f"{quantity(singly, 'sentence')} besides wrong singly: chance is as likely as a pattern"
        ]
        notes += [f"{b}: {a}" for a, b in letters.items()] if self.difference else []
        notes.append(f"rules for {', '.join(self.languages)}; {_SHORT}")
        heading = f"Constructions wrong in 2 or 3 of 3{more}"
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
    """Find out on which constructions a parser makes rules fail, or which of two does so more.

    Parameters: `parsers` one or two: a name, a path, a file of trees of the constructions, a parser
    in memory, or the constructions `Parsed`; `rules` with targets among the set's languages, by
    default the bundled ones of all of them. The test draws constructions whole.

    Raises PreorderEvalError for more than two parsers and for rules of another target,
    UnknownNameError and FormatError.

    >>> found = parser_check("gold", "en-ja")
    >>> found.counts == (int(found.gold.sum()),)
    True
    """
    named = listed(parsers)
    if len(named) not in (1, 2):
        raise PreorderEvalError(f"{len(named)} parsers; give one or two")
    known = bundled_names("rules")
    targets = target_languages(bundled_names("reference_data")[CONSTRUCTIONS])
    usual = [f"en-{target}" for target in targets if f"en-{target}" in known]
    rule_sets = list(map(load_rules, listed(rules) or usual))
    for rule_set in rule_sets:
        if rule_set.target not in targets:
            raise PreorderEvalError(
                f"{rule_set.name} has target {rule_set.target or 'any'}; {CONSTRUCTIONS} has "
                f"{', '.join(targets)}"
            )
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
        raise PreorderEvalError(f"two parsers are called {names[0]}; name one, as in NAME=FILE")
    gold, right = [], []
    for rule_set in rule_sets:
        data = load_reference(f"{CONSTRUCTIONS}@{rule_set.target}")
        trees = [gold_trees, *(one.trees_for(rule_set) for one in parsed)]
        orders = map(rule_set.reorder, trees)
        found = [EXACT.score(order, data.allowed).sentence == 1 for order in orders]
        gold.append(found[0])
        right.append(found[1:])
    cells, marks = np.array(gold), np.array(right).swapaxes(0, 1)
    comments = gold_trees.comments
    constructions, groups = (
        tuple(comment_value(lines, key) or "" for lines in comments)
        for key in ("construction", "phenomenon")
    )
    difference = None
    if len(parsed) == 2:
        kinds = {name: n for n, name in enumerate(dict.fromkeys(constructions))}
        statistics = np.zeros((2, len(kinds), 2))
        for s, name in enumerate(constructions):
            statistics[:, kinds[name], 0] += (marks & cells)[:, :, s].sum(axis=1)
            statistics[:, kinds[name], 1] += cells[:, s].sum()
        [[pair]] = compare_systems(
            [Measurement(statistics, _share)],
            higher_is_better=[True], test=test, resamples=resamples, seed=seed,
        )  # fmt: skip
        difference = pair.difference
    return ByParser(
        names,
        tuple(rule_set.target for rule_set in rule_sets),
        constructions,
        groups,
        first.source,
        cells,
        marks,
        [_faults(one.trees_for(rule_sets[-1]), gold_trees) for one in parsed],
        difference,
    )


def _share(sums: Floats) -> Floats:
    shares: Floats = sums[..., 0] / np.maximum(sums[..., 1], 1)
    return shares


def _faults(parsed: Treebank, gold: Treebank) -> list[list[str]]:
    """Return for each sentence the words with a wrong head or label: `It: nsubj for expl`."""
    faults: list[list[str]] = []
    for tree, right in zip(parsed, gold, strict=True):
        of_sentence = []
        for n, word in enumerate(right.words):
            label, wanted = base_label(tree.labels[n]), base_label(right.labels[n])
            if label != wanted:
                of_sentence.append(f"{word}: {label} for {wanted}")
            elif tree.heads[n] != right.heads[n] and wanted != "punct":
                of_sentence.append(f"{word}: head of {wanted}")
        faults.append(of_sentence)
    return faults
