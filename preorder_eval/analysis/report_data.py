"""The data that the scripts of reports draw from: sentences, trees, orders, outputs and tables.

The data are columns, with an entry for each sentence, which has a number for each token. Labels,
tags and what several systems share (a parser's trees, a rule set) are stored once and referred to
by number. Numbers are packed. Numbers that can be -1 (no head, no rule) are stored one higher.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from itertools import pairwise, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from preorder_eval.analysis.ablate import Ablation
from preorder_eval.analysis.analyse_outputs import OutputWords, by_length
from preorder_eval.analysis.check_rules import check_rules
from preorder_eval.analysis.misplaced import NO_VALUE, Group
from preorder_eval.analysis.oracle import Oracle
from preorder_eval.analysis.overview import Overview, SystemOverview
from preorder_eval.analysis.parser_errors import ParserErrors
from preorder_eval.analysis.report_page import interval_ends, interval_text, json_number, packed
from preorder_eval.analysis.sentences import CorpusPart
from preorder_eval.base.arrays import Bools, Offsets
from preorder_eval.base.pages.page import Json
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.tables import p_value, signed
from preorder_eval.evaluation.decision import DecidedDifference
from preorder_eval.evaluation.result import Result
from preorder_eval.evaluation.result_tables import difference_cells
from preorder_eval.evaluation.sampling import Sampling
from preorder_eval.metrics import short_names
from preorder_eval.orders.orders import Alternatives, ReferenceOrders
from preorder_eval.references.objective import objective
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.treebank import Treebank, comment_value

_MOST_WORDS = 300  # of the table by word, the most costly first
Rows = list[list[Any]]
Packed = list[str | list[int]]  # of each sentence


def order_data(overview: Overview, words: OutputWords | None = None) -> Json:
    """Return the data of a report on orders; `words` are those of outputs, if there are any."""
    reference, inputs = overview.reference, overview.result.inputs
    offsets = reference.references.offsets
    shared = _Shared(offsets)
    allowed = reference.allowed
    phenomenon = NameColumn.of(name or NO_VALUE for name in _comments(overview, "phenomenon"))
    return {
        "kind": "orders",
        "systems": [
            _scored(overview.result, number)
            | _system(system, shared)
            | {"ablate": _command(overview, number)}
            | {"nearest": _nearest(system.analysis.references, reference.references)}
            for number, system in enumerate(overview.systems)
        ],
        "nearest": None if words is None else nearest_data(words),
        "translations": None
        if words is None
        else [list(text.sentences) for text in inputs.references],
        "words": _joined(reference.source),
        "glued": list(map(_glued, reference.source, _comments(overview, "text"))),
        "target": None if reference.target is None else _joined(reference.target),
        "links": [
            [n for link in reference.alignments[s] for n in link[:2]] for s in range(len(reference))
        ],
        "references": allowed.counts.tolist() if isinstance(allowed, Alternatives) else None,
        "ranks": _split(reference.references.ranks, offsets),
        "ids": _comments(overview, "sent_id"),
        "phenomenon": None if phenomenon.names == (NO_VALUE,) else phenomenon.codes.tolist(),
        "phenomena": phenomenon.names,
        "labels": list(shared.labels),
        "tags": list(shared.tags),
        "parsers": shared.parsers,
        "rules": shared.rules,
        "parts": {by: list(map(_part, parts)) for by, parts in overview.parts.items()},
    }


class _Shared:
    """What several systems refer to by number: labels, tags, parsers' trees, rule sets."""

    def __init__(self, offsets: Offsets) -> None:
        self.offsets = offsets
        self.labels: dict[str, int] = {}
        self.tags: dict[str, int] = {}
        self.parsers: list[Json] = []
        self.rules: list[Json] = []

    def parser(self, trees: Treebank) -> int:
        tags = trees.upos if set(trees.upos.names) - {"_", ""} else trees.xpos
        entry = {
            "heads": _split(trees.heads + 1, self.offsets),
            "labels": self._renumbered(trees.labels, self.labels),
            "tags": self._renumbered(tags, self.tags),
        }
        return _number(entry, self.parsers)

    def rule_set(self, rules: RuleSet) -> int:
        check = check_rules(rules)
        wrong = [[fault.construction, fault.order, fault.reference] for fault in check.failures]
        entry = {"name": rules.name, "rules": list(map(str, rules.rules))}
        return _number({**entry, "constructions": check.constructions, "wrong": wrong}, self.rules)

    def _renumbered(self, column: NameColumn, known: dict[str, int]) -> Packed:
        numbers = np.array([known.setdefault(name, len(known)) for name in column.names])
        return _split(numbers[column.codes], self.offsets)


def _number(entry: Json, known: list[Json]) -> int:
    """Return the number of an entry among the known ones, to which it is added if it is new."""
    if entry not in known:
        known.append(entry)
    return known.index(entry)


def _scored(result: Result, number: int) -> Json:
    """Return a system's data that both kinds of reports show."""
    outputs = result.inputs.systems[number].hyp
    return {
        "name": result.systems[number],
        "intervals": list(map(interval_ends, result.intervals[number])),
        "scores": [list(map(_eight, by.sentence.tolist())) for by in result.scores[number]],
        "outputs": None if outputs is None else list(outputs),
    }


def _eight(score: float) -> float | None:
    """Return a sentence's score to eight digits, which saves room.

    With eight digits, the page rounds scores, and differences of two, like the other output
    formats.
    """
    return None if math.isnan(score) else round(score, 8)


def _system(system: SystemOverview, shared: _Shared) -> Json:
    analysis, origin = system.analysis, system.analysis.made_from
    errors = None if system.fit is None else analysis.parser_errors
    return {
        "parser": None if origin is None else shared.parser(origin.trees),
        "rules": None if system.fit is None or origin is None else shared.rule_set(origin.rules),
        "fired": None if system.fit is None else _split(system.fit.rule + 1, shared.offsets),
        "which": packed(analysis.which.tolist()),
        "orders": _split(analysis.orders.positions, shared.offsets),
        "broken": _places(analysis.placement.broken, shared.offsets),
        "wrong": _places(analysis.placement.wrong, shared.offsets),
        "tables": {by: list(map(_group, of[:_MOST_WORDS])) for by, of in analysis.groups.items()},
        "errors": None if errors is None else _confusions(errors) or None,
        "ablation": None if system.ablation is None else _parts(system.ablation),
        "limits": None if system.limits is None else _limits(system.limits),
    }


def _nearest(nearest: ReferenceOrders, first: ReferenceOrders) -> Packed:
    """Return for each sentence the ranks of its nearest reference order; "" if it is the first."""
    ranks = (_split(orders.ranks, first.offsets) for orders in (nearest, first))
    return ["" if ours == usual else ours for ours, usual in zip(*ranks, strict=True)]


def _part(part: CorpusPart) -> list[Any]:
    """Return a part of the corpus: name, number of sentences, and every system's interval."""
    return [part.name, part.sentences, list(map(interval_ends, part.scores))]


def _group(group: Group) -> list[Any]:
    """Return a row of a table of groups; tables.js names its fields, and those of other tables."""
    share = [json_number(group.share.low), json_number(group.share.high)]
    rest = [
        json_number(group.cost),
        json_number(group.inversions),
        group.wrongly_split,
        group.wrongly_kept,
    ]
    return [group.name, group.count, group.wrong, *share, *rest]


def _confusions(errors: ParserErrors) -> Rows:
    return [
        [
            *(c.kind, c.gold, c.parsed, c.count, c.repaired, c.helped, c.hurt),
            *(json_number(c.gain), c.sentences, json_number(c.loss), json_number(c.cost)),
            c.of_schemes,
        ]
        for c in errors.confusions
    ]


def _parts(ablation: Ablation) -> Rows:
    return [
        [
            *(part.rule, part.called, part.rule_name, part.applied, part.changed),
            *(*interval_ends(part.difference.at_95), part.difference.mark),
        ]
        for part in ablation.parts
    ]


def _command(overview: Overview, number: int) -> str | None:
    """Return the command that leaves out a system's slots, too; None without rules.

    There are ten times as many slots as rules, so a page does not include their contributions; a
    reader can compute them with this command.
    """
    ablation, system = overview.systems[number].ablation, overview.result.inputs.systems[number]
    if ablation is None:
        return None
    command = ["preorder-eval", "rules", "ablate", "--rules", system.rules]
    command += ["--parser", system.parser, "--reference", overview.reference.name]
    if ablation.metric != str(objective(overview.reference).first):
        command += ["--metric", ablation.metric]
    if ablation.resamples != Sampling().resamples:
        command += ["--resamples", str(ablation.resamples)]
    if ablation.seed != Sampling().seed:
        command += ["--seed", str(ablation.seed)]
    return shlex.join(command)


def _limits(limits: Oracle) -> Json:
    """Return the limits of the score, and the pairs of items whose inversion would gain."""
    return {
        "metric": short_names([limits.metric])[0][0],
        "value": json_number(limits.value),
        "gold": None if limits.value_on_gold is None else json_number(limits.value_on_gold),
        "parts": [
            [p.cause, json_number(p.low), json_number(p.high), json_number(p.frs)]
            for p in limits.shortfalls()
        ],
        "steps": [[name, json_number(frs)] for name, frs in limits.steps()],
        "pairs": [
            [p.head, p.first, p.second, p.times, p.right, p.wrong, round(p.gain, 6), p.sentences]
            for p in limits.pairs
            if p.gain > 0
        ],
    }


def _places(marked: Bools, offsets: Offsets) -> Packed:
    """Return for each sentence the places that are marked."""
    return [
        packed(np.flatnonzero(marked[start:stop]).tolist())
        for start, stop in pairwise(offsets.tolist())
    ]


def _split(flat: NDArray[np.integer[Any]], offsets: Offsets) -> Packed:
    values = flat.tolist()
    return [packed(values[start:stop]) for start, stop in pairwise(offsets.tolist())]


def _joined(sentences: Sequence[list[str]]) -> list[str | list[str]]:
    """Join the words of each sentence into a text.

    A sentence without words, or with a word that has a space in it, stays a list.
    """
    return [
        words if not words or any(" " in word for word in words) else " ".join(words)
        for words in sentences
    ]


def _glued(words: Sequence[str], text: str) -> str | list[int]:
    """Return the tokens that no space stands before in the text; "" if they are not known."""
    glued, end = [], 0
    for number, word in enumerate(words):
        start = text.find(word, end)
        if start < 0 or text[end:start].strip():
            return ""  # the text is another one
        if number and start == end:
            glued.append(number)
        end = start + len(word)
    return packed(glued)


def _comments(overview: Overview, key: str) -> list[str]:
    if overview.gold is None:
        return [""] * len(overview.reference)
    return [comment_value(tree.comments, key) or "" for tree in overview.gold]


def output_data(result: Result, source: Sequence[str]) -> Json:
    """Return the data of a report on outputs, without metrics and the systems A and B."""
    return {
        "kind": "outputs",
        "translations": [list(text.sentences) for text in result.inputs.references],
        "source": list(source) or None,
        "ids": [""] * len(result),
        "systems": [_scored(result, number) for number in range(len(result.systems))],
    }


def difference_data(result: Result) -> list[list[list[list[Any] | None]]]:
    """Return for each metric, system A and system B the difference B - A; None if not compared.

    It has the texts that are shown (value, interval, mark and p), and for TSV the value with the
    ends of its interval.
    """
    numbers, count = range(len(result.systems)), result.found.comparisons
    by_metric = []
    for m, metric in enumerate(result.metrics):
        found: list[list[list[Any] | None]] = [[None for _ in numbers] for _ in numbers]
        form = f"+.{metric.decimals}f"
        for a, b in permutations(numbers, 2):
            difference = result.difference(a, b, m)
            if difference is None:
                continue
            cells: list[Any] = difference_cells(difference)
            at_95, mark, p = cells[0], cells[3], cells[4]
            tested = "" if difference.test == "koehn" else f"p: {p_value(p)}"
            if tested and count > 1:
                corrected = DecidedDifference(difference, comparisons=count)
                tested += f", corrected for {count} pairs: {p_value(corrected.p)}"
            value, low, high = at_95
            shown = [signed(value, form), interval_text(low, high, form), mark, tested]
            found[a][b] = [*shown, *map(json_number, at_95)]
        by_metric.append(found)
    return by_metric


def nearest_data(words: OutputWords) -> list[str | list[int]] | None:
    """Return the nearest references of every system's outputs, if there are several references."""
    several = len(words.references) > 1
    return [packed(of_system) for of_system in words.nearest] if several else None


def length_data(words: OutputWords) -> Json:
    """Return the number of words of each first reference, and the scores by length."""
    return {
        "lengths": packed(list(map(len, words.references[0]))),
        "parts": [{"length": list(map(_part, of))} for of in by_length(words).values()],
    }
